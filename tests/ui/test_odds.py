"""The odds on the screen: whose they are, what they say, and who may see them."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cmgames
from cmgames.bots.player import find, play
from cmgames.engine.view import SPECTATOR
from cmgames.odds.review import review
from cmgames.ui import odds, review_page

from .conftest import Teach, Visit
from .person import Person
from .test_classroom import opened, seated
from .test_rooms import join

OPTIONS: dict[str, list[dict[str, Any]]] = {
    "tunnel-rat": [{}, {"casualty_card": "keep"}],
    "cat-and-mouse": [{}, {"open_discards": False, "empty_deck_ends": "after the turn"}],
}


@pytest.mark.parametrize(("game", "options"), [(game, one) for game, all_ in OPTIONS.items() for one in all_])
def test_every_position_has_odds_for_every_seat(game: str, options: dict[str, Any]) -> None:
    """At each step of random games: chances from 0 to 1, a cube that adds up to one, bars that say so in words."""
    for seed in range(3):
        table, rng = cmgames.Table(game, seed=seed, **options), random.Random(seed)
        while table.seat is not None:
            for seat in (*table.game.seats, SPECTATOR):
                for chart in odds.charts(table.view(seat)).values():
                    assert all(0 <= bar.share <= 1 and bar.words for bar in chart.bars), chart
                    assert chart.bars or chart.cube or chart.line
                    if chart.cube:
                        assert sum(chart.cube.chances) == pytest.approx(1, abs=0.005)
            table.play(rng.choice(table.legal()))


def test_the_odds_of_the_first_card_of_tunnel_rat() -> None:
    """Four of sixteen, eight of sixteen; and the value of each guess the best one's is 50 %."""
    table = cmgames.Table("tunnel-rat", seed=3)
    table.play("draw")
    counting, guesses = odds.charts(table.view("rat")).values()
    assert [(bar.label, bar.words) for bar in counting.bars] == [
        ("VC", "4 of 16"),
        ("Trap", "4 of 16"),
        ("Tunnel", "8 of 16"),
    ]
    assert [(bar.label, bar.words) for bar in guesses.bars] == [
        ("Advance", "50\N{NO-BREAK SPACE}%"),
        ("Shoot", "45\N{NO-BREAK SPACE}%"),
        ("Search", "45\N{NO-BREAK SPACE}%"),
    ]


def test_what_is_certain_and_what_is_not_is_said_so() -> None:
    words = [odds.percent(p).replace("\N{NO-BREAK SPACE}", " ") for p in (0, 0.001, 0.25, 0.999, 1)]
    assert words == ["0 %", "under 1 %", "25 %", "over 99 %", "certain"]


def test_a_press_shows_the_odds_and_another_hides_them() -> None:
    person = Person()
    person.begin("cat-and-mouse", seat="terrorist", opponent="profiler")
    assert person.screen.bar["odds"].on is False
    assert person.screen.odds == {}
    shown = person.press("Odds")
    assert shown.bar["odds"].on
    table = person.session.page.table  # type: ignore[attr-defined]
    assert shown.odds == odds.charts(table.view("terrorist"))
    said = [f"{chart.title} {chart.line}" for chart in shown.odds.values()]
    assert not [words for words in said if re.search(r"\b(he|his)\b", words)], "it is his own hand"
    assert person.press("Odds").odds == {}


@pytest.mark.parametrize("allowed", ["false", "true"])
def test_a_class_sees_them_when_the_teacher_allows_it_and_after_the_end(
    teach: Teach, visit: Visit, allowed: str
) -> None:
    """A student who plays the computer; the odds of the past are for everybody."""
    _, code = opened(teach, game="cat-and-mouse", opponents="computer", odds=allowed, same_deal="false")
    student = visit()
    join(student, code)
    seated(student)
    assert ("odds" in student.screen.bar) == (allowed == "true")
    refused = student.send({"do": "odds"}).notice
    assert (refused is not None and "keeps the odds for later" in refused.text) == (allowed == "false")
    student.play_on(random.Random(1))
    student.press("Step through")
    if allowed == "false":
        student.press("Odds")
    assert student.screen.odds


def test_a_review_says_what_was_given_what_it_cost_and_what_the_cards_gave() -> None:
    """It is there after the end, its rows lead to the table as it was, with the odds that one had."""
    person = Person()
    person.begin("tunnel-rat", seat="rat", opponent="steady")
    assert person.send({"do": "review"}).notice is not None
    person.play_on(random.Random(2))
    review = person.press("Review the game")
    curve = review.odds["curve"].curve
    assert curve is not None
    assert curve.points[0] == pytest.approx(0.5026, abs=1e-4)
    assert curve.points[-1] == float(person.session.page.sitting.table.outcome.winner == "rat")  # type: ignore[attr-defined]
    worst = [row for row in review.grids["choices"].rows.values() if row.cells[3].endswith("(worst)")]
    assert len(worst) == len(curve.marks) == 3
    past = person.send(worst[0].send or {})
    assert past.turn == int(worst[0].cells[0])
    assert past.odds
    assert {"Advance", "Shoot", "Search"} >= set(worst[0].cells[2].split("; better: ")), "as the buttons are called"
    assert person.press("Back to the review").grids["choices"] == review.grids["choices"]
    assert person.press("Back to the table").result, "not where one has looked"
    assert "review" in person.screen.moves


