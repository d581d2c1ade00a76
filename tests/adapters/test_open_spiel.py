"""OpenSpiel's own tests, and its solvers on games whose value is known."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import groupby
from pathlib import Path

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import cfr, expected_game_score, exploitability
from open_spiel.python.policy import Policy

from cmgames.adapters.gambit import efg
from cmgames.adapters.open_spiel import TableState
from cmgames.odds import sequence_form, tunnel_rat
from tests.adapters.test_gambit import CAT, small_cat

ONE_OF_EACH = "vc=1,traps=1,tunnels=1,casualties_to_win=1,tunnels_to_win=1"
SMALL = f"cmgames_tunnel_rat({ONE_OF_EACH},max_questions=0,max_turns=1)"
SMALL_CAT = f"cmgames_cat_and_mouse({','.join(f'{option}={number}' for option, number in CAT.items())})"


@pytest.mark.parametrize("game", ["cmgames_tunnel_rat", "cmgames_cat_and_mouse", SMALL, SMALL_CAT])
def test_random_games_with_serialization(game: str) -> None:
    """OpenSpiel's test plays random games, and checks legality, chances, clones, strings and serialization."""
    pyspiel.random_sim_test(pyspiel.load_game(game), num_sims=3, serialize=True, verbose=False)


@pytest.mark.parametrize("game", [SMALL, SMALL_CAT])
def test_states_are_resampled_from_an_information_state(game: str) -> None:
    """What OpenSpiel's resampling test asks: the same information, the same actions, and hidden cards that differ."""
    rng = random.Random(4)
    differ = 0
    for _ in range(3):
        state = pyspiel.load_game(game).new_initial_state()
        while not state.is_terminal():
            outcomes = [action for action, _ in state.chance_outcomes()] if state.is_chance_node() else []
            for player in range(2):
                other = state.resample_from_infostate(player, rng.random)
                assert other.information_state_string(player) == state.information_state_string(player)
                assert other.current_player() == state.current_player()
                if player == state.current_player():
                    assert other.legal_actions() == state.legal_actions()
                differ += str(other) != str(state)
            state.apply_action(rng.choice(outcomes or state.legal_actions()))
    assert differ > 3


def test_the_longest_game_is_not_longer_than_announced() -> None:
    for name in ("cmgames_tunnel_rat(max_turns=5,max_questions=2)", "cmgames_cat_and_mouse"):
        game, rng = pyspiel.load_game(name), random.Random(1)
        for _ in range(20):
            state, decisions = game.new_initial_state(), 0
            while not state.is_terminal():
                decisions += not state.is_chance_node()
                actions = [a for a, _ in state.chance_outcomes()] if state.is_chance_node() else state.legal_actions()
                state.apply_action(rng.choice(actions))
            assert decisions <= game.max_game_length()


def test_cfr_finds_the_value_that_the_exact_solver_finds() -> None:
    """One card of each kind: no guess is better than "advance" at first, so that one turn has the whole value."""
    game = pyspiel.load_game(SMALL)
    solver = cfr.CFRSolver(game)
    for _ in range(300):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    assert exploitability.exploitability(game, policy) < 0.01
    value = expected_game_score.policy_value(game.new_initial_state(), [policy] * 2)[0]
    options = {option: int(n) for option, n in (pair.split("=") for pair in ONE_OF_EACH.split(","))}
    exact = 2 * tunnel_rat.solve(**options).value - 1
    assert exact == Fraction(-1, 3)
    assert value == pytest.approx(float(exact), abs=0.01)


@pytest.mark.parametrize(
    ("options", "value"), [(CAT, 1 / 5), (CAT | {"secrecy": 1, "terrorist_hand": 6}, 5 / 7)], ids=["plain", "secrecy"]
)
def test_cfr_plus_finds_the_value_of_small_games_of_cat_and_mouse(
    options: dict[str, int], value: float, tmp_path: Path
) -> None:
    """OpenSpiel reads the tree that is written for Gambit: the deal is one draw there, and no two sets differ only in
    its order. `tests/odds/test_sequence_form.py` has the same values.
    """
    file = tmp_path / "cat.efg"
    file.write_text(efg("cat-and-mouse", **options))
    game = pyspiel.load_game(f"efg_game(filename={file})")
    solver = pyspiel.CFRPlusSolver(game)
    for _ in range(1500):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    assert pyspiel.exploitability(game, policy) < 0.001
    assert pyspiel.expected_returns(game.new_initial_state(), policy, -1, True)[0] == pytest.approx(value, abs=0.001)


class Solved(Policy):  # type: ignore[misc]
    """What the sequence form found, as a policy of OpenSpiel's."""

    def __init__(self, game: pyspiel.Game) -> None:
        super().__init__(game, [0, 1])
        self.strategy = sequence_form.solve(small_cat()).strategy

    def action_probabilities(self, state: TableState, player_id: int | None = None) -> dict[int, float]:
        player = state.current_player() if player_id is None else player_id
        actions = state.legal_actions()
        if len(actions) == 1:
            return {actions[0]: 1.0}
        shares = self.strategy[("terrorist", "us")[player], self.seen(state, player)]
        named = {str(move): share for move, share in shares.items()}
        return {action: named[state.action_to_string(player, action)] for action in actions}

    @staticmethod
    def seen(state: TableState, player: int) -> tuple[str, ...]:
        """The information set in our tree, where the order of a deal is forgotten."""
        events: list[str] = []
        for chance, run in groupby(state.seen(player), lambda event: event.startswith("chance ")):
            texts = [event.split(" ", 1)[1] for event in run]
            events += sorted(texts) if chance else texts
        return tuple(events)


def test_the_solution_of_the_sequence_form_is_worth_the_same_in_open_spiel() -> None:
    """Over all 720 orders of the deal; `python -m benchmarks.small_games` has OpenSpiel's best responses as well."""
    game = pyspiel.load_game(SMALL_CAT)
    value = expected_game_score.policy_value(game.new_initial_state(), [Solved(game)] * 2)
    assert value == pytest.approx([1 / 5, -1 / 5])


def test_an_observer_sees_a_seats_view_only() -> None:
    game = pyspiel.load_game("cmgames_tunnel_rat")
    tensors: dict[int, set[bytes]] = {0: set(), 1: set()}
    for card in range(3):
        state = game.new_initial_state()
        state.apply_action(0)
        state.apply_action(card)
        observer = game.make_py_observer()
        for player, found in tensors.items():
            observer.set_from(state, player)
            assert np.isfinite(observer.tensor).all()
            found.add(observer.tensor.tobytes())
    assert {player: len(found) for player, found in tensors.items()} == {0: 1, 1: 3}
