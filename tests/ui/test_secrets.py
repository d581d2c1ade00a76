"""What a seat is sent, and what it can bring about, when somebody else sits across before another screen."""

from __future__ import annotations

import itertools
import json
import logging
import secrets
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cmgames.engine import chance
from cmgames.rooms.database import Database, prepare
from cmgames.rooms.rooms import Rooms
from cmgames.rooms.terms import Terms
from cmgames.ui.classroom import TeacherSession
from cmgames.ui.doors import into
from cmgames.ui.session import Session

from .conftest import Visit
from .person import Person
from .test_rooms import hear, pair, sitting

PLAN = (
    "Nuclear",
    "Nuclear",
    "Nuclear",
    "Asian",
    "Asian",
    "Asian",
    "Military",
    "Military",
    "Military",
    *("African",) * 3,
)
HAND = ("FBI", "FBI", "CIA", "Interpol", "Informants")


class World:
    """Two people at a table of a database of its own, in which nothing is left to chance."""

    def __init__(self, folder: Path, game: str, seats: dict[str, str], deals: tuple[str, ...]) -> None:
        folder.mkdir()
        url = f"sqlite:///{folder}/rooms.sqlite"
        prepare(url)
        people = [Person(Session(rooms=Rooms(Database(url)))) for _ in seats]
        guests = [person.session.known() for person in people]
        first, second = seats
        room = guests[0][0].open(guests[0][1], game, {}, {first: "person", second: ""}, Terms(deals=deals))
        rooms = [room, guests[1][0].join(guests[1][1], room.id, second)]
        for person, mine in zip(people, rooms, strict=True):
            mine.refresh()
            mine.promise(first)
            person.session.page = into(person.session, mine)
            person.session.news()
        self.people = dict(zip(seats, people, strict=True))

    def play(self, presses: list[str]) -> list[dict[str, Any]]:
        """Whoever can presses the button that begins so; all that the second seat was sent."""
        for label in presses:
            for person in self.people.values():
                hear(person)
                person.wait()
            mover = next(person for person in self.people.values() if person.screen.mine)
            if "#" in label:
                mover.send({"do": "pick", "card": label})
            else:
                mover.press(label)
        seen = list(self.people.values())[1]
        hear(seen)
        return seen.seen


