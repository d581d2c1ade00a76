"""The games as a web page: a standalone Voilà that shows one notebook, and the teacher's beside it.

Standalone Voilà lets a page talk to its widgets and refuses everything else (running code, inspecting,
completing), which is what keeps a hand of cards secret from the browser it is not meant for.
"""

from __future__ import annotations

import io
import os
import secrets
import socket
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import platformdirs
import psutil
import segno
from tornado.netutil import bind_sockets

from cmgames.rooms import codes
from cmgames.ui.voila.server import GameServer, allow_open_files, configuration, fork_kernels

PACKAGE = Path(__file__).parent
SIGNS = 8
"""So many letters and digits a teacher's key has at least; fewer can be guessed."""


class CannotServe(Exception):
    """Why the games cannot be served, as a sentence for the person who asked."""


def serve(
    notebook: Path | None = None,
    *,
    port: int = 8866,
    lan: bool = False,
    preheat: int = 0,
    template: str = "slim",
    database: str | None = None,
    say: Callable[[str], object] = print,
) -> None:
    """Serve a notebook as a web page until Ctrl-C.

    Parameters
    ----------
    notebook : the notebook to show; the games' own if None, and the teacher's page beside them.
    port : the port to listen on. Keep it the same from day to day: browsers keep their games by address and port.
    lan : be reachable from the local network and not only from this computer.
    preheat : how many games to hold ready for the next visitors.
    template : ``slim`` for notebooks made of anywidgets, ``lab`` for those that need stock widgets too.
    database : where the games are kept, as a URL; a file in the data folder if None.
    say : what tells the person at the terminal.

    Raises
    ------
    CannotServe
        if the notebook is missing, the port is taken, the folder for saved games cannot be written, the database cannot
        be used, or this computer is on no network although `lan` asks for one.
    """
    path = notebook or own_notebook("play")
    if not path.is_file():
        raise CannotServe(f"There is no notebook {path}.")
    link = f"http://{lan_address() if lan else '127.0.0.1'}:{port}/"
    data = data_folder()
    sockets = listen(port, "0.0.0.0" if lan else "127.0.0.1")  # noqa: S104  that is what `lan` is for
    key = teacher_key(data)
    prepare_database(database or f"sqlite:///{data / 'rooms.sqlite'}")
    prepare_environment(data, key, link if lan else None)
    allow_open_files()
    fork_kernels()
    if preheat:
        say(f"Getting {preheat} games ready...")
    others = {} if notebook else {"teach": own_notebook("teach")}
    server = GameServer(config=configuration(path.resolve(), template, preheat), sockets=sockets, others=others)
    server.when_ready = lambda: announce(link, lan, "" if notebook else key, say)
    server.initialize([])
    server.start()


def own_notebook(name: str) -> Path:
    """A notebook of the games: part of an installed package, beside the package in a clone."""
    packaged = PACKAGE / "ui" / "voila" / f"{name}.ipynb"
    return packaged if packaged.exists() else PACKAGE.parent / "notebooks" / f"{name}.ipynb"


def listen(port: int, address: str) -> list[socket.socket]:
    """Sockets that listen; bound before anything else is started, so that a taken port costs nothing."""
    try:
        return bind_sockets(port, address)
    except PermissionError:
        raise CannotServe(f"You may not use port {port}: choose one above 1023 with --port.") from None
    except OSError:
        raise CannotServe(f"Port {port} is taken: end what uses it or choose another one with --port.") from None


def data_folder() -> Path:
    """The folder for games, log and key."""
    data = Path(os.environ.get("CMGAMES_DATA") or platformdirs.user_data_dir("cmgames", appauthor=False))
    try:
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise CannotServe(f"The folder for saved games {data} cannot be made: {error.strerror}.") from None
    return data.resolve()


