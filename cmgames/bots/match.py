"""Matches between computer players, and the cross-tables of `docs/players.md`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby
from math import sqrt
from typing import Any

import msgspec

from cmgames.bots.player import PLAYERS, find, play, quick
from cmgames.engine import chance
from cmgames.engine.registry import GAMES
from cmgames.engine.registry import game as find_game
from cmgames.engine.table import Table

BEGIN, END = "<!-- cross-tables: written by `cmgames players` -->", "<!-- end of the cross-tables -->"


class Cell(msgspec.Struct, frozen=True):
    """Games between two players: how many the first one's seat has won, the second one's, and neither."""

    game: str
    first: str
    second: str
    wins: int
    losses: int
    draws: int

    @property
    def games(self) -> int:
        """How many games were played."""
        return self.wins + self.losses + self.draws

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the first seat's win rate."""
        return wilson(self.wins, self.games)

    def __str__(self) -> str:
        low, high = self.interval
        draws = f", {self.draws} drawn" if self.draws else ""
        return f"{100 * self.wins / self.games:.1f} ({100 * low:.1f} to {100 * high:.1f}){draws}"


def wilson(wins: int, games: int, z: float = 1.959964) -> tuple[float, float]:
    """Wilson's score interval of a rate; 95 % by default (E. B. Wilson, J. Am. Stat. Assoc. 22, 1927)."""
    rate, share = wins / games, z * z / games
    middle = (rate + share / 2) / (1 + share)
    half = z / (1 + share) * sqrt(rate * (1 - rate) / games + share / games / 4)
    return max(middle - half, 0.0), min(middle + half, 1.0)  # beyond these by rounding errors alone


def match(game: str, first: str, second: str, games: int, seed: int, **options: Any) -> Cell:
    """Play a number of games between two players.

    Game number ``i`` is dealt from seed ``draw(seed, i, 2**64)`` (see `cmgames.engine.chance`) whoever plays, so that
    all players meet the same decks, and each game can be looked at again.

    Parameters
    ----------
    game : name of a game with two seats.
    first, second : names of the players, in the order of the game's seats.
    games, seed : how many games, and what decides them all.
    **options : the game's options by name.
    """
    first_seat, second_seat = find_game(game).seats
    winners = Counter(winner(game, first, second, number, seed, **options) for number in range(games))
    return Cell(game, first, second, winners[first_seat], winners[second_seat], winners[None])


def winner(game: str, first: str, second: str, number: int, seed: int, **options: Any) -> str | None:
    """The seat that wins game number `number` of a `match`; None if nobody does."""
    seats = find_game(game).seats
    table = Table(game, seed=chance.draw(seed, number, 2**64), salt="", **options)
    play(table, {seat: find(game, seat, name) for seat, name in zip(seats, (first, second), strict=True)})
    assert table.outcome is not None
    return table.outcome.winner


def cross_tables(games: int = 2000, seed: int = 1) -> Iterator[Cell]:
    """All quick players against each other in every game that has players of its own, cell by cell."""
    for game in filter(PLAYERS.__contains__, GAMES):
        rows, columns = (quick(game, seat) for seat in GAMES[game].seats)
        for first in rows:
            for second in columns:
                yield match(game, first, second, games, seed)


def markdown(cells: Iterable[Cell], seed: int) -> str:
    """The cross-tables as Markdown, one for each game."""
    return "\n".join(_table(game, list(of_game), seed) for game, of_game in groupby(cells, lambda cell: cell.game))


def _table(game: str, cells: list[Cell], seed: int) -> str:
    """One game's cross-table: a row for each player of its first seat, a column for each of its second."""
    rules = find_game(game)
    first, second = (seat.title for seat in rules.seats.values())
    names = list(dict.fromkeys(cell.second for cell in cells))
    lines = [
        f"### {rules.title}",
        "",
        f"Games won by {first}, in %, with 95 % intervals; {cells[0].games} games a cell, seed {seed}.",
        "",
        f"| {first} \\ {second} | " + " | ".join(names) + " |",
        "| --- |" + " ---: |" * len(names),
    ]
    for row, of_row in groupby(cells, lambda cell: cell.first):
        lines.append(f"| {row} | " + " | ".join(map(str, of_row)) + " |")
    return "\n".join(lines) + "\n"


def insert(text: str, tables: str, begin: str = BEGIN, end: str = END) -> str:
    """A document with the tables between its markers.

    Raises
    ------
    ValueError
        The document has no markers.
    """
    before, found, rest = text.partition(begin)
    _, closed, after = rest.partition(end)
    if not (found and closed):
        raise ValueError(f"The document has no place for the tables: a line {begin!r} and a line {end!r}.")
    return f"{before}{begin}\n\n{tables}\n{end}{after}"
