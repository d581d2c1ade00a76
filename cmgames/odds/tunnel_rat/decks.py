"""The decks that can be left of a pack, numbered."""

from __future__ import annotations

from itertools import product
from math import factorial

from cmgames.odds.tunnel_rat.position import Counts

Row = tuple[Counts, int, int, int, int]
"""A deck, its number, and the numbers of what is left of it after a VC, after a Trap, after a Tunnel card."""

NO_DECK = -1
"""The number of what is left after a card that is not in the deck."""


class Decks:
    """Every deck that holds at most a pack's cards, by a number of its own; 0 is the empty one.

    Parameters
    ----------
    pack : how many cards of each kind there are.
    """

    def __init__(self, pack: Counts) -> None:
        _, traps, tunnels = pack
        self.steps = ((traps + 1) * (tunnels + 1), tunnels + 1, 1)
        self.orders = [_orders(deck) for deck in _within(pack)]

    def number(self, deck: Counts) -> int:
        """The number of a deck: decks with fewer cards of a kind, and as many of the others, come before it."""
        return sum(cards * step for cards, step in zip(deck, self.steps, strict=True))

    def rows(self, largest: Counts) -> list[Row]:
        """The decks from one card up to the largest; each stands behind what is left of it."""
        return [self._row(deck) for deck in _within(largest) if any(deck)]

    def _row(self, deck: Counts) -> Row:
        here = self.number(deck)
        vc, trap, tunnel = (here - step if n else NO_DECK for n, step in zip(deck, self.steps, strict=True))
        return deck, here, vc, trap, tunnel


def _within(largest: Counts) -> product[Counts]:
    """The decks with at most so many cards of each kind, in the order of their numbers."""
    return product(*(range(cards + 1) for cards in largest))  # type: ignore[return-value]


def _orders(deck: Counts) -> int:
    """In how many orders the cards of a deck can lie, cards of a kind being alike: a multinomial coefficient."""
    vc, traps, tunnels = map(factorial, deck)
    return factorial(sum(deck)) // (vc * traps * tunnels)
