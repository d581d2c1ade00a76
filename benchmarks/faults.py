"""Kernels, servers and databases are killed in the middle of moves: is a move lost, doubled, or taken back?

Real server, two visitors a table, each of whom moves as soon as it is his turn. At random, some milliseconds after a
press, a student's kernel is killed, or the whole server, or PostgreSQL as by a power failure; the latter two are
started again. The visitors do what the page's script does: they come back to the same kernel, or load the page again
with their token. A move is acknowledged when the screen that answers the press refuses nothing. Afterwards each table
in the database must hold every acknowledged move once, no move that nobody pressed, no gap, and all that any page has
ever shown in its log. A press without an answer may have been made or not.

    python -m benchmarks.faults [kills] [tables] [sqlite|postgresql]
"""

from __future__ import annotations

import asyncio
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil
from sqlalchemy import Row, select
from tornado.httpclient import AsyncHTTPClient

from benchmarks.visitor import Screen, Silent, Visitor
from cmgames.engine import chance
from cmgames.engine.game import CHANCE
from cmgames.engine.moves import Move
from cmgames.engine.view import OPEN
from cmgames.rooms.codes import hashed
from cmgames.rooms.database import Database
from cmgames.rooms.room import Room
from cmgames.rooms.schema import GUESTS, MOVES, ROOMS, SEATS
from cmgames.ui import layout, phrases
from tests.browser.conftest import ROOT, free_port
from tests.postgres import Postgres, postgres

KILLS = int(sys.argv[1]) if len(sys.argv) > 1 else 100
TABLES = int(sys.argv[2]) if len(sys.argv) > 2 else 6
KINDS = sys.argv[3:] or ["sqlite", "postgresql"]
IN_FLIGHT = 0.03
"""A kill follows a press after at most so many seconds; a move takes some ten milliseconds."""

SILENCE = 11.0
"""After so many seconds without an answer the page offers to be loaded again."""

AGAIN = 90.0
"""So many seconds a table may take to play on after a kill."""


def row(name: str, value: object) -> None:
    print(f"{name:64} {value!s:>24}", flush=True)


@dataclass
class Press:
    """A move that a visitor has sent: at which table, on top of which version, and whether an answer has shown it."""

    table: str
    at: int
    move: str
    acknowledged: bool = False


@dataclass
class Player:
    """Somebody who plays by himself, and remembers what he was told."""

    visitor: Visitor
    presses: list[Press] = field(default_factory=list)
    shown: dict[str, dict[str, str]] = field(default_factory=dict)
    refused: Counter[str] = field(default_factory=Counter)
    losses: int = 0
    silences: int = 0
    games: int = 0
    moved_at: float = 0.0

    def heard(self, visitor: Visitor) -> None:
        """Remember each line of the log that has ever been on the page."""
        lines = self.shown.setdefault(table_of(visitor.screen), {})
        lines |= {ply: line["text"] for ply, line in visitor.screen.get("log", {}).items()}

    async def play(self, pressed: Callable[[Player], None], over: asyncio.Event) -> None:
        """Make a move whenever there is one to make, and come back whenever something is lost."""
        while not over.is_set():
            try:
                await self.be_there()
                await self.step(pressed)
            except ConnectionError as fault:
                self.silences += isinstance(fault, Silent)
                self.visitor.lost.set()

    async def be_there(self) -> None:
        """Come back, if the page is lost."""
        if self.visitor.lost.is_set():
            self.losses += 1
            await self.visitor.come_back()

    async def step(self, pressed: Callable[[Player], None]) -> None:
        """Do the next thing, or wait for the other one's."""
        visitor = self.visitor
        if "result" in visitor.screen:
            await visitor.press("Play again")
            self.games += 1
        await visitor.ready()
        deeds = visitor.deeds()
        if deeds:
            await self.press(deeds[0], pressed)
            await asyncio.sleep(visitor.rng.random() * 0.2)
        else:
            await visitor.news(0.5)

    async def press(self, deed: Screen, pressed: Callable[[Player], None]) -> None:
        """Press a button or a card; whether an answer shows it is noted."""
        press = Press(table_of(self.visitor.screen), deed.get("at", -1), deed.get("move", ""))
        if press.move:
            self.presses.append(press)
            pressed(self)
        notice = (await self.visitor.ask(deed, SILENCE)).get("notice")
        press.acknowledged = notice is None
        if notice is None:
            self.moved_at = time.monotonic()
        else:
            self.refused[notice["text"]] += 1
            await asyncio.sleep(0.5)


def table_of(screen: Screen) -> str:
    """The seal of a table's cards, by which it is known on the page and in the database."""
    found = re.search(r"SHA-256 ([0-9a-f]{64})", screen.get("foot", ""))
    return found[1] if found else ""


