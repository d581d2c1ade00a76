"""Computer players of Cat & Mouse.

A plan is one kind of Attack, one of Group and one of Target.  The Terrorist's players rate how likely a plan still
comes together; the profiler, and the schemer who fears it, rate how much the open discards give a plan away.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import comb, isclose, prod

from cmgames.bots.player import pick, player, uniform
from cmgames.engine.moves import Move
from cmgames.engine.view import View
from cmgames.games.cat_and_mouse_deck import CATEGORIES, SUITES, CatAndMouseOptions

GAME = "cat-and-mouse"
DRAW, DECLINE, PASS, LOSE_RANDOM = Move("draw"), Move("decline"), Move("pass"), Move("lose random")

ARRIVES = 0.4
"""How likely the Terrorist's players take it that a card that is still out comes in time."""
SECRECY_WORTH = 0.3
"""A Secrecy card is worth this share of the chance of a meld: it draws two cards, and it shields against combos."""
THROWN = 0.3
"""So much less likely a card of the plan is thrown away than another, as the profiler sees it."""
EXPOSED = 0.1
"""The schemer waits while the discards give its meld away more than this."""
HURRY = 6
"""With so few cards left in the deck the schemer waits no longer."""


@lru_cache(maxsize=16)
def categories(kinds: int) -> tuple[tuple[str, ...], ...]:
    """The names of Attacks, Groups and Targets in play."""
    return tuple(tuple(name for name, _ in names[:kinds]) for names in CATEGORIES.values())


@lru_cache(maxsize=16)
def plan_cards(kinds: int) -> frozenset[str]:
    """The names of all Attacks, Groups and Targets in play."""
    return frozenset(name for names in categories(kinds) for name in names)


@lru_cache(maxsize=64)
def suites(suites: int, names: int) -> tuple[tuple[str, ...], ...]:
    """The names of the US cards in play, by suite."""
    return tuple(tuple(name for name, _ in suite[:names]) for suite in list(SUITES.values())[:suites])


def options_of(view: View) -> CatAndMouseOptions:
    """The options in force."""
    assert isinstance(view.options, CatAndMouseOptions)
    return view.options


# What the discards give away


def suspicion(thrown: Counter[str], options: CatAndMouseOptions) -> list[dict[str, float]]:
    """How likely each kind is in the plan, by category, given what the Terrorist has thrown away.

    A plan needs `set_size` copies that were not thrown away: the number of ways to choose them, times `THROWN` for
    each copy that was.
    """
    table = []
    for names in categories(options.kinds):
        weight = [comb(options.copies - thrown[name], options.set_size) * THROWN ** thrown[name] for name in names]
        total = sum(weight) or 1.0
        table.append({name: share / total for name, share in zip(names, weight, strict=True)})
    return table


# The Terrorist


@lru_cache(maxsize=4096)
def arrives(need: int, out: int, share: float = ARRIVES) -> float:
    """How likely at least `need` of the `out` cards that are out come in time; each does with a chance of `share`."""
    return sum(comb(out, k) * share**k * (1 - share) ** (out - k) for k in range(max(need, 0), out + 1))


def prospects(hand: Counter[str], thrown: Counter[str], options: CatAndMouseOptions) -> list[dict[str, float]]:
    """How likely a set of each kind comes together, by category."""
    size, copies = options.set_size, options.copies
    return [
        {name: arrives(size - hand[name], copies - hand[name] - thrown[name]) for name in names}
        for names in categories(options.kinds)
    ]


def hope(table: Iterable[dict[str, float]]) -> float:
    """How likely some set comes together in every category, taking the kinds as independent."""
    return prod(1 - prod(1 - share for share in kinds.values()) for kinds in table)


def after_losing(card: str, hand: Counter[str], thrown: Counter[str], options: CatAndMouseOptions) -> float:
    """The hope that is left when a card of the hand is thrown away."""
    if card not in plan_cards(options.kinds):
        return hope(prospects(hand, thrown, options)) * (1 - SECRECY_WORTH)
    return hope(prospects(hand - Counter([card]), thrown + Counter([card]), options))


def exposure(plan: Iterable[str], thrown: Counter[str], options: CatAndMouseOptions) -> float:
    """How likely the discards make this plan in the eyes of US Security."""
    table = suspicion(thrown if options.open_discards else Counter(), options)
    return prod(kinds[name] for kinds, name in zip(table, plan, strict=True))


def secret_hope(card: str, hand: Counter[str], thrown: Counter[str], options: CatAndMouseOptions) -> float:
    """The hope that is left, times how likely the likeliest plan is not guessed, when a card is thrown away."""
    table = prospects(hand - Counter([card]), thrown + Counter([card]), options)
    plan = [max(kinds, key=kinds.__getitem__) for kinds in table]
    left = after_losing(card, hand, thrown, options)
    return left * (1 - exposure(plan, thrown + Counter([card]), options))


def own_cards(view: View) -> tuple[Counter[str], Counter[str]]:
    """The Terrorist's hand and what was thrown away of it."""
    return Counter(view.pile("terrorist hand").cards), Counter(view.pile("terrorist discard").cards)


def can_attack(hand: Counter[str], options: CatAndMouseOptions) -> bool:
    """Whether a hand holds a meld."""
    return all(any(hand[name] >= options.set_size for name in names) for names in categories(options.kinds))


