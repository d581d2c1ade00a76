"""What compiled games are made with: the decorator, and the random numbers of `cmgames.odds.simulation.numbers`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
import numpy as np

from cmgames.odds.simulation import numbers

Function = TypeVar("Function", bound=Callable[..., Any])

INCREMENT = np.uint64(numbers.INCREMENT)
FIRST, SECOND = map(np.uint64, numbers.FACTORS)
SHIFTS = np.uint64(30), np.uint64(27), np.uint64(31)
UNIT_SHIFT, UNIT = np.uint64(11), 2.0**-53


def compiled(function: Function) -> Function:
    """Compile a function when it is first called, and let threads run it side by side.

    The machine code is kept on disk until the function's own file changes.  After a change of what it uses from other
    files, delete ``__pycache__``.
    """
    return cast(Function, numba.njit(cache=True, nogil=True, error_model="numpy")(function))


@compiled
def mix(word: np.uint64) -> np.uint64:
    """The output function of SplitMix64."""
    word = (word ^ (word >> SHIFTS[0])) * FIRST
    word = (word ^ (word >> SHIFTS[1])) * SECOND
    return word ^ (word >> SHIFTS[2])


@compiled
def key(base: np.uint64, game: int) -> np.uint64:
    """The key of a game's stream."""
    return mix(base + np.uint64(game) * INCREMENT)


@compiled
def below(key: np.uint64, number: int, size: int) -> int:
    """An index below `size`, by number `number` of a stream."""
    return int(np.int64(np.float64(np.int64(mix(key + np.uint64(number) * INCREMENT) >> UNIT_SHIFT)) * UNIT * size))
