"""How fast our games are played through OpenSpiel and PettingZoo, beside games that these have in Python themselves.

The same loop plays ours and theirs, in one run, on one core, in CPU time; random legal play, medians of several runs.
OpenSpiel's draws of chance are plies; in PettingZoo a ply is a step of an agent.

    python -m benchmarks.frameworks [seconds a run] [runs]
"""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Callable, Iterator

import open_spiel.python.games  # noqa: F401  registers OpenSpiel's games in Python
import pyspiel
from pettingzoo import AECEnv

import cmgames
import cmgames.adapters.open_spiel  # registers ours
from benchmarks.engine import measure, openspiel
from cmgames.adapters.pettingzoo import env

Rates = dict[str, float]
Play = Callable[[], tuple[int, int]]
OPEN_SPIEL = ("python_kuhn_poker", "python_liars_poker", "python_block_dominoes", "python_tic_tac_toe")
PETTINGZOO = ("leduc_holdem_v4", "tictactoe_v3", "connect_four_v3")


def pettingzoo(table: AECEnv) -> tuple[int, int]:
    """Play one game as PettingZoo's own `performance_benchmark` does."""
    table.reset()
    plies = 0
    for agent in table.agent_iter():
        observation, _, termination, truncation, _ = table.last()
        if termination or truncation:
            table.step(None)
            continue
        table.step(table.action_space(agent).sample(observation["action_mask"]))
        plies += 1
    return plies, plies


def open_spiel_game(name: str) -> Play:
    """How a game of OpenSpiel is played."""
    game = pyspiel.load_game(name)
    return lambda: openspiel(game)


def pettingzoo_game(table: AECEnv) -> Play:
    """How a game of PettingZoo is played."""
    return lambda: pettingzoo(table)


def classics() -> Iterator[tuple[str, Play]]:
    """PettingZoo's own games, as far as what they need is installed."""
    for name in PETTINGZOO:
        try:
            module = importlib.import_module(f"pettingzoo.classic.{name}")
        except ImportError as missing:
            print(f"{name}: {missing} (pip install 'pettingzoo[classic]')")
            continue
        yield name, pettingzoo_game(module.env())


def compare(framework: str, ours: Rates, theirs: Rates) -> None:
    """Print how many times as fast ours are."""
    for name, rate in theirs.items():
        for game, mine in ours.items():
            print(f"    {framework}: {game} / {name}: {mine / rate:.2f} (plies)")


def main() -> None:
    """Print every rate, and ours as a ratio of the peers'."""
    warnings.filterwarnings("ignore")
    names = [f"cmgames_{game.replace('-', '_')}" for game in cmgames.GAMES]
    ours, theirs = ({name: measure(name, open_spiel_game(name))[0] for name in each} for each in (names, OPEN_SPIEL))
    compare("OpenSpiel", ours, theirs)
    ours = {game: measure(f"PettingZoo {game}", pettingzoo_game(env(game)))[0] for game in cmgames.GAMES}
    theirs = {name: measure(f"PettingZoo {name}", play)[0] for name, play in classics()}
    compare("PettingZoo", ours, theirs)


if __name__ == "__main__":
    main()
