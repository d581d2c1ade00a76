"""Millions of games, compiled: Tunnel Rat with rats that need no tells, Cat & Mouse with the simple players.

The games are those of the engine, to the last one, when it is given the same random numbers
(`cmgames.odds.simulation.engine`).

Examples
--------
>>> from cmgames.odds.simulation import simulate
>>> result = simulate("tunnel-rat", {"rat": "counter"}, games=100_000, seed=1)
>>> result.wins
{'rat': 50087, 'vc': 49913}
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from cmgames.engine.registry import game as find_game
from cmgames.odds.simulation.numbers import SEEDS
from cmgames.odds.simulation.result import Part, Result
from cmgames.odds.simulation.spread import Task, add, cut, here, there

PLAYERS: dict[str, dict[str, tuple[str, ...]]] = {
    "tunnel-rat": {"rat": ("random", "counter", "best")},
    "cat-and-mouse": {"terrorist": ("random", "collector"), "us": ("random", "hunter")},
}
"""The players that are compiled, by game and seat. The VC's tells have no influence on these rats."""

CHUNK = {"tunnel-rat": 2**20, "cat-and-mouse": 2**14}
"""So many games are played at once: about a tenth of a second."""

__all__ = ["CHUNK", "PLAYERS", "Result", "simulate"]


def simulate(
    game: str,
    players: Mapping[str, str],
    games: int,
    seed: int,
    *,
    workers: int = 1,
    scheduler: str | None = None,
    chunk: int | None = None,
    progress: bool = False,
    **options: Any,
) -> Result:
    """Play many games.

    Parameters
    ----------
    game : ``tunnel-rat`` or ``cat-and-mouse``.
    players : the name of a player for each seat in `PLAYERS`.
    games, seed : how many games, and what decides them all; from 0 to 2**64 - 1.
    workers : threads on this machine; with more than one joblib is needed.
    scheduler : address of a Dask scheduler, such as ``tcp://10.0.0.1:8786``, whose workers play instead.
    chunk : games that are played at once; a row of them takes up to 24 bytes each.
    progress : show a bar on a terminal.
    **options : the game's options by name.

    Returns
    -------
    Result
        But for its CPU time it depends only on `game`, `players`, `games`, `seed` and the options.

    Raises
    ------
    ValueError
        There is no such game, player or option, a number is out of range, or the scheduler cannot be used.
    """
    task = _task(game, players, seed, options)
    size = CHUNK[game] if chunk is None else chunk
    for name, value in (("games", games), ("workers", workers), ("chunk", size)):
        if value < 1:
            raise ValueError(f"{name} must be at least 1, not {value}.")
    chunks = cut(games, size)
    parts = there(task, chunks, scheduler) if scheduler else here(task, chunks, workers)
    total = add(_shown(parts, games) if progress else parts)
    return Result(tuple(find_game(game).seats), *total)


def _task(game: str, players: Mapping[str, str], seed: int, options: Mapping[str, Any]) -> Task:
    """What is to be simulated, if it can be."""
    rules = find_game(game)
    if game not in PLAYERS:
        raise ValueError(f"{rules.title} is not compiled. There are: {', '.join(PLAYERS)}.")
    rules.Options.make(dict(options))
    if set(players) != set(PLAYERS[game]):
        raise ValueError(
            f"{rules.title} is simulated with players for: {', '.join(PLAYERS[game])}; not {', '.join(players)}."
        )
    for seat, player in players.items():
        if player not in PLAYERS[game][seat]:
            known = ", ".join(PLAYERS[game][seat])
            raise ValueError(f"No compiled player for {seat} is called {player!r}. There are: {known}.")
    if not 0 <= seed < SEEDS:
        raise ValueError(f"The seed must be from 0 to 2**64 - 1, not {seed}.")
    return Task(game, tuple(sorted(players.items())), tuple(sorted(options.items())), seed)


def _shown(parts: Iterable[Part], games: int) -> Iterable[Part]:
    """The parts, with a bar on a terminal that grows with them."""
    from tqdm import tqdm

    with tqdm(total=games, unit=" games", unit_scale=True, disable=None) as bar:
        for part in parts:
            bar.update(part.endings.total())
            yield part
