"""Law 8: adding a game touches no other package. The game is the one in docs/write-a-game.md."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import cmgames
from cmgames.bots.player import PLAYERS
from cmgames.rooms.database import Database, prepare
from cmgames.rooms.rooms import Rooms
from cmgames.ui.session import Session

PAGE = Path(__file__).parent.parent / "docs" / "write-a-game.md"


@pytest.fixture
def kuhn_poker() -> Iterator[None]:
    rules, brave = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    exec(rules + brave, {"__name__": "kuhn_poker"})
    yield
    del cmgames.GAMES["kuhn-poker"], PLAYERS["kuhn-poker"]


class Person:
    """Somebody who presses what is on the screen."""

    def __init__(self, rooms: Rooms | None = None) -> None:
        self.session = Session(rooms)
        self.screens = [self.session.screen]

    def send(self, message: dict[str, Any]) -> None:
        self.screens.append(self.session.handle({**message, "n": self.session.screen.n, "ms": 500}))
        assert self.session.screen.notice is None, self.session.screen.notice

    def press(self, label: str) -> None:
        screen = self.session.screen
        self.send(next(b.send for b in (*screen.moves.values(), *screen.bar.values()) if b.label == label))


def test_kuhn_poker_is_played_in_the_widget_against_its_own_computer_player(kuhn_poker: None) -> None:
    person = Person()
    person.send(person.session.screen.tiles["kuhn-poker"].send)
    person.press("Start")
    assert "odds" not in person.session.screen.bar, "there are none for it"
    assert person.session.screen.rows["second"].kind == "deck", "the other's card lies face down"
    (mine,) = person.session.screen.rows["first"].cards.values()
    assert mine.name in ("Jack", "Queen", "King")
    person.press("Check")
    assert person.session.screen.prompt == "The other bets: call, or fold?"
    person.press("Call")
    assert person.session.screen.result.endswith("4 coins lay in the middle.")
    assert person.session.screen.rows["second"].cards, "all cards lie open after the end"


def test_kuhn_poker_has_its_records_proof_and_exact_chances(kuhn_poker: None) -> None:
    table = cmgames.Table("kuhn-poker", seed=3)
    table.play("bet")
    table.play("fold")
    assert cmgames.Table.from_record(table.record().to_json()).state == table.state
    assert [str(p) for _, p in table.game.chance(table.game.start())] == ["1/3"] * 3


def test_kuhn_poker_is_two_people_behind_a_curtain(kuhn_poker: None) -> None:
    person = Person()
    person.send(person.session.screen.tiles["kuhn-poker"].send)
    person.send({"do": "set", "name": "opponent", "value": "person"})
    person.press("Start")
    seen = []
    for label in ("I am the first player", "Bet a coin", "I am the second player", "Fold"):
        assert (person.session.screen.page == "curtain") == label.startswith("I am")
        assert not (person.session.screen.page == "curtain" and person.session.screen.rows)
        person.press(label)
        seen.append(person.session.screen.page)
    assert person.session.screen.result.startswith("The first player wins.")


def test_kuhn_poker_is_played_between_two_screens(kuhn_poker: None, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/rooms.sqlite"
    prepare(url)
    first, second = (Person(Rooms(Database(url))) for _ in range(2))
    first.send(first.session.screen.tiles["kuhn-poker"].send)
    first.send({"do": "set", "name": "opponent", "value": "far"})
    first.press("Start")
    code = next(block.text for block in first.session.screen.text if block.kind == "code")
    second.send({"do": "hello", "query": f"?code={code}", "token": ""})
    second.press("Join")
    first.session.news()
    assert not first.session.screen.rows["second"].cards
    first.press("Bet a coin")
    second.session.news()
    second.press("Fold")
    first.session.news()
    assert first.session.screen.result.startswith("You win!")
