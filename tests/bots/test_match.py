"""Who beats whom, and that docs/players.md tells it as it is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cmgames.bots.match import BEGIN, END, Cell, insert, markdown, match, wilson
from cmgames.bots.player import quick
from cmgames.engine.registry import GAMES

RAT, CAT = "tunnel-rat", "cat-and-mouse"


def test_wilson_intervals_of_textbook_cases() -> None:
    assert wilson(0, 10) == pytest.approx((0, 0.2775), abs=1e-4)
    assert all(0 <= wilson(wins, n)[0] <= wilson(wins, n)[1] <= 1 for n in range(1, 60) for wins in range(n + 1))
    assert wilson(81, 263) == pytest.approx((0.2553, 0.3662), abs=1e-4)


@pytest.mark.parametrize(
    ("game", "better", "worse", "games"),
    [
        (RAT, ("counter", "steady"), ("random", "steady"), 100),
        (RAT, ("reader", "nervous"), ("counter", "nervous"), 200),
        (RAT, ("reader", "nervous"), ("reader", "actor"), 200),
        (RAT, ("reader", "nervous"), ("reader", "steady"), 200),
        (CAT, ("collector", "random"), ("random", "random"), 60),
        (CAT, ("collector", "hunter"), ("collector", "profiler"), 200),
        (CAT, ("schemer", "profiler"), ("collector", "profiler"), 400),
    ],
)
def test_the_stronger_player_wins_more(game: str, better: tuple[str, str], worse: tuple[str, str], games: int) -> None:
    assert match(game, *better, games, seed=2).interval[0] > match(game, *worse, games, seed=2).interval[1]


def test_a_match_counts_draws_and_its_seed_decides_it() -> None:
    cell = match(RAT, "counter", "actor", 30, seed=3, max_turns=8)
    assert cell.draws > 0
    assert cell.games == 30
    assert cell == match(RAT, "counter", "actor", 30, seed=3, max_turns=8)
    assert cell != match(RAT, "counter", "actor", 30, seed=4, max_turns=8)
    assert str(Cell(RAT, "counter", "actor", 5, 3, 2)) == "50.0 (23.7 to 76.3), 2 drawn"


def test_the_documented_tables_are_whole_large_and_true() -> None:
    text = (Path(__file__).parents[2] / "docs/players.md").read_text(encoding="utf-8")
    tables = text.split(BEGIN)[1].split(END)[0]
    assert insert(text, tables.strip() + "\n") == text
    sizes = re.findall(r"(\d+) games a cell, seed (\d+)", tables)
    for game, (games, seed) in zip((RAT, CAT), sizes, strict=True):
        assert int(games) >= 2000
        rows, columns = (quick(game, seat) for seat in GAMES[game].seats)
        part = tables.split(f"### {GAMES[game].title}")[1].split("###")[0]
        cells = {line.split(" | ")[0].strip("| "): line.strip("| ").split(" | ")[1:] for line in part.splitlines()}
        assert all(len(cells[row]) == len(columns) for row in rows)
        row, column = rows[1], columns[0]
        assert cells[row][0] == str(match(game, row, column, int(games), int(seed)))


def test_tables_go_between_the_markers_of_a_document() -> None:
    cells = [Cell(RAT, "counter", name, 1000, 1000, 0) for name in ("steady", "nervous")]
    table = markdown(cells, seed=1)
    assert "| the rat \\ the VC | steady | nervous |" in table
    assert "| counter | 50.0 (47.8 to 52.2) | 50.0 (47.8 to 52.2) |" in table
    once = insert(f"before\n{BEGIN}\nold\n{END}\nafter", table)
    assert once == insert(once, table) == f"before\n{BEGIN}\n\n{table}\n{END}\nafter"
    with pytest.raises(ValueError, match="no place for the tables"):
        insert("nothing", table)
