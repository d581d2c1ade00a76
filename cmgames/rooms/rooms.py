"""The rooms of a database, and the guests who come and go."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Connection, Row, and_, delete, func, insert, or_, select, update

from cmgames.engine import chance
from cmgames.engine.registry import game as game_called
from cmgames.rooms import codes, news
from cmgames.rooms.database import Database
from cmgames.rooms.faults import Refused
from cmgames.rooms.news import News
from cmgames.rooms.room import FREE, Gone, Room, called, gone_at
from cmgames.rooms.schema import CLASSES, GUESTS, ROOMS, SEATS, TRIES
from cmgames.rooms.terms import NAME_LENGTH, PERSON, Terms
from cmgames.rooms.tries import Tries

FRESH = 5.0
"""A sign of life within so many seconds of the same page's last one needs no writing."""

DAYS = 30
"""A game outside a class that nobody has touched for so long is thrown away."""


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


class Past(msgspec.Struct, frozen=True):
    """A finished game: the room's number, the game's title, the guest's seat and its title, how it ended for him."""

    room: int
    title: str
    seat: str
    seat_title: str
    how: str


class InPlay(msgspec.Struct, frozen=True):
    """A game that is still in play with somebody else: the room's number, the game's title, whom the guest plays."""

    room: int
    title: str
    other: str


