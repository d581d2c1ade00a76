"""OpenSpiel's own tests, and its solvers on games whose value is known."""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import cfr, expected_game_score, exploitability

import cmgames.adapters.open_spiel  # noqa: F401  registers the games
from cmgames.odds import tunnel_rat

ONE_OF_EACH = "vc=1,traps=1,tunnels=1,casualties_to_win=1,tunnels_to_win=1"
SMALL = f"cmgames_tunnel_rat({ONE_OF_EACH},max_questions=0,max_turns=1)"
SMALL_CAT = (
    "cmgames_cat_and_mouse(kinds=2,copies=1,set_size=1,secrecy=0,terrorist_hand=5,suites=1,names=1,us_copies=2,"
    "same_name=1,one_suite=1,all_suites=1,us_hand=1)"
)


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
