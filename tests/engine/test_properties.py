"""What holds in every game: random legal games under random options of both."""

from __future__ import annotations

import json
import random
from collections import Counter
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cmgames import GAMES, IllegalMove, Move, Outcome, Table
from cmgames.engine.game import CHANCE
from cmgames.engine.moves import FACES, MAX_SECONDS, Tell
from tests.games.helpers import OPTIONS, SEEDS, every_card, examples, follow, pick, random_game, vocabulary

both_games = pytest.mark.parametrize("name", GAMES)


def snapshot(table: Table) -> dict[str, Any]:
    """All of a table that its version does not change."""
    viewers = (*table.game.seats, "spectator", "open")
    return {
        "moves": table.moves,
        "state": table.state,
        "seat": table.seat,
        "legal": table.legal(),
        "outcome": table.outcome,
        "proof": table.proof,
        "views": [table.view(viewer) for viewer in viewers],
        "logs": [table.log(viewer) for viewer in viewers],
        "draws": table.dealt,
        "record": table.record(),
    }


@both_games
@examples(60)
@given(data=st.data(), seed=SEEDS)
def test_a_whole_game(name: str, data: st.DataObject, seed: int) -> None:
    """Cards are conserved, somebody acts until the end, the version counts, chance adds up to 1."""
    table = random_game(name, data.draw(OPTIONS[name]), seed)
    game, cards = table.game, Counter(table.game.catalogue.pile())
    states = list(follow(game, table.moves))
    assert states[-1] == table.state
    for state, move in zip(states, (*table.moves, None), strict=True):
        assert every_card(game, state) == cards
        chances, legal = game.chance(state), game.legal(state)
        assert (game.outcome(state) is None) == (move is not None)
        if state.step.seat == CHANCE:
            assert legal == ()
            assert move in dict(chances)
            assert all(type(chance) is Fraction and chance > 0 for _, chance in chances)
            assert sum(chance for _, chance in chances) == 1
            assert len({dealt for dealt, _ in chances}) == len(chances)
        elif move is not None:
            assert chances == ()
            assert move.bare in legal
            assert len(set(legal)) == len(legal)
    assert table.version == sum(state.step.seat != CHANCE for state in states[:-1])
    assert isinstance(table.outcome, Outcome)
    assert table.outcome.winner in (*game.seats, None)
    assert table.outcome.reason.endswith(".")


@both_games
@examples(25)
@given(data=st.data(), seed=SEEDS)
def test_sizes_in_each_view_are_those_of_all_cards(name: str, data: st.DataObject, seed: int) -> None:
    table = random_game(name, data.draw(OPTIONS[name]), seed)
    total = len(table.game.catalogue.pile())
    for ply in range(len(table.moves) + 1):
        for viewer in (*table.game.seats, "spectator", "open"):
            view = table.view(viewer, ply)
            assert sum(pile.size for pile in view.piles) == total
            assert all(len(pile.cards) in (0, 3, pile.size) for pile in view.piles)


@both_games
@examples(12)
@given(data=st.data(), seed=SEEDS)
def test_undo_then_redo_is_the_identity(name: str, data: st.DataObject, seed: int) -> None:
    table, rng = Table(name, seed=seed, salt="salt", **data.draw(OPTIONS[name])), random.Random(seed)
    for _ in range(60):
        if table.seat is None:
            break
        before, version, move = snapshot(table), table.version, pick(table, rng)
        table.play(move)
        after = snapshot(table)
        assert table.undo() == version + 2
        assert snapshot(table) == before
        assert table.play(move) == version + 3
        assert snapshot(table) == after
    while table.version and any(state.step.seat != CHANCE for state in table._states[:-1]):
        table.undo()
    with pytest.raises(IllegalMove, match="no move to take back"):
        table.undo()
    assert table.moves == Table(name, seed=seed, **after["record"].options).moves


@both_games
@examples(25)
@given(data=st.data(), seed=SEEDS, plies=st.none() | st.integers(0, 80))
def test_a_record_replays_to_the_same_table(name: str, data: st.DataObject, seed: int, plies: int | None) -> None:
    table = random_game(name, data.draw(OPTIONS[name]), seed, plies)
    again = Table.from_record(table.record({"us": "a person"}).to_json())
    assert snapshot(again) == snapshot(table)
    assert again.version == table.version
    if table.seat is not None:
        move = table.legal()[-1]
        assert (again.play(move), snapshot(again)) == (table.play(move), snapshot(table))


@both_games
@examples(20)
@given(data=st.data(), seed=SEEDS, plies=st.integers(0, 120))
def test_why_not_is_empty_exactly_for_legal_moves(name: str, data: st.DataObject, seed: int, plies: int) -> None:
    table, rng = random_game(name, data.draw(OPTIONS[name]), seed, plies), random.Random(seed)
    before, version, legal = snapshot(table), table.version, table.legal()
    shuffled = [Move(move.verb, tuple(rng.sample(move.cards, len(move.cards)))) for move in legal[:5]]
    for move in {*vocabulary(table.game, rng, 150), *shuffled, *legal[:30]}:
        for told in (move, Move(move.verb, move.cards, Tell(1.5, "uneasy"))):
            ok = move in legal and (told.tell is None or bool(table.game.verbs[move.verb].tells))
            reason = table.why_not(told)
            assert (reason == "") == ok
            if ok:
                assert table.play(told) == version + 1
                assert table.moves[len(before["moves"])] == told
                table.undo()
                version += 2
            else:
                assert reason.endswith(".")
                with pytest.raises(IllegalMove) as refusal:
                    table.play(told)
                assert str(refusal.value) == reason
            assert table.version == version
    assert snapshot(table) == before