class Rooms:
    """All rooms of a database.

    Parameters
    ----------
    database : made ready by `cmgames.rooms.database.prepare`.
    """

    def __init__(self, database: Database) -> None:
        self.database = database
        self.news = News(database)
        self.tries = Tries(database)

    # Guests

    def guest(self, token: str) -> Guest | None:
        """The guest whose browser keeps this token; None when there is none (any more)."""
        query = select(GUESTS).where(GUESTS.c.token == codes.hashed(token))
        row = self.database.read(lambda connection: connection.execute(query).one_or_none())
        return None if row is None else as_guest(row)

    def admit(self, name: str = "") -> tuple[Guest, str]:
        """A new guest, and the token that only its browser may know."""
        token, now = codes.new_token(), time.time()
        values = {"token": codes.hashed(token), "name": name, "made_at": now, "seen_at": now}
        made = insert(GUESTS).values(**values).returning(GUESTS)
        return self.database.write(lambda connection: as_guest(connection.execute(made).one())), token

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
            return as_guest(connection.execute(who.returning(GUESTS)).one())

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
        who = update(GUESTS).where(_lets_in(code)).values(token=codes.hashed(token), way_in=None)

        def work(connection: Connection) -> Guest:
            row = connection.execute(who.returning(GUESTS)).one_or_none()
            if row is None:
                raise Refused("This code has ended: ask your teacher for a new one.")
            news.bump(connection, news.guest(row.id))
            return as_guest(row)

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

    # Rooms

    def open(
        self,
        guest: Guest,
        game: str,
        options: Mapping[str, Any],
        players: Mapping[str, str],
        terms: Terms | None = None,
    ) -> Room:
        """A new room, in which the guest has all seats of people.

        Parameters
        ----------
        game, options : what is played.
        players : for each seat `PERSON` (the guest), `FREE` (it waits for another one, and the room has a code), or the
            name of a computer player.
        terms : what was agreed.

        Raises
        ------
        ValueError
            No game can be played with these options, or dealt with these cards.
        """
        seats = {seat: (player, guest.id if player == PERSON else None) for seat, player in players.items()}

        def work(connection: Connection) -> int:
            code = free_code(connection) if FREE in players.values() else None
            return make_room(connection, game, options, seats, terms or Terms(), code=code)

        return Room(self.database, self.database.write(work), guest.id)

    def enter(self, guest: Guest) -> Room | None:
        """The room in which the guest was when he was read."""
        if guest.room_id is None:
            return None
        room = Room(self.database, guest.room_id, guest.id)
        return room if room.next_id is None or not room.over else self._next(room)

    def _next(self, room: Room) -> Room:
        """The game that the other one has begun with the same people; the old one where there is none any more."""
        try:
            return Room(self.database, room.next_id or 0, room.guest)
        except Gone:
            return room

    def unfinished(self, guest: Guest, class_id: int) -> Room | None:
        """The game of a class that the guest has begun and not ended; he goes back there."""
        query = select(ROOMS.c.id).join(SEATS, SEATS.c.room_id == ROOMS.c.id).order_by(ROOMS.c.id.desc()).limit(1)
        query = query.where(SEATS.c.guest_id == guest.id, ROOMS.c.class_id == class_id, ROOMS.c.over_at.is_(None))

        def work(connection: Connection) -> int | None:
            id: int | None = connection.execute(query).scalar()
            if id is not None:
                go_to(connection, guest.id, id)
                news.bump(connection, news.room(id))
            return id

        room = self.database.write(work)
        return None if room is None else Room(self.database, room, guest.id)

    def in_play(self, guest: Guest) -> list[InPlay]:
        """The guest's games with others, outside of classes, that are not over; the one that moved last comes first."""
        mine, other = SEATS.alias(), SEATS.alias()
        query = (
            select(ROOMS.c.id, ROOMS.c.game, other.c.guest_id, GUESTS.c.name, GUESTS.c.number)
            .join(mine, and_(mine.c.room_id == ROOMS.c.id, mine.c.guest_id == guest.id))
            .join(other, and_(other.c.room_id == ROOMS.c.id, other.c.seat != mine.c.seat))
            .outerjoin(GUESTS, GUESTS.c.id == other.c.guest_id)
            .where(ROOMS.c.over_at.is_(None), ROOMS.c.class_id.is_(None))
            .where(or_(other.c.player == FREE, other.c.guest_id != guest.id))
            .order_by(ROOMS.c.moved_at.desc())
        )
        rows = self.database.read(lambda connection: connection.execute(query).all())
        return [_in_play(*row) for row in rows]

    def go_back(self, guest: Guest, room: int) -> Room:
        """Let the guest be in one of his games that are in play.

        Raises
        ------
        Refused
            It is none of his, or over.
        """
        if room not in [game.room for game in self.in_play(guest)]:
            raise Refused("This game is over.")

        def work(connection: Connection) -> None:
            go_to(connection, guest.id, room)
            news.bump(connection, news.room(room))

        self.database.write(work)
        return Room(self.database, room, guest.id)

    def leave(self, guest: Guest) -> None:
        """Let the guest be in no room; his seat stays his."""
        where = update(GUESTS).where(GUESTS.c.id == guest.id).values(room_id=None, waits_since=None)

        def work(connection: Connection) -> None:
            room = connection.execute(select(GUESTS.c.room_id).where(GUESTS.c.id == guest.id)).scalar()
            connection.execute(where)
            news.bump(connection, *([news.room(room)] if room else []))

        self.database.write(work)

    def find(self, code: str) -> tuple[str, int] | None:
        """What a code stands for, and its number: a ``room``, a ``class``, or as a way in a ``guest``."""
        tidy = codes.tidy(code)
        where = {
            "room": select(ROOMS.c.id).where(ROOMS.c.code == tidy),
            "class": select(CLASSES.c.id).where(CLASSES.c.code == tidy),
            "guest": select(GUESTS.c.id).where(_lets_in(code)),
        }

        def work(connection: Connection) -> tuple[str, int] | None:
            for what, query in where.items():
                id = connection.execute(query).scalar()
                if id is not None:
                    return what, id
            return None

        return self.database.read(work)

    def free_seats(self, room: int) -> tuple[str, list[str]]:
        """The game of a room, and its free seats."""
        found = Room(self.database, room)
        return found.table.game.name, [seat for seat, player in found.players.items() if player == FREE]

    def join(self, guest: Guest, room: int, seat: str) -> Room:
        """Take a free seat.

        Raises
        ------
        Refused
            Somebody sits there, the game is not there any more, or too many have asked for a seat that is taken.
        """
        name = f"seat of room {room}"
        self.tries.demand(name)

        def work(connection: Connection) -> None:
            open_room = and_(ROOMS.c.id == room, ROOMS.c.over_at.is_(None))
            if connection.execute(select(ROOMS.c.id).where(open_room).with_for_update()).scalar() is None:
                raise Refused("This game is over.")
            at = select(SEATS).where(SEATS.c.room_id == room)
            seats = {row.seat: row for row in connection.execute(at)}
            if any(row.guest_id == guest.id for row in seats.values()):
                raise Refused("You sit at this table already, in this browser. Your friend needs another one.")
            if seat not in seats or seats[seat].player != FREE:
                raise Refused("Somebody already sits there.")
            place = and_(SEATS.c.room_id == room, SEATS.c.seat == seat)
            connection.execute(update(SEATS).where(place).values(player=PERSON, guest_id=guest.id))
            connection.execute(update(ROOMS).where(ROOMS.c.id == room).values(moved_at=time.time()))
            go_to(connection, guest.id, room)
            news.bump(connection, news.room(room))

        try:
            self.database.write(work)
        except Refused:
            self.tries.count(name)
            raise
        return Room(self.database, room, guest.id)

    def again(self, room: Room, guest: Guest) -> Room:
        """The room in which the same people play once more: a new one, or the one that the other has made."""

        def work(connection: Connection) -> int:
            row = connection.execute(select(ROOMS).where(ROOMS.c.id == room.id).with_for_update()).one()
            id: int | None = row.next_id
            if id is None or connection.execute(select(ROOMS.c.id).where(ROOMS.c.id == id)).scalar() is None:
                seats = {who.seat: (PERSON if who.guest else who.player, who.guest) for who in room.seats.values()}
                id = make_room(connection, row.game, row.options, seats, room.terms, go=False)
                connection.execute(update(ROOMS).where(ROOMS.c.id == room.id).values(next_id=id))
                news.bump(connection, news.room(room.id))
            go_to(connection, guest.id, id)
            news.bump(connection, news.room(id))
            return id

        return Room(self.database, self.database.write(work), guest.id)

    def history(self, guest: Guest, class_id: int | None = None) -> list[Past]:
        """The guest's finished games, the newest first: all, or those of a class, the games of the meantime apart."""
        query = (
            select(ROOMS, SEATS.c.seat)
            .join(SEATS, SEATS.c.room_id == ROOMS.c.id)
            .where(SEATS.c.guest_id == guest.id, ROOMS.c.over_at.is_not(None))
            .order_by(ROOMS.c.over_at.desc())
        )
        if class_id is not None:
            query = query.where(ROOMS.c.class_id == class_id)
        rows = self.database.read(lambda connection: connection.execute(query).all())
        return [_past(row) for row in rows if class_id is None or not row.terms["meanwhile"]]

    def has_past(self, guest: Guest) -> bool:
        """Whether the guest has finished a game."""
        query = select(ROOMS.c.id).join(SEATS, SEATS.c.room_id == ROOMS.c.id).limit(1)
        query = query.where(SEATS.c.guest_id == guest.id, ROOMS.c.over_at.is_not(None))
        return self.database.read(lambda connection: connection.execute(query).first()) is not None

    def status(self, guest: Guest) -> tuple[Guest | None, str]:
        """The guest as he is now, and what the teacher of his class tells everybody."""
        query = select(GUESTS, CLASSES.c.message).select_from(GUESTS.outerjoin(CLASSES)).where(GUESTS.c.id == guest.id)
        row = self.database.read(lambda connection: connection.execute(query).one_or_none())
        return (None, "") if row is None else (as_guest(row), row.message or "")

    def sweep(self) -> None:
        """Throw away what nobody has touched for `DAYS`; classes stay until their teacher deletes them."""
        before = time.time() - DAYS * 86400
        own = select(SEATS.c.room_id).join(GUESTS).where(GUESTS.c.seen_at >= before)

        def work(connection: Connection) -> None:
            lonely = and_(ROOMS.c.class_id.is_(None), ROOMS.c.moved_at < before, ROOMS.c.id.not_in(own))
            connection.execute(delete(ROOMS).where(lonely))
            gone = and_(GUESTS.c.class_id.is_(None), GUESTS.c.seen_at < before)
            connection.execute(delete(GUESTS).where(gone))
            connection.execute(delete(TRIES).where(TRIES.c.since < before))

        self.database.write(work)


