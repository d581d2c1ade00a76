"""Cat & Mouse: what the Terrorist may hold and draw, counted exactly.

Everything here is counting.  Of each kind some cards are *held* (known to lie in the hand) and some are *out*: nobody
who asks knows where they are.  `n` of the cards that are out come to the hand, each choice of `n` equally likely.  The
number of choices that make one category come out in a given way is a coefficient of a polynomial, in which the power of
*x* counts cards; categories and Secrecy cards multiply (see e.g. Graham, Knuth, Patashnik, Concrete Mathematics,
section 7.2).

Two questions are the same question:

- US Security asks about the Terrorist's hand: nothing is held, all that was not discarded is out, and as many cards
  have come as the hand holds.  This is the *uniform model*: the hand is a random choice of the cards that are out, as
  if he had thrown away blindly.  A Terrorist with several melds plays each equally often.
- The Terrorist asks about his own next cards: his hand is held, his deck is out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import reduce
from itertools import product, zip_longest
from math import comb, lcm
from typing import NamedTuple, TypeVar

from cmgames.engine.view import OPEN, View
from cmgames.games.cat_and_mouse_deck import CATEGORIES, SUITES, CatAndMouseOptions

T = TypeVar("T")

Plan = tuple[str, str, str]
"""One Attack, one Group, one Target."""

Sets = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]
"""The Attacks, the Groups and the Targets of which a whole set is held: what decides which melds one has."""

Category = dict[str, "Kind"]
"""The kinds of one category, by name."""

Polynomial = list[int]
"""Coefficients by power."""


class Kind(NamedTuple):
    """How many cards of a kind are held, and how many are out."""

    held: int
    out: int


class Exposure(NamedTuple):
    """How well US Security can guess a meld.

    Attributes
    ----------
    chance : its posterior.
    caught : how often it is named by somebody who names the likeliest meld, any of them if several are.
    """

    chance: Fraction
    caught: Fraction


class Wait(NamedTuple):
    """How long it takes until a hand holds a meld, if nothing that is needed is thrown away.

    Attributes
    ----------
    within : ``within[n]`` is the chance that `n` more cards are enough, from 0 to all that can still be drawn.
    mean : expected number of cards, given that the meld comes at all; None when it cannot come.
    """

    within: tuple[Fraction, ...]
    mean: Fraction | None


class Combos(NamedTuple):
    """The chances that US Security's hand holds a combo after the next card, by the kind of combo, and any at all."""

    same_name: Fraction
    one_suite: Fraction
    all_suites: Fraction
    any: Fraction


def meld_posterior(view: View) -> dict[Plan, Fraction]:
    """The chance of each meld, given that the Terrorist attacks.

    Bayes under the uniform model: the weight of a meld is the number of hands that hold it, each divided by the number
    of melds in that hand.  Only what lies open is used, so that every seat's view gives what US Security may think.

    Parameters
    ----------
    view : any view of the game; before an attack the answer is what an attack at this moment would mean.

    Returns
    -------
    dict
        For each of the ``kinds**3`` plans its probability; they add up to 1.

    Raises
    ------
    ValueError
        This is no view of Cat & Mouse, or no meld can be held any more.
    """
    return _posterior(view, _played)


def sets_posterior(view: View) -> dict[Sets, Fraction]:
    """The chances of what the Terrorist holds whole sets of, given that he holds a meld; under the uniform model.

    Parameters
    ----------
    view : any view of the game; only what lies open is used.

    Raises
    ------
    ValueError
        This is no view of Cat & Mouse, or no meld can be held any more.
    """
    return _posterior(view, _held)


def exposures(view: View) -> dict[Plan, Exposure]:
    """For each meld in the Terrorist's hand, how exposed it is to the best guess.

    Raises
    ------
    ValueError
        This view does not show the Terrorist's hand.
    """
    hand = _own_hand(view)
    options = options_of(view)
    sets = [[name for name in names if hand[name] >= options.set_size] for names in plan_names(options)]
    melds: list[Plan] = [(attack, group, target) for attack, group, target in product(*sets)]
    if not melds:
        return {}
    posterior = meld_posterior(view)
    most = max(posterior.values())
    likeliest = sum(chance == most for chance in posterior.values())
    return {meld: Exposure(posterior[meld], Fraction(posterior[meld] == most, likeliest)) for meld in melds}


