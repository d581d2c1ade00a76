"""One deal at several tables: where those who had the same cards did different things."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from cmgames.engine.moves import Move
from cmgames.rooms.made import Made
from cmgames.rooms.results import Game


class Fork(msgspec.Struct, frozen=True):
    """A place at which tables that had done the same until then did different things.

    Attributes
    ----------
    move : which move of the seats it was, from 1.
    ply, turn, phase, seat : the same at all these tables.
    path : what these tables chose at the forks before.
    choices : each move with the numbers of the games in which it was made, the most frequent first.
    """

    move: int
    ply: int
    turn: int
    phase: str
    seat: str
    path: tuple[Move, ...]
    choices: tuple[tuple[Move, tuple[int, ...]], ...]

    @property
    def games(self) -> tuple[int, ...]:
        """The numbers of all games that came here."""
        return tuple(sorted(number for _, numbers in self.choices for number in numbers))


def deals(games: Iterable[Game]) -> dict[int, tuple[Game, ...]]:
    """The games that had the same cards, by their round; rounds with at least two such games."""
    found: dict[int, list[Game]] = {}
    for game in games:
        if game.same_deal:
            found.setdefault(game.round, []).append(game)
    return {number: tuple(same) for number, same in sorted(found.items()) if len(same) > 1}


def forks(games: Sequence[Game]) -> tuple[Fork, ...]:
    """Where games with the same cards parted, the earliest move first and the most tables before fewer.

    The games of a branch are followed further as long as there are two of them.
    """
    moves = {game.number: game.moves for game in games}
    found: list[Fork] = []
    branches: deque[tuple[tuple[Move, ...], int, tuple[int, ...]]] = deque([((), 0, tuple(moves))])
    while branches:
        path, at, numbers = branches.popleft()
        fork = _next_fork(moves, numbers, at, path)
        if fork is not None:
            found.append(fork)
            branches += [((*path, move), fork.move, same) for move, same in fork.choices if len(same) > 1]
    return tuple(sorted(found, key=lambda fork: (fork.move, -len(fork.games))))


def _next_fork(
    moves: Mapping[int, Sequence[Made]], numbers: Sequence[int], at: int, path: tuple[Move, ...]
) -> Fork | None:
    """The first fork of these games at move `at` (from 0) or later; None where they never part."""
    while True:
        numbers = [number for number in numbers if len(moves[number]) > at]
        chosen: dict[Move, list[int]] = {}
        for number in numbers:
            chosen.setdefault(moves[number][at].move.bare, []).append(number)
        if len(chosen) != 1:
            break
        at += 1
    if not chosen:
        return None
    here = moves[numbers[0]][at]
    assert here.ply is not None
    choices = sorted(chosen.items(), key=lambda choice: -len(choice[1]))
    ordered = tuple((move, tuple(same)) for move, same in choices)
    return Fork(at + 1, here.ply, here.turn, here.phase, here.seat, path, ordered)
