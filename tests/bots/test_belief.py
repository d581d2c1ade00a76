"""What US Security may think of a Terrorist whose way it knows: the chain against the exact filter of a small game."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterator

import pytest
from msgspec.structs import replace

import cmgames
from cmgames.bots import find
from cmgames.bots.belief import SLIP, History, meld_posterior, split_r_hat
from cmgames.bots.likelihood import Likelihood, Seen, choices
from cmgames.engine.moves import Move
from cmgames.games.cat_and_mouse import CatAndMouse, CatAndMouseState

SMALL = {"kinds": 2, "copies": 3, "set_size": 2, "secrecy": 3, "terrorist_hand": 7}
SECRET = "Secrecy"
Hand = tuple[tuple[str, int], ...]


def attacked(seed: int, name: str, **options: int) -> cmgames.Table:
    """A table at which US Security, who throws anything away, has to guess."""
    table = cmgames.Table("cat-and-mouse", seed=seed, **options)
    seated = {"terrorist": find("cat-and-mouse", "terrorist", name), "us": find("cat-and-mouse", "us", "hunter")}
    while table.seat and table.legal()[0].verb != "guess":
        table.play(seated[table.seat].choose(table.view(table.seat), table.legal(), table.random()))
    assert table.seat == "us"
    return table


class Exact:
    """The chances of all hands by kinds, event by event: the forward equations of a hidden Markov model.

    It knows nothing of orders of the deck: a card that comes is one of those that are neither held nor thrown away.
    """

    def __init__(self, table: cmgames.Table, name: str, slip: float) -> None:
        assert isinstance(table.game, CatAndMouse)
        self.rules, self.slip, self.choose = table.game, slip, find("cat-and-mouse", "terrorist", name).choose
        self.deck = Counter(map(self.kind, self.rules.start().terrorist_deck))
        self.thrown: Counter[str] = Counter()
        self.hands: dict[Hand, float] = {(): 1.0}
        self.melds: Counter[tuple[str, ...]] = Counter()
        for event, state in zip(table.log("us"), self.states(table), strict=True):
            if event.by == "chance" and event.move.verb == "deal" and not event.move.cards:
                self.draw()
            elif event.by == "terrorist":
                self.hands = {hand: share * self.decides(hand, state, event.move) for hand, share in self.hands.items()}
                self.throw(event.move)
            elif event.move.verb == "take":
                name = self.seen(event.move)
                self.hands = {
                    h: share * dict(h).get(name, 0) / sum(dict(h).values()) for h, share in self.hands.items()
                }
                self.throw(event.move)

    def states(self, table: cmgames.Table) -> Iterator[CatAndMouseState]:
        state = self.rules.start()
        for move in table.moves:
            yield state
            state = self.rules.play(state, move)

    def kind(self, code: int) -> str:
        return SECRET if code >= self.rules.first_secrecy else self.rules.names[code]

    def seen(self, move: Move) -> str:
        return self.kind(self.rules.code[move.cards[0]])

    def draw(self) -> None:
        grown: defaultdict[Hand, float] = defaultdict(float)
        for hand, share in self.hands.items():
            out = self.deck - self.thrown - Counter(dict(hand))
            for name, copies in out.items():
                grown[tuple(sorted((Counter(dict(hand)) + Counter([name])).items()))] += share * copies / out.total()
        self.hands = grown

    def throw(self, move: Move) -> None:
        if move.cards:
            gone = Counter([self.seen(move)])
            hands = {
                tuple(sorted((Counter(dict(h)) - gone).items())): share for h, share in self.hands.items() if share
            }
            self.hands, self.thrown = hands, self.thrown + gone

    def decides(self, hand: Hand, state: CatAndMouseState, seen: Move) -> float:
        """How likely it is; melds are noted."""
        counts, first = dict(hand), self.rules.first_secrecy
        cards = [code for code in range(first) for _ in range(counts.get(self.rules.names[code], 0))]
        spare = [code for code in range(first, self.rules.first_us) if code not in state.terrorist_discard]
        state = replace(state, terrorist_hand=bytes(cards + spare[: counts.get(SECRET, 0)]))
        legal, total = self.rules.legal(state), 0.0
        made = choices(self.choose, self.rules.view(state, "terrorist"), legal)
        for move in legal:
            chance = self.slip / len(legal) + (1 - self.slip) * made.count(move) / len(made)
            if move.verb == seen.verb and (not seen.cards or self.seen(move) == self.seen(seen)):
                total += chance
                if move.verb == "meld":
                    self.melds[move.cards] += self.hands[hand] * chance
        return total


@pytest.mark.parametrize(("name", "seed"), [("collector", 8), ("schemer", 9), ("master", 16), ("master", 24)])
def test_the_chains_agree_with_the_exact_filter(name: str, seed: int) -> None:
    table = attacked(seed, name, **SMALL)
    exact = Exact(table, name, SLIP).melds
    player = find("cat-and-mouse", "terrorist", name)
    found = meld_posterior(table.view("us"), table.log("us"), player, moves=8000)
    print(len(table.log("us")), table.view("us").pile("terrorist discard").size)
    for plan, chance in found.chances.items():
        print(chance, found.error[plan], exact[plan] / exact.total(), found.mixing)
