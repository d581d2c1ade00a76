"""What a page says, and how it goes on, when its kernel, the server or the database fails in the middle of a game."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest
from playwright.sync_api import Browser, expect

from cmgames.rooms.database import Database
from cmgames.rooms.room import Room
from tests.postgres import Postgres, postgres

from .clicker import Clicker, frames
from .conftest import LAPTOP, ROOT, free_port
from .test_serving import banner, kernel

pytestmark = pytest.mark.browser

NO_DATABASE = "The server cannot reach its games just now. Yours is safe"


class Site:
    """A server at one address that can be killed and started again."""

    def __init__(self, folder: Path, database: str = "") -> None:
        self.folder, self.port = folder, free_port()
        self.address = f"http://127.0.0.1:{self.port}/"
        self.url = database or f"sqlite:///{folder}/rooms.sqlite"
        self.start()

    def start(self) -> None:
        environment = {**os.environ, "CMGAMES_DATA": str(self.folder), "CMGAMES_DATABASE_URL": self.url}
        command = [sys.executable, "-m", "cmgames", "serve", "--port", str(self.port)]
        with (self.folder / "out").open("wb") as out:
            self.process = subprocess.Popen(command, stdout=out, stderr=out, cwd=ROOT, env=environment)
        for _ in range(600):
            if b"http://" in (self.folder / "out").read_bytes():
                return
            assert self.process.poll() is None, (self.folder / "out").read_text()
            time.sleep(0.1)
        raise AssertionError((self.folder / "out").read_text())

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def room(self) -> Room:
        """The only room, as the database holds it."""
        database = Database(self.url)
        try:
            return Room(database, 1)
        finally:
            database.close()

    def log(self) -> str:
        return (self.folder / "cmgames.log").read_text()


class Pair:
    """Two people in the middle of a game.

    Attributes
    ----------
    frames : what came through the websocket of one of them.
    """

    def __init__(self, browser: Browser, site: Site) -> None:
        self.site = site
        self.us, self.terrorist = (Clicker(browser.new_context(viewport=LAPTOP).new_page()) for _ in range(2))
        for person in (self.us, self.terrorist):
            person.page.clock.install()
        self.frames = frames(self.us.page)
        self.us.open(site.address)
        self.us.begin("Cat & Mouse", seat="US Security", opponent="A friend on another screen")
        code = self.us.app.locator(".g-code").inner_text().split()[-1]
        self.terrorist.open(f"{site.address}?code={code}")
        expect(self.terrorist.app.get_by_role("heading", level=1)).to_have_text("Join a game of Cat & Mouse")
        self.terrorist.press("Join")
        self.terrorist.press("Do not draw")
        self.us.page.clock.fast_forward(15_000)
        expect(self.us.panel).to_contain_text("Your move")
        self.us.press("Draw a card")
        self.us.click(self.us.app.locator(".g-hand button").first)

    def goes_on(self) -> None:
        """Both hold what they held, the next move reaches the other page, and nothing was lost or doubled."""
        expect(self.us.panel).to_contain_text("choose 1 to discard", timeout=30000)
        discard = self.us.panel.get_by_role("button", name="Discard")
        if not self.us.app.locator(".g-hand [aria-pressed=true]").count():
            self.us.click(self.us.app.locator(".g-hand button").first)
        expect(discard).not_to_have_attribute("aria-disabled", "true")
        self.us.click(discard)
        self.terrorist.page.clock.fast_forward(15_000)
        expect(self.terrorist.app.locator(".g-log")).to_contain_text("US Security discards", timeout=30000)
        moves = [str(move) for move in self.site.room().table.moves if move.verb not in ("deal", "show")]
        assert [move.partition(" ")[0] for move in moves] == ["decline", "draw", "discard"]

    def close(self) -> None:
        for person in (self.us, self.terrorist):
            person.page.context.close()


Made = Callable[[Site], Pair]


@pytest.fixture
def sit_down(browser: Browser) -> Iterator[Made]:
    made: list[Pair] = []

    def pair(site: Site) -> Pair:
        made.append(Pair(browser, site))
        return made[-1]

    yield pair
    for each in made:
        each.close()


@contextmanager
def serving(folder: Path, database: str = "") -> Iterator[Site]:
    site = Site(folder, database)
    try:
        yield site
    finally:
        site.kill()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with serving(tmp_path_factory.mktemp("site")) as made:
        yield made


def test_a_killed_kernel_comes_back_by_itself(tmp_path: Path, sit_down: Made) -> None:
    with serving(tmp_path) as site:
        pair = sit_down(site)
        kernel(site.address, pair.us.page).kill()
        banner(pair.us, "The game fell asleep or was interrupted. Your game is safe.")
        pair.us.page.clock.run_for(2000)
        banner(pair.us)
        pair.goes_on()


def test_a_killed_server_is_told_and_both_come_back_when_it_starts_again(tmp_path: Path, sit_down: Made) -> None:
    with serving(tmp_path) as site:
        pair = sit_down(site)
        site.kill()
        for person in (pair.us, pair.terrorist):
            banner(person, "The connection is lost. Your game is safe; this page keeps trying to reach it.")
        site.start()
        for person in (pair.us, pair.terrorist):
            banner(person)
        pair.goes_on()


@pytest.fixture
def power(tmp_path: Path) -> Iterator[Postgres]:
    with postgres(free_port()) as server:
        yield server


def test_postgresql_that_fails_is_told_and_the_game_goes_on_when_it_is_there_again(
    tmp_path: Path, power: Postgres, sit_down: Made
) -> None:
    with serving(tmp_path, power.url) as site:
        pair = sit_down(site)
        power.kill()
        pair.us.page.clock.fast_forward(500)
        pair.us.panel.get_by_role("button", name="Discard").click()
        for person in (pair.us, pair.terrorist):
            expect(person.panel).to_contain_text(NO_DATABASE, timeout=30000)
        power.start()
        for person in (pair.us, pair.terrorist):
            expect(person.panel).not_to_contain_text(NO_DATABASE, timeout=30000)
        power.kill()
        pair.us.page.reload()
        expect(pair.us.app).to_contain_text(NO_DATABASE, timeout=30000)
        power.start()
        pair.goes_on()
        assert "does not answer" in site.log()


@contextmanager
def locked(site: Site, process: psutil.Process) -> Iterator[None]:
    """Another program holds the database."""
    database = Database(site.url)
    with database.engine.execution_options(writes=True).begin():
        yield
    database.close()


@contextmanager
def full(site: Site, process: psutil.Process) -> Iterator[None]:
    """The kernel can write no byte to any file, as on a full disk."""
    process.rlimit(resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
    yield
    process.rlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))


@pytest.mark.parametrize("trouble", [locked, full])
def test_what_cannot_be_written_is_told_and_not_lost(
    tmp_path: Path, sit_down: Made, trouble: Callable[[Site, psutil.Process], contextmanager[None]]
) -> None:
    with serving(tmp_path) as site:
        pair = sit_down(site)
        with trouble(site, kernel(site.address, pair.us.page)):
            pair.us.page.clock.fast_forward(500)
            pair.us.panel.get_by_role("button", name="Discard").click()
            expect(pair.us.panel).to_contain_text(NO_DATABASE, timeout=30000)
        everything = "".join(pair.frames)
        assert NO_DATABASE in everything
        assert "Traceback" not in everything
        pair.us.page.clock.fast_forward(6000)
        pair.goes_on()
