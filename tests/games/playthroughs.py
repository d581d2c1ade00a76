"""Golden playthroughs: whole games as text, with what each seat sees.  They show a change of rules in a diff.

Write them anew with ``python -m tests.games.playthroughs`` from the repository's root, and read the diff.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from cmgames import Move, Table
from cmgames.engine.chance import draw
from cmgames.engine.view import PileView, View
from tests.games.helpers import SMALL

FOLDER = Path(__file__).parents[1] / "playthroughs"
MIDDLE: dict[str, Any] = {"kinds": 2, "secrecy": 4, "terrorist_hand": 10}
CASES: dict[str, tuple[str, int, dict[str, Any]]] = {
    "tunnel_rat": ("tunnel-rat", 7, {}),
    "tunnel_rat_keep": ("tunnel-rat", 3, {"casualty_card": "keep"}),
    "tunnel_rat_max_questions": ("tunnel-rat", 5, {"max_questions": 1}),
    "tunnel_rat_max_turns": ("tunnel-rat", 2, {"max_turns": 3}),
    "tunnel_rat_small": ("tunnel-rat", 4, SMALL["tunnel-rat"]),
    "cat_and_mouse": ("cat-and-mouse", 58, {}),
    "cat_and_mouse_after_the_turn": ("cat-and-mouse", 1, MIDDLE | {"empty_deck_ends": "after the turn"}),
    "cat_and_mouse_hand_limit_always": ("cat-and-mouse", 2, MIDDLE | {"hand_limit_applies": "always"}),
    "cat_and_mouse_closed_discards": ("cat-and-mouse", 8, MIDDLE | {"open_discards": False}),
    "cat_and_mouse_small": ("cat-and-mouse", 4, SMALL["cat-and-mouse"]),
}
"""Name of the file: the game, its seed, its options."""


def choose(table: Table, seed: int) -> Move:
    """A move as a person might make it: combos at once, attacks soon, the rarest card discarded, the rest by lot."""
    legal = table.legal()
    lot = draw(seed, len(table.moves), 840)
    combos = [move for move in legal if move.verb == "combo"]
    melds = [move for move in legal if move.verb == "meld"]
    if combos or (melds and lot % 3 == 0):
        return (combos or melds)[0]
    choices = [move for move in legal if move.verb != "meld" and not (move.verb == "decline" and lot % 4)]
    if choices[0].verb == "discard":
        hand = Counter(table.view(table.seat or "").pile(f"{table.seat} hand").cards)
        rarest = min(hand[move.cards[0]] for move in choices)
        choices = [move for move in choices if hand[move.cards[0]] == rarest]
    return choices[lot % len(choices)]


def pile_text(pile: PileView) -> str:
    """A pile as its viewer sees it: ``us hand 3: CIA FBI*2``, or ``discard 4, top Trap``."""
    if pile.layout == "pile":
        return f"{pile.id} {pile.size}" + (f", top {pile.cards[-1]}" if pile.cards else "")
    cards = (f"{name}*{n}" if n > 1 else name for name, n in Counter(pile.cards).items())
    return f"{pile.id} {pile.size}" + (": " + ", ".join(cards) if pile.cards else "")


def parts(view: View) -> dict[str, str]:
    """A view in short, part by part."""
    piles = {f"pile {pile.id}": pile_text(pile) for pile in view.piles}
    tracks = {f"track {track.id}": f"{track.id} {track.value} of {track.goal}" for track in view.tracks}
    return piles | tracks | {"answers": f"answers {len(view.answers)}"}


def playthrough(name: str, seed: int, options: dict[str, Any]) -> str:
    """A whole game as text."""
    table = Table(name, seed=seed, salt="golden", **options)
    counts = {}
    while table.seat is not None:
        counts[len(table.moves)] = len(table.legal())
        table.play(choose(table, seed + 1))
    told = ", ".join(f"{key}={value!r}" for key, value in options.items()) or "printed rules"
    lines = [f"{table.game.title}: seed {seed}, {told}", f"commitment {table.proof.commitment}"]
    for ply, event in enumerate(table.log("open")):
        if ply == 0 or event.turn != table.log("open")[ply - 1].turn:
            lines += ["", f"Turn {event.turn}"]
        choice = f" (of {counts[ply]})" if ply in counts else ""
        lines += [f"{ply:3}. {event.phase}, {event.by}: {event.move}{choice}", *seen(table, ply)]
    assert table.outcome is not None
    return "\n".join([*lines, "", f"Winner: {table.outcome.winner}. {table.outcome.reason}", ""])


def seen(table: Table, ply: int) -> list[str]:
    """What each seat and a spectator see of a move: the event, and what it changes in the view; equal lines in one."""
    lines: dict[str, list[str]] = {}
    for viewer in (*table.game.seats, "spectator"):
        before, after = parts(table.view(viewer, ply)), parts(table.view(viewer, ply + 1))
        changes = [text for key, text in after.items() if text != before[key]]
        lines.setdefault(" | ".join([str(table.log(viewer, ply)[0].move), *changes]), []).append(viewer)
    return [f"       {', '.join(viewers)}: {line}" for line, viewers in lines.items()]


def main() -> None:
    """Write every playthrough."""
    FOLDER.mkdir(exist_ok=True)
    for file, case in CASES.items():
        (FOLDER / f"{file}.txt").write_text(playthrough(*case), encoding="utf-8")


if __name__ == "__main__":
    main()
