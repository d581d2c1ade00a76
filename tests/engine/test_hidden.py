"""Law 1: what a seat may not see makes no difference to anything that the seat gets.

Two proofs.  In small games, every history is followed: all states that a seat cannot tell apart by what it has seen
(as the rules say it, in `hides`, not as the code does) must give it equal views, logs, legal moves and refusals.  In
random games under random options, a *twin* is built for a history: hidden cards are exchanged in the list of moves as
long as nothing changes that the seat has seen, the twin is replayed as a record, and both tables are compared at each
ply.  The last tests plant a leak in each place and see that it is found.
"""

from __future__ import annotations

import json
import random
from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from msgspec.structs import replace

from cmgames import GAMES, IllegalMove, Move, Outcome, Table
from cmgames.engine.game import CHANCE, AnyGame, State
from cmgames.engine.record import Record
from cmgames.games import CatAndMouse, TunnelRat
from tests.games.helpers import OPTIONS, SEEDS, SMALL, examples, follow, random_game, vocabulary

VIEWERS = [(name, viewer) for name in GAMES for viewer in (*GAMES[name].seats, "spectator")]
FEW: dict[str, Any] = {
    "kinds": 1, "copies": 1, "set_size": 1, "secrecy": 2, "terrorist_hand": 3, "suites": 1, "names": 2, "us_copies": 1,
    "same_name": 1, "one_suite": 1, "all_suites": 1, "us_hand": 1,
}  # fmt: skip
TREES = [
    ("tunnel-rat", SMALL["tunnel-rat"] | {"max_turns": 2}, 20),
    ("tunnel-rat", SMALL["tunnel-rat"] | {"casualty_card": "keep", "max_turns": 1, "max_questions": 1}, 20),
    ("cat-and-mouse", FEW, 14),
    ("cat-and-mouse", FEW | {"open_discards": False, "empty_deck_ends": "after the turn"}, 14),
    ("cat-and-mouse", FEW | {"open_discards": False, "hand_limit_applies": "always", "kinds": 2, "secrecy": 0}, 11),
]
"""Small games, and how many plies of them are followed."""


def hides(state: Any, move: Move, open_discards: bool, viewer: str) -> bool:
    """Whether the rules hide the cards of a move from a viewer: written anew, from the rules alone."""
    if move.verb not in ("deal", "meld", "discard", "lose", "take", "secrecy") or not move.cards:
        return False
    if hasattr(state, "kept_tunnels"):
        return move.verb == "deal" and viewer != "vc"
    owner = "us" if state.step.phase.startswith("US") and move.verb in ("deal", "discard") else "terrorist"
    return viewer != owner and (move.verb in ("deal", "meld") or not open_discards)


def seen(game: AnyGame, state: State, move: Move, viewer: str) -> Move:
    """What a viewer sees of a move."""
    return Move(move.verb) if hides(state, move, getattr(game.options, "open_discards", True), viewer) else move


def given_to(game: AnyGame, state: State, viewer: str) -> tuple[Any, ...]:
    """All that a viewer gets at a state: the view, and where it moves the moves, the prompt, the refusals."""
    view = game.view(state, viewer)
    gets: tuple[Any, ...] = (json.dumps(view.to_dict()), game.outcome(state) if state.step.seat is None else None)
    if state.step.seat == viewer:
        legal = game.legal(state)
        gets += (
            legal,
            game.prompt(view, legal),
            [game.why_not(state, move) for move in typed(game) if move not in legal],
        )
    return gets


@lru_cache(maxsize=4)
def typed(game: AnyGame) -> list[Move]:
    """What somebody might try."""
    moves = vocabulary(game, random.Random(1), 60)
    return [move for move in moves if set(move.cards) <= set(game.catalogue.names)][:20]


def check_tree(name: str, options: dict[str, Any], viewer: str, plies: int) -> int:
    """Follow every history for so many plies; the most states that the viewer could not tell apart."""
    game = GAMES[name](GAMES[name].Options.make(options))
    worlds: dict[int, set[State]] = {0: {game.start()}}
    gets = lru_cache(maxsize=None)(lambda state: given_to(game, state, viewer))
    most = 1
    for _ in range(plies):
        after: dict[int, set[State]] = defaultdict(set)
        for history, states in worlds.items():
            first, *others = states
            assert all(gets(other) == gets(first) for other in others), viewer
            most = max(most, len(states))
            for state in states:
                for move in game.legal(state) or [move for move, _ in game.chance(state)]:
                    event = seen(game, state, move, viewer)
                    assert game.seen(state, move, viewer) == event
                    shown = state.card if move.verb == "reveal" else None  # type: ignore[attr-defined]
                    after[hash((history, state.turn, state.step, event, shown))].add(game.play(state, move))
        worlds = after
    return most


