"""The guests of a database: browsers that come and go."""

from __future__ import annotations

import time
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Connection, Row, and_, func, insert, select, update

from cmgames.rooms import codes, news
from cmgames.rooms.database import Database
from cmgames.rooms.faults import Refused
from cmgames.rooms.room import called, gone_at
from cmgames.rooms.schema import CLASSES, GUESTS
from cmgames.rooms.terms import NAME_LENGTH

FRESH = 5.0
"""A sign of life within so many seconds of the same page's last one needs no writing."""


class Guest(msgspec.Struct, frozen=True):
    """A browser that plays: no account, no other data than this.

    Attributes
    ----------
    id : its number.
    name : what its person wants to be called; may be empty.
    number : its number within its class; 0 outside of one.
    class_id : its class, if any.
    room_id : the room in which it is now, if any.
    waits_since : since when it has waited for a partner.
    key : what the database keeps of its browser's token; another one, and another browser has taken its place.
    wish : the seat that it asked for, where seats are chosen.
    """

    id: int
    name: str = ""
    number: int = 0
    class_id: int | None = None
    room_id: int | None = None
    waits_since: float | None = None
    key: str = ""
    wish: str = ""

    @property
    def called(self) -> str:
        """What others see."""
        return called(self.name, self.number or self.id)


class Guests:
    """All guests of a database.

    Parameters
    ----------
    database : made ready by `cmgames.rooms.database.prepare`.
    """

    def __init__(self, database: Database) -> None:
        self.database = database

    def find(self, token: str) -> Guest | None:
        """The guest whose browser keeps this token; None when there is none (any more)."""
        query = select(GUESTS).where(GUESTS.c.token == codes.hashed(token))
        row = self.database.read(lambda connection: connection.execute(query).one_or_none())
        return None if row is None else _guest(row)

    def admit(self, name: str = "") -> tuple[Guest, str]:
        """A new guest, and the token that only its browser may know."""
        token, now = codes.new_token(), time.time()
        values = {"token": codes.hashed(token), "name": name, "made_at": now, "seen_at": now}
        made = insert(GUESTS).values(**values).returning(GUESTS)
        return self.database.write(lambda connection: _guest(connection.execute(made).one())), token

    def enroll(self, guest: Guest, class_id: int, name: str) -> Guest:
        """The guest as a student of a class, with a number of his own in it.

        Raises
        ------
        Refused
            The class is closed.
        """

        def work(connection: Connection) -> Guest:
            lock = select(CLASSES.c.closed).where(CLASSES.c.id == class_id).with_for_update()
            if connection.execute(lock).scalar() is not False:
                raise Refused("This class is closed.")
            taken = select(func.max(GUESTS.c.number)).where(GUESTS.c.class_id == class_id)
            number = (connection.execute(taken).scalar() or 0) + 1
            values = {"class_id": class_id, "number": number, "name": _own_name(connection, class_id, name, number)}
            news.bump(connection, news.class_(class_id))
            who = update(GUESTS).where(GUESTS.c.id == guest.id).values(**values, room_id=None)
            return _guest(connection.execute(who.returning(GUESTS)).one())

        return self.database.write(work)

    def rename(self, guest: Guest, name: str) -> Guest:
        """The guest under another name."""
        values = update(GUESTS).where(GUESTS.c.id == guest.id).values(name=name)
        self.database.write(lambda connection: connection.execute(values))
        return msgspec.structs.replace(guest, name=name)

    def take_over(self, code: str) -> tuple[Guest, str]:
        """The guest to whom a way in leads, and a new token for it; the code and the old token open nothing any more.

        Raises
        ------
        Refused
            The code was used already, or its time is over.
        """
        token = codes.new_token()
        who = update(GUESTS).where(lets_in(code)).values(token=codes.hashed(token), way_in=None)

        def work(connection: Connection) -> Guest:
            row = connection.execute(who.returning(GUESTS)).one_or_none()
            if row is None:
                raise Refused("This code has ended: ask your teacher for a new one.")
            news.bump(connection, news.guest(row.id))
            return _guest(row)

        return self.database.write(work), token

    def here(self, guest: Guest, last: float) -> float:
        """Note a sign of life; those at the same table hear of it when it is the first for a while.

        Parameters
        ----------
        last : when the same page gave its last one: right after it, nothing is written.

        Returns
        -------
        float
            When it was given.
        """
        now = time.time()
        query = select(GUESTS).where(GUESTS.c.id == guest.id)
        row = self.database.read(lambda connection: connection.execute(query).one_or_none())
        if row is None or (row.left_at is None and row.seen_at == last and now - last < FRESH):
            return last

        def work(connection: Connection) -> None:
            who = update(GUESTS).where(GUESTS.c.id == guest.id)
            connection.execute(who.values(seen_at=now, left_at=None))
            if gone_at(row) is not None:
                _tell_around(connection, row)

        self.database.write(work)
        return now

    def away(self, guest: Guest, last: float) -> None:
        """Note that a guest has turned away from a page, unless another page of his has given a sign of life since.

        Parameters
        ----------
        last : when this page gave its last one.
        """
        still = and_(GUESTS.c.id == guest.id, GUESTS.c.left_at.is_(None), GUESTS.c.seen_at <= last)

        def work(connection: Connection) -> None:
            who = update(GUESTS).where(still).values(left_at=time.time()).returning(GUESTS)
            row = connection.execute(who).one_or_none()
            if row is not None:
                _tell_around(connection, row)

        self.database.write(work)

    def status(self, guest: Guest) -> tuple[Guest | None, str]:
        """The guest as he is now, and what the teacher of his class tells everybody."""
        query = select(GUESTS, CLASSES.c.message).select_from(GUESTS.outerjoin(CLASSES)).where(GUESTS.c.id == guest.id)
        row = self.database.read(lambda connection: connection.execute(query).one_or_none())
        return (None, "") if row is None else (_guest(row), row.message or "")


def _tell_around(connection: Connection, row: Row[Any]) -> None:
    """Let those at a guest's table and in his class look at him again."""
    topics = [news.room(row.room_id)] if row.room_id else []
    news.bump(connection, *topics, *([news.class_(row.class_id)] if row.class_id else []))


def lets_in(code: str) -> ColumnElement[bool]:
    """Whether a code is a guest's way in."""
    return and_(GUESTS.c.way_in == codes.hashed(codes.tidy(code)), GUESTS.c.way_in_until > time.time())


def _own_name(connection: Connection, class_id: int, name: str, number: int) -> str:
    """A name that nobody else has in a class: with the student's number, where somebody has it."""
    same = select(GUESTS.c.id).where(GUESTS.c.class_id == class_id, GUESTS.c.name == name)
    if not name or connection.execute(same).first() is None:
        return name
    return f"{name[: NAME_LENGTH - 5]} ({number})"


def _guest(row: Row[Any]) -> Guest:
    """A row of `GUESTS`."""
    return Guest(row.id, row.name, row.number, row.class_id, row.room_id, row.waits_since, row.token, row.wish)
