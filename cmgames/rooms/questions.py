"""Questions about positions: what would you do, and what is the chance?

A question is a pure function of game, options, seed and number: computer players play a game, it is stopped at one of
its decisions, and one seat's view of that position is all that the question holds.  The truth is worked out from this
view alone (`cmgames.odds`), by counting, and so is what an answer costs.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Set
from functools import cached_property, lru_cache
from hashlib import sha256
from itertools import product
from typing import Any, NamedTuple

import msgspec

from cmgames.bots.player import find
from cmgames.engine.options import Options
from cmgames.engine.registry import game as game_called
from cmgames.engine.table import Table
from cmgames.engine.view import View
from cmgames.odds import cat_and_mouse, tunnel_rat
from cmgames.odds.review import solved
from cmgames.rooms.faults import Refused

TRIES = 30
"""So many games are looked through for a position."""

PLAYERS: dict[str, dict[str, tuple[str, ...]]] = {
    "tunnel-rat": {"rat": ("random", "counter"), "vc": ("steady",)},
    "cat-and-mouse": {"terrorist": ("collector", "schemer"), "us": ("hunter", "profiler")},
}
"""Who plays the games that are asked about: one of these for each seat."""


class Kind(NamedTuple):
    """A kind of question.

    Attributes
    ----------
    game, seat : who is asked.
    title, words : the question, in short and in full.
    verb : with this move the seat could answer the table; the question is asked before it.
    truth : by answer its worth, the best the highest; or the one chance that is asked for.
    """

    game: str
    seat: str
    title: str
    words: str
    verb: str
    truth: Callable[[View], Mapping[str, float] | float]

    def is_interesting(self, view: View) -> bool:
        """Whether there is something to be found out in a position."""
        return _is_open(self.truth(view))


class Question(msgspec.Struct, frozen=True, dict=True):
    """A question about a position.

    Attributes
    ----------
    kind : its name in `KINDS`.
    view : what the seat that is asked may know.
    """

    kind: str
    view: View

    @property
    def title(self) -> str:
        """The question in short."""
        return KINDS[self.kind].title

    @property
    def words(self) -> str:
        """The question itself."""
        return KINDS[self.kind].words

    @cached_property
    def truth(self) -> Mapping[str, float] | float:
        """By answer its worth; or the chance that is asked for. Worked out once."""
        return KINDS[self.kind].truth(self.view)

    @property
    def choices(self) -> tuple[str, ...]:
        """The answers; none where a number of percent is asked for."""
        return CHOICES[self.kind](self.view) if self.kind in CHOICES else ()

    @property
    def right(self) -> str:
        """The best answer, the first of several; or the chance in percent, with two decimals."""
        truth = self.truth
        return max(truth, key=truth.__getitem__) if isinstance(truth, Mapping) else f"{100 * truth:.2f}"

    def read(self, typed: str) -> str:
        """An answer as it is kept.

        Raises
        ------
        Refused
            It is none.
        """
        tidy = typed.strip().removesuffix("%").strip()
        if self.choices:
            if tidy not in self.choices:
                raise Refused("Choose one of the answers.")
            return tidy
        if not (tidy.isascii() and tidy.isdecimal() and int(tidy[:4]) <= 100):
            raise Refused("Write a whole number from 0 to 100.")
        return str(int(tidy[:4]))

    def cost(self, answer: str) -> float:
        """What an answer loses against the best one; of a number of percent, how far it is off. Both from 0 to 1."""
        truth = self.truth
        if isinstance(truth, Mapping):
            lost = max(truth.values()) - truth[answer]
            return lost if lost > tunnel_rat.FLOAT_SLACK else 0.0
        return abs(int(answer) / 100 - truth)

    def is_best(self, cost: float) -> bool:
        """Whether an answer that costs so much is as good as any; a number of percent may be off by its rounding."""
        return cost == 0 if self.choices else cost <= 0.005 + tunnel_rat.FLOAT_SLACK


def _guesses(view: View) -> dict[str, float]:
    values = solved(view.options).values(view)
    return {guess: float(values[guess]) for guess in tunnel_rat.GUESSES}


def _melds(view: View) -> dict[str, float]:
    return {", ".join(plan): float(chance) for plan, chance in cat_and_mouse.meld_posterior(view).items()}


KINDS = {
    "guess": Kind("tunnel-rat", "rat", "What to do", "What would you do?", "advance", _guesses),
    "tunnel": Kind(
        "tunnel-rat",
        "rat",
        "Chance of a Tunnel",
        "What is the chance that the card is a Tunnel?",
        "advance",
        lambda view: float(tunnel_rat.chances(view)["tunnel"]),
    ),
    "meld": Kind("cat-and-mouse", "us", "Which meld", "Which meld would you name?", "guess", _melds),
    "combo": Kind(
        "cat-and-mouse",
        "us",
        "Chance of a combo",
        "What is the chance that your hand holds a combo after your next card?",
        "draw",
        lambda view: float(cat_and_mouse.combos_next_turn(view).any),
    ),
    "holds": Kind(
        "cat-and-mouse",
        "us",
        "Chance of a meld",
        "What is the chance that the Terrorist holds a meld now?",
        "draw",
        lambda view: float(cat_and_mouse.wait_for_meld(view).within[0]),
    ),
}
"""The kinds of questions, by name."""

CHOICES: dict[str, Callable[[View], tuple[str, ...]]] = {
    "guess": lambda _: tuple(tunnel_rat.GUESSES),
    "meld": lambda view: tuple(
        ", ".join(plan) for plan in product(*cat_and_mouse.plan_names(cat_and_mouse.options_of(view)))
    ),
}
"""The answers of the kinds that are not answered with a number."""


def has_questions(game: str) -> bool:
    """Whether there are questions about this game."""
    return game in PLAYERS


@lru_cache(maxsize=64)
def ask(game: str, options: Options, seed: int, count: int) -> tuple[Question, ...]:
    """The first questions of a seed; the kinds take turns, and no position comes twice as long as there are others.

    Raises
    ------
    Refused
        No position worth a question is found under these options.
    """
    asked: list[Question] = []
    for number in range(1, count + 1):
        shown = {_shown(question.view) for question in asked}
        found = _ask(game, options, seed, number, shown) or _ask(game, options, seed, number, set())
        if found is None:
            raise Refused("With these rules no position is found that is worth a question.")
        asked.append(found)
    return tuple(asked)


def _ask(game: str, options: Options, seed: int, number: int, shown: Set[object]) -> Question | None:
    """Question `number` of a seed, about a position that was not shown; None where none is found."""
    kinds = [name for name, kind in KINDS.items() if kind.game == game]
    first = (number - 1) % max(len(kinds), 1)
    for name in kinds[first:] + kinds[:first]:
        kind = KINDS[name]
        for attempt in range(TRIES):
            chosen = random.Random(sha256(f"{seed}:question:{number}:{name}:{attempt}".encode()).digest())
            views = [view for view in _positions(kind, options, chosen) if _shown(view) not in shown]
            views = [view for view in views if kind.is_interesting(view)]
            if views:
                return Question(name, chosen.choice(views))
    return None


def _shown(view: View) -> object:
    """What makes a position another one: cards and scores, whatever the turn."""
    return tuple((pile.id, pile.size, tuple(sorted(pile.cards))) for pile in view.piles), view.tracks


def of_class(game: str, options: Mapping[str, Any], seed: str, count: int) -> tuple[Question, ...]:
    """The questions of a class, whose seed decides them; they tell nothing of the cards at its tables.

    Raises
    ------
    Refused
        No position worth a question is found under these options.
    """
    if not count:
        return ()
    made = game_called(game).Options.make(dict(options))
    own = int.from_bytes(sha256(f"{seed}:questions".encode()).digest(), "big")
    return ask(game, made, own, count)


def _positions(kind: Kind, options: Options, chosen: random.Random) -> Iterator[View]:
    """The views of the seat that is asked, wherever it could make that kind's move in a game."""
    table = Table(kind.game, seed=chosen.getrandbits(128), salt="", **msgspec.to_builtins(options))
    players = {seat: find(kind.game, seat, chosen.choice(names)) for seat, names in PLAYERS[kind.game].items()}
    while (seat := table.seat) is not None:
        if seat == kind.seat and any(move.verb == kind.verb for move in table.legal()):
            yield table.view(seat)
        table.play(players[seat].choose(table.view(seat), table.legal(), table.random()))


def _is_open(truth: Mapping[str, float] | float) -> bool:
    """Whether not all answers are worth the same, or a chance is neither next to nothing nor certain."""
    if isinstance(truth, Mapping):
        return max(truth.values()) - min(truth.values()) > tunnel_rat.FLOAT_SLACK
    return 0.01 < truth < 1
