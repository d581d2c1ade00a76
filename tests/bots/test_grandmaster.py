"""The grandmaster: it knows what its view shows, plays on as the rules say, and sees what the master does not."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cmgames.bots import find, play
from cmgames.bots.grandmaster import LATE, looks_like, named
from cmgames.bots.ladder import schedule
from cmgames.engine.moves import Move
from cmgames.engine.table import Table
from cmgames.games import cat_and_mouse as rules
from cmgames.games.cat_and_mouse_deck import CatAndMouseOptions
from tests.bots.test_players import _twin, thorough
from tests.bots.test_schemes import PLAN, _choices
from tests.games.helpers import cat_and_mouse_options

GRANDMASTER = find("cat-and-mouse", "terrorist", "grandmaster")
US = {"us": find("cat-and-mouse", "us", "master")}


@given(cat_and_mouse_options(), st.integers(0, 2**64))
@example({}, 7)
@example({"open_discards": False, "hand_limit_applies": "always"}, 7)
@thorough
def test_the_state_that_it_imagines_looks_and_goes_on_like_the_true_one(options: dict[str, Any], seed: int) -> None:
    table = Table("cat-and-mouse", seed=seed, salt="", **options)
    collector = find("cat-and-mouse", "terrorist", "collector")
    while table.outcome is None:
        play(table, US)
        if table.seat == "terrorist":
            view, legal = table.view("terrorist"), table.legal()
            if legal[0].verb in ("discard", "meld"):
                imagined = looks_like(table.game, view, legal)  # type: ignore[arg-type]
                assert imagined.step is table.state.step
                assert table.game.view(imagined, "terrorist") == view
                assert table.game.legal(imagined) == legal
            table.play(collector.choose(view, legal, table.random()))


@pytest.mark.parametrize("options", [{}, {"open_discards": False}])
def test_hidden_cards_change_nothing_nor_does_asking_again(options: dict[str, Any]) -> None:
    table, hidden = Table("cat-and-mouse", seed=6, salt="", **options), random.Random(2)
    while table.outcome is None and table.view("us").pile("terrorist deck").size > LATE - 4:
        play(table, US)
        view, legal = table.view("terrorist"), table.legal()
        other = table.game.view(_twin(table.game, table.state, "terrorist", hidden), "terrorist")
        move = GRANDMASTER.choose(view, legal, table.random())
        assert move in legal
        assert move == GRANDMASTER.choose(other, legal, table.random())
        table.play(move)
        play(table, US)


def test_it_waits_for_the_set_that_nobody_expects_where_the_master_attacks_and_is_caught() -> None:
    """The pile names Nuclear, Western and Military; the third Chemical card, thrown away first, is in the deck."""
    others = [
        "Biological",
        "Conventional",
        "Asian",
        "African",
        "Middle Eastern",
        "Government",
        "Commercial",
        "Cultural",
    ]
    piles: dict[str, Any] = {
        "terrorist_hand": [*PLAN, "Chemical", "Chemical"],
        "terrorist_deck": ["Chemical", "Dead End", "Blend In", "Fanaticism"],
        "terrorist_discard": ["Chemical", *others, *others],
        "us_hand": ["CIA"],
    }
    attack = Move("meld", ("Nuclear", "Western", "Military"))
    assert _choices("master", "terrorist", rules.ATTACK, **piles) == {attack}
    assert _choices("grandmaster", "terrorist", rules.ATTACK, **piles) == {Move("pass")}


def test_a_meld_is_named_by_those_who_name_the_likeliest_and_by_those_who_name_any_that_may_be() -> None:
    options = CatAndMouseOptions()
    meld = ("Nuclear", "Western", "Military")
    assert named(meld, (), options) == pytest.approx(1 / 64)
    rest = [
        name
        for kinds in (("Biological", "Chemical", "Conventional"), ("Asian", "African", "Middle Eastern"))
        for name in kinds
    ]
    assert named(meld, [*rest, *rest], options) == pytest.approx(1 / 4)
    assert named(("Nuclear", "Asian", "Military"), [*rest, *rest], options) == 0


def test_the_tables_of_thousands_of_games_leave_it_out() -> None:
    assert {pairing.first for pairing in schedule(1) if pairing.game == "cat-and-mouse"} == {
        "random",
        "collector",
        "schemer",
        "master",
    }
