"""What the engine asks of a game: pure functions on frozen states."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, ClassVar, Generic, Literal, TypeVar

import msgspec

from cmgames.engine.cards import Catalogue, Pile
from cmgames.engine.moves import Move
from cmgames.engine.options import Options
from cmgames.engine.view import View

CHANCE = "chance"
"""Who moves when no seat does: a card is drawn, or the rules do what they say must happen."""


class Step(msgspec.Struct, frozen=True, eq=False):
    """A point within a turn: the printed phase, and who moves there (a seat, `CHANCE`, or None: over)."""

    phase: str
    seat: str | None


class State(msgspec.Struct, frozen=True, gc=False):
    """What every game's state has; games add their own fields."""

    step: Step
    turn: int


class Outcome(msgspec.Struct, frozen=True):
    """How a game ended: the seat that won (None: nobody) and why, in a sentence."""

    winner: str | None
    reason: str


class Verb(msgspec.Struct, frozen=True):
    """A verb of a game's moves.

    Attributes
    ----------
    button : what the button says before the cards' names.
    says : what the log says: ``{who}`` does it to ``{cards}``; who is a seat's title.
    hidden : the same for somebody who may not see the cards; empty when there is nothing to be seen.
    pick : where a person picks its cards: from the seat's ``hand``, from the whole ``catalogue``, or nowhere: each
        legal move of the verb is a button of its own.
    card : name of the card that it is about, for a picture on its button.
    tells : the seat whose face others watch while it does this; empty when there is nothing to see.
    pause : seconds for which a screen lets the position before it stand, so that people can follow.
    """

    button: str
    says: str
    hidden: str = ""
    pick: Literal["", "hand", "catalogue"] = ""
    card: str = ""
    tells: str = ""
    pause: float = 0.0


class Seat(msgspec.Struct, frozen=True):
    """A seat's title ("the rat"), its place in a sentence, and one line on what it is there for."""

    title: str
    line: str


AnyState = TypeVar("AnyState", bound=State)
AnyOptions = TypeVar("AnyOptions", bound=Options)


class Game(ABC, Generic[AnyState, AnyOptions]):
    """The rules of one game under given options.

    A game holds no cards and no randomness: each method is a pure function of a state.  The engine draws when
    `pool` says that a card is to be drawn, and keeps the moves.

    Attributes
    ----------
    name, title, line : its key in `cmgames.GAMES`, its printed title, one line about it.
    printed : the designer's rules, word for word.
    phases : the printed phases of a turn, in order.
    seats : the seats by id, in the order in which a list would name them.
    piles : title of each pile by its id in views.
    tracks : title of each track by its id in views.
    verbs : every verb, those of chance included.
    manners : how people behave at this table: a seat, and what it promises before a game between people.
    catalogue : the kinds of cards under these options; on the class, under the default ones.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    line: ClassVar[str]
    printed: ClassVar[str]
    phases: ClassVar[tuple[str, ...]]
    seats: ClassVar[Mapping[str, Seat]]
    piles: ClassVar[Mapping[str, str]]
    tracks: ClassVar[Mapping[str, str]] = {}
    verbs: ClassVar[Mapping[str, Verb]]
    manners: ClassVar[tuple[str, tuple[str, ...]] | None] = None
    Options: ClassVar[type[Options]]
    catalogue: Catalogue

    def __init__(self, options: AnyOptions) -> None:
        self.options = options

    @abstractmethod
    def start(self) -> AnyState:
        """The state before the first move."""

    @abstractmethod
    def legal(self, state: AnyState) -> tuple[Move, ...]:
        """The moves of the seat whose move it is, in a stable order; none where chance acts or all is over."""

    @abstractmethod
    def actions(self) -> tuple[Move, ...]:
        """Every move that a seat can ever make, in a stable order: the action space of other frameworks."""

    @abstractmethod
    def play(self, state: AnyState, move: Move) -> AnyState:
        """The state after a move that is legal, or that chance can make."""

    @abstractmethod
    def pool(self, state: AnyState) -> Pile:
        """The cards of which chance takes one, each equally likely, where it is chance's move."""

    @abstractmethod
    def dealt(self, state: AnyState, code: int) -> Move:
        """Chance's move that takes the card `code` of the `pool`."""

    @abstractmethod
    def outcome(self, state: AnyState) -> Outcome | None:
        """How the game ended; None while it goes on."""

    @abstractmethod
    def view(self, state: AnyState, seat: str) -> View:
        """What a seat, a spectator, or somebody who sees all, may know of a state."""

    @abstractmethod
    def prompt(self, view: View, legal: tuple[Move, ...]) -> str:
        """One sentence that tells the seat whose view and whose legal moves these are what to do."""

    def why_not(self, state: AnyState, move: Move) -> str:
        """Why a move that is not in `legal` is not, in a sentence for players; games say more where they can."""
        wanted = " or ".join(dict.fromkeys(f"“{self.verbs[legal.verb].button}”" for legal in self.legal(state)))
        return f"This is the {state.step.phase}, and {self.seats[state.step.seat or ''].title} moves: {wanted}."

    @classmethod
    def readings(cls, options: AnyOptions) -> tuple[str, ...]:
        """How the printed rules are read where they are silent, under these options: a sentence each."""
        return ()

    def seen(self, state: AnyState, move: Move, seat: str) -> Move:
        """What a seat sees of a move made in `state`: without its cards when they are hidden from it."""
        return move

    def chance(self, state: AnyState) -> tuple[tuple[Move, Fraction], ...]:
        """Chance's moves with their exact probabilities; empty where a seat moves and after the end."""
        if state.step.seat != CHANCE:
            return ()
        pool = self.pool(state)
        return tuple((self.dealt(state, code), Fraction(n, len(pool))) for code, n in sorted(Counter(pool).items()))


AnyGame = Game[Any, Any]
