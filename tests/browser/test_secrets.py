"""What reaches a browser, byte by byte, and what its developer tools can bring about."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import struct
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import websocket
from jupyter_server.services.kernels.connection.base import deserialize_msg_from_ws_v1, serialize_msg_to_ws_v1
from playwright.sync_api import Browser, Response, expect
from sqlalchemy import delete, insert, select

import cmgames
from cmgames.engine.moves import Move
from cmgames.engine.table import Table
from cmgames.rooms.classes import Class
from cmgames.rooms.codes import hashed
from cmgames.rooms.database import Database
from cmgames.rooms.room import Room
from cmgames.rooms.rooms import Rooms, make_room
from cmgames.rooms.schema import GUESTS, METADATA, ROOMS
from cmgames.rooms.terms import ClassTerms, Terms
from cmgames.ui import layout
from cmgames.ui.classroom import HELD
from tests.games.playthroughs import choose

from .clicker import SECOND_TAP, Clicker
from .conftest import LAPTOP, served

pytestmark = pytest.mark.browser

KEY = "the key of these tests"
SEED = 271_828_182_845_904_523_536_028_747_135
"""Of the tables here: large enough to be looked for."""

STRANGER = 876_543_210
"""The number of a room, and of a guest, that nobody here may hear of."""


# ---- A table in two worlds ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Script:
    """A game as the cards that chance deals in turn and the moves that people make."""

    game: str
    options: dict[str, Any]
    seed: int
    deals: tuple[str, ...]
    moves: tuple[str, ...]

    def table(self, plies: int) -> Table:
        """The table after so many moves of people."""
        table = Table(self.game, seed=self.seed, salt="", deals=self.deals, **self.options)
        for text in self.moves[:plies]:
            table.play(text)
        return table


def whole_game(game: str, seed: int, **options: Any) -> Script:
    table, moves = Table(game, seed=seed, **options), []
    while table.seat is not None:
        moves.append(str(choose(table, seed + 1)))
        table.play(moves[-1])
    return Script(game, options, SEED + seed, dealt(table), tuple(moves))


def dealt(table: Table) -> tuple[str, ...]:
    return tuple(table.moves[ply].cards[0] for ply in table._drawn_plies())


def known(table: Table, seat: str) -> Any:
    """All that a seat may know of a game so far."""
    return [table.view(seat, ply) for ply in range(len(table.moves))], table.view(seat), table.log(seat)


def other_world(script: Script, seat: str, plies: int) -> Script:
    """The same moves over other cards, as many as a seat cannot tell from those of the script after so many moves."""
    mine, deals = known(script.table(plies), seat), script.deals
    names = cmgames.GAMES[script.game](cmgames.GAMES[script.game].Options.make(script.options)).catalogue.names

    def cannot_tell(deals: tuple[str, ...]) -> bool:
        try:
            return known(Script(script.game, script.options, SEED, deals, script.moves).table(plies), seat) == mine
        except ValueError:  # a card that is not there
            return False

    for at in range(len(deals)):
        for name in (name for name in names if deals[at] == script.deals[at] != name):
            others = [later for later in range(at + 1, len(deals)) if deals[later] == name]
            tries = ({at: name}, *({at: name, later: deals[at]} for later in others))
            changed = (tuple(change.get(i, card) for i, card in enumerate(deals)) for change in tries)
            deals = next(filter(cannot_tell, changed), deals)
    return Script(script.game, script.options, SEED, deals, script.moves)


# ---- A browser that keeps all that it is sent -----------------------------------------------------------------------

TOOLS = """
async ({messages, kernel}) => {
  const own = JSON.parse(document.getElementById("kernel").textContent);
  const model = document.querySelector("[data-view]").dataset.view;
  const socket = new WebSocket(`${location.origin.replace("http", "ws")}/api/kernels/${kernel ?? own.id}/channels`);
  const answers = [];
  const ask = (type, content, channel = "shell") => {
    const of = {session: "tools", username: "", version: "5.3", date: ""};
    const header = {msg_id: crypto.randomUUID(), msg_type: type, ...of};
    const metadata = {version: "2.1.0"};
    socket.send(JSON.stringify({channel, content, header, parent_header: {}, metadata}));
  };
  const opened = await new Promise(resolve => {
    socket.onopen = () => resolve(true);
    socket.onerror = () => resolve(false);
  });
  if (!opened) return null;
  const last = new Set();
  const over = new Promise(resolve => { socket.onmessage = ({data}) => {
    const {header, parent_header, content} = JSON.parse(data);
    if (parent_header.session !== "tools") return;
    answers.push([header.msg_type, content]);
    if (parent_header.msg_type !== "comm_info_request") return;
    last.add(header.msg_type === "status" ? content.execution_state : header.msg_type);
    if (last.has("idle") && last.has("comm_info_reply")) resolve();
  }; });
  for (const [type, content, channel] of messages) {
    if (content.comm_id === "own") content.comm_id = model;
    ask(type, content, channel);
  }
  ask("comm_info_request", {});
  await over;
  socket.close();
  return answers;
}
"""
PRESS = """
wanted => {
  const matches = ({send, ariaPressed}) => send && ariaPressed !== "true" &&
    Object.entries(wanted).every(([name, value]) => new RegExp(`^${value}$`).test(String(send[name])));
  const button = [...document.querySelectorAll(".cmgames button")].find(matches);
  button?.click();
  return Boolean(button);
}
"""

NOBODY = "00000000-0000-4000-8000-000000000000"
"""A kernel's number, but no kernel's."""

RESYNC = ("comm_msg", {"comm_id": "own", "data": {"method": "custom", "content": {"do": "resync"}}})
ASK_FOR_ALL = [("comm_msg", {"comm_id": "own", "data": {"method": "request_state"}}), RESYNC]


class Seat(Clicker):
    """A browser that keeps every byte it is sent.

    Attributes
    ----------
    token : what it is known by.
    frames : the messages that have come through its websockets, part by part.
    """

    def __init__(self, browser: Browser, address: str, token: str = "") -> None:
        context = browser.new_context(viewport=LAPTOP)
        context.add_init_script(
            f"localStorage.getItem('cmgames.token') ?? localStorage.setItem('cmgames.token', '{token}')"
        )
        super().__init__(context.new_page())
        self.token = token
        self.frames: list[str] = []
        self.responses: list[Response] = []
        self.page.on("websocket", lambda socket: socket.on("framereceived", self.receive))
        self.page.on("response", self.respond)
        self.page.clock.install(time=1_800_000_000)
        self.page.clock.pause_at(1_800_000_001)
        self.page.goto(address)

    def respond(self, response: Response) -> None:
        self.responses.append(response)

    def receive(self, frame: str | bytes) -> None:
        parts = [frame.encode()] if isinstance(frame, str) else deserialize_msg_from_ws_v1(frame)[1]
        self.frames.append(b"\n".join(parts).decode())

    def ask_for_all(self) -> None:
        """Ask one's kernel for the whole state of its widgets; it goes to the page too."""
        self.tools(ASK_FOR_ALL)
        before = -1
        while before < len(self.frames):
            before = len(self.frames)
            self.page.wait_for_timeout(300)

    def kernel(self) -> str:
        """The number of one's kernel."""
        return str(json.loads(self.page.locator("script#kernel").text_content() or "")["id"])

    def cookies(self) -> dict[str, str]:
        """What the browser sends with all that it asks for."""
        return {cookie["name"]: cookie["value"] for cookie in self.page.context.cookies()}

    def fetch(self, method: str, path: str) -> tuple[int, str]:
        """Ask the server for something, with one's cookies: what it answers."""
        address, headers = "/".join(self.page.url.split("/")[:3]), {"X-XSRFToken": self.cookies()["_xsrf"]}
        data = "{}" if method != "GET" else None
        answer = self.page.request.fetch(f"{address}/{path}", method=method, headers=headers, data=data)
        return answer.status, answer.text()

    def tools(self, messages: list[Any], kernel: str | None = None) -> Any:
        """Send messages on a websocket of one's own, to one's own kernel or another; what comes back."""
        return self.page.evaluate(TOOLS, {"messages": messages, "kernel": kernel})

    def say(self, **content: Any) -> dict[str, Any]:
        """Send the widget a message, whatever the page offers, and return the screen that it then shows."""
        content = {"n": 10**9, "ms": 1, **content}
        custom = [("comm_msg", {"comm_id": "own", "data": {"method": "custom", "content": content}})]
        *_, screen = (
            content["data"]["content"]["screen"]
            for kind, content in self.tools([*custom, RESYNC])
            if kind == "comm_msg" and "screen" in content["data"].get("content", {})
        )
        return dict(screen)

    def tap(self, **send: str) -> None:
        """Press the button that sends this, as soon as it is there."""
        self.page.clock.fast_forward(SECOND_TAP)
        for _ in range(300):
            if self.page.evaluate(PRESS, send):
                return self.answered()
            time.sleep(0.02)
        raise AssertionError(f"there is nothing to press for {send}: {self.app.inner_text()}")

    def make(self, game: Any, text: str) -> None:
        """Make a move as a person does: card by card, then the button."""
        move = Move.parse(game, text)
        pick = game.verbs[move.verb].pick
        for place, card in enumerate(move.cards if pick else ()):
            if pick == "hand":
                self.tap(do="pick", card=re.escape(card) + r"#\d+")
            else:
                self.tap(do="choose", place=str(place), card=re.escape(card))
        self.tap(do="move", move=re.escape(text))

    def shows(self, table: Table, seat: str) -> None:
        """Wait until the page has caught up with the table; pauses are passed by the page's clock."""
        lines = [line.text for line in layout.lines(table.game, table.log(seat), seat).values()]
        wanted = [*lines, f"Turn {table.turn}", table.phase] if table.outcome is None else []
        for _ in range(300):
            parts = self.app.locator(".g-line, .g-turnno, [aria-current=step] .g-phasename").all_text_contents()
            if sorted(parts) == sorted(wanted) or (self.result() and not wanted):
                return
            self.page.clock.fast_forward(200)
            time.sleep(0.02)
        raise AssertionError(f"not shown: {wanted}\n{self.app.inner_text()}")

    def stored(self) -> str:
        """What the browser keeps, and what came over HTTP."""
        kept = self.page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie])")
        cookies = [[cookie["name"], cookie["value"]] for cookie in self.page.context.cookies()]
        bodies = [response.text() for response in self.responses if response.status == 200]
        return "\n".join([kept, json.dumps(cookies), *bodies])

    def close(self) -> None:
        self.page.context.close()


