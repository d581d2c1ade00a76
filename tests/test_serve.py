"""Real servers without a browser: where kernels come from and when they end, the teacher's page, the database."""

from __future__ import annotations

import hashlib
import html
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path

import nbformat
import psutil
import pytest
from jupyter_client.blocking.client import BlockingKernelClient

from cmgames.serve import CannotServe, teacher_key
from cmgames.ui.voila.provisioner import Forked, Template
from cmgames.ui.voila.template import WORD

from .apart import apart
from .browser.conftest import free_port, running

PYTHON = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
KEY = re.compile(r"([29FHKMQRWXY3-8]{4}-){2}[29FHKMQRWXY3-8]{4}")


def soon(true: Callable[[], object], seconds: float = 15) -> bool:
    end = time.monotonic() + seconds
    while not true() and time.monotonic() < end:
        time.sleep(0.05)
    return bool(true())


def alive(pid: int) -> bool:
    with suppress(psutil.NoSuchProcess):
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    return False


@contextmanager
def serving(folder: Path, *arguments: str, **environment: str) -> Iterator[tuple[str, psutil.Process, Path]]:
    """``cmgames serve``: its address, its process, what it has printed."""
    port, log = free_port(), folder / "serve.log"
    command = [sys.executable, "-m", "cmgames", "serve", "--port", str(port), *arguments]
    data = {"CMGAMES_DATA": str(folder / "data"), **environment}
    with running(command, log, lambda: "Ctrl-C" in log.read_text(), **data) as server:
        yield f"http://127.0.0.1:{port}/", psutil.Process(server.pid), log


def page(address: str) -> str:
    with urllib.request.urlopen(address, timeout=60) as answer:
        return str(answer.read().decode())


def template_of(server: psutil.Process) -> psutil.Process:
    return next(child for child in server.children() if "cmgames.ui.voila.template" in child.cmdline())


def test_a_forked_kernel_is_a_process_like_any_other(tmp_path: Path) -> None:
    """It leads its own group, its end is told, it outlives the template but not whoever has asked for it."""
    template, files = Template(), (str(tmp_path / f"kernel-{number}.json") for number in count())

    def fork(*arguments: str) -> Forked:
        return apart(lambda: template.fork(["-f", next(files), *arguments], {**os.environ}, str(tmp_path)))

    killed, dropped = fork(), fork()
    assert killed.poll() is None
    assert os.getpgid(killed.pid) == killed.pid
    assert Path(f"/proc/{killed.pid}/cwd").readlink() == tmp_path
    killed.send_signal(signal.SIGKILL)
    assert soon(lambda: killed.poll() == -signal.SIGKILL)
    killed.send_signal(signal.SIGKILL)
    dropped.lifeline.close()
    assert soon(lambda: not alive(dropped.pid))
    with pytest.raises(ConnectionResetError):
        fork("--version")

    orphan = fork()
    template.process.kill()
    template.process.wait()
    assert orphan.poll() is None
    with pytest.raises(OSError, match=r"Broken pipe|reset"):
        fork()
    orphan.lifeline.close()
    assert soon(lambda: not alive(orphan.pid))
    template.requests.close()


def test_a_kernel_ends_whose_server_was_killed_before_it_knew(tmp_path: Path) -> None:
    template, (ours, theirs) = Template(), socket.socketpair()
    with ours, theirs:
        socket.send_fds(template.requests, [b"k"], [theirs.fileno()])
        ours.sendall(
            json.dumps([["-f", str(tmp_path / "kernel.json")], {**os.environ}, str(tmp_path)]).encode() + b"\n"
        )
        _, pid = WORD.unpack(ours.recv(WORD.size, socket.MSG_PEEK))
        assert alive(pid)
    assert soon(lambda: not alive(pid))
    template.requests.close()
    assert template.process.wait(15) == 0


def test_a_killed_server_leaves_no_process(tmp_path: Path) -> None:
    """Not after more visitors than are served at once, either."""
    with serving(tmp_path, "--preheat", "1") as (address, server, _), ThreadPoolExecutor(12) as visitors:
        shown = visitors.map(page, [address] * 11 + [f"{address}teach"])
        assert [each for each in shown if "data-view" not in each] == []
        started = [child.pid for child in server.children(recursive=True)]
        assert len(started) >= 13
        server.kill()
        assert soon(lambda: not any(map(alive, started)))


def test_a_killed_template_costs_nobody_the_game(tmp_path: Path) -> None:
    with serving(tmp_path) as (address, server, _):
        assert "data-view" in page(address)
        template = template_of(server)
        (kernel,) = template.children()
        template.kill()
        assert soon(lambda: not alive(template.pid))
        assert "data-view" in page(address)
        assert alive(kernel.pid)
        assert len(template_of(server).children()) == 1


