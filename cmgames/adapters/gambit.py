"""Games as extensive-form files for Gambit (https://www.gambit-project.org; read by pygambit 16.2 and later).

    from pathlib import Path
    from cmgames.adapters.gambit import efg
    Path("rat.efg").write_text(efg("tunnel-rat", vc=1, traps=1, tunnels=1, casualties_to_win=1, tunnels_to_win=1,
                                   max_questions=0, max_turns=3))

Chances are written as fractions, so that they add up to one.  Cards that are dealt one after the other are one node
of chance, whatever their order; where a seat has one legal move there is nothing to decide and no node.  The winner
gets 1, the loser -1; without a winner both get 0.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from cmgames.engine.game import CHANCE, AnyGame, State
from cmgames.engine.moves import Move
from cmgames.engine.registry import game as find_game

Seen = tuple[str, ...]
Dealt = tuple[State, tuple[Seen, ...]]

MAX_NODES = 200_000
"""Nodes of the largest tree that is written; Gambit's solvers end long before."""


def efg(game: str, **options: Any) -> str:
    """The whole tree of a small game in Gambit's format.

    Parameters
    ----------
    game : name of a game in `cmgames.GAMES`.
    **options : the game's options by name.

    Raises
    ------
    ValueError
        There is no such game; no game can be played with these options; the tree has more than `MAX_NODES` nodes.
    """
    rules = find_game(game)
    tree = _Tree(rules(rules.Options.make(options)))
    names = " ".join(f'"{seat}"' for seat in rules.seats)
    return "\n".join([f'EFG 2 R "{rules.title}" {{ {names} }}', '""', *tree.lines(), ""])


class _Tree:
    """Walks a game's tree, and numbers its information sets: a seat's is all that it has seen happen."""

    def __init__(self, rules: AnyGame) -> None:
        self.rules = rules
        self.seats = tuple(rules.seats)
        self.sets: dict[tuple[str, Seen], int] = {}
        self.nodes = 0
        self.chances = 0

    def lines(self) -> Iterator[str]:
        """The nodes in prefix order."""
        return self._below(self.rules.start(), tuple(() for _ in self.seats))

    def _below(self, state: State, seen: tuple[Seen, ...]) -> Iterator[str]:
        """The nodes from `state` on, where each seat has seen so much."""
        seat = state.step.seat
        if seat is None:
            yield self._counted(self._end(state))
        elif seat == CHANCE:
            yield from self._chance(state, seen)
        else:
            yield from self._decision(seat, state, seen)

    def _chance(self, state: State, seen: tuple[Seen, ...]) -> Iterator[str]:
        outcomes = self._dealt(state)
        if len(outcomes) > 1:
            self.chances += 1
            branches = " ".join(f'"{number}" {chance}' for number, chance in enumerate(outcomes.values(), 1))
            yield self._counted(f'c "" {self.chances} "" {{ {branches} }} 0')
        for after, more in outcomes:
            yield from self._below(after, tuple((*old, *new) for old, new in zip(seen, more, strict=True)))

    def _dealt(self, start: State) -> dict[Dealt, Fraction]:
        """What chance can do until a seat has to act, in any order: the state, and what each seat has seen."""
        ways: dict[Dealt, Fraction] = {(start, tuple(() for _ in self.seats)): Fraction(1)}
        while any(state.step.seat == CHANCE for state, _ in ways):
            further: dict[Dealt, Fraction] = defaultdict(Fraction)
            for (state, seen), share in ways.items():
                if state.step.seat != CHANCE:
                    further[state, seen] += share
                for move, chance in self.rules.chance(state):
                    more = tuple(tuple(sorted(events)) for events in self._after(state, move, seen))
                    further[self.rules.play(state, move), more] += share * chance
                self._demand_small(len(further))
            ways = further
        return ways

    def _decision(self, seat: str, state: State, seen: tuple[Seen, ...]) -> Iterator[str]:
        moves = self.rules.legal(state)
        if len(moves) > 1:
            place = self.seats.index(seat)
            number = self.sets.setdefault((seat, seen[place]), len(self.sets) + 1)
            actions = " ".join(f'"{move}"' for move in moves)
            yield self._counted(f'p "" {place + 1} {number} "" {{ {actions} }} 0')
        for move in moves:
            yield from self._below(self.rules.play(state, move), self._after(state, move, seen))

    def _after(self, state: State, move: Move, seen: tuple[Seen, ...]) -> tuple[Seen, ...]:
        """What each seat has seen after a move."""
        events = (str(self.rules.seen(state, move, seat)) for seat in self.seats)
        return tuple((*old, event) for old, event in zip(seen, events, strict=True))

    def _counted(self, line: str) -> str:
        self.nodes += 1
        self._demand_small(self.nodes)
        return line

    def _demand_small(self, nodes: int) -> None:
        if nodes > MAX_NODES:
            raise ValueError(
                f"The tree has more than {MAX_NODES} nodes: choose smaller decks and hands, fewer turns and questions."
            )

    def _end(self, state: State) -> str:
        outcome = self.rules.outcome(state)
        assert outcome is not None
        number = 1 if outcome.winner is None else 2 + self.seats.index(outcome.winner)
        payoffs = ", ".join(
            "0" if outcome.winner is None else "1" if seat == outcome.winner else "-1" for seat in self.seats
        )
        return f't "" {number} "{outcome.winner or "nobody"}" {{ {payoffs} }}'
