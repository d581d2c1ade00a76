"""Rooms in a database of their own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from cmgames.rooms.database import Database, prepare
from cmgames.rooms.rooms import Rooms
from cmgames.ui.session import Session

from .person import Person

Visit = Callable[[], Person]


@pytest.fixture
def visit(tmp_path: Path) -> Visit:
    """Opens the page once more: each time a process of its own, as far as the database can tell."""
    url = f"sqlite:///{tmp_path}/rooms.sqlite"
    prepare(url)
    return lambda: Person(Session(rooms=Rooms(Database(url)), link="http://school/"))
