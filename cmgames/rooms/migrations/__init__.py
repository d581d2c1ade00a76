"""The versions of the database's tables, and the way from one to the next (Alembic)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from alembic import command
from alembic.config import Config
from alembic.util.exc import CommandError
from sqlalchemy import Connection, text

from cmgames.rooms.faults import DatabaseFault

if TYPE_CHECKING:
    from cmgames.rooms.database import Database

LOCK = 7_311_942_057
"""PostgreSQL's advisory lock while tables change: two servers may start at once."""


def upgrade(database: Database) -> None:
    """Bring the tables to this version.

    Raises
    ------
    DatabaseFault
        The database was made by a newer cmgames.
    """
    from cmgames.rooms.database import place

    def work(connection: Connection) -> None:
        if not database.is_sqlite:
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
        command.upgrade(config(connection), "head")

    try:
        database.write(work)
    except CommandError as fault:
        raise DatabaseFault(
            f"The database {place(database.url)} was made by a newer cmgames: install that, or name another one."
        ) from fault


def config(connection: Connection) -> Config:
    """Alembic's settings for this connection."""
    settings = Config()
    settings.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    settings.attributes["connection"] = connection
    return settings
