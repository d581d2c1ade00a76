"""Simulated games: the same as the engine's, the same however they are spread, and in accord with the exact values."""

from __future__ import annotations

import doctest
import random
from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cmgames.bots  # noqa: F401  its players are found by name
from cmgames.arguments import Refused
from cmgames.bots.match import wilson
from cmgames.bots.player import find
from cmgames.engine.moves import Move
from cmgames.engine.view import View
from cmgames.odds import simulation, tunnel_rat
from cmgames.odds.simulation import PLAYERS, compiled, engine, numbers, rats, simulate
from cmgames.odds.simulation.spread import MODULES, import_module
from cmgames.simulate_cli import simulate as command

SMALL_RAT = {"vc": 2, "traps": 1, "tunnels": 3, "casualties_to_win": 2, "tunnels_to_win": 2}
RAT_OPTIONS: list[dict[str, Any]] = [
    {},
    {"casualty_card": "keep"},
    {"vc": 3, "traps": 5, "max_questions": 1},
    {"max_turns": 7},
    {"vc": 0, "traps": 3, "tunnels": 4, "casualties_to_win": 2, "tunnels_to_win": 3},
    SMALL_RAT | {"casualty_card": "keep"},
]
SMALL_MOUSE = {"kinds": 2, "copies": 3, "set_size": 2, "secrecy": 4, "terrorist_hand": 7}
SMALL_US = {"suites": 3, "names": 2, "us_copies": 2, "same_name": 2, "one_suite": 2, "all_suites": 3, "us_hand": 4}
MOUSE_OPTIONS: list[dict[str, Any]] = [
    {},
    {"empty_deck_ends": "after the turn"},
    {"hand_limit_applies": "always", "open_discards": False},
    SMALL_MOUSE | SMALL_US,
    {"same_name": 1, "one_suite": 1, "all_suites": 1, "hand_limit_applies": "always"},
    {"same_name": 2, "one_suite": 2, "all_suites": 3, "secrecy": 0, "empty_deck_ends": "after the turn"},
    {"us_copies": 1, "same_name": 1, "suites": 4, "all_suites": 4, "terrorist_hand": 20},
]
RAT_GAMES, MOUSE_GAMES = 700, 150
FIRST, SEED = 10**9, 2**64 - 5
"""Compared games begin with this number."""

words = st.integers(0, 2**64 - 1)


# Numbers


def test_numbers_are_of_splitmix():
    state, known = 1234567, (6457827717110365317, 3203168211198807973, 9817491932198370423)
    assert known == tuple(numbers.mix(state + n * numbers.INCREMENT & numbers.WORD) for n in (1, 2, 3))


@settings(deadline=None)
@given(words, words, st.integers(0, 2), st.integers(0, 10**6), st.integers(1, 200))
def test_compiled_numbers_are_the_same(seed: int, game: int, stream: int, number: int, size: int):
    key = np.uint64(compiled.key(np.uint64(numbers.base(seed, stream)), np.uint64(game)))
    draw = numbers.Numbers(seed, game, stream, number)
    assert [compiled.below(key, number + n, size) for n in range(3)] == [int(draw.random() * size) for _ in range(3)]


# The engine


def best_rat(options: Mapping[str, Any]) -> engine.Choose:
    """The rat who keeps to the solution."""
    solution = tunnel_rat.solve(exact=False, **options)

    def choose(view: View, legal: tuple[Move, ...], _random: random.Random) -> Move:
        return legal[-1] if Move("pass") in legal else Move(solution.policy(view))

    return choose


def choosers(game: str, players: Mapping[str, str], options: Mapping[str, Any]) -> dict[str, engine.Choose]:
    """The players who play in the engine."""
    sitting = {"vc": "nervous"} | players if game == "tunnel-rat" else players
    names = {seat: name for seat, name in sitting.items() if name != "best"}
    found = {seat: find(game, seat, name).choose for seat, name in names.items()}
    return {**({"rat": best_rat(options)} if players.get("rat") == "best" else {}), **found}


def different(game: str, players: Mapping[str, str], options: Mapping[str, Any], games: int) -> list[int]:
    """The numbers of the games that differ in their winner, their number of turns, or their score."""
    rows = import_module(MODULES[game]).prepare(players, options)(SEED, FIRST, games).tolist()
    by_rules = partial(engine.play, game, choosers(game, players, options), seed=SEED, **options)
    return [FIRST + n for n, row in enumerate(rows) if tuple(row) != by_rules(FIRST + n)]


@pytest.mark.parametrize("options", RAT_OPTIONS, ids=str)
@pytest.mark.parametrize("rat", PLAYERS["tunnel-rat"]["rat"])
def test_tunnel_rat_is_the_engines(rat: str, options: dict[str, Any]):
    assert different("tunnel-rat", {"rat": rat}, options, RAT_GAMES) == []


