"""The review of a game: what was given, what the choices cost and what the cards gave add up to what came out."""

from __future__ import annotations

import pytest

import cmgames
from cmgames.bots.player import find, play
from cmgames.odds import tunnel_rat
from cmgames.odds.review import review


@pytest.mark.parametrize("rat", ["random", "counter", "reader"])
@pytest.mark.parametrize("options", [{}, {"casualty_card": "keep"}])
def test_start_minus_costs_plus_luck_is_the_result(rat: str, options: dict[str, str]) -> None:
    for seed in range(10):
        table = cmgames.Table("tunnel-rat", seed=seed, **options)
        play(table, {"rat": find("tunnel-rat", "rat", rat), "vc": find("tunnel-rat", "vc", "nervous")})
        seen = review(table)
        assert table.outcome is not None
        won = float(table.outcome.winner == "rat")
        assert seen.start - seen.cost + seen.luck == pytest.approx(won)
        assert seen.curve()[-1] == pytest.approx(won)
        assert all(choice.cost >= 0 for choice in seen.choices)
        assert len(seen.choices) == table.turn


def test_the_best_play_costs_nothing_and_an_error_is_found() -> None:
    """Eight tunnels are left, and five are needed: three can be thrown away for nothing, the fourth cannot."""
    deals = ["VC"] * 4 + ["Trap"] * 4 + ["Tunnel"] * 8
    table = cmgames.Table("tunnel-rat", seed=1, deals=deals)
    named = {"VC": "shoot", "Trap": "search", "Tunnel": "advance"}
    while table.seat is not None:
        moves = {move.verb: move for move in table.legal()}
        right = named[table.view("vc").pile("card").cards[0]] if "shoot" in moves else ""
        wrong = "shoot" if table.turn in (9, 10, 11, 12) else right
        table.play(moves.get(wrong) or moves.get("pass") or table.legal()[0])
    seen = review(table)
    costs = {choice.turn: choice.cost for choice in seen.choices}
    assert [costs[turn] for turn in (9, 10, 11)] == [0, 0, 0]
    fresh = tunnel_rat.Position((4, 4, 4), tunnels=4)
    assert costs[12] == pytest.approx(1 - float(tunnel_rat.solve().value_of(fresh)))
    worst = seen.worst()[0]
    assert (worst.turn, str(worst.did), str(worst.best)) == (12, "shoot", "advance")


def test_a_game_that_is_still_going_on_is_reviewed_as_far_as_cards_are_known() -> None:
    table = cmgames.Table("tunnel-rat", seed=4)
    while table.turn < 3:
        table.play(table.legal()[-1])
    assert len(review(table).choices) == 1


def test_another_game_is_refused() -> None:
    with pytest.raises(ValueError, match="Only games of tunnel-rat"):
        review(cmgames.Table("cat-and-mouse"))
