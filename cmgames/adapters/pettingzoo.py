"""The games as PettingZoo environments (https://pettingzoo.farama.org, version 1.24 and later).

    from cmgames.adapters.pettingzoo import env
    tunnels = env("tunnel-rat", tunnels_to_win=2, casualties_to_win=2)

An environment follows the AEC API: agents are the seats, they act one at a time, and each observation carries the mask
of legal actions.  The winner gets 1, the loser -1; a game without a winner gives 0 to both.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from cmgames.adapters.encoding import Encoder
from cmgames.engine.table import Table


def env(game: str, **options: Any) -> AECEnv:
    """A game as an environment that checks how it is used; see `raw_env`.

    An illegal action ends the game: whoever made it gets -1, the other 0.
    """
    return wrappers.OrderEnforcingWrapper(wrappers.TerminateIllegalWrapper(raw_env(game, **options), illegal_reward=-1))


class raw_env(AECEnv):  # type: ignore[misc]  # noqa: N801  so PettingZoo calls it
    """A game as an environment without further checks.

    Parameters
    ----------
    game : name of a game in `cmgames.GAMES`.
    **options : the game's options by name; they stay through every reset.

    Raises
    ------
    ValueError
        There is no such game, or no game can be played with these options.
    """

    def __init__(self, game: str, **options: Any) -> None:
        super().__init__()
        self._name, self._options = game, options
        self._random = random.Random()
        self._table = Table(game, seed=0, **options)
        self._encoder = Encoder(self._table.game)
        self._actions = self._table.game.actions()
        self._number = {move: number for number, move in enumerate(self._actions)}
        self.metadata = {"name": f"{game.replace('-', '_')}_v0", "is_parallelizable": False, "render_modes": []}
        self.possible_agents = list(self._table.game.seats)
        most = max(len(self._table.game.catalogue.pile()), 1000)
        self.observation_spaces = {
            seat: Dict(
                {
                    "observation": Box(0, most, (len(self._encoder.names),), np.float32),
                    "action_mask": Box(0, 1, (len(self._actions),), np.int8),
                }
            )
            for seat in self.possible_agents
        }
        self.action_spaces = {seat: Discrete(len(self._actions)) for seat in self.possible_agents}

    def observation_space(self, agent: str) -> Dict:
        """The space of a seat's observations: see `cmgames.adapters.encoding.Encoder`."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        """The space of a seat's actions: the places in the game's ``actions()``."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal anew; the same seed gives the same games from here on."""
        if seed is not None:
            self._random.seed(seed)
        self._table = Table(self._name, seed=self._random.getrandbits(64), **self._options)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self._mover()

    def observe(self, agent: str) -> dict[str, Any]:
        """What a seat may know, and what it may do now."""
        mask = np.zeros(len(self._actions), np.int8)
        if agent == self._table.seat:
            mask[[self._number[move] for move in self._table.legal()]] = 1
        return {"observation": self._encoder.encode(self._table.view(agent)), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Make the move of that number for the seat whose move it is.

        Raises
        ------
        IllegalMove
            The move cannot be made now; the game is as it was.
        """
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None
        self._table.play(self._actions[action])
        self._cumulative_rewards[agent] = 0
        outcome = self._table.outcome
        if outcome is None:
            self.agent_selection = self._mover()
            return
        self.terminations = dict.fromkeys(self.agents, True)
        if outcome.winner is not None:
            self.rewards = {seat: 1 if seat == outcome.winner else -1 for seat in self.agents}
        self._accumulate_rewards()

    def _mover(self) -> str:
        """The seat whose move it is; somebody moves in every game that is not over."""
        seat = self._table.seat
        assert seat is not None
        return seat
