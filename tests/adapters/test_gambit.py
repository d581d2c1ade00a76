"""Trees that pygambit reads, and solves to the value that is known."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator

import pygambit
import pytest

import cmgames
from cmgames.adapters.gambit import efg
from cmgames.engine.game import AnyGame
from cmgames.odds import sequence_form, tree, tunnel_rat

Shares = Callable[[pygambit.Infoset], list[float]]

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


def small_cat() -> AnyGame:
    rules = cmgames.GAMES["cat-and-mouse"]
    return rules(rules.Options.make(CAT))


def test_gambit_finds_the_value_of_a_small_tunnel_rat() -> None:
    """In fractions, and the same as the exact solver's."""
    game = read(efg("tunnel-rat", **RAT, max_questions=0, max_turns=1))
    (equilibrium,) = pygambit.nash.lp_solve(game, rational=True).equilibria
    assert equilibrium.payoff("rat") == 2 * tunnel_rat.solve(**RAT).value - 1


def fill(game: pygambit.Game, shares: Shares) -> pygambit.MixedBehaviorProfile:
    """A profile with these shares, brought to a sum of one at each information set; even ones where there are none."""
    profile = game.mixed_behavior_profile()
    for infoset in game.infosets:
        weights = [max(share, 0.0) for share in shares(infoset)]
        total = sum(weights)
        for action, weight in zip(infoset.actions, weights, strict=True):
            profile[action] = weight / total if total > 1e-9 else 1 / len(weights)
    return profile


def seen(infoset: pygambit.Infoset) -> tuple[str, tree.Seen]:
    """Whose information set of ours it is, and which."""
    return infoset.player.label, tuple(infoset.label.split("; "))


def strategy(root: tree.Node, profile: pygambit.MixedBehaviorProfile) -> tree.Strategy:
    """A profile of Gambit's as a strategy in our tree."""
    sets = {seen(infoset): infoset for infoset in profile.game.infosets}
    return {
        (node.seat, node.seen): dict(
            zip(node.moves, (float(profile[action]) for action in sets[node.seat, node.seen].actions), strict=True)
        )
        for node in decisions(root)
    }


def decisions(node: tree.Node) -> Iterator[tree.Decision]:
    """All decisions of a tree."""
    if isinstance(node, tree.Decision):
        yield node
    if not isinstance(node, tree.End):
        for branch in node.branches:
            yield from decisions(branch)


def test_gambit_finds_no_regret_in_what_the_sequence_form_solved() -> None:
    """Five of the six plan cards are held, and the last one may not be drawn: a fifth of all games is lost to the combo
    that takes the only card of a category; in the others US Security guesses one of four.

    1/5 + 4/5 · 1/4 = 2/5. Gambit judges our solution: no information set regrets its choice.
    """
    solved = sequence_form.solve(small_cat())
    game = read(efg("cat-and-mouse", **CAT))
    profile = fill(game, lambda infoset: list(solved.strategy[seen(infoset)].values()))
    assert profile.agent_max_regret() == pytest.approx(0, abs=1e-9)
    assert profile.payoff("terrorist") == pytest.approx(1 - 2 * 2 / 5)
    assert solved.value == pytest.approx(1 - 2 * 2 / 5)


def test_our_best_responses_gain_nothing_on_what_gambit_solved() -> None:
    """The other way round: Gambit solves the same game and our tree judges.

    Gambit gives no weight to any move of an information set from which every end is the game's worst, although it is
    reached: such sets are filled evenly (see docs/adapters.md).
    """
    root, game = tree.grow(small_cat()), read(efg("cat-and-mouse", **CAT))
    (found,) = pygambit.nash.lp_solve(game, rational=False).equilibria
    profile = fill(game, lambda infoset: [float(found[action]) for action in infoset.actions])
    assert profile.payoff("terrorist") == pytest.approx(1 - 2 * 2 / 5)
    assert tree.exploitability(root, ("terrorist", "us"), strategy(root, profile)) == pytest.approx(0, abs=1e-9)


def test_the_chances_of_every_node_add_up_to_one() -> None:
    """pygambit refuses a tree in which they do not; and it has perfect recall, as every seat remembers what it saw."""
    game = read(efg("tunnel-rat", **RAT, max_questions=1, max_turns=1))
    assert game.is_perfect_recall
    assert {player.label for player in game.players} == {"rat", "vc"}


def test_a_tree_that_is_too_large_is_refused() -> None:
    with pytest.raises(ValueError, match=re.escape("more than 200000 nodes: choose smaller decks")):
        efg("cat-and-mouse", **CAT | {"copies": 2, "secrecy": 2})
