"""How good a move of Cat & Mouse is, judged by playing on: the masters finish many games in which it was made.

What the seat cannot know is dealt anew for each game, so that nothing is judged by cards that could not be seen.  Moves
that are compared meet the same hidden cards, the same order of the decks and the same random numbers: what differs then
comes of the moves, and the error of a difference is smaller than that of each value (common random numbers, see e.g.
A. M. Law, Simulation modeling and analysis, 2015, section 11.2).
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import lru_cache
from math import sqrt
from statistics import fmean, stdev
from typing import NamedTuple

from msgspec.structs import replace

from cmgames.bots import master
from cmgames.bots.player import Choose, pick
from cmgames.engine.cards import Pile
from cmgames.engine.game import CHANCE
from cmgames.engine.moves import Move
from cmgames.engine.view import View
from cmgames.games.cat_and_mouse import SHOW, TAKE, US_DEAL, CatAndMouse, CatAndMouseState
from cmgames.odds.cat_and_mouse import Plan, meld_posterior

MASTERS: dict[str, Choose] = {"terrorist": master.terrorist, "us": master.us}
"""Who plays on."""


class World(NamedTuple):
    """A whole game as it may be, what is still to come included.

    Attributes
    ----------
    state : the position, hidden cards too.
    terrorist, us : both decks in their order.
    seed : decides all else, the cards taken at random and what the players toss for.
    """

    state: CatAndMouseState
    terrorist: bytes
    us: bytes
    seed: int


class Estimate(NamedTuple):
    """A mean of games, and its standard error."""

    mean: float
    error: float


def estimate(values: Sequence[float]) -> Estimate:
    """The mean of at least two values between -1 and 1, and its standard error.

    Where all are equal, the error is that of one more value that differs by 1.
    """
    return Estimate(fmean(values), (stdev(values) or 1 / sqrt(len(values) + 1)) / sqrt(len(values)))


def deal_again(rules: CatAndMouse, state: CatAndMouseState, seat: str, random: random.Random) -> CatAndMouseState:
    """A state that a seat cannot tell from this one: what it has not seen of the other's cards is dealt anew.

    Each way to deal them is equally likely; a meld that it has not seen is as likely as `meld_posterior` says.  What is
    hidden has no part in what is dealt: it is the same for states that look alike to the seat.
    """
    other = "us" if seat == "terrorist" else "terrorist"
    hidden = [f"{other}_hand", f"{other}_deck", *([] if rules.options.open_discards else [f"{other}_discard"])]
    piles: list[Pile] = [getattr(state, name) for name in hidden]
    mixed, dealt = shuffled(bytes(sorted(b"".join(piles))), random), {}
    for name, pile in zip(hidden, piles, strict=True):
        cards, mixed = mixed[: len(pile)], mixed[len(pile) :]
        dealt[name] = cards if name.endswith("discard") else bytes(sorted(cards))
    again = replace(state, **dealt)
    return replace(again, meld=_meld(rules, state, random)) if seat == "us" and state.meld else again


def _meld(rules: CatAndMouse, state: CatAndMouseState, random: random.Random) -> tuple[int, ...]:
    """A meld as US Security must think of it."""
    plans, chances = _melds(rules.view(state, "us"))
    (plan,) = random.choices(plans, chances)
    return tuple(rules.code[name] for name in plan)


@lru_cache(maxsize=1)
def _melds(view: View) -> tuple[list[Plan], list[float]]:
    """The melds with their chances; counted once for all the worlds of a position."""
    posterior = meld_posterior(view)
    return list(posterior), [float(chance) for chance in posterior.values()]


def shuffled(cards: Pile, random: random.Random) -> bytes:
    """The cards in an order that is as likely as any other."""
    return bytes(sorted(cards, key=lambda _: random.random()))


def world(state: CatAndMouseState, random: random.Random) -> World:
    """A state with an order of its decks."""
    decks = shuffled(state.terrorist_deck, random), shuffled(state.us_deck, random)
    return World(state, *decks, int(random.random() * 2**53))


def wins(rules: CatAndMouse, seat: str, move: Move, worlds: Sequence[World]) -> list[float]:
    """For each world 1 where the seat wins after this move and 0 where it loses, if the masters play on."""
    return [float(_winner(rules, each, move) == seat) for each in worlds]


def _winner(rules: CatAndMouse, world: World, move: Move) -> str | None:
    numbers = random.Random(world.seed)
    state = rules.play(world.state, move)
    while (seat := state.step.seat) is not None:
        state = rules.play(state, next_move(rules, world, state, seat, numbers))
    outcome = rules.outcome(state)
    return None if outcome is None else outcome.winner


def next_move(rules: CatAndMouse, world: World, state: CatAndMouseState, seat: str, numbers: random.Random) -> Move:
    """What chance or a master does next."""
    if seat == CHANCE:
        return rules.dealt(state, _card(rules, world, state, numbers))
    legal = rules.legal(state)
    return legal[0] if len(legal) == 1 else MASTERS[seat](rules.view(state, seat), legal, numbers)


def _card(rules: CatAndMouse, world: World, state: CatAndMouseState, numbers: random.Random) -> int:
    """The next card of a deck, or one taken at random."""
    pool = rules.pool(state)
    if state.step in (TAKE, SHOW):
        return pick(numbers, pool)
    order = world.us if state.step is US_DEAL else world.terrorist
    return order[len(order) - len(pool)]
