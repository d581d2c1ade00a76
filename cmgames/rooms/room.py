"""A room: a table that lives in a database as an append-only list of moves."""

from __future__ import annotations

import secrets
import time
from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

import msgspec
from sqlalchemy import ColumnElement, Connection, Row, and_, insert, select, update

from cmgames.engine.moves import IllegalMove, Move
from cmgames.engine.table import Table
from cmgames.rooms import news
from cmgames.rooms.database import Database
from cmgames.rooms.faults import Refused
from cmgames.rooms.schema import CLASSES, GUESTS, MOVES, ROOMS, SEATS
from cmgames.rooms.terms import PAUSED, PERSON, Terms

FREE = ""
"""What a seat has instead of a computer player's name."""

UNDO = "undo"
"""The text of an entry that takes back the move before it."""

SILENCE = 25.0
"""Seconds without a sign of life after which somebody is away; pages give one every 10 seconds."""

GAP = 15.0
"""Who has not read a room for so long, though it is open, was cut off; so perhaps were the others."""

GRACE = 30.0
"""So long after opening a room, or after a gap, nobody is called gone: the others come back as well."""

MOVED_ON = "The table has moved on since: look again, then choose."

How = Literal["person", "computer", "clock", "teacher"]
"""Who made a move for a seat: who sits there, a computer player, the turn clock, or the teacher."""

Rows: TypeAlias = Sequence[Row[Any]]


class MovedOn(IllegalMove):
    """Another window, the other seat or the clock was first."""

    def __init__(self) -> None:
        super().__init__(MOVED_ON)


class Gone(Refused):
    """The room is not in the database (any more)."""

    def __init__(self) -> None:
        super().__init__("This game is not here any more.")


class Seated(msgspec.Struct, frozen=True):
    """Who sits at a seat.

    Attributes
    ----------
    seat : the seat.
    player : `PERSON`, `FREE`, or the name of the computer player that plays now.
    guest : number of the guest to whom the seat belongs, if any.
    name : what the guest is called.
    promised : whether he has promised the game's manners.
    gone_at : since when he has given no sign of life; None while he is here.
    """

    seat: str
    player: str
    guest: int | None = None
    name: str = ""
    promised: bool = False
    gone_at: float | None = None

    @property
    def away(self) -> float | None:
        """For how many seconds he has been away; None while he is here."""
        return None if self.gone_at is None else max(time.time() - self.gone_at, 0.0)