def wait_for_meld(view: View) -> Wait:
    """How many more cards the Terrorist needs until his hand holds a meld.

    From his own view his hand is known; from any other it is a random choice of what is not discarded.  It is taken
    that he draws and throws away nothing that a meld needs: an upper bound, since combos and the hand limit may force
    him to.  ``within[0]`` is the chance that he holds a meld now.  The last card of the deck counts only where it does
    not end the game at once.

    Raises
    ------
    ValueError
        This is no view of Cat & Mouse.
    """
    options = options_of(view)
    own = view.seat in ("terrorist", OPEN)
    categories, secrecy = _own_cards(view) if own else _unseen(view)
    come = 0 if own else view.pile("terrorist hand").size + view.pile("meld").size
    draws = view.pile("terrorist deck").size - (options.empty_deck_ends == "at once")
    ways, out = meld_ways(categories, secrecy, options.set_size), _out(categories) + secrecy
    within = tuple(Fraction(ways[come + n], comb(out, come + n)) for n in range(max(draws, 0) + 1))
    return Wait(within, _mean(within))


def combos_next_turn(view: View) -> Combos:
    """How likely US Security holds a combo after its next card, and of which kind.

    Raises
    ------
    ValueError
        This view does not show US Security's hand.
    """
    options = options_of(view)
    hand = Counter(view.pile("us hand").cards)
    if hand.total() != view.pile("us hand").size:
        raise ValueError(f"The view of {view.seat!r} does not show the hand of US Security: ask with view('us').")
    after = (
        [(hand + Counter([name]), n) for name, n in _us_out(view, hand).items()] if view.pile("us deck").size else []
    )
    combos = [(_combos(cards, options), n) for cards, n in after or [(hand, 1)]]
    total = sum(n for _, n in combos)
    return Combos._make(Fraction(sum(n for found, n in combos if found[place]), total) for place in range(4))


def options_of(view: View) -> CatAndMouseOptions:
    """The options in force.

    Raises
    ------
    ValueError
        This is no view of Cat & Mouse.
    """
    if view.game != "cat-and-mouse":
        raise ValueError(f"This is a view of {view.game}: only views of cat-and-mouse can be asked here.")
    assert isinstance(view.options, CatAndMouseOptions)
    return view.options


def plan_names(options: CatAndMouseOptions) -> list[tuple[str, ...]]:
    """The names of the Attacks, the Groups and the Targets in play."""
    return [tuple(name for name, _ in names[: options.kinds]) for names in CATEGORIES.values()]


# What is held and what is out


def _unseen(view: View) -> tuple[list[Category], int]:
    """What is out for those who do not see the Terrorist's hand: by category, and how many Secrecy cards."""
    options = options_of(view)
    thrown = Counter(view.pile("terrorist discard").cards if options.open_discards else ())
    categories = [{name: Kind(0, options.copies - thrown[name]) for name in names} for names in plan_names(options)]
    cards = 3 * options.kinds * options.copies + options.secrecy - thrown.total()
    return categories, cards - _out(categories)


def _own_cards(view: View) -> tuple[list[Category], int]:
    """What the Terrorist holds and what is in his deck: by category, and how many Secrecy cards are in it."""
    options, hand = options_of(view), _own_hand(view)
    seen = hand + Counter(view.pile("terrorist discard").cards)
    categories = [
        {name: Kind(hand[name], options.copies - seen[name]) for name in names} for names in plan_names(options)
    ]
    return categories, view.pile("terrorist deck").size - _out(categories)


def _out(categories: Iterable[Category]) -> int:
    """How many cards of these categories are out."""
    return sum(kind.out for category in categories for kind in category.values())


def _own_hand(view: View) -> Counter[str]:
    """The Terrorist's hand, a meld on the table included."""
    hand, meld = view.pile("terrorist hand"), view.pile("meld")
    if view.seat not in ("terrorist", OPEN):
        raise ValueError(f"The view of {view.seat!r} does not show the Terrorist's hand: ask with view('terrorist').")
    return Counter(hand.cards) + Counter(dict.fromkeys(meld.cards, options_of(view).set_size))


def _us_out(view: View, hand: Counter[str]) -> Counter[str]:
    """The US cards that are in the deck, as far as US Security knows."""
    options = options_of(view)
    names = [name for suite in list(SUITES.values())[: options.suites] for name, _ in suite[: options.names]]
    return Counter(dict.fromkeys(names, options.us_copies)) - hand - Counter(view.pile("us discard").cards)


