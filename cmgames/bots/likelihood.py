"""How likely a Terrorist does what US Security saw him do, if he plays as a computer player does.

US Security sees each decision of the Terrorist and each card that he throws away, but not his hand.  `Seen` is what it
saw, `Likelihood` asks the player what he does with this hand and that.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import accumulate
from math import log
from typing import NamedTuple

from msgspec.structs import replace

from cmgames.bots.player import Choose
from cmgames.engine.cards import ONE, Pile
from cmgames.engine.game import CHANCE
from cmgames.engine.moves import Move
from cmgames.engine.table import Event
from cmgames.engine.view import View
from cmgames.games.cat_and_mouse import ATTACK, CatAndMouse, CatAndMouseState

NEVER = float("-inf")
MELD = "meld"
Codes = tuple[int, ...]


class Thrown(NamedTuple):
    """A card that was seen to leave the Terrorist's hand: after which event, and how many cards he had drawn before."""

    ply: int
    drawn: int
    code: int


class Decision(NamedTuple):
    """What the Terrorist was seen to do.

    Attributes
    ----------
    ply, drawn : the number of the event, and how many cards he had drawn before.
    state : the state before, but for the cards that US Security does not see: those are any.
    move : what he did; a meld has no cards.
    """

    ply: int
    drawn: int
    state: CatAndMouseState
    move: Move


class Seen:
    """What US Security saw of the Terrorist.

    Parameters
    ----------
    rules : of the game.
    log : ``table.log("us")``.
    attack : whether to take it that he attacks after all this, unless he has.

    Attributes
    ----------
    drawn : how many cards he had drawn before each event.
    thrown, decisions : see `Thrown` and `Decision`.

    Raises
    ------
    ValueError
        The discard piles lie face down.
    """

    def __init__(self, rules: CatAndMouse, log: Sequence[Event], attack: bool = False) -> None:
        if not rules.options.open_discards:
            raise ValueError("US Security does not see what is thrown away: its discards are face down.")
        self.rules = rules
        self.drawn = list(accumulate((_is_hidden_draw(event) for event in log), initial=0))
        code = rules.code
        self.thrown = [Thrown(at, self.drawn[at], code[e.move.cards[0]]) for at, e in enumerate(log) if _is_thrown(e)]
        self.decisions = self._decisions(log)
        if attack and not self.attacked:
            self._attack_after(log)

    @property
    def attacked(self) -> bool:
        """Whether he has attacked."""
        return bool(self.decisions) and self.decisions[-1].move.verb == MELD

    def _decisions(self, log: Sequence[Event]) -> list[Decision]:
        deck = list(arranged(self.rules.start().terrorist_deck, self.thrown))
        state, found = self.rules.start(), []
        for at, event in enumerate(log):
            move = self.rules.deals[deck[self.drawn[at]]] if _is_hidden_draw(event) else event.move
            if event.by == "terrorist":
                found.append(Decision(at, self.drawn[at], state, move))
            if move.verb == MELD:
                break
            state = self.rules.play(state, move)
        self.last = state
        return found

    def _attack_after(self, log: Sequence[Event]) -> None:
        self.decisions.append(Decision(len(log), self.drawn[-1], replace(self.last, step=ATTACK), Move(MELD)))


def arranged(deck: Sequence[int], thrown: Sequence[Thrown]) -> list[int]:
    """The cards in an order in which each that was thrown away was drawn before: such cards come first."""
    rest = list(deck)
    for each in thrown:
        rest.remove(each.code)
    return [each.code for each in thrown] + rest


def _is_hidden_draw(event: Event) -> bool:
    """Whether the Terrorist has drawn a card."""
    return event.by == CHANCE and event.move == Move("deal")


def _is_thrown(event: Event) -> bool:
    """Whether a card has gone from the Terrorist's hand to his discard pile."""
    seen = event.by == "terrorist" and event.move.verb in ("discard", "lose", "secrecy")
    return bool(event.move.cards) and (seen or event.move.verb == "take")


# Asking a player


class _Half(float):
    """A random number that tells its `Toss` by how much it is multiplied, and makes it pick the item that it wants."""

    toss: Toss

    def __mul__(self, items: float) -> float:
        self.toss.items = int(items)
        return float(self.toss.item)


