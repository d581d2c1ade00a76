"""Records: what is damaged, foreign or false is refused with its place and reason; what is whole can be proved."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cmgames import GAMES, RecordError, Table
from cmgames.engine import chance
from cmgames.engine.record import schema
from cmgames.games.cat_and_mouse_deck import SUITES
from tests.games.helpers import OPTIONS, SEEDS, examples, play, random_game, turn

SCHEMA = Path(__file__).parents[2] / "docs" / "record.schema.json"
both_games = pytest.mark.parametrize("name", GAMES)
Plain = dict[str, Any]


def record(name: str = "tunnel-rat", **options: Any) -> Plain:
    """A short finished game as plain values."""
    options = options or ({"max_turns": 2} if name == "tunnel-rat" else {})
    return random_game(name, options, 11).record().to_dict()


def sealed(plain: Plain, **changes: Any) -> Plain:
    """A record with something changed and a digest that fits again, as a clever forger would leave it."""
    plain = {**plain, **changes}
    body = {key: value for key, value in plain.items() if key != "digest"}
    text = json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return {**plain, "digest": sha256(text.encode()).hexdigest()}


def refused(plain: Any) -> str:
    """Why a record is refused."""
    with pytest.raises(RecordError) as refusal:
        Table.from_record(plain)
    return str(refusal.value)


# Whole records


@both_games
def test_a_sealed_record_is_a_record(name: str) -> None:
    plain = record(name)
    assert sealed(plain) == plain
    assert Table.from_record(plain).record().to_dict() == plain


def test_the_schema_is_published() -> None:
    assert json.loads(SCHEMA.read_text(encoding="utf-8")) == schema()


@both_games
@examples(15)
@given(data=st.data(), seed=SEEDS, plies=st.none() | st.integers(0, 20))
def test_every_record_keeps_to_the_schema(name: str, data: st.DataObject, seed: int, plies: int | None) -> None:
    plain = random_game(name, data.draw(OPTIONS[name]), seed, plies).record({"us": "näive"}).to_json()
    jsonschema.validate(json.loads(plain), schema(), jsonschema.Draft202012Validator)


@pytest.mark.parametrize("field", record())
def test_the_schema_wants_every_field(field: str) -> None:
    plain = record()
    del plain[field]
    assert not jsonschema.Draft202012Validator(schema()).is_valid(plain)
    place = "'format'" if field == "format" else "version" if field == "version" else f"`{field}`"
    assert place in refused(plain)


# Damage


def test_a_file_cut_short_anywhere_is_refused() -> None:
    text = json.dumps(record())
    for end in range(len(text)):
        assert refused(text[:end]).startswith(("This is not whole JSON", "This is not a record"))


def test_a_changed_letter_anywhere_is_refused() -> None:
    text = json.dumps(record())
    for place, letter in enumerate(text):
        changed = text[:place] + ("8" if letter != "8" else "9") + text[place + 1 :]
        if json.loads(text) != _json(changed):
            assert refused(changed).startswith(("The", "This"))


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None


@examples(200)
@given(source=st.text() | st.binary() | st.recursive(st.none() | st.text(), st.lists).map(json.dumps))
def test_what_is_no_record_is_refused(source: str | bytes) -> None:
    assert refused(source).startswith(("This is not whole JSON", "This is not a record of cmgames"))


@pytest.mark.parametrize("source", ["[" * 100_000, '{"format": "\ud800"}', b"\xff\xfe", "", "5", 5, None, [], {}])
def test_what_is_far_from_a_record_is_refused(source: Any) -> None:
    assert refused(source).startswith(("This is not whole JSON", "This is not a record of cmgames"))


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"format": "pgn"}, "This is not a record of cmgames: its 'format' is not 'cmgames record'"),
        ({"version": 2}, "This record is of version 2; this cmgames reads version 1"),
        ({"game": "chess"}, "There is no game called 'chess'"),
        ({"game": "cat-and-mouse"}, "is no option"),
        ({"options": {"tunnels": 3}}, "tunnels_to_win is 5, but the deck holds only 3"),
        ({"options": {"jokers": 3}}, "'jokers' is no option"),
        ({"options": {"seed": 3}}, "'seed' is no option"),
        ({"options": {"deals": ["VC"]}}, "'deals' is no option"),
        ({"options": {"game": "x"}}, "'game' is no option"),
        ({"seed": "x"}, "`$.seed`"),
        ({"seed": "011"}, "seed"),
        ({"seed": "11\n"}, "seed"),
        ({"seed": "12"}, "commitment does not fit its seed and salt"),
        ({"salt": "pepper"}, "commitment does not fit its seed and salt"),
        ({"commitment": "0" * 64}, "commitment does not fit its seed and salt"),
        ({"moves": [1]}, "`$.moves[0]`"),
        ({"moves": "draw"}, "`$.moves`"),
        ({"chosen": [-1]}, "`$.chosen[0]`"),
        ({"chosen": [0]}, "chosen"),
        ({"chosen": [999]}, "chosen"),
        ({"chosen": [1, 1]}, "chosen"),
        ({"remark": "hello"}, "`remark`"),
    ],
)
def test_a_foreign_or_false_record_is_refused_even_when_sealed(changes: Plain, reason: str) -> None:
    assert reason in refused(sealed(record(), **changes))


# Moves


@both_games
def test_a_changed_list_of_moves_breaks_the_digest(name: str) -> None:
    plain = record(name)
    moves = plain["moves"]
    for changed in (moves[:-1], moves[1:], moves[::-1], [*moves, "pass"], []):
        assert "digest does not fit" in refused({**plain, "moves": changed})


@both_games
def test_a_dropped_move_is_missed_though_sealed(name: str) -> None:
    """Only the last moves can be cut off: that is a game not yet ended, and no lie."""
    plain = record(name)
    moves = plain["moves"]
    for ply in range(0, len(moves) - 1, 1 if len(moves) < 99 else 7):
        if moves[ply] != moves[ply + 1]:
            assert "ove " in refused(sealed(plain, moves=[*moves[:ply], *moves[ply + 1 :]]))
    for end in range(0, len(moves), 1 if len(moves) < 99 else 7):
        try:
            assert Table.from_record(sealed(plain, moves=moves[:end])).outcome is None
        except RecordError as refusal:
            assert f"breaks off at move {end}: a card is still to be dealt" in str(refusal)  # noqa: PT017


@both_games
def test_two_moves_in_the_wrong_order_are_found_though_sealed(name: str) -> None:
    plain = record(name)
    moves = plain["moves"]
    for ply in range(0, len(moves) - 1, 1 if len(moves) < 99 else 7):
        first, second = moves[ply], moves[ply + 1]
        if first != second and not first.startswith(second[:7] if second.startswith("discard") else "!"):
            swapped = [*moves[:ply], second, first, *moves[ply + 2 :]]
            assert re.match(f"Move ({ply}|{ply + 1}) of the record", refused(sealed(plain, moves=swapped)))


@both_games
def test_another_card_than_the_seed_deals_is_found_though_sealed(name: str) -> None:
    plain = record(name)
    for ply, text in enumerate(plain["moves"]):
        if text.startswith("deal"):
            others = [move for move, _ in _chances(plain, ply) if str(move) != text]
            for other in others[:2]:
                moves = [*plain["moves"][:ply], str(other), *plain["moves"][ply + 1 :]]
                reason = refused(sealed(plain, moves=moves))
                assert f"Move {ply} of the record says '{other}', but the seed deals '{text}'" in reason


def _chances(plain: Plain, ply: int) -> Any:
    table = Table.from_record(plain)
    return table.game.chance(table._states[ply])


@pytest.mark.parametrize(
    ("place", "text", "reason"),
    [
        (0, "sing", "'sing' is not a move of Tunnel Rat"),
        (0, "reveal", "This is the Draw Phase"),
        (1, "deal Joker", "'deal Joker' is not a move"),
        (2, "advance", "the guess comes in the Action Phase"),
        (2, "discard VC", "This is the VC Phase"),
        (2, "ask vc after 1.00 s", "is not a move"),
    ],
)
def test_an_illegal_move_is_named_with_its_place(place: int, text: str, reason: str) -> None:
    plain = record()
    moves = [*plain["moves"][:place], text, *plain["moves"][place + 1 :]]
    said = refused(sealed(plain, moves=moves))
    assert said.startswith(f"Move {place} of the record, {text!r}, cannot be made: ")
    assert reason in said


def test_a_move_written_otherwise_is_refused() -> None:
    table = Table("tunnel-rat", seed=1, salt="salt")
    for move in ("draw", "ask vc", "answer no after 1.50 s"):
        table.play(move)
    plain = table.record().to_dict()
    assert plain["moves"][-1] == "answer no after 1.50 s"
    assert "Move 3 of the record" in refused(sealed(plain, moves=[*plain["moves"][:-1], "answer no after 1.5 s"]))


def test_moves_after_the_end_are_refused() -> None:
    plain = record()
    end = len(plain["moves"])
    assert f"Move {end} of the record, 'draw', cannot be made: The game is over" in refused(
        sealed(plain, moves=[*plain["moves"], "draw"])
    )


def test_a_card_that_a_teacher_chose_is_told_and_must_exist() -> None:
    table = Table("tunnel-rat", seed=1, salt="salt", deals=["VC"], vc=1)
    table.play("draw")
    plain = table.record().to_dict()
    assert ([*plain["chosen"]], [*plain["moves"]]) == ([1], ["draw", "deal VC"])
    assert Table.from_record(plain).record().to_dict() == plain
    assert "Move 1 of the record" in refused(sealed(plain, options={**plain["options"], "vc": 0}))


# Fairness


def _dealt_again(plain: Plain) -> Iterator[str]:
    """The cards that the seed deals, from the documented formula alone: draw k among n is SHA-256("seed:k") mod n."""
    kinds = GAMES[plain["game"]].catalogue.kinds
    order = [kind.name for kind in kinds]
    us = {kind.name for kind in kinds if kind.suit in SUITES}
    decks = {side: [k.name for k in kinds for _ in range(k.copies) if (k.name in us) == side] for side in (False, True)}
    hand: list[str] = []
    discard: list[str] = []
    number = 0
    for verb, _, card in (text.partition(" ") for text in plain["moves"]):
        if verb in ("deal", "take"):
            pool = sorted(hand if verb == "take" else decks[card in us], key=order.index)
            digest = sha256(f"{plain['seed']}:{number}".encode()).hexdigest()
            dealt = pool[int(digest, 16) % len(pool)]
            number += len(pool) > 1
            yield dealt
            (hand if verb == "take" else decks[card in us]).remove(dealt)
            hand += [dealt] * (verb == "deal" and card not in us)
        elif verb in ("discard", "casualty") and not us:
            discard.append(card)
        elif verb == "shuffle":
            decks[False], discard = discard, []
        elif card in hand:
            hand.remove(card)


@both_games
@pytest.mark.parametrize("seed", [0, 7, -3, 2**200])
def test_every_card_of_a_record_can_be_dealt_again(name: str, seed: int) -> None:
    plain = random_game(name, {}, seed).record().to_dict()
    assert plain["commitment"] == sha256(f"{seed}:salt".encode()).hexdigest()
    assert list(_dealt_again(plain)) == [m.partition(" ")[2] for m in plain["moves"] if m.startswith(("deal", "take"))]


def test_the_generator_is_the_same_under_every_python() -> None:
    assert [chance.draw(7, number, 1000) for number in range(8)] == [427, 741, 578, 56, 659, 181, 951, 265]
    assert chance.commitment(7, "salt") == "432fe99e73572136aeb4b7e7abf5af800f7cf8522ebcd0ea77bc8751134d2b85"
    assert chance.player_random(7, 3).random() == 0.4167403733497361


def test_a_seed_deals_these_cards() -> None:
    rat, cat = play(Table("tunnel-rat", seed=7), *turn("shoot") * 7), Table("cat-and-mouse", seed=7)
    assert [str(move)[5:] for move in rat.moves if move.verb == "deal"] == RAT_CARDS
    assert [str(move)[5:] for move in cat.moves] == CAT_CARDS


RAT_CARDS = ["VC", "Tunnel", "Trap", "Trap", "Tunnel", "Tunnel", "VC"]
CAT_CARDS = [
    "Biological", "Military", "Asian", "Charismatic Leader", "Leave No Trace", "Asian", "African", "Multiple Cells",
    "Cultural", "Chemical", "Government", "Commercial",
    "Paper Trail", "Paper Trail", "International Assistance", "Eye in the Sky", "CIA", "Follow Up Leads",
    "Human Intelligence", "Arrests & Interrogations", "International Assistance",
]  # fmt: skip


@both_games
def test_a_choice_among_one_card_takes_no_draw(name: str) -> None:
    options = {"vc": 1, "traps": 0, "tunnels": 1, "tunnels_to_win": 1} if name == "tunnel-rat" else {}
    table = random_game(name, options, 3)
    pools = [len(table.game.pool(state)) for state in table._states if state.step.seat == "chance"]
    assert table.dealt == sum(size > 1 for size in pools)
