"""The rooms of a database: opened, found, entered, left."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import msgspec
from sqlalchemy import Connection, Row, and_, delete, insert, or_, select, update

from cmgames.engine import chance
from cmgames.engine.registry import game as game_called
from cmgames.rooms import codes, news
from cmgames.rooms.database import Database
from cmgames.rooms.faults import Refused
from cmgames.rooms.guests import Guest, Guests, lets_in
from cmgames.rooms.news import News
from cmgames.rooms.room import FREE, Gone, Room, called
from cmgames.rooms.schema import CLASSES, GUESTS, ROOMS, SEATS, TRIES
from cmgames.rooms.terms import PERSON, Terms
from cmgames.rooms.tries import Tries

DAYS = 30
"""A game outside a class that nobody has touched for so long is thrown away."""


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
        self.guests = Guests(database)
        self.news = News(database)
        self.tries = Tries(database)

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
            "guest": select(GUESTS.c.id).where(lets_in(code)),
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
