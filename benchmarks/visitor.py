"""A person at a page of a real server, without a browser: speaks the same protocol as the page's script."""

from __future__ import annotations

import asyncio
import json
import random
import re
import time
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from typing import Any
from urllib.parse import urlencode

from jupyter_server.services.kernels.connection.base import deserialize_msg_from_ws_v1, serialize_msg_to_ws_v1
from tornado.httpclient import AsyncHTTPClient, HTTPClientError, HTTPRequest, HTTPResponse
from tornado.websocket import WebSocketClientConnection, WebSocketClosedError, websocket_connect

from tests.rfc7386 import merged

Screen = dict[str, Any]
PATIENCE = 120
PAUSES = (0.3, 1, 2, 4, 8, 15)
"""Seconds between two tries of the page's script to reach the server again."""

AWAY = (OSError, WebSocketClosedError, HTTPClientError, ValueError)
"""What may happen while a server is not there, or has just died."""


class Silent(ConnectionError):
    """A kernel is there, and does not answer."""


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
    lost : set when the connection or the kernel is gone.
    """

    def __init__(self, address: str, seed: int, heard: Callable[[Visitor], None] = lambda visitor: None) -> None:
        self.address = address
        self.rng = random.Random(seed)
        self.heard = heard
        self.screen: Screen = {}
        self.token = ""
        self.bytes = 0
        self.kernel = ""
        self.lost_kernel = False
        self.cookies: dict[str, str] = {}
        self.lost = asyncio.Event()
        self.socket: WebSocketClientConnection | None = None
        self._numbers = count(1)
        self._asked: dict[str, asyncio.Future[Screen]] = {}
        self._news = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    async def open(self, query: str = "") -> None:
        """Fetch the page, join its kernel, say hello."""
        self.leave()
        page = await self._fetch("", request_timeout=PATIENCE, connect_timeout=PATIENCE)
        text = page.body.decode()
        kernel, model = re.search(r'id="kernel">(.*?)</script>', text), re.search(r'data-view="(\w+)"', text)
        if not (kernel and model):
            raise ValueError("blank page")
        self.kernel, self.model = json.loads(kernel[1])["id"], model[1]
        state = re.search(r'data-model="\w+">(.*?)</script>', text, re.DOTALL)
        assert state is not None
        self.screen = json.loads(state[1])["state"]["screen"]
        self.cookies |= (cookie.split(";")[0].split("=", 1) for cookie in page.headers.get_list("Set-Cookie"))
        await self._join()
        await self.ask({"do": "hello", "query": query, "token": self.token, "link": self.address})

    async def _join(self) -> None:
        """Open the websocket to the page's kernel."""
        channels = f"{self.address}api/kernels/{self.kernel}/channels?session_id=visitor"
        request = HTTPRequest(channels.replace("http", "ws", 1), headers={"Cookie": self._cookies()})
        self.socket = await websocket_connect(request, subprotocols=["v1.kernel.websocket.jupyter.org"])
        self.lost.clear()
        self._tasks = [asyncio.create_task(self._listen(self.socket)), asyncio.create_task(self._beat())]
        await self._write("comm_info_request", {"target_name": "jupyter.widget"})

    async def come_back(self) -> None:
        """After a loss do what the page's script does: join the kernel again, or load the page again if it is gone."""
        for pause in (*PAUSES, *(PAUSES[-1:] * 20)):
            with suppress(*AWAY):
                await self._come_back()
                return
            await asyncio.sleep(pause * (0.7 + 0.6 * self.rng.random()))
        raise ConnectionError("the server does not come back")

    async def _come_back(self) -> None:
        answer = await self._fetch(f"api/kernels/{self.kernel}?no_track_activity=1")
        if answer.code >= 500:
            raise ConnectionError("nobody answers")
        if answer.code != 200 or self.lost_kernel:
            await self.open()
        else:
            self._close()
            await self._join()
            await self.ask({"do": "resync"})

    def leave(self) -> None:
        """Close the page: its kernel is told to end."""
        if self.kernel:
            self._farewell = asyncio.create_task(self._say_farewell(self.kernel))
        self._close()
        self.kernel, self.lost_kernel = "", False

    async def _say_farewell(self, kernel: str) -> None:
        body = urlencode({"_xsrf": self.cookies.get("_xsrf", "")})
        with suppress(*AWAY):
            await self._fetch(f"voila/api/shutdown/{kernel}", method="POST", body=body)

    async def _fetch(self, path: str, **how: Any) -> HTTPResponse:
        how = {"headers": {"Cookie": self._cookies()}, "request_timeout": 8, **how}
        request = HTTPRequest(f"{self.address}{path}", **how)
        return await AsyncHTTPClient().fetch(request, raise_error=False)

    def _cookies(self) -> str:
        return "; ".join(f"{name}={value}" for name, value in self.cookies.items())

    def _close(self) -> None:
        for task in self._tasks:
            task.cancel()
        self._tasks = []
        if self.socket is not None:
            self.socket.close()
        self.socket = None
        self._fail()

    def _fail(self) -> None:
        """Nobody will answer what was asked."""
        for future in self._asked.values():
            if not future.done():
                future.set_exception(ConnectionError("the page does not answer"))
        self._asked.clear()

    async def send(self, deed: Screen, number: str = "") -> None:
        """Do something, without waiting for the answer.

        Parameters
        ----------
        number : by which the answer names it.
        """
        content = {"n": self.screen.get("n", 0), "ms": self.rng.randrange(400, 4000), **deed}
        data = {"method": "custom", "content": content}
        await self._write("comm_msg", {"comm_id": self.model, "data": data}, number)

    async def ask(self, deed: Screen, patience: float = 30) -> Screen:
        """Do something; the screen that answers it.

        Raises
        ------
        ConnectionError
            The connection is lost or the kernel gone; `Silent` if nobody answers.
        """
        number, answer = self._number(), asyncio.get_running_loop().create_future()
        self._asked[number] = answer
        try:
            await self.send(deed, number)
            screen: Screen = await asyncio.wait_for(answer, patience)
        except WebSocketClosedError:
            answer.cancel()
            raise ConnectionError("the connection is lost") from None
        except TimeoutError:
            raise Silent(f"no answer for {patience:g} seconds") from None
        return screen

    async def news(self, patience: float) -> None:
        """Wait for a screen that others bring about, or for a loss, but not for ever."""
        self._news.clear()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._news.wait(), patience)

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

    def _number(self) -> str:
        return f"visitor-{next(self._numbers)}"

    async def _write(self, kind: str, content: Screen, number: str = "") -> None:
        if self.socket is None:
            raise WebSocketClosedError
        number = number or self._number()
        header = {
            "msg_id": number,
            "msg_type": kind,
            "session": "visitor",
            "username": "",
            "version": "5.3",
            "date": "",
        }
        parts: Screen = {"header": header, "parent_header": {}, "metadata": {}, "content": content}
        written: bytes = serialize_msg_to_ws_v1(parts, "shell", lambda part: json.dumps(part).encode())
        await self.socket.write_message(written, binary=True)

    async def _listen(self, socket: WebSocketClientConnection) -> None:
        with suppress(WebSocketClosedError):
            while not self.lost_kernel and (received := await socket.read_message()) is not None:
                self.bytes += len(received)
                await self._hear(received)
        self.lost.set()
        self._news.set()
        self._fail()

    async def _hear(self, received: str | bytes) -> None:
        assert isinstance(received, bytes)
        _, (header, parent, _, content, *_) = deserialize_msg_from_ws_v1(received)
        kind, said = json.loads(header)["msg_type"], json.loads(content)
        if kind == "comm_msg":
            await self._take(said["data"].get("content") or {}, json.loads(parent).get("msg_id", ""))
        elif kind == "status":
            self.lost_kernel = said["execution_state"] in ("restarting", "dead", "terminating")

    async def _take(self, content: Screen, asked: str) -> None:
        """Take a screen or what has changed of one, which answers the message of that number."""
        if "screen" in content:
            self.screen = content["screen"]
        elif content.get("base") == self.screen.get("n"):
            self.screen = merged(self.screen, content["patch"])
        elif "patch" in content:
            again = self._number()
            if asked in self._asked and not content.get("news"):
                self._asked[again] = self._asked.pop(asked)
            await self.send({"do": "resync"}, again)
            return
        else:
            return
        self.token = self.screen.get("token") or self.token
        if not content.get("news") and (answer := self._asked.pop(asked, None)) and not answer.done():
            answer.set_result(self.screen)
        self._news.set()
        self.heard(self)
        if "tick" in self.screen:
            self._tasks.append(asyncio.create_task(self._tick(self.screen["n"], self.screen["tick"])))

    async def _tick(self, n: int, tick: Screen) -> None:
        await asyncio.sleep(tick["after"])
        if self.screen.get("n") == n:
            with suppress(WebSocketClosedError):
                await self.send(tick["send"])

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(self.screen.get("beat") or 15)
            with suppress(WebSocketClosedError):
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
