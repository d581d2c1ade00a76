"""Tables in play: how soon a move is on the other page, and whether any is lost.

Real server, two visitors a table. Each table makes a move every two seconds; a move is timed from the press to the
screen that it brings to the other page. Afterwards the database is read: each table must hold exactly the moves that
its pages have seen, numbered without a gap. Visitors, server and database share this computer's processors.

    python -m benchmarks.rooms [tables] [seconds] [sqlite|postgresql]
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from sqlalchemy import select
from tornado.httpclient import AsyncHTTPClient

from benchmarks.visitor import Clock, Visitor
from cmgames.rooms.database import Database
from cmgames.rooms.schema import MOVES, ROOMS
from tests.browser.conftest import free_port, served
from tests.postgres import postgres

TABLES = int(sys.argv[1]) if len(sys.argv) > 1 else 100
SECONDS = float(sys.argv[2]) if len(sys.argv) > 2 else 300.0
KINDS = sys.argv[3:] or ["sqlite", "postgresql"]
PACE = 2.0


def row(name: str, value: str) -> None:
    print(f"{name:44} {value:>44}", flush=True)


class Pair:
    """Two visitors at one table."""

    def __init__(self, address: str, number: int) -> None:
        self.clock = Clock()
        self.moves = 0
        self.finished = 0
        self.refused = 0
        self.one = Visitor(address, 2 * number, self.heard)
        self.other = Visitor(address, 2 * number + 1, self.heard)
        self.waits_for: Visitor | None = None
        self.log = ""

    def heard(self, visitor: Visitor) -> None:
        if visitor is self.waits_for and str(visitor.screen.get("log")) != self.log:
            self.waits_for = None
            self.clock.stop()

    async def sit_down(self) -> None:
        await self.one.open()
        await self.one.ask({"do": "game", "game": "tunnel-rat"})
        for name, value in {"seat": "rat", "opponent": "far"}.items():
            await self.one.ask({"do": "set", "name": name, "value": value})
        await self.one.press("Start")
        code = next(block["text"] for block in self.one.screen["text"] if block["kind"] == "code")
        await self.other.open(f"?code={code}")
        await self.other.press("Join")
        await self.other.ready()

    async def play(self, until: float) -> None:
        """Whoever can makes a move, every two seconds."""
        await asyncio.sleep(self.one.rng.random() * PACE)
        while time.perf_counter() < until:
            started = time.perf_counter()
            await self.step()
            await asyncio.sleep(max(0.0, started + PACE - time.perf_counter()))

    async def step(self) -> None:
        for visitor, across in ((self.one, self.other), (self.other, self.one)):
            if "result" in visitor.screen:
                await visitor.press("Play again")
                await visitor.ready()
                self.finished += visitor is self.one
            for deed in visitor.deeds():
                self.waits_for, self.log = across, str(across.screen.get("log"))
                self.clock.start()
                await visitor.ask(deed)
                self.moves += deed["do"] == "move"
                self.refused += visitor.screen.get("notice", {}).get("tone") == "refused"
                return


def report(pairs: list[Pair]) -> None:
    seconds = sorted(second for pair in pairs for second in pair.clock.seconds)
    row("moves pressed, games finished", f"{sum(p.moves for p in pairs)}, {sum(p.finished for p in pairs)}")
    row("seen on the other page", str(len(seconds)))
    p95 = statistics.quantiles(seconds, n=20)[-1]
    row(
        "from the press to the other page",
        f"p50 {1000 * statistics.median(seconds):.0f}  p95 {1000 * p95:.0f}  most {1000 * seconds[-1]:.0f} ms",
    )
    row("presses that were refused", str(sum(p.refused for p in pairs)))


def check(url: str, pairs: list[Pair]) -> None:
    """Whether the database holds each move once, and every move that was answered."""
    database = Database(url)
    query = select(MOVES.c.room_id, MOVES.c.version).order_by(MOVES.c.room_id, MOVES.c.version)
    kept = database.read(lambda connection: connection.execute(query).all())
    rooms = database.read(lambda connection: connection.execute(select(ROOMS.c.id, ROOMS.c.version)).all())
    versions = {room.id: room.version for room in rooms}
    found: dict[int, list[int]] = {}
    for entry in kept:
        found.setdefault(entry.room_id, []).append(entry.version)
    gaps = [id for id, numbers in found.items() if numbers != list(range(1, versions[id] + 1))]
    pressed = sum(pair.moves - pair.refused for pair in pairs)
    row("moves in the database, tables with a gap", f"{len(kept)}, {len(gaps)}")
    row("moves lost, moves doubled", f"{max(pressed - len(kept), 0)}, {max(len(kept) - pressed, 0)}")
    database.close()


async def measure(address: str) -> list[Pair]:
    AsyncHTTPClient.configure(None, max_clients=4 * TABLES)
    pairs = [Pair(address, number) for number in range(TABLES)]
    gate = asyncio.Semaphore(8)

    async def sit_down(pair: Pair) -> None:
        async with gate:
            await pair.sit_down()

    started = time.perf_counter()
    await asyncio.gather(*map(sit_down, pairs))
    row(f"{TABLES} tables are seated after", f"{time.perf_counter() - started:.1f} s")
    until = time.perf_counter() + SECONDS
    await asyncio.gather(*(pair.play(until) for pair in pairs))
    await asyncio.sleep(1)
    return pairs


def main() -> None:
    """Measure and print."""
    for kind in KINDS:
        print(f"-- {kind}", flush=True)
        with ExitStack() as stack:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            url = f"sqlite:///{folder}/data/rooms.sqlite"
            if kind == "postgresql":
                url = stack.enter_context(postgres(free_port())).url
            address = stack.enter_context(served(folder, "--database", url))
            pairs = asyncio.run(measure(address))
            report(pairs)
            check(url, pairs)


if __name__ == "__main__":
    main()
