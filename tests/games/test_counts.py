"""Golden counts, as chess programs count moves: how many positions, histories and moves the rules allow.

Each is found twice: by walking the rules and by a formula or by trying everything.
"""

from __future__ import annotations

import random
from functools import cache
from itertools import combinations
from math import comb
from typing import Any

import pytest

from cmgames import GAMES
from cmgames.engine.game import AnyGame, State
from cmgames.games import CatAndMouse
from tests.games.helpers import SMALL, security


def made(name: str, options: dict[str, Any]) -> AnyGame:
    """A game under options."""
    return GAMES[name](GAMES[name].Options.make(options))


def after(game: AnyGame, state: State) -> list[State]:
    """Every state that can come next, once for each move."""
    moves = game.legal(state) or [move for move, _ in game.chance(state)]
    return [game.play(state, move) for move in moves if state.step.seat is not None]


def states_by_ply(game: AnyGame, plies: int) -> list[int]:
    """How many states there are after so many moves."""
    level = {game.start()}
    counts = []
    for _ in range(plies):
        level = {following for state in level for following in after(game, state)}
        counts.append(len(level))
    return counts


@pytest.mark.parametrize(
    ("turns", "questions", "histories"),
    [(1, 0, 72), (1, 2, 936), (2, 0, 5_184), (2, 1, 82_944), (3, 0, 373_248)],
)
def test_histories_of_tunnel_rat(turns: int, questions: int, histories: int) -> None:
    game = made(
        "tunnel-rat",
        {"vc": 3, "traps": 3, "tunnels": 3, "tunnels_to_win": 3, "max_turns": turns, "max_questions": questions},
    )

    @cache
    def walk(state: State) -> int:
        return sum(map(walk, after(game, state))) or 1

    a_turn = 3 * 2**3 * sum(3**asked for asked in range(questions + 1)) * 3
    assert walk(game.start()) == a_turn**turns == histories


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("tunnel-rat", [1, 3, 6, 9, 15, 21, 30, 48, 66, 54, 48, 81, 135, 231, 357, 504, 693, 901, 957, 872, 744]),
        ("cat-and-mouse", [8, 28, 56, 224, 560, 1120, 1260, 3696, 4816, 8512, 17424]),
    ],
)
def test_states_of_the_small_games(name: str, counts: list[int]) -> None:
    assert states_by_ply(made(name, SMALL[name]), len(counts)) == counts


def hands(copies: list[int], size: int) -> int:
    """How many different hands a deck gives: the coefficient of x^size in the product of 1 + x + ... + x^copies."""
    ways = [1] + [0] * size
    for most in copies:
        ways = [sum(ways[total - n] for n in range(min(most, total) + 1)) for total in range(size + 1)]
    return ways[size]


@pytest.mark.parametrize(
    ("changes", "positions"),
    [({}, 560), ({"copies": 2, "secrecy": 3, "us_hand": 3}, 2112), ({"kinds": 1, "copies": 4, "suites": 3}, 525)],
)
def test_positions_after_the_deal_of_cat_and_mouse(changes: dict[str, int], positions: int) -> None:
    options = SMALL["cat-and-mouse"] | changes
    game = made("cat-and-mouse", options)
    plans = [options["copies"]] * 3 * options["kinds"] + [1] * options["secrecy"]
    agents = [options["us_copies"]] * options["suites"] * options["names"]
    cards = options["terrorist_hand"] + options["us_hand"]
    formula = hands(plans, options["terrorist_hand"]) * hands(agents, options["us_hand"])
    assert states_by_ply(game, cards)[-1] == formula == positions


def test_hands_of_the_printed_game() -> None:
    secrecy_first = sum(comb(12, secret) * hands([4] * 12, 12 - secret) for secret in range(13))
    assert hands([4] * 12 + [1] * 12, 12) == secrecy_first == 136_067_232
    assert hands([4] * 15, 9) == comb(23, 14) - 15 * comb(18, 14) == 771_290


@pytest.mark.parametrize(
    ("same_name", "one_suite", "all_suites", "combos"), [(3, 3, 5, 263), (4, 2, 2, 119), (2, 1, 5, 273)]
)
def test_combos_of_a_hand_of_nearly_all_cards(same_name: int, one_suite: int, all_suites: int, combos: int) -> None:
    game = made(
        "cat-and-mouse", {"us_hand": 59, "same_name": same_name, "one_suite": one_suite, "all_suites": all_suites}
    )
    state = security(us_hand=59, us=tuple(game.catalogue.names[-15:]) * 3 + tuple(game.catalogue.names[-15:-1])).state
    formula = 15 - (same_name > 3) + 5 * comb(3, one_suite) + comb(5, all_suites) * 3**all_suites
    assert len(game.legal(state)) - 1 == formula == combos


@pytest.mark.parametrize("seed", range(25))
def test_combos_are_all_that_fit_the_printed_words(seed: int) -> None:
    deck = [(kind.name, kind.suit) for kind in CatAndMouse.catalogue.kinds[24:] for _ in range(4)]
    hand = sorted(random.Random(seed).sample(deck, 9))

    def fits(cards: tuple[tuple[str, str], ...]) -> bool:
        names, suits = {name for name, _ in cards}, {suit for _, suit in cards}
        if len(cards) == 3:
            return len(names) == 1 or (len(names) == 3 and len(suits) == 1)
        return len(suits) == 5

    tried = {tuple(sorted(name for name, _ in cards)) for n in (3, 5) for cards in combinations(hand, n) if fits(cards)}
    table = security(us=tuple(name for name, _ in hand))
    legal = [tuple(sorted(move.cards)) for move in table.legal() if move.verb == "combo"]
    assert (set(legal), len(legal)) == (tried, len(tried))
