"""Tunnel Rat, compiled: the cards and the guesses of a game, without its questions, which move no cards.

In turn `t`, number `t` of the stream `CARDS` draws the card from the sorted deck, and number `t` of the stream `MOVES`
chooses where a rat names one of several kinds at random.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from cmgames.games.tunnel_rat import TRAP, TUNNEL, VC, TunnelRatOptions
from cmgames.odds.simulation.compiled import below, compiled, key
from cmgames.odds.simulation.numbers import CARDS, MOVES, base
from cmgames.odds.simulation.rats import ANY, EITHER_DANGER, Table, guess_table
from cmgames.odds.simulation.result import Play, Rows

RAT_WINS, VC_WINS, NOBODY_WINS = range(3)
COLUMNS = "winner", "turns", "tunnels", "casualties"
"""What a row holds of a game."""


class Rules(NamedTuple):
    """The options as compiled code takes them."""

    vc: int
    traps: int
    tunnels: int
    tunnels_to_win: int
    casualties_to_win: int
    max_turns: int
    keeps: bool


def prepare(players: Mapping[str, str], options: Mapping[str, Any]) -> Play:
    """What plays games with these players under these options."""
    made = TunnelRatOptions.make(dict(options))
    keeps = made.casualty_card == "keep"
    goals = made.tunnels_to_win, made.casualties_to_win, made.max_turns
    rules = Rules(made.vc, made.traps, made.tunnels, *goals, keeps)
    return partial(_rows, rules, guess_table(players["rat"], options))


def _rows(rules: Rules, table: Table, seed: int, first: int, games: int) -> Rows:
    rows = np.empty((games, len(COLUMNS)), np.int32)
    _play_all(rows, first, np.uint64(base(seed, CARDS)), np.uint64(base(seed, MOVES)), table, rules)
    return rows


@compiled
def _play_all(rows: Rows, first: int, cards: np.uint64, moves: np.uint64, table: Table, rules: Rules) -> None:
    """Play a game for each row."""
    for row in range(len(rows)):
        game = first + row
        rows[row, 0], rows[row, 1], rows[row, 2], rows[row, 3] = _play(key(cards, game), key(moves, game), table, rules)


@compiled
def _play(cards: np.uint64, moves: np.uint64, table: Table, rules: Rules) -> tuple[int, int, int, int]:
    """Play one game: its `COLUMNS`."""
    vc, traps, tunnels = rules.vc, rules.traps, rules.tunnels
    kept_vc = kept_traps = kept_tunnels = casualties = 0
    for turn in range(1, rules.max_turns + 1):
        if vc + traps + tunnels == 0:
            vc, traps, tunnels = rules.vc - kept_vc, rules.traps - kept_traps, rules.tunnels - kept_tunnels
        place = below(cards, turn, vc + traps + tunnels)
        card = (place >= vc) + (place >= vc + traps)
        named = _name(table[kept_tunnels, casualties, kept_vc, vc, traps, tunnels], moves, turn)
        vc, traps, tunnels = vc - (card == VC), traps - (card == TRAP), tunnels - (card == TUNNEL)
        kept_tunnels += (card == TUNNEL) & (named == TUNNEL)
        hurt = (card != TUNNEL) & (named != card)
        casualties += hurt
        kept_vc += hurt & (card == VC) & rules.keeps
        kept_traps += hurt & (card == TRAP) & rules.keeps
        if kept_tunnels == rules.tunnels_to_win:
            return RAT_WINS, turn, kept_tunnels, casualties
        if casualties == rules.casualties_to_win:
            return VC_WINS, turn, kept_tunnels, casualties
    return NOBODY_WINS, rules.max_turns, kept_tunnels, casualties


@compiled
def _name(code: int, moves: np.uint64, turn: int) -> int:
    """The kind that the rat names: the one of the table, or one of several in the order of the legal moves."""
    if code == EITHER_DANGER:
        return below(moves, turn, 2)
    if code == ANY:
        return (below(moves, turn, 3) + TUNNEL) % 3
    return code