class Toss(random.Random):
    """Random numbers with which `cmgames.bots.player.pick` picks a given item; they count the items."""

    def __init__(self) -> None:
        super().__init__(0)
        self.item, self.items = 0, 1
        self.half = _Half(0.5)
        self.half.toss = self

    def random(self) -> float:
        return self.half


def choices(choose: Choose, view: View, legal: tuple[Move, ...]) -> list[Move]:
    """The moves among which a player picks one by a single toss, each equally likely."""
    toss = Toss()
    found = [choose(view, legal, toss).bare]
    for item in range(1, toss.items):
        toss.item = item
        found.append(choose(view, legal, toss).bare)
    return found


class Likelihood:
    """How likely a player does what was seen, with a given hand.

    He does what he would do, but for a *slip*: so often he makes any legal move.  The Secrecy cards are alike to him.
    A hand is counted by kinds and written as one number, `unit` for each card, so that it is quick to change and to
    look up.

    Parameters
    ----------
    seen : what was seen.
    choose : the player, see `Choose`; he tosses for a move at most once.
    slip : between 0 and 1.
    """

    def __init__(self, seen: Seen, choose: Choose, slip: float) -> None:
        self.rules, self.decisions, self.choose, self.slip = seen.rules, seen.decisions, choose, slip
        options, first = self.rules.options, self.rules.first_secrecy
        self.bits = max(options.copies, options.secrecy).bit_length()
        self.unit = [1 << self.bits * min(code, first) for code in range(self.rules.first_us)]
        self.thrown = [sum(self.unit[code] for code in each.state.terrorist_discard) for each in self.decisions]
        self.known: list[dict[int, float]] = [{} for _ in self.decisions]

    def log(self, at: int, hand: int) -> float:
        """The logarithm for one of the decisions; among equal cards each is as likely to go."""
        found = self.known[at].get(hand)
        if found is None:
            likely = self._likely(at, hand)
            found = self.known[at][hand] = log(likely) if likely else NEVER
        return found

    def _likely(self, at: int, hand: int) -> float:
        seen = self.decisions[at].move
        likely = sum(chance for move, chance in self._chances(at, hand) if self._are_alike(move, seen))
        return likely / self._held(hand, self.rules.code[seen.cards[0]]) if seen.cards and likely else likely

    def melds(self, hand: int) -> dict[Codes, float]:
        """How likely each meld is, with this hand, given that he attacks at the last decision."""
        code = self.rules.code
        chances = [(move, chance) for move, chance in self._chances(-1, hand) if move.verb == MELD]
        total = sum(chance for _, chance in chances)
        found: dict[Codes, float] = {}
        for move, chance in chances:
            plan = tuple(code[name] for name in move.cards)
            found[plan] = found.get(plan, 0.0) + chance / total
        return found

    def _chances(self, at: int, hand: int) -> list[tuple[Move, float]]:
        """Moves with chances; a move's is their sum."""
        state = self.decisions[at].state
        state = replace(state, terrorist_hand=self._cards(state, hand))
        legal = self.rules.legal(state)
        made = choices(self.choose, self.rules.view(state, "terrorist"), legal) if len(legal) > 1 else list(legal)
        slips = [(move, self.slip / len(legal)) for move in legal]
        return slips + [(move, (1 - self.slip) / len(made)) for move in made]

    def _held(self, hand: int, code: int) -> int:
        """How many cards of a kind a hand holds."""
        return hand // self.unit[code] & ((1 << self.bits) - 1)

    def _cards(self, state: CatAndMouseState, hand: int) -> Pile:
        """The hand as a pile; of the Secrecy cards any that have not been thrown away."""
        first = self.rules.first_secrecy
        plans = b"".join(ONE[code] * self._held(hand, code) for code in range(first))
        spare = bytes(code for code in range(first, self.rules.first_us) if code not in state.terrorist_discard)
        return plans + spare[: hand >> self.bits * first]

    def _are_alike(self, move: Move, seen: Move) -> bool:
        """Whether a move looks like what was seen, but for which Secrecy card or meld it takes."""
        if move.verb != seen.verb or move == seen or MELD in (move.verb, seen.verb):
            return move.verb == seen.verb
        return self._is_secrecy(move) and self._is_secrecy(seen)

    def _is_secrecy(self, move: Move) -> bool:
        return bool(move.cards) and self.rules.code[move.cards[0]] >= self.rules.first_secrecy
