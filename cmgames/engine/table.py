"""A table: one game, its rules and the moves made so far."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import msgspec

from cmgames.engine import chance, registry
from cmgames.engine.cards import Pile
from cmgames.engine.game import CHANCE, AnyGame, Outcome, State
from cmgames.engine.moves import IllegalMove, Move
from cmgames.engine.record import Record, RecordError
from cmgames.engine.view import OPEN, SPECTATOR, View

MAX_SEED = 10**100

parse = lru_cache(maxsize=4096)(Move.parse)
_under = lru_cache(maxsize=64)(lambda game, options: game(options))


def _rules(game: type[AnyGame], values: dict[str, Any]) -> AnyGame:
    """The game under these options; games hold no state, so that tables share them."""
    rules: AnyGame = _under(game, game.Options.make(values))
    return rules


class Event(msgspec.Struct, frozen=True, gc=False):
    """A move as one seat saw it.

    Attributes
    ----------
    ply : its number in the record, from 0.
    turn, phase : when it was made.
    by : the seat that made it, or ``chance``.
    move : the move, without the cards that this seat may not see.
    """

    ply: int
    turn: int
    phase: str
    by: str
    move: Move


class Proof(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a table shows of its seed: the commitment always, seed and salt after the end."""

    commitment: str
    seed: str = ""
    salt: str = ""


