"""A student's class: between two games, and afterwards."""

from __future__ import annotations

from cmgames.engine.registry import game as game_called
from cmgames.rooms.terms import PAUSED
from cmgames.ui import phrases
from cmgames.ui.questions import class_set, way_in
from cmgames.ui.screen import Block, Button, Choice, Field, Message, Screen
from cmgames.ui.session import Page, Refusal, Session
from cmgames.ui.sitting import Sitting


class Lobby(Page):
    """Waits for the student's next game in his class, and shows those that he has played."""

    def __init__(self, session: Session) -> None:
        from cmgames.rooms.classes import Class

        rooms, guest = session.known()
        assert guest.class_id is not None
        self.session = session
        self.of = Class(rooms.database, guest.class_id)
        self.games = game_called(self.of.game)
        self.wish = next(iter(self.games.seats))
        self.has_past = rooms.has_past(guest)
        most = self.of.terms.games
        self.has_played_all = most is not None and len(rooms.history(guest, self.of.id)) >= most
        session.left = None  # who waits here is in no room
        if not self._is_done():
            self._wait()

    def _wait(self) -> None:
        """Wait for the next game, at the seat that is wished for where students choose it."""
        from cmgames.rooms import pairing

        _, guest = self.session.known()
        pairing.wait(self.of, guest.id, self.wish if self.of.terms.seats == "chosen" else "")

    def _is_done(self) -> bool:
        """Whether no game is to come for the student."""
        return self.of.closed or self.has_played_all

    def screen(self) -> Screen:
        _, guest = self.session.known()
        title = f"{self.games.title}: your class"
        words, heading = self._words()
        past = {"past": Button("Your finished games", {"do": "past"})} if self.has_past else {}
        return Screen(
            0,
            "text",
            title,
            text=(Block("h", f"You are {guest.called}"), Block("p", words)),
            fields=self._wish(),
            moves=way_in(self.session, self.of) | past,
            say=heading,
        )

    def _words(self) -> tuple[str, str]:
        """What the student waits for."""
        if self.of.closed:
            return "The class is over. You can step through your games.", "The class is over."
        if self._is_done():
            return "You have played all your games. Wait for the others.", "You have played all your games."
        if self.of.paused:
            return PAUSED, "The class is stopped."
        if not self.of.terms.people:
            return "Your game is being made ready.", "Your game is being made ready."
        if self.of.terms.pairing == "hand":
            words = "Your teacher chooses whom you play. The game opens by itself; if nobody else waits, you play the "
            return f"{words}computer meanwhile.", "Waiting for your partner."
        words = "Waiting for a partner. The game opens by itself; if nobody comes, you play the computer meanwhile."
        return words, "Waiting for a partner."

    def _wish(self) -> dict[str, Field]:
        """The seat, where students choose it."""
        if self.of.terms.seats != "chosen" or self._is_done():
            return {}
        seats = self.games.seats.items()
        choices = tuple(Choice(id, phrases.capital(seat.title), seat.line) for id, seat in seats)
        return {"wish": Field(0, "Who would you like to be?", "radio", self.wish, {"do": "wish"}, choices)}

    def on_wish(self, message: Message) -> None:
        """Ask for a seat."""
        if message["value"] in self.games.seats:
            self.wish = str(message["value"])
            self._wait()

    def on_questions(self, message: Message) -> Page:
        """Turn to the class's questions."""
        return class_set(self.session, self.of, self)

    def on_past(self, message: Message) -> Page:
        """Turn to one's finished games."""
        return Past(self.session, self)

    def topics(self) -> tuple[str, ...]:
        from cmgames.rooms import news

        return (news.class_(self.of.id),)

    def news(self) -> Page | None:
        from cmgames.rooms import pairing

        before = (self.of.paused, self.of.closed)
        self.of.refresh()
        if not self.of.closed and not self.of.paused:
            pairing.pair(self.of)
        return self if (self.of.paused, self.of.closed) != before else None


class Past(Page):
    """One's finished games, to step through."""

    def __init__(self, session: Session, back: Page) -> None:
        self.session = session
        self.back = back

    def screen(self) -> Screen:
        rooms, guest = self.session.known()
        games = rooms.history(guest)
        moves = {
            str(past.room): Button(f"{past.title} as {past.seat_title}: {past.how}", {"do": "open", "room": past.room})
            for past in games
        }
        back = {"back": Button("Back", {"do": "back"}, main=True)}
        text = (Block("p", "The newest first."),) if games else (Block("p", "You have finished none yet."),)
        return Screen(0, "text", "Your finished games", text=text, moves=back | moves, say="Your finished games")

    def on_open(self, message: Message) -> Page:
        """Turn to a finished game."""
        from cmgames.rooms.room import Room

        rooms, guest = self.session.known()
        own = [past.room for past in rooms.history(guest)]
        if message["room"] not in own:
            raise Refusal("That is none of your games.")
        return Sitting(self.session, Room(rooms.database, int(message["room"]), guest.id), back=self)

    def on_back(self, message: Message) -> Page:
        """Turn back to where one came from."""
        return self.back