def draw_or_not(view: View) -> Move:
    """Draw, unless the last card would end the game before the meld in the hand is played."""
    options = options_of(view)
    last = view.pile("terrorist deck").size == 1 and options.empty_deck_ends == "at once"
    return DECLINE if last and can_attack(own_cards(view)[0], options) else DRAW


def best(moves: Sequence[Move], worth: Sequence[float], random: random.Random) -> Move:
    """The move of most worth, any of them if several are."""
    most = max(worth)
    return pick(random, [move for move, value in zip(moves, worth, strict=True) if isclose(value, most)])


def give_up(legal: tuple[Move, ...], random: random.Random) -> Move:
    """A Secrecy card if there is one."""
    return pick(random, legal[:-1] or legal)


def turn_in(view: View, legal: tuple[Move, ...], random: random.Random) -> Move:
    """A Secrecy card for two cards, unless they were the last ones."""
    secrecy = [move for move in legal if move.verb == "secrecy"]
    return pick(random, secrecy) if secrecy and view.pile("terrorist deck").size > 2 else PASS


player(GAME, "terrorist", "random", "Random", "Makes any legal move, each equally likely.")(uniform)


@player(GAME, "terrorist", "collector", "The collector", "Keeps what makes a meld likeliest, and attacks at once.")
def collector(view: View, legal: tuple[Move, ...], random: random.Random) -> Move:
    """Throws away what costs the least hope."""
    if legal[0] == DRAW:
        return draw_or_not(view)
    if legal[0].verb == "discard":
        hand, thrown = own_cards(view)
        worth = [after_losing(move.cards[0], hand, thrown, options_of(view)) for move in legal]
        return best(legal, worth, random)
    if legal[-1] == LOSE_RANDOM:
        return give_up(legal, random)
    melds = [move for move in legal if move.verb == "meld"]
    return pick(random, melds) if melds else turn_in(view, legal, random)


@player(
    GAME,
    "terrorist",
    "schemer",
    "The schemer",
    "Asks of each discard what it gives away, and holds the meld back while the discards point at it.",
)
def schemer(view: View, legal: tuple[Move, ...], random: random.Random) -> Move:
    """Weighs hope against exposure."""
    options = options_of(view)
    hand, thrown = own_cards(view)
    if legal[0].verb == "discard":
        worth = [secret_hope(move.cards[0], hand, thrown, options) for move in legal]
        return best(legal, worth, random)
    melds = [move for move in legal if move.verb == "meld"]
    if not melds:
        return collector(view, legal, random)
    exposures = [exposure(move.cards, thrown, options) for move in melds]
    shielded = sum(hand.values()) > sum(hand[name] for name in plan_cards(options.kinds))
    if min(exposures) > EXPOSED and shielded and view.pile("terrorist deck").size > HURRY:
        return PASS
    return best(melds, [-exposed for exposed in exposures], random)


# US Security


@lru_cache(maxsize=4096)
def potential(suite: tuple[int, ...], same_name: int, one_suite: int) -> int:
    """How near a suite's copies are to combos: the squares of how far each name and the suite have come."""
    names = sum([min(copies, same_name) ** 2 for copies in suite])
    return names + min(len(suite) - suite.count(0), one_suite) ** 2


@lru_cache(maxsize=64)
def suite_of(suites: tuple[tuple[str, ...], ...]) -> dict[str, tuple[str, ...]]:
    """The suite of each US card."""
    return {name: suite for suite in suites for name in suite}


def keep_best(view: View, moves: Sequence[Move], random: random.Random) -> Move:
    """The move whose cards the hand can best do without: those that take the least potential away."""
    hand, options = view.pile("us hand").cards, options_of(view)
    return best(moves, [-_taken(move.cards, hand, options) for move in moves], random)


def _taken(cards: tuple[str, ...], hand: tuple[str, ...], options: CatAndMouseOptions) -> int:
    """How much potential goes with these cards of a hand."""
    suite, taken = suite_of(suites(options.suites, options.names)), 0
    for names in {suite[card] for card in cards}:
        held = tuple([hand.count(name) for name in names])
        left = tuple([n - cards.count(name) for name, n in zip(names, held, strict=True)])
        before, after = (potential(each, options.same_name, options.one_suite) for each in (held, left))
        taken += before - after
    return taken


player(GAME, "us", "random", "Random", "Makes any legal move, each equally likely.")(uniform)


@player(GAME, "us", "hunter", "The hunter", "Plays a combo whenever it can, the cheapest first. Guesses blindly.")
def hunter(view: View, legal: tuple[Move, ...], random: random.Random) -> Move:
    """Cheap combos, and a hand that makes the next one."""
    if legal[0].verb == "discard":
        return keep_best(view, legal, random)
    combos = [move for move in legal if move.verb == "combo"]
    if not combos:
        return pick(random, legal)
    fewest = min(len(move.cards) for move in combos)
    return keep_best(view, [move for move in combos if len(move.cards) == fewest], random)


@player(
    GAME,
    "us",
    "profiler",
    "The profiler",
    "Hunts as well, and reads the discards: what is thrown away is not the plan.",
)
def profiler(view: View, legal: tuple[Move, ...], random: random.Random) -> Move:
    """Guesses the likeliest of the melds."""
    if legal[0].verb != "guess":
        return hunter(view, legal, random)
    table = suspicion(Counter(view.pile("terrorist discard").cards), options_of(view))
    worth = [prod(kinds[name] for kinds, name in zip(table, move.cards, strict=True)) for move in legal]
    return best(legal, worth, random)
