"""The masters of Cat & Mouse.

US Security's reads the discard pile in its order: a kind that was thrown away early is hardly the plan, one that was
thrown away later may have been a spare card of it.  The Terrorist's weighs at each decision how likely a meld comes in
time, how likely it is then not named by such a reader, and how long his Secrecy cards hold combos off.  The numbers
were found by play; `benchmarks/players.py` fits the reading again.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import lru_cache
from math import comb, exp, prod
from typing import NamedTuple

from cmgames.bots.cat_and_mouse import (
    DRAW,
    GAME,
    LOSE_RANDOM,
    PASS,
    arrives,
    best,
    categories,
    draw_or_not,
    give_up,
    hunter,
    options_of,
)
from cmgames.bots.player import pick, player
from cmgames.engine.moves import Move
from cmgames.engine.view import View
from cmgames.games.cat_and_mouse_deck import CatAndMouseOptions

# What the discard pile says

READING = (-2.74, 8.2, -8.2, 0.07)
"""The logarithm of how much likelier a card of the plan is thrown away than another: a constant, and what is added for
when it was (0 at the bottom of the pile, 1 on top) squared, for the cube of that, and for each card of the pile."""


def reading(pile: Sequence[str], options: CatAndMouseOptions) -> dict[str, float]:
    """The weight of each kind: how likely it is in the plan, up to a factor for each category.

    The ways to choose a set among the copies that were not thrown away, times a factor for each copy that was.
    """
    factors: dict[str, list[float]] = {name: [] for names in categories(options.kinds) for name in names}
    constant, squared, cubed, size = READING
    for place, name in enumerate(pile):
        if name in factors:
            at = place / len(pile)
            factors[name].append(exp(constant + squared * at**2 + cubed * at**3 + size * len(pile)))
    return {
        name: comb(options.copies - len(thrown), options.set_size) * prod(thrown) for name, thrown in factors.items()
    }


# The Terrorist

SOON = 6
"""The Terrorist hopes for what comes with his next so many cards, and with one more for each Secrecy card."""
SPARE = 0.8
"""To a reader a kind is so much less likely for each copy thrown away, besides the ways to make a set that are gone."""
NAMED = 0.6
"""How far the Terrorist fears the reader's likeliest plan more than the reader's other plans."""
FOCUS = 3
"""The likelier a kind's set comes, the more its exposure counts: by this power of its chance."""
UNSHIELDED, SHIELD = 0.2, 0.6
"""Without a Secrecy card this share of hope is lost to combos; each Secrecy card leaves so much of the loss."""
SHIELDS, FAR = 2, 4
"""So many Secrecy cards are kept as shields while at most so many cards are missing."""
EXPOSED, HURRY = 0.12, 6
"""A meld that is named more often than this waits behind a Secrecy card, unless so few cards are left."""

Counts = tuple[int, ...]


class Plot(NamedTuple):
    """What the Terrorist knows: copies held and thrown away by category and kind, his Secrecy cards, the deck."""

    held: tuple[Counts, ...]
    thrown: tuple[Counts, ...]
    secrecy: int
    deck: int

    @classmethod
    def of(cls, view: View) -> Plot:
        """The plot that a view of the Terrorist shows."""
        hand = view.pile("terrorist hand").cards
        names = categories(options_of(view).kinds)
        held, thrown = _counted(hand, names), _counted(view.pile("terrorist discard").cards, names)
        return cls(held, thrown, len(hand) - sum(map(sum, held)), view.pile("terrorist deck").size)


@lru_cache(maxsize=8192)
def _counted(cards: tuple[str, ...], names: tuple[tuple[str, ...], ...]) -> tuple[Counts, ...]:
    """How many of each kind there are, by category."""
    return tuple([tuple([cards.count(name) for name in kinds]) for kinds in names])


@lru_cache(maxsize=16)
def _places(names: tuple[tuple[str, ...], ...]) -> dict[str, tuple[int, int]]:
    """Where each card stands: its category and its kind."""
    return {card: (at, kind) for at, kinds in enumerate(names) for kind, card in enumerate(kinds)}


class Prospect(NamedTuple):
    """What one category promises.

    Attributes
    ----------
    chance : that a set comes in time.
    exposed : how likely a reader thinks the kind that will be played.
    named : how often it is the likeliest kind to a reader.
    """

    chance: float
    exposed: float
    named: float


@lru_cache(maxsize=65536)
def prospect(kinds: tuple[tuple[int, int], ...], open_discards: bool, soon: float, copies: int, size: int) -> Prospect:
    """The prospect of a category when each card that is out comes in time with probability `soon`.

    `kinds` holds for each kind how many copies are held, and how many were thrown away.
    """
    none, total, exposed, named = 1.0, 0.0, 0.0, 0.0
    shown = shown_to_us(tuple([thrown for _, thrown in kinds]), open_discards)
    for (held, thrown), share, likeliest in zip(kinds, *suspected(shown, copies, size), strict=True):
        chance = arrives(size - held, copies - held - thrown, soon)
        focus = chance**FOCUS
        none *= 1 - chance
        total += focus
        exposed += share * focus
        named += likeliest * focus
    return Prospect(1 - none, exposed / (total or 1.0), named / (total or 1.0))


