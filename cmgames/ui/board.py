"""A class as its teacher sees it: the live board, the code for the wall, one table."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from cmgames.engine.registry import game as game_called
from cmgames.rooms.faults import Refused
from cmgames.rooms.terms import PERSON
from cmgames.ui import phrases
from cmgames.ui.beside import ByHand, Invitation, WaysIn
from cmgames.ui.invitation import invitation
from cmgames.ui.layout import tracks
from cmgames.ui.screen import Block, Button, Choice, Entry, Field, Grid, Message, Notice, Screen
from cmgames.ui.session import Page, Refusal, Session
from cmgames.ui.sitting import Sitting

if TYPE_CHECKING:
    from cmgames.rooms.classes import Class, Student
    from cmgames.rooms.room import Room, Seated
    from cmgames.rooms.rooms import Rooms

STUCK_SECONDS = 30.0
"""A table at which a person has not moved for so long may be stuck."""

QUESTIONS = {
    "close": "Close the class? Games in play are ended, and nobody can join any more.",
    "delete": "Delete the class, its students and all its games? There is no way back.",
}


def teachers_rooms(session: Session) -> Rooms:
    """The rooms, for a teacher.

    Raises
    ------
    Refusal
        The person has not shown the key.
    """
    if session.rooms is None or not session.teacher:
        raise Refusal("This page is for teachers.")
    return session.rooms


class Board(Page):
    """A class as it plays: its code, its tables, those who wait."""

    pace = 0.5

    def __init__(self, session: Session, of: Class) -> None:
        self.session = session
        self.of = of
        self.by = "stuck"
        self.message = of.message
        self.asks = ""
        self._open: dict[int, Room] = {}
        self._read()

    def _read(self) -> None:
        """Read the class, and those of its tables on which something has happened."""
        from cmgames.rooms.room import Room

        self.of.refresh()
        self.students = self.of.students()
        self.seats = self.of.seats()
        self.rows = self.of.rooms()
        for row in self.rows:
            room = self._open.get(row.id)
            if room is None:
                self._open[row.id] = Room(self.of.database, row.id)
            elif room.table.version != row.version or room.over != (row.over_at is not None):
                room.refresh()
            self._open[row.id].moved_at = row.moved_at

    def topics(self) -> tuple[str, ...]:
        from cmgames.rooms import news

        live = [news.room(id) for id, room in self._open.items() if not room.over]
        return (news.class_(self.of.id), *live)

    def news(self) -> Page | None:
        from cmgames.rooms import pairing

        try:
            if not self.of.closed:
                pairing.pair(self.of)
            self._read()
        except Refused:  # deleted, on another page of the teacher's
            return self._classes()
        return self

    def _classes(self) -> Page:
        from cmgames.ui.classroom import Classes

        return Classes(self.session)

    # Drawing

    def screen(self) -> Screen:
        title = f"{game_called(self.of.game).title}, class {self.of.code}"
        here = sum(student.gone_at is None for student in self.students)
        words = f"{here} of {len(self.students)} students are here. {self._state()}"
        text: tuple[Block, ...] = (Block("p", words),)
        if not self.students and not self.of.closed:
            text += invitation(self.session.link, self.of.code, "The students scan this picture.")
        return Screen(
            0,
            "board",
            title,
            text=text,
            fields=self._fields(),
            grids={"tables": self._tables(), "waiting": self._waiting()},
            moves=self._moves(),
            notice=Notice("panel", QUESTIONS[self.asks], "info") if self.asks else None,
        )

    def _state(self) -> str:
        if self.of.closed:
            return "The class is closed."
        return "Everybody waits." if self.of.paused else ""

    def _moves(self) -> dict[str, Button]:
        if self.asks:
            keep = Button("No, leave it", {"do": "ask", "what": ""}, main=True)
            return {self.asks: Button(f"Yes, {self.asks} it", {"do": self.asks}), "keep": keep}
        results = {"results": Button("Results", {"do": "results"})}
        if self.of.closed:
            return results | {"ask": Button("Delete the class…", {"do": "ask", "what": "delete"})}
        pause = Button("Go on" if self.of.paused else "Everybody waits", {"do": "pause"}, main=self.of.paused)
        waits = "Press “Go on” first." if self.of.paused else "" if self._slowest() else "Nobody waits."
        moves = {
            "code": Button("Show the code", {"do": "code"}, main=not self.rows),
            "pause": pause,
            "slowest": Button("Move the slowest on", {"do": "slowest"}, off=waits),
        }
        if self.of.terms.people:
            off = "" if self.idle() else "There is no student without a game."
            moves["pair"] = Button("Pair by hand", {"do": "pair"}, off=off)
        off = "" if self.students else "Nobody has come yet."
        moves["way in"] = Button("A new way in", {"do": "way_in"}, off=off)
        return moves | results | {"ask": Button("Close the class…", {"do": "ask", "what": "close"})}

    def _fields(self) -> dict[str, Field]:
        sort = (Choice("stuck", "Stuck first"), Choice("number", "In order"))
        fields = {"sort": Field(0, "Tables", "radio", self.by, {"do": "sort"}, sort)}
        if self.of.closed:
            return fields
        line = "It stands above everybody's page until you change it or close the class."
        fields["message"] = Field(1, "Tell everybody", "text", self.message, {"do": "say"}, help=line)
        return fields

    def idle(self) -> list[Student]:
        """Those who could begin a game: who wait, or play the computer until a partner comes."""
        meanwhile = {row.id for row in self.rows if row.terms["meanwhile"] or row.over_at is not None}
        return [student for student in self.students if student.room is None or student.room in meanwhile]

    def _tables(self) -> Grid:
        seats = tuple(phrases.capital(seat.title) for seat in game_called(self.of.game).seats.values())
        entries = {f"room {row.id}": self._entry(number, row) for number, row in enumerate(self.rows, 1)}
        order = sorted(entries, key=lambda id: self._urgency(entries[id]))
        rows = {id: replace(entries[id], at=at) for at, id in enumerate(order)}
        columns = ("Table", *seats, "Turn", "Phase", "Score", "State")
        return Grid(0, "Tables", columns, rows, "No table yet.", "Since the last move")

    def _urgency(self, entry: Entry) -> tuple[int, float]:
        if self.by == "number":
            return (0, int(entry.cells[0]))
        return (("stuck", "", "over").index(entry.tone), -(entry.seconds or 0))

    def _entry(self, number: int, row: Any) -> Entry:
        room = self._open[row.id]
        game, view = room.table.game, room.table.view("spectator")
        score = ", ".join(f"{track.label} {track.value}/{track.goal}" for track in tracks(game, view).values())
        people = tuple(self._who(self.seats[row.id][seat], room.over) for seat in game.seats)
        since = None if room.over else time.time() - room.moved_at
        is_stuck = since is not None and since > STUCK_SECONDS and not self.of.paused
        state = self._ended(room) if room.over else "stuck" if is_stuck else "plays"
        tone: Any = "over" if room.over else "stuck" if is_stuck else ""
        cells = (str(number), *people, str(view.turn), view.phase, score, state)
        return Entry(number, cells, tone, None if since is None else round(since), {"do": "open", "room": row.id})

    def _who(self, who: Seated, over: bool) -> str:
        if who.guest is None:
            return f"computer ({who.player})"
        if over:
            return who.name
        stand_in = "" if who.player == PERSON else ", computer plays"
        return f"{who.name}{stand_in}{'' if who.gone_at is None else ' (away)'}"

    def _ended(self, room: Room) -> str:
        outcome = room.table.outcome
        if outcome is None:
            return "ended early"
        winner = "nobody" if outcome.winner is None else phrases.seat_title(room.table.game, outcome.winner)
        return f"over: {winner} won"

    def _waiting(self) -> Grid:
        idle = [student for student in self.students if student.waits or student.room is None]
        rows = {
            f"student {student.id}": Entry(
                at, (student.name, str(student.games), "here" if student.gone_at is None else "away")
            )
            for at, student in enumerate(idle)
        }
        return Grid(1, "Waiting", ("Student", "Games", "State"), rows, "Nobody waits.")

    # What the teacher does

    def on_sort(self, message: Message) -> None:
        """Change the order of the tables."""
        self.by = "number" if message["value"] == "number" else "stuck"

    def on_say(self, message: Message) -> None:
        """Tell everybody something."""
        self.message = str(message["value"])
        self.of.say(self.message)

    def on_code(self, message: Message) -> Page:
        """Show the code large."""
        return Invitation(self)

    def on_pause(self, message: Message) -> None:
        """Stop everybody, or let everybody go on."""
        self.of.pause(not self.of.paused)

    def _slowest(self) -> Room | None:
        """The table at which a person has not moved for the longest time."""
        waits = [room for room in self._open.values() if not room.over and self._person_moves(room)]
        return min(waits, key=lambda room: room.moved_at, default=None)

    def _person_moves(self, room: Room) -> bool:
        seat = room.table.seat
        return seat is not None and room.players[seat] == PERSON

    def on_slowest(self, message: Message) -> None:
        """Make a move for whoever has waited for the longest time."""
        self.demand_running()
        room = self._slowest()
        if room is None:
            raise Refusal("Nobody waits.")
        room.force("teacher")
        self._read()

    def demand_running(self) -> None:
        """Refuse to move for anybody while everybody waits."""
        if self.of.paused:
            raise Refusal("Everybody waits: press “Go on” in your class first.")

    def on_pair(self, message: Message) -> Page:
        """Turn to the page on which two students are paired."""
        return ByHand(self)

    def on_way_in(self, message: Message) -> Page:
        """Turn to the page on which a student gets a new way in."""
        return WaysIn(self)

    def on_open(self, message: Message) -> Page:
        """Look at one table."""
        if message["room"] not in self._open:
            raise Refusal("That is no table of this class.")
        return Overseen(self.session, self._open[message["room"]], self)

    def on_results(self, message: Message) -> Page:
        """Turn to the results."""
        from cmgames.ui.results_page import Results

        return Results(self.session, self.of, self)

    def on_ask(self, message: Message) -> None:
        """Ask before something that cannot be taken back; or no more."""
        self.asks = str(message["what"]) if message["what"] in QUESTIONS else ""

    def on_close(self, message: Message) -> None:
        """End the class."""
        self._demand_asked("close")
        self.of.close()
        self.asks = self.message = ""
        self._read()

    def on_delete(self, message: Message) -> Page:
        """Delete the class for good."""
        self._demand_asked("delete")
        self.of.delete()
        self.session.tell("The class was deleted, with all its games.")
        return self._classes()

    def _demand_asked(self, what: str) -> None:
        if self.asks != what:
            raise Refusal("Ask for it first.")


class Overseen(Sitting):
    """One table of a class, both hands open, and what a teacher can do for it."""

    def __init__(self, session: Session, room: Room, board: Board) -> None:
        room.refresh()
        super().__init__(session, room, onlooker=True, back=board)
        self.board = board
        self.asks = False
        self._show_all()

    def screen(self) -> Screen:
        screen = super().screen()
        if self.desk.over or self.looking_at is not None:
            return screen
        return replace(screen, moves=self._offers())

    def _offers(self) -> dict[str, Button]:
        offers = {}
        for who in self.room.seats.values():
            if who.guest is not None and who.player == PERSON:
                label = f"Let a computer player go on for {who.name}"
                offers[f"fill {who.seat}"] = Button(label, {"do": "fill", "seat": who.seat})
        seat = self.table.seat
        if seat is not None and self.players[seat] == PERSON:
            label = f"Make this move for them: {phrases.button(self.table.game, self.room.default())}"
            offers["nudge"] = Button(label, {"do": "nudge", "at": self.table.version})
        if self.asks:
            return {
                "finish": Button("Yes, end this game", {"do": "finish"}),
                "keep": Button("No, let it go on", {"do": "ask"}, main=True),
            }
        offers["ask"] = Button("End this game…", {"do": "ask"})
        return offers | {"back": Button("Back to the class", {"do": "back"}, main=True)}

    def on_fill(self, message: Message) -> None:
        """Let a computer player go on for somebody."""
        seat = str(message["seat"])
        if seat not in self.room.seats or self.room.players[seat] != PERSON:
            raise Refusal("Nobody plays there.")
        self.room.sit(seat, self._stand_in(seat))
        self._show_all()

    def on_nudge(self, message: Message) -> None:
        """Make a move for whoever should."""
        if message["at"] != self.table.version:
            raise Refusal("The table has moved on since.")
        self.board.demand_running()
        self.room.force("teacher")
        self._show_all()

    def on_ask(self, message: Message) -> None:
        """Ask before the game is ended; or no more."""
        self.asks = not self.asks

    def on_finish(self, message: Message) -> None:
        """End the game before its end."""
        if not self.asks:
            raise Refusal("Ask for it first.")
        self.room.end("Your teacher has ended this game.")
        self._show_all()
