"""A class: students who come with a code, tables that are made for them, and a teacher who sees them all."""

from __future__ import annotations

import math
import random
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from itertools import permutations
from typing import Any

import msgspec
from sqlalchemy import Connection, Row, and_, delete, insert, select, update

from cmgames.engine import chance
from cmgames.engine.registry import game as game_called
from cmgames.rooms import codes, news, questions
from cmgames.rooms.database import Database
from cmgames.rooms.faults import Refused
from cmgames.rooms.room import SEATED, Seated, called, close_rooms, gone_at, seated
from cmgames.rooms.rooms import free_code, make_room
from cmgames.rooms.schema import ANSWERS, CLASSES, GUESTS, MOVES, ROOMS, SEATS, TOPICS
from cmgames.rooms.terms import PERSON, ClassTerms, Terms

ODD_SECONDS = 10.0
"""After so long without a partner a student plays a computer player until one comes."""

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
        row = self.database.read(lambda connection: _class(connection, self.id))
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
        seed = self.database.read(lambda connection: _class(connection, self.id).seed)
        return questions.of_class(self.game, self.options, seed, self.terms.questions)

    # What the teacher sees

    def students(self) -> list[Student]:
        """The students, in the order in which they came."""
        query = select(GUESTS).where(GUESTS.c.class_id == self.id).order_by(GUESTS.c.number)

        def work(connection: Connection) -> tuple[Sequence[Row[Any]], dict[int, list[tuple[str, int]]]]:
            return connection.execute(query).all(), self._played(connection)

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

    # Who plays whom

    def wait(self, guest: int, wish: str = "") -> None:
        """Let a student wait for his next game, if he has one to come.

        Parameters
        ----------
        wish : the seat that he asks for, where seats are chosen.
        """

        def work(connection: Connection) -> None:
            row = connection.execute(select(GUESTS).where(GUESTS.c.id == guest)).one()
            values = {"wish": wish or row.wish, "waits_since": row.waits_since or time.time()}
            who = update(GUESTS).where(GUESTS.c.id == guest)
            connection.execute(who.values(room_id=None, **values))
            news.bump(connection, news.class_(self.id), *([news.room(row.room_id)] if row.room_id else []))

        self.database.write(work)
        self.pair()

    def pair(self) -> None:
        """Seat those who wait, as far as there is somebody for them."""
        self.open_deals()
        if not self.database.read(self._waiting):
            return  # without a lock: every board and every lobby asks this all the time

        def work(connection: Connection) -> None:
            row = _class(connection, self.id, lock=True)
            if row.closed or row.paused:
                return
            waiting = self._waiting(connection)
            if not self.terms.people:
                for one in waiting:
                    self._seat(connection, row, [one])
            elif self.terms.pairing == "hand":
                if len(waiting) == 1:
                    self._seat_meanwhile(connection, row, waiting[0])
            else:
                self._pair(connection, row, waiting)

        self.database.write(work)

    def _pair(self, connection: Connection, row: Row[Any], waiting: list[Row[Any]]) -> None:
        """Seat those who wait with each other, as far as that may be now; who is left over has a place of his own."""
        met = self._met(connection) if self.terms.pairing == "new" else Counter()
        others_may_come = self._is_anybody_busy(connection)
        while (pair := find_pair(waiting, met, others_may_come)) is not None:
            self._seat(connection, row, pair)
            waiting = [one for one in waiting if one not in pair]
        for one in waiting:
            self._seat_odd(connection, row, one)

    def open_deals(self) -> None:
        """Open the same deals that all tables have played; who comes later gets a later one."""
        opened = self.database.read(self._played_deals) if self.terms.same_deal else 0
        still = and_(CLASSES.c.id == self.id, CLASSES.c.opened < opened)

        def work(connection: Connection) -> None:
            if connection.execute(update(CLASSES).where(still).values(opened=opened)).rowcount:
                news.bump(connection, news.class_(self.id))

        if opened:
            self.database.write(work)

    def _played_deals(self, connection: Connection) -> int:
        """The number of the last deal that all tables have played and nobody may get; 0 where none is new."""
        rooms = connection.execute(select(ROOMS).where(ROOMS.c.class_id == self.id)).all()
        tables = [room for room in rooms if room.terms["same_deal"]]
        last = self._last_deals(connection)
        opened = before = _class(connection, self.id).opened
        while any(room.round > opened for room in tables):
            deal = opened + 1
            is_played = any(room.round <= deal and room.over_at is None for room in tables)
            if is_played or any(number < deal for number in last):
                break
            opened = deal
        return opened if opened > before else 0

    def _last_deals(self, connection: Connection) -> list[int]:
        """The numbers of the last games of those who are here and have games to come."""
        students = connection.execute(select(GUESTS).where(GUESTS.c.class_id == self.id)).all()
        played = self._played(connection)
        present = [played.get(row.id, []) for row in students if gone_at(row) is None]
        most = self.terms.games or math.inf
        return [max((number for _, number in past), default=0) for past in present if len(past) < most]

    def pair_by_hand(self, one: int, other: int | None) -> None:
        """Let two students play each other at once, or one play the computer until a partner comes.

        What they play meanwhile is ended.

        Raises
        ------
        Refused
            One of them is in a game with somebody else.
        """

        def work(connection: Connection) -> None:
            row = _class(connection, self.id, lock=True)
            ids = {one} if other is None else {one, other}
            chosen = select(GUESTS).where(GUESTS.c.class_id == self.id, GUESTS.c.id.in_(ids))
            people = list(connection.execute(chosen))
            if len(people) != len(ids) or one == other:
                raise Refused("Choose two different students.")
            for guest in people:
                self._end_meanwhile(connection, guest)
            self._seat(connection, row, people)

        self.database.write(work)

    def _waiting(self, connection: Connection) -> list[Row[Any]]:
        """Those who wait and are here, in the order of their coming."""
        query = select(GUESTS).where(GUESTS.c.class_id == self.id, GUESTS.c.waits_since.is_not(None))
        rows = connection.execute(query.order_by(GUESTS.c.waits_since, GUESTS.c.id))
        return [row for row in rows if gone_at(row) is None]

    def _is_anybody_busy(self, connection: Connection) -> bool:
        """Whether a student is here who does not wait for a partner now."""
        query = select(GUESTS).where(GUESTS.c.class_id == self.id, GUESTS.c.waits_since.is_(None))
        return any(gone_at(row) is None for row in connection.execute(query))

    def _met(self, connection: Connection) -> Counter[frozenset[int]]:
        """How often each two students were at one table."""
        query = select(SEATS.c.room_id, SEATS.c.guest_id).join(ROOMS).where(ROOMS.c.class_id == self.id)
        tables: dict[int, set[int]] = {}
        for row in connection.execute(query):
            if row.guest_id is not None:
                tables.setdefault(row.room_id, set()).add(row.guest_id)
        return Counter(frozenset(table) for table in tables.values())

    def _seat_odd(self, connection: Connection, row: Row[Any], one: Row[Any]) -> None:
        """A place for the one who is left over: with somebody who plays the computer meanwhile, or at the computer."""
        query = select(GUESTS).join(ROOMS, ROOMS.c.id == GUESTS.c.room_id).where(GUESTS.c.class_id == self.id)
        query = query.where(ROOMS.c.over_at.is_(None))
        for other in connection.execute(query.order_by(GUESTS.c.id)).all():
            if self._is_meanwhile(connection, other) and gone_at(other) is None:
                self._end_meanwhile(connection, other)
                self._seat(connection, row, [other, one])
                return
        self._seat_meanwhile(connection, row, one)

    def _seat_meanwhile(self, connection: Connection, row: Row[Any], one: Row[Any]) -> None:
        """Let a student play the computer until a partner comes, once he has waited for long enough."""
        if _has_waited(one):
            self._seat(connection, row, [one])

    def _is_meanwhile(self, connection: Connection, guest: Row[Any]) -> bool:
        terms = connection.execute(select(ROOMS.c.terms).where(ROOMS.c.id == guest.room_id)).scalar_one()
        return bool(terms["meanwhile"])

    def _end_meanwhile(self, connection: Connection, guest: Row[Any]) -> None:
        """End the game against the computer that a student plays until a partner comes."""
        if guest.room_id is None:
            return
        room = connection.execute(select(ROOMS).where(ROOMS.c.id == guest.room_id)).one()
        if room.over_at is None and not room.terms["meanwhile"]:
            raise Refused(f"{called(guest.name, guest.number)} is in the middle of a game.")
        close_rooms(connection, ROOMS.c.id == room.id, "A partner has come.")

    def _seat(self, connection: Connection, row: Row[Any], people: Sequence[Row[Any]]) -> None:
        """A room for one or two students."""
        seats = list(game_called(self.game).seats)
        played = self._played(connection)
        past = {guest.id: played.get(guest.id, []) for guest in people}
        wishes = [(guest.id, guest.wish, [seat for seat, _ in past[guest.id]]) for guest in people]
        taken = assign(seats, wishes, self.terms.seats)
        computers = self.terms.computers
        players = {seat: (PERSON, taken[seat]) if seat in taken else (computers[seat], None) for seat in seats}
        meanwhile = self.terms.people and len(people) == 1
        same = self.terms.same_deal and not meanwhile
        number = max((number for games in past.values() for _, number in games), default=0) + 1
        if same:
            number = max(number, row.opened + 1)  # never cards that somebody may have seen
        terms = Terms(
            clock=self.terms.clock,
            away_after=self.terms.away_after,
            same_deal=same,
            meanwhile=meanwhile,
            odds=self.terms.odds,
        )
        make_room(
            connection,
            self.game,
            self.options,
            players,
            terms,
            seed=deal(row.seed, number) if same else None,
            class_id=self.id,
            round=number,
        )
        news.bump(connection, news.class_(self.id))

    def _played(self, connection: Connection) -> dict[int, list[tuple[str, int]]]:
        """Seat and number of each game that each student has begun in this class, games of the meantime apart."""
        query = select(SEATS, ROOMS.c.round, ROOMS.c.terms).join(ROOMS).where(ROOMS.c.class_id == self.id)
        found: dict[int, list[tuple[str, int]]] = {}
        for row in connection.execute(query.where(SEATS.c.guest_id.is_not(None))):
            if not row.terms["meanwhile"]:
                found.setdefault(row.guest_id, []).append((row.seat, row.round))
        return found