def teacher_key(data: Path) -> str:
    """The key that opens the teacher's page: the environment's ``CMGAMES_TEACHER_KEY``, else that of the data folder.

    Parameters
    ----------
    data : where it is kept from the first time on, readable for this user alone.

    Raises
    ------
    CannotServe
        The key cannot be kept, or is too short.
    """
    file, given = data / "teacher-key", os.environ.get("CMGAMES_TEACHER_KEY")
    try:
        key = given or kept_key(file)
    except OSError as error:
        raise CannotServe(f"The teacher key cannot be kept in {file}: {error.strerror}.") from None
    if len(codes.signs(key)) < SIGNS:
        where = "CMGAMES_TEACHER_KEY" if given else file
        raise CannotServe(
            f"The teacher key in {where} could be guessed: give it at least {SIGNS} letters or digits, "
            "or remove it, and one is made up."
        )
    return key


def kept_key(file: Path) -> str:
    """The key in a file, made up if there is none yet."""
    groups = ("".join(secrets.choice(codes.LETTERS) for _ in range(4)) for _ in range(3))
    with suppress(FileExistsError), open(file, "x", opener=lambda path, flags: os.open(path, flags, 0o600)) as new:
        new.write("-".join(groups) + "\n")
    return file.read_text(encoding="utf-8").strip()


def prepare_environment(data: Path, key: str, link: str | None) -> None:
    """Tell the kernels what they need, and Voilà where our templates and our kernel are.

    Of the teacher's key the kernels know the hash only.
    """
    os.environ.pop("CMGAMES_TEACHER_KEY", None)
    os.environ["CMGAMES_TEACHER_KEY_HASH"] = codes.hashed(codes.signs(key))
    os.environ["CMGAMES_DATA"] = str(data)
    os.environ.setdefault("CMGAMES_LOG", str(data / "cmgames.log"))
    if link:
        os.environ["CMGAMES_LINK"] = link
    paths = [str(PACKAGE / "ui"), *filter(None, [os.environ.get("JUPYTER_PATH")])]
    os.environ["JUPYTER_PATH"] = os.pathsep.join(paths)


def prepare_database(url: str) -> None:
    """Bring the database to this version's tables, and tell the kernels where it is."""
    from cmgames.rooms.database import DatabaseFault, prepare

    try:
        prepare(url)
    except DatabaseFault as fault:
        raise CannotServe(str(fault)) from None
    os.environ["CMGAMES_DATABASE_URL"] = url


def announce(link: str, lan: bool, key: str, say: Callable[[str], object]) -> None:
    """Tell the link, as a QR picture too where other devices can use it, and the teacher's if there is a key."""
    if lan:
        say(qr_picture(link))
    say(f"The games are at {link}{' for everyone on this network' if lan else ''} (Ctrl-C ends them).")
    if key:
        say(f"Teacher: {link}teach with the key {key}")


def qr_picture(link: str) -> str:
    """A link as a QR picture made of text."""
    picture = io.StringIO()
    segno.make(link, error="l").terminal(picture, compact=True)
    return picture.getvalue().rstrip("\n")


def lan_address() -> str:
    """This computer's address in the local network, found without sending anything.

    Raises
    ------
    CannotServe
        if it is on no network.
    """
    found = routed_address() or next(private_addresses(), None)
    if not found:
        raise CannotServe("This computer is on no network: connect it first, or serve without --lan.")
    return found


def routed_address() -> str | None:
    """The address from which packets would leave; connecting a datagram socket sends none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        address: str = probe.getsockname()[0]
    return None if address.startswith("127.") else address


def private_addresses() -> Iterator[str]:
    """IPv4 addresses of this computer's network cards that are up."""
    cards = psutil.net_if_stats()
    for card, addresses in psutil.net_if_addrs().items():
        if not cards[card].isup or card.startswith(("lo", "docker", "br-", "veth", "virbr")):
            continue
        for entry in addresses:
            if entry.family == socket.AF_INET and not entry.address.startswith(("127.", "169.254.")):
                yield entry.address
