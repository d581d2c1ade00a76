"""The grandmaster of Cat & Mouse: a Terrorist who plays on in his head before he throws a card away or attacks.

His belief: each way to deal the cards that he cannot see is equally likely.  His search is policy improvement by
playing on (rollouts; see e.g. D. P. Bertsekas, Rollout, policy iteration, and distributed reinforcement learning,
2020): in some of these worlds each of his moves is tried and the masters play on.  The best few of them meet the
master's own move again in new worlds, and one takes its place only if it is better by more than chance would make it.

A meld counts by how often several readers of the discard pile would name it, not by one reader's guess: who trusts that
US Security reads in one known way learns to deceive this reader, and nobody else.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache, reduce
from math import isclose
from statistics import fmean

from cmgames.bots import master
from cmgames.bots.cat_and_mouse import GAME, categories, options_of, plan_cards, suspicion
from cmgames.bots.player import player
from cmgames.bots.playing_on import World, deal_again, estimate, next_move, world
from cmgames.engine.cards import take
from cmgames.engine.moves import Move
from cmgames.engine.view import View
from cmgames.games.cat_and_mouse import ATTACK, GUESS, LIMIT, T_DISCARD, CatAndMouse, CatAndMouseState
from cmgames.games.cat_and_mouse_deck import CatAndMouseOptions

SCREEN, FEW = 10, 2
"""In so many worlds every move is tried; so many of the best are looked at again."""
WORLDS, SURE = 40, 1.0
"""In so many new worlds these meet the master's move; one is made if it is better by so many standard errors."""
LATE = 40
"""It plays on once the deck holds at most so many cards: before, nothing is gained by it, and games are long."""

rules_under = lru_cache(maxsize=16)(CatAndMouse)


@player(
    GAME,
    "terrorist",
    "grandmaster",
    "The grandmaster",
    "Plays many games on in its head before it throws a card away or attacks. It takes its time.",
    slow=True,
)
def terrorist(view: View, legal: tuple[Move, ...], random: random.Random) -> Move:
    """The master's move, unless playing on finds a better one."""
    first = master.terrorist(view, legal, random)
    if legal[0].verb not in ("discard", "meld") or view.pile("terrorist deck").size > LATE:
        return first
    options = options_of(view)
    rules = rules_under(options)
    return improved(rules, looks_like(rules, view, legal), [first, *others(legal, first, options)], random)


def others(legal: Iterable[Move], first: Move, options: CatAndMouseOptions) -> list[Move]:
    """The other moves; of those with a Secrecy card, which are all alike, one."""
    sorts = {_sort(move, options): move for move in legal}
    del sorts[_sort(first, options)]
    return list(sorts.values())


def _sort(move: Move, options: CatAndMouseOptions) -> tuple[str, frozenset[str]]:
    """What a move does, whichever Secrecy card it does it with."""
    return move.verb, plan_cards(options.kinds) & {*move.cards}


def looks_like(rules: CatAndMouse, view: View, legal: tuple[Move, ...]) -> CatAndMouseState:
    """A state that the Terrorist cannot tell from the one that he is in."""
    code, first_us = rules.code, rules.first_us
    hand, thrown, us_thrown = (
        bytes([code[name] for name in view.pile(pile).cards])
        for pile in ("terrorist hand", "terrorist discard", "us discard")
    )
    deck = reduce(take, hand + thrown, rules.catalogue.pile(range(first_us)))
    unseen = reduce(take, us_thrown, rules.catalogue.pile(range(first_us, len(rules.names))))
    held = view.pile("us hand").size
    lost = view.pile("us discard").size - len(us_thrown)
    discards = T_DISCARD if view.phase == T_DISCARD.phase else LIMIT
    return CatAndMouseState(
        step=discards if legal[0].verb == "discard" else ATTACK,
        turn=view.turn,
        terrorist_deck=deck,
        us_deck=unseen[held + lost :],
        terrorist_hand=hand,
        us_hand=unseen[:held],
        terrorist_discard=thrown,
        us_discard=us_thrown + unseen[held : held + lost],
        moved=True,
    )


def improved(rules: CatAndMouse, state: CatAndMouseState, moves: Sequence[Move], random: random.Random) -> Move:
    """The first of these moves, unless another one is better by more than chance would make it."""
    first, *tried = moves
    if len(tried) > FEW:
        worlds = imagined(rules, state, SCREEN, random)
        tried.sort(key=lambda move: -fmean(values(rules, move, worlds)))
    worlds = imagined(rules, state, WORLDS, random)
    best, most, before = first, 0.0, values(rules, first, worlds)
    for move in tried[:FEW]:
        after = values(rules, move, worlds)
        gain = estimate([b - a for a, b in zip(before, after, strict=True)])
        if gain.mean > max(most, SURE * gain.error):
            best, most = move, gain.mean
    return best


def imagined(rules: CatAndMouse, state: CatAndMouseState, count: int, random: random.Random) -> list[World]:
    """So many worlds in which the Terrorist may be."""
    return [world(deal_again(rules, state, "terrorist", random), random) for _ in range(count)]


def values(rules: CatAndMouse, move: Move, worlds: Iterable[World]) -> list[float]:
    """For each world how likely the Terrorist wins after this move, if the masters play on up to his attack."""
    return [_value(rules, each, move) for each in worlds]


def _value(rules: CatAndMouse, world: World, move: Move) -> float:
    numbers = random.Random(world.seed)
    state = rules.play(world.state, move)
    while (seat := state.step.seat) is not None:
        if state.step is GUESS:
            meld = [rules.names[card] for card in state.meld]
            return 1 - named(meld, rules.view(state, "us").pile("terrorist discard").cards, rules.options)
        state = rules.play(state, next_move(rules, world, state, seat, numbers))
    return 0.0


def named(meld: Sequence[str], pile: Sequence[str], options: CatAndMouseOptions) -> float:
    """How likely a meld is named by somebody who reads the discard pile as the master or as the profiler does.

    Some always name the likeliest plan and the others each plan as often as it is likely: see `master.mixed`.
    """
    weights = master.reading(pile, options)
    by_master = [{name: weights[name] for name in names} for names in categories(options.kinds)]
    return fmean(_named(meld, table) for table in (by_master, suspicion(Counter(pile), options)))


def _named(meld: Sequence[str], table: Sequence[dict[str, float]]) -> float:
    """How likely a meld is named by readers to whom the kinds of each category have these weights."""
    exposed = likeliest = 1.0
    for name, kinds in zip(meld, table, strict=True):
        most = max(kinds.values())
        equal = [kind for kind, weight in kinds.items() if isclose(weight, most)]
        exposed *= kinds[name] / (sum(kinds.values()) or 1.0)
        likeliest *= (name in equal) / len(equal)
    return master.mixed(exposed, likeliest)
