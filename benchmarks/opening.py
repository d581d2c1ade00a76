"""A class opens the page: how many work, how soon, and what a student costs.

Visitors arrive evenly over some seconds. Each does what a browser does: fetch the page and its script, open the
websocket, say hello through the widget; the page works once the kernel has answered. All of them stay until the memory
has been measured. USS is what a process alone holds and would give back; PSS counts shared pages by their share.
Visitors and server share this computer's processors.

    python -m benchmarks.opening [visitors] [seconds] [arguments of cmgames serve...]
"""

from __future__ import annotations

import asyncio
import json
import re
import statistics
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
from jupyter_server.services.kernels.connection.base import deserialize_msg_from_ws_v1, serialize_msg_to_ws_v1
from tornado.httpclient import AsyncHTTPClient, HTTPRequest
from tornado.websocket import WebSocketClientConnection, websocket_connect

from tests.browser.conftest import served

VISITORS = int(sys.argv[1]) if len(sys.argv) > 1 else 200
SECONDS = float(sys.argv[2]) if len(sys.argv) > 2 else 10.0
PATIENCE = 120
SYSTEM_MB = 500
"""What the operating system keeps for itself."""


@dataclass
class Visit:
    """How a visit went: seconds to the page and to the answer, or what was wrong."""

    page: float = 0.0
    works: float = 0.0
    fault: str = ""


def message(kind: str, content: dict[str, Any]) -> bytes:
    """A message as the page's script sends it."""
    header = {"msg_id": kind, "msg_type": kind, "session": "visitor", "username": "", "version": "5.3", "date": ""}
    parts: dict[str, Any] = {"header": header, "parent_header": {}, "metadata": {}, "content": content}
    written: bytes = serialize_msg_to_ws_v1(parts, "shell", lambda part: json.dumps(part).encode())
    return written


async def answer(socket: WebSocketClientConnection, kind: str) -> None:
    """Wait for a message of this kind."""
    while True:
        received = await socket.read_message()
        if received is None:
            raise ConnectionError("websocket closed")
        _, (header, *_) = deserialize_msg_from_ws_v1(received)
        if json.loads(header)["msg_type"] == kind:
            return


async def say_hello(address: str, page: str, cookies: str) -> WebSocketClientConnection:
    """Join the page's kernel and wait until its widget answers."""
    kernel, model = re.search(r'id="kernel">(.*?)</script>', page), re.search(r'data-view="(\w+)"', page)
    if not (kernel and model):
        raise ValueError("blank page")
    channels = f"{address}api/kernels/{json.loads(kernel[1])['id']}/channels?session_id=visitor"
    request = HTTPRequest(channels.replace("http", "ws", 1), headers={"Cookie": cookies})
    socket = await websocket_connect(request, subprotocols=["v1.kernel.websocket.jupyter.org"])
    await socket.write_message(message("comm_info_request", {"target_name": "jupyter.widget"}), binary=True)
    await answer(socket, "comm_info_reply")
    hello = {"method": "custom", "content": {"do": "hello", "query": "", "token": ""}}
    await socket.write_message(message("comm_msg", {"comm_id": model[1], "data": hello}), binary=True)
    await answer(socket, "comm_msg")
    return socket


async def visit(address: str, after: float, sockets: list[WebSocketClientConnection]) -> Visit:
    """Arrive, and stay."""
    await asyncio.sleep(after)
    client, result, start = AsyncHTTPClient(), Visit(), time.perf_counter()
    try:
        page = await client.fetch(address, request_timeout=PATIENCE, connect_timeout=PATIENCE)
        result.page = time.perf_counter() - start
        script = re.search(r'<script src="/?([^"]+)"', page.body.decode())
        if script:
            await client.fetch(address + script[1], request_timeout=PATIENCE)
        cookies = "; ".join(cookie.split(";")[0] for cookie in page.headers.get_list("Set-Cookie"))
        hello = say_hello(address, page.body.decode(), cookies)
        sockets.append(await asyncio.wait_for(hello, PATIENCE))
        result.works = time.perf_counter() - start
    except Exception as fault:  # noqa: BLE001  whatever is wrong is counted
        result.fault = f"{type(fault).__name__} {fault}"
    return result


