"""The teacher's pages: the key, and all classes."""

from __future__ import annotations

import hmac
import time
from hashlib import sha256
from typing import TYPE_CHECKING, ClassVar

from cmgames.rooms import codes
from cmgames.rooms.faults import Refused
from cmgames.ui.board import Board, teachers_rooms
from cmgames.ui.new_class import NewClass
from cmgames.ui.screen import Block, Button, Entry, Field, Grid, Message, Screen
from cmgames.ui.session import Page, Refusal, Session

if TYPE_CHECKING:
    from cmgames.rooms.rooms import Rooms

HELD = 4.0
"""Seconds for which keys are held back while somebody guesses; a page believes its kernel dead after five."""


class TeacherSession(Session):
    """A person who has to show the teacher's key before anything else.

    Parameters
    ----------
    rooms : where the classes are; None: there are none here.
    key_hash : SHA-256 of the key (letters and digits, upper case); empty: nobody is let in.
    link : the address that students open.
    """

    store: ClassVar[str] = "cmgames.teacher"

    def __init__(self, rooms: Rooms | None, key_hash: str, link: str = "") -> None:
        self.key_hash = key_hash
        super().__init__(rooms, link=link)
        self.turn(Key(self))

    def is_key(self, typed: str) -> bool:
        """Whether somebody has typed the teacher's key."""
        shown = codes.hashed(codes.signs(typed))
        return bool(self.key_hash) and hmac.compare_digest(shown, self.key_hash)

    @property
    def pass_token(self) -> str:
        """What the teacher's browser keeps, so that a reload asks for no key."""
        return hmac.new(self.key_hash.encode(), b"the teacher's browser", sha256).hexdigest()

    def let_in(self) -> Page:
        """Open the teacher's pages."""
        self.teacher, self.token = True, self.pass_token
        return Classes(self)

    def on_hello(self, message: Message) -> Page | None:
        """Let a browser in that has shown the key before."""
        link = str(message.get("link") or "")[:300]
        self.link = self.link or link.rstrip("/").removesuffix("teach")
        shown = str(message.get("token") or "")[:64]
        if not self.key_hash or not shown or self.teacher:
            return None
        if not hmac.compare_digest(shown.encode(), self.pass_token.encode()):
            self.token = ""
            return None
        return self._back_in()

    def _back_in(self) -> Page:
        """Open the class that is open, where there is one; else all of them."""
        from cmgames.rooms.classes import Class

        classes = self.let_in()
        database = teachers_rooms(self).database
        open_ones = [id for id, *_, closed in Class.all(database) if not closed]
        return Board(self, Class(database, open_ones[0])) if len(open_ones) == 1 else classes

    def on_home(self, message: Message) -> Page:
        """Turn to the classes."""
        return Classes(self) if self.teacher else Key(self)


class Key(Page):
    """Asks for the teacher's key."""

    def __init__(self, session: TeacherSession) -> None:
        self.session = session

    def screen(self) -> Screen:
        if self.session.rooms is None or not self.session.key_hash:
            words = "This page opens classes on a server. Start one with “cmgames serve”: it prints the key."
            return Screen(0, "text", "For teachers", text=(Block("p", words),), say=words)
        where = "“cmgames serve” printed it when it started."
        field = Field(0, "The teacher's key", "text", "", {"do": "key"}, help=where)
        enter = {"enter": Button("Enter", {"do": "enter"}, main=True)}
        return Screen(0, "form", "For teachers", fields={"key": field}, moves=enter, say="For teachers")

    def on_key(self, message: Message) -> Page:
        """Let in who has the key."""
        rooms, name = self.session.rooms, f"key {self.session.id}"
        if rooms is None:
            raise Refusal("There is no server here.")
        rooms.tries.demand(name)
        self._hold_back(rooms)
        if not self.session.is_key(str(message["value"])[:100]):
            rooms.tries.count(name)
            rooms.tries.count("key")
            raise Refusal("That is not the key: look at what “cmgames serve” printed.")
        return self.session.let_in()

    def _hold_back(self, rooms: Rooms) -> None:
        """Take some time over a key while many wrong ones are typed, on whatever pages."""
        try:
            rooms.tries.demand("key")
        except Refused:
            time.sleep(HELD)  # a refusal would let a guesser, who opens page after page, keep out the teacher as well

    def on_enter(self, message: Message) -> None:
        """The key is looked at as soon as it is typed."""
        raise Refusal("Type the key first.")


class Classes(Page):
    """All classes, and the way to a new one."""

    def __init__(self, session: Session) -> None:
        self.session = session

    def screen(self) -> Screen:
        from cmgames.rooms.classes import Class

        rows = {
            f"class {id}": Entry(
                at, (code, title, _day(made_at), "closed" if closed else "open"), send={"do": "open", "class": id}
            )
            for at, (id, code, title, made_at, closed) in enumerate(Class.all(teachers_rooms(self.session).database))
        }
        columns = ("Code", "Game", "Opened", "State")
        grid = Grid(0, "Your classes", columns, rows, "There is none yet.")
        moves = {
            "new": Button("Open a class", {"do": "new"}, main=True),
            "secrets": Button("Where secrets are kept", {"do": "secrets"}),
        }
        return Screen(0, "board", "For teachers", grids={"classes": grid}, moves=moves, say="Your classes")

    def on_secrets(self, message: Message) -> Page:
        """Turn to what a teacher should know about secrets."""
        from cmgames.ui.pages import SECRETS, Text

        return Text("Where secrets are kept", SECRETS, self)

    def on_new(self, message: Message) -> Page:
        """Turn to the form of a new class."""
        return NewClass(self.session)

    def on_open(self, message: Message) -> Page:
        """Turn to a class."""
        from cmgames.rooms.classes import Class

        return Board(self.session, Class(teachers_rooms(self.session).database, int(message["class"])))


def _day(seconds: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(seconds))
