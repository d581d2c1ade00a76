"""What is certain of the printed Cat & Mouse: against every shuffle of a small deck, and against the rules."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, permutations

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from cmgames.engine.game import CHANCE
from cmgames.engine.moves import Move
from cmgames.games.cat_and_mouse import PASS, SETUP_US, US_DEAL, CatAndMouse
from cmgames.games.cat_and_mouse_deck import CatAndMouseOptions
from cmgames.odds.bounds import at_least, at_most

SMALL = CatAndMouseOptions.make({"kinds": 2, "copies": 1, "set_size": 1, "secrecy": 3, "terrorist_hand": 4})
PRINTED = CatAndMouseOptions()


def attacks_in(order: Sequence[int], options: CatAndMouseOptions) -> int | None:
    """In which turn the silent Terrorist of docs/odds.md attacks for certain, if he draws the cards in this order."""
    rules, hand = CatAndMouse(options), options.terrorist_hand
    for turn in range(1, len(order) - hand):
        drawn = order[: hand + turn]
        if sum(code >= rules.first_secrecy for code in drawn) < turn + 1:
            return None
        if all(any(drawn.count(code) >= options.set_size for code in kinds) for kinds in rules.categories):
            return turn
    return None


def silent(rules: CatAndMouse, legal: Sequence[Move]) -> Move:
    """What the silent Terrorist does: he parts with nothing but Secrecy cards, and attacks when he can."""
    for move in legal:
        is_secrecy = bool(move.cards) and rules.code[move.cards[0]] >= rules.first_secrecy
        if move.verb in ("draw", "meld") or (move.verb in ("discard", "lose") and is_secrecy):
            return move
    assert PASS in legal, "he would have to part with another card"
    return PASS


def shuffles(rules: CatAndMouse) -> Iterator[tuple[int, ...]]:
    """Every order of a deck without equal cards, all Secrecy cards taken for one."""
    plans = [code for kinds in rules.categories for code in kinds]
    size = len(plans) + rules.options.secrecy
    for places in combinations(range(size), len(plans)):
        for cards in permutations(plans):
            at = dict(zip(places, cards, strict=True))
            yield tuple(at.get(place, rules.first_secrecy) for place in range(size))


def test_the_silent_terrorist_attacks_as_often_as_counted() -> None:
    """Every shuffle of a small deck; whatever he attacks with, each of the eight melds is as likely to US Security."""
    turns = [attacks_in(order, SMALL) for order in shuffles(CatAndMouse(SMALL))]
    share = Fraction(sum(turn is not None for turn in turns), len(turns))
    assert 0 < share < 1
    assert at_least(SMALL) == share * (1 - Fraction(1, 8))


def test_the_bounds_of_the_printed_game() -> None:
    assert at_least(PRINTED) == Fraction(9541700158047, 101596277517329140)
    assert at_most(PRINTED) == Fraction(63, 64)


def stacked(rules: CatAndMouse, numbers: random.Random) -> list[int]:
    """An order of the Terrorist's deck in which a meld and many Secrecy cards come early."""
    plans = [code for code in rules.start().terrorist_deck if code < rules.first_secrecy]
    secrecy = [code for code in rules.start().terrorist_deck if code >= rules.first_secrecy]
    meld = [code for kinds in rules.categories for code in 3 * [numbers.choice(kinds)]]
    for code in meld:
        plans.remove(code)
    numbers.shuffle(plans)
    kept = numbers.randrange(4, 9)
    early, late = [*meld, *secrecy[:kept], *plans[: 8 - kept]], [*plans[8 - kept :], *secrecy[kept:]]
    numbers.shuffle(early)
    numbers.shuffle(late)
    return early + late


@settings(max_examples=100, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_whatever_us_security_plays_the_silent_terrorist_attacks_when_it_is_said(seed: int) -> None:
    """The rules play a stacked deck; US Security makes any moves, and a combo whenever it has one."""
    rules, numbers = CatAndMouse(PRINTED), random.Random(seed)
    deck = stacked(rules, numbers)
    due = attacks_in(deck, PRINTED)
    assume(due is not None)
    state, order = rules.start(), iter(deck)
    while not state.meld:
        seat, legal = state.step.seat, rules.legal(state)
        if seat == CHANCE:
            is_us = state.step in (SETUP_US, US_DEAL)
            state = rules.play(state, rules.dealt(state, numbers.choice(rules.pool(state)) if is_us else next(order)))
        elif seat == "us":
            combos = [move for move in legal if move.verb == "combo"]
            state = rules.play(state, numbers.choice(combos or legal))
        else:
            state = rules.play(state, silent(rules, legal))
    assert state.turn == due
