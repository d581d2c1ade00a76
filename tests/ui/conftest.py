"""Rooms in a database of their own."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from cmgames.rooms.database import Database, prepare
from cmgames.rooms.rooms import Rooms
from cmgames.ui.classroom import TeacherSession
from cmgames.ui.session import Session

from .person import Person

Visit = Callable[[], Person]
Teach = Callable[[], Person]

KEY = "K7MQ-3F9X-RW24"
HASH = sha256(b"K7MQ3F9XRW24").hexdigest()


@pytest.fixture
def visit(tmp_path: Path) -> Visit:
    """Opens the page once more: each time a process of its own, as far as the database can tell."""
    url = f"sqlite:///{tmp_path}/rooms.sqlite"
    prepare(url)
    return lambda: Person(Session(rooms=Rooms(Database(url)), link="http://school/"))


@pytest.fixture
def teach(tmp_path: Path) -> Teach:
    """Opens the teacher's page once more."""
    url = f"sqlite:///{tmp_path}/rooms.sqlite"
    prepare(url)
    return lambda: Person(TeacherSession(Rooms(Database(url)), HASH, "http://school/"))
