"""The ways to a table with more than one screen: codes, waiting for a friend, coming back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs

import msgspec
from msgspec.structs import replace

from cmgames.bots.player import players
from cmgames.engine.registry import GAMES
from cmgames.ui import phrases
from cmgames.ui.invitation import invitation
from cmgames.ui.screen import Block, Button, Choice, Field, Message, Screen
from cmgames.ui.session import Page, Refusal, Session
from cmgames.ui.setup import Pledge, Setup, first_choice, typed_name
from cmgames.ui.sitting import Sitting

if TYPE_CHECKING:
    from cmgames.rooms.guests import Guest
    from cmgames.rooms.room import Room
    from cmgames.rooms.rooms import Rooms

NOT_HERE = (
    "What this browser remembers is not here any more: it was deleted, has moved to another browser, or belongs to "
    "another server."
)
BACK = "This code is for somebody who was here before: you get your name, your games and your results again."


def arrive(session: Session, token: str, query: str) -> Page | None:
    """The page for somebody who opens the app: what his link names, where he was, or None: home."""
    wanted = {name: values[0] for name, values in parse_qs(query.lstrip("?")).items()}
    if session.rooms is None:
        return _linked(session, wanted)
    if session.guest is not None:
        return None  # the page has said hello before
    room = _recognized(session, token) if token else None
    kept = _place(session, room)
    in_play = None if room is None or room.over else room
    if wanted.get("code"):
        return _follow_code(session, wanted["code"], kept, in_play)
    linked = _linked(session, wanted)
    if linked is not None and in_play is not None and in_play.table.game.name == wanted["game"]:
        return kept  # the link by which he came, loaded again
    there = linked or _at_questions(session, room)
    if there is not None and in_play is not None:
        session.left = kept
    return there or kept


def _at_questions(session: Session, room: Room | None) -> Page | None:
    """The questions at which somebody is for practice, if he has not played since and is in no class."""
    from cmgames.ui.practice import resumed

    if session.guest is None or session.guest.class_id is not None:
        return None
    return resumed(session, 0 if room is None else room.moved_at)


def _linked(session: Session, wanted: dict[str, str]) -> Page | None:
    """The form of the game that a link names."""
    return Setup(session, wanted["game"], wanted) if wanted.get("game") in GAMES else None


def _recognized(session: Session, token: str) -> Room | None:
    """The room of the guest with this token, who sits before the screen."""
    assert session.rooms is not None
    name = f"token {session.id}"
    session.rooms.tries.demand(name)
    guest = session.rooms.guests.find(token)
    if guest is None:
        session.rooms.tries.count(name)
        session.token = ""
        raise Refusal(NOT_HERE)
    session.guest, session.token = guest, token
    return _room(session.rooms, guest)


def _room(rooms: Rooms, guest: Guest) -> Room | None:
    """The room in which a guest is, or to which his class calls him back."""
    room = rooms.enter(guest)
    return rooms.unfinished(guest, guest.class_id) if room is None and guest.class_id is not None else room


def _place(session: Session, room: Room | None) -> Page | None:
    """The page of a guest who is back in a room, or between two games of his class; None where he is in neither."""
    from cmgames.ui.lobby import Lobby

    if room is not None:
        return into(session, room, resumed=True)
    return Lobby(session) if session.guest is not None and session.guest.class_id is not None else None


def _follow_code(session: Session, code: str, kept: Page | None, in_play: Room | None) -> Page:
    """What a link with a code leads to: the table or the class at which one is already, or the door."""
    if kept is not None and _is_there(session, code, in_play):
        return kept
    if (own := _own_table(session, code)) is not None:
        return go_back(session, own)
    door = Join(session, code)
    if in_play is not None:
        session.left = kept
    return door


def _is_there(session: Session, code: str, in_play: Room | None) -> bool:
    """Whether a browser is already where a code leads to; a room's code ends when its last seat is taken."""
    rooms, guest = session.rooms, session.guest
    assert rooms is not None
    assert guest is not None
    found = rooms.find(code)
    if found is None:
        return in_play is not None
    return found in (("class", guest.class_id), ("room", guest.room_id))


