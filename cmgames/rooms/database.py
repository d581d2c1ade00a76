"""The connection to the database: SQLite by default, PostgreSQL for more than one server.

A transaction is a function of a connection.  `Database.write` runs it again when the connection was lost, so it has to
be one that may run twice; moves are, by their keys.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import sqlalchemy
from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError, NoSuchModuleError
from sqlalchemy.pool import StaticPool

from cmgames.rooms.faults import DatabaseFault

__all__ = ["Database", "DatabaseFault", "prepare"]

T = TypeVar("T")

BUSY_SECONDS = 5.0
"""So long a transaction waits for another one to end."""

TRIES = 3
PAUSE = 0.2
SCRUBS = 25
"""So often, with a pause between, a journal is tried to be emptied."""


class Database:
    """A database with the tables of `cmgames.rooms.schema`; one connection, for one thread.

    Attributes
    ----------
    own : the numbers to which this process has itself counted topics up, by making moves (see `cmgames.rooms.news`).

    Parameters
    ----------
    url : such as ``sqlite:////home/ana/rooms.sqlite`` or ``postgresql://cmgames@localhost/cmgames``.

    Raises
    ------
    DatabaseFault
        The URL is none.
    """

    def __init__(self, url: str) -> None:
        self.url = parse(url)
        self.own: dict[str, int] = {}
        self.is_sqlite = self.url.get_backend_name() == "sqlite"
        connect: dict[str, Any] = {"timeout": BUSY_SECONDS} if self.is_sqlite else {"connect_timeout": 5}
        self.engine: Engine = create_engine(self.url, poolclass=StaticPool, connect_args=connect, hide_parameters=True)
        self._driver: Any = None  # SQLite's connection
        if self.is_sqlite:
            event.listen(self.engine, "connect", self._open_sqlite)
            event.listen(self.engine, "begin", _begin_sqlite)

    def read(self, work: Callable[[Connection], T]) -> T:
        """What `work` returns; it only reads.

        Raises
        ------
        DatabaseFault
            The database does not answer, or refuses.
        """
        return self._run(work, writes=False)

    def write(self, work: Callable[[Connection], T]) -> T:
        """What `work` returns, once all that it wrote is kept; when it raises, nothing was written.

        Raises
        ------
        DatabaseFault
            The database does not answer, or refuses.
        """
        return self._run(work, writes=True)

    def glance(self, query: str, values: Sequence[str]) -> dict[Any, Any]:
        """The rows of two columns, as a mapping, that `query` finds for a list of values; in no transaction.

        For what each page asks several times a second: the driver's own cursor takes a twentieth of the time, and 200
        processes wake up for it.

        Parameters
        ----------
        query : SQL that ends before the list.

        Raises
        ------
        DatabaseFault
            The database does not answer.
        """
        if not self.is_sqlite:
            marks = ", ".join("%s" for _ in values)
            sql = f"{query} ({marks})"
            rows: Any = self.read(lambda connection: connection.exec_driver_sql(sql, tuple(values)).all())
            return dict(rows)
        try:
            if self._driver is None:
                self.read(lambda connection: None)
            return dict(self._driver.execute(f"{query} ({', '.join('?' for _ in values)})", values))
        except sqlite3.Error as fault:
            raise DatabaseFault(sentence(self.url, str(fault))) from fault

    def scrub(self) -> None:
        """Leave no trace of what was deleted in SQLite's journal; pages that read may take a moment to let go."""
        for _ in range(SCRUBS if self.is_sqlite else 0):
            busy, *_ = self._driver.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            if not busy:
                return
            time.sleep(PAUSE)

    def close(self) -> None:
        """Give the connection back."""
        self._driver = None
        self.engine.dispose()

    def _open_sqlite(self, connection: Any, _record: Any) -> None:
        connection.isolation_level = None  # SQLAlchemy's own BEGIN, see below
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA secure_delete = ON")  # what a teacher deletes is overwritten
        self._driver = connection

    def _run(self, work: Callable[[Connection], T], writes: bool) -> T:
        engine = self.engine.execution_options(writes=writes)
        for left in reversed(range(TRIES)):
            try:
                with engine.begin() as connection:
                    return work(connection)
            except IntegrityError:
                if not left:
                    raise
            except DBAPIError as fault:
                if not (left and fault.connection_invalidated):
                    raise DatabaseFault(self._sentence(fault)) from fault
                time.sleep(PAUSE)
        raise AssertionError

    def _sentence(self, fault: DBAPIError) -> str:
        return sentence(self.url, str(fault.orig))


