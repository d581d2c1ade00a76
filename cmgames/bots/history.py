"""A history of Cat & Mouse as US Security may imagine it: the hidden order of the Terrorist's deck.

Its first cards the Terrorist has drawn; those that he threw away he had drawn before; and a hand that attacks holds a
meld.  Before one looks at what he did, every such order is as likely as any other.  Then it counts by the product of
the chances that the named player does what was seen, each time with the hand that he had (`cmgames.bots.likelihood`).

A `History` walks through these orders at random so that it comes to each as often as it counts: it proposes a change,
and makes it with a chance of min(1, new weight / old weight) (N. Metropolis et al., J. Chem. Phys. 21, 1953;
W. K. Hastings, Biometrika 57, 1970).  The toss is made first: since each factor is at most 1, most changes are refused
before the player has been asked about all of them (A. Solonen et al., Bayesian Analysis 7, 2012).
"""

from __future__ import annotations

import random
from bisect import bisect_right
from collections.abc import Sequence
from copy import copy
from math import comb, log
from typing import NamedTuple

from msgspec.structs import replace

from cmgames.bots.likelihood import MELD, Likelihood, Seen, Thrown
from cmgames.bots.player import pick
from cmgames.games.cat_and_mouse import CatAndMouseState

RELABEL = 0.2
"""So often two kinds change places everywhere in the hand, instead of two cards."""


class Card(NamedTuple):
    """A card of the Terrorist's deck: its code, and how many cards he had drawn when it left his hand.

    For a card that was not seen to leave, that is the size of the deck.
    """

    code: int
    leaves: int


