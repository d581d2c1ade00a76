"""Tunnel Rat solved: by hand, by the rules, by a second method, in fractions and in floats."""

from __future__ import annotations

import doctest
import re
from fractions import Fraction
from functools import cache
from math import comb, prod
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cmgames import Table
from cmgames.engine.view import OPEN, SPECTATOR
from cmgames.games.tunnel_rat import TunnelRatState
from cmgames.odds import tunnel_rat
from cmgames.odds.tunnel_rat import KINDS, Position, Solution, chances, evaluate, solve
from tests.odds.rules import enclose, rules, turn

PAGE = Path(__file__).parents[2] / "docs" / "odds.md"
TINY = {"vc": 1, "traps": 1, "tunnels": 1, "casualties_to_win": 1, "tunnels_to_win": 1}
SMALL = {"vc": 2, "traps": 1, "tunnels": 3, "casualties_to_win": 2, "tunnels_to_win": 2}
NERVOUS = {"nervous": {"vc": 0.7, "trap": 0.7, "tunnel": 0.3}, "calm": {"vc": 0.3, "trap": 0.3, "tunnel": 0.7}}
OPEN_BOOK = {kind: {other: int(kind == other) for other in KINDS} for kind in KINDS}
SAFE_OR_NOT = {"safe": {"vc": 0, "trap": 0, "tunnel": 1}, "not": {"vc": 1, "trap": 1, "tunnel": 0}}
GAMES: list[tuple[dict[str, Any], Any]] = [
    ({}, None),
    ({"casualty_card": "keep"}, None),
    (SMALL, None),
    (SMALL | {"casualty_card": "keep"}, NERVOUS),
    (SMALL, NERVOUS),
    ({"vc": 0, "traps": 3, "tunnels": 4, "casualties_to_win": 2, "tunnels_to_win": 3}, None),
    ({"vc": 2, "traps": 2, "tunnels": 3, "casualties_to_win": 2, "tunnels_to_win": 3, "casualty_card": "keep"}, None),
]
games = pytest.mark.parametrize(("options", "tells"), GAMES)


@cache
def solved(number: int, exact: bool = True) -> Solution:
    options, tells = GAMES[number]
    return solve(**options, tells=tells, exact=exact)


# By hand


@pytest.mark.parametrize(
    ("options", "tells", "value"),
    [
        # Advance wins at once or never: 1/3. Shoot wins with chance (1/2 + x/2) / 3 + x / 6 + 0, which is less.
        (TINY, None, Fraction(1, 3)),
        # Name the only danger until it is gone, over and over: x = 1/2 + x/2.
        (TINY | {"traps": 0}, None, Fraction(1)),
        # A tunnel wins at once; of a danger the kind is guessed, and then both other cards are known.
        (TINY, SAFE_OR_NOT, Fraction(1, 3) + Fraction(2, 3) * Fraction(1, 2)),
        # The VC keeps whichever danger comes first, and of the other kind no casualty need come.
        (TINY | {"casualty_card": "keep", "casualties_to_win": 2}, None, Fraction(1)),
        # Of four VCs and four Traps whoever names the kind of which more are left is wrong at most four times.
        ({}, SAFE_OR_NOT, Fraction(1)),
        ({}, OPEN_BOOK, Fraction(1)),
        ({"casualty_card": "keep"}, None, Fraction(1)),
    ],
)
def test_values_found_by_hand(options: dict[str, Any], tells: Any, value: Fraction) -> None:
    assert solve(**options, tells=tells).value == value


def test_the_values_of_the_guesses_found_by_hand() -> None:
    """With x = 1/3 above, shoot is worth (1/2 + x/2) / 3 + x / 6 = 5/18; with only dangers left, half of x."""
    solution = solve(**TINY)
    start, dangers = Position((1, 1, 1)), Position((1, 1, 0))
    assert solution.values(start) == {"advance": Fraction(1, 3), "shoot": Fraction(5, 18), "search": Fraction(5, 18)}
    assert solution.values(dangers) == {"advance": 0, "shoot": Fraction(1, 6), "search": Fraction(1, 6)}
    assert (solution.policy(start), solution.policy(dangers)) == ("advance", "shoot")
    assert solution.regret(start, "search") == Fraction(1, 18)


