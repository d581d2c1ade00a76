"""The Terrorist's hand, counted: against every hand written down one by one, and against the rules."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from fractions import Fraction
from itertools import combinations, product
from math import comb

import pytest
from msgspec.structs import replace

import cmgames
from cmgames.bots.player import players
from cmgames.engine.table import Table
from cmgames.games.cat_and_mouse import PASS, SECURITY
from cmgames.odds import cat_and_mouse as odds

SMALL = {
    "kinds": 2,
    "copies": 2,
    "set_size": 2,
    "secrecy": 2,
    "terrorist_hand": 6,
    "suites": 2,
    "names": 2,
    "us_copies": 2,
    "same_name": 2,
    "one_suite": 2,
    "all_suites": 2,
    "us_hand": 3,
}


def played(seed: int, plies: int, **options: object) -> Table:
    """A game of random moves that is still going on, with draws wherever they are allowed."""
    table, rng = cmgames.Table("cat-and-mouse", seed=seed, **options), random.Random(seed)
    while table.seat and table.version < plies:
        moves = [move for move in table.legal() if move.verb not in ("decline", "meld")]
        table.play(rng.choice(moves))
    return table


def hands(table: Table) -> list[Counter[str]]:
    """Every hand that the Terrorist could hold as US Security sees it, each card told apart."""
    catalogue = table.game.catalogue
    deck = [kind.name for kind in catalogue.kinds if kind.suit in ("Attack", "Group", "Target", "Secrecy")]
    thrown = Counter(table.view("us").pile("terrorist discard").cards)
    copies = {kind.name: kind.copies for kind in catalogue.kinds}
    out = [name for name in deck for _ in range(copies[name] - thrown[name])]
    return [Counter(hand) for hand in combinations(out, table.view("us").pile("terrorist hand").size)]


def melds(hand: Counter[str], table: Table) -> list[odds.Plan]:
    """The melds in a hand."""
    size = table.game.options.set_size
    sets = ([name for name in names if hand[name] >= size] for names in odds.plan_names(table.game.options))
    return [(attack, group, target) for attack, group, target in product(*sets)]


@pytest.mark.parametrize("seed", range(4))
def test_the_posterior_and_the_chances_are_what_all_hands_say(seed: int) -> None:
    """Two kinds, two copies, sets of two, two Secrecy cards: at most 3003 hands."""
    table = played(seed, plies=5, **SMALL)
    possible = hands(table)
    weights: dict[odds.Plan, Fraction] = defaultdict(Fraction)
    for hand in possible:
        found = melds(hand, table)
        for plan in found:
            weights[plan] += Fraction(1, len(found))
    posterior = odds.meld_posterior(table.view("us"))
    assert posterior == {plan: weights[plan] / sum(weights.values()) for plan in posterior}
    holds = Fraction(sum(bool(melds(hand, table)) for hand in possible), len(possible))
    assert odds.wait_for_meld(table.view("us")).within[0] == holds


def test_before_the_first_discard_all_64_are_equal() -> None:
    view = cmgames.Table("cat-and-mouse", seed=1).view("us")
    assert set(odds.meld_posterior(view).values()) == {Fraction(1, 64)}


def test_one_plan_of_one_kind_is_a_hypergeometric_chance() -> None:
    """One kind of each, four copies: a meld is in the hand when at least three of each four have come."""
    table = cmgames.Table("cat-and-mouse", seed=1, kinds=1)
    at_least = sum(
        comb(4, a) * comb(4, g) * comb(4, t) * comb(12, 12 - a - g - t) for a, g, t in product((3, 4), repeat=3)
    )
    assert odds.wait_for_meld(table.view("us")).within[0] == Fraction(at_least, comb(24, 12))


def test_thrown_cards_rule_a_plan_out_and_turn_suspicion_to_the_others() -> None:
    table = cmgames.Table("cat-and-mouse", seed=11)
    while table.turn < 14:
        seat = table.seat
        assert seat is not None
        moves = [move for move in table.legal() if move.verb not in ("meld", "combo")]
        player = list(players("cat-and-mouse", seat).values())[1]
        table.play(player.choose(table.view(seat), tuple(moves), table.random()))
    view = table.view("us")
    thrown = Counter(view.pile("terrorist discard").cards)
    posterior = odds.meld_posterior(view)
    assert sum(posterior.values()) == 1
    for plan, chance in posterior.items():
        assert (chance == 0) == any(thrown[name] > 1 for name in plan), plan
    by_kind = {name: sum(chance for plan, chance in posterior.items() if name in plan) for name in thrown}
    for names in odds.plan_names(table.game.options):
        in_order = sorted(names, key=lambda name: thrown[name])
        chances = [sum(chance for plan, chance in posterior.items() if name in plan) for name in in_order]
        assert chances == sorted(chances, reverse=True), by_kind


@pytest.mark.parametrize("seed", range(3))
def test_the_wait_is_what_all_orders_of_the_deck_say(seed: int) -> None:
    """The Terrorist's own hand, and every choice of his next cards."""
    table = played(seed, plies=5, **SMALL, empty_deck_ends="after the turn")
    view = table.view("terrorist")
    hand = Counter(view.pile("terrorist hand").cards)
    seen = hand + Counter(view.pile("terrorist discard").cards)
    kinds = [kind for kind in table.game.catalogue.kinds if kind.suit in ("Attack", "Group", "Target", "Secrecy")]
    deck = [kind.name for kind in kinds for _ in range(kind.copies - seen[kind.name])]
    wait = odds.wait_for_meld(view)
    for n in range(len(deck) + 1):
        draws = list(combinations(deck, n))
        enough = sum(bool(melds(hand + Counter(cards), table)) for cards in draws)
        assert wait.within[n] == Fraction(enough, len(draws))


