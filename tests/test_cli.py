"""The command line: what it refuses in one sentence, and where it says the games are."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import psutil
import pytest
import typer

import cmgames
from cmgames import serve
from cmgames.__main__ import main
from cmgames.bots import ladder
from cmgames.bots.ladder import Pairing
from cmgames.cli import app


def run(monkeypatch: pytest.MonkeyPatch, *arguments: object) -> int | str | None:
    """The exit code of ``cmgames`` with these arguments."""
    monkeypatch.setattr(sys, "argv", ["cmgames", *map(str, arguments)])
    with pytest.raises(SystemExit) as ended:
        main()
    return ended.value.code or 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["deal"], "deal"),
        (["play", "chess"], "cat-and-mouse"),
        (["play", "tunnel-rat", "--seat", "queen"], "rat"),
        (["play", "--opponent", "nobody"], "nervous"),
        (["play", "--seed", "x"], "--seed"),
        (["play", "-o", "max_questions"], "name=value"),
        (["play", "-o", "max_questions=-1"], "max_questions"),
        (["play", "-o", "colour=red"], "colour"),
        (["watch", "chess"], "tunnel-rat"),
        (["watch", "tunnel-rat", "nobody"], "counter"),
        (["watch", "tunnel-rat", "counter", "steady", "actor"], "2 seats"),
        (["verify"], "record"),
        (["verify", "missing.json"], "missing.json"),
        (["verify", "damaged.json"], "damaged.json"),
        (["players", "--into", "missing.md"], "missing.md"),
        (["tournament", "--deals", "1"], "--deals"),
        (["tournament", "--into", "missing.md"], "missing.md"),
        (["tournament", "--results", "damaged.json"], "damaged.json"),
        (["tournament", "--results", "missing/file"], "missing"),
        (["simulate", "--us", "hunter"], "--rat random, counter, best"),
        (["simulate", "--games", "10000000001"], "less than or equal to 10000000000"),
        (["serve", "--port", "0"], "--port"),
        (["serve", "--port", "http"], "--port"),
        (["serve", "--preheat", "-1"], "--preheat"),
        (["serve", "--template", "big"], "slim"),
        (["serve", "--notebook", "missing.ipynb"], "missing.ipynb"),
        (["serve", "--speed", "9"], "--speed"),
    ],
    ids=" ".join,
)
def test_a_bad_argument_is_one_sentence_and_exit_code_2(
    arguments: list[str],
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("damaged.json").write_text(cmgames.Table("tunnel-rat").record().to_json()[:-9])
    assert run(monkeypatch, *arguments) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("cmgames: ")
    assert said.err.count("\n") == 1
    assert words in said.err


def test_a_taken_port_and_a_folder_that_cannot_be_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        assert run(monkeypatch, "serve", "--port", port) == 2
    assert capsys.readouterr().err == (
        f"cmgames: Port {port} is taken: end what uses it or choose another one with --port.\n"
    )
    (tmp_path / "file").touch()
    monkeypatch.setenv("CMGAMES_DATA", str(tmp_path / "file" / "data"))
    assert run(monkeypatch, "serve", "--port", port) == 2
    assert "The folder for saved games" in capsys.readouterr().err


def test_a_missing_extra_is_named() -> None:
    """As after ``pip install cmgames``, without the extra."""
    code = "import sys; sys.modules['segno'] = None; sys.argv = ['cmgames', 'serve']\n"
    code += "from cmgames.__main__ import main; main()"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ended.returncode == 2
    assert ended.stderr == "cmgames: This needs the extra `app` (segno is missing): pip install 'cmgames[app]'\n"


@pytest.mark.parametrize("name", ["play", "watch", "verify", "players", "tournament", "serve"])
def test_help_explains_every_argument(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, name, "--help") == 0
    shown = capsys.readouterr().out
    command: Any = typer.main.get_command(app)
    for parameter in command.commands[name].params:
        assert parameter.help, parameter.name
        assert parameter.name.upper() in shown.upper().replace("-", "_")


def test_a_tournament_is_written_into_a_page_and_not_played_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(
        ladder, "schedule", lambda deals: [Pairing("tunnel-rat", deal, "counter", "steady") for deal in range(deals)]
    )
    monkeypatch.chdir(tmp_path)
    page, results = Path("page.md"), Path("tournament.jsonl")
    page.write_text(f"before\n{ladder.BEGIN}\nold\n{ladder.END}\nafter\n", encoding="utf-8")
    assert run(monkeypatch, "tournament", "--deals", 6, "--into", "page.md") == 0
    text, lines = page.read_text(encoding="utf-8"), results.read_bytes()
    assert text.startswith(f"before\n{ladder.BEGIN}\n\n### Tunnel Rat\n")
    assert text.endswith(f"{ladder.END}\nafter\n")
    assert lines.count(b"\n") == 6
    assert capsys.readouterr().err == "", "no bar where nobody looks"
    assert run(monkeypatch, "tournament", "--deals", 6) == 0
    assert capsys.readouterr().out.strip() in text
    assert results.read_bytes() == lines


@pytest.fixture
def network(monkeypatch: pytest.MonkeyPatch) -> dict[str, list[str]]:
    """Network cards that a test fills; there is no way to the internet."""
    cards: dict[str, list[str]] = {"lo": ["127.0.0.1"], "docker0": ["172.17.0.1"]}

    def addresses() -> dict[str, list[SimpleNamespace]]:
        return {
            name: [SimpleNamespace(family=socket.AF_INET, address=each) for each in held]
            for name, held in cards.items()
        }

    monkeypatch.setattr(psutil, "net_if_stats", lambda: {name: SimpleNamespace(isup=name != "eth0") for name in cards})
    monkeypatch.setattr(psutil, "net_if_addrs", addresses)
    monkeypatch.setattr(serve, "routed_address", lambda: None)
    return cards


@pytest.fixture
def started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, str]]:
    """Where the server would have listened; it is ready at once, and over."""
    asked: list[tuple[int, str]] = []

    class Server(serve.GameServer):
        def __init__(self, **_: Any) -> None:
            pass

        def initialize(self, *_: Any) -> None:
            pass

        def start(self) -> None:
            self.when_ready()

    monkeypatch.setenv("CMGAMES_DATA", str(tmp_path))
    monkeypatch.setenv("CMGAMES_LOG", str(tmp_path / "log"))
    monkeypatch.setenv("CMGAMES_TEACHER_KEY", "K7MQ-3F9X")
    for name in ("CMGAMES_TEACHER_KEY_HASH", "CMGAMES_DATABASE_URL", "CMGAMES_LINK"):
        monkeypatch.setenv(name, "")
    monkeypatch.setattr(serve, "fork_kernels", lambda: None)
    monkeypatch.setenv("JUPYTER_PATH", os.environ.get("JUPYTER_PATH", ""))
    monkeypatch.setattr(serve, "listen", lambda *where: asked.append(where))
    monkeypatch.setattr(serve, "GameServer", Server)
    return asked


def test_a_classroom_gets_a_link_and_a_picture_without_the_internet(
    network: dict[str, list[str]],
    started: list[tuple[int, str]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    network |= {"eth0": ["10.0.0.9"], "wlan0": ["169.254.3.4", "192.168.1.7"]}
    assert run(monkeypatch, "serve", "--lan", "--port", 8870) == 0
    shown = capsys.readouterr().out
    assert started == [(8870, "0.0.0.0")]
    link = "http://192.168.1.7:8870/"
    assert shown == (
        f"{serve.qr_picture(link)}\nThe games are at {link} for everyone on this network (Ctrl-C ends them).\n"
        f"Teacher: {link}teach with the key K7MQ-3F9X\n"
    )
    assert os.environ["CMGAMES_LINK"] == link
    assert "CMGAMES_TEACHER_KEY" not in os.environ
    picture = serve.qr_picture(link).splitlines()
    assert len(picture) > 14, "two rows of squares a line"
    assert len({len(line) for line in picture}) == 1, "a rectangle"


def test_without_a_network_there_is_no_classroom_but_there_are_games(
    network: dict[str, list[str]],
    started: list[tuple[int, str]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(monkeypatch, "serve", "--lan") == 2
    assert capsys.readouterr().err == (
        "cmgames: This computer is on no network: connect it first, or serve without --lan.\n"
    )
    assert started == []
    assert run(monkeypatch, "serve") == 0
    assert capsys.readouterr().out == (
        "The games are at http://127.0.0.1:8866/ (Ctrl-C ends them).\n"
        "Teacher: http://127.0.0.1:8866/teach with the key K7MQ-3F9X\n"
    )
    assert os.environ["CMGAMES_LINK"] == ""
    assert started == [(8866, "127.0.0.1")]
