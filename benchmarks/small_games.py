"""Small games of Cat & Mouse solved three times: by our sequence form, OpenSpiel's CFR+ and Gambit's linear program.

OpenSpiel and Gambit read the tree that `cmgames.adapters.gambit` writes.  Gambit solves the smallest game only, and our
best responses judge what it finds.  At the end OpenSpiel's best responses judge our solution of the smallest game in
`cmgames.adapters.open_spiel`, where the cards are dealt in all orders (two minutes).

    python -m benchmarks.small_games
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import pygambit
import pyspiel
from open_spiel.python.algorithms.exploitability import exploitability

import cmgames
from cmgames.adapters.gambit import efg
from cmgames.odds import sequence_form, tree
from tests.adapters.test_gambit import CAT, fill, read, small_cat, strategy
from tests.adapters.test_open_spiel import SMALL_CAT, Solved

SIZES: tuple[dict[str, int], ...] = (
    {},
    {"terrorist_hand": 4},
    {"secrecy": 1, "terrorist_hand": 6},
    {"secrecy": 1, "terrorist_hand": 5},
    {"kinds": 3, "terrorist_hand": 8},
)
SOLVED, MOST, STEP = 0.001, 5000, 50


def ours(options: dict[str, int]) -> None:
    """Solve a game by the sequence form."""
    rules = cmgames.GAMES["cat-and-mouse"]
    begun = time.process_time()
    found = sequence_form.solve(rules(rules.Options.make(options)))
    report("sequence form", found.value, found.exploitability, begun, f"{len(found.strategy)} information sets")


def cfr_plus(options: dict[str, int]) -> None:
    """Solve a game by OpenSpiel's CFR+, until nobody can gain `SOLVED` by a best response."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "cat.efg")
        file.write_text(efg("cat-and-mouse", **options))
        game = pyspiel.load_game(f"efg_game(filename={file})")
    begun, solver = time.process_time(), pyspiel.CFRPlusSolver(game)
    gain, iterations = 1.0, 0
    while gain >= SOLVED and iterations < MOST:
        for _ in range(STEP):
            solver.evaluate_and_update_policy()
        iterations += STEP
        policy = solver.average_policy()
        gain = pyspiel.exploitability(game, policy)
    value = pyspiel.expected_returns(game.new_initial_state(), policy, -1, True)[0]
    report("OpenSpiel, CFR+", value, gain, begun, f"{iterations} iterations")


def gambit() -> None:
    """Solve the smallest game by Gambit's linear program."""
    game, begun = read(efg("cat-and-mouse", **CAT)), time.process_time()
    (found,) = pygambit.nash.lp_solve(game, rational=False).equilibria
    profile = fill(game, lambda infoset: [float(found[action]) for action in infoset.actions])
    root = tree.grow(small_cat())
    gain = tree.exploitability(root, ("terrorist", "us"), strategy(root, profile))
    said = f"its own figure, with empty information sets: {found.payoff('terrorist'):.6f}"
    report("Gambit, lp_solve", profile.payoff("terrorist"), gain, begun, said)


def report(name: str, value: float, gain: float, begun: float, more: str) -> None:
    spent = time.process_time() - begun
    print(f"    {name:18} value {value:+.6f}  exploitability {gain:.1e}  {spent:6.2f} s  {more}", flush=True)


if __name__ == "__main__":
    for size in SIZES:
        print(size or CAT)
        ours(CAT | size)
        cfr_plus(CAT | size)
        if not size:
            gambit()
    small = pyspiel.load_game(SMALL_CAT)
    print(
        f"OpenSpiel's best responses to our solution of the first: they gain {exploitability(small, Solved(small)):.1e}"
    )