def parse(url: str) -> URL:
    """A database's address, with the driver that we use.

    Raises
    ------
    DatabaseFault
        It is none, or of a database that cmgames does not know.
    """
    try:
        parsed = make_url(url)
        drivers = {"sqlite": "sqlite", "postgresql": "postgresql+psycopg", "postgres": "postgresql+psycopg"}
        return parsed.set(drivername=drivers[parsed.drivername.partition("+")[0]])
    except (ArgumentError, KeyError, NoSuchModuleError, ValueError):
        raise DatabaseFault(
            "The address of the database is not one: write sqlite:///file or postgresql://user@host/name."
        ) from None


def place(url: URL) -> str:
    """Where a database is, in words, without its password."""
    return str(url.database) if url.get_backend_name() == "sqlite" else url.render_as_string(hide_password=True)


SENTENCES = {
    "locked": "is used by another program for too long. Nothing is lost: try again in a moment.",
    "readonly": "may not be written: give the person who serves the right to write the file and its folder.",
    "unable to open": "cannot be opened: see that its folder exists and may be written.",
    "disk is full": "has no room left on its disk. Nothing is lost: make room, then try again.",
    "no space left": "has no room left on its disk. Nothing is lost: make room, then try again.",
    "disk i/o": "cannot be written: see whether its disk is full or broken. What was kept is safe.",
    "malformed": "is damaged. Put back a copy of the file, or move it away to begin anew.",
    "not a database": "is no database: name another file.",
    "password": "does not let us in: check the user and the password.",
    "does not exist": "does not exist there, or its user does not: create them first (docs/deploy.md).",
    "too many": "has no connection left for us: raise its max_connections (docs/deploy.md).",
    "remaining connection": "has no connection left for us: raise its max_connections (docs/deploy.md).",
}


def sentence(url: URL, fault: str) -> str:
    """What a fault means for the person who serves."""
    what = f"The database {place(url)} "
    known = next((words for sign, words in SENTENCES.items() if sign in fault.lower()), None)
    return what + (known or "does not answer. Nothing is lost: see that it runs, and try again.")


def _begin_sqlite(connection: Connection) -> None:
    # A transaction that will write takes the lock at once: it can then wait, and never has to begin again.
    writes = connection.get_execution_options().get("writes")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def prepare(url: str) -> None:
    """Make the database ready to be used: create its tables, or bring them to this version; throw away what is old.

    Raises
    ------
    DatabaseFault
        It cannot be used; the sentence says why and what to do.
    """
    from cmgames.rooms import migrations
    from cmgames.rooms.rooms import Rooms

    database = Database(url)
    try:
        if database.is_sqlite and database.url.database:
            Path(database.url.database).parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            with database.engine.connect() as connection:
                connection.exec_driver_sql("COMMIT")
                connection.exec_driver_sql("PRAGMA journal_mode = WAL")
        migrations.upgrade(database)
        Rooms(database).sweep()
        if database.is_sqlite and database.url.database:
            Path(database.url.database).chmod(0o600)
    except OSError as fault:
        raise DatabaseFault(f"The folder of the database cannot be made: {fault.strerror}.") from fault
    except sqlalchemy.exc.DBAPIError as fault:
        raise DatabaseFault(sentence(database.url, str(fault.orig))) from fault
    finally:
        database.close()
