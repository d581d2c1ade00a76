"""What was done at a table: the list of a room, played again step by step.

Nothing here asks which game it is: a guess, an answer and the card that lay there are read from views and verbs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec.structs import replace
from sqlalchemy import Row

from cmgames.engine.game import CHANCE, AnyGame
from cmgames.engine.moves import Move
from cmgames.engine.table import Event, Table
from cmgames.engine.view import OPEN, View
from cmgames.rooms.room import UNDO


class Made(msgspec.Struct, frozen=True, kw_only=True):
    """What was done at a table: a move of a seat or of chance, or the taking back of one.

    Attributes
    ----------
    ply : its number in the record, from 0; None where a move was taken back.
    turn, phase : when it was done.
    seat : who did it: a seat, or ``chance``.
    move : the move; its verb is ``undo`` where a move was taken back.
    how : who made it for the seat, see `cmgames.rooms.room.How`; ``chance`` for chance.
    seconds : from the opening of the room until then.
    spot : the cards that lay on the spot before it, hidden ones too.
    question : the verb of the question that it answers; empty where it answers none.
    choices : where it was a guess, the names among which each of its cards was chosen; empty where it was none.
    guessed : where it was a guess, the cards that it named.
    undone : it was taken back later.
    """

    ply: int | None
    turn: int
    phase: str
    seat: str
    move: Move
    how: str
    seconds: float
    spot: tuple[str, ...] = ()
    question: str = ""
    choices: tuple[tuple[str, ...], ...] = ()
    guessed: tuple[str, ...] = ()
    undone: bool = False


def replay(table: Table, entries: Sequence[Row[Any]], opened_at: float) -> tuple[Made, ...]:
    """Do to a new table what the list of a room says, and note each step."""
    made = [_chance(table, event, 0.0) for event in table.log(OPEN)]
    for entry in entries:
        seconds = max(entry.made_at - opened_at, 0.0)
        if entry.text == UNDO:
            table.undo()
            left = len(table.moves)
            made = [replace(one, undone=True) if one.ply is not None and one.ply >= left else one for one in made]
            made.append(_undo(table, entry, seconds))
        else:
            made.append(_before(table, entry, seconds))
            table.play(entry.text)
            made += [_chance(table, event, seconds) for event in table.log(OPEN, made[-1].ply or 0)[1:]]
    return tuple(made)


def _undo(table: Table, entry: Row[Any], seconds: float) -> Made:
    undo = Move(UNDO)
    return Made(
        ply=None, turn=table.turn, phase=table.phase, seat=entry.seat, move=undo, how=entry.how, seconds=seconds
    )


def _chance(table: Table, event: Event, seconds: float) -> Made:
    return Made(
        ply=event.ply,
        turn=event.turn,
        phase=event.phase,
        seat=CHANCE,
        move=event.move,
        how=CHANCE,
        seconds=seconds,
        spot=spot(table.view(OPEN, event.ply)),
    )


def _before(table: Table, entry: Row[Any], seconds: float) -> Made:
    """A move that a seat is about to make, and what lies before it."""
    view, move = table.view(OPEN), Move.parse(table.game, entry.text)
    there = spot(view)
    choices = guess_choices(table) if there else ()
    waiting = view.answers[-1] if view.answers else None
    return Made(
        ply=len(table.moves),
        turn=view.turn,
        phase=view.phase,
        seat=entry.seat,
        move=move,
        how=entry.how,
        seconds=seconds,
        spot=there,
        question=waiting.question if waiting is not None and waiting.move is None else "",
        choices=choices,
        guessed=names_guessed(table.game, move) if choices else (),
    )


def spot(view: View) -> tuple[str, ...]:
    """The cards that a view shows on the spot, where the card lies that the turn is about."""
    return tuple(name for pile in view.piles if pile.layout == "spot" for name in pile.cards)


def names_guessed(game: AnyGame, move: Move) -> tuple[str, ...]:
    """The cards that a move names, if it is a guess: those picked from the catalogue, or the one its verb is about."""
    verb = game.verbs[move.verb]
    if verb.pick == "catalogue":
        return move.cards
    return (verb.card,) if verb.card and not move.cards else ()


def guess_choices(table: Table) -> tuple[tuple[str, ...], ...]:
    """Among which names each card of a guess is chosen now; empty where the next move is no guess.

    A move is a guess where cards lie face down on the spot for whoever moves, and each of his legal moves names as many
    cards as lie there.
    """
    there, seen = spot(table.view(OPEN)), spot(table.view(table.seat or OPEN))
    named = [names_guessed(table.game, move) for move in table.legal()]
    if seen or len(set(named)) < 2 or any(len(names) != len(there) for names in named):
        return ()
    return tuple(tuple(dict.fromkeys(names)) for names in zip(*named, strict=True))