def test_exposure_is_the_posterior_of_ones_own_melds() -> None:
    """Whoever names the likeliest meld catches this one or not; what US Security thinks needs no hand."""
    for seed in range(200):
        table = played(seed, plies=30)
        view = table.view("terrorist")
        exposed = odds.exposures(view)
        if exposed:
            break
    posterior = odds.meld_posterior(table.view("us"))
    assert {plan: exposure.chance for plan, exposure in exposed.items()} == {plan: posterior[plan] for plan in exposed}
    most = max(posterior.values())
    assert all((exposure.caught > 0) == (exposure.chance == most) for exposure in exposed.values())
    assert set(exposed) == set(melds(Counter(view.pile("terrorist hand").cards), table))


@pytest.mark.parametrize("seed", range(6))
def test_the_next_combos_are_those_that_the_rules_allow(seed: int) -> None:
    """Each card that may come, dealt and asked of the rules."""
    table = played(seed, plies=11)
    while table.seat != "us" or table.phase != "US Draw Phase" or len(table.legal()) > 1:
        table.play(next(move for move in table.legal() if move.verb not in ("decline", "meld")))
    game = table.game
    drawn = game.play(table.state, table.legal()[0])
    able = Fraction()
    for deal, chance in game.chance(drawn):
        after = replace(game.play(drawn, deal), step=SECURITY)
        able += chance * (game.legal(after) != (PASS,))
    assert 0 <= able <= 1
    assert odds.combos_next_turn(table.view("us")).any == able


def test_who_may_not_ask_is_told_so() -> None:
    table = cmgames.Table("cat-and-mouse", seed=1)
    with pytest.raises(ValueError, match=r"does not show the Terrorist's hand: ask with view\('terrorist'\)"):
        odds.exposures(table.view("us"))
    with pytest.raises(ValueError, match="does not show the hand of US Security"):
        odds.combos_next_turn(table.view("terrorist"))
    with pytest.raises(ValueError, match="only views of cat-and-mouse"):
        odds.meld_posterior(cmgames.Table("tunnel-rat").view("rat"))
