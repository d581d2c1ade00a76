"""The questions that somebody answers for himself: the set at which his browser is, and its answers."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import NamedTuple

from sqlalchemy import Connection, delete, insert, select

from cmgames.rooms.database import Database
from cmgames.rooms.schema import PRACTICE


class Kept(NamedTuple):
    """A set of questions.

    Attributes
    ----------
    game, seed : what they are about, and what decides them; no page is sent the seed.
    given : the answers by the numbers of their questions, from 1.
    at : when the set was begun or answered last, in seconds since 1970.
    """

    game: str
    seed: int
    given: Mapping[int, str]
    at: float


def keep(database: Database, guest: int, game: str, seed: int, given: Mapping[int, str]) -> None:
    """Keep a guest's set, and forget the one that he had before."""
    texts = {str(number): answer for number, answer in given.items()}
    row = insert(PRACTICE).values(guest_id=guest, game=game, seed=str(seed), given=texts, made_at=time.time())

    def work(connection: Connection) -> None:
        connection.execute(delete(PRACTICE).where(PRACTICE.c.guest_id == guest))
        connection.execute(row)

    database.write(work)


def forget(database: Database, guest: int) -> None:
    """Keep no set of a guest."""
    database.write(lambda connection: connection.execute(delete(PRACTICE).where(PRACTICE.c.guest_id == guest)))


def of_guest(database: Database, guest: int) -> Kept | None:
    """The set at which a guest is."""
    query = select(PRACTICE).where(PRACTICE.c.guest_id == guest)
    row = database.read(lambda connection: connection.execute(query).one_or_none())
    if row is None:
        return None
    return Kept(row.game, int(row.seed), {int(number): answer for number, answer in row.given.items()}, row.made_at)
