"""Games as extensive-form files for Gambit (https://www.gambit-project.org; read by pygambit 16.2 and later).

    from pathlib import Path
    from cmgames.adapters.gambit import efg
    Path("rat.efg").write_text(efg("tunnel-rat", vc=1, traps=1, tunnels=1, casualties_to_win=1, tunnels_to_win=1,
                                   max_questions=0, max_turns=1))

Chances are written as fractions, so that they add up to one.  The winner gets 1, the loser -1; without a winner both
get 0.  The tree is that of `cmgames.odds.tree`; an information set's label is what its seat has seen.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from cmgames.engine.registry import game as find_game
from cmgames.odds.tree import Chance, Decision, End, Node, Seen, grow


def efg(game: str, **options: Any) -> str:
    """The whole tree of a small game in Gambit's format.

    Parameters
    ----------
    game : name of a game in `cmgames.GAMES`.
    **options : the game's options by name.

    Raises
    ------
    ValueError
        There is no such game; no game can be played with these options; the tree is too large (see
        `cmgames.odds.tree.grow`).
    """
    rules = find_game(game)
    root = grow(rules(rules.Options.make(options)))
    names = " ".join(f'"{seat}"' for seat in rules.seats)
    writer = _Writer(tuple(rules.seats))
    return "\n".join([f'EFG 2 R "{rules.title}" {{ {names} }}', '""', *writer.lines(root), ""])


class _Writer:
    """Writes nodes as lines, and numbers them as the format wants it."""

    def __init__(self, seats: tuple[str, ...]) -> None:
        self.seats = seats
        self.sets: dict[str, dict[Seen, int]] = {seat: {} for seat in seats}
        self.chances = 0

    def lines(self, node: Node) -> Iterator[str]:
        """The nodes in prefix order."""
        if isinstance(node, End):
            yield self._end(node)
            return
        yield self._chance(node) if isinstance(node, Chance) else self._decision(node)
        for branch in node.branches:
            yield from self.lines(branch)

    def _chance(self, node: Chance) -> str:
        self.chances += 1
        branches = " ".join(f'"{number}" {chance}' for number, chance in enumerate(node.chances, 1))
        return f'c "" {self.chances} "" {{ {branches} }} 0'

    def _decision(self, node: Decision) -> str:
        known = self.sets[node.seat]
        number = known.setdefault(node.seen, len(known) + 1)
        moves = " ".join(f'"{move}"' for move in node.moves)
        seen = "; ".join(node.seen)
        return f'p "" {self.seats.index(node.seat) + 1} {number} "{seen}" {{ {moves} }} 0'

    def _end(self, node: End) -> str:
        number = 1 if node.winner is None else 2 + self.seats.index(node.winner)
        payoffs = ", ".join(str(0 if node.winner is None else 1 if seat == node.winner else -1) for seat in self.seats)
        return f't "" {number} "{node.winner or "nobody"}" {{ {payoffs} }}'