@both_games
@examples(15)
@given(seed=SEEDS, plies=st.integers(0, 60))
def test_a_stale_or_doubled_move_is_refused(name: str, seed: int, plies: int) -> None:
    table = random_game(name, {}, seed, plies)
    if table.seat is None:
        return
    move, version = table.legal()[0], table.version
    for stale in (version - 1, version + 1):
        with pytest.raises(IllegalMove, match="moved on since"):
            table.play(move, at=stale)
    assert table.play(move, at=version) == version + 1
    doubled = snapshot(table)
    with pytest.raises(IllegalMove, match="moved on since"):
        table.play(move, at=version)
    assert snapshot(table) == doubled


@both_games
def test_a_chosen_card_that_is_not_there_is_refused_at_once_or_left_to_the_seed(name: str) -> None:
    with pytest.raises(ValueError, match="Card 1 of the chosen ones, 'Joker', cannot be dealt"):
        Table(name, deals=["Joker"])
    card = GAMES[name].catalogue.names[0]
    copies = GAMES[name].catalogue.kinds[0].copies
    if name == "cat-and-mouse":
        with pytest.raises(ValueError, match=f"Card {copies + 1} of the chosen ones, '{card}', cannot be dealt"):
            Table(name, deals=[card] * (copies + 1))
    table = Table(name, seed=1, deals=[card] * copies + [""] * (0 if name == "tunnel-rat" else 17) + [card] * 3)
    while table.seat and table.dealt < 30:
        table.play(table.legal()[-1])
    assert len(table.record().chosen) >= copies


@both_games
def test_a_chosen_deal_outlives_undo_and_record(name: str) -> None:
    game = GAMES[name]
    table = Table(name, seed=1, salt="salt", deals=[game.catalogue.names[0]] * 3)
    while len(table.moves) < 30 and table.seat:
        table.play(table.legal()[0])
    again, moves = Table.from_record(table.record()), table.moves
    while again.version and any(state.step.seat != CHANCE for state in again._states[:-1]):
        again.undo()
    while len(again.moves) < len(moves):
        again.play(again.legal()[0])
    assert snapshot(again) == snapshot(table)


seconds, faces = st.floats(0, MAX_SECONDS), st.sampled_from(FACES)
tells = (
    st.none()
    | st.builds(Tell, seconds=seconds)
    | st.builds(Tell, face=faces)
    | st.builds(Tell, seconds=seconds, face=faces)
)


@both_games
@examples(400)
@given(data=st.data(), tell=tells)
def test_text_and_move_are_inverses(name: str, data: st.DataObject, tell: Tell | None) -> None:
    game = GAMES[name]
    verb = data.draw(st.sampled_from(sorted(game.verbs)))
    cards = data.draw(st.lists(st.sampled_from(game.catalogue.names), max_size=6))
    move = Move(verb, tuple(cards), tell if game.verbs[verb].tells else None)
    assert Move.parse(name, str(move)) == move
    assert str(Move.parse(name, str(move))) == str(move)


@both_games
@examples(300)
@given(text=st.text() | st.from_regex(r"(answer no|deal|discard|ask)( [a-zA-Z]+){0,3}( after [0-9.]{1,6} s)?"))
def test_any_other_text_is_refused_in_words(name: str, text: str) -> None:
    try:
        move = Move.parse(name, text)
    except IllegalMove as refusal:
        assert str(refusal)  # noqa: PT017
    else:
        assert Move.parse(name, str(move)) == move


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("answer no after 3601 s", "between 0 and 3600 seconds"),
        ("answer no looking merry", "No face is called 'merry': there are calm, uneasy, sweating"),
        ("answer no after 1.255 s", "is not a move of Tunnel Rat"),
        ("answer  no", "is not a move of Tunnel Rat"),
        ("discard VCTrap", "is not a move of Tunnel Rat"),
        ("", "is not a move of Tunnel Rat"),
    ],
)
def test_a_text_that_is_no_move_says_why(text: str, reason: str) -> None:
    with pytest.raises(IllegalMove, match=reason):
        Move.parse("tunnel-rat", text)


def test_a_tell_that_tells_nothing_is_none() -> None:
    """Else a move and its text would not be inverses."""
    with pytest.raises(IllegalMove):
        Tell()


@both_games
def test_views_and_records_are_plain_json(name: str) -> None:
    table = random_game(name, {}, 5, 20)
    for plain in (table.view("spectator").to_dict(), table.view("open").to_dict(), table.record().to_dict()):
        assert json.loads(json.dumps(plain)) == plain


@both_games
def test_the_same_seed_gives_the_same_game(name: str) -> None:
    games = [random_game(name, {}, 5) for _ in range(2)]
    assert snapshot(games[0]) == snapshot(games[1])
    assert Table(name).record().seed != Table(name).record().seed
