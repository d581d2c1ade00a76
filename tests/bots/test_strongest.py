"""The optimal rat against the solver, and what the masters think at positions made by hand."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator

import pytest

from cmgames.bots import find, optimal, play
from cmgames.bots.master import reading
from cmgames.bots.match import match
from cmgames.engine import chance
from cmgames.engine.moves import Move, Tell
from cmgames.engine.table import Table
from cmgames.games import cat_and_mouse as rules
from cmgames.games.cat_and_mouse_deck import CatAndMouseOptions
from cmgames.odds import tunnel_rat
from tests.bots.test_schemes import PLAN, _choices

MELD = Move("meld", ("Nuclear", "Western", "Military"))


@pytest.fixture
def believes_in_a_poker_face(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(optimal, "CHARACTERS", optimal.CHARACTERS[:1])
    optimal.solutions.cache_clear()
    yield
    optimal.solutions.cache_clear()


@pytest.mark.usefixtures("believes_in_a_poker_face")
@pytest.mark.parametrize("options", [{}, {"casualty_card": "keep"}, {"vc": 3, "traps": 5, "max_questions": 1}])
def test_against_a_poker_face_no_guess_of_the_optimal_rat_has_any_regret(options: dict[str, object]) -> None:
    solution = tunnel_rat.solve(exact=False, **options)
    rat, vc = find("tunnel-rat", "rat", "optimal"), find("tunnel-rat", "vc", "steady")
    for seed in range(60):
        table = Table("tunnel-rat", seed=seed, **options)
        play(table, {"vc": vc})
        while table.outcome is None:
            move = rat.choose(table.view("rat"), table.legal(), table.random())
            if table.phase == "Action Phase":
                assert solution.regret(table.view("rat"), move.verb) < 1e-9
            table.play(move)
            play(table, {"vc": vc})


@pytest.mark.parametrize(("vc", "character"), [("steady", 0), ("nervous", 1), ("actor", 2)])
def test_the_optimal_rat_wins_no_less_than_the_solver_promises_who_reads_a_turn_as_well(
    vc: str, character: int
) -> None:
    right = optimal.CHARACTERS[character].right
    wrong = round(1 - right, 9)
    tells = {
        "safe": {"vc": wrong, "trap": wrong, "tunnel": right},
        "danger": {"vc": right, "trap": right, "tunnel": wrong},
    }
    promised = float(tunnel_rat.solve(tells=tells, exact=False).value)
    assert match("tunnel-rat", "optimal", vc, 300, seed=6).interval[1] > promised


def _after(*tells: Tell) -> Table:
    table = Table("tunnel-rat", seed=1)
    table.play("draw")
    for question, tell in zip(("vc", "trap", *["safe"] * len(tells)), tells, strict=False):
        table.play(f"ask {question}")
        table.play(Move("answer no", tell=tell))
    return table


def test_a_face_that_never_changes_is_not_believed_however_long_it_waits() -> None:
    calm = optimal.believe(_after(*[Tell(1.7, "calm")] * 12).view("rat"))
    assert sum(calm[0]) > 0.95
    assert sum(chances[2] for chances in calm) == pytest.approx(0.5, abs=0.02)
    sweating = optimal.believe(_after(*[Tell(2.2, "sweating")] * 5).view("rat"))
    assert sum(sweating[0]) == 0
    assert sum(chances[2] for chances in sweating) < 0.03


def test_the_optimal_rat_asks_until_it_knows_but_not_for_ever() -> None:
    def asks(*tells: Tell) -> bool:
        table = _after(*tells)
        return (
            find("tunnel-rat", "rat", "optimal").choose(table.view("rat"), table.legal(), random.Random(1)).verb
            != "pass"
        )

    assert asks()
    assert not asks(*[Tell(2.2, "sweating")] * 6)
    in_between = [Tell(1.3, "uneasy"), Tell(1.5, "calm")] * 6
    assert asks(*in_between[:11])
    assert not asks(*in_between)


def test_the_master_reads_an_early_throw_as_disdain_and_a_later_one_as_a_spare_card() -> None:
    weights = reading(["Nuclear", "Dead End", "Biological", "Asian", "Asian", "Dead End"], CatAndMouseOptions())
    assert weights["Chemical"] == weights["Conventional"] > weights["Biological"] > weights["Nuclear"] > 0
    assert weights["Asian"] == 0


def test_the_master_names_the_plan_that_its_reading_leaves() -> None:
    thrown = ["Nuclear", "Asian", "Asian", "Biological", "Conventional", "Conventional", "Chemical", "Chemical"]
    thrown += ["Western", "Western", "African", "African", "Military", "Government", "Commercial"]
    assert _choices("master", "us", rules.GUESS, terrorist_discard=thrown) == {
        Move("guess", ("Biological", "Middle Eastern", "Cultural"))
    }


def test_the_master_keeps_two_shields_when_the_meld_is_near() -> None:
    def at(*secrecy: str, held: int = 8) -> set[str]:
        deck = ["Asian"] * 3 + ["Military"] * 3
        hand = [*PLAN[:held], *secrecy]
        return {
            move.verb
            for move in _choices("master", "terrorist", rules.ATTACK, terrorist_hand=hand, terrorist_deck=deck)
        }

    assert at("Dead End", "Blend In", "Fanaticism") == {"secrecy"}
    assert at("Dead End", "Blend In") == {"pass"}
    assert at("Dead End", "Blend In", held=3) == {"secrecy"}


def test_the_master_waits_with_a_meld_that_would_be_named_as_long_as_a_shield_holds() -> None:
    rest = [*["Biological", "Chemical", "Conventional", "Asian", "African", "Middle Eastern"] * 2]
    rest += ["Government", "Commercial", "Cultural"] * 2
    shielded = [*PLAN, "Dead End"]
    assert _choices("master", "terrorist", rules.ATTACK, terrorist_hand=shielded) == {MELD}
    assert _choices("master", "terrorist", rules.ATTACK, terrorist_hand=shielded, terrorist_discard=rest) == {
        Move("pass")
    }
    assert _choices("master", "terrorist", rules.ATTACK, terrorist_hand=PLAN, terrorist_discard=rest) == {MELD}


@pytest.mark.parametrize(
    ("game", "seat", "name", "across"),
    [
        ("tunnel-rat", "rat", "optimal", "actor"),
        ("cat-and-mouse", "terrorist", "master", "profiler"),
        ("cat-and-mouse", "us", "master", "schemer"),
    ],
)
def test_no_move_takes_a_second(game: str, seat: str, name: str, across: str) -> None:
    optimal.solutions.cache_clear()
    player = find(game, seat, name)
    for number in range(10):
        table = Table(game, seed=chance.draw(8, number, 2**64))
        others = {other: find(game, other, across) for other in table.game.seats if other != seat}
        play(table, others)
        while table.outcome is None:
            begun = time.process_time()
            move = player.choose(table.view(seat), table.legal(), table.random())
            assert time.process_time() - begun < 1
            table.play(move)
            play(table, others)
