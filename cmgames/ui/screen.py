"""The screen: what one person sees, as a small frozen value.

A screen is the same kind of thing for every game and every page of the app.  A session
(`cmgames.ui.session`) makes it, the page's ES module draws it, and neither knows the other: what
lies between them is this file.

On the wire
-----------
Python to page
    The widget's ``screen`` trait holds the first screen as plain JSON.  Each later one travels as the
    custom message ``{"patch": ..., "base": n}``, a JSON Merge Patch (RFC 7386) against screen number
    ``n``; that is why everything with an identity is a mapping by id here and not a list, and says its
    place (``at``) itself, as a patched mapping keeps no order.  A page that is not at ``base`` answers
    ``{"do": "resync"}`` and gets ``{"screen": ...}``, the whole.  What comes because somebody else did something
    has ``"news": true`` beside its patch: it answers nothing that was pressed here.
Page to Python
    One custom message a deed: the ``send`` mapping of whatever was pressed, with ``n`` (the number of
    the screen that was pressed) and ``ms`` (milliseconds from when these moves appeared to the press).
    A screen with a `beat` is answered by ``{"do": "here", "visible": true}`` every so many seconds and whenever the
    page is hidden or shown: the person is there, and so is the page.

Fields that hold their default are left out of the JSON.
"""

from __future__ import annotations

from typing import Any, Literal, TypeVar

import msgspec
from msgspec.structs import replace

Message = dict[str, Any]


class Button(msgspec.Struct, frozen=True, omit_defaults=True):
    """A thing to press.

    Attributes
    ----------
    label : words on it.
    send : the message that a press sends.
    off : why it cannot be pressed now; it stays focusable and says so. Empty when it can.
    main : the one that most people want next.
    on : for switches, whether it is switched on; None for plain buttons.
    art : picture to show on it (a card's picture by name), if any.
    at : place among its like.
    """

    label: str
    send: Message
    off: str = ""
    main: bool = False
    on: bool | None = None
    art: str = ""
    at: int = 0


class Card(msgspec.Struct, frozen=True, omit_defaults=True):
    """One card, or several equal ones, as this seat sees it.

    Attributes
    ----------
    at : place within its row, from left to right.
    name, mark, suit : what is printed on it: its name, its letters, the type that colours it. All empty
        when the card lies face down.
    count : how many equal cards this one stands for.
    send : the message that a press sends; None for a card that is only looked at.
    picked : chosen by the person.
    off : why it cannot be chosen now.
    new : it came or changed with this screen.
    """

    at: int
    name: str = ""
    mark: str = ""
    suit: str = ""
    count: int = 1
    send: Message | None = None
    picked: bool = False
    off: str = ""
    new: bool = False


class Row(msgspec.Struct, frozen=True, omit_defaults=True):
    """A row of cards.

    Attributes
    ----------
    at : place on the table, from top to bottom.
    label : its name.
    kind : how it is laid out. ``hand``: cards side by side at full size; ``pile``: face-up cards, small,
        equal ones as one with a count; ``deck``: a face-down stack of `size` cards; ``spot``: one
        card at full size, which turns over when it becomes known; ``choice``: pick one of these.
    cards : the cards by id; the id stays with a card for as long as it stays in the row.
    size : how many cards in all.
    note : a few words beside the label ("11 of 12").
    mine : the row belongs to the person who looks.
    """

    at: int
    label: str
    kind: Literal["hand", "pile", "deck", "spot", "choice"]
    cards: dict[str, Card] = {}
    size: int = 0
    note: str = ""
    mine: bool = False


class Track(msgspec.Struct, frozen=True, omit_defaults=True):
    """A score on its way to a goal."""

    label: str
    value: int
    goal: int
    at: int = 0


class Phase(msgspec.Struct, frozen=True, omit_defaults=True):
    """A phase of the turn: ``done``, ``now`` or ``next``."""

    state: Literal["done", "now", "next"]
    at: int = 0


class Face(msgspec.Struct, frozen=True, omit_defaults=True):
    """The person across the table.

    Attributes
    ----------
    mood : one of ``calm``, ``uneasy``, ``sweating``; ``thinking`` while the answer is awaited.
    name : whose face it is.
    said : the last words.
    seconds : how long the last answer took; None before the first.
    """

    mood: str
    name: str
    said: str = ""
    seconds: float | None = None


class Choice(msgspec.Struct, frozen=True):
    """One of several answers of a `Field`."""

    value: str
    label: str
    line: str = ""