class History:
    """An order of the Terrorist's deck that agrees with what was seen up to some event.

    Parameters
    ----------
    seen, likelihood : of a whole game; what comes later than the event has no part in it.
    random : decides everything.

    Attributes
    ----------
    order : the cards, those that he has drawn first.
    hands : his hand before each decision, as `Likelihood` counts it.
    """

    def __init__(self, seen: Seen, likelihood: Likelihood, random: random.Random) -> None:
        self.seen, self.likelihood, self.random = seen, likelihood, random
        self.unit, self.ply, self.drawn = likelihood.unit, 0, 0
        self.first: list[int] = []
        self.hands: list[int] = []
        self.logs: list[float] = []
        deck = seen.rules.start().terrorist_deck
        self.order = [Card(code, len(deck)) for code in sorted(deck, key=lambda _: random.random())]

    def again(self) -> History:
        """The same once more, to go its own way; both take the next random numbers where the other left off."""
        other = copy(self)
        other.order, other.hands, other.logs = self.order.copy(), self.hands.copy(), self.logs.copy()
        return other

    def advance(self, ply: int) -> None:
        """Take in what was seen before event number `ply`; as little as need be changes places."""
        self.drawn = self.seen.drawn[min(ply, len(self.seen.drawn) - 1)]
        for thrown in self.seen.thrown:
            if self.ply <= thrown.ply < ply:
                self._throw(thrown)
        made = [decision for decision in self.seen.decisions if decision.ply < ply]
        if made and made[-1].move.verb == MELD:
            self._gather()
        drawn, self.ply = [decision.drawn for decision in made], ply
        self.first = [bisect_right(drawn, place) for place in range(len(self.order))]
        units = [self.unit[card.code] for card in self.order]
        self.hands = [sum(units[:n]) - self.likelihood.thrown[at] for at, n in enumerate(drawn)]
        self.logs = [self.likelihood.log(at, hand) for at, hand in enumerate(self.hands)]

    def _throw(self, thrown: Thrown) -> None:
        """Let a card leave; if it is not in the hand, it changes places with one that is, an equal one if there is."""
        place = next(at for at, card in enumerate(self.order) if card == (thrown.code, len(self.order)))
        if place >= thrown.drawn:
            hand = self._kept(thrown.drawn)
            equal = [at for at in hand if self.unit[self.order[at].code] == self.unit[thrown.code]]
            self._exchange(place, pick(self.random, equal or hand))
            place = next(at for at in hand if self.order[at].code == thrown.code)
        self.order[place] = Card(thrown.code, thrown.drawn)

    def _gather(self) -> None:
        """Let the hand hold a meld: the nearest."""
        rules, size, whole = self.seen.rules, self.seen.rules.options.set_size, len(self.order)
        out = [card.code for card in self.order if card.leaves == whole]
        held = [self.order[at].code for at in self._kept(self.drawn)]
        plan = []
        for category in rules.categories:
            possible = [code for code in category if out.count(code) >= size]
            if not possible:
                raise ValueError("No meld can be held any more: too many of the cards for one lie in the discard pile.")
            plan.append(max(possible, key=lambda code: (held.count(code), self.random.random())))
        if len(held) < size * len(plan):
            raise ValueError("No meld can be held any more: the Terrorist has too few cards.")
        for code in plan:
            for _ in range(size - held.count(code)):
                place = next(at for at in range(self.drawn, whole) if self.order[at].code == code)
                self._exchange(place, pick(self.random, self._spare(plan)))

    def _spare(self, plan: Sequence[int]) -> list[int]:
        """Where cards of the hand lie that these sets do not need."""
        need = dict.fromkeys(plan, self.seen.rules.options.set_size)
        spare = []
        for at in self._kept(self.drawn):
            code = self.order[at].code
            if need.get(code, 0):
                need[code] -= 1
            else:
                spare.append(at)
        return spare

    def _kept(self, drawn: int) -> list[int]:
        """Where the cards lie that were among the first `drawn` and never left."""
        return [at for at in range(drawn) if self.order[at].leaves == len(self.order)]

    def _exchange(self, one: int, other: int) -> None:
        self.order[one], self.order[other] = self.order[other], self.order[one]

    # Proposals

    def move(self, times: int) -> None:
        """Propose so many changes."""
        for _ in range(times):
            if self.random.random() < RELABEL:
                category = pick(self.random, self.seen.rules.categories)
                self.relabel(pick(self.random, category), pick(self.random, category))
            else:
                self.swap(int(self.random.random() * self.drawn), int(self.random.random() * len(self.order)))

    def swap(self, one: int, other: int) -> None:
        """Propose that two cards change places; the later one may be still in the deck."""
        early, late = min(one, other), max(one, other)
        left, right = self.order[early], self.order[late]
        if early == late or left.leaves <= late:
            return
        step = self.unit[right.code] - self.unit[left.code]
        start, stop = self.first[early], self.first[late]
        if not step or self._change(start, [hand + step for hand in self.hands[start:stop]]):
            self._exchange(early, late)

    def relabel(self, one: int, other: int) -> None:
        """Propose that two kinds change places among the cards of the hand; the deck gives and takes what is needed."""
        whole, ones, others = len(self.order), *map(self._places, (one, other))
        kept_one, kept_other = ([at for at in places if at < self.drawn] for places in (ones, others))
        if one == other or not kept_one + kept_other:
            return
        if len(kept_one) > len(others) or len(kept_other) > len(ones):
            return
        deck = [at for at in ones + others if at >= self.drawn]
        left, then = len(ones) - len(kept_one), len(ones) - len(kept_other)
        ratio = comb(len(deck), then) / comb(len(deck), left)
        step, start = self.unit[other] - self.unit[one], self.first[min(kept_one + kept_other)]
        hands = self.hands[start:]
        for places, change in ((kept_one, step), (kept_other, -step)):
            for at in places:
                for decision in range(self.first[at] - start, len(hands)):
                    hands[decision] += change
        if self._change(start, hands, ratio):
            mixed = sorted(deck, key=lambda _: self.random.random())
            for at in kept_one + mixed[then:]:
                self.order[at] = Card(other, whole)
            for at in kept_other + mixed[:then]:
                self.order[at] = Card(one, whole)

    def _places(self, code: int) -> list[int]:
        """Where the cards of a code lie that never left."""
        return [at for at, card in enumerate(self.order) if card == (code, len(self.order))]

    def _change(self, start: int, hands: list[int], ratio: float = 1.0) -> bool:
        """Take these hands from decision number `start` on, with the chance of Metropolis and Hastings."""
        stop = start + len(hands)
        need = log((1 - self.random.random()) / ratio) + sum(self.logs[start:stop])
        known = self.likelihood.known
        found = [known[at].get(hand) for at, hand in enumerate(hands, start)]
        total = sum(each for each in found if each is not None)
        for at, (each, hand) in enumerate(zip(found, hands, strict=True), start):
            if total < need:
                return False
            if each is None:
                total += self.likelihood.log(at, hand)
        if total < need:
            return False
        logs = [self.likelihood.log(at, hand) for at, hand in enumerate(hands, start)]
        self.hands[start:stop], self.logs[start:stop] = hands, logs
        return True

    # What it comes to

    def state(self, state: CatAndMouseState) -> CatAndMouseState:
        """The state at the event that it has come to, with its hidden cards instead of the Terrorist's own.

        Parameters
        ----------
        state : what is not hidden is taken from here.
        """
        hand = bytes(sorted(self.order[at].code for at in self._kept(self.drawn)))
        deck = bytes(sorted(card.code for card in self.order[self.drawn :]))
        again = replace(state, terrorist_hand=hand, terrorist_deck=deck)
        return self._attack(again) if state.meld else again

    def _attack(self, state: CatAndMouseState) -> CatAndMouseState:
        """The state with a meld of the hand laid down."""
        melds = self.likelihood.melds(self.hands[-1])
        (meld,) = self.random.choices(list(melds), list(melds.values()))
        needed = [code for code in meld for _ in range(self.seen.rules.options.set_size)]
        hand = list(state.terrorist_hand)
        for code in needed:
            hand.remove(code)
        return replace(state, terrorist_hand=bytes(hand), meld=meld)
