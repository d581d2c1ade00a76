"""The games as OpenSpiel games (https://github.com/google-deepmind/open_spiel, version 1.5 and later).

Importing this module registers them:

    import pyspiel
    import cmgames.adapters.open_spiel
    game = pyspiel.load_game("cmgames_tunnel_rat(tunnels_to_win=1,casualties_to_win=1)")

Chance is explicit and is drawn by OpenSpiel; a player's information state is all that the seat has seen happen.
Parameters are the game's options by name, where -1 stands for "no limit".  The cross-examination has one question
unless more are asked for, as OpenSpiel needs an end.  The winner gets 1, the loser -1; without a winner both get 0.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

import numpy as np
import pyspiel

from cmgames.adapters.encoding import Encoder
from cmgames.engine.game import CHANCE, AnyGame, State
from cmgames.engine.moves import Move
from cmgames.engine.registry import game as find_game
from cmgames.engine.view import View

NO_LIMIT = -1
DEFAULTS: Mapping[str, dict[str, Any]] = {"tunnel-rat": {"max_questions": 1}, "cat-and-mouse": {}}
"""For each game that is registered the options that differ from the game's own default."""


Params = tuple[tuple[str, Any], ...]
"""Parameters by name, sorted."""


def _tunnel_rat_length(options: Any) -> int:
    """Decisions of the longest game: a turn has its draw, questions, answers, the guess, and the card is shown."""
    return int(options.max_turns * (10 + 2 * options.max_questions))


def _cat_and_mouse_length(options: Any) -> int:
    """Decisions of the longest game: a card moves in each turn but the last, and no card more than twice."""
    cards = 3 * options.kinds * options.copies + options.secrecy + options.suites * options.names * options.us_copies
    return int(8 * (2 * cards + 1) + 2 * cards)


LENGTHS: Mapping[str, Callable[[Any], int]] = {
    "tunnel-rat": _tunnel_rat_length,
    "cat-and-mouse": _cat_and_mouse_length,
}


def _kind(name: str) -> pyspiel.GameType:
    """How OpenSpiel describes a game of cmgames."""
    rules = find_game(name)
    defaults = {option: _plain(getattr(rules.Options(), option)) for option in rules.Options.__struct_fields__}
    return pyspiel.GameType(
        short_name=f"cmgames_{name.replace('-', '_')}",
        long_name=rules.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=defaults | DEFAULTS[name],
    )


def _plain(value: Any) -> Any:
    """An option's value as a parameter: OpenSpiel's have no None."""
    return NO_LIMIT if value is None else value


class Frame:
    """A game's rules under given parameters, and the numbers that OpenSpiel calls its moves by."""

    def __init__(self, name: str, params: Params) -> None:
        rules = find_game(name)
        values = DEFAULTS[name] | dict(params)
        self.key = name, params
        self.rules: AnyGame = rules(rules.Options.make({k: None if v == NO_LIMIT else v for k, v in values.items()}))
        self.seats = tuple(rules.seats)
        self.moves = self.rules.actions()
        self.number = {move: number for number, move in enumerate(self.moves)}
        self.encoder = Encoder(self.rules)


frame = lru_cache(maxsize=64)(Frame)


class History:
    """The moves so far and the states before and after them; copied and pickled as what it is, a list of moves."""

    def __init__(self, frame: Frame, states: list[State], moves: list[Move]) -> None:
        self.frame, self.states, self.moves = frame, states, moves

    def push(self, move: Move) -> None:
        """Make a move."""
        self.states.append(self.frame.rules.play(self.states[-1], move))
        self.moves.append(move)

    def __deepcopy__(self, memo: Any) -> History:
        return History(self.frame, self.states[:], self.moves[:])

    def __reduce__(self) -> tuple[Any, ...]:
        return _replayed, (*self.frame.key, self.moves)


def _replayed(name: str, params: Params, moves: list[Move]) -> History:
    """The history with these moves."""
    known = frame(name, params)
    history = History(known, [known.rules.start()], [])
    for move in moves:
        history.push(move)
    return history


class TableGame(pyspiel.Game):  # type: ignore[misc]
    """A game of cmgames under given parameters.

    Raises
    ------
    ValueError
        No game can be played with these parameters.
    """

    name: str

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        self.key = self.name, tuple(sorted((params or {}).items()))
        rules = frame(*self.key).rules
        info = pyspiel.GameInfo(
            num_distinct_actions=len(rules.actions()),
            max_chance_outcomes=len(rules.catalogue.names),
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=LENGTHS[self.name](rules.options),
        )
        super().__init__(KINDS[self.name], info, dict(params or {}))

    def new_initial_state(self) -> TableState:
        """The state before the first card is dealt."""
        return TableState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """An observer that sees what a seat may know."""
        return Observer(frame(*self.key), perfect_recall=bool(iig_obs_type and iig_obs_type.perfect_recall))

    def __setstate__(self, text: str) -> None:
        self.__init__(pyspiel.load_game(text).get_parameters())  # type: ignore[misc]


