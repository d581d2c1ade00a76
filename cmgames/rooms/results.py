"""The results of a class: its games, read from the database and played again.

What can be counted in them is in `cmgames.rooms.counts`, one deal at several tables in `cmgames.rooms.same_deal`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec
from msgspec.structs import replace
from sqlalchemy import Connection, Row, select

from cmgames.engine import registry
from cmgames.engine.game import CHANCE, AnyGame
from cmgames.engine.table import Table
from cmgames.rooms.database import Database
from cmgames.rooms.faults import Refused
from cmgames.rooms.made import Made, replay
from cmgames.rooms.room import SEATED, called
from cmgames.rooms.schema import CLASSES, MOVES, ROOMS, SEATS
from cmgames.rooms.terms import Terms

Ending = Literal["played out", "ended early", "in play"]
"""How far a game has come: to its end by the rules, broken off, or not yet to an end."""


class Who(msgspec.Struct, frozen=True):
    """Who has a seat.

    Attributes
    ----------
    guest : the student's number in the database; None for a computer player.
    number : the student's number within the class; 0 for a computer player.
    name : what the student, or the computer player, is called.
    """

    guest: int | None
    number: int
    name: str


class Game(msgspec.Struct, frozen=True, kw_only=True):
    """One game of a class.

    Attributes
    ----------
    room : the room's number in the database.
    number : its number within the class, from 1: the teacher's board calls it so.
    version : how many entries its list of moves has.
    round : which game it was for those who played it, from 1.
    same_deal : other tables had the same cards in this round.
    meanwhile : it was played against a computer player until a partner came.
    who : who has each seat.
    table : the game itself.
    made : all that was done, in order; what was taken back too.
    opened : seconds from the opening of the class to that of the room.
    lasted : seconds from the opening of the room to its end, or to its last move so far.
    over : nobody can move any more.
    broken_off : why it was ended before its end; empty when it was not.
    """

    room: int
    number: int
    version: int
    round: int
    same_deal: bool
    meanwhile: bool
    who: Mapping[str, Who]
    table: Table
    made: tuple[Made, ...]
    opened: float
    lasted: float
    over: bool
    broken_off: str

    @property
    def ending(self) -> Ending:
        """How far it has come."""
        if self.table.outcome is not None:
            return "played out"
        return "ended early" if self.over else "in play"

    @property
    def winner(self) -> str | None:
        """The seat that has won, if any."""
        return None if self.table.outcome is None else self.table.outcome.winner

    @property
    def people(self) -> tuple[str, ...]:
        """The seats that students have."""
        return tuple(seat for seat, who in self.who.items() if who.guest is not None)

    @property
    def moves(self) -> tuple[Made, ...]:
        """The moves of the seats, without those that were taken back."""
        return tuple(made for made in self.made if made.seat != CHANCE and not made.undone and made.ply is not None)


class ClassResults(msgspec.Struct, frozen=True, kw_only=True):
    """A class and all that was done in it.

    Attributes
    ----------
    id, code, closed : of the class.
    rules : the game that it plays, under its options.
    games : its games, in the order in which they were opened.
    damaged : the numbers of games that cannot be played again.
    """

    id: int
    code: str
    closed: bool
    rules: AnyGame
    games: tuple[Game, ...]
    damaged: tuple[int, ...] = ()

    @property
    def stamp(self) -> object:
        """Equal for two loads between which nothing has changed."""
        games = tuple((game.room, game.version, game.over, *game.who.values()) for game in self.games)
        return (self.closed, self.damaged, games)


# Reading


def load(database: Database, class_id: int, before: ClassResults | None = None) -> ClassResults:
    """The results of a class, in four queries.

    Parameters
    ----------
    before : what was loaded earlier: games in which nothing has happened since are not played again.

    Raises
    ------
    Refused
        There is no such class (any more).
    DatabaseFault
        The database does not answer.
    """
    known = {} if before is None else {game.room: game for game in before.games}
    of_class, rooms, seats, moves = database.read(lambda connection: _rows(connection, class_id, known))
    rules = registry.game(of_class.game)
    games, damaged = [], []
    for number, room in enumerate(rooms, 1):
        who = {seat: seats[room.id][seat] for seat in rules.seats}
        old = known.get(room.id)
        game = old if _is_same(old, room) else _game(number, room, moves.get(room.id, []), of_class.made_at)
        if game is None:
            damaged.append(number)
        else:
            games.append(replace(game, who=who))
    return ClassResults(
        id=class_id,
        code=of_class.code,
        closed=of_class.closed,
        rules=rules(rules.Options.make(of_class.options)),
        games=tuple(games),
        damaged=tuple(damaged),
    )


def _rows(connection: Connection, class_id: int, known: Mapping[int, Game]) -> tuple[Any, ...]:
    """The class, its rooms, who has each seat, and the moves of the rooms that are not known yet."""
    of_class = connection.execute(select(CLASSES).where(CLASSES.c.id == class_id)).one_or_none()
    if of_class is None:
        raise Refused("This class is not here any more.")
    rooms = connection.execute(select(ROOMS).where(ROOMS.c.class_id == class_id).order_by(ROOMS.c.id)).all()
    in_class = select(ROOMS.c.id).where(ROOMS.c.class_id == class_id)
    seats: dict[int, dict[str, Who]] = {}
    for row in connection.execute(SEATED.where(SEATS.c.room_id.in_(in_class))):
        seats.setdefault(row.room_id, {})[row.seat] = _who(row)
    changed = [room.id for room in rooms if not _is_same(known.get(room.id), room)]
    moves: dict[int, list[Row[Any]]] = {}
    query = select(MOVES).where(MOVES.c.room_id.in_(changed)).order_by(MOVES.c.room_id, MOVES.c.version)
    for move in connection.execute(query):
        moves.setdefault(move.room_id, []).append(move)
    return of_class, rooms, seats, moves


def _who(row: Row[Any]) -> Who:
    if row.guest_id is None:
        return Who(None, 0, row.player)
    number = row.number or row.guest_id
    return Who(row.guest_id, number, called(row.name, number))


def _is_same(game: Game | None, room: Row[Any]) -> bool:
    """Whether nothing has happened in a room since its game was loaded."""
    return game is not None and game.version == room.version and game.over == _is_over(game.table, room)


def _is_over(table: Table, room: Row[Any]) -> bool:
    return table.outcome is not None or room.over_at is not None


def _game(number: int, room: Row[Any], entries: Sequence[Row[Any]], opened_at: float) -> Game | None:
    """The game of a room; None where it cannot be played again."""
    terms = msgspec.convert(room.terms, Terms)
    try:
        table = Table(room.game, seed=int(room.seed), salt=room.salt, deals=terms.deals, **room.options)
        made = replay(table, entries, room.made_at)
    except ValueError:
        return None
    last = entries[-1].made_at if entries else room.made_at
    over = _is_over(table, room)
    return Game(
        room=room.id,
        number=number,
        version=room.version,
        round=room.round,
        same_deal=terms.same_deal,
        meanwhile=terms.meanwhile,
        who={},
        table=table,
        made=made,
        opened=room.made_at - opened_at,
        lasted=(room.over_at or last) - room.made_at,
        over=over,
        broken_off=room.reason if over and table.outcome is None else "",
    )
