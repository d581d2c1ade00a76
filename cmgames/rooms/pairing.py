"""Who plays whom in a class: those who wait are seated with each other, or with a computer player."""

from __future__ import annotations

import math
import random
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from hashlib import sha256
from itertools import permutations
from typing import Any

from sqlalchemy import Connection, Row, and_, select, update

from cmgames.engine.registry import game as game_called
from cmgames.rooms import news
from cmgames.rooms.classes import Class, class_row, played_by
from cmgames.rooms.faults import Refused
from cmgames.rooms.room import called, close_rooms, gone_at
from cmgames.rooms.rooms import make_room
from cmgames.rooms.schema import CLASSES, GUESTS, ROOMS, SEATS
from cmgames.rooms.terms import PERSON, Terms

ODD_SECONDS = 10.0
"""After so long without a partner a student plays a computer player until one comes."""


def wait(of: Class, guest: int, wish: str = "") -> None:
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
        news.bump(connection, news.class_(of.id), *([news.room(row.room_id)] if row.room_id else []))

    of.database.write(work)
    pair(of)


def pair(of: Class) -> None:
    """Seat those who wait, as far as there is somebody for them."""
    open_deals(of)
    if not of.database.read(lambda connection: _waiting(connection, of)):
        return  # without a lock: every board and every lobby asks this all the time

    def work(connection: Connection) -> None:
        row = class_row(connection, of.id, lock=True)
        if row.closed or row.paused:
            return
        waiting = _waiting(connection, of)
        if not of.terms.people:
            for one in waiting:
                _seat(connection, of, row, [one])
        elif of.terms.pairing == "hand":
            if len(waiting) == 1:
                _seat_meanwhile(connection, of, row, waiting[0])
        else:
            _pair(connection, of, row, waiting)

    of.database.write(work)


def by_hand(of: Class, one: int, other: int | None) -> None:
    """Let two students play each other at once, or one play the computer until a partner comes.

    What they play meanwhile is ended.

    Raises
    ------
    Refused
        One of them is in a game with somebody else.
    """

    def work(connection: Connection) -> None:
        row = class_row(connection, of.id, lock=True)
        ids = {one} if other is None else {one, other}
        chosen = select(GUESTS).where(GUESTS.c.class_id == of.id, GUESTS.c.id.in_(ids))
        people = list(connection.execute(chosen))
        if len(people) != len(ids) or one == other:
            raise Refused("Choose two different students.")
        for guest in people:
            _end_meanwhile(connection, guest)
        _seat(connection, of, row, people)

    of.database.write(work)


def open_deals(of: Class) -> None:
    """Open the same deals that all tables have played; who comes later gets a later one."""
    opened = of.database.read(lambda connection: _played_deals(connection, of)) if of.terms.same_deal else 0
    still = and_(CLASSES.c.id == of.id, CLASSES.c.opened < opened)

    def work(connection: Connection) -> None:
        if connection.execute(update(CLASSES).where(still).values(opened=opened)).rowcount:
            news.bump(connection, news.class_(of.id))

    if opened:
        of.database.write(work)


def _pair(connection: Connection, of: Class, row: Row[Any], waiting: list[Row[Any]]) -> None:
    """Seat those who wait with each other, as far as that may be now; who is left over has a place of his own."""
    met = _met(connection, of) if of.terms.pairing == "new" else Counter()
    others_may_come = _is_anybody_busy(connection, of)
    while (two := find_pair(waiting, met, others_may_come)) is not None:
        _seat(connection, of, row, two)
        waiting = [one for one in waiting if one not in two]
    for one in waiting:
        _seat_odd(connection, of, row, one)


def _played_deals(connection: Connection, of: Class) -> int:
    """The number of the last deal that all tables have played and nobody may get; 0 where none is new."""
    rooms = connection.execute(select(ROOMS).where(ROOMS.c.class_id == of.id)).all()
    tables = [room for room in rooms if room.terms["same_deal"]]
    last = _last_deals(connection, of)
    opened = before = class_row(connection, of.id).opened
    while any(room.round > opened for room in tables):
        next_one = opened + 1
        is_played = any(room.round <= next_one and room.over_at is None for room in tables)
        if is_played or any(number < next_one for number in last):
            break
        opened = next_one
    return opened if opened > before else 0