# ---- The server and its database ------------------------------------------------------------------------------------


class Site:
    """A server, and its database in the test's hand."""

    def __init__(self, address: str, folder: Path, browser: Browser) -> None:
        self.address = address
        self.folder = folder
        self.browser = browser
        self.database = Database(f"sqlite:///{folder}/data/rooms.sqlite")
        self.rooms = Rooms(self.database)

    def wipe(self) -> None:
        """Begin anew; SQLite then counts from 1 again, so that all worlds have the same numbers."""

        def work(connection: Any) -> None:
            for table in reversed(METADATA.sorted_tables):
                connection.execute(delete(table))

        self.database.write(work)

    def seat(self, script: Script) -> tuple[Room, dict[str, Seat]]:
        """Two browsers at the table of a script, and a stranger elsewhere."""
        self.wipe()
        seats = cmgames.GAMES[script.game].seats
        admitted = {seat: self.rooms.guests.admit(seat.title()) for seat in seats}
        players = {seat: ("person", guest.id) for seat, (guest, _) in admitted.items()}
        terms = Terms(deals=script.deals)

        def work(connection: Any) -> int:
            id = make_room(connection, script.game, script.options, players, terms, seed=script.seed)
            other = connection.execute(select(ROOMS)).one()._asdict()
            connection.execute(insert(ROOMS).values(**{**other, "id": STRANGER}))
            guest = connection.execute(select(GUESTS)).first()._asdict()
            connection.execute(insert(GUESTS).values(**{**guest, "id": STRANGER, "token": "x", "room_id": STRANGER}))
            return id

        room = Room(self.database, self.database.write(work))
        for seat in seats:
            room.promise(seat)
        people = {seat: Seat(self.browser, self.address, token) for seat, (_, token) in admitted.items()}
        for person in people.values():
            expect(person.panel).to_be_visible(timeout=30000)
        return room, people

    def dump(self) -> dict[str, list[str]]:
        """All that is kept, but for signs of life and tries."""

        def lines(table: Any) -> list[str]:
            columns = [column for column in table.c if column.name not in ("seen_at", "left_at")]
            return sorted(map(str, self.database.read(lambda connection: connection.execute(select(*columns)).all())))

        return {table.name: lines(table) for table in METADATA.sorted_tables if table.name not in ("tries", "topics")}

    def log(self) -> str:
        return (self.folder / "data" / "cmgames.log").read_text()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, browser: Browser) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("secrets")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CMGAMES_TEACHER_KEY", KEY)
        with served(folder) as address:
            made = Site(address, folder, browser)
            yield made
            made.database.close()


