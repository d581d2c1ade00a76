"""The rats that can be simulated: what each names, as a policy and as a table, and what it is worth."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from cmgames.games.tunnel_rat import TRAP, TUNNEL, VC
from cmgames.odds.tunnel_rat import Policy, Position, evaluate
from cmgames.odds.tunnel_rat.model import Model
from cmgames.odds.tunnel_rat.policies import best, uniform
from cmgames.odds.tunnel_rat.position import GUESSES, START, Counts

EITHER_DANGER, ANY = TUNNEL + 1, TUNNEL + 2
NAMES = {
    ("shoot",): VC,
    ("search",): TRAP,
    ("advance",): TUNNEL,
    ("shoot", "search"): EITHER_DANGER,
    tuple(GUESSES): ANY,
}
"""The code in a table of the guesses among which a rat chooses, each equally likely."""

Table = npt.NDArray[np.int8]
"""Codes by tunnels, casualties, VCs kept by the VC, and the unseen VCs, Traps and tunnels."""

POSITIONS = 300_000
"""To solve a game with more positions than this would take too long."""


def counter(_model: Model) -> Policy:
    """Name the likeliest kind by count; of several, the tunnel, and between dangers either."""

    def policy(position: Position, _signal: str | None) -> str | Mapping[str, Fraction]:
        most = max(position.unseen)
        likeliest = [guess for guess, kind in GUESSES.items() if position.unseen[kind] == most]
        return "advance" if "advance" in likeliest else dict.fromkeys(likeliest, Fraction(1, len(likeliest)))

    return policy


RATS: dict[str, Callable[[Model], Policy]] = {"random": uniform, "counter": counter, "best": best}
"""The rats by name."""

BY_SCORE = {"best"}
"""Those that look at the score, and not only at the unseen cards."""


def guess_table(rat: str, options: Mapping[str, Any]) -> Table:
    """What a rat names in every position; a rat that does not look at the score has one table for all scores.

    Raises
    ------
    ValueError
        There are too many positions to find the best guess in each.
    """
    model, scored = Model.make(options, None, exact=False), rat in BY_SCORE
    if scored and not _solvable(model):
        raise ValueError(f"This game has more than {POSITIONS:,} positions: too many to find the best guess in each.")
    policy, rules = RATS[rat](model), model.options
    scores = rules.tunnels_to_win, rules.casualties_to_win, min(rules.vc, rules.casualties_to_win) + 1
    table: Table = np.zeros((*(scores if scored else (1, 1, 1)), *(n + 1 for n in model.fresh(START))), np.int8)
    for layer in model.layers() if scored else (START,):
        for deck in _decks(model.fresh(layer)):
            code = _code(policy(Position(deck, *layer), None))
            table[(layer.tunnels, layer.casualties, layer.dangers[0], *deck)] = code
    return np.broadcast_to(table, (*scores, *table.shape[3:]))


def value(rat: str, options: Mapping[str, Any]) -> Fraction | None:
    """A rat's exact chance to win when turns are without limit; None where it would take too long."""
    model = Model.make(options, None, exact=True)
    return Fraction(evaluate(RATS[rat](model), **options)) if _solvable(model) else None


def _solvable(model: Model) -> bool:
    layers = sum(1 for _ in model.layers())
    return layers * prod(cards + 1 for cards in model.fresh(START)) <= POSITIONS


def _decks(largest: Counts) -> list[Counts]:
    """The decks with at most so many cards of each kind, from which a card can be drawn."""
    vc, traps, tunnels = (range(cards + 1) for cards in largest)
    return [deck for deck in product(vc, traps, tunnels) if any(deck)]


def _code(answer: str | Mapping[str, Any]) -> int:
    return NAMES[(answer,) if isinstance(answer, str) else tuple(answer)]
