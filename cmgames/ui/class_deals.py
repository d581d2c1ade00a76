"""One deal at several tables of a class, for the teacher: where they parted, and what each choice cost there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cmgames.engine.game import AnyGame
from cmgames.rooms import same_deal
from cmgames.rooms.results import ClassResults, Game
from cmgames.rooms.same_deal import Fork
from cmgames.ui import class_review, phrases
from cmgames.ui.class_review import Seen
from cmgames.ui.screen import Entry, Grid

FORKS = 20
"""So many forks of a deal at most are shown."""


def grids(of: ClassResults, seen: Seen) -> dict[str, Grid]:
    """For each deal that several tables had, where they parted, with what is known of the choices there."""
    deals = same_deal.deals(of.games)
    return {
        f"deal {which}": _grid(of.rules, at, which, games, seen) for at, (which, games) in enumerate(deals.items(), 2)
    }


def _grid(rules: AnyGame, at: int, which: int, games: Sequence[Game], seen: Seen) -> Grid:
    forks = same_deal.forks(games)
    by_number = {game.number: game for game in games}
    rows = {f"fork {row}": _fork(rules, row, fork, by_number, seen) for row, fork in enumerate(forks[:FORKS])}
    title = f"One deal, {len(games)} tables: where they parted in round {which}"
    if len(forks) > FORKS:
        title += f" (the first {FORKS} of {len(forks)} places)"
    columns = ("Move", "Turn", "Who", "Tables", "What they did", "What they had done before")
    return Grid(at, title, columns, rows, "So far all have done the same.")


def _fork(rules: AnyGame, row: int, fork: Fork, games: Mapping[int, Game], seen: Seen) -> Entry:
    costs = class_review.costs_of(fork, games, seen)
    did = "; ".join(
        f"{len(same)} × {phrases.button(rules, move)}" + (f": {costs[move]}" if move in costs else "")
        for move, same in fork.choices
    )
    before = " → ".join(phrases.button(rules, move) for move in fork.path) or "all the same"
    who = phrases.capital(phrases.seat_title(rules, fork.seat))
    cells = (str(fork.move), str(fork.turn), who, str(len(fork.games)), did, before)
    return Entry(row, cells, send={"do": "open", "room": games[fork.games[0]].room, "ply": fork.ply})