def test_a_kernel_that_is_not_forked_makes_no_widget_for_a_page_and_prints_nothing(tmp_path: Path) -> None:
    connection, terminal, journal = (tmp_path / name for name in ("kernel.json", "terminal", "journal"))
    command = [sys.executable, "-m", "cmgames.ui.voila.kernel", "-f", str(connection)]
    with running(command, terminal, connection.exists, CMGAMES_LOG=str(journal)):
        client = BlockingKernelClient()
        client.load_connection_file(str(connection))
        client.start_channels()
        client.wait_for_ready(30)
        targets = {"targets": "dict(comm.get_comm_manager().targets)"}
        told = client.execute("import comm, ipywidgets", user_expressions=targets, reply=True)
        assert told["content"]["user_expressions"]["targets"]["data"]["text/plain"] == "{}"
        client.shell_channel.send(client.session.msg("comm_msg", {"of": "nobody"}))
        assert soon(lambda: "KeyError: 'comm_id'" in journal.read_text())
        client.shutdown()
        client.stop_channels()
    assert "KeyError" not in terminal.read_text()


TELL = """
import json, os, random, sys
told = {"random": random.random(), "folder": os.getcwd(), "environment": dict(os.environ)}
print(json.dumps(told | {"debugger": sys.modules["debugpy"]}))
"""


def test_a_kernel_has_its_own_environment_and_luck_and_no_key(tmp_path: Path) -> None:
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(TELL)], metadata=PYTHON)
    nbformat.write(notebook, tmp_path / "tell.ipynb")
    key, url = "Our key 77", f"sqlite:///{tmp_path}/elsewhere.sqlite"
    arguments = "--notebook", str(tmp_path / "tell.ipynb"), "--database", url
    with serving(tmp_path, *arguments, CMGAMES_TEACHER_KEY=key) as (address, server, log):
        pages = [html.unescape(page(f"{address}?{i}")) for i in (1, 2)]
        assert key not in log.read_text(), "no teacher's page, no key"
        assert key.encode() not in Path(f"/proc/{template_of(server).pid}/environ").read_bytes()
    told = [json.loads(re.findall(r'^.*?(\{"random.*\})$', text, re.MULTILINE)[0]) for text in pages]
    first, second = (each["environment"] for each in told)
    assert told[0]["random"] != told[1]["random"]
    assert told[0]["folder"] == str(tmp_path)
    assert told[0]["debugger"] is None
    assert (first["QUERY_STRING"], second["QUERY_STRING"]) == ("1", "2")
    assert first["CMGAMES_DATABASE_URL"] == url
    assert first["CMGAMES_TEACHER_KEY_HASH"] == hashlib.sha256(b"OURKEY77").hexdigest()
    assert "CMGAMES_LINK" not in first
    assert "CMGAMES_TEACHER_KEY" not in first
    assert key not in json.dumps(told)


def test_the_teachers_page_and_its_key(tmp_path: Path) -> None:
    with serving(tmp_path) as (address, _, log):
        printed = log.read_text()
        key = KEY.search(printed)
        assert key
        assert printed.endswith(f"Teacher: {address}teach with the key {key[0]}\n")
        assert "<title>Your class</title>" in page(f"{address}teach")
        assert "Your class" not in page(address)
    assert (tmp_path / "data" / "teacher-key").stat().st_mode & 0o777 == 0o600
    assert teacher_key(tmp_path / "data") == key[0]


def test_a_key_that_could_be_guessed_opens_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for key in ("- -", "our-key-7"):
        monkeypatch.setenv("CMGAMES_TEACHER_KEY", key)
        with pytest.raises(CannotServe, match=r"in CMGAMES_TEACHER_KEY could .* at least 8 letters or digits"):
            teacher_key(tmp_path)
    monkeypatch.setenv("CMGAMES_TEACHER_KEY", "our-key-77")
    assert teacher_key(tmp_path) == "our-key-77"
    monkeypatch.delenv("CMGAMES_TEACHER_KEY")
    (tmp_path / "teacher-key").touch()
    with pytest.raises(CannotServe, match="teacher-key"):
        teacher_key(tmp_path)
    with pytest.raises(CannotServe, match="cannot be kept"):
        teacher_key(tmp_path / "missing")


@pytest.mark.parametrize("by", ["option", "environment"])
def test_a_database_that_does_not_answer_is_a_sentence_without_its_password(tmp_path: Path, by: str) -> None:
    url = f"postgresql://ana:hush@127.0.0.1:{free_port()}/games"
    command = [sys.executable, "-m", "cmgames", "serve", "--port", str(free_port())]
    environment = {**os.environ, "CMGAMES_DATA": str(tmp_path)}
    if by == "option":
        command += ["--database", url]
    else:
        environment["CMGAMES_DATABASE_URL"] = url
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert ended.returncode == 2
    assert ended.stderr.startswith("cmgames: The database ")
    assert ended.stderr.count("\n") == 1
    written = "".join(file.read_text() for file in tmp_path.glob("*") if file.is_file())
    assert "hush" not in ended.stdout + ended.stderr + written
