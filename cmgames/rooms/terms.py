"""What was agreed before a game or a class."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from cmgames.rooms.faults import Refused

NAME_LENGTH = 24

PERSON = "person"
"""Who sits at a seat when no computer player does."""

PAUSED = "Your teacher has stopped the class for a moment."


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """What was agreed for a table.

    Attributes
    ----------
    clock : seconds for a move, after which one is made for the seat; None: no hurry.
    away_after : seconds without a sign of life after which the others may go on without somebody.
    deals : names of cards that are dealt first (see `cmgames.engine.table.Table`).
    same_deal : other tables have the same cards.
    meanwhile : a game against a computer player until a partner comes.
    odds : the players may look at the odds while they play.
    """

    clock: Annotated[int, Meta(ge=5, le=3600)] | None = None
    away_after: Annotated[int, Meta(ge=30, le=3600)] = 60
    deals: tuple[str, ...] = ()
    same_deal: bool = False
    meanwhile: bool = False
    odds: bool = True

    def to_dict(self) -> dict[str, Any]:
        """The terms as plain JSON values."""
        plain: dict[str, Any] = msgspec.to_builtins(self)
        return plain


class ClassTerms(msgspec.Struct, frozen=True, kw_only=True):
    """What a teacher chose for a class.

    Attributes
    ----------
    people : the students play each other; else each plays a computer player.
    computers : the computer player for each seat, for students without a partner.
    pairing : who plays whom: by ``arrival``, somebody ``new`` where possible, or only as the teacher says, by ``hand``.
    seats : who sits where: ``chosen`` by the student, ``drawn``, or ``swapped`` after each game.
    same_deal : all tables get the same cards.
    clock, away_after, odds : as in `Terms`.
    games : how many games each student plays; None: as many as there is time for.
    questions : how many questions about positions each student is asked.
    """

    people: bool = True
    computers: dict[str, str] = {}
    pairing: Literal["arrival", "new", "hand"] = "new"
    seats: Literal["chosen", "drawn", "swapped"] = "swapped"
    same_deal: bool = False
    odds: bool = False
    clock: Annotated[int, Meta(ge=5, le=3600)] | None = None
    away_after: Annotated[int, Meta(ge=30, le=3600)] = 60
    games: Annotated[int, Meta(ge=1, le=100)] | None = None
    questions: Annotated[int, Meta(ge=0, le=20)] = 0

    def to_dict(self) -> dict[str, Any]:
        """The terms as plain JSON values."""
        plain: dict[str, Any] = msgspec.to_builtins(self)
        return plain


def name(typed: str) -> str:
    """A name as somebody typed it, fit to be shown.

    Raises
    ------
    Refused
        It is too long.
    """
    tidy = " ".join("".join(letter for letter in typed[:1000] if letter.isprintable()).split())
    if len(tidy) > NAME_LENGTH or len(typed) > 1000:
        raise Refused(f"A name has at most {NAME_LENGTH} letters.")
    return tidy