def _own_table(session: Session, code: str) -> int | None:
    """The number of the room to which a code leads, where this browser has a seat there."""
    rooms, guest = session.rooms, session.guest
    found = None if rooms is None or guest is None else rooms.find(code)
    if rooms is None or guest is None or found is None or found[0] != "room":
        return None
    return found[1] if found[1] in [game.room for game in rooms.in_play(guest)] else None


def go_back(session: Session, id: int) -> Page:
    """The page of a game in play to which somebody turns back."""
    rooms, guest = session.known()
    room = rooms.go_back(guest, id)
    session.guest, session.left = replace(guest, room_id=id), None
    return into(session, room, resumed=True)


def into(session: Session, room: Room, resumed: bool = False) -> Page:
    """The page of a room: its table, what has to be promised before, or the wait for whoever is missing."""
    if room.has_place and not room.over:
        return Waiting(session, room)
    game = room.table.game
    if game.manners is not None and room.elsewhere and not room.over and room.mine == [game.manners[0]]:
        has_begun = room.table.version > 0
        if not has_begun and not room.seats[game.manners[0]].promised:
            return Pledge(session, room)
    return Sitting.resumed(session, room) if resumed else Sitting(session, room)


def again(session: Session, room: Room) -> Page:
    """The same people's next game."""
    rooms, guest = session.known()
    if room.elsewhere:
        return into(session, rooms.again(room, guest))
    options = msgspec.to_builtins(room.table.game.options)
    return into(session, rooms.open(guest, room.table.game.name, options, room.players, room.terms))


def lobby(session: Session) -> Page:
    """The class of somebody who is in one: his game, or the wait for the next one."""
    from cmgames.ui.lobby import Lobby

    rooms, guest = session.known()
    room = None if guest.class_id is None else rooms.unfinished(guest, guest.class_id)
    return Lobby(session) if room is None else into(session, room, resumed=True)


class Waiting(Page):
    """Waits for the other one, and shows him the way."""

    def __init__(self, session: Session, room: Room) -> None:
        self.session = session
        self.room = room

    def screen(self) -> Screen:
        seat = self._free_seat()
        title = self.room.table.game.seats[seat].title
        return Screen(
            0,
            "text",
            "Waiting for your friend",
            text=invitation(self.session.link, self.room.code or "", f"Whoever scans this picture will be {title}."),
            moves={
                "stand in": Button("Play against the computer instead", {"do": "against_computer"}),
                "call off": Button("Call it off", {"do": "call_off"}),
            },
            say=f"The code is {' '.join(self.room.code or '')}. Waiting for your friend.",
        )

    @property
    def in_play(self) -> bool:
        return True

    def _free_seat(self) -> str:
        return next(seat for seat, player in self.room.players.items() if not player)

    def topics(self) -> tuple[str, ...]:
        return self.room.topics

    def news(self) -> Page | None:
        self.room.refresh()
        if not self.room.has_place or self.room.over:
            return into(self.session, self.room)
        return None

    def on_against_computer(self, message: Message) -> Page:
        """Wait no more: a computer player takes the free seat."""
        if self.room.has_place:
            seat = self._free_seat()
            self.room.sit(seat, first_choice(players(self.room.table.game.name, seat)))
        return into(self.session, self.room)

    def on_call_off(self, message: Message) -> Page:
        """Wait no more, and play nothing."""
        from cmgames.ui.pages import Home

        self.room.end("It was called off.")
        rooms, guest = self.session.known()
        rooms.leave(guest)
        return Home(self.session)