class Field(msgspec.Struct, frozen=True, omit_defaults=True):
    """A question on a form.

    Attributes
    ----------
    at : place on the form.
    label : the question.
    kind : ``radio`` (one of `choices`), ``number`` (a whole number; empty text stands for None), ``check``
        (true or false), ``text`` (a line), ``file`` (the text of a file that the person opens).
    value : the present answer, as text ("true" and "false" for ``check``).
    send : message that a change sends, with the new answer added as ``value``.
    help : a sentence below it.
    error : what is wrong with the present answer.
    more : belongs behind "More rules".
    last : Enter in it presses the form's main button too.
    """

    at: int
    label: str
    kind: Literal["radio", "number", "check", "text", "file"]
    value: str
    send: Message
    choices: tuple[Choice, ...] = ()
    help: str = ""
    error: str = ""
    more: bool = False
    last: bool = False


class Tile(msgspec.Struct, frozen=True, omit_defaults=True):
    """A game on the home page: a picture, a title, a line."""

    art: str
    title: str
    line: str
    send: Message
    at: int = 0


class Block(msgspec.Struct, frozen=True, omit_defaults=True):
    """A piece of running text: a heading (``h``), a paragraph (``p``), a list item (``li``), a warning
    (``warn``), printed text whose lines are kept (``pre``), a code to be read aloud (``code``), or a picture (``img``:
    its ``src`` is a data URI, its text says what it shows).
    """

    kind: Literal["h", "p", "li", "pre", "warn", "code", "img"]
    text: str
    src: str = ""


