"""How likely a Terrorist does what US Security saw him do, if he plays as a computer player does."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

from msgspec.structs import replace

from cmgames.bots.player import Choose
from cmgames.engine.cards import Pile
from cmgames.engine.game import CHANCE
from cmgames.engine.moves import Move
from cmgames.engine.table import Event
from cmgames.games.cat_and_mouse import ATTACK, CatAndMouse, CatAndMouseState

MELD = "meld"
DIGIT = 4


class Card(NamedTuple):
    """A card of the Terrorist's deck.

    Attributes
    ----------
    code : which one.
    kind : the same, but one for all Secrecy cards: they are alike to the players.
    leaves : the cards drawn before it left the hand; the size of the deck if it never did.
    """

    code: int
    kind: int
    leaves: int


class Decision(NamedTuple):
    """What the Terrorist was seen to do."""

    drawn: int
    state: CatAndMouseState
    move: Move


class Answer(NamedTuple):
    """What a player says to a decision: how often he does what was seen, and what part of the legal moves is that; and what it counts."""

    does: float
    legal: float
    alike: int


class _Number(float):
    def __mul__(self, other):
        self.toss.items = other
        return self.toss.index


class Toss(random.Random):
    """Random numbers that pick a given item, and say of how many."""

    items = 1
    index = 0

    def random(self) -> float:
        n = _Number(0.5)
        n.toss = self
        return n


def choices(choose, view, legal) -> list[Move]:
    """The moves that a player picks from, each equally likely."""
    toss = TOSS
    toss.items, toss.index = 1, 0
    found = [choose(view, legal, toss).bare]
    for i in range(1, toss.items):
        toss.index = i
        found.append(choose(view, legal, toss).bare)
    return found


TOSS = Toss()


class Seen:
    """What US Security saw of the Terrorist."""

    def __init__(self, rules: CatAndMouse, log: Sequence[Event]) -> None:
        self.rules = rules
        self.log = log
        drawn = list(accumulate((_is_hidden_draw(event) for event in log), initial=0))
        self.draws = drawn[-1]
        deck = rules.start().terrorist_deck
        self.size = len(deck)
        self.thrown = [
            self.card(rules.code[event.move.cards[0]], drawn[at]) for at, event in enumerate(log) if _is_thrown(event)
        ]
        rest = list(deck)
        for card in self.thrown:
            rest.remove(card.code)
        self.rest = [self.card(code, self.size) for code in rest]
        self.weights = [1 << (DIGIT * kind) for kind in range(rules.first_secrecy + 1)]

    def card(self, code: int, leaves: int) -> Card:
        return Card(code, min(code, self.rules.first_secrecy), leaves)

    def first(self, random: random.Random, plan: Sequence[int] = ()) -> list[Card]:
        """An order of the deck that agrees with what was seen."""
        free = list(range(self.draws))
        order: list = [None] * self.size
        for card in self.thrown:
            slots = [slot for slot in free if slot < card.leaves]
            slot = slots[int(random.random() * len(slots))]
            free.remove(slot)
            order[slot] = card
        rest = sorted(self.rest, key=lambda _: random.random())
        if plan:
            need = []
            for code in plan:
                own = [c for c in rest if c.code == code][: self.rules.options.set_size]
                need += own
            left = list(rest)
            for c in need:
                left.remove(c)
            rest = need + left
        kept = rest[: len(free)]
        kept.sort(key=lambda _: random.random())
        for slot, card in zip(free, kept, strict=True):
            order[slot] = card
        order[self.draws :] = rest[len(free) :]
        return order

    def decisions(self, order: Sequence[Card], attack: bool) -> list[Decision]:
        """What was seen, with a state for each that has everything but the right hand."""
        rules, state, drawn, found = self.rules, self.rules.start(), 0, []
        for event in self.log:
            move = event.move
            if _is_hidden_draw(event):
                move = rules.deals[order[drawn].code]
                drawn += 1
            elif event.by == "terrorist":
                found.append(Decision(drawn, state, move))
                if move.verb == MELD:
                    return found
            state = rules.play(state, move)
        if attack:
            found.append(Decision(drawn, replace(state, step=ATTACK), Move(MELD)))
        return found


class Asked:
    """A player, asked about each decision with many hands."""

    def __init__(self, seen: Seen, decisions, choose: Choose) -> None:
        self.seen, self.rules, self.choose = seen, seen.rules, choose
        self.all = decisions
        self.spare = []
        for d in decisions:
            self.spare.append(
                bytes(
                    c
                    for c in range(self.rules.first_secrecy, self.rules.first_us)
                    if c not in d.state.terrorist_discard
                )
            )
        self.memo: list[dict[int, Answer]] = [{} for _ in decisions]
        self.asks = 0

    def hand(self, at: int, key: int) -> Pile:
        first = self.rules.first_secrecy
        plans = b"".join(bytes([k]) * (key >> (DIGIT * k) & 15) for k in range(first))
        return plans + self.spare[at][: key >> (DIGIT * first)]

    def answer(self, at: int, key: int) -> Answer:
        found = self.memo[at].get(key)
        if found is None:
            found = self.memo[at][key] = self._ask(at, key)
        return found

    def _ask(self, at: int, key: int) -> Answer:
        self.asks += 1
        d, rules = self.all[at], self.rules
        state = replace(d.state, terrorist_hand=self.hand(at, key))
        legal = rules.legal(state)
        alike = [move for move in legal if self.alike(move, d.move)]
        if not alike:
            return Answer(0.0, 0.0, 1)
        made = choices(self.choose, rules.view(state, "terrorist"), legal)
        does = sum(self.alike(m, d.move) for m in made) / len(made)
        count = 1
        if d.move.cards:
            kind = min(rules.code[d.move.cards[0]], rules.first_secrecy)
            count = key >> (DIGIT * kind) & 15
        return Answer(does, len(alike) / len(legal), count)

    def melds(self, key: int) -> dict[tuple[str, ...], tuple[float, float]]:
        """For the last decision: the melds with chances."""
        d, rules = self.all[-1], self.rules
        state = replace(d.state, terrorist_hand=self.hand(-1, key))
        legal = rules.legal(state)
        made = choices(self.choose, rules.view(state, "terrorist"), legal)
        return {m.cards: (made.count(m) / len(made), 1 / len(legal)) for m in legal if m.verb == MELD}

    def alike(self, move: Move, seen: Move) -> bool:
        if move.verb != seen.verb:
            return False
        if move == seen or seen.verb == MELD:
            return True
        return bool(seen.cards) and self.secret(move) and self.secret(seen)

    def secret(self, move: Move) -> bool:
        return self.rules.code[move.cards[0]] >= self.rules.first_secrecy


def _is_hidden_draw(event: Event) -> bool:
    """Whether the Terrorist has drawn a card."""
    return event.by == CHANCE and event.move == Move("deal")


def _is_thrown(event: Event) -> bool:
    """Whether a card has gone from the Terrorist's hand to his discard pile."""
    return bool(event.move.cards) and (
        event.move.verb == "take" or (event.by == "terrorist" and event.move.verb in ("discard", "lose", "secrecy"))
    )
