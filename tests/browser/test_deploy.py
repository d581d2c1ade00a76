"""Several servers: two processes behind nginx as `deploy/nginx.conf` sets it up, and one PostgreSQL."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import Request

import pytest
from playwright.sync_api import Browser, expect
from playwright.sync_api import TimeoutError as Late

from tests.postgres import postgres

from .clicker import Clicker
from .conftest import ROOT, free_port, running

pytestmark = pytest.mark.browser

BEAT = 15_000
"""Milliseconds of the page's clock after which it gives a sign of life."""


@contextmanager
def nginx(folder: Path, ports: list[int]) -> Iterator[str]:
    """Debian's nginx with our settings, on ports of its own."""
    port = free_port()
    settings = (ROOT / "deploy" / "nginx.conf").read_text()
    settings = settings.replace("listen 80;", f"listen 127.0.0.1:{port};")
    for printed, real in zip((8867, 8868), ports, strict=True):
        settings = settings.replace(f"127.0.0.1:{printed}", f"127.0.0.1:{real}")
    temporary = "\n".join(
        f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (folder / "nginx.conf").write_text(
        f"daemon off; pid {folder}/pid; error_log {folder}/error.log; events {{}}\n"
        f"http {{ access_log off;\n{temporary}\n{settings}\n}}\n"
    )
    program = shutil.which("nginx") or "/usr/sbin/nginx"
    command = [program, "-p", str(folder), "-c", str(folder / "nginx.conf"), "-e", str(folder / "error.log")]

    def ready() -> bool:
        try:
            return bool(urllib.request.urlopen(f"http://127.0.0.1:{port}/voila/static/nothing").status)
        except OSError as answer:
            return hasattr(answer, "code")

    with running(command, folder / "nginx.log", ready):
        yield f"http://127.0.0.1:{port}/"


class Servers:
    """Two processes of cmgames that can be killed one by one."""

    def __init__(self, folder: Path, database: str) -> None:
        self.ports = [free_port(), free_port()]
        self.processes = [self.start(folder / str(port), port, database) for port in self.ports]

    def start(self, folder: Path, port: int, database: str) -> subprocess.Popen[bytes]:
        folder.mkdir()
        environment = {
            **os.environ,
            "CMGAMES_DATA": str(folder),
            "CMGAMES_DATABASE_URL": database,
            "CMGAMES_TEACHER_KEY": "the same for both",
        }
        command = [sys.executable, "-m", "cmgames", "serve", "--port", str(port)]
        with (folder / "out").open("wb") as out:
            process = subprocess.Popen(command, stdout=out, stderr=out, cwd=ROOT, env=environment)
        for _ in range(600):
            if b"http://" in (folder / "out").read_bytes():
                return process
            assert process.poll() is None, (folder / "out").read_text()
            time.sleep(0.1)
        raise AssertionError((folder / "out").read_text())

    def end(self) -> None:
        for process in self.processes:
            if process.poll() is None:
                process.send_signal(signal.SIGINT)
                process.wait(20)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Servers]]:
    folder = tmp_path_factory.mktemp("site")
    (folder / "nginx").mkdir()
    with ExitStack() as stack:
        database = stack.enter_context(postgres(free_port()))
        servers = Servers(folder, database.url)
        stack.callback(servers.end)
        yield stack.enter_context(nginx(folder / "nginx", servers.ports)), servers


def server_of(person: Clicker, servers: Servers) -> int:
    """Which process a page talks to."""
    kernel = person.page.evaluate("JSON.parse(document.getElementById('kernel').textContent).id")
    cookies = "; ".join(f"{cookie['name']}={cookie['value']}" for cookie in person.page.context.cookies())
    as_his = {"Cookie": cookies, "Host": urlsplit(person.page.url).netloc}
    for number, port in enumerate(servers.ports):
        try:
            urllib.request.urlopen(Request(f"http://127.0.0.1:{port}/api/kernels/{kernel}", headers=as_his))
        except OSError:
            continue
        return number
    raise AssertionError("no process knows this page's kernel")


def visit_server(browser: Browser, address: str, servers: Servers, wanted: int) -> Clicker:
    """Somebody whom nginx sends to that process: browsers come until one is."""
    for _ in range(20):
        person = Clicker(browser.new_context().new_page())
        person.page.clock.install()
        person.open(address)
        if server_of(person, servers) == wanted:
            return person
        person.page.context.close()
    raise AssertionError("nginx sends everybody to one process")


def load_again(person: Clicker) -> None:
    """Let the time pass in which a page finds its server gone, and loads itself again."""
    kernel = "JSON.parse(document.getElementById('kernel')?.textContent ?? '{}').id"
    old = person.page.evaluate(kernel)
    for _ in range(20):
        person.page.clock.fast_forward(15_000)
        with suppress(Late):
            person.page.wait_for_function(f"old => ![undefined, old].includes({kernel})", arg=old, timeout=2000)
            return
    raise AssertionError("the page stays as it was")


def test_students_on_two_servers_play_each_other_and_one_server_may_die(
    site: tuple[str, Servers], browser: Browser
) -> None:
    address, servers = site
    ana = visit_server(browser, address, servers, 0)
    ana.begin("Cat & Mouse", seat="US Security", opponent="A friend on another screen")
    code = ana.app.locator(".g-code").inner_text().split()[-1]
    ben = visit_server(browser, address, servers, 1)
    ben.page.goto(f"{address}?code={code}")
    assert server_of(ben, servers) == 1, "a browser stays with its process"
    ben.press("Join")
    ben.press("Do not draw")
    ana.page.clock.fast_forward(BEAT)
    expect(ana.panel).to_contain_text("Your move")
    ana.press("Draw a card")
    hand = sorted(ana.app.locator(".g-hand [data-card]").all_inner_texts())

    servers.processes[0].kill()
    servers.processes[0].wait()
    load_again(ana)
    expect(ana.app.get_by_role("heading", level=1)).to_have_text("Cat & Mouse", timeout=20000)
    expect(ana.panel).to_contain_text("Your move")
    assert server_of(ana, servers) == 1
    assert sorted(ana.app.locator(".g-hand [data-card]").all_inner_texts()) == hand
    ana.click(ana.app.locator(".g-hand button:not([aria-disabled=true])").first)
    ana.press("Discard")
    expect(ben.app.locator(".g-log")).to_contain_text("discards")
    for person in (ana, ben):
        person.page.context.close()
