"""The games as a web page: a standalone Voilà that shows one notebook.

Standalone Voilà lets a page talk to its widgets and refuses everything else (running code, inspecting,
completing), which is what keeps a hand of cards secret from the browser it is not meant for.  What is set
here beyond Voilà's defaults was measured: see ``docs/architecture.md``.
"""

from __future__ import annotations

import asyncio
import io
import os
import socket
from collections.abc import Callable, Iterator
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import platformdirs
import psutil
import segno
from jupyter_client.provisioning.factory import KernelProvisionerFactory
from jupyter_server import DEFAULT_STATIC_FILES_PATH
from jupyter_server.services.kernels.connection.channels import ZMQChannelsWebsocketConnection
from tornado.httpserver import HTTPServer
from tornado.ioloop import IOLoop
from tornado.netutil import bind_sockets
from traitlets.config import Config
from voila.app import Voila
from voila.tornado.handler import TornadoVoilaHandler

from cmgames.ui.voila.provisioner import ForkProvisioner

PACKAGE = Path(__file__).parent
TEMPLATES = {"slim": "cmgames", "lab": "cmgames-lab"}
LAB_EXTENSIONS = ["anywidget", "@jupyter-widgets/jupyterlab-manager", "@voila-dashboards/widgets-manager8"]
ONLY_THIS_HOST = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' blob:; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; connect-src 'self' ws: wss:; frame-ancestors 'self'"
)
IDLE_SECONDS = 600


class CannotServe(Exception):
    """Why the games cannot be served, as a sentence for the person who asked."""


def serve(
    notebook: Path | None = None,
    *,
    port: int = 8866,
    lan: bool = False,
    preheat: int = 0,
    template: str = "slim",
    say: Callable[[str], object] = print,
) -> None:
    """Serve a notebook as a web page until Ctrl-C.

    Parameters
    ----------
    notebook : the notebook to show; the games' own entry if None.
    port : the port to listen on. Keep it the same from day to day: browsers keep their games by address and port.
    lan : be reachable from the local network and not only from this computer.
    preheat : how many games to hold ready for the next visitors.
    template : ``slim`` for notebooks made of anywidgets, ``lab`` for those that need stock widgets too.
    say : what tells the person at the terminal.

    Raises
    ------
    CannotServe
        if the notebook is missing, the port is taken, the folder for saved games cannot be written, or this computer is
        on no network although `lan` asks for one.
    """
    path = notebook or entry_notebook()
    if not path.is_file():
        raise CannotServe(f"There is no notebook {path}.")
    address = lan_address() if lan else "127.0.0.1"
    prepare_environment()
    sockets = listen(port, "0.0.0.0" if lan else "127.0.0.1")  # noqa: S104  that is what `lan` is for
    fork_kernels()
    if preheat:
        say(f"Getting {preheat} games ready...")
    server = GameServer(config=configuration(path.resolve(), template, preheat), sockets=sockets)
    server.when_ready = lambda: announce(f"http://{address}:{port}/", lan, say)
    server.initialize([])
    server.start()


def entry_notebook() -> Path:
    """The notebook that shows the games: part of an installed package, beside the package in a clone."""
    packaged = PACKAGE / "ui" / "voila" / "play.ipynb"
    return packaged if packaged.exists() else PACKAGE.parent / "notebooks" / "play.ipynb"


def listen(port: int, address: str) -> list[socket.socket]:
    """Sockets that listen; bound before anything else is started, so that a taken port costs nothing."""
    try:
        return bind_sockets(port, address)
    except PermissionError:
        raise CannotServe(f"You may not use port {port}: choose one above 1023 with --port.") from None
    except OSError:
        raise CannotServe(f"Port {port} is taken: end what uses it or choose another one with --port.") from None


def prepare_environment() -> None:
    """Tell the kernels where to keep games and their log, and Voilà where our templates and our kernel are."""
    data = Path(os.environ.get("CMGAMES_DATA") or platformdirs.user_data_dir("cmgames", appauthor=False))
    try:
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise CannotServe(f"The folder for saved games {data} cannot be made: {error.strerror}.") from None
    os.environ["CMGAMES_DATA"] = str(data.resolve())
    os.environ.setdefault("CMGAMES_LOG", str(data / "cmgames.log"))
    paths = [str(PACKAGE / "ui"), *filter(None, [os.environ.get("JUPYTER_PATH")])]
    os.environ["JUPYTER_PATH"] = os.pathsep.join(paths)


def fork_kernels() -> None:
    """Make known where the kernels of our kernelspec come from, without which it counts as missing."""
    name, group = "cmgames-fork", KernelProvisionerFactory.GROUP_NAME
    where = f"{ForkProvisioner.__module__}:{ForkProvisioner.__name__}"
    KernelProvisionerFactory.provisioners[name] = EntryPoint(name, where, group)
    ForkProvisioner.warm()