def _last_deals(connection: Connection, of: Class) -> list[int]:
    """The numbers of the last games of those who are here and have games to come."""
    students = connection.execute(select(GUESTS).where(GUESTS.c.class_id == of.id)).all()
    played = played_by(connection, of.id)
    present = [played.get(row.id, []) for row in students if gone_at(row) is None]
    most = of.terms.games or math.inf
    return [max((number for _, number in past), default=0) for past in present if len(past) < most]


def _waiting(connection: Connection, of: Class) -> list[Row[Any]]:
    """Those who wait and are here, in the order of their coming."""
    query = select(GUESTS).where(GUESTS.c.class_id == of.id, GUESTS.c.waits_since.is_not(None))
    rows = connection.execute(query.order_by(GUESTS.c.waits_since, GUESTS.c.id))
    return [row for row in rows if gone_at(row) is None]


def _is_anybody_busy(connection: Connection, of: Class) -> bool:
    """Whether a student is here who does not wait for a partner now."""
    query = select(GUESTS).where(GUESTS.c.class_id == of.id, GUESTS.c.waits_since.is_(None))
    return any(gone_at(row) is None for row in connection.execute(query))


def _met(connection: Connection, of: Class) -> Counter[frozenset[int]]:
    """How often each two students were at one table."""
    query = select(SEATS.c.room_id, SEATS.c.guest_id).join(ROOMS).where(ROOMS.c.class_id == of.id)
    tables: dict[int, set[int]] = {}
    for row in connection.execute(query):
        if row.guest_id is not None:
            tables.setdefault(row.room_id, set()).add(row.guest_id)
    return Counter(frozenset(table) for table in tables.values())


def _seat_odd(connection: Connection, of: Class, row: Row[Any], one: Row[Any]) -> None:
    """A place for the one who is left over: with somebody who plays the computer meanwhile, or at the computer."""
    query = select(GUESTS).join(ROOMS, ROOMS.c.id == GUESTS.c.room_id).where(GUESTS.c.class_id == of.id)
    query = query.where(ROOMS.c.over_at.is_(None))
    for other in connection.execute(query.order_by(GUESTS.c.id)).all():
        if _is_meanwhile(connection, other) and gone_at(other) is None:
            _end_meanwhile(connection, other)
            _seat(connection, of, row, [other, one])
            return
    _seat_meanwhile(connection, of, row, one)


def _seat_meanwhile(connection: Connection, of: Class, row: Row[Any], one: Row[Any]) -> None:
    """Let a student play the computer until a partner comes, once he has waited for long enough."""
    if _has_waited(one):
        _seat(connection, of, row, [one])


def _is_meanwhile(connection: Connection, guest: Row[Any]) -> bool:
    terms = connection.execute(select(ROOMS.c.terms).where(ROOMS.c.id == guest.room_id)).scalar_one()
    return bool(terms["meanwhile"])


def _end_meanwhile(connection: Connection, guest: Row[Any]) -> None:
    """End the game against the computer that a student plays until a partner comes."""
    if guest.room_id is None:
        return
    room = connection.execute(select(ROOMS).where(ROOMS.c.id == guest.room_id)).one()
    if room.over_at is None and not room.terms["meanwhile"]:
        raise Refused(f"{called(guest.name, guest.number)} is in the middle of a game.")
    close_rooms(connection, ROOMS.c.id == room.id, "A partner has come.")


def _seat(connection: Connection, of: Class, row: Row[Any], people: Sequence[Row[Any]]) -> None:
    """A room for one or two students."""
    seats = list(game_called(of.game).seats)
    played = played_by(connection, of.id)
    past = {guest.id: played.get(guest.id, []) for guest in people}
    wishes = [(guest.id, guest.wish, [seat for seat, _ in past[guest.id]]) for guest in people]
    taken = assign(seats, wishes, of.terms.seats)
    computers = of.terms.computers
    players = {seat: (PERSON, taken[seat]) if seat in taken else (computers[seat], None) for seat in seats}
    meanwhile = of.terms.people and len(people) == 1
    same = of.terms.same_deal and not meanwhile
    number = max((number for games in past.values() for _, number in games), default=0) + 1
    if same:
        number = max(number, row.opened + 1)  # never cards that somebody may have seen
    agreed = {name: getattr(of.terms, name) for name in ("clock", "away_after", "odds")}
    terms = Terms(**agreed, same_deal=same, meanwhile=meanwhile)
    make_room(
        connection,
        of.game,
        of.options,
        players,
        terms,
        seed=deal(row.seed, number) if same else None,
        class_id=of.id,
        round=number,
    )
    news.bump(connection, news.class_(of.id))


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