@pytest.mark.parametrize("options", MOUSE_OPTIONS, ids=str)
@pytest.mark.parametrize("us", PLAYERS["cat-and-mouse"]["us"])
@pytest.mark.parametrize("terrorist", PLAYERS["cat-and-mouse"]["terrorist"])
def test_cat_and_mouse_is_the_engines(terrorist: str, us: str, options: dict[str, Any]):
    assert different("cat-and-mouse", {"terrorist": terrorist, "us": us}, options, MOUSE_GAMES) == []


def test_the_largest_game_fits():
    options = dict.fromkeys(("copies", "us_copies"), 20) | {"all_suites": 3, "one_suite": 2, "set_size": 20}
    hands = {"terrorist_hand": 200, "us_hand": 200}
    players = {"terrorist": "collector", "us": "hunter"}
    assert different("cat-and-mouse", players, options | hands, 5) == []


# The sum


@pytest.mark.parametrize(
    ("game", "players"),
    [("tunnel-rat", {"rat": "best"}), ("cat-and-mouse", {"terrorist": "collector", "us": "hunter"})],
)
def test_the_split_does_not_matter(game: str, players: dict[str, str]):
    whole = simulate(game, players, 3000, seed=3)
    assert whole.endings == simulate(game, players, 3000, seed=3, chunk=7).endings
    assert whole.endings == simulate(game, players, 3000, seed=3, chunk=501, workers=3).endings
    assert whole.endings != simulate(game, players, 3000, seed=4).endings


def test_a_result_adds_up():
    result = simulate("tunnel-rat", {"rat": "random"}, 5000, seed=1, max_turns=9)
    assert set(result.wins) == {"rat", "vc"}
    assert result.draws > 0
    assert sum(result.wins.values()) + result.draws == result.games == sum(result.turns.values()) == 5000
    assert max(result.turns) == 9


@pytest.mark.parametrize("options", [{}, {"vc": 3, "traps": 5}, SMALL_RAT], ids=str)
@pytest.mark.parametrize("rat", PLAYERS["tunnel-rat"]["rat"])
def test_the_exact_value_lies_in_the_interval(rat: str, options: dict[str, Any]):
    result = simulate("tunnel-rat", {"rat": rat}, 1_000_000, seed=1, **options)
    low, high = wilson(result.wins["rat"], result.games, z=3.2905)
    value = rats.value(rat, options)
    assert value is not None
    assert low <= value <= high


def test_the_counter_wins_half():
    assert rats.value("counter", {}) == Fraction(1, 2)


def test_a_game_too_large_to_solve():
    large = dict.fromkeys(("vc", "traps", "tunnels", "casualties_to_win", "tunnels_to_win"), 60)
    assert rats.value("counter", large) is None
    assert simulate("tunnel-rat", {"rat": "counter"}, 100, seed=1, **large).games == 100
    with pytest.raises(ValueError, match="too many"):
        simulate("tunnel-rat", {"rat": "best"}, 100, seed=1, **large)


def test_examples():
    assert doctest.testmod(simulation).failed == 0


# Refusals, and the command


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"game": "chess"}, "tunnel-rat"),
        ({"rat": "queen"}, "counter"),
        ({"us": "hunter"}, "--us does not belong to tunnel-rat. There you choose --rat random, counter, best"),
        ({"seed": -1}, "seed"),
        ({"seed": 2**64}, "seed"),
        ({"games": 0}, "games must be at least 1"),
        ({"workers": 0}, "workers must be at least 1"),
        ({"option": ["vc"]}, "name=value"),
        ({"option": ["vc=61"]}, "from 0 to 60"),
        ({"scheduler": "somewhere"}, "tcp://"),
    ],
)
def test_refusals(arguments: dict[str, Any], words: str):
    with pytest.raises(Refused, match=words):
        command(**({"games": 100} | arguments))


def test_a_chunk_holds_a_game():
    with pytest.raises(ValueError, match="chunk"):
        simulate("tunnel-rat", {"rat": "best"}, 10, seed=1, chunk=0)


def test_the_command_prints_the_exact_value_and_says_beside_it_what_takes_time(capsys: pytest.CaptureFixture[str]):
    command("tunnel-rat", rat="counter", games=200_000, workers=2, option=["max_questions=None"])
    printed, beside = capsys.readouterr()
    assert beside.count("compiled first") == 1
    result = simulate("tunnel-rat", {"rat": "counter"}, 200_000, seed=1)
    assert f"{result.wins['rat']:,} won" in printed
    assert "50.0000 %" in printed
    assert "games per CPU second" in printed


def test_the_command_tells_of_draws(capsys: pytest.CaptureFixture[str]):
    command("tunnel-rat", games=1000, option=["max_turns=5"])
    assert "nobody" in capsys.readouterr().out


def test_the_command_plays_cat_and_mouse(capsys: pytest.CaptureFixture[str]):
    command("cat-and-mouse", terrorist="random", games=1000)
    printed = capsys.readouterr().out
    assert "terrorist (random)" in printed
    assert "us (hunter)" in printed


def test_one_game_is_said_as_one(capsys: pytest.CaptureFixture[str]):
    command("tunnel-rat", rat="counter", games=1)
    assert "\n1 game of 8 turns\n" in capsys.readouterr().out