def _tell_around(connection: Connection, row: Row[Any]) -> None:
    """Let those at a guest's table and in his class look at him again."""
    topics = [news.room(row.room_id)] if row.room_id else []
    news.bump(connection, *topics, *([news.class_(row.class_id)] if row.class_id else []))


def _lets_in(code: str) -> ColumnElement[bool]:
    """Whether a code is a guest's way in."""
    return and_(GUESTS.c.way_in == codes.hashed(codes.tidy(code)), GUESTS.c.way_in_until > time.time())


def _own_name(connection: Connection, class_id: int, name: str, number: int) -> str:
    """A name that nobody else has in a class: with the student's number, where somebody has it."""
    same = select(GUESTS.c.id).where(GUESTS.c.class_id == class_id, GUESTS.c.name == name)
    if not name or connection.execute(same).first() is None:
        return name
    return f"{name[: NAME_LENGTH - 5]} ({number})"


def as_guest(row: Row[Any]) -> Guest:
    """A row of `GUESTS`."""
    return Guest(row.id, row.name, row.number, row.class_id, row.room_id, row.waits_since, row.token, row.wish)


def _past(row: Row[Any]) -> Past:
    rules = game_called(row.game)
    how = "ended early" if row.winner is None else "won" if row.winner == row.seat else "lost"
    return Past(row.id, rules.title, row.seat, rules.seats[row.seat].title, how)