def configuration(notebook: Path, template: str, preheat: int) -> Config:
    """Voilà's settings."""
    config = Config()
    config.Voila.notebook_path = str(notebook)
    config.Voila.config_file_paths = []
    config.Voila.open_browser = False
    config.Voila.logging_config = log_to(os.environ["CMGAMES_LOG"])
    config.Voila.kernel_websocket_connection_class = DiscreetConnection
    config.VoilaConfiguration.template = TEMPLATES[template]
    config.VoilaConfiguration.allow_template_override = "NO"
    config.VoilaConfiguration.allow_theme_override = "NO"
    config.VoilaConfiguration.show_tracebacks = False
    config.VoilaConfiguration.file_allowlist = []
    config.VoilaConfiguration.extension_allowlist = LAB_EXTENSIONS
    config.VoilaConfiguration.preheat_kernel = preheat > 0
    config.VoilaConfiguration.default_pool_size = preheat
    config.NotebookClient.iopub_timeout = 120
    config.VoilaExecutor.startup_timeout = 120
    config.MappingKernelManager.cull_idle_timeout = IDLE_SECONDS
    config.MappingKernelManager.cull_interval = IDLE_SECONDS // 10
    if os.name == "posix":
        config.KernelManager.transport = "ipc"
    return config


def log_to(file: str) -> dict[str, Any]:
    """Write the server's log to a file: the terminal shows the link and nothing that a teacher need not read."""
    handler = {"class": "logging.FileHandler", "filename": file, "level": "WARNING", "formatter": "console"}
    return {
        "handlers": {"file": handler},
        "loggers": {GameServer.__name__: {"handlers": ["file"]}},
        "root": {"handlers": ["file"]},
    }


class Page(TornadoVoilaHandler):  # type: ignore[misc]
    """A page that hands out the ``_xsrf`` cookie which its farewell, the shutdown of its kernel, has to show."""

    async def get(self, path: str | None = None) -> None:
        """Run the notebook and send the page."""
        _ = self.xsrf_token
        await super().get(path)

    def write_error(self, status_code: int, **_: Any) -> None:
        """Say in a sentence that there is no page."""
        self.set_header("Content-Type", "text/html; charset=utf-8")
        self.finish(
            '<!DOCTYPE html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
            f"<title>Not now</title><h1>This page cannot be shown ({status_code})</h1>"
            '<p>Your game is safe. <a href="./">Try it again</a> in a moment.</p></html>'
        )


class PromptConnection(ZMQChannelsWebsocketConnection):
    """A kernel's messages to its page, sent at once: Nagle's algorithm costs 40 ms a click."""

    def connect(self) -> asyncio.Future[None] | None:  # type: ignore[override]
        """Join the kernel and the websocket."""
        self.websocket_handler.set_nodelay(True)
        connected: asyncio.Future[None] | None = super().connect()
        return connected


class DiscreetConnection(PromptConnection):
    """The same without what an error says, which belongs to the log."""

    def handle_outgoing_message(self, stream: str, outgoing_msg: list[Any]) -> None:
        """Pass a message on."""
        _, (_, *parts) = self.session.feed_identities(outgoing_msg)
        if self.session.unpack(parts[0])["msg_type"] == "error":
            parts[3] = self.session.pack({"ename": "Error", "evalue": "", "traceback": []})
            outgoing_msg = [b"<IDS|MSG>", self.session.sign(parts[:4]), *parts]
        super().handle_outgoing_message(stream, outgoing_msg)


class GameServer(Voila):  # type: ignore[misc]
    """Voilà on sockets that listen already, with compressed pages."""

    when_ready: Callable[[], object]

    def __init__(self, *, sockets: list[socket.socket], **options: Any) -> None:
        super().__init__(**options)
        self.sockets = sockets
        self.port = sockets[0].getsockname()[1]

    def init_settings(self) -> dict[str, Any]:
        """Voilà's settings for Tornado, and those it forgot or cannot be told."""
        settings: dict[str, Any] = super().init_settings()
        settings |= {"static_path": DEFAULT_STATIC_FILES_PATH, "websocket_compression_options": {}}
        if self.voila_configuration.template == TEMPLATES["slim"]:
            settings |= {"compress_response": True, "headers": {"Content-Security-Policy": ONLY_THIS_HOST}}
        return settings

    def init_handlers(self) -> list[tuple[Any, ...]]:
        """Voilà's handlers with `Page` for its pages."""
        return [
            (rule[0], Page, *rule[2:]) if rule[1] is TornadoVoilaHandler else rule for rule in super().init_handlers()
        ]

    def listen(self) -> None:
        """Serve until Ctrl-C; end the kernels then."""
        HTTPServer(self.app).add_sockets(self.sockets)
        self.ioloop = IOLoop.current()
        self.ioloop.add_callback(self.say_ready)
        try:
            self.ioloop.start()
        except KeyboardInterrupt:
            pass
        finally:
            self.stop()

    async def say_ready(self) -> None:
        """Tell that the server is ready, which is when the preheated games are."""
        for pool in list(getattr(self.kernel_manager, "_pools", {}).values()):
            started = await asyncio.gather(*pool)
            await asyncio.gather(*(game["task"] for game in started))
        self.when_ready()


def announce(link: str, lan: bool, say: Callable[[str], object]) -> None:
    """Tell the link, and show it as a QR picture where other devices can use it."""
    if lan:
        say(qr_picture(link))
    say(f"The games are at {link}{' for everyone on this network' if lan else ''} (Ctrl-C ends them).")


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
