"""A game of Cat & Mouse looked at afterwards: what each choice cost, as far as playing on can tell.

No exact values are known.  A choice is compared with that of the master: `cmgames.bots.playing_on` finishes many games
after each of the two.  Choices between which the first games show the largest differences get new and more games, and
only these count; a choice cost something if it is more than `SURE` standard errors.
"""

from __future__ import annotations

import random
from collections.abc import Generator, Sequence
from itertools import accumulate
from typing import NamedTuple

from cmgames.bots.playing_on import MASTERS, Estimate, deal_again, estimate, wins, world
from cmgames.engine.moves import Move
from cmgames.engine.table import Table
from cmgames.games.cat_and_mouse import CatAndMouse, CatAndMouseState
from cmgames.odds.review import Choice, Review

GAMES = 40
"""So many games are played on from each choice."""
POINTS = 20
"""About so many of the choices that were the master's too are looked at, as points of the curve."""
SUSPECTS, MORE = 6, 120
"""So many choices at most are looked at more closely, with so many new games each."""
SURE = 2.0
"""A difference of so many standard errors counts."""


class Look(NamedTuple):
    """A choice as it was looked at: how often the seat wins after it, and how much oftener after the master's."""

    ply: int
    did: Move
    other: Move
    value: Estimate
    better: Estimate


def reviewing(table: Table, seat: str, seed: int = 0) -> Generator[float, None, Review]:
    """Look at a game of Cat & Mouse that was played out.

    It takes some seconds: a step at a time, each of which yields the part that is done, from 0 to 1.

    Parameters
    ----------
    seat : whose choices are looked at.
    seed : the same seed gives the same review.

    Returns
    -------
    Review
        Each choice in which the master would have done something else, and some others.

    Raises
    ------
    ValueError
        This is no table of Cat & Mouse, or its game is not over.
    """
    if table.outcome is None or not isinstance(table.game, CatAndMouse):
        raise ValueError("Only games of cat-and-mouse that are over can be reviewed by playing on.")
    looking = _Looking(table.game, table.moves, seat, seed)
    choices = looking.choices()
    steps = len(choices) + SUSPECTS
    looks = []
    for at, choice in enumerate(choices, 1):
        looks.append(looking.look(*choice, GAMES))
        yield at / steps
    suspects = sorted((look for look in looks if look.better.mean > 0), key=lambda look: -look.better.mean)[:SUSPECTS]
    costly = {}
    for at, look in enumerate(suspects, len(choices) + 1):
        closer = looking.look(look.ply, look.did, look.other, MORE)
        if closer.better.mean > SURE * closer.better.error:
            costly[look.ply] = closer
        yield at / steps
    looks = [costly.get(look.ply, look._replace(better=Estimate(0, look.better.error))) for look in looks]
    return _review(looking, looks, float(table.outcome.winner == seat))


class _Looking:
    """A seat's choices in a game, and what playing on from them says."""

    def __init__(self, rules: CatAndMouse, moves: Sequence[Move], seat: str, seed: int) -> None:
        self.rules, self.moves, self.seat, self.seed = rules, moves, seat, seed
        self.states: list[CatAndMouseState] = list(accumulate(moves, rules.play, initial=rules.start()))

    def choices(self) -> list[tuple[int, Move, Move]]:
        """Each choice that is not the master's, and enough others for a curve: the ply, the move and the master's."""
        made = [self._choice(ply) for ply, state in enumerate(self.states[:-1]) if self._chooses(state)]
        alike = [choice for choice in made if choice[1] == choice[2]]
        shown = alike[:: 1 + len(alike) // POINTS]
        return [choice for choice in made if choice[1] != choice[2] or choice in shown]

    def _chooses(self, state: CatAndMouseState) -> bool:
        return state.step.seat == self.seat and len(self.rules.legal(state)) > 1

    def _choice(self, ply: int) -> tuple[int, Move, Move]:
        view = self.rules.view(self.states[ply], self.seat)
        numbers = random.Random(f"{self.seed}:{ply}")
        return ply, self.moves[ply].bare, MASTERS[self.seat](view, self.rules.legal(self.states[ply]), numbers).bare

    def look(self, ply: int, did: Move, other: Move, games: int) -> Look:
        """Play on after both moves, with the same hidden cards and the same luck; it depends on the number of games."""
        numbers = random.Random(f"{self.seed}:{ply}:{games}")
        dealt = [deal_again(self.rules, self.states[ply], self.seat, numbers) for _ in range(games)]
        worlds = [world(state, numbers) for state in dealt]
        mine = wins(self.rules, self.seat, did, worlds)
        if other == did:
            return Look(ply, did, other, estimate(mine), Estimate(0, 0))
        theirs = wins(self.rules, self.seat, other, worlds)
        return Look(ply, did, other, estimate(mine), estimate([b - a for a, b in zip(mine, theirs, strict=True)]))


def _review(looking: _Looking, looks: Sequence[Look], won: float) -> Review:
    """The choices with their costs; what comes between them is luck."""
    chances = [look.value.mean + look.better.mean for look in looks]
    choices = tuple(
        Choice(
            ply=look.ply,
            turn=looking.states[look.ply].turn,
            did=look.did,
            best=look.other if look.better.mean else look.did,
            chance=chance,
            cost=look.better.mean,
            luck=then - look.value.mean,
            chance_error=look.value.error,
            cost_error=look.better.error,
        )
        for look, chance, then in zip(looks, chances, [*chances[1:], won], strict=True)
    )
    return Review(looking.seat, chances[0] if chances else won, choices)
