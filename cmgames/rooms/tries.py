"""Wrong answers are counted, so that nobody can try all codes."""

from __future__ import annotations

import logging
import time

from sqlalchemy import Connection, insert, select, update

from cmgames.rooms.database import Database
from cmgames.rooms.faults import Refused
from cmgames.rooms.schema import TRIES

LOG = logging.getLogger("cmgames")

FREE = 8
SECONDS = 60.0
"""So many wrong answers are free; then one has to wait until so long has passed since the first."""


class Tries:
    """The wrong answers of all who try something, by who tries what, such as ``code guest 7``.

    Parameters
    ----------
    database : where they are counted.
    """

    def __init__(self, database: Database) -> None:
        self.database = database

    def count(self, name: str) -> None:
        """Count a wrong answer."""
        now = time.time()

        def work(connection: Connection) -> int:
            row = connection.execute(select(TRIES).where(TRIES.c.name == name)).one_or_none()
            if row is None:
                connection.execute(insert(TRIES).values(name=name, tries=1, since=now))
                return 1
            is_over = now - row.since > SECONDS
            values = {"tries": 1, "since": now} if is_over else {"tries": row.tries + 1}
            connection.execute(update(TRIES).where(TRIES.c.name == name).values(**values))
            return int(values["tries"])

        if self.database.write(work) == FREE:
            LOG.warning("%d wrong answers: %s", FREE, name)

    def demand(self, name: str) -> None:
        """Refuse somebody who has given too many wrong answers.

        Raises
        ------
        Refused
            It says how long to wait.
        """
        query = select(TRIES).where(TRIES.c.name == name)
        row = self.database.read(lambda connection: connection.execute(query).one_or_none())
        if row is None or row.tries < FREE:
            return
        wait = row.since + SECONDS - time.time()
        if wait > 0:
            raise Refused(f"That was wrong too often. Wait {wait:.0f} seconds, then try again.")
