"""A game looked at afterwards: how the chance to win went, what each choice cost, what the cards gave.

The chance to win is a value; where a choice was made it falls by that choice's regret, and where a card was turned over
it moves by luck, which is 0 on average.  So what was given at the start, minus all regrets, plus all luck, is what came
out: 1 for a win, 0 for a loss.

Here stands what a review is, and that of Tunnel Rat, which is exact; `cmgames.bots.review` has that of Cat & Mouse.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

import msgspec

from cmgames.engine.moves import Move
from cmgames.engine.table import Table
from cmgames.engine.view import View
from cmgames.odds import tunnel_rat


class Choice(NamedTuple):
    """A decision and what it cost.

    Attributes
    ----------
    ply : the number of the move.
    turn : the turn in which it was made.
    did, best : what was done, and what is best; equal when it was the best or as good.
    chance : the chance to win before it, with best play.
    cost : what it lost of that chance.
    luck : what came before the next choice added: the cards, and what the other seat did.
    chance_error, cost_error : standard errors; 0 of what is exact.
    """

    ply: int
    turn: int
    did: Move
    best: Move
    chance: float
    cost: float
    luck: float
    chance_error: float = 0.0
    cost_error: float = 0.0


class Review(NamedTuple):
    """A whole game, for the seat that had the choices.

    Attributes
    ----------
    seat : whose chance to win it is.
    start : that chance before the first card.
    choices : in their order.
    """

    seat: str
    start: float
    choices: tuple[Choice, ...]

    @property
    def cost(self) -> float:
        """What all choices lost together."""
        return sum(choice.cost for choice in self.choices)

    @property
    def luck(self) -> float:
        """What all cards gave together."""
        return sum(choice.luck for choice in self.choices)

    def worst(self, number: int = 3) -> tuple[Choice, ...]:
        """The choices that cost most, the worst first; those that cost nothing are none."""
        costly = sorted((choice for choice in self.choices if choice.cost > 0), key=lambda choice: -choice.cost)
        return tuple(costly[:number])

    def curve(self) -> tuple[float, ...]:
        """The chance to win at the start and after each turn."""
        return (self.start, *(choice.chance - choice.cost + choice.luck for choice in self.choices))

    def by_turn(self) -> tuple[float, ...]:
        """The chance to win before the first choice of each turn, and at the end; without a choice it stays."""
        first = {choice.turn: choice.chance for choice in reversed(self.choices)}
        turns = range(1, max(first, default=0) + 1)
        chances = list(accumulate(turns, lambda before, turn: first.get(turn, before), initial=self.start))
        return (*chances[1:], self.curve()[-1])

    def errors(self) -> tuple[float, ...]:
        """The standard errors of the curve's points."""
        return (*(choice.chance_error for choice in self.choices), 0.0)


@lru_cache(maxsize=32)
def solved(options: msgspec.Struct) -> tunnel_rat.Solution:
    """The best play of Tunnel Rat under these options, in floats; solved once."""
    return tunnel_rat.solve(exact=False, **msgspec.to_builtins(options))


def costs(view: View) -> dict[str, float]:
    """What each guess loses against the best at this position of Tunnel Rat, by verb; by counting alone."""
    values = solved(view.options).values(view)
    lost = {guess: float(max(values.values()) - value) for guess, value in values.items()}
    return {guess: cost if cost > tunnel_rat.FLOAT_SLACK else 0.0 for guess, cost in lost.items()}


def review(table: Table) -> Review:
    """Look at a game of Tunnel Rat, for the rat; by counting alone, whatever the VC's face has said.

    Values are those of a game without a limit of turns (see `cmgames.odds.tunnel_rat.solve`).

    Raises
    ------
    ValueError
        This is a table of another game.
    """
    if table.game.name != "tunnel-rat":
        raise ValueError(f"Only games of tunnel-rat can be reviewed, and this one is of {table.game.name}.")
    best = solved(table.game.options)
    plies = [ply for ply, move in enumerate(table.moves) if move.verb in tunnel_rat.GUESSES]
    guesses = [(ply, table.view("rat", ply)) for ply in plies]
    after = [best.value_of(view) for _, view in guesses[1:]]
    if table.outcome is not None:
        after.append(best.value_of(table.view("rat")))
    choices = []
    for (ply, view), then in zip(guesses, after, strict=False):
        did, chance = table.moves[ply].bare, float(max(best.values(view).values()))
        cost = costs(view)[did.verb]
        good = Move(best.policy(view)) if cost else did
        choices.append(Choice(ply, view.turn, did, good, chance, cost, float(then) - chance + cost))
    return Review("rat", float(best.value), tuple(choices))
