"""A table in the terminal: what happened is printed, a move is typed."""

from __future__ import annotations

from collections.abc import Callable

from cmgames.bots.player import players
from cmgames.engine.moves import IllegalMove, Move
from cmgames.engine.table import Table
from cmgames.engine.view import OPEN, View
from cmgames.rooms.terms import PERSON
from cmgames.ui import layout, phrases

LISTED = 12
"""So many moves are listed with a number; the others are typed in words."""

Say = Callable[[str], None]
Ask = Callable[[str], str]


def play(table: Table, seated: dict[str, str], ask: Ask, say: Say) -> None:
    """Play a game to its end.

    Parameters
    ----------
    table : the game.
    seated : for each seat ``person``, or the name of a computer player; at most one person.
    ask : shows a prompt and returns what was typed; ``EOFError`` ends the game.
    say : prints a line.
    """
    viewer = next((seat for seat, name in seated.items() if name == PERSON), OPEN)
    shown = 0
    while True:
        for event in layout.merged(table.log(viewer, shown)):
            if words := phrases.event(table.game, event):
                say(words)
        shown = len(table.moves)
        if table.seat is None:
            break
        if table.seat == viewer:
            _ask_move(table, ask, say)
        else:
            player = players(table.game.name, table.seat)[seated[table.seat]]
            table.play(player.choose(table.view(table.seat), table.legal(), table.random()))
    if (outcome := table.outcome) is not None:
        say(f"\n{phrases.outcome(table.game, outcome)}")


def _ask_move(table: Table, ask: Ask, say: Say) -> None:
    """Let the person make one legal move, by its number or in words."""
    assert table.seat is not None
    view, legal = table.view(table.seat), table.legal()
    say(f"\n{view.phase}. {table.game.prompt(view, legal)}")
    for line in _piles(table, view):
        say(f"  {line}")
    for number, move in enumerate(legal[:LISTED], 1):
        say(f"  {number}  {move}")
    if len(legal) > LISTED:
        say(f"  or one of {len(legal) - LISTED} more, in words like these")
    while True:
        typed = ask("> ").strip()
        try:
            table.play(_understand(table, typed, legal))
        except IllegalMove as reason:
            say(str(reason))
        else:
            return


def _understand(table: Table, typed: str, legal: tuple[Move, ...]) -> Move:
    """The move that was typed, as a number or in words."""
    if typed.isdecimal() and 1 <= int(typed) <= min(len(legal), LISTED):
        return legal[int(typed) - 1]
    try:
        return Move.parse(table.game, typed)
    except IllegalMove:
        raise IllegalMove("That is no move: type a number, or words like those in the list.") from None


def _piles(table: Table, view: View) -> list[str]:
    """What lies on the table, a pile a line."""
    lines = [f"{table.game.tracks[track.id]}: {track.value} of {track.goal}" for track in view.tracks]
    for pile in view.piles:
        if pile.size:
            title = phrases.pile_title(table.game, pile.id, pile.owner, view.seat)
            names = tuple(sorted(pile.cards, key=table.game.catalogue.names.index))
            lines.append(f"{title}: {phrases.cards(names) if names else f'{pile.size} face down'}")
    return lines
