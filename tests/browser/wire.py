"""A way from a browser to a server that is in the test's hand."""

from __future__ import annotations

import asyncio
import re
import threading
from contextlib import suppress


class Wire:
    """The way from a browser to a server, which counts bytes, can be cut, and can swallow what is sent."""

    def __init__(self, address: str) -> None:
        self.server = int(re.findall(r":(\d+)", address)[0])
        self.carried = 0
        self.whole = True
        self.loop = asyncio.new_event_loop()
        self.flows = asyncio.Event()
        self.flows.set()
        self.ends: list[asyncio.StreamWriter] = []
        threading.Thread(target=self.loop.run_forever, daemon=True).start()
        listening = asyncio.run_coroutine_threadsafe(asyncio.start_server(self.join, "127.0.0.1", 0), self.loop)
        self.address = f"http://127.0.0.1:{listening.result().sockets[0].getsockname()[1]}/"

    async def join(self, browser: asyncio.StreamReader, to_browser: asyncio.StreamWriter) -> None:
        if not self.whole:
            to_browser.close()
            return
        server, to_server = await asyncio.open_connection("127.0.0.1", self.server)
        self.ends += to_browser, to_server
        await asyncio.gather(self.carry(browser, to_server), self.carry(server, to_browser))

    async def carry(self, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await source.read(65536):
                await self.flows.wait()
                self.carried += len(data)
                target.write(data)
        target.close()

    def cut(self) -> None:
        self.whole = False
        for end in self.ends:
            self.loop.call_soon_threadsafe(end.close)

    def mend(self) -> None:
        self.whole = True
        self.loop.call_soon_threadsafe(self.flows.set)

    def swallow(self) -> None:
        self.loop.call_soon_threadsafe(self.flows.clear)