def test_the_printed_game_found_by_hand() -> None:
    """Advancing wins half of the games; naming the one kind of danger that is left wins some of the others.

    `docs/odds.md` derives the formula.
    """
    fresh = [prod(Fraction(4 + i, 12 + i) for i in range(5 - kept)) for kept in range(5)]
    ways = [comb(kept + 4, 4) * comb(11 - kept, 3) for kept in range(5)]
    again = sum(n * x for n, x in zip(ways, fresh, strict=True)) / sum(ways)
    assert solved(0).value == Fraction(1, 2) + Fraction(1, 70) * again == Fraction(3531523, 7027020)
    assert [solved(0).value_of(Position((4, 4, 8 - kept), kept, 4)) for kept in range(5)] == fresh
    assert solved(0).longer_than(16) == Fraction(1, 70)


def test_policies_found_by_hand() -> None:
    """With j dangers before the tunnel, uniform guesses win in a deck with chance 1/3^j / 3 and pass it with 2/3 / 3^2.

    Of one danger and one tunnel, "advance or shoot" wins with the tunnel first with chance 1/2, and with the danger
    first with 1/2 * 1/2; it passes the deck with chance 1/4 in either order.  Shooting for ever is no win.
    """
    assert evaluate("uniform", **TINY) == Fraction(13, 81) / (1 - Fraction(2, 27))
    assert evaluate("advance", **TINY) == evaluate("likeliest", **TINY) == Fraction(1, 3)
    assert evaluate(lambda *_: "shoot", **TINY | {"traps": 0}) == 0
    assert evaluate("advance") == evaluate("advance", tells=NERVOUS) == evaluate("likeliest") == Fraction(1, 2)
    assert evaluate(
        "likeliest", tells={"a": dict.fromkeys(KINDS, ".4"), "b": dict.fromkeys(KINDS, Fraction(3, 5))}
    ) == Fraction(1, 2)
    half = {"advance": 0.5, "shoot": 0.5}
    assert evaluate(lambda *_: half, **TINY | {"traps": 0}) == Fraction(3, 8) / (1 - Fraction(1, 4))


def test_how_long_a_game_lasts_by_hand() -> None:
    """One danger and one tunnel: each deck is won with its second card, if the danger was its first."""
    solution = solve(**TINY | {"traps": 0})
    assert [solution.longer_than(turns) for turns in range(5)] == [1, 1, Fraction(1, 2), Fraction(1, 2), Fraction(1, 4)]


# By the rules


@settings(max_examples=150, deadline=None)
@given(number=st.integers(0, len(GAMES) - 1), data=st.data())
def test_each_value_is_the_average_of_what_the_rules_lead_to(number: int, data: st.DataObject) -> None:
    """A random game: in each turn, for each signal and guess, the values after it, weighted with their chances."""
    solution, game = solved(number), rules(**GAMES[number][0])
    state: TunnelRatState = game.start()
    for _ in range(data.draw(st.integers(1, 30), "turns")):
        drawn = list(turn(game, state))
        for signal, likelihood in solution.model.signals.items():
            check_turn(solution, drawn, signal, dict(zip(KINDS, likelihood, strict=True)))
        card = data.draw(st.sampled_from(drawn), "card")
        state = card.after[data.draw(st.sampled_from([*card.after]), "guess")]
        if (outcome := game.outcome(state)) is not None:
            assert solution.value_of(state) == (outcome.winner == "rat")
            break


def check_turn(solution: Solution, drawn: list[Any], signal: str | None, likelihood: dict[str, Any]) -> None:
    """The values of one turn, seen through the state and through every view."""
    seen = sum(card.chance * likelihood[card.kind] for card in drawn)
    for card in drawn:
        values = solution.values(card.action, signal)
        for guess, value in values.items():
            later = sum(c.chance * likelihood[c.kind] * solution.value_of(c.after[guess]) for c in drawn)
            assert value * seen == later
            assert solution.regret(card.action, guess, signal) == max(values.values()) - value >= 0
        assert solution.regret(card.action, solution.policy(card.action, signal), signal) == 0


@settings(max_examples=60, deadline=None)
@given(number=st.integers(0, len(GAMES) - 1), seed=st.integers(0, 2**32), data=st.data())
def test_a_position_is_what_everybody_sees(number: int, seed: int, data: st.DataObject) -> None:
    """At every point of a random game the state and each view give one position, which does not change in a turn."""
    table = Table("tunnel-rat", seed=seed, **GAMES[number][0])
    known: dict[int, Position] = {}
    for _ in range(data.draw(st.integers(1, 120), "moves")):
        if not table.legal():
            break
        position = Position.of(table.state)
        assert all(Position.of(table.view(seat)) == position for seat in ("rat", "vc", SPECTATOR, OPEN))
        assert known.setdefault(table.turn, position) == position
        assert sum(chances(table.view("rat")).values()) == 1
        assert 0 <= solved(number).value_of(table.view("rat")) <= 1
        table.play(data.draw(st.sampled_from(table.legal()), "move"))


# By a second method, and in floats


