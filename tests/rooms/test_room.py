"""A room: many want to move, one does."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import select

import cmgames
from cmgames.engine.moves import IllegalMove
from cmgames.rooms.classes import Class
from cmgames.rooms.database import Database
from cmgames.rooms.faults import Refused
from cmgames.rooms.room import MovedOn, Room, close_rooms
from cmgames.rooms.rooms import Rooms
from cmgames.rooms.schema import MOVES, ROOMS
from cmgames.rooms.terms import ClassTerms

Reach = Callable[[], Database]


def shared(reach: Reach, game: str = "tunnel-rat") -> tuple[Room, Room]:
    """A table with two people, as each of them has it open."""
    one, other = Rooms(reach()), Rooms(reach())
    seats = list(cmgames.GAMES[game].seats)
    room = one.open(one.guests.admit()[0], game, {}, {seats[0]: "person", seats[1]: ""})
    joined = other.join(other.guests.admit()[0], room.id, seats[1])
    room.refresh()
    return room, joined


def kept(room: Room) -> list[tuple[int, str, str]]:
    """The list of moves in the database."""
    query = select(MOVES.c.version, MOVES.c.seat, MOVES.c.text).where(MOVES.c.room_id == room.id)
    rows = room.database.read(lambda connection: connection.execute(query.order_by(MOVES.c.version)).all())
    return [(row.version, row.seat, row.text) for row in rows]


def test_many_who_move_at_once_make_one_move_a_version(reach: Reach) -> None:
    """Eight processes' worth of eager players; every version is made once, and everybody reads the same game."""
    room, _ = shared(reach)

    def eager(seed: int) -> tuple[int, int]:
        rng, mine = random.Random(seed), Room(reach(), room.id, room.guest)
        made = refused = 0
        while mine.table.version < 40 and not mine.over:
            try:
                mine.play(rng.choice(mine.table.legal()), mine.table.version)
                made += 1
            except MovedOn:
                refused += 1
        return made, refused

    with ThreadPoolExecutor(8) as pool:
        counts = list(pool.map(eager, range(8)))
    room.refresh()
    versions = [version for version, _, _ in kept(room)]
    assert versions == list(range(1, len(versions) + 1))
    assert sum(made for made, _ in counts) == len(versions) == room.table.version
    assert sum(refused for _, refused in counts) > 0


def test_a_move_with_the_same_key_is_made_once(reach: Reach) -> None:
    room, _ = shared(reach)
    again = Room(reach(), room.id, room.guest)
    room.play("draw", 0, key="a click")
    again.play("draw", 0, key="a click")
    assert len(kept(room)) == 1
    assert again.table.record() == room.table.record()
    with pytest.raises(MovedOn):
        room.play("draw", 0, key="another click")
    assert Counter(text for _, _, text in kept(room)) == {"draw": 1}


def test_the_list_only_grows_and_its_fold_is_the_table(reach: Reach) -> None:
    room, other = shared(reach, "cat-and-mouse")
    rng = random.Random(5)
    before: list[tuple[int, str, str]] = []
    for _ in range(80):
        if room.over:
            break
        seat = room.table.seat or ""
        if room.table.can_undo(seat) and rng.random() < 0.3:
            room.undo(seat)
        else:
            room.play(rng.choice(room.table.legal()))
        now = kept(room)
        assert now[: len(before)] == before
        before = now
    other.refresh()
    fresh = Room(reach(), room.id)
    assert room.table.record() == other.table.record() == fresh.table.record()
    assert any(text == "undo" for _, _, text in before)


def test_what_is_illegal_or_over_changes_nothing(reach: Reach) -> None:
    room, other = shared(reach)
    with pytest.raises(IllegalMove, match="Draw Phase"):
        room.play("advance")
    assert kept(room) == []
    other.end("Enough.")
    with pytest.raises(Refused, match="over"):
        room.play("draw")
    assert kept(room) == []


def test_a_game_that_is_over_keeps_its_end(reach: Reach) -> None:
    rooms = Rooms(reach())
    ended, open_one = (
        rooms.open(rooms.guests.admit()[0], "tunnel-rat", {}, {"rat": "person", "vc": ""}) for _ in range(2)
    )
    ended.end("Enough.")
    rooms.database.write(lambda connection: close_rooms(connection, ROOMS.c.id > 0, "The class was closed."))
    for room, reason in ((ended, "Enough."), (open_one, "The class was closed.")):
        room.refresh()
        assert (room.over, room.reason, room.code) == (True, reason, None)


def test_of_many_who_use_a_way_in_at_once_one_gets_in(reach: Reach) -> None:
    rooms = Rooms(reach())
    of = Class.open(rooms.database, "tunnel-rat", {}, ClassTerms())
    guest, token = rooms.guests.admit()
    rooms.guests.enroll(guest, of.id, "Ana")
    code = of.give_way_in(guest.id)

    def use(_: int) -> str:
        try:
            return Rooms(reach()).guests.take_over(code)[1]
        except Refused:
            return ""

    with ThreadPoolExecutor(4) as pool:
        (new,) = filter(None, pool.map(use, range(4)))
    assert rooms.guests.find(token) is None
    found = rooms.guests.find(new)
    assert found is not None
    assert (found.id, found.name) == (guest.id, "Ana")
