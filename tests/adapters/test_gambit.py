"""Trees that pygambit reads, and solves to the value that is known."""

from __future__ import annotations

import io
import re

import pygambit
import pytest

import cmgames
from cmgames.adapters.gambit import efg
from cmgames.odds import sequence_form, tunnel_rat

RAT = {"vc": 1, "traps": 1, "tunnels": 1, "casualties_to_win": 1, "tunnels_to_win": 1}
CAT = {
    "kinds": 2,
    "copies": 1,
    "set_size": 1,
    "secrecy": 0,
    "terrorist_hand": 5,
    "suites": 1,
    "names": 1,
    "us_copies": 2,
    "same_name": 1,
    "one_suite": 1,
    "all_suites": 1,
    "us_hand": 1,
}


def read(text: str) -> pygambit.Game:
    return pygambit.read_efg(io.BytesIO(text.encode()))


def test_gambit_finds_the_value_of_a_small_tunnel_rat() -> None:
    """In fractions, and the same as the exact solver's."""
    game = read(efg("tunnel-rat", **RAT, max_questions=0, max_turns=1))
    (equilibrium,) = pygambit.nash.lp_solve(game, rational=True).equilibria
    assert equilibrium.payoff("rat") == 2 * tunnel_rat.solve(**RAT).value - 1


def test_gambit_finds_no_regret_in_what_the_sequence_form_solved() -> None:
    """Five of the six plan cards are held, and the last one may not be drawn: a fifth of all games is lost to the combo
    that takes the only card of a category; in the others US Security guesses one of four.

    1/5 + 4/5 · 1/4 = 2/5. Gambit's own solvers do not end within a minute here: it judges this solution, of which no
    information set regrets its choice.
    """
    rules = cmgames.GAMES["cat-and-mouse"]
    solved = sequence_form.solve(rules(rules.Options.make(CAT)))
    game = read(efg("cat-and-mouse", **CAT))
    profile = game.mixed_behavior_profile()
    for infoset in game.infosets:
        shares = solved.strategy[infoset.player.label, tuple(infoset.label.split("; "))]
        for action, share in zip(infoset.actions, shares.values(), strict=True):
            profile[action] = share
    assert profile.agent_max_regret() == pytest.approx(0, abs=1e-9)
    assert profile.payoff("terrorist") == pytest.approx(1 - 2 * 2 / 5)
    assert solved.value == pytest.approx(1 - 2 * 2 / 5)


def test_the_chances_of_every_node_add_up_to_one() -> None:
    """pygambit refuses a tree in which they do not; and it has perfect recall, as every seat remembers what it saw."""
    game = read(efg("tunnel-rat", **RAT, max_questions=1, max_turns=1))
    assert game.is_perfect_recall
    assert {player.label for player in game.players} == {"rat", "vc"}


def test_a_tree_that_is_too_large_is_refused() -> None:
    with pytest.raises(ValueError, match=re.escape("more than 200000 nodes: choose smaller decks")):
        efg("cat-and-mouse", **CAT | {"copies": 2, "secrecy": 2})