@dataclass
class Processes:
    """The server, the process that its kernels are made from, and the kernels."""

    server: psutil.Process
    template: psutil.Process | None
    kernels: list[psutil.Process]

    @classmethod
    def find(cls) -> Processes:
        (server,) = (child for child in psutil.Process().children() if "serve" in child.cmdline())
        below = server.children(recursive=True)
        template = next((child for child in below if "cmgames.ui.voila.template" in child.cmdline()), None)
        return cls(server, template, [child for child in below if child != template])

    def all(self) -> list[psutil.Process]:
        return [self.server, *([self.template] if self.template else []), *self.kernels]

    def cpu(self) -> tuple[float, float]:
        """Seconds of processor that the server and that the others have used."""
        server, *others = (sum(each.cpu_times()[:2]) for each in self.all())
        return server, sum(others)


def megabytes(process: psutil.Process) -> tuple[float, float, float]:
    """RSS, PSS and USS."""
    memory = process.memory_full_info()
    return memory.rss / 1e6, memory.pss / 1e6, memory.uss / 1e6


def row(name: str, value: str) -> None:
    print(f"{name:44} {value:>44}", flush=True)


def quantiles(seconds: list[float]) -> str:
    p95 = statistics.quantiles(seconds, n=20)[-1] if len(seconds) > 1 else seconds[0]
    return f"p50 {statistics.median(seconds):.2f}  p95 {p95:.2f}  most {max(seconds):.2f} s"


def report_visits(visits: list[Visit], lasted: float, server: float, others: float) -> None:
    good = [visit for visit in visits if not visit.fault]
    row(f"{len(visits)} visitors in {SECONDS:g} s", f"{len(good)} pages work, the last after {lasted:.1f} s")
    for fault, times in Counter(visit.fault for visit in visits if visit.fault).items():
        row(f"  {times} times", fault[:80])
    if good:
        row("to the page", quantiles([visit.page for visit in good]))
        row("to the page that works", quantiles([visit.works for visit in good]))
        row("CPU a page, server + kernel", f"{1000 * server / len(good):.0f} + {1000 * others / len(good):.0f} ms")


def report_memory(before: float, found: Processes) -> None:
    """Say what a student costs: the kernel, and what the server has grown by."""
    rss, pss, uss = (statistics.mean(column) for column in zip(*map(megabytes, found.kernels), strict=True))
    server = megabytes(found.server)[2]
    template = megabytes(found.template)[0] if found.template else 0.0
    student = uss + (server - before) / len(found.kernels)
    row(f"a kernel, mean of {len(found.kernels)}", f"USS {uss:.1f}  PSS {pss:.1f}  RSS {rss:.1f} MB")
    row("server, template", f"{server:.0f}, {template:.0f} MB ({found.server.num_fds()} files open)")
    row("a student: kernel's USS and server's growth", f"{student:.1f} MB")
    for gigabytes in (2, 8, 24):
        free = 1000 * gigabytes - SYSTEM_MB - before - template
        row(f"  students in {gigabytes} GB, {SYSTEM_MB} MB for the system", f"{free / student:.0f}")


async def idle(found: Processes) -> None:
    """Measure what pages that nobody touches cost."""
    await asyncio.sleep(5)
    start = sum(found.cpu())
    await asyncio.sleep(10)
    row("CPU of all while nobody does anything", f"{(sum(found.cpu()) - start) * 10:.1f} % of a processor")


async def measure(address: str) -> None:
    AsyncHTTPClient.configure(None, max_clients=10 * VISITORS)
    found = Processes.find()
    before, cpu = megabytes(found.server)[2], found.cpu()
    sockets: list[WebSocketClientConnection] = []
    start = time.perf_counter()
    visits = await asyncio.gather(*(visit(address, i * SECONDS / VISITORS, sockets) for i in range(VISITORS)))
    lasted, found = time.perf_counter() - start, Processes.find()
    report_visits(visits, lasted, *(after - was for after, was in zip(found.cpu(), cpu, strict=True)))
    await idle(found)
    report_memory(before, found)


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder, served(Path(folder), *sys.argv[3:]) as address:
        asyncio.run(measure(address))


if __name__ == "__main__":
    main()
