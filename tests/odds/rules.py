"""Tunnel Rat as its rules play it, turn by turn: what checks the odds without their own idea of a turn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from msgspec.structs import replace

from cmgames.engine.game import CHANCE
from cmgames.engine.moves import Move
from cmgames.games.tunnel_rat import ACTIONS, DRAW, SHUFFLE, TunnelRat, TunnelRatOptions, TunnelRatState

KINDS = ("vc", "trap", "tunnel")
GUESSES = tuple(map(str, ACTIONS))
NO_TELLS = {"": dict.fromkeys(KINDS, 1.0)}

Tells = Mapping[str, Mapping[str, float]]
Node = TunnelRatState | str
"""A state in which a turn begins, or the seat that has won."""


class Drawn(NamedTuple):
    """A card that can be drawn: its chance, its kind, the state when the rat guesses, and the one after each guess."""

    chance: Fraction
    kind: str
    action: TunnelRatState
    after: dict[str, TunnelRatState]


def rules(**options: Any) -> TunnelRat:
    """The rules, with no limit that a test would reach."""
    return TunnelRat(TunnelRatOptions.make({"max_turns": 100_000, **options}))


def turn(game: TunnelRat, state: TunnelRatState) -> Iterator[Drawn]:
    """All that can happen in the turn that begins in this state."""
    assert state.step is DRAW
    dealing = play(game, state, "draw")
    if dealing.step is SHUFFLE:
        dealing = only(game, dealing)
    for deal, chance in game.chance(dealing):
        action = play(game, game.play(dealing, deal), *["pass"] * 4)
        after = {guess: only(game, play(game, action, guess, "reveal")) for guess in GUESSES}
        yield Drawn(chance, KINDS[action.card or 0], action, after)


def play(game: TunnelRat, state: TunnelRatState, *moves: str) -> TunnelRatState:
    """The state after some moves of seats."""
    for move in map(Move, moves):
        assert move in game.legal(state)
        state = game.play(state, move)
    return state


def only(game: TunnelRat, state: TunnelRatState) -> TunnelRatState:
    """The state after what chance must do."""
    assert state.step.seat == CHANCE
    ((move, _),) = game.chance(state)
    return game.play(state, move)


def enclose(game: TunnelRat, tells: Tells = NO_TELLS, width: float = 1e-10) -> tuple[float, float]:
    """Two numbers with the rat's chance to win between them: value iteration from below and from above.

    What begins below the least solution of the equations stays below it.  What begins above the greatest stays above
    that, and in Tunnel Rat the two are one (`docs/odds.md`).
    """
    turns, start = graph(game), node(game, game.start())
    low: dict[Node, float] = {**dict.fromkeys(turns, 0.0), "vc": 0.0, "rat": 1.0}
    high: dict[Node, float] = {**dict.fromkeys(turns, 1.0), "vc": 0.0, "rat": 1.0}
    while high[start] - low[start] > width:
        for state, cards in turns.items():
            low[state], high[state] = best(low, cards, tells), best(high, cards, tells)
    return low[start], high[start]


Cards = list[tuple[float, str, dict[str, Node]]]
"""The cards that can be drawn: chance, kind, and where each guess leads."""


def best(bound: Mapping[Node, float], cards: Cards, tells: Tells) -> float:
    """The most that a guess after each signal can make of a bound."""
    return sum(
        max(sum(chance * by_kind[kind] * bound[after[guess]] for chance, kind, after in cards) for guess in GUESSES)
        for by_kind in tells.values()
    )


def graph(game: TunnelRat) -> dict[Node, Cards]:
    """All turns of a game by the state in which they begin, what is nearer to the end first."""
    begun: dict[TunnelRatState, Cards] = {}
    ahead = [node(game, game.start())]
    while ahead:
        state = ahead.pop()
        if isinstance(state, TunnelRatState) and state not in begun:
            begun[state] = [
                (float(drawn.chance), drawn.kind, {guess: node(game, after) for guess, after in drawn.after.items()})
                for drawn in turn(game, state)
            ]
            ahead += [after for _, _, leads in begun[state] for after in leads.values()]
    nearest = sorted(begun, key=lambda state: (-state.kept_tunnels - state.casualties, len(state.deck)))
    return {state: begun[state] for state in nearest}


def node(game: TunnelRat, state: TunnelRatState) -> Node:
    """The winner, or the state as one comes back to it: whatever the turn's number and the order of the discards."""
    outcome = game.outcome(state)
    if outcome is None:
        return replace(state, turn=1, guess=0, discard=bytes(sorted(state.discard)))
    return outcome.winner or ""