class Room:
    """A table that lives in a database, as one guest or a teacher has it open.

    Parameters
    ----------
    database : where it is.
    id : the room's number.
    guest : the number of the guest who has it open; None for a teacher, who only looks on.

    Attributes
    ----------
    table : the game, as far as this process has read it.
    how : who made each move of the table, by the number of the move.
    undone : the version of the table that came of taking back a move, by the number of that move.
    seats : who sits where.
    over : whether the game was played out, or ended before.
    reason : why it was ended before its end; empty when it was not.
    paused : whether the teacher has stopped it.
    sealed : whether others still play the same cards, or may get them: this guest sees neither seed nor hands.
    class_closed : whether it belongs to a class that is over.
    topics : what to follow to hear of changes.

    Raises
    ------
    Gone
        There is no such room.
    """

    def __init__(self, database: Database, id: int, guest: int | None = None) -> None:
        self.database = database
        self.id = id
        self.guest = guest
        row, moves, seats = database.read(lambda connection: _read(connection, id))
        self.terms = msgspec.convert(row.terms, Terms)
        self.class_id: int | None = row.class_id
        self.round: int = row.round
        self.table = Table(row.game, seed=int(row.seed), salt=row.salt, deals=self.terms.deals, **row.options)
        self.how: dict[int, How] = {}
        self.undone: dict[int, int] = {}
        self._read_at = self._back_at = time.time()
        self._take(row, moves, seats)

    @property
    def topics(self) -> tuple[str, ...]:
        own = (news.room(self.id),)
        return own if self.class_id is None else (*own, news.class_(self.class_id))

    @property
    def players(self) -> dict[str, str]:
        """For each seat `PERSON`, `FREE`, or the name of the computer player."""
        return {seat: self.seats[seat].player for seat in self.table.game.seats}

    @property
    def mine(self) -> list[str]:
        """The seats at which the guest plays."""
        return [seat for seat, who in self.seats.items() if who.guest == self.guest and who.player == PERSON]

    @property
    def held(self) -> list[str]:
        """The guest's seats at which a computer player plays for him."""
        return [seat for seat, who in self.seats.items() if who.guest == self.guest and who.player != PERSON]

    @property
    def elsewhere(self) -> list[Seated]:
        """The people at this table who have other screens."""
        return [who for who in self.seats.values() if who.guest is not None and who.guest != self.guest]

    @property
    def has_place(self) -> bool:
        """Whether a seat is free."""
        return FREE in self.players.values()

    def is_gone(self, who: Seated) -> bool:
        """Whether somebody has been away for so long that the others may go on without him."""
        has_grace = time.time() - self._back_at < GRACE
        return who.player == PERSON and not has_grace and (who.away or 0) >= self.terms.away_after

    def missing(self) -> Seated | None:
        """Who is waited for and is gone."""
        if self.over or not self.mine:
            return None
        return next((who for who in self.elsewhere if who.seat == self.table.seat and self.is_gone(who)), None)

    # Reading

    def refresh(self) -> None:
        """Read what has happened since.

        Raises
        ------
        Gone
            The room was deleted.
        """
        self._take(*self.database.read(lambda connection: _read(connection, self.id, self.table.version)))
        before, self._read_at = self._read_at, time.time()
        if self._read_at - before > GAP:
            self._back_at = self._read_at

    def _take(self, row: Row[Any], moves: Rows, seats: Rows) -> None:
        """Take over what was read."""
        for move in moves:
            self._fold(move.seat, move.text, move.how)
        found = {who.seat: seated(who, self.id) for who in seats}
        self.seats = {seat: found[seat] for seat in self.table.game.seats}
        self.code: str | None = row.code
        self.over: bool = row.over_at is not None
        self.reason: str = row.reason if self.over and self.table.outcome is None else ""
        self.paused: bool = bool(row.paused) and not self.over
        self.moved_at: float = row.moved_at
        self.next_id: int | None = row.next_id
        still_played = self.terms.same_deal and not row.closed and row.round > row.opened
        self.sealed: bool = still_played and self.guest is not None
        self.class_closed = bool(row.closed)
        if self.table.outcome and not self.over:
            self._settle()

    def _fold(self, seat: str, text: str, how: How) -> None:
        """Do to the table what an entry of the list says."""
        if text == UNDO:
            self.table.undo()
            plies = len(self.table.moves)
            self.how = {ply: by for ply, by in self.how.items() if ply < plies}
            self.undone = {ply: at for ply, at in self.undone.items() if ply < plies} | {plies: self.table.version}
        else:
            self.how[len(self.table.moves)] = how
            self.table.play(text)

    # Writing

    def play(self, move: Move | str, at: int | None = None, how: How = "person", key: str = "") -> None:
        """Make a move of the seat whose move it is.

        Parameters
        ----------
        move : the move or its text.
        at : the version it was made at; None stands for the one that this process has read.
        how : who makes it.
        key : two moves with the same key are one; by default no other move has it.

        Raises
        ------
        IllegalMove
            With the reason; `MovedOn` when another one was first. Nothing has changed.
        Refused
            The game is over or stopped.
        """
        if at is not None and at != self.table.version:
            raise MovedOn
        move = Move.parse(self.table.game, move) if isinstance(move, str) else move
        if reason := self.table.why_not(move):
            raise IllegalMove(reason)
        self._append(self.table.seat or "", str(move), how, key)
        if self.table.outcome:
            self._settle()

    def undo(self, seat: str) -> None:
        """Take back the last move, which `seat` made.

        Raises
        ------
        IllegalMove
            It cannot be taken back, see `cmgames.engine.table.Table.can_undo`.
        """
        if not self.table.can_undo(seat):
            raise IllegalMove("A card has become known since: that move cannot be taken back.")
        self._append(seat, UNDO, "person", "")

    def _append(self, seat: str, text: str, how: How, key: str) -> None:
        """Add an entry to the list, if nobody else was first."""
        version, key, now = self.table.version, key or secrets.token_hex(8), time.time()

        def work(connection: Connection) -> dict[str, int]:
            row = _row(connection, self.id, lock=True)
            if row.version != version:
                return self._demand_made(connection, key)
            _demand_open(row)
            entry = {"room_id": self.id, "version": version + 1, "seat": seat, "text": text, "how": how, "key": key}
            connection.execute(insert(MOVES).values(**entry, made_at=now))
            connection.execute(update(ROOMS).where(ROOMS.c.id == self.id).values(version=version + 1, moved_at=now))
            return news.bump(connection, news.room(self.id))

        try:
            counted = self.database.write(work)
        except MovedOn:
            self.refresh()
            raise
        if not counted:
            self.refresh()
            return
        self.database.own |= counted
        self._fold(seat, text, how)
        self.moved_at = now

    def _demand_made(self, connection: Connection, key: str) -> dict[str, int]:
        """Nothing, where the move of this key is in the list; else somebody was first."""
        made = select(MOVES.c.version).where(MOVES.c.room_id == self.id, MOVES.c.key == key)
        if connection.execute(made).scalar() is None:
            raise MovedOn
        return {}

    def _settle(self) -> None:
        """Note how the game ended."""
        outcome = self.table.outcome
        if outcome is not None:
            self._close(outcome.reason, outcome.winner)

    def end(self, reason: str) -> None:
        """End the game before its end; the reason is a sentence for those at the table."""
        self._close(reason)
        self.refresh()

    def _close(self, reason: str, winner: str | None = None) -> None:
        def work(connection: Connection) -> None:
            close_rooms(connection, ROOMS.c.id == self.id, reason, winner)
            news.bump(connection, *self.topics)

        self.database.write(work)
        self.over = True

    def sit(self, seat: str, player: str) -> None:
        """Let a computer player, or the guest whose seat it is, play at a seat from now on."""
        self._change(seat, player=player)

    def promise(self, seat: str) -> None:
        """Note that the game's manners were promised."""
        self._change(seat, promised=True)

    def _change(self, seat: str, **values: object) -> None:
        def work(connection: Connection) -> None:
            here = and_(SEATS.c.room_id == self.id, SEATS.c.seat == seat)
            connection.execute(update(SEATS).where(here).values(**values))
            news.bump(connection, news.room(self.id))

        self.database.write(work)
        self.refresh()

    # The clock

    def deadline(self) -> float | None:
        """When the turn clock moves for the seat whose move it is; None while it stands still."""
        seat = self.table.seat
        stands = self.over or self.paused or self.has_place or seat is None or self.players[seat] != PERSON
        if self.terms.clock is None or stands:
            return None
        return self.moved_at + self.terms.clock + self._shown_seconds()

    def _shown_seconds(self) -> float:
        """What a computer player's last answer seemed to take: the other screen is still showing it."""
        plies = [ply for ply, how in self.how.items() if how == "computer"]
        tell = self.table.moves[plies[-1]].tell if plies else None
        return tell.seconds or 0.0 if tell is not None else 0.0

    def default(self) -> Move:
        """The move that is made for somebody who does not: the last of the legal ones, which goes on with the game."""
        return self.table.legal()[-1]

    def force(self, how: Literal["clock", "teacher"]) -> None:
        """Make the default move; whoever does so at the same time makes the same one."""
        self.play(self.default(), how=how, key=f"{how} {self.table.version}")