@pytest.fixture
def no_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same seeds, salts, tokens and times in each world."""
    counter = itertools.count()
    monkeypatch.setattr(chance, "new_seed", lambda: 1)
    monkeypatch.setattr(chance, "new_salt", lambda: "salt")
    monkeypatch.setattr(secrets, "token_hex", lambda size: f"{next(counter):032d}")
    monkeypatch.setattr(time, "time", lambda: 1_800_000_000.0)


def without_token(screens: list[dict[str, Any]]) -> str:
    return json.dumps([{key: value for key, value in screen.items() if key != "token"} for screen in screens])


@pytest.mark.usefixtures("no_chance")
@pytest.mark.parametrize(
    ("game", "seats", "worlds", "presses"),
    [
        (
            "tunnel-rat",
            {"vc": "", "rat": ""},
            [("VC",), ("Trap",), ("Tunnel",)],
            ["Draw", "Is it a VC?", "No.", "No question", "Is it safe?", "No.", "Is it a Trap?", "No."],
        ),
        (
            "cat-and-mouse",
            {"terrorist": "", "us": ""},
            [
                (*PLAN, *HAND),
                (*reversed(PLAN), *HAND),
                (*("Chemical", "Biological", "Western", "Cultural") * 3, *HAND),
            ],
            ["Do not draw", "Draw", "FBI#1", "Discard", "Go on", "Go on", "Do not draw", "Draw", "FBI#2", "Discard"],
        ),
    ],
)
def test_hidden_cards_change_no_byte_of_what_the_other_screen_is_sent(
    tmp_path: Path, game: str, seats: dict[str, str], worlds: list[tuple[str, ...]], presses: list[str]
) -> None:
    seen = []
    for number, deals in enumerate(worlds):
        world = World(tmp_path / str(number), game, seats, deals)
        seen.append(without_token(world.play(presses)))
    assert seen[0] == seen[1] == seen[2]
    assert "salt" not in seen[0]


def test_what_is_shown_of_a_name_is_what_was_typed_and_never_long(visit: Visit) -> None:
    person = visit()
    person.send({"do": "join"})
    person.send({"do": "name", "value": "<img src=x onerror=alert(1)>"})
    assert "at most 24" in person.screen.fields["name"].error
    assert person.screen.fields["name"].value == "<img src=x onerror=alert(1)>", "what was typed can be mended"
    person.send({"do": "name", "value": "A" * 10_000_000})
    assert "at most 24" in person.screen.fields["name"].error
    assert len(json.dumps(person.screen.to_dict())) < 5000
    person.send({"do": "name", "value": "<b>Ana</b>\u202e\n\x00"})
    assert person.screen.fields["name"].value == "<b>Ana</b>"


def test_the_other_seats_moves_old_ones_and_other_rooms_are_refused(visit: Visit) -> None:
    people = pair(visit, "cat-and-mouse")
    us, terrorist = people["us"], people["terrorist"]
    strangers = pair(visit, "tunnel-rat")
    hear(us)
    for forged in (
        {"do": "move", "move": "draw", "at": 0},
        {"do": "move", "move": "decline", "at": 0},
        {"do": "open", "room": sitting(strangers["vc"]).room.id},
        {"do": "look", "ply": 0},
        {"do": "save"},
        {"do": "open"},
        {"do": "branch"},
        {"do": "stand_in"},
        {"do": "break_off"},
        {"do": "take_back"},
        {"do": "fill", "seat": "terrorist"},
        {"do": "finish"},
        {"do": "slowest"},
        {"do": "lobby"},
        {"do": "again"},
    ):
        us.send(forged)
        assert us.screen.save is None
        assert not us.screen.rows["terrorist hand"].cards
    assert sitting(us).table.version == 0
    old = next(button.send for button in terrorist.screen.moves.values() if not button.off)
    terrorist.press("Draw")
    version = sitting(terrorist).table.version
    terrorist.send(old)
    terrorist.send({**old, "n": 1})
    assert sitting(terrorist).table.version == version


KEYS = ["do", "n", "ms", "move", "at", "card", "name", "value", "seat", "class", "room", "query", "token", "visible"]
DEEDS = sorted({name[3:] for page in (Session, TeacherSession) for name in dir(page) if name.startswith("on_")})
DEEDS += ["code", "join", "begin", "open", "fill", "stand_in", "wish", "past", "key", "new", "delete", "say", "pause"]
anything = st.one_of(
    st.none(), st.integers(-5, 5), st.floats(), st.text(max_size=5), st.lists(st.integers(), max_size=2), st.booleans()
)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.tuples(st.sampled_from(DEEDS), st.dictionaries(st.sampled_from(KEYS), anything)), max_size=8),
    st.booleans(),
)
def test_no_message_raises_or_opens_what_is_closed(
    tmp_path_factory: pytest.TempPathFactory, messages: list[tuple[str, dict[str, Any]]], teacher: bool
) -> None:
    logging.getLogger("cmgames").disabled = True
    url = f"sqlite:///{tmp_path_factory.mktemp('fuzz')}/rooms.sqlite"
    prepare(url)
    rooms = Rooms(Database(url))
    person = Person(TeacherSession(rooms, "0" * 64) if teacher else Session(rooms=rooms))
    for do, message in messages:
        screen = person.send({**message, "do": do, "n": person.screen.n})
        assert "Traceback" not in json.dumps(screen.to_dict())
        assert not screen.grids
    assert not person.session.teacher
    rooms.database.close()
    logging.getLogger("cmgames").disabled = False