def twin(game: AnyGame, moves: tuple[Move, ...], viewer: str, rng: random.Random) -> list[Move] | None:
    """A history of other hidden cards that looks the same to a viewer, if a few attempts find one."""
    best = list(moves)
    for _ in range(12):
        changed = exchange(game, best, viewer, rng)
        best = changed or best
    return best if best != list(moves) else None


def exchange(game: AnyGame, moves: list[Move], viewer: str, rng: random.Random) -> list[Move] | None:
    """Exchange a card hidden from a viewer with one dealt later or never; None if the viewer would notice."""
    states = list(follow(game, moves))
    hidden = [
        ply for ply, move in enumerate(moves) if move.verb == "deal" and seen(game, states[ply], move, viewer) != move
    ]
    if not hidden:
        return None
    ply = rng.choice(hidden)
    old, new = moves[ply], rng.choice([move for move, _ in game.chance(states[ply])])
    later = next((other for other in hidden if other > ply and moves[other] == new), None)
    swapped = list(moves)
    swapped[ply] = new
    if later is not None:
        swapped[later] = old
    return None if old == new else follow_unseen(game, states, moves, swapped, viewer, rng)


def follow_unseen(
    game: AnyGame, states: list[State], moves: list[Move], swapped: list[Move], viewer: str, rng: random.Random
) -> list[Move] | None:
    """Play exchanged moves; where a hidden choice is no longer possible, another that looks the same."""
    state, played = game.start(), []
    for before, original, move in zip(states[:-1], moves, swapped, strict=True):
        choices = game.legal(state) or [dealt for dealt, _ in game.chance(state)]
        look = seen(game, before, original, viewer)
        if move.bare not in choices:
            alike = [choice for choice in choices if seen(game, state, choice, viewer) == look != choice]
            if not alike:
                return None
            move = rng.choice(alike)  # noqa: PLW2901
        played.append(move)
        state = game.play(state, move)
    return played


def as_table(table: Table, moves: list[Move]) -> Table:
    """The table of another history, every card of it chosen."""
    chosen = tuple(
        ply
        for ply, state in enumerate(follow(table.game, moves[:-1]))
        if state.step.seat == CHANCE and len(table.game.pool(state)) > 1
    )
    return Table.from_record(
        Record.make(
            game=table.game.name,
            options=table.game.options,
            seed=1,
            salt="salt",
            chosen=chosen,
            players={},
            moves=tuple(map(str, moves)),
        )
    )


def check_twins(one: Table, other: Table, viewer: str) -> None:
    """Two tables that differ only in what a viewer may not see are the same to the viewer at each ply."""
    assert one.log(viewer) == other.log(viewer)
    for ply, (state, twin_state) in enumerate(zip(one._states, other._states, strict=True)):
        assert given_to(one.game, state, viewer) == given_to(other.game, twin_state, viewer), ply
        assert one.view(viewer, ply).to_dict() == other.view(viewer, ply).to_dict()
    assert one.can_undo(viewer) == other.can_undo(viewer)
    assert (one.seat, one.phase, one.turn, one.version) == (other.seat, other.phase, other.turn, other.version)


def differs(one: Table, other: Table, viewer: str) -> bool:
    """Whether a viewer could tell two tables apart."""
    try:
        check_twins(one, other, viewer)
    except AssertionError:
        return True
    return False


def cuts(table: Table, rng: random.Random) -> Iterator[int]:
    """Where to compare: the plies at which a seat moves, the last and some others; hidden cards come out at the end."""
    plies = [ply for ply in range(1, len(table.moves)) if table.mover(ply) != CHANCE]
    yield from {plies[-1], *rng.sample(plies, min(3, len(plies)))}


@pytest.mark.parametrize(("name", "options", "plies"), TREES)
def test_in_every_history_of_a_small_game(name: str, options: dict[str, Any], plies: int) -> None:
    most = {viewer: check_tree(name, options, viewer, plies) for game, viewer in VIEWERS if game == name}
    assert {viewer for viewer, worlds in most.items() if worlds == 1} == ({"vc"} if name == "tunnel-rat" else set())


