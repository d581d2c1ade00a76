"""Every quick player of every game, under options of all sorts: legal, replayable, fair."""

from __future__ import annotations

import random
from itertools import product
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from cmgames.bots import PLAYERS, Player, find, play, players
from cmgames.bots.player import quick
from cmgames.engine.cards import Pile, put, take
from cmgames.engine.game import State
from cmgames.engine.moves import Move
from cmgames.engine.registry import GAMES
from cmgames.engine.table import Table
from cmgames.games.cat_and_mouse import CatAndMouse, CatAndMouseState
from cmgames.games.tunnel_rat import TunnelRat, TunnelRatState
from tests.games.helpers import cat_and_mouse_options, tunnel_rat_options


@st.composite
def sittings(draw: st.DrawFn) -> tuple[Table, dict[str, Player]]:
    """A new table of either game, and a computer player at each seat."""
    of_tunnel_rat = st.tuples(st.just("tunnel-rat"), tunnel_rat_options())
    of_cat_and_mouse = st.tuples(st.just("cat-and-mouse"), cat_and_mouse_options())
    game, options = draw(of_tunnel_rat | of_cat_and_mouse)
    table = Table(game, seed=draw(st.integers(0, 2**64)), salt="", **options)
    names = {seat: draw(st.sampled_from(quick(game, seat))) for seat in GAMES[game].seats}
    return table, {seat: find(game, seat, name) for seat, name in names.items()}


thorough = settings(
    deadline=None, max_examples=100, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow]
)


@given(sittings(), st.integers(0, 60))
@thorough
def test_every_game_is_legal_and_ends_and_whoever_takes_over_plays_it_alike(
    sitting: tuple[Table, dict[str, Player]], handover: int
) -> None:
    table, seated = sitting
    for _ in range(handover):
        if table.seat is not None:
            table.play(_choice(table.view(table.seat), table.legal(), seated[table.seat], table.random()))
    resumed = Table.from_record(table.record())
    play(table, seated)
    play(resumed, seated)
    assert table.outcome is not None
    assert resumed.moves == table.moves
    assert all((move.tell is not None) == (move.verb == "answer no") for move in table.moves)


def _choice(view: Any, legal: tuple[Move, ...], player: Player, random: random.Random) -> Move:
    move = player.choose(view, legal, random)
    assert move.bare in legal
    return move


@given(sittings(), st.randoms(use_true_random=False), st.integers())
@thorough
def test_states_that_differ_only_in_what_a_seat_may_not_see_get_the_same_move(
    sitting: tuple[Table, dict[str, Player]], hidden: random.Random, seed: int
) -> None:
    table, seated = sitting
    game = table.game
    while (seat := table.seat) is not None:
        twin = _twin(game, table.state, seat, hidden)
        assert game.legal(twin) == table.legal()
        view, other = table.view(seat), game.view(twin, seat)
        for player in [find(game.name, seat, name) for name in quick(game.name, seat)]:
            here = _choice(view, table.legal(), player, random.Random(seed))
            assert here == player.choose(other, table.legal(), random.Random(seed))
        table.play(_choice(view, table.legal(), seated[seat], table.random()))


def _twin(game: Any, state: State, seat: str, hidden: random.Random) -> State:
    """A state that differs only in what the seat may not see."""
    if isinstance(state, TunnelRatState):
        if seat == "vc" or state.card is None or not state.deck:
            return state
        code = hidden.choice(state.deck)
        return replace(state, card=code, deck=put(take(state.deck, code), state.card))
    assert isinstance(state, CatAndMouseState)
    if seat == "terrorist":
        hand, deck = _dealt_anew(state.us_hand, state.us_deck, hidden)
        return replace(state, us_hand=hand, us_deck=deck)
    return _twin_for_us(game, state, hidden)


def _twin_for_us(game: CatAndMouse, state: CatAndMouseState, hidden: random.Random) -> CatAndMouseState:
    """Another hand, another deck, another meld, and other discards where those are closed."""
    discard = b"" if game.options.open_discards else state.terrorist_discard
    unseen = state.terrorist_hand + state.terrorist_deck + discard
    size, meld = game.options.set_size, state.meld
    if meld:
        unseen += bytes(meld) * size
        meld = hidden.choice([m for m in product(*game.categories) if all(unseen.count(code) >= size for code in m)])
        for code in meld:
            unseen = take(unseen, code, size)
    unseen, discard = _dealt_anew(unseen[len(discard) :], unseen[: len(discard)], hidden)
    hand, deck = _dealt_anew(unseen[: len(state.terrorist_hand)], unseen[len(state.terrorist_hand) :], hidden)
    twin = replace(state, terrorist_hand=hand, terrorist_deck=deck, meld=meld)
    return twin if game.options.open_discards else replace(twin, terrorist_discard=discard)


def _dealt_anew(first: Pile, second: Pile, hidden: random.Random) -> tuple[Pile, Pile]:
    """The same cards shuffled and dealt to piles of the same sizes."""
    cards = list(first + second)
    hidden.shuffle(cards)
    return bytes(sorted(cards[: len(first)])), bytes(sorted(cards[len(first) :]))


def test_a_game_without_players_of_its_own_is_played_at_random(monkeypatch: pytest.MonkeyPatch) -> None:
    class ThirdGame(TunnelRat):
        name = "third-game"

    monkeypatch.setitem(GAMES, "third-game", ThirdGame)
    assert [list(players("third-game", seat)) for seat in ThirdGame.seats] == [["random"], ["random"]]
    table = Table("third-game", seed=1)
    play(table, {"vc": find("third-game", "vc", "random")})
    assert table.seat == "rat"
    play(table, {seat: find("third-game", seat, "random") for seat in ThirdGame.seats})
    assert table.outcome is not None


def test_an_unknown_player_game_or_seat_is_refused_with_what_there_is() -> None:
    assert {game: {seat: list(known) for seat, known in seats.items()} for game, seats in PLAYERS.items()} == {
        "tunnel-rat": {"rat": ["random", "counter", "reader", "optimal"], "vc": ["steady", "nervous", "actor"]},
        "cat-and-mouse": {
            "terrorist": ["random", "collector", "schemer", "master", "grandmaster"],
            "us": ["random", "hunter", "profiler", "master"],
        },
    }
    with pytest.raises(ValueError, match=r"No computer player for vc is called 'reader'\. There are: steady, nervous"):
        find("tunnel-rat", "vc", "reader")
    with pytest.raises(ValueError, match="There is no game called 'chess'"):
        players("chess", "white")
    with pytest.raises(ValueError, match="Tunnel Rat has no seat 'us': there are rat, vc"):
        players("tunnel-rat", "us")