# ---- Whole games, every byte ----------------------------------------------------------------------------------------

GAMES = {
    "cat-and-mouse": whole_game("cat-and-mouse", 8, kinds=2, secrecy=4, terrorist_hand=10, open_discards=False),
    "tunnel-rat": whole_game("tunnel-rat", 2, casualties_to_win=2, tunnels_to_win=2, max_questions=1),
}


@dataclass
class Step:
    """What a seat was sent until everybody had seen a move, or until the game began."""

    frames: list[str]
    stored: str = ""


@dataclass
class Recorded:
    """A whole game between two browsers."""

    script: Script
    room: Room
    tokens: dict[str, str]
    steps: dict[str, list[Step]]

    @property
    def names(self) -> tuple[str, ...]:
        """The cards of the game."""
        return tuple(self.room.table.game.catalogue.names)


def cuts(script: Script) -> list[tuple[str, int]]:
    """Who is to be kept in the dark, up to which move."""
    if script.game == "cat-and-mouse":
        return [("terrorist", len(script.moves) - 1), ("us", len(script.moves) - 2)]
    last_draw = max(at for at, move in enumerate(script.moves) if move == "draw")
    return [("rat", script.moves.index("reveal")), ("rat", len(script.moves) - 1), ("vc", last_draw)]


def record(site: Site, script: Script, plies: int) -> Recorded:
    """Play so many moves of a script; before each of them both ask for all that their kernels would send them."""
    room, people = site.seat(script)
    made = Recorded(
        script, room, {seat: person.token for seat, person in people.items()}, {seat: [] for seat in people}
    )
    game, asks = room.table.game, {plies, *(cut for _, cut in cuts(script))}

    def look(ply: int = 0) -> None:
        for _ in range(300):
            room.refresh()
            if room.table.version >= ply:
                break
            time.sleep(0.02)
        assert room.table.version == ply
        for seat, person in people.items():
            person.shows(room.table, seat)
            if ply % 4 == 0 or ply in asks:
                person.ask_for_all()
            taken, person.frames[:] = list(person.frames), []
            made.steps[seat].append(Step(taken, person.stored() if ply in (0, plies) else ""))

    look()
    for ply, text in enumerate(script.moves[:plies], 1):
        assert room.table.seat is not None
        people[room.table.seat].make(game, text)
        look(ply)
    for person in people.values():
        person.close()
    return made