class Line(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line of the log: what happened, who did it (``you``, ``other`` or nobody), in which turn."""

    text: str
    by: str = ""
    turn: int = 0


class Notice(msgspec.Struct, frozen=True):
    """Words that belong to a place: why a move was refused, or what went wrong.

    ``at`` is the id of a row, or ``panel``; ``tone`` is ``refused``, ``error`` or ``info``.
    """

    at: str
    text: str
    tone: Literal["refused", "error", "info"] = "refused"


class Other(msgspec.Struct, frozen=True, omit_defaults=True):
    """Somebody at the same table who has another screen.

    Attributes
    ----------
    name : what he calls himself.
    seat : the seat's title.
    state : ``here``, ``thinking`` (here, and it is his move), or ``away``.
    seconds : for how long he has been away; the page counts on.
    """

    name: str
    seat: str
    state: Literal["here", "thinking", "away"]
    seconds: float | None = None


class Clock(msgspec.Struct, frozen=True, omit_defaults=True):
    """The time that is left for a move, in seconds; the page counts it down. ``then`` says what happens at its end."""

    seconds: float
    then: str


class Entry(msgspec.Struct, frozen=True, omit_defaults=True):
    """A row of a `Grid`.

    Attributes
    ----------
    at : place in the grid.
    cells : what stands in its columns.
    tone : ``stuck``, ``over``, ``right``, ``wrong``, or nothing; its words stand in a cell as well.
    seconds : since the last move; the page counts on, in the grid's last column. None: that cell stays empty.
    send : the message that a press on its first cell sends; None: it cannot be pressed.
    """

    at: int
    cells: tuple[str, ...]
    tone: Literal["", "stuck", "over", "right", "wrong"] = ""
    seconds: float | None = None
    send: Message | None = None


class Grid(msgspec.Struct, frozen=True, omit_defaults=True):
    """A table of words with a title and headed columns; ``empty`` stands there while it has no rows.

    Where ``counts`` is set, one more column of that name is the seconds of each `Entry`.
    """

    at: int
    title: str
    columns: tuple[str, ...]
    rows: dict[str, Entry] = {}
    empty: str = ""
    counts: str = ""


class Bar(msgspec.Struct, frozen=True):
    """A bar of a `Chart`: what for, how long (from 0 to 1), and the same in words."""

    label: str
    share: float
    words: str


Named = tuple[tuple[str, str], ...]
"""Names, each with its letters."""


class Cube(msgspec.Struct, frozen=True):
    """A chance for each choice of one name from each of three lists; the last list runs fastest."""

    names: tuple[Named, Named, Named]
    chances: tuple[float, ...]


class Curve(msgspec.Struct, frozen=True, omit_defaults=True):
    """How a chance went: from 0 to 1, step by step, some of the steps marked; and the same in words.

    `errors` are how far each point may be off, where it is not exact.
    """

    points: tuple[float, ...]
    words: str
    marks: tuple[int, ...] = ()
    errors: tuple[float, ...] = ()


class Chart(msgspec.Struct, frozen=True, omit_defaults=True):
    """Odds: a title; bars, a cube or a curve; and a line that says what they rest on. ``at`` is its place."""

    title: str
    bars: tuple[Bar, ...] = ()
    line: str = ""
    cube: Cube | None = None
    curve: Curve | None = None
    at: int = 0


class File(msgspec.Struct, frozen=True, omit_defaults=True):
    """A file that the page offers for saving; ``base64``: the text holds bytes in that form."""

    name: str
    text: str
    base64: bool = False


class Tick(msgspec.Struct, frozen=True):
    """The page sends `send` by itself after `after` seconds (unless a newer screen has come)."""

    after: float
    send: Message


class Screen(msgspec.Struct, frozen=True, omit_defaults=True):
    """All that one person sees.

    Attributes
    ----------
    n : number of this screen; each change counts one up.
    page : which page of the app: ``home``, ``form``, ``text``, ``curtain``, ``table``, or ``board``, a wide page of
        grids and pictures.
    title : the page's heading.
    bar : the buttons at the top of every page.
    tiles : the games (``home``).
    fields : the questions (``form``).
    text : running text (``text``, ``form``, ``curtain``), in order.
    phases : the turn's phases by their printed names.
    turn : the number of the turn.
    who : whose move it is, in words.
    mine : it is this person's move.
    prompt : one sentence that says what to do.
    rows, tracks, face : what lies on the table.
    moves : what can be done; the first nine answer to the number keys.
    log : what has happened, by number; it only grows.
    result : how the game ended, in a sentence; empty before.
    notice : words that belong to a place.
    say : what a screen reader announces.
    tick : what the page does by itself after a while.
    foot : small print at the end of the page.
    large : drawn for the last row of the classroom.
    hello : the page introduces itself with ``{"do": "hello", "query": ..., "token": ..., "link": ...}``; the token is
        what the local storage keeps under this name, the link is the page's address without a query.
    token : what the page keeps in its local storage and says at the next hello; "" forgets it.
    save : a file that the page offers for saving.
    others : who sits at the same table before another screen, by seat.
    clock : the time that is left for this move.
    grids : tables of words (``board``).
    odds : what the person can work out of a position (``table``), or how a game went (``board``).
    banner : what a teacher tells everybody; stands above every page until it changes.
    beat : seconds between two signs of life; 0: none are wanted.
    """

    n: int
    page: Literal["home", "form", "text", "curtain", "table", "board"]
    title: str
    bar: dict[str, Button] = {}
    tiles: dict[str, Tile] = {}
    fields: dict[str, Field] = {}
    text: tuple[Block, ...] = ()
    phases: dict[str, Phase] = {}
    turn: int = 0
    who: str = ""
    mine: bool = False
    prompt: str = ""
    rows: dict[str, Row] = {}
    tracks: dict[str, Track] = {}
    face: Face | None = None
    moves: dict[str, Button] = {}
    log: dict[str, Line] = {}
    result: str = ""
    notice: Notice | None = None
    say: str = ""
    tick: Tick | None = None
    foot: str = ""
    large: bool = False
    hello: str = ""
    token: str | None = None
    save: File | None = None
    others: dict[str, Other] = {}
    clock: Clock | None = None
    grids: dict[str, Grid] = {}
    odds: dict[str, Chart] = {}
    banner: str = ""
    beat: float = 0

    def to_dict(self) -> dict[str, Any]:
        """The screen as plain JSON values, without what holds its default."""
        plain: dict[str, Any] = msgspec.to_builtins(self)
        return plain


Placed = TypeVar("Placed", Button, Tile, Track, Phase)


def placed(things: dict[str, Placed]) -> dict[str, Placed]:
    """The things, each with its place in the mapping's order."""
    return {id: replace(thing, at=at) for at, (id, thing) in enumerate(things.items())}


def merge_patch(old: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    """The JSON Merge Patch (RFC 7386) that turns `old` into `new`.

    Lists are replaced whole; a key that is gone becomes None.  Neither side holds None as a value.
    """
    patch: dict[str, Any] = {key: None for key in old if key not in new}
    for key, value in new.items():
        before = old.get(key)
        if before == value:
            continue
        if isinstance(value, dict) and isinstance(before, dict):
            patch[key] = merge_patch(before, value)
        else:
            patch[key] = value
    return patch
