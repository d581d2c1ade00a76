"""The whole tree of a small game, and best responses in it.

Cards that are dealt one after the other are one node of chance, whatever their order; where a seat has one legal move,
or chance one outcome, there is nothing to decide and no node.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from cmgames.engine.game import CHANCE, AnyGame, State
from cmgames.engine.moves import Move

MAX_NODES = 200_000
"""Nodes of the largest tree that is grown."""

Seen = tuple[str, ...]
"""An information set: all that a seat has seen happen."""


class End(NamedTuple):
    """An end of the game: the winner, or None."""

    winner: str | None


class Chance(NamedTuple):
    """A node of chance: how likely each branch is."""

    chances: tuple[Fraction, ...]
    branches: tuple[Node, ...]


class Decision(NamedTuple):
    """A node at which a seat has a choice: where it takes itself to be, its moves, and what each leads to."""

    seat: str
    seen: Seen
    moves: tuple[Move, ...]
    branches: tuple[Node, ...]


Node: TypeAlias = End | Chance | Decision

Strategy = Mapping[tuple[str, Seen], Mapping[Move, float]]
"""For each seat and information set, how often each move is made."""


def grow(rules: AnyGame) -> Node:
    """The tree of a game from its start on.

    Raises
    ------
    ValueError
        It has more than `MAX_NODES` nodes.
    """
    return _Grower(rules).node(rules.start(), tuple(() for _ in rules.seats))


class _Grower:
    def __init__(self, rules: AnyGame) -> None:
        self.rules = rules
        self.seats = tuple(rules.seats)
        self.nodes = 0

    def node(self, state: State, seen: tuple[Seen, ...]) -> Node:
        """The tree from `state` on, where each seat has seen so much."""
        seat = state.step.seat
        if seat is None:
            outcome = self.rules.outcome(state)
            assert outcome is not None
            self._count()
            return End(outcome.winner)
        return self._chance(state, seen) if seat == CHANCE else self._decision(seat, state, seen)

    def _chance(self, state: State, seen: tuple[Seen, ...]) -> Node:
        dealt = self._dealt(state)
        branches = tuple(
            self.node(after, tuple((*old, *new) for old, new in zip(seen, more, strict=True))) for after, more in dealt
        )
        if len(branches) == 1:
            return branches[0]
        self._count()
        return Chance(tuple(dealt.values()), branches)

    def _dealt(self, start: State) -> dict[tuple[State, tuple[Seen, ...]], Fraction]:
        """What chance can do until a seat has to act, in any order: the state, and what each seat has seen."""
        ways: dict[tuple[State, tuple[Seen, ...]], Fraction] = {(start, tuple(() for _ in self.seats)): Fraction(1)}
        while any(state.step.seat == CHANCE for state, _ in ways):
            further: dict[tuple[State, tuple[Seen, ...]], Fraction] = defaultdict(Fraction)
            for (state, seen), share in ways.items():
                if state.step.seat != CHANCE:
                    further[state, seen] += share
                for move, chance in self.rules.chance(state):
                    more = tuple(tuple(sorted(events)) for events in self._after(state, move, seen))
                    further[self.rules.play(state, move), more] += share * chance
                self._demand_small(len(further))
            ways = further
        return ways

    def _decision(self, seat: str, state: State, seen: tuple[Seen, ...]) -> Node:
        moves = self.rules.legal(state)
        branches = tuple(self.node(self.rules.play(state, move), self._after(state, move, seen)) for move in moves)
        if len(branches) == 1:
            return branches[0]
        self._count()
        return Decision(seat, seen[self.seats.index(seat)], moves, branches)

    def _after(self, state: State, move: Move, seen: tuple[Seen, ...]) -> tuple[Seen, ...]:
        """What each seat has seen after a move."""
        events = (str(self.rules.seen(state, move, seat)) for seat in self.seats)
        return tuple((*old, event) for old, event in zip(seen, events, strict=True))

    def _count(self) -> None:
        self.nodes += 1
        self._demand_small(self.nodes)

    def _demand_small(self, nodes: int) -> None:
        if nodes > MAX_NODES:
            raise ValueError(
                f"The tree has more than {MAX_NODES} nodes: choose smaller decks and hands, fewer turns and questions."
            )


def best_response(root: Node, seat: str, strategy: Strategy) -> float:
    """The most that a seat can get against the other's part of `strategy`; what that says of the seat is not used.

    Payoffs are 1 for a win, -1 for a loss, 0 without a winner.  From the longest information sets to the shortest, each
    chooses the move that is best over all nodes that it cannot tell apart, each weighed with how likely chance and the
    other lead there.
    """
    reached: dict[Seen, list[tuple[Decision, float]]] = defaultdict(list)
    _reach(root, seat, strategy, 1.0, reached)
    chosen: dict[Seen, int] = {}

    def worth(node: Node) -> float:
        if isinstance(node, End):
            return _payoff(node, seat)
        if isinstance(node, Chance):
            return sum(float(p) * worth(branch) for p, branch in zip(node.chances, node.branches, strict=True))
        if node.seat == seat:
            return worth(node.branches[chosen[node.seen]])
        shares = strategy[node.seat, node.seen]
        pairs = zip(node.moves, node.branches, strict=True)
        return sum(shares[move] * worth(branch) for move, branch in pairs if shares[move])

    for seen in sorted(reached, key=len, reverse=True):
        nodes = reached[seen]
        moves = range(len(nodes[0][0].moves))
        chosen[seen] = max(moves, key=_total(nodes, worth))
    return worth(root)


def _total(nodes: list[tuple[Decision, float]], worth: Callable[[Node], float]) -> Callable[[int], float]:
    """What each move is worth over all nodes of an information set."""
    return lambda move: sum(weight * worth(node.branches[move]) for node, weight in nodes)


def _reach(
    node: Node, seat: str, strategy: Strategy, weight: float, reached: dict[Seen, list[tuple[Decision, float]]]
) -> None:
    """Note each decision of a seat with how likely chance and the others lead there."""
    if isinstance(node, Chance):
        for chance, branch in zip(node.chances, node.branches, strict=True):
            _reach(branch, seat, strategy, weight * float(chance), reached)
    elif isinstance(node, Decision):
        if node.seat == seat:
            reached[node.seen].append((node, weight))
        for move, branch in zip(node.moves, node.branches, strict=True):
            share = 1.0 if node.seat == seat else strategy[node.seat, node.seen][move]
            _reach(branch, seat, strategy, weight * share, reached)


def exploitability(root: Node, seats: tuple[str, str], strategy: Strategy) -> float:
    """What the seats could gain on average by a best response, half of the sum (NashConv / 2)."""
    return sum(best_response(root, seat, strategy) for seat in seats) / 2


def _payoff(end: End, seat: str) -> float:
    return 0.0 if end.winner is None else 1.0 if end.winner == seat else -1.0
