"""A class: students who come with a code, tables that are made for them, and a teacher who sees them all."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection, Row, and_, delete, insert, select, update

from cmgames.engine import chance
from cmgames.engine.registry import game as game_called
from cmgames.rooms import codes, news, questions
from cmgames.rooms.database import Database
from cmgames.rooms.faults import Refused
from cmgames.rooms.room import SEATED, Seated, called, close_rooms, gone_at, seated
from cmgames.rooms.rooms import free_code
from cmgames.rooms.schema import ANSWERS, CLASSES, GUESTS, MOVES, ROOMS, SEATS, TOPICS
from cmgames.rooms.terms import ClassTerms

WAY_IN_SECONDS = 15 * 60.0
"""So long the code works by which a new browser takes a student's place."""

MESSAGE_LENGTH = 300


class Student(msgspec.Struct, frozen=True):
    """A student of a class.

    Attributes
    ----------
    id : the guest's number.
    name : what he is called.
    room : the number of the room in which he is, if any.
    waits : whether he waits for a game.
    gone_at : since when he has given no sign of life; None while he is here.
    games : how many games he has begun with people, or with the computer where that is what the class plays.
    """

    id: int
    name: str
    room: int | None
    waits: bool
    gone_at: float | None
    games: int


class Class:
    """A class in a database.

    Parameters
    ----------
    database : where it is.
    id : its number.

    Attributes
    ----------
    code : lets students join.
    game, options, terms : what is played, and how.
    paused, closed, message : whether it is stopped, whether it is over, what the teacher tells everybody.

    Raises
    ------
    Refused
        There is no such class (any more).
    """

    def __init__(self, database: Database, id: int) -> None:
        self.database = database
        self.id = id
        self.refresh()

    def refresh(self) -> None:
        """Read its state again."""
        row = self.database.read(lambda connection: class_row(connection, self.id))
        self.code: str = row.code
        self.game: str = row.game
        self.options: dict[str, Any] = row.options
        self.terms = msgspec.convert(row.terms, ClassTerms)
        self.made_at: float = row.made_at
        self.paused: bool = row.paused
        self.closed: bool = row.closed
        self.message: str = row.message

    @classmethod
    def open(cls, database: Database, game: str, options: Mapping[str, Any], terms: ClassTerms) -> Class:
        """A new class.

        Raises
        ------
        OptionError
            No game can be played with these options.
        Refused
            They give no positions to ask about.
        """
        game_called(game).Options.make(dict(options))
        seed = str(chance.new_seed())
        questions.of_class(game, options, seed, terms.questions)

        def work(connection: Connection) -> int:
            values = {
                "code": free_code(connection),
                "game": game,
                "options": dict(options),
                "terms": terms.to_dict(),
                "seed": seed,
                "made_at": time.time(),
            }
            id: int = connection.execute(insert(CLASSES).values(**values).returning(CLASSES.c.id)).scalar_one()
            return id

        return cls(database, database.write(work))

    @staticmethod
    def all(database: Database) -> list[tuple[int, str, str, float, bool]]:
        """All classes, the newest first: number, code, game, when it was opened, whether it is closed."""
        query = select(CLASSES).order_by(CLASSES.c.made_at.desc())
        rows = database.read(lambda connection: connection.execute(query).all())
        return [(row.id, row.code, game_called(row.game).title, row.made_at, row.closed) for row in rows]

    def questions(self) -> tuple[questions.Question, ...]:
        """The questions that all its students are asked; they hold views only."""
        seed = self.database.read(lambda connection: class_row(connection, self.id).seed)
        return questions.of_class(self.game, self.options, seed, self.terms.questions)

    # What the teacher sees

    def students(self) -> list[Student]:
        """The students, in the order in which they came."""
        query = select(GUESTS).where(GUESTS.c.class_id == self.id).order_by(GUESTS.c.number)

        def work(connection: Connection) -> tuple[Sequence[Row[Any]], dict[int, list[tuple[str, int]]]]:
            return connection.execute(query).all(), played_by(connection, self.id)

        rows, played = self.database.read(work)
        return [_student(row, len(played.get(row.id, ()))) for row in rows]

    def rooms(self) -> list[Row[Any]]:
        """The rows of the class's rooms, in the order in which they were opened."""
        query = select(ROOMS).where(ROOMS.c.class_id == self.id).order_by(ROOMS.c.id)
        return list(self.database.read(lambda connection: connection.execute(query).all()))

    def seats(self) -> dict[int, dict[str, Seated]]:
        """Who sits where, by room and seat."""
        of_class = select(ROOMS.c.id).where(ROOMS.c.class_id == self.id)
        query = SEATED.where(SEATS.c.room_id.in_(of_class))
        found: dict[int, dict[str, Seated]] = {}
        for row in self.database.read(lambda connection: connection.execute(query).all()):
            found.setdefault(row.room_id, {})[row.seat] = seated(row, row.room_id)
        return found

    # What the teacher does

    def pause(self, paused: bool) -> None:
        """Stop all tables, or let them go on; the turn clocks begin anew then."""

        def work(connection: Connection) -> None:
            if not paused:
                still = and_(ROOMS.c.class_id == self.id, ROOMS.c.over_at.is_(None))
                connection.execute(update(ROOMS).where(still).values(moved_at=time.time()))
            self._set(connection, paused=paused)

        self.database.write(work)
        self.refresh()

    def say(self, message: str) -> None:
        """Tell everybody something, until the class is closed; nothing takes it down."""
        tidy = " ".join(message.split())
        if len(tidy) > MESSAGE_LENGTH:
            raise Refused(f"A message to everybody has at most {MESSAGE_LENGTH} letters.")
        self.database.write(lambda connection: self._set(connection, message=tidy))
        self.refresh()

    def give_way_in(self, student: int) -> str:
        """A code by which a new browser takes a student's place, once and soon; an earlier one ends.

        Raises
        ------
        Refused
            There is no such student in this class.
        """

        def work(connection: Connection) -> str:
            code = codes.new_way_in()
            who = update(GUESTS).where(GUESTS.c.id == student, GUESTS.c.class_id == self.id)
            values = {"way_in": codes.hashed(codes.tidy(code)), "way_in_until": time.time() + WAY_IN_SECONDS}
            if not connection.execute(who.values(**values)).rowcount:
                raise Refused("There is no such student in this class.")
            return code

        return self.database.write(work)

    def close(self) -> None:
        """End the class: nobody joins any more, games in play are ended, all hands are shown."""

        def work(connection: Connection) -> None:
            close_rooms(connection, ROOMS.c.class_id == self.id, "The class was closed.")
            connection.execute(update(GUESTS).where(GUESTS.c.class_id == self.id).values(waits_since=None))
            self._set(connection, closed=True, paused=False, message="")

        self.database.write(work)
        self.refresh()

    def delete(self) -> None:
        """Delete the class for good: its students, its games and all that was ever done in it."""

        def work(connection: Connection) -> None:
            rooms = connection.execute(select(ROOMS.c.id).where(ROOMS.c.class_id == self.id)).scalars().all()
            guests = connection.execute(select(GUESTS.c.id).where(GUESTS.c.class_id == self.id)).scalars().all()
            topics = [*map(news.room, rooms), *map(news.guest, guests), news.class_(self.id)]
            connection.execute(delete(MOVES).where(MOVES.c.room_id.in_(rooms)))
            connection.execute(delete(SEATS).where(SEATS.c.room_id.in_(rooms)))
            connection.execute(delete(ANSWERS).where(ANSWERS.c.guest_id.in_(guests)))
            connection.execute(delete(GUESTS).where(GUESTS.c.class_id == self.id))
            connection.execute(delete(ROOMS).where(ROOMS.c.class_id == self.id))
            connection.execute(delete(CLASSES).where(CLASSES.c.id == self.id))
            connection.execute(delete(TOPICS).where(TOPICS.c.name.in_(topics)))

        self.database.write(work)
        self.database.scrub()

    def _set(self, connection: Connection, **values: Any) -> None:
        connection.execute(update(CLASSES).where(CLASSES.c.id == self.id).values(**values))
        news.bump(connection, news.class_(self.id))


def played_by(connection: Connection, class_id: int) -> dict[int, list[tuple[str, int]]]:
    """Seat and number of each game that each student has begun in a class, games of the meantime apart."""
    query = select(SEATS, ROOMS.c.round, ROOMS.c.terms).join(ROOMS).where(ROOMS.c.class_id == class_id)
    found: dict[int, list[tuple[str, int]]] = {}
    for row in connection.execute(query.where(SEATS.c.guest_id.is_not(None))):
        if not row.terms["meanwhile"]:
            found.setdefault(row.guest_id, []).append((row.seat, row.round))
    return found


def _student(row: Row[Any], games: int) -> Student:
    waits = row.waits_since is not None
    return Student(row.id, called(row.name, row.number), row.room_id, waits, gone_at(row), games)


def class_row(connection: Connection, id: int, lock: bool = False) -> Row[Any]:
    """The row of a class, locked where it is to be changed."""
    query = select(CLASSES).where(CLASSES.c.id == id)
    row = connection.execute(query.with_for_update() if lock else query).one_or_none()
    if row is None:
        raise Refused("This class is not here any more.")
    return row