# Counting


def _choices(out: int, least: int = 0, below: int | None = None) -> Polynomial:
    """The ways to choose from `out` cards at least `least` and less than `below` of them."""
    return [comb(out, n) if n >= least and (below is None or n < below) else 0 for n in range(out + 1)]


def _times(left: Polynomial, right: Polynomial) -> Polynomial:
    product = [0] * (len(left) + len(right) - 1)
    for power, factor in enumerate(left):
        if factor:
            for more, other in enumerate(right):
                product[power + more] += factor * other
    return product


def _plus(left: Polynomial, right: Polynomial) -> Polynomial:
    return [a + b for a, b in zip_longest(left, right, fillvalue=0)]


def _coefficient_of_product(left: Polynomial, right: Polynomial, power: int) -> int:
    """One coefficient of the product of two polynomials."""
    return sum(left[power - n] * way for n, way in enumerate(right) if 0 <= power - n < len(left))


def _posterior(view: View, ways_of: Callable[[Category, int], dict[T, Polynomial]]) -> dict[tuple[T, T, T], Fraction]:
    """The chance of each triple, one of each category, given that the Terrorist holds a meld.

    `ways_of` gives for each case in a category, under a given size of a set, the ways in which it happens.
    """
    categories, secrecy = _unseen(view)
    size = view.pile("terrorist hand").size + view.pile("meld").size
    attacks, groups, targets = (ways_of(category, options_of(view).set_size) for category in categories)
    rest, weights = _choices(secrecy), {}
    for (attack, first), (group, second) in product(attacks.items(), groups.items()):
        ways = _times(_times(first, second), rest)
        for target, third in targets.items():
            weights[attack, group, target] = _coefficient_of_product(ways, third, size)
    total = sum(weights.values())
    if not total:
        raise ValueError("No meld can be held any more: too many of the cards for one lie in the discard pile.")
    return {case: Fraction(weight, total) for case, weight in weights.items()}


def _played(category: Category, set_size: int) -> dict[str, Polynomial]:
    """For each kind the ways in which its set is the one that is played: one in as many as there are full sets.

    All are multiplied by the same number, so that they are whole.
    """
    whole = lcm(*range(1, len(category) + 1))
    shares: dict[str, Polynomial] = {name: [0] for name in category}
    for full, ways in _held(category, set_size).items():
        for name in full:
            shares[name] = _plus(shares[name], [whole // len(full) * way for way in ways])
    return shares


def _held(category: Category, set_size: int) -> dict[tuple[str, ...], Polynomial]:
    """For each choice of kinds, but none at all, the ways in which just their sets are full."""
    ways: dict[tuple[str, ...], Polynomial] = {(): [1]}
    for name, kind in category.items():
        missing = max(set_size - kind.held, 0)
        short, full = _choices(kind.out, below=missing), _choices(kind.out, least=missing)
        ways = {names: _times(way, short) for names, way in ways.items()} | {
            (*names, name): _times(way, full) for names, way in ways.items()
        }
    del ways[()]
    return ways


def meld_ways(categories: Iterable[Category], secrecy: int, set_size: int) -> Polynomial:
    """The ways in which a set is full in every category, by the number of cards that have come."""
    ways = _choices(secrecy)
    for category in categories:
        ways = _times(ways, reduce(_plus, _held(category, set_size).values()))
    return ways


def _mean(within: tuple[Fraction, ...]) -> Fraction | None:
    """The mean of a time whose distribution function this is, given that it comes."""
    if not within[-1]:
        return None
    return sum((within[-1] - chance for chance in within), Fraction()) / within[-1]


def _combos(hand: Counter[str], options: CatAndMouseOptions) -> tuple[bool, ...]:
    """Whether a hand holds a combo of one name, of one suite, of different suites, and any at all."""
    suites = [[name for name, _ in suite[: options.names]] for suite in list(SUITES.values())[: options.suites]]
    present = [sum(name in hand for name in suite) for suite in suites]
    found = (
        max(hand.values(), default=0) >= options.same_name,
        max(present) >= options.one_suite,
        sum(map(bool, present)) >= options.all_suites,
    )
    return (*found, any(found))