@lru_cache(maxsize=65536)
def without_each(
    held: Counts, thrown: Counts, open_discards: bool, soon: float, copies: int, size: int
) -> tuple[Prospect, ...]:
    """The prospect of a category as it is, and then for each kind with a card of it thrown away.

    It does not depend on the order of the kinds: they are sorted, so that fewer cases are computed.
    """
    kinds = list(zip(held, thrown, strict=True))
    rows = [kinds]
    for at, (n, lost) in enumerate(kinds):
        rows.append([*kinds[:at], (n - 1, lost + 1), *kinds[at + 1 :]] if n else kinds)
    return tuple([prospect(tuple(sorted(row)), open_discards, soon, copies, size) for row in rows])


@lru_cache(maxsize=4096)
def suspected(thrown: Counts, copies: int, size: int) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """For each kind of a category how likely a reader thinks it, and how often he names it."""
    weights = [comb(copies - lost, size) * SPARE**lost for lost in thrown]
    total, most = sum(weights) or 1.0, max(weights)
    return tuple(each / total for each in weights), tuple((each == most) / weights.count(most) for each in weights)


def outlooks(plot: Plot, cards: Sequence[str], options: CatAndMouseOptions) -> list[float]:
    """For each of these cards of the hand: how likely a meld comes in time and is not named, without this card."""
    places, found = _places(categories(options.kinds)), _prospects(plot, options)
    now, worth = [each[0] for each in found], []
    fewer = plot._replace(secrecy=plot.secrecy - 1)
    spent = _outlook([each[0] for each in _prospects(fewer, options)], fewer.secrecy) if plot.secrecy else 0.0
    for card in cards:
        if card in places:
            category, kind = places[card]
            after = now.copy()
            after[category] = found[category][1 + kind]
            worth.append(_outlook(after, plot.secrecy))
        else:
            worth.append(spent)
    return worth


def _prospects(plot: Plot, options: CatAndMouseOptions) -> list[tuple[Prospect, ...]]:
    """For each category its prospect, and those without a card of each kind."""
    left = plot.deck - (options.empty_deck_ends == "at once")
    soon = round(max(min(SOON + plot.secrecy, left), 0) / max(plot.deck, 1), 2)
    known = options.open_discards, soon, options.copies, options.set_size
    return [without_each(held, thrown, *known) for held, thrown in zip(plot.held, plot.thrown, strict=True)]


def _outlook(found: Sequence[Prospect], secrecy: int) -> float:
    """How likely a meld comes in time and is not named, by the prospects of the three categories."""
    attack, group, target = found
    caught = mixed(attack[1] * group[1] * target[1], attack[2] * group[2] * target[2])
    return attack[0] * group[0] * target[0] * (1 - caught) * (1 - UNSHIELDED * SHIELD**secrecy)


def shown_to_us(thrown: Counts, open_discards: bool) -> Counts:
    """What US Security sees of the copies of a category that were thrown away."""
    return thrown if open_discards else (0,) * len(thrown)


def mixed(exposed: float, named: float) -> float:
    """How likely a plan is named by readers of whom some always name the likeliest one."""
    return (1 - NAMED) * exposed + NAMED * named


def risk(meld: Move, plot: Plot, options: CatAndMouseOptions) -> float:
    """How likely a meld is named."""
    seen = [suspected(shown_to_us(row, options.open_discards), options.copies, options.set_size) for row in plot.thrown]
    places = [kinds.index(card) for kinds, card in zip(categories(options.kinds), meld.cards, strict=True)]
    exposed, named = (prod(each[which][place] for each, place in zip(seen, places, strict=True)) for which in (0, 1))
    return mixed(exposed, named)


def missing(plot: Plot, size: int) -> int:
    """How many cards are missing for the nearest meld."""
    return sum(max(size - max(row), 0) for row in plot.held)


@player(
    GAME,
    "terrorist",
    "master",
    "The master",
    "Weighs how soon the meld comes, what the discards give away, and what holds combos off.",
)
def terrorist(view: View, legal: tuple[Move, ...], random: random.Random) -> Move:
    """The move of the best outlook."""
    if legal[0] == DRAW:
        return draw_or_not(view)
    plot, options = Plot.of(view), options_of(view)
    if legal[0].verb == "discard":
        return best(legal, outlooks(plot, [move.cards[0] for move in legal], options), random)
    if legal[-1] == LOSE_RANDOM:
        return give_up(legal, random)
    return attack(plot, legal, options, random)


def attack(plot: Plot, legal: tuple[Move, ...], options: CatAndMouseOptions, random: random.Random) -> Move:
    """The meld that is named least, unless it had better wait; else a Secrecy card that is no shield."""
    melds = [move for move in legal if move.verb == "meld"]
    if melds:
        risks = [risk(meld, plot, options) for meld in melds]
        waits = min(risks) > EXPOSED and plot.secrecy > 0 and plot.deck > HURRY
        return PASS if waits else best(melds, [-each for each in risks], random)
    secrecy = [move for move in legal if move.verb == "secrecy"]
    shields = SHIELDS if missing(plot, options.set_size) <= FAR else 0
    return pick(random, secrecy) if len(secrecy) > shields and plot.deck > 2 else PASS


# US Security


@player(
    GAME,
    "us",
    "master",
    "The master",
    "Hunts as well, and reads the discards in their order: an early one says more than a later one.",
)
def us(view: View, legal: tuple[Move, ...], random: random.Random) -> Move:
    """Guesses the likeliest meld."""
    if legal[0].verb != "guess":
        return hunter(view, legal, random)
    weights = reading(view.pile("terrorist discard").cards, options_of(view))
    return best(legal, [prod(weights[name] for name in move.cards) for move in legal], random)
