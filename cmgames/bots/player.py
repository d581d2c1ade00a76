"""What a computer player is, and which there are.

A player is fair by construction: it is given the view of its seat, the legal moves and random numbers, and nothing
else.  It keeps nothing between two decisions, so that it can take over a seat at any moment, and a game replays from
its seed.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

import msgspec

from cmgames.engine.moves import Move
from cmgames.engine.registry import game as find_game
from cmgames.engine.table import Table
from cmgames.engine.view import View

T = TypeVar("T")

Choose = Callable[[View, tuple[Move, ...], random.Random], Move]
"""``choose(view, legal, random)``: one of the legal moves, with a tell where the player wants to show one."""


class Player(msgspec.Struct, frozen=True):
    """A computer player.

    Attributes
    ----------
    name, title, line : its key in `PLAYERS`, its title, one line for students on how it plays.
    choose : what it does, see `Choose`.
    slow : whether a move takes it tenths of a second: the tables of thousands of games leave it out.
    """

    name: str
    title: str
    line: str
    choose: Choose
    slow: bool = False


PLAYERS: dict[str, dict[str, dict[str, Player]]] = {}
"""The players by game, seat and name, weakest first; `player` adds one."""


def player(game: str, seat: str, name: str, title: str, line: str, *, slow: bool = False) -> Callable[[Choose], Choose]:
    """Add a player to `PLAYERS`; a decorator for its ``choose``. Any module may do so, a game's own too."""

    def add(choose: Choose) -> Choose:
        PLAYERS.setdefault(game, {}).setdefault(seat, {})[name] = Player(name, title, line, choose, slow)
        return choose

    return add


def pick(random: random.Random, items: Sequence[T]) -> T:
    """One of the items, each equally likely; needs only ``random()``, which every Python version computes alike."""
    return items[int(random.random() * len(items))]


def uniform(_view: View, legal: tuple[Move, ...], random: random.Random) -> Move:
    """Any legal move, each equally likely."""
    return pick(random, legal)


RANDOM = Player("random", "Random", "Makes any legal move, each equally likely.", uniform)
"""Sits at every seat for which nobody wrote a player."""


def players(game: str, seat: str) -> Mapping[str, Player]:
    """The players for a seat, by name; never empty.

    Raises
    ------
    ValueError
        There is no such game, or it has no such seat.
    """
    rules = find_game(game)
    if seat not in rules.seats:
        raise ValueError(f"{rules.title} has no seat {seat!r}: there are {', '.join(rules.seats)}.")
    return PLAYERS.get(game, {}).get(seat) or {RANDOM.name: RANDOM}


def quick(game: str, seat: str) -> list[str]:
    """The names of the players for a seat that are quick enough for thousands of games."""
    return [name for name, each in players(game, seat).items() if not each.slow]


def find(game: str, seat: str, name: str) -> Player:
    """The player of that name.

    Raises
    ------
    ValueError
        There is none; the message lists those that there are.
    """
    known = players(game, seat)
    if name not in known:
        raise ValueError(f"No computer player for {seat} is called {name!r}. There are: {', '.join(known)}.")
    return known[name]


def play(table: Table, players: Mapping[str, Player]) -> None:
    """Let players move until the game is over or a seat without a player has to act."""
    while (seat := table.seat) is not None and seat in players:
        table.play(players[seat].choose(table.view(seat), table.legal(), table.random()))
