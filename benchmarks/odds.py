"""Tunnel Rat solved: how fast, and whether two other ways come to the same values.

One is value iteration from below and from above on the rules as they are played (`tests/odds/rules.py`), the other ten
million games, simulated in arrays with rules of their own and a table of the solution's guesses.

    python -m benchmarks.odds [games]
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from functools import partial
from itertools import product
from math import sqrt
from typing import Any

import numpy as np

from cmgames.games.tunnel_rat import TRAP, TUNNEL, VC
from cmgames.odds.tunnel_rat import Position, Solution, solve
from cmgames.odds.tunnel_rat.model import Model
from cmgames.odds.tunnel_rat.position import GUESSES, START
from tests.odds.rules import NO_TELLS, enclose, rules

GAMES = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000_000
TOGETHER = 500_000
"""So many games are simulated at once."""

RUNS = 5
NERVOUS = {"nervous": {"vc": 0.7, "trap": 0.7, "tunnel": 0.3}, "calm": {"vc": 0.3, "trap": 0.3, "tunnel": 0.7}}
MODELS: dict[str, dict[str, Any]] = {
    "the printed game": {},
    "with a nervous VC (0.7 to 0.3)": {"tells": NERVOUS},
    "with 3 VCs and 5 Traps": {"vc": 3, "traps": 5},
}
Z = 3.2905
"""Of a normal variable, 99.9 % lie within so many standard deviations."""

Array = np.ndarray[Any, Any]


def seconds(act: Callable[[], object]) -> float:
    """The median CPU time of several runs, in seconds."""
    spent = []
    for _ in range(RUNS):
        begun = time.process_time()
        act()
        spent.append(time.process_time() - begun)
    return statistics.median(spent)


def guess_table(solution: Solution) -> Array:
    """The code of the best guess by signal, unseen VCs, Traps and tunnels, tunnels kept and casualties."""
    model = solution.model
    goals = model.options.tunnels_to_win, model.options.casualties_to_win
    pack = model.fresh(START)
    table = np.zeros((len(model.signals), *(n + 1 for n in pack), *goals), dtype=np.int8)
    for index in product(*map(range, table.shape)):
        signal, deck, (tunnels, casualties) = [*model.signals][index[0]], index[1:4], index[4:]
        if any(deck) and deck[TUNNEL] <= pack[TUNNEL] - tunnels and can_be_seen(model, signal, deck):
            table[index] = GUESSES[solution.policy(Position(deck, tunnels, casualties), signal)]
    return table


def can_be_seen(model: Model, signal: str | None, deck: tuple[int, ...]) -> bool:
    """Whether some card of the deck gives rise to a signal."""
    return any(n and chance for n, chance in zip(deck, model.signals[signal], strict=True))


def simulate(model: Model, table: Array, games: int, rng: np.random.Generator) -> int:
    """Play games by the table, a turn of all at a time; how many the rat wins."""
    pack, most = np.array(model.fresh(START)), np.cumsum([*model.signals.values()], axis=0, dtype=float).T
    deck, tunnels, casualties = np.tile(pack, (games, 1)), np.zeros(games, int), np.zeros(games, int)
    won = 0
    while len(deck):
        empty = ~deck.any(axis=1)
        deck[empty] = pack
        deck[empty, TUNNEL] -= tunnels[empty]
        place = rng.integers(deck.sum(axis=1))
        card = (place >= deck[:, VC]).astype(int) + (place >= deck[:, VC] + deck[:, TRAP])
        signal = (rng.random(len(deck))[:, None] >= most[card]).sum(axis=1)
        right = table[signal, *deck.T, tunnels, casualties] == card
        deck[np.arange(len(deck)), card] -= 1
        tunnels += right & (card == TUNNEL)
        casualties += ~right & (card != TUNNEL)
        wins = tunnels == model.options.tunnels_to_win
        won += wins.sum()
        on = ~wins & (casualties < model.options.casualties_to_win)
        deck, tunnels, casualties = deck[on], tunnels[on], casualties[on]
    return int(won)


def wilson(won: int, games: int) -> tuple[float, float]:
    """Wilson's interval for the chance to win, at 99.9 %."""
    rate, slack = won / games, Z * Z / games
    middle, half = rate + slack / 2, Z * sqrt(rate * (1 - rate) / games + slack / games / 4)
    return (middle - half) / (1 + slack), (middle + half) / (1 + slack)


def print_times() -> None:
    print(f"{'CPU time':32} {'fractions':>12} {'floats':>12}")
    for name, model in MODELS.items():
        exact, floats = (seconds(partial(solve, exact=exact, **model)) for exact in (True, False))
        print(f"{name:32} {exact * 1000:9.0f} ms {floats * 1000:9.1f} ms")


def print_checks(name: str, model: dict[str, Any]) -> None:
    solution, rng = solve(**model), np.random.default_rng(1)
    table = guess_table(solution)
    parts = [min(TOGETHER, GAMES - done) for done in range(0, GAMES, TOGETHER)]
    won = sum(simulate(solution.model, table, part, rng) for part in parts)
    low, high = wilson(won, GAMES)
    options = {option: value for option, value in model.items() if option != "tells"}
    below, above = enclose(rules(**options), model.get("tells", NO_TELLS))
    print(f"\n{name}")
    print(f"    computed         {float(solution.value):.12f} = {short(solution.value)}")
    print(f"    value iteration  {below:.12f} to {above:.12f}")
    print(f"    simulated        {won / GAMES:.6f}, 99.9 % interval {low:.6f} to {high:.6f}, {GAMES:,} games")


def short(value: object) -> str:
    """The fraction, if it fits on a line."""
    return text if len(text := str(value)) < 40 else f"a fraction of {len(text)} characters"


if __name__ == "__main__":
    print_times()
    for name, model in MODELS.items():
        print_checks(name, model)