@pytest.fixture(scope="module", params=GAMES)
def recorded(request: pytest.FixtureRequest, site: Site) -> Recorded:
    script = GAMES[request.param]
    return record(site, script, len(script.moves))


def unknown(recorded: Recorded, seat: str, plies: int) -> set[str]:
    """The cards that a seat has not seen after so many moves: not in its hand, not on the table, not in its log."""
    views, last, log = known(recorded.script.table(plies), seat)
    seen = {card for view in (*views, last) for pile in view.piles for card in pile.cards}
    return set(recorded.names) - seen - {card for event in log for card in event.move.cards}


def without_choices(value: Any) -> Any:
    """A message without what names every card there is for everybody: the rows of a guess, the page's own script."""
    if isinstance(value, dict):
        return {key: without_choices(inner) for key, inner in value.items() if not key.startswith(("choice", "_esm"))}
    return [without_choices(inner) for inner in value] if isinstance(value, list) else value


def messages(step: Step) -> list[Any]:
    """The messages of the game's widget among what came: screens and patches."""
    parsed = [json.loads(part) for frame in step.frames for part in frame.split("\n")[3:4]]
    return [each["data"] for each in parsed if "comm_id" in each and each.get("data")]


def spellings(text: str) -> Iterator[str]:
    """A text as one could write it without anybody reading it."""
    raw = text.encode()
    yield from (raw.hex(), base64.b64encode(raw).decode().rstrip("="))
    for name in ("md5", "sha1", "sha224", "sha256", "sha512", "blake2b"):
        digest = hashlib.new(name, raw)
        yield from (digest.hexdigest(), base64.b64encode(digest.digest()).decode().rstrip("="))


def invertible(recorded: Recorded) -> set[str]:
    """Spellings and hashes of cards and of the seed, with and without what is fixed about this table."""
    seed, room, salt = str(recorded.script.seed), str(recorded.room.id), recorded.room.table._salt
    plain = {text for name in recorded.names for text in (name, name.lower(), f"{name}#1")} | set(map(str, range(200)))
    mixed = {
        sep.join(pair)
        for card in plain
        for with_ in (seed, room, "1")
        for pair in ((card, with_), (with_, card))
        for sep in ("", ":", "-", "|")
    }
    return {word for text in plain | mixed | {salt} for word in spellings(text) if len(word) > 20}


