"""Moves: what a seat, or chance, does."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import force_setattr

from cmgames.engine import registry

if TYPE_CHECKING:
    from cmgames.engine.game import AnyGame

FACES = ("calm", "uneasy", "sweating")
"""The faces that a tell can show."""

MAX_SECONDS = 3600.0

_TELL = re.compile(r"(?: after (?P<seconds>\d+(?:\.\d{1,2})?) s)?(?: looking (?P<face>[a-z]+))?$")


class IllegalMove(ValueError):
    """A move that cannot be made; the message is the reason, in a sentence for players."""


class Tell(msgspec.Struct, frozen=True, gc=False):
    """What the other seat sees of a person while he answers.

    Attributes
    ----------
    seconds : how long the answer took, in seconds (hundredths are kept); None when nobody measured it.
    face : one of `FACES`; empty when nobody looked.
    """

    seconds: float | None = None
    face: str = ""

    def __post_init__(self) -> None:
        if self.seconds is not None and not 0 <= self.seconds <= MAX_SECONDS:
            raise IllegalMove(f"An answer takes between 0 and {MAX_SECONDS:.0f} seconds, not {self.seconds}.")
        if self.face and self.face not in FACES:
            raise IllegalMove(f"No face is called {self.face!r}: there are {', '.join(FACES)}.")
        if self.seconds is None and not self.face:
            raise IllegalMove("A tell has seconds, a face, or both.")
        if self.seconds is not None:
            force_setattr(self, "seconds", abs(round(float(self.seconds), 2)))

    def __str__(self) -> str:
        seconds = "" if self.seconds is None else f" after {self.seconds:.2f} s"
        return seconds + (f" looking {self.face}" if self.face else "")


class Move(msgspec.Struct, frozen=True, gc=False, cache_hash=True):
    """One move, of a seat or of chance.

    Its text is short English: the verb, the cards, the tell, as in ``answer no after 1.25 s looking uneasy``
    or ``combo CIA FBI Interpol``.

    Attributes
    ----------
    verb : what is done.
    cards : names of the cards that it is done with.
    tell : what the other seat saw while it was done, if anything.
    """

    verb: str
    cards: tuple[str, ...] = ()
    tell: Tell | None = None

    def __str__(self) -> str:
        return " ".join((self.verb, *self.cards)) + ("" if self.tell is None else str(self.tell))

    @property
    def bare(self) -> Move:
        """The move without its tell."""
        return self if self.tell is None else Move(self.verb, self.cards)

    @staticmethod
    def parse(game: str | AnyGame, text: str) -> Move:
        """The move that a text stands for; the inverse of ``str``.

        Parameters
        ----------
        game : name of a game in `cmgames.GAMES`, or the game itself.
        text : such as ``"discard Nuclear"``.

        Raises
        ------
        IllegalMove
            The text is no move of this game, whatever the position.
        """
        vocabulary = registry.game(game) if isinstance(game, str) else game
        for verb in sorted(vocabulary.verbs, key=len, reverse=True):
            if text == verb or text.startswith(verb + " "):
                rest, tell = text[len(verb) :], None
                if vocabulary.verbs[verb].tells:
                    rest, tell = _cut_tell(rest)
                cards = _split(rest, vocabulary.catalogue.names)
                if cards is not None:
                    return Move(verb, cards, tell)
        raise IllegalMove(
            f"{text!r} is not a move of {vocabulary.title}. Its moves are: {', '.join(vocabulary.verbs)}."
        )


def _cut_tell(rest: str) -> tuple[str, Tell | None]:
    """Cut the words of a tell off the end of a move's text."""
    found = _TELL.search(rest)
    if found is None or not found.group():
        return rest, None
    seconds = found["seconds"]
    return rest[: found.start()], Tell(None if seconds is None else float(seconds), found["face"] or "")


def _split(words: str, names: tuple[str, ...]) -> tuple[str, ...] | None:
    """The card names that `words` is made of, or None; no name of a game is the beginning of two readings."""
    cards: list[str] = []
    while words:
        name = max((name for name in names if (words + " ").startswith(f" {name} ")), key=len, default=None)
        if name is None:
            return None
        cards.append(name)
        words = words[len(name) + 1 :]
    return tuple(cards)
