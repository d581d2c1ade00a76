"""Every sentence of the printed rules has a row in docs/conformance.md, with a function and a test that exist.

How a text is split: a line is a sentence, except that a line which begins with a small letter goes on with the line
before it, and a line with several sentences (each ends with . ? or ! after a letter, a quotation mark or a bracket) is
cut between them; spaces and tabs count as one space.  Lines without a small letter are headings; of these, the title
and the names of phases state facts and have rows too, the others (`PLAIN_HEADINGS`) have none.
"""

from __future__ import annotations

import importlib
import re
from functools import reduce
from pathlib import Path
from types import ModuleType

import pytest

import cmgames.games
from cmgames import GAMES
from tests.games import test_cat_and_mouse, test_tunnel_rat

PAGE = Path(__file__).parents[2] / "docs" / "conformance.md"
TESTS = {"tunnel-rat": test_tunnel_rat, "cat-and-mouse": test_cat_and_mouse}
READINGS = {"tunnel-rat": [f"T{n}" for n in range(1, 8)], "cat-and-mouse": [f"C{n}" for n in range(1, 14)]}
PLAIN_HEADINGS = {
    "INTRODUCTION", "THE DECK", "OBJECT", "VC RULES", "TURN SEQUENCE", "GAME DESIGNERS NOTES", "OBJECTIVES",
    "THE DECKS", "SETUP", "TERRORIST DECK CARD LIST", "US DECK CARD LIST",
}  # fmt: skip


def sentences(text: str) -> list[str]:
    """The sentences of a printed text that need a row, in order."""
    lines: list[str] = []
    for line in filter(None, (" ".join(line.split()) for line in text.splitlines())):
        if line[0].islower():
            lines[-1] += " " + line
        elif line not in PLAIN_HEADINGS:
            lines.append(line)
    return [sentence for line in lines for sentence in re.split(r'(?<=[a-z)"][.?!]) ', line)]


def rows(game: str, heading: str) -> list[tuple[str, list[str], list[str]]]:
    """A table of the page: what each row is about, its functions and its tests."""
    section = PAGE.read_text(encoding="utf-8").split(f"## {GAMES[game].title}: {heading}\n")[1].split("\n## ")[0]
    cells = [re.split(r"(?<!\\)\|", line)[1:-1] for line in section.splitlines() if line.startswith("|")][2:]
    return [(about.strip(), re.findall("`(.+?)`", code), re.findall("`(.+?)`", tests)) for about, code, tests in cells]


def exists(module: ModuleType, dotted: str) -> bool:
    """Whether a dotted name leads from a module to something."""
    try:
        reduce(getattr, dotted.split("."), module)
    except AttributeError:
        return False
    return True


@pytest.mark.parametrize("game", GAMES)
def test_every_sentence_has_its_row_word_for_word_and_in_order(game: str) -> None:
    assert [about for about, _, _ in rows(game, "sentences")] == sentences(GAMES[game].printed)


@pytest.mark.parametrize("game", GAMES)
def test_every_reading_has_its_row(game: str) -> None:
    assert [about.split()[0] for about, _, _ in rows(game, "readings")] == READINGS[game]


@pytest.mark.parametrize("heading", ["sentences", "readings"])
@pytest.mark.parametrize("game", GAMES)
def test_every_row_names_functions_and_tests_that_exist(game: str, heading: str) -> None:
    places = importlib.import_module(GAMES[game].__module__), cmgames.games
    for about, functions, tests in rows(game, heading):
        assert functions, f"no function: {about}"
        assert tests, f"no test: {about}"
        assert [name for name in functions if not any(exists(place, name) for place in places)] == [], about
        assert [name for name in tests if not (name.startswith("test_") and exists(TESTS[game], name))] == [], about


def test_the_headings_without_a_row_are_headings() -> None:
    lines = {line.strip() for game in GAMES.values() for line in game.printed.splitlines()}
    assert lines >= PLAIN_HEADINGS
