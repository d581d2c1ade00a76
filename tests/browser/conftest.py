"""Real servers and a real browser."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent.parent
CHROMIUM = "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
CHROMIUM += "--disable-component-update --disable-sync"
PHONE, LAPTOP = {"width": 390, "height": 844}, {"width": 1366, "height": 768}


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """Debian's Chromium, not a browser that Playwright downloads."""
    return {**browser_type_launch_args, "executable_path": shutil.which("chromium"), "args": CHROMIUM.split()}


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def running(
    command: list[str], log: Path, ready: Callable[[], bool], **environment: str
) -> Iterator[subprocess.Popen[bytes]]:
    """A server as a process of its own, ended by its id."""
    with log.open("wb") as output:
        server = subprocess.Popen(command, stdout=output, stderr=output, cwd=ROOT, env={**os.environ, **environment})
    try:
        for _ in range(600):
            if ready():
                break
            assert server.poll() is None, log.read_text()
            time.sleep(0.1)
        else:
            pytest.fail(log.read_text())
        yield server
    finally:
        server.send_signal(signal.SIGINT)
        try:
            server.wait(15)
        except subprocess.TimeoutExpired:
            server.kill()


@contextmanager
def served(folder: Path, *arguments: str) -> Iterator[str]:
    """``cmgames serve`` with these arguments; its address."""
    port, log = free_port(), folder / "serve.log"
    command = [sys.executable, "-m", "cmgames", "serve", "--port", str(port), *arguments]
    with running(command, log, lambda: "http://" in log.read_text(), CMGAMES_DATA=str(folder / "data")):
        yield f"http://127.0.0.1:{port}/"


@pytest.fixture(scope="session")
def voila(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The games as ``cmgames serve`` serves them."""
    with served(tmp_path_factory.mktemp("voila")) as address:
        yield address


@pytest.fixture(scope="session")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """A JupyterLab with the folder of its notebooks."""
    folder = tmp_path_factory.mktemp("lab")
    port, log = free_port(), folder.parent / "lab.log"
    command = [sys.executable, "-m", "jupyterlab", "--allow-root", "--no-browser", "--IdentityProvider.token="]
    command += [
        f"--port={port}",
        f"--ServerApp.root_dir={folder}",
        "--LabApp.news_url=None",
        "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    ]

    def ready() -> bool:
        try:
            return bool(urllib.request.urlopen(f"http://127.0.0.1:{port}/api").status == 200)
        except OSError:
            return False

    with running(command, log, ready):
        yield f"http://127.0.0.1:{port}/", folder
