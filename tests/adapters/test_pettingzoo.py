"""PettingZoo's own tests, and what they do not ask."""

from __future__ import annotations

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

import cmgames
from cmgames.adapters.pettingzoo import env, raw_env

GAMES = list(cmgames.GAMES)


@pytest.mark.filterwarnings("ignore::UserWarning:pettingzoo")
@pytest.mark.parametrize("game", GAMES)
def test_pettingzoos_own_tests(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    api_test(env(game), num_cycles=500)
    seed_test(lambda: env(game), num_cycles=200)
    assert "Passed API test" in capsys.readouterr().out


@pytest.mark.parametrize("game", GAMES)
def test_each_seat_observes_its_own_view_in_its_space(game: str) -> None:
    """Each array is new; what is hidden from a seat is not in it: two deals that it cannot tell apart look the same."""
    table = raw_env(game)
    table.reset(seed=3)
    for agent in table.agent_iter(60):
        observation, _, over, _, _ = table.last()
        if over:
            break
        for seat in table.agents:
            assert table.observation_space(seat).contains(table.observe(seat))
        kept = observation["observation"].copy()
        legal = np.flatnonzero(observation["action_mask"])
        assert len(legal) == len(table._table.legal())
        table.step(int(legal[len(kept) % len(legal)]))
        assert np.array_equal(observation["observation"], kept), agent


def test_the_hidden_card_of_tunnel_rat_is_not_in_the_rats_observation() -> None:
    seen: dict[str, set[bytes]] = {"rat": set(), "vc": set()}
    for seed in range(40):
        table = raw_env("tunnel-rat")
        table.reset(seed=seed)
        table.step(0)  # draw
        for seat, observations in seen.items():
            observations.add(table.observe(seat)["observation"].tobytes())
    assert {seat: len(observations) for seat, observations in seen.items()} == {"rat": 1, "vc": 3}


def test_a_seeded_reset_keeps_the_options() -> None:
    table = env("tunnel-rat", tunnels_to_win=1, casualties_to_win=1)
    for seed in (None, 1, None):
        table.reset(seed=seed)
        assert table.unwrapped._table.game.options.tunnels_to_win == 1


def test_an_illegal_action_is_punished_and_changes_nothing() -> None:
    table = env("tunnel-rat")
    table.reset(seed=1)
    table.step(5)
    assert table.rewards == {"rat": 0, "vc": -1}
    assert table.unwrapped._table.version == 0


def test_the_winner_gets_one_and_the_loser_minus_one() -> None:
    table = env("tunnel-rat", tunnels_to_win=1, casualties_to_win=1)
    table.reset(seed=2)
    total = dict.fromkeys(table.possible_agents, 0)
    for agent in table.agent_iter():
        observation, reward, over, _, _ = table.last()
        total[agent] += reward
        table.step(None if over else int(np.flatnonzero(observation["action_mask"])[-1]))
    assert sorted(total.values()) == [-1, 1]
