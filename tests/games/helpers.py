"""What the tests of rules share: tables with chosen cards, random options, random legal games."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from cmgames import Move, Table
from cmgames.engine.game import AnyGame, State
from cmgames.engine.moves import FACES, Tell

PLAN = ("Nuclear",) * 3 + ("Western",) * 3 + ("Military",) * 3 + ("Dead End", "Blend In", "Fanaticism")
"""A Terrorist's hand of twelve that holds a meld and three Secrecy cards."""

AGENTS = ("FBI",) * 3 + ("CIA", "Interpol", "Informants", "Airport Security", "Eyewitnesses", "Pre-Emptive Strike")
"""A hand of nine of US Security that holds a combo of each of the three types."""

SMALL: dict[str, dict[str, Any]] = {
    "tunnel-rat": {
        "vc": 1, "traps": 1, "tunnels": 2, "casualties_to_win": 2, "tunnels_to_win": 2, "max_turns": 6,
        "max_questions": 0,
    },
    "cat-and-mouse": {
        "kinds": 2, "copies": 1, "set_size": 1, "secrecy": 2, "terrorist_hand": 3, "suites": 2, "names": 2,
        "us_copies": 2, "same_name": 2, "one_suite": 2, "all_suites": 2, "us_hand": 2,
    },
}  # fmt: skip
"""A game of each that fits on a page."""


def play(table: Table, *moves: str) -> Table:
    """Play some moves and hand the table back."""
    for move in moves:
        table.play(move)
    return table


def texts(moves: Iterable[Move]) -> list[str]:
    """The moves' texts."""
    return [str(move) for move in moves]


def rat(*cards: str, **options: Any) -> Table:
    """Tunnel Rat in which the VC draws these cards first."""
    return Table("tunnel-rat", seed=1, salt="salt", deals=cards, **options)


def turn(action: str) -> tuple[str, ...]:
    """A whole turn of Tunnel Rat without a question."""
    return ("draw", *["pass"] * 4, action, "reveal")


def cat(*then: str, terrorist: tuple[str, ...] = PLAN, us: tuple[str, ...] = AGENTS, **options: Any) -> Table:
    """Cat & Mouse with these hands, in which these cards are drawn next."""
    return Table("cat-and-mouse", seed=1, salt="salt", deals=(*terrorist, *us, *then), **options)


def security(*then: str, **given: Any) -> Table:
    """Cat & Mouse in the US Security Phase of the first turn: both players have kept their first hands."""
    return play(cat("Paper Trail", *then, **given), "decline", "draw", "discard Paper Trail")


def attack(*then: str, **given: Any) -> Table:
    """Cat & Mouse in the Terrorist Attack Phase of the first turn, no combo played."""
    return play(security(*then, **given), "pass")


def pile(table: Table, id: str, seat: str = "open") -> Counter[str]:
    """How many of each card a seat sees in a pile."""
    return Counter(table.view(seat).pile(id).cards)


def size(table: Table, id: str) -> int:
    """How many cards lie in a pile."""
    return table.view("open").pile(id).size


def every_card(game: AnyGame, state: Any) -> Counter[int]:
    """All cards of a state, wherever they lie."""
    if game.name == "tunnel-rat":
        open_cards = [2] * state.kept_tunnels + ([] if state.card is None else [state.card])
        return Counter([*state.deck, *state.discard, *state.kept_dangers, *open_cards])
    meld = state.meld * game.options.set_size
    piles = (state.terrorist_deck, state.terrorist_hand, state.terrorist_discard, state.us_deck, state.us_hand)
    return Counter([*b"".join(piles), *state.us_discard, *meld])


def follow(game: AnyGame, moves: Iterable[Move]) -> Iterator[State]:
    """The states before each move, and the last one."""
    state = game.start()
    yield state
    for move in moves:
        state = game.play(state, move)
        yield state