def test_after_a_reload_the_game_and_its_review_are_there_again(visit: Visit) -> None:
    person = visit()
    person.begin("tunnel-rat", seat="rat", opponent="steady")
    person.play_on(random.Random(2))
    review = person.press("Review the game")
    again = visit()
    again.send({"do": "hello", "query": "", "token": person.screen.token or "", "link": ""})
    assert again.screen.result
    assert again.press("Review the game").grids == review.grids


@pytest.mark.parametrize("seed", range(6))
def test_the_numbers_of_a_review_add_up_as_they_are_shown(seed: int) -> None:
    """Chance minus cost plus luck is the next row's chance; the rows' costs and lucks are those of the sentence."""
    table = cmgames.Table("tunnel-rat", seed=seed)
    play(table, {"rat": find("tunnel-rat", "rat", "random"), "vc": find("tunnel-rat", "vc", "steady")})
    seen = review(table)
    parts = review_page.Parts.of(seen)
    assert parts.points == [round(100 * chance) for chance in seen.curve()]
    rows = zip(parts.points, parts.costs, parts.lucks, parts.points[1:], strict=False)
    assert all(chance - cost + luck == after for chance, cost, luck, after in rows)
    assert all(abs(cost - 100 * choice.cost) < 1 for cost, choice in zip(parts.costs, seen.choices, strict=True))
    told = review_page.summary("tunnel-rat", "The rat", seen).replace("−", "-")
    start, luck, cost = (int(number) for number in re.findall(r"(-?\d+)\xa0%", told))
    assert (luck, cost) == (sum(parts.lucks), sum(parts.costs))
    assert start - cost + luck == 100 * seen.curve()[-1]


def test_a_chance_in_words_claims_no_more_than_is_so() -> None:
    chances = (0, 0.004, 0.5, 0.996, 1, 1.07)
    assert [odds.percent(chance).replace("\xa0", " ") for chance in chances] == [
        "0 %",
        "under 1 %",
        "50 %",
        "over 99 %",
        "certain",
        "107 %",
    ]
    assert odds.percent(0.99996, 2) == "over 99.99\xa0%"


@given(st.lists(st.floats(-1, 1), max_size=30))
def test_whole_percents_add_up_and_none_is_off_by_one(parts: list[float]) -> None:
    shown = odds.whole(parts)
    assert sum(shown) == round(100 * sum(parts))
    assert all(abs(n - 100 * part) < 1 + 1e-9 for n, part in zip(shown, parts, strict=True))


def test_a_review_of_cat_and_mouse_is_made_bit_by_bit_and_says_how_sure_it_is() -> None:
    """It is the person's own first; the other seat's is a press away, and so is the table."""
    person = Person()
    person.begin("cat-and-mouse", seat="us", opponent="collector")
    person.play_on(random.Random(3))
    begun = person.press("Review the game")
    assert begun.tick is not None
    assert begun.odds["done"].bars[0].share == 0
    done = person.wait()
    assert "US Security" in done.odds["curve"].title
    curve = done.odds["curve"].curve
    assert curve is not None
    assert len(curve.errors) == len(curve.points)
    assert curve.errors[-1] == 0, "what came out is certain"
    assert all(0 < error < 0.3 for error in curve.errors[:-1])
    rows = done.grids["choices"].rows.values()
    bands = [re.search(r"\((\d+)\sto\s(\d+)\)", row.cells[1]) for row in rows]
    assert all(band and 0 <= int(band[1]) < int(band[2]) <= 100 for band in bands)
    assert "Luck" not in done.grids["choices"].columns, "between two points that are not exact it says little"
    assert {row.cells[3] for row in rows} & {"nothing", "none seen"}
    person.send({"do": "step", "ply": int(next(iter(done.grids["choices"].rows)))})
    assert person.press("Back to the review").grids["choices"] == done.grids["choices"], "it is made once"
    person.press("The review of the Terrorist")
    other = person.wait()
    assert "Terrorist" in other.odds["curve"].title
    assert person.press("The review of US Security").grids["choices"] == done.grids["choices"]
    assert person.press("The review of the Terrorist").grids["choices"] == other.grids["choices"]
    person.press("Back to the table")
    assert "review" in person.screen.moves
