"""How fast games are played: ours and OpenSpiel's, in one run, on one core, in CPU time.

A *ply* counts a draw of chance as OpenSpiel does; a *decision* is a move of a seat.  Ours runs through `Table` with the
list of legal moves at each step.  Random legal play; medians of several runs.

    python -m benchmarks.engine [seconds a run] [runs]
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from collections.abc import Callable

import cmgames

SECONDS = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
RUNS = int(sys.argv[2]) if len(sys.argv) > 2 else 5
rng = random.Random(1).random


def ours(game: str, views: bool = False) -> tuple[int, int]:
    """Play one game; how many plies and decisions it had."""
    table = cmgames.Table(game, seed=int(rng() * 2**53))
    seats = tuple(table.game.seats)
    while legal := table.legal():
        table.play(legal[int(rng() * len(legal))])
        if views:
            for seat in seats:
                table.view(seat)
    return len(table.moves), table.version


def openspiel(game) -> tuple[int, int]:  # type: ignore[no-untyped-def]
    """Play one game of OpenSpiel's."""
    state, plies, decisions = game.new_initial_state(), 0, 0
    while not state.is_terminal():
        if state.is_chance_node():
            actions = [action for action, _ in state.chance_outcomes()]
        else:
            actions = state.legal_actions()
            decisions += 1
        state.apply_action(actions[int(rng() * len(actions))])
        plies += 1
    return plies, decisions


def measure(name: str, play: Callable[[], tuple[int, int]]) -> tuple[float, float]:
    """Print plies and decisions a CPU second; return them."""
    rates = []
    play()
    for _ in range(RUNS):
        plies = decisions = 0
        begun = time.process_time()
        while (spent := time.process_time() - begun) < SECONDS:
            for _ in range(10):
                more = play()
                plies, decisions = plies + more[0], decisions + more[1]
        rates.append((plies / spent, decisions / spent))
    ply, decision = (statistics.median(column) for column in zip(*rates, strict=True))
    print(f"{name:42} {ply:12,.0f} plies/s {decision:12,.0f} decisions/s", flush=True)
    return ply, decision


def main() -> None:
    """Print every rate, and ours as a ratio of the peers'."""
    mine = {}
    for game in cmgames.GAMES:
        _, mine[game] = measure(game, lambda game=game: ours(game))
        measure(f"{game}, both views at each ply", lambda game=game: ours(game, views=True))
    try:
        import pyspiel
    except ImportError:
        print("OpenSpiel is not installed (pip install open_spiel): no ratios.")
        return
    import open_spiel.python.games  # noqa: F401  registers the games in Python

    for name in ("leduc_poker", "crazy_eights", "python_kuhn_poker"):
        loaded = pyspiel.load_game(name)
        _, peer = measure(f"OpenSpiel {name}", lambda loaded=loaded: openspiel(loaded))
        print(*(f"    {game} / {name}: {rate / peer:.2f} (decisions)" for game, rate in mine.items()), sep="\n")


if __name__ == "__main__":
    main()
