"""The review of Cat & Mouse by playing on: it adds up, knows no more than the seat did, and finds a blunder."""

from __future__ import annotations

import random
from collections.abc import Generator
from typing import TypeVar

import pytest

import cmgames
from cmgames.bots.player import find, play
from cmgames.bots.playing_on import deal_again
from cmgames.bots.review import reviewing
from cmgames.odds.review import Review

T = TypeVar("T")

SMALL = {"kinds": 2, "secrecy": 3, "terrorist_hand": 10}
MELD = ("Nuclear", "Middle Eastern", "Military")


def finished(steps: Generator[float, None, T]) -> T:
    done = 0.0
    while True:
        try:
            before, done = done, next(steps)
        except StopIteration as stop:
            value: T = stop.value
            return value
        assert before < done <= 1


def reviewed(table: cmgames.Table, seat: str) -> Review:
    return finished(reviewing(table, seat))


@pytest.mark.parametrize("seat", ["terrorist", "us"])
def test_start_minus_costs_plus_luck_is_the_result(seat: str) -> None:
    table = cmgames.Table("cat-and-mouse", seed=5, **SMALL)
    names = {"terrorist": "collector", "us": "random"}
    play(table, {each: find("cat-and-mouse", each, name) for each, name in names.items()})
    seen = reviewed(table, seat)
    assert table.outcome is not None
    assert seen.start - seen.cost + seen.luck == pytest.approx(float(table.outcome.winner == seat))
    assert all(choice.cost == 0 or choice.cost > 2 * choice.cost_error > 0 for choice in seen.choices)
    assert len(seen.errors()) == len(seen.curve())
    assert reviewed(table, seat) == seen


def hesitates(table: cmgames.Table) -> str:
    """Draws, keeps the meld, never attacks and plays no combo."""
    moves = [str(move) for move in table.legal() if move.verb in ("draw", "pass", "discard")]
    spare = [move for move in moves if not move.endswith(MELD)]
    return (spare or moves)[0]


def test_hesitation_and_a_guess_that_cannot_be_right_are_the_worst_choices() -> None:
    """He holds the meld at once, and throws away the other kinds one after the other before he attacks."""
    deals = [*[name for name in MELD for _ in range(3)], "Biological"]
    table = cmgames.Table("cat-and-mouse", seed=1, deals=deals, **SMALL)
    while table.turn < 8:
        table.play(hesitates(table))
    while table.phase != "Terrorist Attack Phase":
        table.play(hesitates(table))
    table.play(f"meld {' '.join(MELD)}")
    thrown = table.view("us").pile("terrorist discard").cards
    assert thrown.count("Asian") > 1
    table.play("guess Biological Asian Government")
    (guess,) = reviewed(table, "us").worst(1)
    assert str(guess.did) == "guess Biological Asian Government"
    assert guess.best.cards[1] == "Middle Eastern"
    assert guess.cost > 0.4
    waited = reviewed(table, "terrorist").worst(1)[0]
    assert (waited.turn, waited.did.verb, waited.best.verb) == (1, "pass", "meld")


def test_nothing_is_judged_by_cards_that_the_seat_could_not_see() -> None:
    """States that look alike to a seat are dealt again alike."""
    table = cmgames.Table("cat-and-mouse", seed=3)
    state, rules = table.state, table.game
    for seat in rules.seats:
        other = deal_again(rules, state, seat, random.Random(9))  # type: ignore[arg-type]
        assert other != state
        assert rules.view(other, seat) == rules.view(state, seat)
        again = [deal_again(rules, each, seat, random.Random(4)) for each in (state, other)]  # type: ignore[arg-type]
        assert again[0] == again[1]


def test_a_game_that_goes_on_is_refused() -> None:
    with pytest.raises(ValueError, match="that are over"):
        next(reviewing(cmgames.Table("cat-and-mouse"), "us"))
