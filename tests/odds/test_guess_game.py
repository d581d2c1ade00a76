"""The guess solved: what nobody can do better against it proves that it is the solution."""

from __future__ import annotations

from itertools import product

import pytest

import cmgames
from cmgames.bots.player import find
from cmgames.engine.view import View
from cmgames.odds import guess_game
from cmgames.odds.cat_and_mouse import meld_posterior, sets_posterior


def late_view(turns: int) -> View:
    """What US Security sees after some turns of two simple players, without an attack."""
    table = cmgames.Table("cat-and-mouse", seed=5)
    sitting = {
        "us": find("cat-and-mouse", "us", "hunter"),
        "terrorist": find("cat-and-mouse", "terrorist", "collector"),
    }
    while table.turn < turns:
        assert table.seat is not None
        legal = tuple(move for move in table.legal() if move.verb != "meld")
        table.play(sitting[table.seat].choose(table.view(table.seat), legal, table.random()))
    return table.view("us")


@pytest.mark.parametrize("turns", [1, 8, 15])
def test_neither_side_can_do_better(turns: int) -> None:
    """Each side's best answer to the other's mix gives just the value: a saddle point, whatever found it."""
    view = late_view(turns)
    game = guess_game.solve(view)
    types = {sets: float(chance) for sets, chance in sets_posterior(view).items() if chance}
    assert sum(game.guesses.values()) == pytest.approx(1)
    assert max(game.melds.values()) == pytest.approx(game.value)
    least_named = sum(chance * min(game.guesses[plan] for plan in product(*sets)) for sets, chance in types.items())  # type: ignore[index]
    assert least_named == pytest.approx(game.value)
    for sets, chance in types.items():
        plays = game.choice([(a, g, t) for a, g, t in product(*sets)])
        assert sum(plays.values()) == pytest.approx(1), (sets, chance)
    assert game.value <= float(max(meld_posterior(view).values())) + 1e-9


def test_before_the_first_discard_it_is_one_in_64() -> None:
    assert guess_game.solve(late_view(1)).value == pytest.approx(1 / 64)


def test_a_hand_with_one_meld_has_no_choice() -> None:
    game = guess_game.solve(late_view(1))
    plan = ("Nuclear", "Asian", "Military")
    assert game.choice([plan]) == {plan: pytest.approx(1)}
    with pytest.raises(ValueError, match="No hand holds just these melds: none"):
        game.choice([])
