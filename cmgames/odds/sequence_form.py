"""Small games solved by linear programming over sequences.

A *sequence* is the list of a seat's own moves up to an information set.  A strategy is a weight for each sequence: 1
for the empty one, and at each information set the weights of its moves add up to the weight of the sequence that leads
there.  Payoffs are linear in the weights of both seats, so that the best strategy against a best response is a linear
program whose size is that of the tree (D. Koller, N. Megiddo and B. von Stengel, Efficient computation of equilibria
for extensive two-person games, Games and Economic Behavior 14, 1996).
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import coo_array, csr_array, hstack

from cmgames.engine.game import AnyGame
from cmgames.engine.moves import Move
from cmgames.odds.tree import Chance, Decision, End, Node, Seen, Strategy, exploitability, grow

SOLVED = 1e-9
"""Weights of sequences below this are those of moves that are never made."""


class Equilibrium(NamedTuple):
    """An equilibrium of a small game.

    Attributes
    ----------
    value : what the game's first seat gets on average: 1 for a win, -1 for a loss.
    strategy : for each seat and information set how often each move is made.
    exploitability : how far from an equilibrium the strategy is, by best responses in the tree.
    nodes : of the tree, ends included.
    """

    value: float
    strategy: Strategy
    exploitability: float


def solve(rules: AnyGame) -> Equilibrium:
    """Solve a small game for two seats, of which one wins what the other loses.

    Raises
    ------
    ValueError
        The tree is too large (see `cmgames.odds.tree.grow`).
    """
    root = grow(rules)
    first, second = rules.seats
    form = _Form(root, first, second)
    strategy = {**form.play(first), **form.play(second)}
    return Equilibrium(form.value(first), strategy, exploitability(root, (first, second), strategy))


class _Sequences:
    """A seat's sequences by number, and its information sets: what leads there, and what its moves lead to."""

    def __init__(self) -> None:
        self.number: dict[tuple[Seen, Move] | None, int] = {None: 0}
        self.sets: dict[Seen, tuple[int, list[tuple[Move, int]]]] = {}

    def meet(self, node: Decision, leads: int) -> list[int]:
        """The numbers of a node's moves; `leads` is the number of the sequence that leads there."""
        if node.seen not in self.sets:
            moves = [(move, self.number.setdefault((node.seen, move), len(self.number))) for move in node.moves]
            self.sets[node.seen] = leads, moves
        return [number for _, number in self.sets[node.seen][1]]

    def constraints(self) -> tuple[Any, Any]:
        """The matrix and the right side of what a strategy's weights fulfil."""
        cells = [(0, 0, 1.0)]
        for row, (leads, moves) in enumerate(self.sets.values(), 1):
            cells += [(row, leads, -1.0), *((row, number, 1.0) for _, number in moves)]
        rows, columns, values = zip(*cells, strict=True)
        matrix = csr_array(coo_array((values, (rows, columns)), shape=(len(self.sets) + 1, len(self.number))))
        return matrix, np.eye(1, len(self.sets) + 1)[0]

    def shares(self, weights: Any) -> dict[Seen, dict[Move, float]]:
        """How often each move is made at each information set; evenly where one never comes."""
        found = {}
        for seen, (_, moves) in self.sets.items():
            parts = {move: max(float(weights[number]), 0.0) for move, number in moves}
            total = sum(parts.values())
            found[seen] = {move: part / total if total > SOLVED else 1 / len(moves) for move, part in parts.items()}
        return found


class _Form:
    """The sequence form of a tree."""

    def __init__(self, root: Node, first: str, second: str) -> None:
        self.seats = first, second
        self.of = {first: _Sequences(), second: _Sequences()}
        self._pays: dict[tuple[int, int], float] = defaultdict(float)
        self._walk(root, 1.0, {first: 0, second: 0})
        self.solved = {first: self._solve(first, second), second: self._solve(second, first)}

    def _walk(self, node: Node, chance: float, leads: dict[str, int]) -> None:
        if isinstance(node, End):
            first, second = self.seats
            pays = 0.0 if node.winner is None else 1.0 if node.winner == first else -1.0
            self._pays[leads[first], leads[second]] += chance * pays
        elif isinstance(node, Chance):
            for share, branch in zip(node.chances, node.branches, strict=True):
                self._walk(branch, chance * float(share), leads)
        else:
            numbers = self.of[node.seat].meet(node, leads[node.seat])
            for number, branch in zip(numbers, node.branches, strict=True):
                self._walk(branch, chance, leads | {node.seat: number})

    def _payoffs(self, seat: str) -> Any:
        """What a seat gets for each pair of its own and the other's sequences."""
        rows, columns = zip(*self._pays, strict=True)
        shape = tuple(len(self.of[one].number) for one in self.seats)
        pays = csr_array(coo_array((list(self._pays.values()), (rows, columns)), shape=shape))
        return pays if seat == self.seats[0] else -pays.T

    def _solve(self, seat: str, other: str) -> Any:
        """The weights x of a seat that get the most against a best response: max f·q, F'q <= A'x, Ex = e, x >= 0."""
        matrix, right = self.of[seat].constraints()
        others, start = self.of[other].constraints()
        pays = self._payoffs(seat)
        n, m = len(self.of[seat].number), others.shape[0]
        found = linprog(
            np.concatenate([np.zeros(n), -start]),
            A_ub=hstack([-pays.T, others.T]),
            b_ub=np.zeros(len(self.of[other].number)),
            A_eq=hstack([matrix, csr_array((matrix.shape[0], m))]),
            b_eq=right,
            bounds=[(0, None)] * n + [(None, None)] * m,
            method="highs",
        )
        assert found.success, found.message
        return found

    def value(self, seat: str) -> float:
        """What a seat gets when both play their best."""
        return -float(self.solved[seat].fun)

    def play(self, seat: str) -> dict[tuple[str, Seen], dict[Move, float]]:
        """A seat's part of the equilibrium."""
        sequences = self.of[seat]
        shares = sequences.shares(self.solved[seat].x[: len(sequences.number)])
        return {(seat, seen): parts for seen, parts in shares.items()}
