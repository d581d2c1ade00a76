"""A database of its own for each test, of both kinds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import create_engine

from cmgames.rooms.database import Database, parse, prepare
from tests.browser.conftest import free_port
from tests.postgres import Postgres, postgres


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[Postgres]:
    with postgres(free_port()) as server:
        yield server


@pytest.fixture(params=["sqlite", "postgresql"])
def empty(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a database without tables."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/rooms.sqlite"
    server: Postgres = request.getfixturevalue("postgres_server")
    name = "t" + "".join(letter for letter in tmp_path.name.lower() if letter.isalnum())
    admin = create_engine(parse(server.url), isolation_level="AUTOCOMMIT")
    with admin.connect() as connection:
        connection.exec_driver_sql(f'CREATE DATABASE "{name}"')
    admin.dispose()
    return server.url.removesuffix("cmgames") + name


@pytest.fixture
def url(empty: str) -> str:
    """The address of a database that is ready."""
    prepare(empty)
    return empty


@pytest.fixture
def reach(url: str) -> Iterator[Callable[[], Database]]:
    """Connects to the database once more, as another process would."""
    connected: list[Database] = []

    def connect() -> Database:
        connected.append(Database(url))
        return connected[-1]

    yield connect
    for database in connected:
        database.close()


@pytest.fixture
def database(reach: Callable[[], Database]) -> Database:
    return reach()