@games
def test_value_iteration_encloses_the_value(options: dict[str, Any], tells: Any) -> None:
    low, high = enclose(rules(**options), **({"tells": tells} if tells else {}))
    assert low - 1e-12 <= solve(**options, tells=tells).value <= high + 1e-12


@games
def test_floats_are_as_good_as_fractions(options: dict[str, Any], tells: Any) -> None:
    exact, floats = solve(**options, tells=tells), solve(**options, tells=tells, exact=False)
    assert isinstance(floats.value, float)
    for layer in exact._values.tables:
        for deck, *_ in exact._values.decks.rows(exact.model.fresh(layer)):
            position = Position(deck, *layer)
            assert floats.value_of(position) == pytest.approx(exact.value_of(position), abs=1e-12)


@games
def test_the_best_policy_earns_the_value(options: dict[str, Any], tells: Any) -> None:
    """Although, where the game is won for sure, good guesses abound with which it would never end."""
    solution = solve(**options, tells=tells)
    assert evaluate(solution.policy, **options, tells=tells) == solution.value
    assert evaluate("best", **options, tells=tells, exact=False) == pytest.approx(solution.value, abs=1e-12)
    for name in tunnel_rat.NAMED:
        assert evaluate(name, **options, tells=tells, exact=False) <= solution.value + 1e-12


# What the document says


def rows(table: str) -> list[list[str]]:
    """The cells of a marked table of `docs/odds.md`, without its head."""
    text = PAGE.read_text(encoding="utf-8").split(f"<!-- {table} -->")[1].split("<!-- end -->")[0]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in text.strip().splitlines()[2:]]


def test_the_table_of_policies() -> None:
    columns: list[dict[str, Any]] = [{}, {"casualty_card": "keep"}, {"vc": 10, "traps": 10, "tunnels": 20}]
    for policy, *worth in rows("policies"):
        assert worth == [f"{evaluate(policy, exact=False, **options):.4f}" for options in columns]


def test_the_table_of_tells() -> None:
    for strength, *worth in rows("tells"):
        fault = Fraction(1) - Fraction(strength)
        tells = {
            "nervous": {"vc": strength, "trap": strength, "tunnel": fault},
            "calm": {"vc": fault, "trap": fault, "tunnel": strength},
        }
        policies = ("best", "likeliest", obedient)
        assert worth == [f"{evaluate(policy, tells=tells, exact=False):.4f}" for policy in policies]


def obedient(position: Position, signal: str | None) -> str:
    """Believe the face; of the dangers, name the one of which more is unseen."""
    vc, traps, _ = position.unseen
    return "advance" if signal == "calm" else "shoot" if vc >= traps else "search"


def test_the_best_play_of_the_printed_game_in_a_sentence() -> None:
    """Advance; but with four casualties name the danger of which alone some are left."""

    def policy(position: Position, _signal: str | None) -> str:
        vc, traps, _ = position.unseen
        if position.casualties < 4 or bool(vc) == bool(traps):
            return "advance"
        return "shoot" if vc else "search"

    assert evaluate(policy) == solved(0).value
    assert solved(0).longer_than(21) == 0


def test_tells_that_say_nothing_change_nothing() -> None:
    nothing = {"a": dict.fromkeys(KINDS, 0.25), "b": dict.fromkeys(KINDS, "3/4")}
    blind = solve(**SMALL, tells=nothing)
    plain = solve(**SMALL)
    assert blind.value == plain.value
    assert blind.values(Position((2, 1, 3)), "a") == plain.values(Position((2, 1, 3)))


def test_vc_and_trap_can_be_exchanged() -> None:
    solution = solve(vc=2, traps=4, tunnels=5, casualties_to_win=3, tunnels_to_win=3)
    for vc, traps, tunnels in [(2, 1, 4), (2, 0, 3), (0, 1, 2)]:
        one, other = Position((vc, traps, tunnels), 1, 1), Position((traps, vc, tunnels), 1, 1)
        swapped = solution.values(other)
        assert solution.values(one) == {
            "advance": swapped["advance"],
            "shoot": swapped["search"],
            "search": swapped["shoot"],
        }


@pytest.mark.parametrize("vc", range(4))
@pytest.mark.parametrize("traps", range(1, 4))
@pytest.mark.parametrize("casualties", range(1, 4))
def test_who_keeps_the_cards_loses_if_one_kind_can_be_given_away(vc: int, traps: int, casualties: int) -> None:
    if vc + traps >= casualties:
        game = {"vc": vc, "traps": traps, "tunnels": 2, "casualties_to_win": casualties, "tunnels_to_win": 2}
        assert (solve(**game, casualty_card="keep").value == 1) == (min(vc, traps) < casualties)


