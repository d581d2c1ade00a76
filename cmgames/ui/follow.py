"""What others do comes to a page: a loop in its kernel, for as long as the page gives signs of life."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from cmgames.rooms.faults import DatabaseFault
from cmgames.ui.journal import LOG
from cmgames.ui.screen import Screen
from cmgames.ui.session import BEAT, Session

PATIENCE = 3 * BEAT
"""A page that has been silent for so long is gone. Its kernel falls silent too, and so can be culled."""

GLANCE = 5.0
"""Seconds between two looks at what no news tells: who has been silent for how long."""

AFTER_FAULT = 1.0


class Follower:
    """Hands news to a page.

    Parameters
    ----------
    session : the person at the page.
    tell : is given each screen that others have brought about.
    """

    def __init__(self, session: Session, tell: Callable[[Screen], None]) -> None:
        self.session = session
        self.tell = tell
        self._heard_at = 0.0
        self._task: asyncio.Task[None] | None = None

    def heard(self) -> None:
        """Note that the page is there, and follow the news for it."""
        self._heard_at = time.monotonic()
        if self.session.rooms is not None and (self._task is None or self._task.done()):
            self._task = asyncio.get_running_loop().create_task(self._follow())

    async def _follow(self) -> None:
        glanced_at = time.monotonic()
        while time.monotonic() - self._heard_at < PATIENCE:
            try:
                is_time = await self._is_time(glanced_at)
            except DatabaseFault:
                LOG.exception("the news cannot be read")
                is_time = True  # the page finds out for itself, and says so
                await asyncio.sleep(AFTER_FAULT)
            if is_time:
                glanced_at = time.monotonic()
                screen = self.session.news()
                if screen is not None:
                    self.tell(screen)
                await asyncio.sleep(self.session.page.pace)

    async def _is_time(self, glanced_at: float) -> bool:
        """Wait a little; whether there is something to look at."""
        rooms, page = self.session.rooms, self.session.page
        assert rooms is not None
        due = page.due()
        wait = min(GLANCE, GLANCE if due is None else due)
        await rooms.news.wait(self.session.topics(), wait, page.is_calm)
        if rooms.news.changed(self.session.topics()):
            return True
        due = page.due()
        return time.monotonic() - glanced_at >= GLANCE or (due is not None and due <= 0)
