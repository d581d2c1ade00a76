"""The simulated games as the engine plays them: hundreds of times as slow, and what the compiled ones have to equal.

The rules draw and play every move, and computer players choose theirs from their views; only the random numbers are
those of `cmgames.odds.simulation.numbers`.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any

from cmgames.engine.game import CHANCE, AnyGame, State
from cmgames.engine.moves import Move
from cmgames.engine.registry import game as find_game
from cmgames.engine.view import View
from cmgames.games.cat_and_mouse import CatAndMouseState
from cmgames.games.tunnel_rat import ACTION, TunnelRatState
from cmgames.odds.simulation.numbers import CARDS, MOVES, TALK, Numbers

Choose = Callable[[View, tuple[Move, ...], random.Random], Move]
"""What a computer player does, as in `cmgames.bots.player`."""


class Dice:
    """The random numbers of one game of a simulation, as its steps use them up; see the modules of the games."""

    def __init__(self, seed: int, number: int) -> None:
        self.game = seed, number
        self.in_order = {stream: Numbers(*self.game, stream) for stream in (CARDS, MOVES)}

    def at(self, state: State) -> random.Random:
        """The numbers for the next step."""
        stream = CARDS if state.step.seat == CHANCE else MOVES
        if not isinstance(state, TunnelRatState):
            return self.in_order[stream]
        return Numbers(*self.game, stream if stream == CARDS or state.step is ACTION else TALK, state.turn)


def play(game: str, players: Mapping[str, Choose], number: int, seed: int, **options: Any) -> tuple[int, ...]:
    """Play one game of a simulation by the rules.

    Parameters
    ----------
    game : name of the game.
    players : what chooses the moves of each seat.
    number, seed : which game it is, of which simulation.
    **options : the game's options by name.

    Returns
    -------
    tuple of int
        The row that the compiled game makes: see ``COLUMNS`` of its module.
    """
    kind = find_game(game)
    rules, dice = kind(kind.Options.make(options)), Dice(seed, number)
    state: State = rules.start()
    while state.step.seat is not None:
        state = rules.play(state, _move(rules, state, players, dice.at(state)))
    outcome = rules.outcome(state)
    assert outcome is not None
    return [*rules.seats, None].index(outcome.winner), state.turn, *_score(state)


def _move(rules: AnyGame, state: State, players: Mapping[str, Choose], random: random.Random) -> Move:
    """The next move, of chance or of a seat."""
    seat = state.step.seat
    assert seat is not None
    if seat == CHANCE:
        pool = rules.pool(state)
        return rules.dealt(state, pool[int(random.random() * len(pool))])
    return players[seat](rules.view(state, seat), rules.legal(state), random)


def _score(state: State) -> tuple[int, ...]:
    """What is compared beside the winner and the number of turns."""
    if isinstance(state, TunnelRatState):
        return state.kept_tunnels, state.casualties
    assert isinstance(state, CatAndMouseState)
    return len(state.terrorist_deck), len(state.us_deck), len(state.terrorist_hand), len(state.us_hand)
