"""Views: what one seat may know, and nothing else."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from cmgames.engine.moves import Move

SPECTATOR = "spectator"
"""Looks on from outside: sees what both seats see."""

OPEN = "open"
"""Sees everything; for teachers, for the time after the end, never for a seat in play."""


class PileView(msgspec.Struct, frozen=True, gc=False):
    """A pile as somebody sees it.

    Attributes
    ----------
    id : the pile's name within its game.
    owner : the seat it belongs to; empty for the table's.
    layout : ``hand``, ``deck``, ``pile`` (face up, in a heap) or ``spot`` (the card that the turn is about).
    size : how many cards it holds.
    cards : their names; empty when they are face down.
    """

    id: str
    owner: str
    layout: Literal["hand", "deck", "pile", "spot"]
    size: int
    cards: tuple[str, ...] = ()


class TrackView(msgspec.Struct, frozen=True, gc=False):
    """A score on its way to a goal, and the seat that wins by it."""

    id: str
    owner: str
    value: int
    goal: int


class Answer(msgspec.Struct, frozen=True, gc=False):
    """A question of this turn, and how it was answered; None while it is not."""

    question: str
    move: Move | None


class View(msgspec.Struct, frozen=True, gc=False):
    """What one seat may know now (its information state, without the log).

    Attributes
    ----------
    game : name of the game.
    options : the options in force.
    seat : whose view it is: a seat, `SPECTATOR` or `OPEN`.
    turn : number of the turn, from 1.
    phase : printed name of the phase.
    to_move : the seat whose move it is; None when chance acts or the game is over.
    piles, tracks : what lies on the table.
    answers : the questions asked in this turn, in order; the last one may wait for its answer.
    """

    game: str
    options: msgspec.Struct
    seat: str
    turn: int
    phase: str
    to_move: str | None
    piles: tuple[PileView, ...]
    tracks: tuple[TrackView, ...] = ()
    answers: tuple[Answer, ...] = ()

    def pile(self, id: str) -> PileView:
        """The pile of that name."""
        return next(pile for pile in self.piles if pile.id == id)

    def track(self, id: str) -> TrackView:
        """The track of that name."""
        return next(track for track in self.tracks if track.id == id)

    def to_dict(self) -> dict[str, Any]:
        """The view as plain JSON values."""
        plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(self))
        return plain
