"""Words: how moves, seats and piles are said."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

from cmgames.engine.game import CHANCE, AnyGame, Outcome
from cmgames.engine.moves import Move
from cmgames.engine.table import Event
from cmgames.engine.view import SPECTATOR


def capital(words: str) -> str:
    """The words with their first letter large."""
    return words[:1].upper() + words[1:]


def seat_title(game: AnyGame, seat: str) -> str:
    """What a seat is called within a sentence: "the rat"."""
    return "a spectator" if seat == SPECTATOR else game.seats[seat].title


def cards(names: tuple[str, ...]) -> str:
    """Names of cards as one reads them out: ``3 × FBI``, ``CIA, FBI, Interpol``."""
    return ", ".join(f"{n} × {name}" if n > 1 else name for name, n in Counter(names).items())


@lru_cache(maxsize=1024)  # a log is drawn again with each screen
def event(game: AnyGame, seen: Event) -> str:
    """What the log says of an event; nothing where there is nothing to be seen."""
    verb = game.verbs[seen.move.verb]
    words = verb.says if seen.move.cards or "{cards}" not in verb.says else verb.hidden
    who = "" if seen.by == CHANCE else seat_title(game, seen.by)
    return words.format(Who=capital(who), cards=cards(seen.move.cards)) + tell(seen.move)


def tell(move: Move) -> str:
    """What others saw while a move was made: `` (1.2 s, uneasy)``."""
    if move.tell is None:
        return ""
    seconds = [] if move.tell.seconds is None else [f"{move.tell.seconds:.1f} s"]
    return f" ({', '.join(seconds + [move.tell.face] * bool(move.tell.face))})"


def outcome(game: AnyGame, end: Outcome) -> str:
    """Who won, and why."""
    winner = "Nobody" if end.winner is None else capital(seat_title(game, end.winner))
    return f"{winner} wins. {end.reason}"


def button(game: AnyGame, move: Move) -> str:
    """What the button of a move says."""
    words = game.verbs[move.verb].button
    return f"{words}: {cards(move.cards)}" if move.cards else words


def pile_title(game: AnyGame, id: str, owner: str, viewer: str) -> str:
    """A pile's title, said to somebody: ``Your hand``, ``The rat's tunnels``."""
    title = game.piles[id]
    if owner != viewer or not owner:
        return title
    return title.replace(f"{capital(seat_title(game, owner))}'s", "Your", 1)