def _in_play(id: int, game: str, other: int | None, name: str, number: int) -> InPlay:
    """A game, and its other guest."""
    who = "a friend who has not come yet" if other is None else called(name, number or other)
    return InPlay(id, game_called(game).title, who)


def free_code(connection: Connection) -> str:
    """A code that stands for nothing yet."""
    while True:
        code = codes.new_code()
        used = [select(table.c.id).where(table.c.code == code) for table in (ROOMS, CLASSES)]
        if all(connection.execute(query).scalar() is None for query in used):
            return code


def make_room(
    connection: Connection,
    game: str,
    options: Mapping[str, Any],
    seats: Mapping[str, tuple[str, int | None]],
    terms: Terms,
    *,
    code: str | None = None,
    seed: int | None = None,
    go: bool = True,
    **values: Any,
) -> int:
    """A new room; its people go there at once, unless they are to be asked.

    Parameters
    ----------
    seats : for each seat the player and the number of the guest, if any.
    code : lets others ask for a free seat.
    seed : decides the cards; by default nobody can guess them.
    go : whether the guests are in this room from now on.
    **values : other columns of `ROOMS`.

    Returns
    -------
    int
        The room's number.
    """
    now = time.time()
    row = {
        "game": game,
        "options": dict(options),
        "seed": str(chance.new_seed() if seed is None else seed),
        "salt": chance.new_salt(),
        "terms": terms.to_dict(),
        "code": code,
        "made_at": now,
        "moved_at": now,
        **values,
    }
    id: int = connection.execute(insert(ROOMS).values(**row).returning(ROOMS.c.id)).scalar_one()
    for seat, (player, guest) in seats.items():
        connection.execute(insert(SEATS).values(room_id=id, seat=seat, player=player, guest_id=guest))
    for guest in {guest for _, guest in seats.values() if guest is not None} if go else ():
        go_to(connection, guest, id)
    return id


def go_to(connection: Connection, guest: int, room: int) -> None:
    """Let a guest be in a room; those in the room that he leaves hear of it."""
    who = GUESTS.c.id == guest
    before = connection.execute(select(GUESTS.c.room_id).where(who)).scalar()
    connection.execute(update(GUESTS).where(who).values(room_id=room, waits_since=None, partner=None))
    news.bump(connection, news.guest(guest), *([news.room(before)] if before and before != room else []))
