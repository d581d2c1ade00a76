"""Random numbers that compiled games and the engine share.

A game has streams of numbers in [0, 1).  Number `n` of a stream is a pure function of the seed, the number of the game,
the stream and `n`, so that games can be played in any order, on any machine, with the same result::

    base = mix(seed + (stream + 1) G)
    key = mix(base + game G)
    unit = floor(mix(key + n G) / 2**11) / 2**53

All sums are modulo 2**64, `mix` is the output function of SplitMix64 and `G` its increment (G. L. Steele, D. Lea and
C. H. Flood, *Fast splittable pseudorandom number generators*, OOPSLA 2014).  One of `n` things is chosen as
``things[int(unit * n)]``, which is how computer players choose.

This is the plain Python; `cmgames.odds.simulation.compiled` is the same for compiled code.
"""

from __future__ import annotations

import random

SEEDS = 2**64
"""Seeds are below this."""
INCREMENT = 0x9E3779B97F4A7C15
FACTORS = 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
WORD = SEEDS - 1

CARDS, MOVES, TALK = range(3)
"""The streams: what chance draws, what the players choose, and what they choose where it changes nothing."""


def mix(word: int) -> int:
    """The output function of SplitMix64."""
    word = (word ^ word >> 30) * FACTORS[0] & WORD
    word = (word ^ word >> 27) * FACTORS[1] & WORD
    return word ^ word >> 31


def base(seed: int, stream: int) -> int:
    """What all games' keys of a stream grow from."""
    return mix(seed + (stream + 1) * INCREMENT & WORD)


class Numbers(random.Random):
    """A stream of one game, from number `at` on; only ``random()`` is of it."""

    def __init__(self, seed: int, game: int, stream: int, at: int = 0) -> None:
        super().__init__(0)
        self._key = mix(base(seed, stream) + game * INCREMENT & WORD)
        self._next = at

    def random(self) -> float:
        """The next number, at least 0 and below 1."""
        number, self._next = self._next, self._next + 1
        return (mix(self._key + number * INCREMENT & WORD) >> 11) * 2.0**-53