class Join(Page):
    """Asks for a code, and leads to what it stands for."""

    def __init__(self, session: Session, code: str = "") -> None:
        self.session = session
        self.code = code
        self.name = session.guest.name if session.guest is not None else ""
        self.name_error = ""
        self.seat = ""
        self.game = ""
        self.seats: list[str] = []
        self.class_id: int | None = None
        self.room: int | None = None
        self.comes_back = False
        self.error = ""
        if code:
            self._look()

    def screen(self) -> Screen:
        fields = {"code": Field(0, "The code", "text", self.code, {"do": "code"}, error=self.error)}
        if not self.comes_back:
            fields["name"] = self._name()
        if len(self.seats) > 1:
            titles = {seat: phrases.capital(GAMES[self.game].seats[seat].title) for seat in self.seats}
            choices = tuple(Choice(seat, title) for seat, title in titles.items())
            fields["seat"] = Field(2, "Who are you?", "radio", self.seat, {"do": "seat"}, choices)
        return Screen(
            0,
            "form",
            self._title(),
            text=(Block("p", BACK),) if self.comes_back else (),
            fields=fields,
            moves={"join": Button("Join", {"do": "join"}, main=True)},
            say=self._title(),
        )

    def _name(self) -> Field:
        line = "At most 24 letters; the others see it. Without one you are a number."
        send = {"do": "name"}
        return Field(1, "Your name, if you like", "text", self.name, send, help=line, error=self.name_error, last=True)

    def _title(self) -> str:
        if self.comes_back:
            return "Come back to your class"
        if self.class_id is not None:
            return "Join the class"
        return f"Join a game of {GAMES[self.game].title}" if self.seats else "Join with a code"

    def on_code(self, message: Message) -> Page | None:
        """Take the code; that of a table at which one sits leads back there."""
        self.code = str(message["value"])[:40]
        self._look()
        own = _own_table(self.session, self.code)
        return None if own is None else go_back(self.session, own)

    def on_name(self, message: Message) -> None:
        """Take the name."""
        self.name, self.name_error = typed_name(message)

    def on_seat(self, message: Message) -> None:
        """Take the seat."""
        if message["value"] in self.seats:
            self.seat = str(message["value"])

    def on_join(self, message: Message) -> Page | None:
        """Turn to the table or the class."""
        if self.comes_back:
            return self._come_back()
        if self.name_error:
            raise Refusal(self.name_error)
        if self.class_id is None and not self.seats:
            self._demand_tries()
            if self.error:
                return None  # it stands beside the code
            raise Refusal("Write the code first.")
        if self.class_id is not None:
            return self._join_class(self.class_id)
        rooms, guest = self.session.named(self.name)
        assert self.room is not None
        return into(self.session, rooms.join(guest, self.room, self.seat))

    def _join_class(self, id: int) -> Page:
        from cmgames.rooms import pairing
        from cmgames.rooms.classes import Class

        if self.session.guest is not None and self.session.guest.class_id not in (None, id):
            self.session.guest = None  # a student of another class stays one there
        rooms, guest = self.session.known()
        if guest.class_id != id:
            self.session.guest = rooms.guests.enroll(guest, id, self.name)
        else:
            self.session.named(self.name)
        pairing.pair(Class(rooms.database, id))
        return lobby(self.session)

    def _come_back(self) -> Page | None:
        """The page of the student to whose place the code leads."""
        rooms = self.session.rooms
        assert rooms is not None
        guest, token = rooms.guests.take_over(self.code)
        self.session.become(guest, token)
        return _place(self.session, _room(rooms, guest))

    def _look(self) -> None:
        """Find out what the code stands for."""
        rooms = self.session.rooms
        self.seats, self.class_id, self.room, self.comes_back, self.error = [], None, None, False, ""
        if rooms is None:
            raise Refusal("Tables for several screens need “cmgames serve”.")
        self._demand_tries()
        found: Any = rooms.find(self.code) if self.code.strip() else None
        if found is None:
            _, guest = self.session.known()
            rooms.tries.count(f"code guest {guest.id}")
            self.error = "There is no game and no class with this code (any more): look at it again."
        elif found[0] == "class":
            self.class_id = found[1]
        elif found[0] == "guest":
            self.comes_back = True
        else:
            self.room = found[1]
            self.game, self.seats = rooms.free_seats(found[1])
            self.seat = self.seats[0] if self.seats else ""
            self.error = "" if self.seats else "All seats of this game are taken."

    def _demand_tries(self) -> None:
        """Refuse a browser that has tried too many codes."""
        if self.session.rooms is not None and self.session.guest is not None:
            self.session.rooms.tries.demand(f"code guest {self.session.guest.id}")
