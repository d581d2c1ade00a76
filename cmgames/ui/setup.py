"""Before a game: who sits where, and by which rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
from msgspec.structs import replace

from cmgames.bots.player import Player, players
from cmgames.engine.game import AnyGame
from cmgames.engine.options import OptionError, Options
from cmgames.engine.registry import game as game_called
from cmgames.engine.table import Table
from cmgames.rooms.faults import Refused
from cmgames.rooms.terms import PAUSED, PERSON
from cmgames.ui import phrases
from cmgames.ui.desk import Here
from cmgames.ui.screen import Block, Button, Choice, Field, Message, Notice, Screen
from cmgames.ui.session import Page, Refusal, Session
from cmgames.ui.sitting import Sitting

if TYPE_CHECKING:
    from cmgames.rooms.room import Room
    from cmgames.rooms.terms import Terms

WATCH = "watch"
FAR = "far"
FRIEND = Choice(PERSON, "A friend on this screen", "You pass the screen to and fro; a curtain hides the cards.")
ELSEWHERE = Choice(FAR, "A friend on another screen", "You get a code; your friend joins with it.")


class Number(NamedTuple):
    """A number on a form: what it is called, a line about it, what it is at first, and its range."""

    label: str
    line: str
    default: str
    least: int
    most: int

    def fault(self, typed: str) -> str:
        """What is wrong with what somebody typed; nothing where nothing is, or nothing was typed."""
        fits = typed.isdecimal() and self.least <= int(typed[:9]) <= self.most
        return "" if fits or not typed else f"This is a whole number from {self.least} to {self.most}."


CLOCK = Number("Seconds for a move", "Then one is made for whoever waits too long. Empty: no hurry.", "", 5, 3600)
AWAY = Number("Seconds until somebody counts as gone", "Then the other may go on without.", "60", 30, 3600)
TERMS = {"clock": CLOCK, "away_after": AWAY}
ONLOOKER = Choice(WATCH, "Just watch", "Two computer players play each other.")


class Setup(Page):
    """The form before a game.

    Parameters
    ----------
    session : whose page this is.
    game : the game's name.
    wanted : answers to begin with: ``seat``, ``opponent`` and options by name; what is no answer is left out.
    """

    def __init__(self, session: Session, game: str, wanted: dict[str, str] | None = None) -> None:
        self.session = session
        self.game = game_called(game)
        self.options: dict[str, str] = {}
        self.errors: dict[str, str] = {}
        self.seat = next(iter(self.game.seats))
        self.opponent = ""
        self.watched = {seat: first_choice(players(game, seat)) for seat in self.game.seats}
        self.terms = {name: number.default for name, number in TERMS.items()}
        self.name = session.guest.name if session.guest is not None else ""
        self.name_error = ""
        self.deals = ""
        self.remark = ""
        self._take(wanted or {})

    def _take(self, wanted: dict[str, str]) -> None:
        """Begin with the answers of a link or a call."""
        opponent = wanted.get("opponent", "")
        across = [seat for seat in self.game.seats if opponent not in players(self.game.name, seat)]
        if opponent not in (PERSON, FAR) and len(across) == 1:
            self.seat = across[0]
        if wanted.get("seat") in (*self.game.seats, WATCH):
            self.seat = wanted["seat"]
        if opponent in (*self._opponents(), *self._friends()):
            self.opponent = opponent
        elif opponent and self.seat != WATCH:
            self.remark = _wrong_side(self.game, self.seat, opponent)
        self.options = {name: value for name, value in wanted.items() if name in self.game.Options.properties()}
        self._check()

    # Drawing

    def screen(self) -> Screen:
        return Screen(
            0,
            "form",
            self.game.title,
            bar={"help": Button("Rules", {"do": "help"})},
            text=(Block("p", self.game.line),),
            fields=self._who() | self._rules() | self._teacher(),
            moves={"start": Button("Start", {"do": "start"}, main=True)},
            notice=Notice("panel", self.remark, "info") if self.remark else None,
            say=self.remark or self.game.title,
        )

    def _who(self) -> dict[str, Field]:
        """Seat and opponent; who only watches chooses both players."""
        seats = tuple(Choice(id, phrases.capital(seat.title), seat.line) for id, seat in self.game.seats.items())
        fields = {"seat": _radio(0, "Who are you?", self.seat, (*seats, ONLOOKER), "seat")}
        if self.seat != WATCH:
            choices = (*_choices(self._opponents().values()), *self._friends().values())
            fields["opponent"] = _radio(1, "Who plays against you?", self._opponent(), choices, "opponent")
            return fields | (self._terms() if self._opponent() == FAR else {})
        for at, (id, seat) in enumerate(self.game.seats.items(), 1):
            choices = _choices(players(self.game.name, id).values())
            fields[f"watched {id}"] = _radio(at, f"Who plays {seat.title}?", self.watched[id], choices, f"watched {id}")
        return fields

    def _terms(self) -> dict[str, Field]:
        """What is agreed with a friend on another screen."""
        fields = {"name": Field(2, "Your name, if you like", "text", self.name, _set("name"), error=self.name_error)}
        for at, (name, number) in enumerate(TERMS.items(), 3):
            error = self.errors.get(name, "")
            fields[name] = Field(
                at, number.label, "number", self.terms[name], _set(name), help=number.line, error=error
            )
        return fields

    def _friends(self) -> dict[str, Choice]:
        """The people who may sit across."""
        elsewhere = {FAR: ELSEWHERE} if self.session.is_open else {}
        return {PERSON: FRIEND} | elsewhere

    def _rules(self) -> dict[str, Field]:
        """The options, behind "More rules"."""
        return {
            name: option_field(at, name, about, self.options.get(name), self.errors.get(name, ""))
            for at, (name, about) in enumerate(self.game.Options.properties().items(), 10)
        }

    def _teacher(self) -> dict[str, Field]:
        """The cards that a teacher wants to be dealt."""
        if not self.session.teacher:
            return {}
        names = ", ".join(self.game.catalogue.names)
        field = Field(
            100,
            "Set up a position: cards in the order in which they are dealt",
            "text",
            self.deals,
            _set("deals"),
            help=f"Their names with commas between; what is not named is drawn. There are: {names}.",
            error=self.errors.get("deals", ""),
            more=True,
        )
        return {"deals": field}

    # What a person does

    def on_set(self, message: Message) -> None:
        """Take an answer."""
        self.remark = ""
        name, value = str(message["name"]), str(message["value"])
        if name == "seat" and value in (*self.game.seats, WATCH):
            self.seat = value
        elif name == "opponent" and value in (*self._opponents(), *self._friends()):
            self.opponent = value
        elif name in TERMS:
            self.terms[name] = value
            self._check()
        elif name == "name":
            self.name, self.name_error = typed_name(message)
        elif name == "deals" and self.session.teacher:
            self.deals = value
        elif name in self.game.Options.properties():
            self.options[name] = value
            self._check()
        elif (seat := name.removeprefix("watched ")) in self.watched and value in players(self.game.name, seat):
            self.watched[seat] = value

    def on_help(self, message: Message) -> Page:
        """Turn to the rules."""
        from cmgames.ui.pages import rules

        return rules(self.game(self.game.Options() if self.errors else self._made_options()), self)

    def on_start(self, message: Message) -> Page:
        """Turn to the table, after the manners where two people meet."""
        seated = self._players()
        options = msgspec.to_builtins(self._made_options())
        self._demand_terms()
        try:
            table = Table(self.game.name, deals=self._deals(), **options)
        except ValueError as fault:
            self.errors["deals"] = str(fault)
            raise Refusal(str(fault)) from None

        def begin() -> Page:
            return self._begin(table, seated)

        two_people = list(seated.values()) == [PERSON, PERSON]
        if self.game.manners is None or not two_people or self.session.teacher:
            return begin()
        seat, manners = self.game.manners
        return Manners(self.game.title, self.game.seats[seat].title, manners, begin)

    def _begin(self, table: Table, seated: dict[str, str]) -> Page:
        """The table: a room where rooms are kept, else one in this process."""
        from cmgames.ui import doors

        if self.session.rooms is None:
            return Sitting(self.session, Here(table, seated))
        rooms, guest = self.session.named(self.name) if self._opponent() == FAR else self.session.known()
        self.session.left = None
        players = {seat: "" if player == FAR else player for seat, player in seated.items()}
        options = msgspec.to_builtins(table.game.options)
        return doors.into(self.session, rooms.open(guest, table.game.name, options, players, self._made_terms()))

    def _made_terms(self) -> Terms:
        """What was agreed."""
        from cmgames.rooms.terms import Terms

        values = {name: value for name, value in self.terms.items() if value} if self._opponent() == FAR else {}
        return msgspec.convert(values, Terms, strict=False)

    def _demand_terms(self) -> None:
        """Refuse what nobody can agree to."""
        if self.name_error and self._opponent() == FAR:
            raise Refusal(self.name_error)
        properties = self.game.Options.properties()
        for name, fault in self.errors.items():
            title = TERMS[name].label if name in TERMS else properties.get(name, {}).get("title", name)
            raise Refusal(f"Look at “{title}”: {fault}")

    # Answers

    def _players(self) -> dict[str, str]:
        """Who sits where."""
        if self.seat == WATCH:
            return self.watched
        return {seat: PERSON if seat == self.seat else self._opponent() for seat in self.game.seats}

    def _opponents(self) -> dict[str, Player]:
        """The computer players for the seat across."""
        across = next((seat for seat in self.game.seats if seat != self.seat), "")
        return dict(players(self.game.name, across)) if self.seat != WATCH else {}

    def _opponent(self) -> str:
        """The chosen opponent, or who is proposed."""
        known = self._opponents()
        return self.opponent if self.opponent in (*known, *self._friends()) else first_choice(known)

    def _made_options(self) -> Options:
        return typed_options(self.game, self.options)

    def _deals(self) -> tuple[str, ...]:
        """The names of the cards that a teacher wants to be dealt, however they are written."""
        names = {name.lower(): name for name in self.game.catalogue.names}
        typed = [card.strip() for card in self.deals.split(",")] if self.deals.strip() else []
        return tuple(names.get(card.lower(), card) for card in typed)

    def _check(self) -> None:
        """Say beside an option what is wrong with it."""
        self.errors = faults(self._made_options, TERMS, self.terms)


class Manners(Page):
    """What a seat promises before a game between people.

    Parameters
    ----------
    title : the game's title.
    who : the title of the seat that promises.
    manners : what it promises.
    begin : makes the table.
    """

    def __init__(self, title: str, who: str, manners: Iterable[str], begin: Callable[[], Page]) -> None:
        self.title, self.who, self.begin = title, who, begin
        self.promised = dict.fromkeys(manners, False)

    def screen(self) -> Screen:
        fields = {
            str(at): Field(at, manner, "check", str(promised).lower(), {"do": "promise", "manner": manner})
            for at, (manner, promised) in enumerate(self.promised.items())
        }
        missing = "" if all(self.promised.values()) else "Accept each of them first."
        words = f"The bluff is the game. Before it begins, {self.who} accepts in front of both:"
        return Screen(
            0,
            "form",
            self.title,
            text=(Block("p", words),),
            fields=fields,
            moves={"begin": Button("Accepted: begin", {"do": "begin"}, main=True, off=missing)},
            say=words,
        )

    def on_promise(self, message: Message) -> None:
        """Accept one of the manners, or not yet."""
        manner = str(message["manner"])
        if manner in self.promised:
            self.promised[manner] = str(message["value"]) == "true"

    def on_begin(self, message: Message) -> Page:
        """Turn to the table."""
        if not all(self.promised.values()):
            raise Refusal("Accept each of them first.")
        return self.begin()


class Pledge(Manners):
    """What a seat of a room promises; the table does not wait for it.

    Parameters
    ----------
    room : where only that seat belongs to the person before the screen.
    """

    def __init__(self, session: Session, room: Room) -> None:
        game = room.table.game
        assert game.manners is not None
        self.seat, manners = game.manners
        super().__init__(game.title, game.seats[self.seat].title, manners, self._promised)
        self.sitting = Sitting(session, room)
        self._version = room.table.version

    @property
    def in_play(self) -> bool:
        return self.sitting.in_play

    def screen(self) -> Screen:
        from cmgames.ui.table_screen import clock

        screen, room = super().screen(), self.sitting.room
        here = Block("p", PAUSED if room.paused else f"You are {room.table.game.seats[self.seat].title}.")
        return replace(screen, text=(here, *screen.text), clock=clock(self.sitting))

    def topics(self) -> tuple[str, ...]:
        return self.sitting.topics()

    def due(self) -> float | None:
        return self.sitting.due()

    def news(self) -> Page | None:
        turned = self.sitting.news()
        if self.sitting.room.over or self.sitting.table.version != self._version:
            return self.sitting
        return None if turned is None else self

    def _promised(self) -> Page:
        self.sitting.room.promise(self.seat)
        return self.sitting


def _wrong_side(game: AnyGame | type[AnyGame], seat: str, opponent: str) -> str:
    """A sentence for somebody who asked for an opponent who cannot play against him."""
    across = next(other for other in game.seats if other != seat)
    known = ", ".join(players(game.name, across))
    return f"“{opponent}” does not play {game.seats[across].title}. Against you, there are: {known}."


def typed_options(game: AnyGame | type[AnyGame], typed: Mapping[str, str]) -> Options:
    """The options that somebody typed; what is empty stands for None.

    Raises
    ------
    OptionError
        No game can be played with them.
    """
    return game.Options.make({name: value or None for name, value in typed.items()}, strict=False)


def faults(make: Callable[[], object], numbers: Mapping[str, Number], typed: Mapping[str, str]) -> dict[str, str]:
    """What is wrong with the answers of a form, by name.

    Parameters
    ----------
    make : makes the options, or refuses.
    numbers, typed : the form's numbers, and what was typed for them.
    """
    found = {name: number.fault(typed[name]) for name, number in numbers.items()}
    try:
        make()
    except OptionError as error:
        found = {error.option: f"This {error.fault.replace('None', 'empty')}", **found}
    return {name: fault for name, fault in found.items() if fault}


def typed_name(message: Message) -> tuple[str, str]:
    """A name as somebody typed it, and what is wrong with it."""
    from cmgames.rooms.terms import name

    typed = str(message["value"])
    try:
        return name(typed), ""
    except Refused as fault:
        return typed[:100], str(fault)


def first_choice(known: Mapping[str, Player]) -> str:
    """The computer player who is proposed: not the weakest, who comes first."""
    names = list(known)
    return names[min(1, len(names) - 1)]


def _choices(known: Iterable[Player]) -> tuple[Choice, ...]:
    return tuple(Choice(player.name, player.title, player.line) for player in known)


def _set(name: str) -> Message:
    return {"do": "set", "name": name}


def _radio(at: int, label: str, value: str, choices: tuple[Choice, ...], name: str) -> Field:
    return Field(at, label, "radio", value, _set(name), choices)


def option_field(at: int, name: str, about: dict[str, Any], value: str | None, error: str, sends: str = "") -> Field:
    """The field of an option, from what its JSON Schema says; `sends` is the name that its message names it by."""
    default = about.get("default")
    text = value if value is not None else "" if default is None else str(default)
    if "enum" in about:
        kind, choices = "radio", tuple(Choice(choice, phrases.capital(choice)) for choice in about["enum"])
    elif about.get("type") == "boolean":
        kind, text, choices = "check", text.lower(), ()
    else:
        kind, choices = "number", ()
    return Field(
        at,
        about.get("title", name),
        kind,  # type: ignore[arg-type]
        text,
        _set(sends or name),
        choices,
        help=about.get("description", ""),
        error=error,
        more=True,
    )
