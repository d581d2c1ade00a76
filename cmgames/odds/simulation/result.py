"""What comes out of a simulation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

Rows = npt.NDArray[np.int32]
"""A row for each game: who has won (0 the first seat, 1 the second, 2 nobody), the number of turns, and the score."""

Play = Callable[[int, int, int], Rows]
"""``play(seed, first, games)``: the rows of so many games, from game number `first` on."""

Endings = Counter[tuple[int, int]]
"""How many games ended with each winner after each number of turns."""


class Part(NamedTuple):
    """Some games of a simulation, and the CPU seconds that they took."""

    endings: Endings
    seconds: float


class Result(msgspec.Struct, frozen=True):
    """A simulation.

    Attributes
    ----------
    seats : the game's seats.
    endings : how many games ended with each winner (number of the seat; 2: nobody) after each number of turns.
    seconds : CPU time on all workers, without compilation.
    """

    seats: tuple[str, ...]
    endings: Endings
    seconds: float

    @property
    def games(self) -> int:
        """How many games were played."""
        return self.endings.total()

    @property
    def wins(self) -> dict[str, int]:
        """How many games each seat has won."""
        return {seat: self._won(number) for number, seat in enumerate(self.seats)}

    @property
    def draws(self) -> int:
        """How many games nobody has won."""
        return self._won(len(self.seats))

    @property
    def turns(self) -> Counter[int]:
        """How many games took each number of turns."""
        lengths: Counter[int] = Counter()
        for (_, turns), games in sorted(self.endings.items()):
            lengths[turns] += games
        return lengths

    def _won(self, winner: int) -> int:
        return sum(games for (won, _), games in self.endings.items() if won == winner)


def count(rows: Rows) -> Endings:
    """The endings of games."""
    width = int(rows[:, 1].max(initial=0)) + 1
    cells = np.bincount(rows[:, 0] * width + rows[:, 1])
    return Counter({divmod(int(cell), width): int(cells[cell]) for cell in np.flatnonzero(cells)})
