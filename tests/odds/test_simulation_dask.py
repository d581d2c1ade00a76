"""A simulation on a real Dask scheduler with two workers, of which one is killed while it plays."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest
from distributed import Client

import cmgames
from cmgames.odds.simulation import simulate
from cmgames.odds.simulation.spread import Task, add, cut, there

ROOT = Path(cmgames.__file__).parents[1]
PLAYERS = {"terrorist": "collector", "us": "hunter"}
TASK = Task("cat-and-mouse", tuple(PLAYERS.items()), (), 1)
GAMES, CHUNK = 120_000, 6_000
"""A chunk takes a tenth of a second, so that a worker is killed in the middle of one."""
PATIENCE = 60


class Cluster(NamedTuple):
    """The scheduler's address, and the workers by name."""

    address: str
    workers: dict[str, subprocess.Popen[bytes]]


@contextmanager
def dask(folder: Path, *arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    """A process of Dask's that ends with the test; what it says goes to a file."""
    folder.mkdir()
    places = {"PYTHONPATH": str(ROOT), "DASK_TEMPORARY_DIRECTORY": str(folder)}
    with (folder / "log").open("wb") as log:
        command = [sys.executable, "-m", "dask", *arguments]
        process = subprocess.Popen(command, stdout=log, stderr=log, cwd=folder, env=os.environ | places)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def address(file: Path) -> str:
    """Where the scheduler listens, once it does."""
    until = time.monotonic() + PATIENCE
    while not (file.exists() and file.read_text()):
        assert time.monotonic() < until, "The scheduler does not start."
        time.sleep(0.05)
    return str(json.loads(file.read_text())["address"])


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    file, here = tmp_path / "scheduler.json", ("--host", "127.0.0.1", "--no-dashboard")
    with ExitStack() as started:
        scheduler = ("scheduler", *here, "--port", "0", "--scheduler-file", str(file))
        started.enter_context(dask(tmp_path / "scheduler", *scheduler))
        where, workers = address(file), {}
        for name in ("first", "second"):
            worker = ("worker", where, *here, "--no-nanny", "--nthreads", "1", "--name", name)
            workers[name] = started.enter_context(dask(tmp_path / name, *worker))
        yield Cluster(where, workers)


def playing(client: Client, name: str) -> bool:
    """Whether a worker has chunks to play."""
    info = client.scheduler_info(n_workers=-1)["workers"]
    return any(client.processing()[where] for where, worker in info.items() if worker["name"] == name)


def test_a_killed_worker_does_not_change_the_sum(cluster: Cluster):
    with Client(cluster.address, set_as_default=False) as client:
        client.wait_for_workers(2, timeout=PATIENCE)
        parts = there(TASK, cut(GAMES, CHUNK), cluster.address)
        before = [next(parts) for _ in range(4)]
        assert playing(client, "first")
        assert playing(client, "second")
        cluster.workers["first"].kill()
        total = add([*before, *parts])
        assert len(client.scheduler_info(n_workers=-1)["workers"]) == 1
    assert total.endings.total() == GAMES
    assert total.endings == simulate("cat-and-mouse", PLAYERS, GAMES, seed=1).endings
    assert total.endings == simulate("cat-and-mouse", PLAYERS, GAMES, seed=1, scheduler=cluster.address).endings


def test_without_workers_or_scheduler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("cmgames.odds.simulation.spread.PATIENCE", 2)
    file = tmp_path / "scheduler.json"
    options = ("--host", "127.0.0.1", "--no-dashboard", "--port", "0", "--scheduler-file", str(file))
    with dask(tmp_path / "scheduler", "scheduler", *options):
        where = address(file)
        with pytest.raises(ValueError, match="no workers"):
            simulate("tunnel-rat", {"rat": "counter"}, 1000, seed=1, scheduler=where)
    with pytest.raises(ValueError, match="No Dask scheduler answers"):
        simulate("tunnel-rat", {"rat": "counter"}, 1000, seed=1, scheduler=where)
