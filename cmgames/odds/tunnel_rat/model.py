"""Tunnel Rat as a Markov decision process of the rat: the VC has no choice in the cards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from cmgames.games.tunnel_rat import TRAP, TUNNEL, VC, TunnelRatOptions
from cmgames.odds.tunnel_rat.position import Counts, Layer
from cmgames.odds.tunnel_rat.tells import Number, Signals, Tells, read


class Model(NamedTuple):
    """A game and the VC's tells, in one kind of number.

    Attributes
    ----------
    options : the game's; `max_questions` and `max_turns` play no part.
    signals : the likelihood of each signal.
    number : what to compute with: `Fraction` or `float`.
    """

    options: TunnelRatOptions
    signals: Signals
    number: type[Number]

    @classmethod
    def make(cls, options: Mapping[str, Any], tells: Tells | None, exact: bool) -> Model:
        """The model of options by name, and of tells.

        Raises
        ------
        ValueError
            No game can be played with the options (`OptionError`); the tells are no probabilities.
        """
        number: type[Number] = Fraction if exact else float
        return cls(TunnelRatOptions.make(dict(options)), read(tells, number), number)

    def layers(self) -> Iterator[Layer]:
        """The scores of a game that is not over; each stands behind those that can follow it."""
        for tunnels in reversed(range(self.options.tunnels_to_win)):
            for casualties in reversed(range(self.options.casualties_to_win)):
                for dangers in self._kept(casualties):
                    yield Layer(tunnels, casualties, dangers)

    def _kept(self, casualties: int) -> list[tuple[int, int]]:
        """The dangers that the VC can have kept after so many casualties."""
        if self.options.casualty_card == "discard":
            return [(0, 0)]
        kept = ((vc, casualties - vc) for vc in range(casualties + 1))
        return [(vc, traps) for vc, traps in kept if vc <= self.options.vc and traps <= self.options.traps]

    def fresh(self, layer: Layer) -> Counts:
        """The deck after a shuffle: all cards that nobody keeps."""
        vc, traps = layer.dangers
        return self.options.vc - vc, self.options.traps - traps, self.options.tunnels - layer.tunnels

    def after(self, layer: Layer, kind: int, right: bool) -> Layer:
        """The layer after a card of that code was named, rightly or not."""
        tunnels, casualties, (vc, traps) = layer
        if kind == TUNNEL:
            return Layer(tunnels + right, casualties, (vc, traps))
        if right:
            return layer
        if self.options.casualty_card == "keep":
            vc, traps = vc + (kind == VC), traps + (kind == TRAP)
        return Layer(tunnels, casualties + 1, (vc, traps))

    def won(self, layer: Layer) -> bool:
        """Whether the rat has won."""
        return layer.tunnels >= self.options.tunnels_to_win

    def over(self, layer: Layer) -> bool:
        """Whether somebody has won."""
        return self.won(layer) or layer.casualties >= self.options.casualties_to_win
