"""News: that something has changed for those who look at it, on other servers too.

A topic is a name with a number that counts up: ``room_7``, ``class_3``, ``guest_12``.  Who changes something bumps its
topics in the same transaction.  Who follows topics asks for their numbers: on SQLite every `POLL` seconds, one query by
primary key, less often while nobody is waited for; on PostgreSQL when NOTIFY wakes him.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any

from sqlalchemy import Connection, event, text

from cmgames.rooms.database import Database

POLL = 0.15
CALM_POLL = 1.0
"""Seconds between two looks at SQLite, for those who wait for somebody and for those who do not."""

BUMP = (
    "INSERT INTO topics (name, version) VALUES (:name, 1) "
    "ON CONFLICT (name) DO UPDATE SET version = topics.version + 1 RETURNING version"
)
COUNT_UP = {
    "sqlite": text(BUMP),
    "postgresql": text(f"WITH counted AS ({BUMP}) SELECT version, pg_notify(:name, '') FROM counted"),  # noqa: S608
}


def room(id: int) -> str:
    """The topic of a room: its moves, seats and people."""
    return f"room_{id}"


def class_(id: int) -> str:
    """The topic of a class: its state, and what is said to everybody."""
    return f"class_{id}"


def guest(id: int) -> str:
    """The topic of a guest: where he is seated."""
    return f"guest_{id}"


def bump(connection: Connection, *topics: str) -> dict[str, int]:
    """Say that something has changed, when this transaction ends; the topics' new numbers."""
    names = sorted(set(topics))  # the same order everywhere, so that no two transactions wait for each other
    count_up = COUNT_UP[connection.dialect.name]
    return {name: connection.execute(count_up, {"name": name}).scalar_one() for name in names}


class News:
    """Follows topics.

    Parameters
    ----------
    database : where they are.
    """

    def __init__(self, database: Database) -> None:
        self.database = database
        self._known: dict[str, int] = {}
        self._listening: set[str] = set()
        self._woken = asyncio.Event()
        if not database.is_sqlite:
            event.listen(database.engine, "connect", self._connected)

    def changed(self, topics: Iterable[str]) -> bool:
        """Whether a topic has changed since the last time, or is a new one; own moves are no news.

        Raises
        ------
        DatabaseFault
            The database does not answer.
        """
        names = set(topics)
        if not names:
            return False
        known = self.database.glance("SELECT name, version FROM topics WHERE name IN", sorted(names))
        now = {name: known.get(name, 0) for name in names}
        before, self._known = self._known, now
        own = self.database.own
        return any(before.get(name) not in (n, n - 1 if own.get(name) == n else n) for name, n in now.items())

    async def wait(self, topics: Iterable[str], seconds: float, calm: bool = False) -> None:
        """Wait until there may be news, at most so many seconds.

        Parameters
        ----------
        calm : news may come later than usual, as nobody waits for them.
        """
        if self.database.is_sqlite:
            await asyncio.sleep(min(seconds, CALM_POLL if calm else POLL))
            return
        if self._listen(set(topics)):
            return  # something may have happened before
        socket = self.database.read(lambda connection: connection.connection.driver_connection.fileno())  # type: ignore[union-attr]
        loop = asyncio.get_running_loop()
        loop.add_reader(socket, self._woken.set)
        try:
            await asyncio.wait_for(self._woken.wait(), seconds)
        except TimeoutError:
            pass
        finally:
            loop.remove_reader(socket)
            self._woken.clear()

    def _listen(self, topics: set[str]) -> bool:
        """Listen to these topics and no others; whether that is new."""
        words = [f'UNLISTEN "{name}"' for name in self._listening - topics]
        words += [f'LISTEN "{name}"' for name in topics - self._listening]
        if not words:
            return False

        def work(connection: Connection) -> None:
            for word in words:
                connection.exec_driver_sql(word)

        self.database.write(work)
        self._listening = topics
        return True

    def _connected(self, connection: Any, record: Any) -> None:
        """A new connection listens to nothing yet; what comes while it answers a query must wake us too."""
        self._listening = set()
        connection.add_notify_handler(lambda notice: self._woken.set())
