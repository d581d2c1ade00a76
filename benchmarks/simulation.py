"""Simulated games: how fast, and in how many the engine differs when it is given the same random numbers.

python -m benchmarks.simulation [games compared for each pairing and option set]
"""

from __future__ import annotations

import os
import statistics
import sys
from collections.abc import Iterator
from itertools import product

from cmgames.odds.simulation import CHUNK, PLAYERS, simulate
from tests.odds.test_simulation import MOUSE_OPTIONS, RAT_OPTIONS, different

GAMES = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
OPTIONS = {"tunnel-rat": RAT_OPTIONS, "cat-and-mouse": MOUSE_OPTIONS}
CHUNKS, RUNS = 10, 5


def pairings(game: str) -> Iterator[dict[str, str]]:
    """Everybody who is compiled, against everybody."""
    for names in product(*PLAYERS[game].values()):
        yield dict(zip(PLAYERS[game], names, strict=True))


def speed(game: str, players: dict[str, str]) -> float:
    """Games per CPU second, without compilation: the median of several runs."""
    runs = [simulate(game, players, CHUNKS * CHUNK[game], seed) for seed in range(RUNS)]
    return statistics.median(run.games / run.seconds for run in runs)


def print_line(game: str, players: dict[str, str]) -> None:
    found = sum(len(different(game, players, options, GAMES)) for options in OPTIONS[game])
    compared = GAMES * len(OPTIONS[game])
    name = ", ".join(players.values())
    print(f"{game:14} {name:18} {speed(game, players):14,.0f} {compared:10,} {found:10}", flush=True)


if __name__ == "__main__":
    print(f"Load of the machine before: {os.getloadavg()[0]:.1f}, on {os.cpu_count()} cores\n")
    print(f"{'game':14} {'players':18} {'games/CPU s':>14} {'compared':>10} {'different':>10}")
    for game in PLAYERS:
        for players in pairings(game):
            print_line(game, players)