SEATED = (
    select(
        SEATS,
        GUESTS.c.name,
        GUESTS.c.number,
        GUESTS.c.seen_at,
        GUESTS.c.left_at,
        GUESTS.c.room_id.label("is_in"),
        ROOMS.c.moved_at,
    )
    .select_from(SEATS.join(ROOMS, ROOMS.c.id == SEATS.c.room_id).outerjoin(GUESTS, GUESTS.c.id == SEATS.c.guest_id))
    .order_by(SEATS.c.room_id)
)


def seated(row: Row[Any], room: int) -> Seated:
    """A row of `SEATED`."""
    if row.guest_id is None:
        return Seated(row.seat, row.player, promised=row.promised)
    name = called(row.name, row.number or row.guest_id)
    gone = gone_at(row) if row.is_in == room else min(row.moved_at, row.left_at or row.seen_at)
    return Seated(row.seat, row.player, row.guest_id, name, row.promised, gone)


def called(name: str, number: int) -> str:
    """What a guest is called."""
    return name or f"Player {number}"


def gone_at(row: Row[Any]) -> float | None:
    """Since when a guest has given no sign of life, or looks at something else; None while he is here."""
    if row.left_at is not None:
        since: float = row.left_at
        return since
    seen: float = row.seen_at
    return None if time.time() - seen < SILENCE else seen


def close_rooms(connection: Connection, which: ColumnElement[bool], reason: str, winner: str | None = None) -> None:
    """End the games of these rooms that are not over yet; the reason is a sentence for those at the tables."""
    still_open = and_(which, ROOMS.c.over_at.is_(None))
    values = {"over_at": time.time(), "code": None, "reason": reason, "winner": winner}
    connection.execute(update(ROOMS).where(still_open).values(**values))


def _read(connection: Connection, id: int, after: int = 0) -> tuple[Row[Any], Rows, Rows]:
    """A room's row, its moves after a version, and who sits where."""
    moves = select(MOVES).where(MOVES.c.room_id == id, MOVES.c.version > after).order_by(MOVES.c.version)
    seats = SEATED.where(SEATS.c.room_id == id)
    return _row(connection, id), connection.execute(moves).all(), connection.execute(seats).all()


def _row(connection: Connection, id: int, lock: bool = False) -> Row[Any]:
    query = select(ROOMS, CLASSES.c.paused, CLASSES.c.closed, CLASSES.c.opened).select_from(ROOMS.outerjoin(CLASSES))
    query = query.where(ROOMS.c.id == id)
    row = connection.execute(query.with_for_update(of=ROOMS) if lock else query).one_or_none()
    if row is None:
        raise Gone
    return row


def _demand_open(row: Row[Any]) -> None:
    """Refuse to change what is over or stopped."""
    if row.over_at is not None:
        raise Refused("This game is over.")
    if row.paused:
        raise Refused(PAUSED)
