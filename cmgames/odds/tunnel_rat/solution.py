"""The best play of the rat."""

from __future__ import annotations

from collections.abc import Collection
from fractions import Fraction
from functools import cache
from typing import Any

from msgspec.structs import replace

from cmgames.engine.view import View
from cmgames.games.tunnel_rat import TunnelRatOptions
from cmgames.odds.tunnel_rat.model import Model
from cmgames.odds.tunnel_rat.position import CODES, GUESSES, START, Counts, Position, Where, without
from cmgames.odds.tunnel_rat.tells import Number, Tells, Triple, posterior, weigh
from cmgames.odds.tunnel_rat.values import Namer, Values

FLOAT_SLACK = 1e-12
"""In floats, guesses are equally good when their values differ by no more than this."""


def solve(*, tells: Tells | None = None, exact: bool = True, **options: Any) -> Solution:
    """Solve Tunnel Rat.

    The method and its sources stand at the head of `cmgames.odds.tunnel_rat.values`.  Time and memory grow with the
    number of scores times the number of decks that can be left.

    Parameters
    ----------
    tells : what the VC's face gives away: one signal a turn, seen before the guess; see `Tells`.
    exact : compute in fractions; else in floats, which are faster and right to about 12 digits.
    **options : the game's options by name.  `max_questions` and `max_turns` have no influence: questions move no
        cards, and the solution is that of a game without a limit (see `Solution.longer_than`).

    Raises
    ------
    ValueError
        The tells are no probabilities; `OptionError`, a ValueError too: no game can be played with these options.
    """
    return Solution(Model.make(options, tells, exact))


class Solution:
    """The rat's best play, and what every other guess costs.

    A value is a chance of the rat to win, from 0 to 1: a `Fraction`, or a float in a solution in floats.  A game that
    never ends is not won.

    Parameters
    ----------
    model : the game and the tells.

    Attributes
    ----------
    model : the same.
    value : of the start, with best play.

    Notes
    -----
    The methods take a `Position`, a state, or a view of any seat, and the signal of the turn: one of the tells, or
    None without tells.  All of them raise ValueError for a position that cannot come about in this game, and for a
    signal that cannot be seen in it.
    """

    def __init__(self, model: Model) -> None:
        self.model = model
        best = _best(model.signals.values())
        self._values = Values(model, lambda _layer: best)
        self.value = self._values.value(START, model.fresh(START))

    def value_of(self, where: Where) -> Number:
        """The value of a position before the signal of its turn has been seen; of a game that is over, 1 or 0."""
        position = self._position(where)
        return self._values.value(position.layer, position.unseen)

    def values(self, where: Where, signal: str | None = None) -> dict[str, Number]:
        """The value of each guess, with best play after it, by verb.

        Raises
        ------
        ValueError
            The game is over; see also the notes of the class.
        """
        position = self._position(where)
        if self.model.over(position.layer):
            raise ValueError("The game is over: no guess is left to be made.")
        chances = posterior(position.unseen, self.model.signals, signal).values()
        drawn = [(kind, chance) for kind, chance in zip(CODES, chances, strict=True) if chance]
        return {
            guess: sum(chance * self.value_after(position, kind, kind == named) for kind, chance in drawn)
            for guess, named in GUESSES.items()
        }

    def value_after(self, position: Position, kind: int, right: bool) -> Number:
        """The value after a card of that code was named, rightly or not, with best play from there on."""
        return self._values.value(self.model.after(position.layer, kind, right), without(position.unseen, kind))

    def policy(self, where: Where, signal: str | None = None) -> str:
        """The verb of the best guess; of several that are equally good, "advance" before "shoot" before "search".

        Raises
        ------
        ValueError
            See `values`.
        """
        values = self.values(where, signal)
        enough = max(values.values()) - (0 if self.model.number is Fraction else FLOAT_SLACK)
        return next(guess for guess, value in values.items() if value >= enough)

    def regret(self, where: Where, guess: str, signal: str | None = None) -> Number:
        """What a guess, given by its verb, loses against the best one: a difference of values.

        Raises
        ------
        ValueError
            There is no such guess; see also `values`.
        """
        values = self.values(where, signal)
        if guess not in values:
            raise ValueError(f"{guess!r} is no guess. The guesses are: {', '.join(values)}.")
        return max(values.values()) - values[guess]

    def longer_than(self, turns: int) -> Number:
        """The chance that a game with best play takes more than so many turns.

        With `max_turns` the rat still wins with a chance of at least ``value - longer_than(max_turns)``, and no policy
        wins with more than ``value``.  Each turn moves through all positions that can be reached; with many turns, use
        a solution in floats.
        """
        follow = cache(self._follow)
        going = {Position(self.model.fresh(START)): self.model.number(1)}
        for _ in range(turns):
            steps = [(after, chance * share) for before, chance in going.items() for after, share in follow(before)]
            going = dict.fromkeys((after for after, _ in steps), self.model.number(0))
            for after, chance in steps:
                going[after] += chance
        return sum(going.values())

    def _position(self, where: Where) -> Position:
        """The position, if it can come about in this game."""
        if isinstance(where, View) and not self._is_of(where.options):
            raise ValueError(f"This view is of a game under other options: {where.options}. Solve it under these.")
        position = Position.of(where)
        if not self._possible(position):
            raise ValueError(f"{position} cannot come about under {self.model.options}.")
        return position

    def _is_of(self, options: object) -> bool:
        """Whether options differ from the model's only in what plays no part."""
        mine = self.model.options
        return isinstance(options, TunnelRatOptions) and mine == replace(
            options, max_questions=mine.max_questions, max_turns=mine.max_turns
        )

    def _possible(self, position: Position) -> bool:
        over = self.model.over(position.layer)
        within = all(0 <= n <= most for n, most in zip(position.unseen, self.model.fresh(position.layer), strict=True))
        return within and (over or (position.layer in self._values.tables and any(position.unseen)))

    def _follow(self, position: Position) -> list[tuple[Position, Number]]:
        """The positions that best play leads to in one turn, with their chances; games that end are left out."""
        following = []
        for signal, likelihood in self.model.signals.items():
            weights = weigh(position.unseen, likelihood)
            named = GUESSES[self.policy(position, signal)] if any(weights) else None
            for kind in CODES:
                layer = self.model.after(position.layer, kind, kind == named)
                if weights[kind] and not self.model.over(layer):
                    deck = without(position.unseen, kind)
                    after = Position(deck if any(deck) else self.model.fresh(layer), *layer)
                    following.append((after, weights[kind] / sum(position.unseen)))
        return following


def _best(likelihoods: Collection[Triple]) -> Namer:
    """The best policy: after each signal, the guess whose gain is the highest when weighed with the likelihood."""

    def namer(_deck: Counts, gains: Triple) -> Triple:
        gain_vc, gain_trap, gain_tunnel = gains
        as_vc: Number = 0
        as_trap: Number = 0
        as_tunnel: Number = 0
        for vc, trap, tunnel in likelihoods:
            by_vc, by_trap, by_tunnel = vc * gain_vc, trap * gain_trap, tunnel * gain_tunnel
            if by_tunnel >= by_vc and by_tunnel >= by_trap:
                as_tunnel += tunnel
            elif by_vc >= by_trap:
                as_vc += vc
            else:
                as_trap += trap
        return as_vc, as_trap, as_tunnel

    return namer
