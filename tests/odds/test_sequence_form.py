"""Small games solved: values found by hand, and best responses that gain nothing."""

from __future__ import annotations

import pytest

import cmgames
from cmgames.engine.game import AnyGame
from cmgames.odds import sequence_form, tree, tunnel_rat
from tests.adapters.test_gambit import CAT, RAT
from tests.test_third_game import kuhn_poker

__all__ = ["kuhn_poker"]


def rules(game: str, **options: object) -> AnyGame:
    found = cmgames.GAMES[game]
    return found(found.Options.make(options))


def test_kuhn_poker_has_a_winner_more_often_than_by_lot(kuhn_poker: None) -> None:
    """Won or lost, whatever the coins: the page's game pays by the winner, and nobody can gain by another strategy."""
    solved = sequence_form.solve(rules("kuhn-poker"))
    assert abs(solved.value) < 1
    assert solved.exploitability == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize(
    ("options", "value"),
    [
        (CAT, 1 - 2 * 2 / 5),
        (CAT | {"secrecy": 1, "terrorist_hand": 6}, 5 / 7),
        (CAT | {"kinds": 3, "terrorist_hand": 8}, 8 / 9),
    ],
)
def test_small_games_of_cat_and_mouse(options: dict[str, int], value: float) -> None:
    """The first value by hand, see `tests/adapters/test_gambit.py`; the others by their own best responses."""
    solved = sequence_form.solve(rules("cat-and-mouse", **options))
    assert solved.value == pytest.approx(value)
    assert solved.exploitability == pytest.approx(0, abs=1e-9)


def test_a_small_tunnel_rat_has_the_value_that_the_other_solver_finds() -> None:
    solved = sequence_form.solve(rules("tunnel-rat", **RAT, max_questions=0, max_turns=2))
    assert solved.value == pytest.approx(2 * float(tunnel_rat.solve(**RAT).value) - 1)


def test_a_bad_strategy_can_be_exploited() -> None:
    """Who always names the first meld is never right when the Terrorist plays another one."""
    game = rules("cat-and-mouse", **CAT)
    root, solved = tree.grow(game), sequence_form.solve(game)
    stubborn = {
        place: {move: float(at == 0) for at, move in enumerate(shares)} if place[0] == "us" else shares
        for place, shares in solved.strategy.items()
    }
    assert tree.best_response(root, "terrorist", stubborn) > solved.value + 0.1