class Table:
    """One game at one table: the only holder of a whole state.

    Parameters
    ----------
    game : name of a game in `cmgames.GAMES`.
    seed : decides every card (see `cmgames.engine.chance`); by default one that nobody can guess.
    salt : hides the seed in the commitment; by default one that nobody can guess.
    deals : names of cards that chance deals first, in this order, instead of those that the seed decides; ``""``
        leaves a card to the seed, and so does a card that cannot be dealt when its turn comes later in the game.
        For teachers who set up a position; the record says which were chosen.
    **options : the game's options by name.

    Raises
    ------
    ValueError
        There is no such game; a card of `deals` is not in the game, or not among those of the first deal;
        `OptionError`, a ValueError too: no game can be played with these options.

    Examples
    --------
    >>> import cmgames
    >>> table = cmgames.Table("tunnel-rat", seed=7)
    >>> table.seat, table.phase
    ('vc', 'Draw Phase')
    >>> table.play("draw")
    1
    >>> table.view("rat").pile("card").cards
    ()
    """

    def __init__(
        self,
        game: str,
        *,
        seed: int | None = None,
        salt: str | None = None,
        deals: Sequence[str] = (),
        **options: Any,
    ) -> None:
        self.game: AnyGame = _rules(registry.game(game), options)
        self.version = 0
        if seed is not None and not (isinstance(seed, int) and abs(seed) < MAX_SEED):
            raise ValueError(f"A seed is a whole number of at most 100 digits, not {seed!r:.50}.")
        self._seed = chance.new_seed() if seed is None else seed
        self._salt = chance.new_salt() if salt is None else salt
        self._moves: list[Move] = []
        self._states: list[State] = [self.game.start()]
        self._draws = 0
        self._deals = tuple(deals)
        self._chosen: set[int] = set()
        self._legal: tuple[Move, ...] | None = None
        self._run_chance()
        self._demand_deals()

    @property
    def state(self) -> State:
        """The whole state, hidden cards included; for rules, odds and teachers."""
        return self._states[-1]

    @property
    def seat(self) -> str | None:
        """The seat whose move it is; None when the game is over."""
        seat = self._states[-1].step.seat
        return None if seat == CHANCE else seat

    @property
    def phase(self) -> str:
        """The printed name of the phase."""
        return self._states[-1].step.phase

    @property
    def turn(self) -> int:
        """The number of the turn, from 1."""
        return self._states[-1].turn

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on."""
        return self.game.outcome(self._states[-1])

    @property
    def moves(self) -> tuple[Move, ...]:
        """All moves so far, those of chance included."""
        return tuple(self._moves)

    @property
    def dealt(self) -> int:
        """How many cards chance has drawn among several."""
        return self._draws

    @property
    def proof(self) -> Proof:
        """The commitment to the seed, and the seed and the salt themselves once the game is over."""
        bound = chance.commitment(self._seed, self._salt)
        return Proof(bound) if self.outcome is None else Proof(bound, str(self._seed), self._salt)

    def legal(self) -> tuple[Move, ...]:
        """The moves of the seat whose move it is, in a stable order."""
        legal = self._legal
        if legal is None:
            legal = self._legal = self.game.legal(self._states[-1])
        return legal

    def why_not(self, move: Move) -> str:
        """Why a move cannot be made now, in a sentence; empty when it can."""
        if move.bare in self.legal():
            shows = move.tell is None or self.game.verbs[move.verb].tells
            return "" if shows else f"Nobody watches a face at '{move.verb}'."
        if self.seat is None:
            return "The game is over."
        named = (move.verb, sorted(move.cards))
        same = next((legal for legal in self.legal() if (legal.verb, sorted(legal.cards)) == named), None)
        if same is not None:
            return f"Name the cards in this order: {same}."
        foreign = [name for name in move.cards if name not in self.game.catalogue.names]
        if foreign:
            return f"There is no {foreign[0]} in this game."
        return self.game.why_not(self._states[-1], move.bare)

    def play(self, move: Move | str, at: int | None = None) -> int:
        """Make a move, and then all that chance does until a seat has to act.

        Parameters
        ----------
        move : the move or its text.
        at : the version that the move was made at; None stands for the present one.

        Returns
        -------
        int
            The new version.

        Raises
        ------
        IllegalMove
            With the reason; the table is as it was.
        """
        if at is not None and at != self.version:
            raise IllegalMove("The table has moved on since: look again, then choose.")
        if isinstance(move, str):
            move = parse(self.game.name, move)
        if (move.tell is not None or move not in self.legal()) and (reason := self.why_not(move)):
            raise IllegalMove(reason)
        if self._push(move).step.seat == CHANCE:
            self._run_chance()
        self.version += 1
        return self.version

    def undo(self) -> int:
        """Take back the last seat's move and what chance did after it.

        Returns
        -------
        int
            The new version: it counts up, so that moves made before are stale.

        Raises
        ------
        IllegalMove
            No seat has moved yet.
        """
        back = next((ply for ply in reversed(range(len(self._moves))) if self.mover(ply) != CHANCE), None)
        if back is None:
            raise IllegalMove("There is no move to take back.")
        self._cut(back)
        self.version += 1
        return self.version

    def can_undo(self, seat: str) -> bool:
        """Whether `seat` could take back its last move without anybody having learned anything since.

        One learns from a card that was drawn or shown, and from whatever another seat did.
        """
        for ply in reversed(range(len(self._moves))):
            if (by := self.mover(ply)) == seat:
                return True
            if by != CHANCE or self._moves[ply].cards:
                return False
        return False

    def mover(self, ply: int) -> str:
        """Who made the move of that number: a seat, or ``chance``."""
        return self._states[ply].step.seat or CHANCE

    def view(self, seat: str, ply: int | None = None) -> View:
        """What a seat may know: now, or before the move number `ply` was made.

        Parameters
        ----------
        seat : a seat of the game, ``spectator`` or ``open``.
        ply : number of a move, from 0; None stands for now.

        Raises
        ------
        ValueError
            The game has no such seat.
        """
        if seat not in self.game.seats and seat not in (SPECTATOR, OPEN):
            raise ValueError(f"{self.game.title} has no seat {seat!r}: there are {', '.join(self.game.seats)}.")
        return self.game.view(self._states[-1 if ply is None else ply], seat)

    def log(self, seat: str, start: int = 0) -> tuple[Event, ...]:
        """What a seat has seen happen, from move number `start` on."""
        return tuple(
            Event(ply, state.turn, state.step.phase, state.step.seat or CHANCE, self._seen(ply, seat))
            for ply, state in enumerate(self._states[start:-1], start)
        )

    def random(self) -> random.Random:
        """Random numbers for the computer player whose move it is; the same whenever this game is replayed."""
        return chance.player_random(self._seed, len(self._moves))

    def record(self, players: Mapping[str, str] | None = None) -> Record:
        """The game as a record. It holds every card and the seed: keep it from the players until the end."""
        return Record.make(
            game=self.game.name,
            options=self.game.options,
            seed=self._seed,
            salt=self._salt,
            chosen=tuple(sorted(self._chosen)),
            players=dict(players or {}),
            moves=tuple(map(str, self._moves)),
        )

    @classmethod
    def from_record(cls, record: Record | Mapping[str, Any] | str | bytes) -> Table:
        """The table that a record was made of.

        Raises
        ------
        RecordError
            The record is damaged, truncated, reordered, illegal or foreign; it says where and why.
        """
        record = Record.load(record)
        try:
            registry.game(record.game).Options.make(record.options)
            table = cls(record.game, seed=int(record.seed), salt=record.salt, **record.options)
        except ValueError as fault:
            raise RecordError(f"The record cannot be played: {fault}") from None
        table._cut(0)
        table._chosen = set(record.chosen)
        for ply, text in enumerate(record.moves):
            table._replay(ply, text)
        if table.state.step.seat == CHANCE:
            raise RecordError(f"The record breaks off at move {len(record.moves)}: a card is still to be dealt.")
        table._choose_again(record.chosen)
        return table

    def _choose_again(self, chosen: tuple[int, ...]) -> None:
        """Keep the chosen cards of a record for the time after an undo."""
        drawn = self._drawn_plies()
        wrong = [ply for ply in chosen if ply not in drawn]
        if wrong or list(chosen) != sorted(set(chosen)):
            raise RecordError(f"The record names chosen cards at {list(chosen)}, but no card is drawn at {wrong}.")
        self._deals = tuple(self._moves[ply].cards[0] if ply in self._chosen else "" for ply in drawn)

    def _drawn_plies(self) -> list[int]:
        """The numbers of the moves by which a card was drawn among several."""
        states = enumerate(self._states[:-1])
        return [ply for ply, state in states if state.step.seat == CHANCE and len(self.game.pool(state)) > 1]

    def _demand_deals(self) -> None:
        """Refuse chosen cards that do not exist, or that the first deal could not deal."""
        missed = [number for number, ply in enumerate(self._drawn_plies()) if ply not in self._chosen]
        for number, card in enumerate(self._deals):
            if card and (card not in self.game.catalogue.names or number in missed):
                raise ValueError(f"Card {number + 1} of the chosen ones, {card!r:.60}, cannot be dealt there.")

    def _replay(self, ply: int, text: str) -> None:
        """Make the move of a record at its place, or refuse the record."""
        state = self.state
        try:
            move = parse(self.game.name, text)
            reason = "" if state.step.seat == CHANCE else self.why_not(move)
            if str(move) != text:
                reason = f"it is written '{move}'."
        except IllegalMove as fault:
            reason = str(fault)
        if reason:
            raise RecordError(f"Move {ply} of the record, {text!r}, cannot be made: {reason}")
        if state.step.seat == CHANCE:
            self._replay_chance(state, ply, move)
        else:
            self._push(move)
            self.version += 1

    def _replay_chance(self, state: State, ply: int, move: Move) -> None:
        """Deal the card of a record, if the seed deals it or a teacher chose it."""
        pool = self.game.pool(state)
        possible = [known for known, _ in self.game.chance(state)]
        drawn = self._drawn(state, pool)
        if move not in (possible if ply in self._chosen else [drawn]):
            raise RecordError(f"Move {ply} of the record says '{move}', but the seed deals '{drawn}'.")
        self._draws += len(pool) > 1
        self._push(move)

    def _seen(self, ply: int, seat: str) -> Move:
        move = self._moves[ply]
        return move if seat == OPEN else self.game.seen(self._states[ply], move, seat)

    def _run_chance(self) -> None:
        """Let chance act until a seat has to."""
        state = self._states[-1]
        while state.step.seat == CHANCE:
            pool = self.game.pool(state)
            move = self._drawn(state, pool)
            self._draws += len(pool) > 1
            state = self._push(move)

    def _drawn(self, state: State, pool: Pile) -> Move:
        """The move of chance: the card that a teacher chose, or the one that the seed decides."""
        number, size = self._draws, len(pool)
        if size == 1:
            return self.game.dealt(state, pool[0])
        if number < len(self._deals) and (chosen := self._chosen_deal(state, self._deals[number])):
            self._chosen.add(len(self._moves))
            return chosen
        return self.game.dealt(state, pool[chance.draw(self._seed, number, size)])

    def _chosen_deal(self, state: State, card: str) -> Move | None:
        """The move that deals the card that a teacher chose, if it can be dealt there."""
        return next((move for move, _ in self.game.chance(state) if move.cards == (card,)), None)

    def _push(self, move: Move) -> State:
        state: State = self.game.play(self._states[-1], move)
        self._states.append(state)
        self._moves.append(move)
        self._legal = None
        return state

    def _cut(self, plies: int) -> None:
        """Go back to the state after so many moves."""
        del self._moves[plies:], self._states[plies + 1 :]
        self._draws = len(self._drawn_plies())
        self._chosen = {ply for ply in self._chosen if ply < plies}
        self._legal = None