def test_the_likeliest_card_is_not_always_the_best_guess() -> None:
    position = Position((4, 0, 4), tunnels=4, casualties=4)
    assert chances(position) == {"vc": Fraction(1, 2), "trap": 0, "tunnel": Fraction(1, 2)}
    assert solved(0).values(position) == {
        "advance": Fraction(1, 2),
        "shoot": Fraction(2, 3),
        "search": Fraction(13, 42),
    }


def test_limits_of_turns_and_questions_change_nothing() -> None:
    limited = solve(**SMALL, max_turns=3, max_questions=0)
    table = Table("tunnel-rat", seed=1, **SMALL)
    assert limited.value_of(table.view("rat")) == limited.value == solve(**SMALL).value


def test_chances_by_count_and_by_tell() -> None:
    position = Position((4, 4, 8))
    assert chances(position) == {"vc": Fraction(1, 4), "trap": Fraction(1, 4), "tunnel": Fraction(1, 2)}
    assert chances(position, "nervous", tells=NERVOUS) == {
        "vc": Fraction(7, 20),
        "trap": Fraction(7, 20),
        "tunnel": Fraction(3, 10),
    }


def test_the_examples_of_the_docstring() -> None:
    assert doctest.testmod(tunnel_rat).failed == 0


# Refusals


@pytest.mark.parametrize(
    ("tells", "fault"),
    [
        ({}, "tells: over a vc the probabilities of the signals add up to 0, not to 1."),
        (NERVOUS | {"calm": NERVOUS["nervous"]}, "over a vc the probabilities of the signals add up to 7/5, not to 1."),
        ({"calm": {"vc": 1, "trap": 1}}, "tells['calm'] is given over ['vc', 'trap']. Give it over each kind"),
        ({"calm": {"vc": 1.5, "trap": 1, "tunnel": 1}}, "tells['calm']['vc'] is 1.5. Give a number from 0 to 1"),
        ({"calm": {"vc": 1, "trap": "often", "tunnel": 1}}, "tells['calm']['trap'] is 'often'. Give a number"),
        ({"calm": {"vc": 1, "trap": 1, "tunnel": float("nan")}}, "tells['calm']['tunnel'] is nan. Give a number"),
    ],
)
def test_tells_that_are_no_probabilities(tells: Any, fault: str) -> None:
    with pytest.raises(ValueError, match=re.escape(fault)):
        solve(tells=tells)
    with pytest.raises(ValueError, match=re.escape(fault)):
        chances(Position((1, 1, 1)), "calm", tells=tells)


@pytest.mark.parametrize(
    ("ask", "fault"),
    [
        (lambda: solved(0).values(Position((4, 4, 8)), "calm"), "The signal is 'calm'. It must be left out"),
        (lambda: solved(4).policy(Position((2, 1, 3))), "The signal is None. It must be one of ['nervous', 'calm']."),
        (lambda: chances(Position((0, 1, 0)), "vc", tells=OPEN_BOOK), "The signal 'vc' is never given over any of"),
        (lambda: solved(0).value_of(Position((4, 5, 8))), "cannot come about under"),
        (lambda: solved(0).value_of(Position((4, 4, 8), 1)), "cannot come about under"),
        (lambda: solved(0).value_of(Position((4, 4, 8), 0, 1, (0, 1))), "cannot come about under"),
        (lambda: solved(0).value_of(Position((0, 0, 0))), "cannot come about under"),
        (lambda: solved(0).policy(Position((4, 4, 3), 5)), "The game is over: no guess is left to be made."),
        (lambda: solved(0).regret(Position((4, 4, 8)), "hide"), "'hide' is no guess. The guesses are: advance, shoot"),
        (lambda: solved(0).policy(Table("tunnel-rat", traps=5).view("rat")), "This view is of a game under other"),
        (lambda: solved(0).policy(Table("cat-and-mouse").view("us")), "This view is of a game under other"),
        (lambda: evaluate("hopeful"), "No policy is called 'hopeful'. There are: uniform, advance, likeliest, best."),
        (lambda: evaluate(lambda *_: "hide"), "The policy answers 'hide'. Its guesses must be among: advance"),
        (lambda: evaluate(lambda *_: {"shoot": 0.5}), "The policy answers {'shoot': 0.5}: these probabilities"),
        (lambda: solve(tunnels=4), "tunnels_to_win is 5, but the deck holds only 4 tunnel cards"),
    ],
)
def test_questions_without_an_answer(ask: Any, fault: str) -> None:
    with pytest.raises(ValueError, match=re.escape(fault)):
        ask()