def pick(table: Table, rng: random.Random) -> Move:
    """Some legal move; an answer comes with some tell."""
    move = rng.choice(table.legal())
    if not table.game.verbs[move.verb].tells:
        return move
    seconds = rng.choice((None, 0.0, 0.07, 1.25, 12.5))
    face = rng.choice(("", *FACES))
    return Move(move.verb, move.cards, Tell(seconds, face) if face or seconds is not None else None)


def random_game(name: str, options: dict[str, Any], seed: int, plies: int | None = None) -> Table:
    """A game of random legal moves, to its end or for so many moves of seats."""
    table, rng = Table(name, seed=seed, salt="salt", **options), random.Random(seed)
    while table.seat is not None and (plies is None or table.version < plies):
        table.play(pick(table, rng))
    return table


@st.composite
def tunnel_rat_options(draw: st.DrawFn) -> dict[str, Any]:
    """Any options that Tunnel Rat can be played under, small enough to play to the end."""
    tunnels, vc = draw(st.integers(1, 8)), draw(st.integers(0, 4))
    traps = draw(st.integers(0 if vc else 1, 4))
    card = draw(st.sampled_from(("discard", "keep")))
    return {
        "casualty_card": card,
        "max_questions": draw(st.none() | st.integers(0, 3)),
        "max_turns": draw(st.integers(1, 40)),
        "vc": vc,
        "traps": traps,
        "tunnels": tunnels,
        "casualties_to_win": draw(st.integers(1, vc + traps if card == "keep" else 6)),
        "tunnels_to_win": draw(st.integers(1, tunnels)),
    }


@st.composite
def cat_and_mouse_options(draw: st.DrawFn) -> dict[str, Any]:
    """Any options that Cat & Mouse can be played under."""
    kinds, copies = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    secrecy = draw(st.integers(0 if kinds * copies > 1 else 1, 12))
    suites, names, us_copies = draw(st.integers(1, 5)), draw(st.integers(1, 3)), draw(st.integers(2, 4))
    deck, us_deck = 3 * kinds * copies + secrecy, suites * names * us_copies
    set_size = draw(st.integers(1, min(copies, (deck - 1) // 3)))
    us_hand = draw(st.integers(1, us_deck - 1))
    return {
        "empty_deck_ends": draw(st.sampled_from(("at once", "after the turn"))),
        "hand_limit_applies": draw(st.sampled_from(("draw phase", "always"))),
        "open_discards": draw(st.booleans()),
        "kinds": kinds,
        "copies": copies,
        "set_size": set_size,
        "secrecy": secrecy,
        "suites": suites,
        "names": names,
        "us_copies": us_copies,
        "same_name": draw(st.integers(1, min(us_copies, us_hand))),
        "one_suite": draw(st.integers(1, min(names, us_hand))),
        "all_suites": draw(st.integers(1, min(suites, us_hand))),
        "terrorist_hand": draw(st.integers(3 * set_size, deck - 1)),
        "us_hand": us_hand,
    }


OPTIONS: dict[str, st.SearchStrategy[dict[str, Any]]] = {
    "tunnel-rat": st.just({}) | tunnel_rat_options(),
    "cat-and-mouse": st.just({}) | cat_and_mouse_options(),
}
"""The options of a game, the default ones often."""

SEEDS = st.integers(0, 2**64)


def vocabulary(game: AnyGame, rng: random.Random, sample: int) -> list[Move]:
    """Moves that somebody might type: verbs alone, with a card, with several; a sample of so many."""
    names = type(game).catalogue.names
    singles = [Move(verb, (name,)) for verb in game.verbs for name in names]
    several = [Move(verb, tuple(rng.choices(names, k=rng.randint(2, 5)))) for verb in game.verbs for _ in range(3)]
    everything = [Move(verb) for verb in game.verbs] + singles + several
    return rng.sample(everything, min(sample, len(everything)))


def examples(count: int) -> settings:
    """So many games; how long one takes depends on its options."""
    return settings(max_examples=count, deadline=None, suppress_health_check=[HealthCheck.too_slow])
