"""The database itself: its versions, its faults, its news."""

from __future__ import annotations

import sqlite3
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, text

from cmgames.rooms import database as module
from cmgames.rooms import news
from cmgames.rooms.database import Database, prepare
from cmgames.rooms.faults import DatabaseFault
from cmgames.rooms.rooms import Rooms
from cmgames.rooms.schema import METADATA
from tests.apart import apart
from tests.postgres import Postgres


def test_the_migrations_make_the_tables_that_the_code_uses(database: Database) -> None:
    def differences(connection: Connection) -> list[object]:
        return list(compare_metadata(MigrationContext.configure(connection), METADATA))

    assert database.read(differences) == []


def test_preparing_twice_and_by_several_at_once_changes_nothing(empty: str) -> None:
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(prepare, [empty] * 4))
    rooms = Rooms(Database(empty))
    guest, token = rooms.guests.admit("Ana")
    prepare(empty)
    assert rooms.guests.find(token) == guest
    rooms.database.close()


def test_a_database_of_a_newer_version_is_left_alone(database: Database, url: str) -> None:
    database.write(lambda connection: connection.execute(text("UPDATE alembic_version SET version_num = '9999'")))
    with pytest.raises(DatabaseFault, match="made by a newer cmgames"):
        prepare(url)
    version = text("SELECT version_num FROM alembic_version")
    assert database.read(lambda connection: connection.execute(version).scalar()) == "9999"


@pytest.mark.parametrize(
    "url", ["", "rooms.sqlite", "mysql://localhost/x", "postgresql://", "http://x", "postgresql://h:port/x"]
)
def test_a_wrong_address_is_explained(url: str) -> None:
    with pytest.raises(DatabaseFault, match=r"^The (address of the )?database"):
        prepare(url)


def test_a_server_that_is_not_there_is_explained_without_its_password() -> None:
    with pytest.raises(DatabaseFault, match="does not answer") as fault:
        prepare("postgresql://ana:geheim@127.0.0.1:1/cmgames")
    assert "geheim" not in str(fault.value)


def test_a_file_that_is_no_database_is_explained(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear database, " * 100)
    with pytest.raises(DatabaseFault, match="is no database"):
        prepare(f"sqlite:///{path}")
    assert path.read_text().startswith("Dear database")


def test_a_full_disk_is_explained_and_loses_nothing(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/rooms.sqlite"
    prepare(url)
    rooms = Rooms(Database(url))
    guest, token = rooms.guests.admit("Ana")

    def fill(connection: Connection) -> None:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar()
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")

    rooms.database.read(fill)

    def admit_many() -> None:
        for _ in range(10_000):
            rooms.guests.admit("Ben" * 8)

    with pytest.raises(DatabaseFault, match="no room left on its disk"):
        admit_many()
    assert rooms.guests.find(token) == guest


def test_a_database_that_somebody_else_holds_is_explained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "BUSY_SECONDS", 0.1)
    url = f"sqlite:///{tmp_path}/rooms.sqlite"
    prepare(url)
    rooms = Rooms(Database(url))
    holder = sqlite3.connect(tmp_path / "rooms.sqlite", isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    with pytest.raises(DatabaseFault, match="is used by another program"):
        rooms.guests.admit("Ana")
    holder.execute("ROLLBACK")
    rooms.guests.admit("Ana")


def test_a_read_only_database_is_explained(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/rooms.sqlite"
    prepare(url)
    rooms = Rooms(Database(f"sqlite:///file:{tmp_path}/rooms.sqlite?mode=ro&uri=true"))
    with pytest.raises(DatabaseFault, match="may not be written"):
        rooms.guests.admit("Ana")


def test_news_wakes_who_follows_its_topic_and_nobody_else(url: str) -> None:
    async def story() -> list[bool]:
        teller, follower = Database(url), news.News(Database(url))
        assert follower.changed(["room_1"])
        await follower.wait(["room_1"], 0.01)
        heard = []
        for topic in ("room_1", "room_2"):
            teller.write(lambda connection, topic=topic: news.bump(connection, topic))  # type: ignore[misc]
            await follower.wait(["room_1"], 0.5)
            heard.append(follower.changed(["room_1"]))
        teller.close()
        follower.database.close()
        return heard

    assert apart(story) == [True, False]


def test_postgresql_may_restart_under_us(postgres_server: Postgres) -> None:
    url = postgres_server.url
    prepare(url)
    rooms = Rooms(Database(url))
    guest, token = rooms.guests.admit("Ana")
    postgres_server.kill()
    with pytest.raises(DatabaseFault, match="does not answer"):
        rooms.guests.find(token)
    postgres_server.start()
    assert rooms.guests.find(token) == guest

    async def story() -> float:
        await rooms.news.wait(["room_1"], 0.01)
        teller, started = Database(url), time.monotonic()
        teller.write(lambda connection: news.bump(connection, "room_1"))
        await rooms.news.wait(["room_1"], 5)
        teller.close()
        return time.monotonic() - started

    assert apart(story) < 2
    rooms.database.close()
