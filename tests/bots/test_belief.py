"""What US Security may think of a Terrorist whose way it knows: the chain against the exact filter of a small game."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from itertools import accumulate

import pytest
from msgspec.structs import replace

import cmgames
from cmgames.bots import find
from cmgames.bots.belief import SLIP, Imagined, meld_posterior, split_r_hat
from cmgames.bots.likelihood import choices as choose_all
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


def states(table: cmgames.Table) -> list[CatAndMouseState]:
    """All states of a game so far."""
    assert isinstance(table.game, CatAndMouse)
    return list(accumulate(table.moves, table.game.play, initial=table.game.start()))


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
        for event, state in zip(table.log("us"), states(table), strict=False):
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
        made = choose_all(self.choose, self.rules.view(state, "terrorist"), legal)
        for move in legal:
            chance = self.slip / len(legal) + (1 - self.slip) * made.count(move) / len(made)
            if move.verb == seen.verb and (not seen.cards or self.seen(move) == self.seen(seen)):
                total += chance
                if move.verb == "meld":
                    self.melds[move.cards] += self.hands[hand] * chance
        return total


@pytest.mark.parametrize(("name", "seed"), [("collector", 16), ("schemer", 14), ("master", 15), ("master", 16)])
def test_the_chains_agree_with_the_exact_filter(name: str, seed: int) -> None:
    table = attacked(seed, name, **SMALL)
    exact = Exact(table, name, SLIP).melds
    found = meld_posterior(table.view("us"), table.log("us"), find("cat-and-mouse", "terrorist", name), moves=8000)
    assert found.mixing < 1.1
    assert max(found.error.values()) < 0.06
    for plan, chance in found.chances.items():
        assert abs(chance - exact[plan] / exact.total()) < 0.02 + 3 * found.error[plan]


def test_before_an_attack_it_is_what_an_attack_would_mean() -> None:
    """He throws away two copies of a kind: no set of it is left."""
    table = cmgames.Table("cat-and-mouse", seed=2, **SMALL)
    while Counter(table.view("us").pile("terrorist discard").cards)["Asian"] < 2:
        table.play(random.Random(len(table.moves)).choice([m for m in table.legal() if m.verb != "meld"]))
    player = find("cat-and-mouse", "terrorist", "random")
    chances = meld_posterior(table.view("us"), table.log("us"), player, moves=400).chances
    assert sum(chances.values()) == pytest.approx(1)
    assert not any(chance for plan, chance in chances.items() if "Asian" in plan)


def test_what_does_not_belong_together_is_refused() -> None:
    table, other = attacked(16, "master", **SMALL), attacked(14, "schemer", **SMALL)
    view, log, master = table.view("us"), table.log("us"), find("cat-and-mouse", "terrorist", "master")
    for looked, heard in (
        (view, table.log("terrorist")),
        (table.view("terrorist"), log),
        (view, log[:9]),
        (view, []),
        (view, other.log("us")),
    ):
        with pytest.raises(ValueError, match=r"pass table\.view"):
            meld_posterior(looked, heard, master, moves=80)
    for nobody in (find("cat-and-mouse", "us", "master"), find("tunnel-rat", "rat", "optimal"), "master"):
        with pytest.raises(ValueError, match="no player of the Terrorist"):
            meld_posterior(view, log, nobody, moves=80)  # type: ignore[arg-type]


def imagined(table: cmgames.Table, seen: int, at: int) -> list[CatAndMouseState]:
    """States at one event, with no more known than the log of the first events."""
    assert isinstance(table.game, CatAndMouse)
    known = find("cat-and-mouse", "terrorist", "schemer")
    return Imagined(table.game, table.log("us")[:seen], known).states(states(table)[at], at, 12)


def test_imagined_states_look_like_the_true_one_to_us_security_and_know_nothing_of_what_comes() -> None:
    table = attacked(9, "schemer", **SMALL)
    end = len(table.moves)
    choices = [ply for ply in range(end) if table.mover(ply) == "us"]
    for ply in (choices[4], choices[-1], end):
        found, true = imagined(table, end, ply), states(table)[ply]
        assert {table.game.view(each, "us") for each in found} == {table.game.view(true, "us")}
        assert found == imagined(table, ply, ply)
        cards = [
            sorted(each.terrorist_hand + each.terrorist_deck + bytes(each.meld) * SMALL["set_size"])
            for each in (*found, true)
        ]
        assert all(each == cards[0] for each in cards)
    assert len({each.terrorist_hand for each in imagined(table, end, choices[4])}) > 1


def test_a_player_who_tosses_is_asked_for_each_side_of_the_coin() -> None:
    table = cmgames.Table("cat-and-mouse", seed=1)
    table.play("draw")
    for name in ("collector", "random"):
        choose = find("cat-and-mouse", "terrorist", name).choose
        view, legal = table.view("terrorist"), table.legal()
        tossed = {choose(view, legal, random.Random(seed)) for seed in range(200)}
        found = choose_all(choose, view, legal)
        assert len(found) == len(set(found)) > 1
        assert set(found) == tossed


def test_chains_that_disagree_have_not_mixed() -> None:
    """For halves of n values with variance W and means of variance B: the root of (n - 1) / n + B / W."""
    assert split_r_hat([[0, 2, 0, 2], [4, 6, 4, 6]]) == pytest.approx((1 / 2 + (16 / 3) / 2) ** 0.5)
    assert split_r_hat([[1, 1, 1, 1], [1, 1, 1, 1]]) == 1
    assert split_r_hat([[1, 1, 1, 1], [0, 0, 0, 0]]) == float("inf")


def test_what_cannot_be_said_is_refused() -> None:
    closed = cmgames.Table("cat-and-mouse", seed=1, open_discards=False)
    player = find("cat-and-mouse", "terrorist", "collector")
    with pytest.raises(ValueError, match="face down"):
        meld_posterior(closed.view("us"), closed.log("us"), player)
    table = cmgames.Table("cat-and-mouse", seed=1, kinds=1, copies=2, set_size=2)
    while len(set(table.view("us").pile("terrorist discard").cards) & {"Nuclear", "Military"}) < 1:
        table.play(
            next(
                (m for m in table.legal() if m.cards and m.cards[0] == "Nuclear" and m.verb == "discard"),
                table.legal()[0],
            )
        )
    with pytest.raises(ValueError, match="No meld"):
        meld_posterior(table.view("us"), table.log("us"), player)