def deal(seed: str, number: int) -> int:
    """The seed that all tables of a class have in their game of that number."""
    return int.from_bytes(sha256(f"{seed}:deal:{number}".encode()).digest()[:16], "big")


def find_pair(
    waiting: Sequence[Row[Any]], met: Counter[frozenset[int]], others_may_come: bool
) -> list[Row[Any]] | None:
    """The first who waits and can be paired, and whom he has met least; two who have met wait for others at first."""
    for place, one in enumerate(waiting[:-1]):
        other = min(waiting[place + 1 :], key=lambda row: met[frozenset((one.id, row.id))])
        if not others_may_come or not met[frozenset((one.id, other.id))] or _has_waited(one):
            return [one, other]
    return None


def _has_waited(one: Row[Any]) -> bool:
    """Whether a student has waited for a partner for long enough."""
    return bool(time.time() - one.waits_since >= ODD_SECONDS)


def assign(seats: Sequence[str], people: Iterable[tuple[int, str, list[str]]], how: str) -> dict[str, int]:
    """Who sits where.

    Parameters
    ----------
    seats : the game's seats.
    people : number, wish and earlier seats of each.
    how : ``chosen``, ``drawn`` or ``swapped``, as in `cmgames.rooms.terms.ClassTerms`.

    Returns
    -------
    dict
        For each seat that is taken the number of who takes it.
    """
    everybody = list(people)
    ways = list(permutations(seats, len(everybody)))
    random.SystemRandom().shuffle(ways)

    def unfair(way: tuple[str, ...]) -> int:
        if how == "chosen":
            return sum(wish not in ("", seat) for seat, (_, wish, _) in zip(way, everybody, strict=True))
        if how == "swapped":
            return sum(past.count(seat) for seat, (_, _, past) in zip(way, everybody, strict=True))
        return 0

    best = min(ways, key=unfair)
    return {seat: id for seat, (id, _, _) in zip(best, everybody, strict=True)}


def _student(row: Row[Any], games: int) -> Student:
    waits = row.waits_since is not None
    return Student(row.id, called(row.name, row.number), row.room_id, waits, gone_at(row), games)


def _class(connection: Connection, id: int, lock: bool = False) -> Row[Any]:
    query = select(CLASSES).where(CLASSES.c.id == id)
    row = connection.execute(query.with_for_update() if lock else query).one_or_none()
    if row is None:
        raise Refused("This class is not here any more.")
    return row