@pytest.mark.parametrize(("name", "viewer"), [pair for pair in VIEWERS if pair[1] != "vc"])
@examples(20)
@given(data=st.data(), seed=SEEDS)
def test_in_random_games_under_any_options(name: str, viewer: str, data: st.DataObject, seed: int) -> None:
    table, rng = random_game(name, data.draw(OPTIONS[name]), seed), random.Random(seed)
    compared = 0
    for cut in cuts(table, rng):
        other = twin(table.game, table.moves[:cut], viewer, rng)
        if other is not None:
            check_twins(as_table(table, list(table.moves[:cut])), as_table(table, other), viewer)
            compared += 1
    assume(compared)


def leaking_view(self: Any, state: Any, seat: str) -> Any:
    """A view that shows all cards to everybody."""
    return replace(VIEW[type(self)](self, state, "open"), seat=seat)


def leaking_size(self: Any, state: Any, seat: str) -> Any:
    """A view that gives a hidden card away only by a track's number."""
    view = VIEW[type(self)](self, state, seat)
    hidden = state.card if isinstance(self, TunnelRat) else sum(state.terrorist_hand)
    return replace(view, turn=view.turn + (hidden or 0))


def leaking_seen(self: Any, state: Any, move: Move, seat: str) -> Move:
    """A log that says all."""
    return move


def leaking_why_not(self: Any, state: Any, move: Move) -> str:
    """A refusal that names a hidden card."""
    return f"No, because of {state.card if isinstance(self, TunnelRat) else list(state.terrorist_hand)}."


VIEW: dict[type, Any] = {TunnelRat: TunnelRat.view, CatAndMouse: CatAndMouse.view}
LEAKS = [("view", leaking_view), ("view", leaking_size), ("seen", leaking_seen), ("why_not", leaking_why_not)]


@pytest.mark.parametrize(("method", "leak"), LEAKS)
@pytest.mark.parametrize(("game", "viewer"), [(TunnelRat, "rat"), (CatAndMouse, "us")])
def test_a_planted_leak_is_found(
    game: type[AnyGame], viewer: str, method: str, leak: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, options, plies = next(tree for tree in TREES if tree[0] == game.name)
    table, rng = random_game(name, options, 3), random.Random(3)
    prefixes = [table.moves[:ply] for ply in range(2, len(table.moves)) if table.mover(ply) == viewer]
    pairs = [(prefix, twin(table.game, prefix, viewer, rng)) for prefix in prefixes]
    tables = [(as_table(table, list(one)), as_table(table, other)) for one, other in pairs if other]
    assert tables
    assert not any(differs(one, other, viewer) for one, other in tables)
    monkeypatch.setattr(game, method, leak)
    with pytest.raises(AssertionError):
        check_tree(name, options, viewer, plies)
    assert any(differs(one, other, viewer) for one, other in tables)


@pytest.mark.parametrize("name", GAMES)
def test_neither_seed_nor_salt_leaves_before_the_end(name: str) -> None:
    seed, salt = 271828182845904523536028747135266249775724709369995, "salt-of-the-earth"
    table, rng = Table(name, seed=seed, salt=salt), random.Random(1)
    commitment = table.proof.commitment
    secrets = (str(seed), f"{seed:x}", salt)
    while table.outcome is None:
        move = rng.choice(table.legal())
        refusals = []
        for attempt in ("sing", "meld Nuclear Asian Military", "reveal"):
            try:
                table.play(attempt, at=table.version - 1 if rng.random() < 0.2 else None)
                break
            except IllegalMove as refusal:
                refusals.append(str(refusal))
        said = [repr(table), repr(table.proof), *refusals]
        for viewer in (*table.game.seats, "spectator", "open"):
            said += [json.dumps(table.view(viewer).to_dict()), repr(table.log(viewer, len(table.moves) - 3))]
        assert not any(secret in text for secret in secrets for text in said if table.outcome is None)
        if table.outcome is None and move in table.legal():
            table.play(move)
    assert isinstance(table.outcome, Outcome)
    assert (table.proof.commitment, table.proof.seed, table.proof.salt) == (commitment, str(seed), salt)