@pytest.mark.parametrize("place", [0, 1])
def test_no_byte_names_a_card_that_this_seat_may_not_know(recorded: Recorded, place: int) -> None:
    seat, other = list(recorded.steps)[place], list(recorded.steps)[1 - place]
    steps = recorded.steps[seat]
    *before, last = steps
    found = set()
    if recorded.script.game == "cat-and-mouse":  # in Tunnel Rat the three names are in every question
        for plies, step in enumerate(before):
            text = json.dumps(without_choices(messages(step)), ensure_ascii=False)
            named = {name for name in recorded.names if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text)}
            assert not named & unknown(recorded, seat, plies), f"after {plies} moves"
            found |= named
        assert len(found) > 5, "names are found where they may be"
    early = "\n".join([frame for step in before for frame in step.frames] + [steps[0].stored])
    late = "\n".join([*last.frames, last.stored])
    long = " ".join(set(re.findall(r"[\w+/=-]{10,}", early)))
    assert not [word for word in invertible(recorded) if word in long]
    tokens = recorded.tokens
    for secret in (tokens[other], hashed(tokens[other]), hashed(tokens[seat]), str(STRANGER)):
        assert secret not in early + late
    assert tokens[seat] in early, "what is there is found"
    seed, salt = recorded.script.seed, recorded.room.table._salt
    assert f"{seed:x}" not in early
    for proof in (str(seed), salt):
        assert (proof in early, proof in late) == (False, True), "the proof is shown at the end, and not before"


RANDOM = {
    "a cookie": r"2\|[0-9a-f]{8}\|[0-9a-f]{32}\|\d{10}",
    "a visitor's name, made up and signed by Jupyter": r'(\\")?2\|1:0\|[^"\\]+(\\")?',
    "a message's number": r"\b([0-9a-f]{8}-[0-9a-f]{24}|[0-9a-f]{16})_\d+_\d+",
    "a session of Jupyter": r"[0-9a-f]{8}-[0-9a-f]{24}",
    "a kernel, a message of the tools": r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}",
    "the seal": r"(?<=seal is SHA-256 )[0-9a-f]{64}",
    "a widget, a token": r"(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])",
    "a message of the page": r"\b[0-9a-f]{16}-\d+",
    "a session of the page": r"\b[0-9a-f]{16}(?=\")",
    "a date": r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(\+00:00|Z)",
    "how long an answer took": r"(?<=\()\d+\.\d s",
}
"""All that may differ between two worlds, beside how the news is cut into messages."""


def masked(text: str) -> str:
    for what, form in RANDOM.items():
        text = re.sub(form, f"<{what}>", text)
    return text


def facts(value: Any, path: str = "") -> Iterator[str]:
    """Each place of a message with what stands there; of a screen also the order of all that is in it."""
    if not isinstance(value, dict):
        yield masked(f"{path} {json.dumps(value, ensure_ascii=False)}")
        return
    kept = {name: inner for name, inner in value.items() if name not in ("n", "base", "news")}
    if "page" in kept:
        yield masked(json.dumps({name: inner for name, inner in kept.items() if name != "say"}))
    for name, inner in kept.items():
        if name == "say":
            yield from (f"say {sentence}" for sentence in re.split(r"(?<=[.?!]) ", masked(inner or "")))
        else:
            yield from facts(inner, f"{path}/{name}")


def told(steps: list[Step]) -> set[str]:
    """All that a seat was told, but for how it was cut into messages and numbered: that depends on who was faster.

    For the same reason a sentence that is said aloud counts only where it does not also stand in the log or the prompt.
    """
    known = set()
    for frame in (frame for step in steps for frame in step.frames):
        parts = [json.loads(part) for part in frame.split("\n")]
        if parts[0].get("channel") != "iopub":  # the tools' websocket hears again what the page hears
            known |= {fact for place, part in enumerate(parts) for fact in facts(part, str(place))}
    elsewhere = "\n".join(fact for fact in known if not fact.startswith("say "))
    return {fact for fact in known if fact.removeprefix("say ") not in elsewhere or not fact.startswith("say ")}


def test_hidden_cards_change_no_byte(recorded: Recorded, site: Site) -> None:
    """The same presses over other hidden cards: what comes is the same but for what `RANDOM` declares."""
    script = recorded.script
    for seat, plies in cuts(script):
        changed = other_world(script, seat, plies)
        assert changed.deals != script.deals
        if seat != "vc":  # who sees every card that is drawn: only the next one can be another
            assert changed.table(plies).state != script.table(plies).state
        made = record(site, changed, plies)
        one, other = recorded.steps[seat], made.steps[seat]
        for ply in (*range(0, plies, 4), plies):
            assert told(one[: ply + 1]) ^ told(other[: ply + 1]) == set(), f"{seat} after {ply} moves"
        assert masked(one[0].stored) == masked(other[0].stored)


