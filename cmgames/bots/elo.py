"""Ratings of players whose seats differ: Bradley and Terry's model, with the advantage of the seat as a parameter.

The player i of the first seat beats the player j of the second one with probability ::

    P(i beats j) = 1 / (1 + 10 ** -((advantage + rating i - rating j) / 400))

(R. A. Bradley and M. E. Terry, *Rank analysis of incomplete block designs*, Biometrika 39, 1952; the scale is A. E.
Elo's).  Players of different seats never stand on one side, so that ratings can be compared within a seat only: those
of each seat add up to 0.  The ratings are the likeliest ones, found by Newton's method.  A drawn game is half a win and
half a loss, and each pairing has one drawn game more than was played, so that who wins all his games has a rating too.

The intervals take each deal as one observation, since all pairings are played on the same deals, and they hold even
where the model does not: the *sandwich* of H. White (*Maximum likelihood estimation of misspecified models*,
Econometrica 50, 1982), summed by deals as in K.-Y. Liang and S. L. Zeger (Biometrika 73, 1986).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from math import exp, log, sqrt
from typing import NamedTuple

Vector = list[float]
Matrix = list[Vector]

SCALE = 400 / log(10)
"""Elo points for a factor of e in the odds."""
Z = 1.959964
"""Of a normal variable, 95 % lie within so many standard deviations."""
CLOSE = 1e-10
"""Newton's method ends when no parameter moves by more than this."""


class Score(NamedTuple):
    """The result of one game: who sat where on which deal, and the share of the win that the first seat got."""

    deal: int
    first: str
    second: str
    share: float


class Rating(NamedTuple):
    """A rating in Elo points, with its 95 % interval."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:+.0f} ({self.low:+.0f} to {self.high:+.0f})"


class Ratings(NamedTuple):
    """The ratings of a round robin.

    Attributes
    ----------
    advantage : of the first seat, between players who are both average for their seats.
    first, second : the ratings of the players of the first and of the second seat.
    """

    advantage: Rating
    first: dict[str, Rating]
    second: dict[str, Rating]


def rate(scores: Iterable[Score]) -> Ratings:
    """Fit the model to the games of a round robin in which every player of one seat meets every player of the other.

    Raises
    ------
    ValueError
        There are no games.
    """
    scores = list(scores)
    first, second = (list(dict.fromkeys(names)) for names in zip(*((s.first, s.second) for s in scores), strict=True))
    rows = {(i, j): _row(i, j, first, second) for i in first for j in second}
    free = _newton(rows, _totals(scores))
    bread = _inverse(_information(rows, _totals(scores), free))
    meat = _outer_sum(_scores_by_deal(rows, scores, free).values())
    spread = _times(_times(bread, meat), bread)

    def rating(weights: Vector) -> Rating:
        value = SCALE * _dot(weights, free)
        half = Z * SCALE * sqrt(_dot(weights, [_dot(line, weights) for line in spread]))
        return Rating(value, value - half, value + half)

    return Ratings(
        rating([1.0] + [0.0] * (len(free) - 1)),
        {name: rating([0.0, *_effect(name, first), *[0.0] * (len(second) - 1)]) for name in first},
        {name: rating([0.0, *[0.0] * (len(first) - 1), *_effect(name, second)]) for name in second},
    )


# The model


def _effect(name: str, names: list[str]) -> Vector:
    """A player's rating in the free parameters: one for each player but the last, whose rating makes the sum 0."""
    place = names.index(name)
    return [-1.0 if name == names[-1] else float(place == other) for other in range(len(names) - 1)]


def _row(i: str, j: str, first: list[str], second: list[str]) -> Vector:
    """The logarithm of the odds that i beats j, in the free parameters."""
    return [1.0, *_effect(i, first), *(-weight for weight in _effect(j, second))]


def _totals(scores: list[Score]) -> dict[tuple[str, str], tuple[float, float]]:
    """For each pairing the shares of the first seat and the games, one drawn game included."""
    totals: dict[tuple[str, str], tuple[float, float]] = defaultdict(lambda: (0.5, 1.0))
    for _, first, second, share in scores:
        won, games = totals[first, second]
        totals[first, second] = won + share, games + 1
    return totals


def _chance(row: Vector, free: Vector) -> float:
    return 1 / (1 + exp(-_dot(row, free)))


def _newton(rows: Mapping[tuple[str, str], Vector], totals: Mapping[tuple[str, str], tuple[float, float]]) -> Vector:
    """The likeliest free parameters; the logarithm of the likelihood is concave."""
    free = [0.0] * len(next(iter(rows.values())))
    while True:
        slope = [0.0] * len(free)
        for pair, (won, games) in totals.items():
            slope = _plus(slope, rows[pair], won - games * _chance(rows[pair], free))
        step = [_dot(line, slope) for line in _inverse(_information(rows, totals, free))]
        free = _plus(free, step, 1 / max(1.0, *map(abs, step)))
        if max(map(abs, step)) < CLOSE:
            return free


def _information(
    rows: Mapping[tuple[str, str], Vector], totals: Mapping[tuple[str, str], tuple[float, float]], free: Vector
) -> Matrix:
    """Fisher's information."""
    size = len(free)
    found = [[0.0] * size for _ in range(size)]
    for pair, (_, games) in totals.items():
        row, chance = rows[pair], _chance(rows[pair], free)
        found = [
            _plus(line, row, games * chance * (1 - chance) * weight) for line, weight in zip(found, row, strict=True)
        ]
    return found


def _scores_by_deal(rows: Mapping[tuple[str, str], Vector], scores: list[Score], free: Vector) -> dict[int, Vector]:
    """For each deal, the slope of the logarithm of its likelihood."""
    by_deal: dict[int, Vector] = defaultdict(lambda: [0.0] * len(free))
    chances = {pair: _chance(row, free) for pair, row in rows.items()}
    for deal, first, second, share in scores:
        by_deal[deal] = _plus(by_deal[deal], rows[first, second], share - chances[first, second])
    return by_deal


# Vectors and matrices


def _dot(left: Vector, right: Vector) -> float:
    return sum(a * b for a, b in zip(left, right, strict=True))


def _plus(left: Vector, right: Vector, times: float) -> Vector:
    return [a + times * b for a, b in zip(left, right, strict=True)]


def _times(left: Matrix, right: Matrix) -> Matrix:
    return [[_dot(line, list(column)) for column in zip(*right, strict=True)] for line in left]


def _outer_sum(vectors: Iterable[Vector]) -> Matrix:
    """The sum of the outer products of vectors with themselves."""
    columns = [list(column) for column in zip(*vectors, strict=True)]
    return [[_dot(left, right) for right in columns] for left in columns]


def _inverse(matrix: Matrix) -> Matrix:
    """The inverse of a positive definite matrix, by Gauss and Jordan."""
    size = len(matrix)
    rows = [[*line, *(float(i == j) for j in range(size))] for i, line in enumerate(matrix)]
    for pivot in range(size):
        rows[pivot] = [value / rows[pivot][pivot] for value in rows[pivot]]
        for other in range(size):
            if other != pivot:
                rows[other] = _plus(rows[other], rows[pivot], -rows[other][pivot])
    return [line[size:] for line in rows]