class Server:
    """``cmgames serve`` as a process that can be killed and started again at the same address."""

    def __init__(self, folder: Path, database: str) -> None:
        self.port, self.log = free_port(), folder / "serve.log"
        self.address = f"http://127.0.0.1:{self.port}/"
        self.environment = {**os.environ, "CMGAMES_DATA": str(folder), "CMGAMES_DATABASE_URL": database}
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-m", "cmgames", "serve", "--port", str(self.port)]
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log, cwd=ROOT, env=self.environment)

    async def ready(self) -> None:
        while b"http://" not in self.log.read_bytes():
            if self.process.poll() is not None:
                raise RuntimeError(self.log.read_text())
            await asyncio.sleep(0.1)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def kernel(self, id: str) -> psutil.Process | None:
        """The process of a kernel, known by the sockets on which it listens."""
        for child in psutil.Process(self.process.pid).children(recursive=True):
            with suppress(psutil.Error):
                if id and any(id in str(held.laddr) for held in child.net_connections("unix")):
                    return child
        return None


class Killer:
    """Kills, and starts again what does not come back by itself."""

    def __init__(self, server: Server, database: Postgres | None, tables: list[tuple[Player, Player]]) -> None:
        self.server, self.database, self.tables = server, database, tables
        self.rng = random.Random(1)
        self.presses: asyncio.Queue[Player] = asyncio.Queue()
        self.killed: Counter[str] = Counter()
        self.back: dict[str, list[float]] = {}
        self.stuck = 0

    async def kill(self) -> None:
        """Kill something in the middle of a move, and wait until all tables play on."""
        what = self.rng.choice(["kernel", "kernel", "server", *(["database"] if self.database else [])])
        while not self.presses.empty():
            self.presses.get_nowait()
        player = await asyncio.wait_for(self.presses.get(), AGAIN)
        kernel = self.server.kernel(player.visitor.kernel) if what == "kernel" else None
        await asyncio.sleep(self.rng.random() * IN_FLIGHT)
        since = time.monotonic()
        if kernel is not None:
            kernel.kill()
        elif what == "database":
            await self.kill_database()
        else:
            await self.kill_server()
        self.killed[what] += 1
        await self.all_play_on(since)
        self.back.setdefault(what, []).append(time.monotonic() - since)
        await asyncio.sleep(self.rng.random())

    async def kill_server(self) -> None:
        self.server.kill()
        await asyncio.sleep(self.rng.random())
        self.server.start()
        await self.server.ready()

    async def kill_database(self) -> None:
        assert self.database is not None
        await asyncio.to_thread(self.database.kill)
        await asyncio.sleep(self.rng.random() * 2)
        await asyncio.to_thread(self.database.start)

    async def all_play_on(self, since: float) -> None:
        """Wait until a move has been made at each table."""
        while time.monotonic() < since + AGAIN:
            still = [table for table in self.tables if max(player.moved_at for player in table) < since]
            if not still:
                return
            await asyncio.sleep(0.05)
        for table in still:
            self.stuck += 1
            row("a table does not play on", str([player.visitor.screen.get("prompt") for player in table]))


class Kept:
    """What the database holds in the end."""

    def __init__(self, url: str) -> None:
        self.database = Database(url)
        rooms, moves, guests = (self._all(select(table)) for table in (ROOMS, MOVES, GUESTS))
        self.guests = {guest.token: guest.id for guest in guests}
        self.rooms = {chance.commitment(int(room.seed), room.salt): room for room in rooms}
        self.moves: dict[int, list[Row[Any]]] = {room.id: [] for room in rooms}
        for move in sorted(moves, key=lambda move: move.version):
            self.moves[move.room_id].append(move)
        self.seats = {(seat.room_id, seat.guest_id): seat.seat for seat in self._all(select(SEATS))}

    def _all(self, query: Any) -> list[Row[Any]]:
        return list(self.database.read(lambda connection: connection.execute(query).all()))

    def gaps(self) -> int:
        """How many tables do not hold their moves one by one, or cannot be played again."""
        wrong = 0
        for room in self.rooms.values():
            numbers = [move.version for move in self.moves[room.id]]
            is_whole = numbers == list(range(1, room.version + 1))
            wrong += not (is_whole and Room(self.database, room.id).table.version == room.version)
        return wrong

    def made(self, player: Player, press: Press) -> Row[Any] | None:
        """The move that a press has made."""
        room = self.rooms[press.table]
        moves = self.moves[room.id]
        move = moves[press.at] if press.at < len(moves) else None
        if move is None or move.seat != self.seat(player, room):
            return None
        rules = Room(self.database, room.id).table.game
        return move if str(Move.parse(rules, move.text).bare) == press.move else None

    def seat(self, player: Player, room: Row[Any]) -> str:
        return self.seats[room.id, self.guests[hashed(player.visitor.token)]]

    def lines(self, player: Player, seal: str) -> dict[str, set[str]]:
        """What may be said of each move to a player: while the game goes on, and when all lies open."""
        table = Room(self.database, self.rooms[seal].id).table
        said: dict[str, set[str]] = {}
        for seat in (self.seat(player, self.rooms[seal]), OPEN):
            for event in layout.merged(table.log(seat)):
                if event.by != CHANCE:
                    said.setdefault(str(event.ply), set()).add(phrases.event(table.game, event))
        return said

    def taken_back(self, player: Player) -> int:
        """How many lines have been on the page of a player and are not in the log any more."""
        wrong = 0
        for seal, shown in player.shown.items():
            if seal:
                said = self.lines(player, seal)
                chance_only = {ply for ply in shown if ply not in said}
                table = Room(self.database, self.rooms[seal].id).table
                wrong += sum(int(ply) >= len(table.moves) or table.mover(int(ply)) != CHANCE for ply in chance_only)
                wrong += sum(text not in said[ply] for ply, text in shown.items() if ply in said)
        return wrong