# ---- Developer tools ------------------------------------------------------------------------------------------------
OPEN_WIDGET = {"comm_id": "mine", "target_name": "jupyter.widget"}


def widget(module: str, version: str, name: str, **state: str) -> dict[str, str]:
    """The state of a widget that a page would like to have."""
    names = {"_model_name": f"{name}Model", "_view_name": f"{name}View"}
    modules = {f"_{part}_module": module for part in ("model", "view")}
    return names | modules | {f"{part}_version": version for part in modules} | state


FOREIGN = [
    widget("@jupyter-widgets/output", "1.0.0", "Output"),
    widget("@jupyter-widgets/controls", "2.0.0", "FileUpload"),
    widget("anywidget", "~0.11.*", "Any", _esm="export default {render() {}}"),
]


def update(**state: Any) -> tuple[str, dict[str, Any]]:
    """A message that sets traits of one's own widget."""
    return "comm_msg", {"comm_id": "own", "data": {"method": "update", "state": state}}


RUN = "open('owned', 'w')"

EVALUATE = {"type": "request", "seq": 1, "command": "evaluate", "arguments": {"expression": RUN}}
MEDDLING = [
    update(screen={"n": 1}, _esm="alert(1)"),
    update(layout="IPY_MODEL_x", session=1),
    update(comm=None, _session={"teacher": True}),
    *(("comm_open", {**OPEN_WIDGET, "data": {"state": state}}) for state in FOREIGN),
    ("comm_open", {**OPEN_WIDGET, "target_name": "jupyter.widget.control", "data": {}}),
    ("comm_msg", {"comm_id": "mine", "data": {"method": "request_states"}}),
    ("execute_request", {"code": RUN, "silent": True, "store_history": False, "user_expressions": {"x": RUN}}),
    ("execute_request", {"code": RUN}, "control"),
    ("inspect_request", {"code": "cmgames", "cursor_pos": 3, "detail_level": 1}),
    ("complete_request", {"code": "cmgames.", "cursor_pos": 8}),
    ("history_request", {"hist_access_type": "tail", "n": 9, "raw": True, "output": True}),
    ("debug_request", EVALUATE, "control"),
    ("create_subshell_request", {}, "control"),
    ("interrupt_request", {}, "control"),
    ("input_reply", {"value": RUN}, "stdin"),
]

FORGED: list[dict[str, Any]] = [
    {"do": "move", "move": "pass", "at": 5},
    {"do": "move", "move": "draw", "at": 2},
    {"do": "move", "move": "draw", "at": 5},
    {"do": "move", "move": "meld Nuclear Asian Military", "at": 5},
    {"do": "pick", "card": "Nuclear#1"},
    {"do": "open", "room": STRANGER},
    {"do": "open", "class": 1},
    {"do": "look", "ply": 0},
    {"do": "save"},
    {"do": "open"},
    {"do": "branch"},
    {"do": "stand_in"},
    {"do": "break_off"},
    {"do": "take_back"},
    {"do": "fill", "seat": "terrorist"},
    {"do": "nudge", "at": 5},
    {"do": "finish"},
    {"do": "slowest"},
    {"do": "again"},
    {"do": "results"},
    {"do": "delete"},
    {"do": "say", "value": "All go home"},
    {"do": "key", "value": KEY},
    {"do": "tick", "ply": 3},
    {"do": "ready"},
    {"do": "__class__"},
]


def test_forged_moves_and_foreign_widgets_change_nothing(site: Site) -> None:
    """Who has the developer tools at his own seat moves for nobody else, and runs nothing."""
    script = GAMES["cat-and-mouse"]
    room, people = site.seat(script)
    terrorist, us = people.values()
    for ply, text in enumerate(script.moves[:5], 1):
        people[room.table.seat or ""].make(room.table.game, text)
        while room.table.version < ply:
            room.refresh()
        for seat, person in people.items():
            person.shows(room.table, seat)
    assert room.table.seat == "terrorist"
    before, shown = site.dump(), terrorist.app.inner_html()
    for forged in FORGED:
        screen = us.say(**forged, n=us.number())
        assert screen["rows"]["terrorist hand"].get("cards") in (None, {}), forged
        assert "save" not in screen, forged
    answers = us.tools(MEDDLING)
    kinds = {kind for kind, _ in answers}
    assert kinds <= {"status", "error", "comm_msg", "comm_close", "comm_info_reply"}, kinds
    assert sum(kind == "comm_close" for kind, _ in answers) == 4, "each foreign widget is closed at once"
    assert {len(content["comms"]) for kind, content in answers if kind == "comm_info_reply"} == {2}, (
        "ours and its layout"
    )
    assert not [path for path in (site.folder, Path.cwd()) if list(path.rglob("owned"))]
    assert "Traceback" not in json.dumps(answers)
    assert "No such comm" in site.log(), "what happened stands in the log, and nowhere else"
    assert site.dump() == before
    assert terrorist.app.inner_html() == shown
    us.page.reload()
    us.shows(room.table, "us")
    terrorist.make(room.table.game, script.moves[5])
    room.refresh()
    us.shows(room.table, "us")
    us.close()
    terrorist.close()


