"""What the rat knows: the cards that he has not seen, and the score."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from cmgames.engine.cards import ONE
from cmgames.engine.view import View
from cmgames.games.tunnel_rat import ACTIONS, TRAP, TUNNEL, VC, TunnelRat, TunnelRatState, rat_knows

CODES = (VC, TRAP, TUNNEL)
NAMES = TunnelRat.catalogue.names
KINDS = ("vc", "trap", "tunnel")
"""The kinds of cards as odds name them, in code order."""

GUESSES = {move.verb: kind for move, kind in ACTIONS.items()}
"""The code of the kind that each guess names; the guess for a tunnel first."""

Counts = tuple[int, int, int]
"""How many cards of each kind, in the order of `KINDS`."""


class Layer(NamedTuple):
    """The score, with the kinds of the dangers that the VC keeps; it never goes back."""

    tunnels: int
    casualties: int
    dangers: tuple[int, int]


START = Layer(0, 0, (0, 0))


class Position(msgspec.Struct, frozen=True, gc=False):
    """What the rat knows in a turn.

    Attributes
    ----------
    unseen : how many VC, Trap and Tunnel cards lie face down: the drawn card and the rest of the deck.
    tunnels : how many tunnels the rat has kept.
    casualties : how many casualties he has suffered.
    dangers : how many VC and Trap cards the VC has kept; always ``(0, 0)`` unless ``casualty_card="keep"``.
    """

    unseen: Counts
    tunnels: int = 0
    casualties: int = 0
    dangers: tuple[int, int] = (0, 0)

    @property
    def layer(self) -> Layer:
        """The position without its deck."""
        return Layer(self.tunnels, self.casualties, self.dangers)

    @classmethod
    def of(cls, where: Where) -> Position:
        """The position of the turn that a state or a view belongs to, whichever step of it has been reached.

        Only open cards are read, and how many lie face down.  When the deck is empty and no card is drawn yet, the
        discard pile is about to be shuffled: it counts as the deck.

        Parameters
        ----------
        where : a state of the engine, or any seat's or a spectator's view; a position is returned as it is.
        """
        if isinstance(where, Position):
            return where
        return _of_view(where) if isinstance(where, View) else _of_state(where)


Where = Position | TunnelRatState | View
"""What stands for a position."""


def without(deck: Counts, kind: int) -> Counts:
    """The deck without one card of that code."""
    vc, trap, tunnel = deck
    return vc - (kind == VC), trap - (kind == TRAP), tunnel - (kind == TUNNEL)


def _of_state(state: TunnelRatState) -> Position:
    drawn = b"" if state.card is None else ONE[state.card]
    unseen = _count(state.deck + drawn or state.discard, CODES)
    kept_vc, kept_trap, _ = _count(state.kept_dangers, CODES)
    return Position(unseen, state.kept_tunnels, state.casualties, (kept_vc, kept_trap))


def _of_view(view: View) -> Position:
    vc, trap, tunnel = rat_knows(view).values()
    unseen = (vc, trap, tunnel) if vc + trap + tunnel else _count(view.pile("discard").cards, NAMES)
    kept_vc, kept_trap, _ = _count(view.pile("dangers").cards, NAMES)
    return Position(unseen, view.track("tunnels").value, view.track("casualties").value, (kept_vc, kept_trap))


def _count(cards: Sequence[object], kinds: Sequence[object]) -> Counts:
    vc, trap, tunnel = map(cards.count, kinds)
    return vc, trap, tunnel
