"""A simulation spread over threads of one machine (joblib), or over many machines (Dask).

The games are cut into chunks by their numbers.  A chunk is a pure function of plain values, so that it does not matter
where it is played, or how often: each is counted once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from importlib import import_module
from time import thread_time
from typing import NamedTuple

from cmgames.odds.simulation.result import Endings, Part, Play, count

MODULES = {game: f"cmgames.odds.simulation.{game.replace('-', '_')}" for game in ("tunnel-rat", "cat-and-mouse")}
"""Where each game is compiled."""

ADDRESS = re.compile(r"(tcp|tls|ws|wss)://\S+:\d+")
PATIENCE = 8
"""So many seconds the scheduler has to answer, and a worker to be there."""
RETRIES = 3
"""So often a chunk that has failed is played again."""

Named = tuple[tuple[str, object], ...]
"""Values by name, hashable."""


class Task(NamedTuple):
    """What is simulated: the players by seat, the options by name, and the seed that decides every game."""

    game: str
    players: Named
    options: Named
    seed: int


class Chunk(NamedTuple):
    """Games number `first` and following."""

    first: int
    games: int


def cut(games: int, size: int) -> list[Chunk]:
    """Chunks of at most `size` games."""
    return [Chunk(first, min(size, games - first)) for first in range(0, games, size)]


@lru_cache(maxsize=16)
def prepared(game: str, players: Named, options: Named) -> Play:
    """What plays the games of a task, compiled."""
    play: Play = import_module(MODULES[game]).prepare(dict(players), dict(options))
    play(0, 0, 0)
    return play


def run(task: Task, chunk: Chunk) -> Part:
    """Play a chunk."""
    play = prepared(task.game, task.players, task.options)
    begun = thread_time()
    endings = count(play(task.seed, *chunk))
    return Part(endings, thread_time() - begun)


def here(task: Task, chunks: Iterable[Chunk], workers: int) -> Iterator[Part]:
    """Play chunks on this machine, in so many threads; compiled games do not hold each other up."""
    if workers == 1:
        return (run(task, chunk) for chunk in chunks)
    from joblib import Parallel, delayed

    prepared(task.game, task.players, task.options)
    parallel = Parallel(workers, require="sharedmem", return_as="generator_unordered")
    parts: Iterator[Part] = parallel(delayed(run)(task, chunk) for chunk in chunks)
    return parts


def there(task: Task, chunks: Iterable[Chunk], scheduler: str) -> Iterator[Part]:
    """Play chunks on the workers of a Dask scheduler; those of a worker that is lost are played by others.

    Raises
    ------
    ValueError
        The address is none, the scheduler does not answer, or it has no workers.
    """
    from distributed import Client, as_completed

    if not ADDRESS.fullmatch(scheduler):
        raise ValueError(f"{scheduler!r} is no address of a Dask scheduler. Write it like tcp://10.0.0.1:8786.")
    try:
        client = Client(scheduler, timeout=PATIENCE, set_as_default=False)  # type: ignore[no-untyped-call]
    except OSError as fault:
        raise ValueError(f"No Dask scheduler answers at {scheduler}.") from fault
    with client:
        try:
            client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError:
            raise ValueError(
                f"The scheduler at {scheduler} has no workers. Start some: dask worker {scheduler}"
            ) from None
        futures = [client.submit(run, task, chunk, retries=RETRIES) for chunk in chunks]
        done = as_completed(futures, loop=client.loop, with_results=True)  # type: ignore[no-untyped-call]
        yield from (part for _, part in done)


def add(parts: Iterable[Part]) -> Part:
    """All parts together."""
    endings, seconds = Endings(), 0.0
    for part in parts:
        endings.update(part.endings)
        seconds += part.seconds
    return Part(endings, seconds)