def join(person: Seat, **how: Any) -> websocket.WebSocket:
    """A websocket to somebody's kernel, as his browser opens it."""
    channels = f"{person.page.url.replace('http', 'ws')}api/kernels/{person.kernel()}/channels?session_id=joined"
    cookies = "; ".join(f"{name}={value}" for name, value in person.cookies().items())
    return websocket.create_connection(channels, cookie=cookies, timeout=20, **how)


def test_a_kernel_is_there_for_its_browser_only(site: Site) -> None:
    """Whoever knows its number hears what he hears of a number that is no kernel's; all tabs of a browser are one."""
    _, people = site.seat(GAMES["tunnel-rat"])
    me, other = people["rat"], people["vc"]
    mine = me.kernel()
    me.page.context.new_page().goto(site.address)
    for method, path in (("GET", "api/kernels"), ("DELETE", "api/kernels"), ("POST", "voila/api/shutdown")):
        status, text = other.fetch(method, f"{path}/{mine}")
        assert (status, text.replace(mine, NOBODY)) == other.fetch(method, f"{path}/{NOBODY}")
        assert status == 404
    assert other.tools([], kernel=mine) is None
    assert me.tools(ASK_FOR_ALL)
    (name,) = (cookie for cookie in me.page.context.cookies() if cookie["name"].startswith("username-"))
    assert (name["httpOnly"], name["sameSite"]) == (True, "Lax")
    assert me.fetch("POST", f"voila/api/shutdown/{mine}")[0] == 204
    me.close()
    other.close()


def on_the_wire(*parts: str) -> bytes:
    """A message's parts in Jupyter's binary protocol."""
    message: bytes = serialize_msg_to_ws_v1([part.encode() for part in parts], "shell")
    return message


HEADER = json.dumps({"msg_id": "1", "msg_type": "comm_msg", "session": "", "username": "", "version": "5.3"})
RUBBISH = [
    "{",
    "[]",
    json.dumps({"channel": "shell", "header": json.loads(HEADER)}),
    b"",
    bytes(40),
    struct.pack("<Q", 1_000_000),  # of so many parts
    struct.pack("<91Q", 90, *[0, 1_000_000] * 45) + b" " * 1_000_000,  # all of them the same
    on_the_wire("{", "{}", "{}", "{}"),
    on_the_wire("[]", "{}", "{}", "{}"),
    on_the_wire(HEADER, "{}", "{}", "{"),
    on_the_wire(HEADER, "{}", "{}", "[" * 100_000),
    on_the_wire(HEADER, "{}", "{}", "7"),
    on_the_wire(HEADER, "{}"),
]


def test_what_is_no_message_is_refused_in_one_line(site: Site) -> None:
    """The connection is closed, nothing is printed, and the game goes on; so it does after one that means nothing."""
    person, printed = Seat(site.browser, site.address), (site.folder / "serve.log").read_text()
    for rubbish in RUBBISH:
        before = len(site.log())
        protocol = ["v1.kernel.websocket.jupyter.org"] if isinstance(rubbish, bytes) else None
        socket = join(person, subprotocols=protocol)
        (socket.send_binary if isinstance(rubbish, bytes) else socket.send)(rubbish)
        while (frame := socket.recv_frame()).opcode != websocket.ABNF.OPCODE_CLOSE:
            pass
        assert struct.unpack("!H", frame.data) == (1007,)
        socket.close()
        new = site.log()[before:]
        assert new.count("Refused what is no message") == 1, rubbish[:100]
        assert "Traceback" not in new
    person.tools([("comm_msg", {})])
    assert person.say(do="large")["large"]
    assert (site.folder / "serve.log").read_text() == printed
    assert "websocket_ping" not in site.log(), "nor do Jupyter and Tornado disagree about pings"
    person.close()


