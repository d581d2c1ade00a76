"""A person at a page of a real server, without a browser: speaks the same protocol as the page's script."""

from __future__ import annotations

import asyncio
import json
import random
import re
import time
from collections.abc import Callable
from typing import Any

from jupyter_server.services.kernels.connection.base import deserialize_msg_from_ws_v1, serialize_msg_to_ws_v1
from tornado.httpclient import AsyncHTTPClient, HTTPRequest
from tornado.websocket import WebSocketClientConnection, websocket_connect

Screen = dict[str, Any]
PATIENCE = 120


def merged(target: Any, patch: Any) -> Any:
    """MergePatch of RFC 7386."""
    if not isinstance(patch, dict):
        return patch
    target = dict(target) if isinstance(target, dict) else {}
    for name, value in patch.items():
        if value is None:
            target.pop(name, None)
        else:
            target[name] = merged(target.get(name), value)
    return target


class Visitor:
    """A person at a page.

    Parameters
    ----------
    address : the page's.
    seed : decides what he presses.
    heard : is called after each screen that has come, with the visitor.

    Attributes
    ----------
    screen : what he sees.
    token : what his browser keeps.
    bytes : how much has come through the websocket.
    """

    def __init__(self, address: str, seed: int, heard: Callable[[Visitor], None] = lambda visitor: None) -> None:
        self.address = address
        self.rng = random.Random(seed)
        self.heard = heard
        self.screen: Screen = {}
        self.token = ""
        self.bytes = 0
        self.kernel = ""
        self.lost = asyncio.Event()
        self._news = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    async def open(self, query: str = "") -> None:
        """Fetch the page, join its kernel, say hello; again after a loss."""
        self.leave()
        page = await AsyncHTTPClient().fetch(self.address, request_timeout=PATIENCE, connect_timeout=PATIENCE)
        text = page.body.decode()
        kernel, model = re.search(r'id="kernel">(.*?)</script>', text), re.search(r'data-view="(\w+)"', text)
        if not (kernel and model):
            raise ValueError("blank page")
        self.kernel, self.model = json.loads(kernel[1])["id"], model[1]
        state = re.search(r'data-model="\w+">(.*?)</script>', text, re.DOTALL)
        assert state is not None
        self.screen = json.loads(state[1])["state"]["screen"]
        cookies = "; ".join(cookie.split(";")[0] for cookie in page.headers.get_list("Set-Cookie"))
        channels = f"{self.address}api/kernels/{self.kernel}/channels?session_id=visitor"
        request = HTTPRequest(channels.replace("http", "ws", 1), headers={"Cookie": cookies})
        self.socket: WebSocketClientConnection = await websocket_connect(
            request, subprotocols=["v1.kernel.websocket.jupyter.org"]
        )
        self.lost.clear()
        self._tasks = [asyncio.create_task(self._listen()), asyncio.create_task(self._beat())]
        await self._write("comm_info_request", {"target_name": "jupyter.widget"})
        await self.ask({"do": "hello", "query": query, "token": self.token, "link": self.address})

    def leave(self) -> None:
        """Close the page."""
        for task in self._tasks:
            task.cancel()
        self._tasks = []
        if hasattr(self, "socket"):
            self.socket.close()

    async def send(self, deed: Screen) -> None:
        """Do something, without waiting for the answer."""
        content = {"n": self.screen.get("n", 0), "ms": self.rng.randrange(400, 4000), **deed}
        await self._write("comm_msg", {"comm_id": self.model, "data": {"method": "custom", "content": content}})

    async def ask(self, deed: Screen, patience: float = 30) -> Screen:
        """Do something; the next screen that comes."""
        self._news.clear()
        await self.send(deed)
        await self._next(patience)
        return self.screen

    async def _next(self, patience: float) -> None:
        waits = {asyncio.create_task(self._news.wait()), asyncio.create_task(self.lost.wait())}
        done, left = await asyncio.wait(waits, timeout=patience, return_when=asyncio.FIRST_COMPLETED)
        for task in left:
            task.cancel()
        if self.lost.is_set() or not done:
            raise ConnectionError("the page does not answer")
        self._news.clear()

    async def press(self, label: str) -> Screen:
        """Press the button of that label."""
        buttons = self.screen.get("moves", {}).values()
        return await self.ask(next(button["send"] for button in buttons if button["label"].startswith(label)))

    async def ready(self) -> None:
        """Promise what has to be promised before the game."""
        if "begin" in self.screen.get("moves", {}):
            for field in list(self.screen.get("fields", {}).values()):
                await self.ask({**field["send"], "value": "true"})
            await self.press("Accepted")

    def deeds(self) -> list[Screen]:
        """What moves the game on now, in a random order; nothing while somebody else moves."""
        if not self.screen.get("mine"):
            return []
        moves = [button["send"] for button in self.screen.get("moves", {}).values() if not button.get("off")]
        cards = [
            card["send"]
            for row in self.screen.get("rows", {}).values()
            for card in row.get("cards", {}).values()
            if card.get("send")
        ]
        self.rng.shuffle(cards)
        return cards[:1] if cards and (not moves or self.rng.random() < 0.5) else moves[-1:]

    async def _write(self, kind: str, content: Screen) -> None:
        header = {"msg_id": kind, "msg_type": kind, "session": "visitor", "username": "", "version": "5.3", "date": ""}
        parts: Screen = {"header": header, "parent_header": {}, "metadata": {}, "content": content}
        written: bytes = serialize_msg_to_ws_v1(parts, "shell", lambda part: json.dumps(part).encode())
        await self.socket.write_message(written, binary=True)

    async def _listen(self) -> None:
        while (received := await self.socket.read_message()) is not None:
            self.bytes += len(received)
            _, (header, _, _, content, *_) = deserialize_msg_from_ws_v1(received)
            if json.loads(header)["msg_type"] == "comm_msg":
                await self._take(json.loads(content)["data"].get("content") or {})
        self.lost.set()

    async def _take(self, content: Screen) -> None:
        if "screen" in content:
            self.screen = content["screen"]
        elif content.get("base") == self.screen.get("n"):
            self.screen = merged(self.screen, content["patch"])
        elif "patch" in content:
            await self.send({"do": "resync"})
            return
        else:
            return
        self.token = self.screen.get("token") or self.token
        self._news.set()
        self.heard(self)
        if "tick" in self.screen:
            self._tasks.append(asyncio.create_task(self._tick(self.screen["n"], self.screen["tick"])))

    async def _tick(self, n: int, tick: Screen) -> None:
        await asyncio.sleep(tick["after"])
        if self.screen.get("n") == n:
            await self.send(tick["send"])

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(self.screen.get("beat") or 15)
            await self.send({"do": "here", "visible": True})


class Clock:
    """When something was done, and how long afterwards others saw it."""

    def __init__(self) -> None:
        self.since = 0.0
        self.seconds: list[float] = []

    def start(self) -> None:
        self.since = time.perf_counter()

    def stop(self) -> None:
        if self.since:
            self.seconds.append(time.perf_counter() - self.since)
            self.since = 0.0
