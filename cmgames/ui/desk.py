"""What a sitting needs of a table: one in this process, or a room in a database (`cmgames.rooms.room.Room`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from cmgames.engine.moves import Move
from cmgames.engine.table import Table
from cmgames.rooms.terms import PERSON

if TYPE_CHECKING:
    from cmgames.rooms.room import How, Room, Seated

Desk: TypeAlias = "Here | Room"
"""A table and who sits at it; `cmgames.rooms.room.Room` describes each part."""


class Here:
    """A table that lives in this process only: a notebook's, a teacher's, a record's.

    Parameters
    ----------
    table : the game.
    players : for each seat `PERSON`, or the name of a computer player.
    """

    held: Sequence[str] = ()
    elsewhere: Sequence[Seated] = ()
    reason = ""
    paused = False
    sealed = False
    topics: tuple[str, ...] = ()

    def __init__(self, table: Table, players: Mapping[str, str]) -> None:
        self.table = table
        self.players = dict(players)
        self.mine = [seat for seat in table.game.seats if players[seat] == PERSON]
        self.how: dict[int, How] = {}
        self.undone: dict[int, int] = {}

    @property
    def over(self) -> bool:
        """Whether the game was played out."""
        return self.table.outcome is not None

    def play(self, move: Move | str, at: int | None = None, how: How = "person", key: str = "") -> None:
        """Make a move."""
        self.table.play(move, at)

    def undo(self, seat: str) -> None:
        """Take back the last move."""
        version = self.table.undo()
        self.undone = {len(self.table.moves): version}

    def refresh(self) -> None:
        """Nobody else changes this table."""

    def deadline(self) -> None:
        """There is no clock."""

    def missing(self) -> None:
        """Nobody is waited for."""