def test_a_page_says_hello_once(site: Site) -> None:
    """Even if it reads its whole state again."""
    person, sent = Seat(site.browser, site.address), list[str]()
    person.ask_for_all()
    person.page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(str(frame))))
    person.page.reload()
    person.ask_for_all()
    assert sum('"do":"hello"' in frame for frame in sent) == 1
    person.close()


def test_the_servers_own_doors_are_shut(site: Site) -> None:
    """Nothing is started, read or written; a guessed number is no kernel's, and no other site's page gets in."""
    _, people = site.seat(GAMES["tunnel-rat"])
    me, other = people["rat"], people["vc"]
    for method, path in (
        ("POST", "api/kernels"),
        ("GET", "api/kernels"),
        ("POST", "api/sessions"),
        ("PUT", "api/contents/x.ipynb"),
        ("GET", "api/contents/rooms.sqlite"),
        ("POST", "api/terminals"),
        ("POST", "api/shutdown"),
        ("DELETE", f"api/kernels/{NOBODY}"),
        ("GET", "voila/files/rooms.sqlite"),
        ("GET", "voila/files/teacher-key"),
        ("GET", "voila/static/..%2F..%2Fserve.py"),
        ("GET", "voila/render/..%2Fpyproject.toml"),
    ):
        status, text = me.fetch(method, path)
        assert status in (403, 404, 405), f"{method} {path}: {status} {text[:300]}"
    assert me.tools([], kernel=NOBODY) is None, "there is no such kernel"
    with pytest.raises(websocket.WebSocketBadStatusException, match="403"):
        join(me, origin="http://elsewhere.example")
    join(me, origin=site.address.rstrip("/")).close()
    other.tap(do="move", move="draw")
    me.close()
    other.close()


def test_who_guesses_tokens_or_the_key_has_to_wait_and_sees_nothing(site: Site) -> None:
    script = GAMES["cat-and-mouse"]
    _, people = site.seat(script)
    made = Class.open(site.database, script.game, {}, ClassTerms())
    site.rooms.guests.enroll(site.rooms.guests.admit("Wilhelmine")[0], made.id, "Wilhelmine")
    for person in people.values():
        person.close()
    before = site.dump()
    guesser, teacher = Seat(site.browser, site.address), Seat(site.browser, f"{site.address}teach")
    for attempt in range(9):
        screen = guesser.say(do="hello", token=f"{attempt:032x}", query="")
    assert "wrong too often" in screen["notice"]["text"]
    screen = guesser.say(do="hello", token=people["us"].token, query="")
    assert screen["page"] == "home", "the right one does not end the wait"
    for deed in ("new", "open", "begin", "home", "results", "delete", "close", "say", "pause"):
        screen = teacher.say(do=deed, n=teacher.number(), **{"class": made.id, "value": "x"})
        assert (screen["title"], screen.get("grids")) == ("For teachers", None)
    for attempt in range(9):
        screen = teacher.say(do="key", value=f"guess {attempt}", n=teacher.number())
    assert "wrong too often" in screen["notice"]["text"]
    screen = teacher.say(do="key", value=KEY, n=teacher.number())
    assert "grids" not in screen
    late, now = Seat(site.browser, f"{site.address}teach"), time.monotonic()
    assert "grids" in late.say(do="key", value=KEY, n=late.number()), "who has guessed nothing is let in"
    assert time.monotonic() - now > HELD, "but not at once: a guesser may come again and again"
    late.close()
    everything = "".join([*guesser.frames, guesser.stored(), *teacher.frames, teacher.stored()])
    assert not [secret for secret in (made.code, "Wilhelmine", KEY, people["us"].token) if secret in everything]
    assert site.dump() == before
    assert "wrong answers" in site.log()
    guesser.close()
    teacher.close()


def test_a_name_of_ten_megabytes_is_refused_and_markup_is_text(site: Site) -> None:
    site.wipe()
    person = Seat(site.browser, site.address)
    person.press("Join with a code")
    before = site.dump()
    screen = person.say(do="name", value="A" * 10_000_000, n=person.number())
    assert "at most 24" in screen["fields"]["name"]["error"]
    assert len(json.dumps(screen)) < 5000
    assert site.dump() == before
    markup = "<img src=x onerror=x=1>"
    person.say(do="name", value=markup, n=person.number())
    expect(person.app.get_by_label("Your name")).to_have_value(markup)
    expect(person.page.locator("img")).to_have_count(0)
    assert person.page.evaluate("window.x") is None
    person.close()
