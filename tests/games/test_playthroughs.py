"""Golden playthroughs are what the rules play today, and no game and no option lacks one."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import pytest

from cmgames import GAMES
from tests.games.playthroughs import CASES, FOLDER, playthrough

SHOWS = {
    "tunnel_rat": ["casualty ", "keep Tunnel", "discard "],
    "tunnel_rat_keep": ["dangers 2, top"],
    "tunnel_rat_max_questions": ["Cross Examination Phase, rat: pass (of 1)"],
    "tunnel_rat_max_turns": ["Winner: None. The game has stopped after 3 turns"],
    "tunnel_rat_small": ["shuffle"],
    "cat_and_mouse": ["combo ", "take ", "secrecy ", "13: "],
    "cat_and_mouse_after_the_turn": ["terrorist deck 0", "no more cards"],
    "cat_and_mouse_hand_limit_always": ["Terrorist Attack Phase, terrorist: discard"],
    "cat_and_mouse_closed_discards": ["us, spectator: discard |", "terrorist, spectator: discard |"],
    "cat_and_mouse_small": ["meld", "guess", "show"],
}
"""What each playthrough must show, else it is no example of its options."""


@pytest.mark.parametrize("file", CASES)
def test_a_playthrough_is_as_it_was(file: str) -> None:
    golden = (FOLDER / f"{file}.txt").read_text(encoding="utf-8")
    assert playthrough(*CASES[file]) == golden, "run `python -m tests.games.playthroughs` and read the diff"
    assert [text for text in SHOWS[file] if text not in golden] == []


def test_every_game_and_every_option_has_a_playthrough() -> None:
    played: dict[str, dict[str, set[Any]]] = defaultdict(lambda: defaultdict(set))
    for case, _, options in CASES.values():
        for option, value in options.items():
            played[case][option].add(value)
    assert {case for case, _, options in CASES.values() if not options} == set(GAMES)
    for name, game in GAMES.items():
        for option, default in _defaults(game).items():
            assert played[name][option] - {default}, f"{name}: no playthrough with another {option} than {default}"


def _defaults(game: Any) -> dict[str, Any]:
    options = game.Options.make({})
    return {field: getattr(options, field) for field in options.__struct_fields__}


def test_the_folder_holds_nothing_else_and_is_small() -> None:
    files = {path.stem: path.stat().st_size for path in FOLDER.iterdir()}
    assert files.keys() == CASES.keys()
    assert sum(files.values()) < 400_000