def check(url: str, players: list[Player]) -> None:
    """Compare what the pages were told with what the database holds."""
    kept = Kept(url)
    found: dict[bool, list[tuple[Any, ...]]] = {True: [], False: []}
    missing = {True: 0, False: 0}
    for player in players:
        for press in player.presses:
            move = kept.made(player, press)
            if move is None:
                missing[press.acknowledged] += 1
            else:
                found[press.acknowledged].append((move.room_id, move.version))
    acknowledged, rest = set(found[True]), set(found[False]) - set(found[True])
    everything = {(move.room_id, move.version) for moves in kept.moves.values() for move in moves}
    unanswered = len(found[False]) + missing[False]
    answered = len(found[True]) + missing[True]
    row("presses, of them acknowledged", f"{answered + unanswered}, {answered}")
    row("presses without an answer that were made, and that were not", f"{len(rest)}, {unanswered - len(rest)}")
    row("moves in the database, games", f"{len(everything)}, {len(kept.rooms)}")
    row("acknowledged moves that are lost", missing[True])
    row("moves acknowledged twice", len(found[True]) - len(acknowledged))
    row("moves that nobody has pressed", len(everything - acknowledged - rest))
    row("tables with a gap", kept.gaps())
    row("lines that were on a page and are not in the log", sum(map(kept.taken_back, players)))
    kept.database.close()


async def sit_down(address: str, number: int) -> tuple[Player, Player]:
    """Two players at a new table."""
    one, other = (Player(Visitor(address, 2 * number + place)) for place in (0, 1))
    for player in (one, other):
        player.visitor.heard = player.heard
    game = ("tunnel-rat", "cat-and-mouse")[number % 2]
    await one.visitor.open()
    await one.visitor.ask({"do": "game", "game": game})
    await one.visitor.ask({"do": "set", "name": "opponent", "value": "far"})
    await one.visitor.press("Start")
    code = next(block["text"] for block in one.visitor.screen["text"] if block["kind"] == "code")
    await other.visitor.open(f"?code={code}")
    await other.visitor.press("Join")
    return one, other


async def measure(server: Server, database: Postgres | None) -> list[Player]:
    """Play and kill."""
    AsyncHTTPClient.configure(None, max_clients=8 * TABLES)
    await server.ready()
    tables = [await sit_down(server.address, number) for number in range(TABLES)]
    killer, over = Killer(server, database, tables), asyncio.Event()
    players = [player for table in tables for player in table]
    started = time.monotonic()
    async with asyncio.TaskGroup() as group:
        for player in players:
            group.create_task(player.play(killer.presses.put_nowait, over))
        for _ in range(KILLS):
            await killer.kill()
        over.set()
    row("killed", ", ".join(f"{times} × {what}" for what, times in killer.killed.items()))
    for what, seconds in killer.back.items():
        row(f"until all tables play on: {what}", f"p50 {statistics.median(seconds):.1f}  most {max(seconds):.1f} s")
    row("times that a table did not play on", killer.stuck)
    row(
        "minutes, pages lost and found again",
        f"{(time.monotonic() - started) / 60:.0f}, {sum(p.losses for p in players)}",
    )
    row(f"presses that nobody answered for {SILENCE:g} s", sum(player.silences for player in players))
    for text, times in sum((player.refused for player in players), Counter()).most_common():
        row(f"  answered: {text[:50]}", f"{times} times")
    return players


def main() -> None:
    """Measure and print."""
    for kind in KINDS:
        print(f"-- {kind}", flush=True)
        with ExitStack() as stack:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            database = stack.enter_context(postgres(free_port())) if kind == "postgresql" else None
            url = database.url if database else f"sqlite:///{folder}/rooms.sqlite"
            server = Server(folder, url)
            stack.callback(server.kill)
            check(url, asyncio.run(measure(server, database)))


if __name__ == "__main__":
    main()