class TableState(pyspiel.State):  # type: ignore[misc]
    """A state of a `TableGame`."""

    def __init__(self, game: TableGame) -> None:
        super().__init__(game)
        self._history = _replayed(*game.key, [])

    @property
    def _state(self) -> State:
        return self._history.states[-1]

    @property
    def _frame(self) -> Frame:
        return self._history.frame

    def current_player(self) -> int:
        """Who moves: a player, chance, or nobody any more."""
        seat = self._state.step.seat
        if seat is None:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if seat == CHANCE else self._frame.seats.index(seat)

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self._frame.number[move] for move in self._frame.rules.legal(self._state))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Which card chance can take, by its code, and how likely."""
        pool = self._frame.rules.pool(self._state)
        return [(code, n / len(pool)) for code, n in sorted(Counter(pool).items())]

    def _move(self, action: int) -> Move:
        """The move that an action stands for here."""
        if self._state.step.seat == CHANCE:
            return self._frame.rules.dealt(self._state, action)
        return self._frame.moves[action]

    def _apply_action(self, action: int) -> None:
        self._history.push(self._move(action))

    def _action_to_string(self, player: int, action: int) -> str:
        return str(self._move(action) if player == pyspiel.PlayerId.CHANCE else self._frame.moves[action])

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self._state.step.seat is None

    def returns(self) -> list[float]:
        """1 for the winner, -1 for the loser, 0 while nobody has won."""
        outcome = self._frame.rules.outcome(self._state)
        if outcome is None or outcome.winner is None:
            return [0.0, 0.0]
        return [1.0 if seat == outcome.winner else -1.0 for seat in self._frame.seats]

    def view(self, player: int) -> View:
        """What a player may know now."""
        return self._frame.rules.view(self._state, self._frame.seats[player])

    def seen(self, player: int) -> tuple[str, ...]:
        """All that a player has seen happen: each move without what is hidden from his seat."""
        seat, history = self._frame.seats[player], self._history
        return tuple(
            f"{state.step.seat} {self._frame.rules.seen(state, move, seat)}"
            for state, move in zip(history.states, history.moves, strict=False)
        )

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> TableState:
        """Another state that this player cannot tell from this one, as chance and the other seat can have reached it.

        The moves are found one after the other, in an order that `sampler` (numbers in [0, 1)) decides, and taken back
        where they lead nowhere: for small games.
        """
        found = self._consistent(self.get_game().new_initial_state(), self.seen(player), player, sampler)
        assert found is not None, "the true history is consistent with what was seen"
        return found

    def _consistent(
        self, state: TableState, seen: tuple[str, ...], player: int, sampler: Callable[[], float]
    ) -> TableState | None:
        """A continuation of `state` in which the player has seen just this."""
        depth = state.move_number()
        if depth == len(seen):
            return state
        actions = [a for a, _ in state.chance_outcomes()] if state.is_chance_node() else state.legal_actions()
        for action in sorted(actions, key=lambda _: sampler()):
            child = state.child(action)
            if child.seen(player)[depth] == seen[depth] and (found := self._consistent(child, seen, player, sampler)):
                return found
        return None

    def __str__(self) -> str:
        return "; ".join(map(str, self._history.moves))


class Observer:
    """What a seat may know, as a tensor and as a string; with perfect recall as all that it has seen happen."""

    def __init__(self, frame: Frame, perfect_recall: bool) -> None:
        self._encoder, self._perfect_recall = frame.encoder, perfect_recall
        self.tensor = np.zeros(len(frame.encoder.names), np.float32)
        self.dict = {"view": self.tensor}

    def set_from(self, state: TableState, player: int) -> None:
        """Fill `tensor` with a player's view of a state."""
        self.tensor[:] = self._encoder.encode(state.view(player))

    def string_from(self, state: TableState, player: int) -> str:
        """A player's view of a state, as text."""
        return "; ".join(state.seen(player)) if self._perfect_recall else str(state.view(player).to_dict())


class TunnelRatGame(TableGame):
    """Tunnel Rat; ``cmgames_tunnel_rat``."""

    name = "tunnel-rat"


class CatAndMouseGame(TableGame):
    """Cat & Mouse; ``cmgames_cat_and_mouse``."""

    name = "cat-and-mouse"


KINDS = {name: _kind(name) for name in DEFAULTS}
for _game in (TunnelRatGame, CatAndMouseGame):
    pyspiel.register_game(KINDS[_game.name], _game)
