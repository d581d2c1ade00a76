"""Cards and piles.

A card is known by its code, a small integer that is its place in a `Catalogue`.  A pile is a ``bytes`` of
codes: immutable, hashable, and C-fast to search, cut and join.  Hands and decks are kept sorted, so that equal
collections are equal values; the order of a deck is never stored, because chance decides each card when it is
drawn.  Discard piles keep the order in which everybody saw them grow.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterable
from functools import lru_cache

import msgspec

Pile = bytes
ONE: tuple[Pile, ...] = tuple(bytes([code]) for code in range(256))
"""The pile that holds one card of a code."""


class Kind(msgspec.Struct, frozen=True):
    """A kind of card.

    Attributes
    ----------
    name : the printed name.
    suit : the printed card type.
    mark : one to three letters that tell it from every other kind of its game.
    copies : how many of it the deck holds.
    """

    name: str
    suit: str
    mark: str
    copies: int


class Catalogue(msgspec.Struct, frozen=True, cache_hash=True):
    """The kinds of cards of one game, in code order."""

    kinds: tuple[Kind, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The names, by code."""
        return tuple(kind.name for kind in self.kinds)

    def pile(self, codes: Iterable[int] | None = None) -> Pile:
        """All copies of the kinds with these codes (default: of all kinds), as a sorted pile."""
        chosen = range(len(self.kinds)) if codes is None else codes
        return b"".join(ONE[code] * self.kinds[code].copies for code in chosen)


def put(pile: Pile, code: int) -> Pile:
    """The sorted pile with one more card."""
    place = bisect(pile, code)
    return pile[:place] + ONE[code] + pile[place:]


def take(pile: Pile, code: int, copies: int = 1) -> Pile:
    """The pile without `copies` of a card that it holds."""
    return pile.replace(ONE[code], b"", copies)


@lru_cache(maxsize=8192)
def named(pile: Pile, names: tuple[str, ...]) -> tuple[str, ...]:
    """The names of the cards of a pile, in its order."""
    return tuple([names[code] for code in pile])
