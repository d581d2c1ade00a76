"""Whole screens, without a browser: what a person presses, and what he is shown."""

from __future__ import annotations

import json
import logging
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cmgames
from cmgames.bots.player import players
from cmgames.ui.desk import Here
from cmgames.ui.screen import merge_patch
from cmgames.ui.session import Session
from cmgames.ui.sitting import Sitting
from tests.rfc7386 import merged

from .conftest import Visit
from .person import Person

AGAINST = [
    (game, seat, name)
    for game, rules in cmgames.GAMES.items()
    for seat in rules.seats
    for across in rules.seats
    if across != seat
    for name in players(game, across)
]


def sitting(person: Person) -> Sitting:
    assert isinstance(person.session.page, Sitting)
    return person.session.page


@pytest.mark.parametrize(("game", "seat", "opponent"), AGAINST)
def test_a_whole_game_against_every_computer_player(game: str, seat: str, opponent: str) -> None:
    person = Person()
    person.begin(game, seat=seat, opponent=opponent)
    person.play_on(random.Random(1))
    assert person.screen.say.endswith(person.screen.result)
    assert next(iter(person.screen.moves.values())).label == "Play again"


@pytest.mark.parametrize("game", cmgames.GAMES)
def test_two_people_on_one_screen_never_meet_the_others_hand(game: str) -> None:
    person = Person()
    person.begin(game, opponent="person")
    assert person.screen.page == "curtain", "the first seat has its curtain too"
    table = sitting(person).table
    rng = random.Random(3)
    while table.outcome is None:
        screen = person.wait()
        if screen.page == "curtain":
            assert [*screen.rows, *screen.log, *screen.tracks, screen.face] == [None]
            person.press("I am")
            continue
        others = [row for row in screen.rows.values() if "hand" in row.label and not row.mine]
        assert all(not row.cards for row in others)
        moves = [button.send for button in screen.moves.values() if not button.off]
        cards = [card.send for row in screen.rows.values() for card in row.cards.values() if card.send]
        person.send(rng.choice(cards) if cards and (not moves or rng.random() < 0.5) else rng.choice(moves[-2:]))


def at_table(table: cmgames.Table, *names: str, teacher: bool = False) -> Person:
    """Somebody at a table, with players by name in the order of its seats."""
    session = Session(teacher=teacher)
    session.turn(Sitting(session, Here(table, dict(zip(table.game.seats, names, strict=True)))))
    return Person(session)


def test_hidden_cards_change_no_byte_of_what_a_person_is_sent() -> None:
    """The same presses over decks that differ only in the face-down card give the same screens to the rat."""
    seen = []
    for card in ("VC", "Trap", "Tunnel"):
        person = at_table(cmgames.Table("tunnel-rat", seed=1, salt="", deals=[card]), "person", "steady")
        for label in ("Is it a VC?", "No question", "Is it safe?", "Is it a Trap?"):
            person.press(label)
            person.wait()
        seen.append(person.seen)
    assert seen[0] == seen[1] == seen[2]


def test_no_message_lifts_a_curtain_that_is_not_there() -> None:
    """A rat who asks for the VC's side of the screen does not get it, whenever he asks."""
    person = at_table(cmgames.Table("tunnel-rat", seed=1, deals=["VC", "VC"]), "person", "steady")
    for label in ("No question", "No question", "No question", "No question", "Search"):
        person.press(label)
    while person.screen.tick is not None:
        tick = person.screen.tick.send
        person.send({"do": "ready"})
        assert sitting(person).viewer == "rat"
        person.send(tick)


def test_undo_at_a_curtain_shows_nobodys_hand() -> None:
    person = Person()
    person.begin("cat-and-mouse", opponent="person")
    person.press("I am the Terrorist")
    person.press("Do not draw")
    assert person.screen.page == "curtain"
    person.press("Undo")
    assert (person.screen.page, person.screen.rows) == ("curtain", {})
    assert person.screen.moves["ready"].label == "I am the Terrorist"


def test_a_game_in_play_waits_at_home() -> None:
    person = Person()
    person.begin("cat-and-mouse", seat="us", opponent="random")
    person.press("Draw")
    prompt = person.screen.prompt
    person.press("Home")
    person.send({"do": "game", "game": "tunnel-rat"})
    person.press("Home")
    person.press("Go on with your game")
    assert person.screen.prompt == prompt


def test_undo_is_no_way_out_of_an_attack_that_was_announced() -> None:
    plan = [name for name in ("Nuclear", "Asian", "Military") for _ in range(3)]
    person = at_table(cmgames.Table("cat-and-mouse", seed=1, deals=plan), "collector", "person")
    while "attacks" not in person.screen.prompt:
        cards = [card.send for row in person.screen.rows.values() for card in row.cards.values() if card.send]
        moves = [button.send for button in person.screen.moves.values() if not button.off]
        person.send(moves[-1] if moves and moves[-1]["do"] == "move" else cards[0])
        person.wait()
    person.press("Undo")
    assert person.screen.notice is not None
    assert "become known" in person.screen.notice.text
    assert "Seed" not in person.screen.foot
    assert "salt" not in json.dumps(person.seen)


def test_a_teacher_plays_on_from_the_very_beginning_and_undoes_while_looking_back() -> None:
    person = at_table(cmgames.Table("cat-and-mouse", seed=1), "person", "person", teacher=True)
    person.press("Open hands")
    person.press("Do not draw")
    for label in ("Look back", "To the beginning", "Play on from here"):
        person.press(label)
    assert person.screen.who == "The Terrorist moves"
    assert "undo" not in person.press("Look back").bar
    person.press("Back to the present")
    assert person.screen.who == "The Terrorist moves"


def test_a_record_that_is_opened_leaves_the_game_in_play_alone(visit: Visit) -> None:
    person = visit()
    person.begin("cat-and-mouse", seat="us", opponent="random")
    table = sitting(person).table
    for label in ("Rules", "Home", "Open a record"):
        person.press(label)
    record = cmgames.Table("tunnel-rat", seed=1).record({"rat": "person", "vc": "nervous"})
    person.send({"do": "load", "value": record.to_json()})
    assert sitting(person).players == {"rat": "person", "vc": "nervous"}
    again = visit()
    again.send({"do": "hello", "query": "", "token": person.screen.token})
    assert sitting(again).table.record() == table.record()
    linked = visit()
    linked.send({"do": "hello", "query": "?game=tunnel-rat", "token": person.screen.token})
    assert linked.screen.page == "form", "a link leads where it says"
    for label in ("Home", "Go on with your game"):
        linked.press(label)
    assert sitting(linked).table.record() == table.record()


def test_a_wrong_option_is_explained_beside_it() -> None:
    person = Person()
    person.send({"do": "game", "game": "tunnel-rat"})
    person.send({"do": "set", "name": "tunnels_to_win", "value": "9"})
    person.send({"do": "set", "name": "max_turns", "value": "50"})
    assert person.screen.fields["tunnels_to_win"].error.startswith("This is 9, but the deck holds only 8")
    assert person.screen.fields["max_turns"].error == ""
    person.press("Rules")
    assert person.screen.title == "The rules of Tunnel Rat"


def test_a_double_press_is_one_move() -> None:
    person = Person()
    person.begin("tunnel-rat", opponent="steady")
    message = {**next(iter(person.screen.moves.values())).send, "n": person.screen.n}
    person.send(message)
    moves = len(sitting(person).table.moves)
    person.send(message)
    assert len(sitting(person).table.moves) == moves
    assert person.screen.notice is not None
    assert "moved on" in person.screen.notice.text


def test_a_refused_move_says_why_and_changes_nothing() -> None:
    person = Person()
    person.begin("cat-and-mouse", seat="us", opponent="random")
    person.press("Draw")
    before = sitting(person).table.state
    person.press("Discard")
    assert person.screen.notice is not None
    assert person.screen.notice.text == "Choose cards in your hand first."
    assert sitting(person).table.state == before
    person.send({"do": "move", "move": "pass", "at": sitting(person).table.version})
    assert person.screen.notice.text == "You hold 10 cards and may hold 9: discard 1 first."


def test_picked_cards_show_which_combo_they_make() -> None:
    deals = [""] * 12 + ["FBI", "FBI", "FBI", "CIA", "Interpol", "Informants"]
    person = at_table(cmgames.Table("cat-and-mouse", deals=deals), "random", "person")
    person.press("Draw")
    person.send({"do": "pick", "card": "Informants#1"})
    person.press("Discard")
    for card in ("FBI#1", "FBI#2"):
        person.send({"do": "pick", "card": card})
    assert "make no combo" in person.screen.moves["combo"].off
    person.send({"do": "pick", "card": "FBI#3"})
    assert person.screen.moves["combo"].label == "Play the combo: 3 × FBI"
    person.send({"do": "pick", "card": "FBI#3"})
    person.press("Find one")
    assert not person.screen.moves["combo"].off


def test_undo_stops_at_a_card_that_has_become_known() -> None:
    person = Person()
    person.begin("tunnel-rat", opponent="steady")
    assert person.screen.bar["undo"].off
    person.press("No question")
    person.press("Undo")
    assert len(sitting(person).table.moves) == 2
    person.press("Is it a VC?")
    person.wait()
    assert person.screen.bar["undo"].off, "the answer has been heard and the face seen"
    for label in ("No question", "No question", "No question", "Advance"):
        person.press(label)
    person.wait()
    assert person.screen.bar["undo"].off
    person.press("Undo")
    assert person.screen.notice is not None
    assert "become known" in person.screen.notice.text


def test_a_fault_in_the_program_is_a_sentence_and_the_game_goes_on(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    person = Person()
    person.begin("tunnel-rat", opponent="steady")
    with monkeypatch.context() as broken, caplog.at_level(logging.ERROR, "cmgames"):
        broken.setattr(Sitting, "on_move", lambda *_: 1 / 0)
        person.press("Is it a VC?")
    assert person.screen.notice is not None
    assert person.screen.notice.text.startswith("Something went wrong, your game is safe.")
    assert "ZeroDivisionError" in caplog.text
    assert "Zero" not in json.dumps(person.seen)
    person.press("Is it a VC?")
    assert "“No.”" in str(person.wait().log)


def test_a_reload_resumes_the_same_game(visit: Visit) -> None:
    person = visit()
    person.begin("cat-and-mouse", seat="us", opponent="collector")
    person.press("Draw")
    token, rows = person.screen.token, person.screen.rows
    assert token
    again = visit()
    assert again.screen.token is None, "the browser keeps its token until it has said hello"
    again.send({"do": "hello", "query": "", "token": token})
    assert {id: row.size for id, row in again.screen.rows.items()} == {id: row.size for id, row in rows.items()}
    assert again.screen.prompt == person.screen.prompt
    stranger = visit()
    stranger.send({"do": "hello", "query": "?game=tunnel-rat&opponent=nervous", "token": ""})
    assert stranger.screen.page == "form"
    assert stranger.screen.fields["opponent"].value == "nervous"


def test_two_windows_of_one_game_do_not_overwrite_each_other(visit: Visit) -> None:
    first = visit()
    first.begin("tunnel-rat", opponent="steady")
    second = visit()
    second.send({"do": "hello", "query": "", "token": first.screen.token})
    first.press("No question")
    assert first.screen.notice is None, "a window that is only open takes nothing away"
    second.press("Is it a VC?")
    assert second.screen.notice is not None
    assert "moved on" in second.screen.notice.text
    assert sitting(second).table.record() == sitting(first).table.record()
    second.press("Is it a Trap?")
    assert second.screen.notice is None


def test_a_teacher_opens_hands_steps_back_and_plays_on_from_there() -> None:
    person = Person(Session(teacher=True))
    person.begin("cat-and-mouse", opponent="person")
    person.press("Open hands")
    assert person.screen.rows["us hand"].cards
    person.press("Draw")
    plies = len(sitting(person).table.moves)
    person.press("Look back")
    person.press("Step back")
    person.press("Play on from here")
    assert len(sitting(person).table.moves) < plies
    person.press("Do not draw")
    person.press("Open hands")
    assert person.screen.page == "curtain"


def test_after_the_end_one_steps_through_the_game_saves_and_opens_it() -> None:
    person = Person()
    person.begin("tunnel-rat", seat="watch")
    person.play_on(random.Random(1))
    result = person.screen.result
    person.press("Save the record")
    assert person.screen.save is not None
    text = person.screen.save.text
    assert person.screen.save.name == "tunnel-rat.json"
    person.press("Step through")
    for _ in range(3):
        person.press("Step forward")
    assert person.screen.who.startswith("Looking back: move 3 of")
    person.press("Home")
    person.press("Open a record")
    person.send({"do": "load", "value": text[:-40]})
    assert person.screen.notice is not None
    assert "cut short" in person.screen.notice.text
    person.send({"do": "load", "value": text})
    person.press("Back to the present")
    assert person.screen.result == result


def test_watching_pauses_and_changes_its_speed() -> None:
    person = Person()
    person.begin("cat-and-mouse", seat="watch")
    assert person.screen.tick is not None
    slow = person.screen.tick.after
    person.press("Faster")
    assert person.screen.tick.after == slow / 2
    person.press("Pause")
    assert person.screen.tick is None
    person.press("Pause")
    assert person.screen.tick is not None


KEYS = ["do", "n", "ms", "move", "at", "card", "place", "name", "value", "ply", "by", "verb", "game", "query", "token"]
DEEDS = sorted(
    {name[3:] for page in (Session, Sitting) for name in dir(page) if name.startswith("on_")}
    | {"resync", "__init__", ""}
)
anything = st.one_of(
    st.none(), st.integers(-5, 5), st.floats(), st.text(max_size=5), st.lists(st.integers(), max_size=2)
)


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.dictionaries(st.sampled_from(KEYS), anything), max_size=6), st.lists(st.sampled_from(DEEDS), max_size=6)
)
def test_no_message_raises_shows_a_traceback_or_moves_for_the_other_seat(
    messages: list[dict[str, Any]], deeds: list[str]
) -> None:
    logging.getLogger("cmgames").disabled = True
    person = Person()
    person.begin("cat-and-mouse", seat="us", opponent="random")
    for message, do in zip(messages, deeds, strict=False):
        screen = person.send({**message, "do": do, "n": person.screen.n})
        assert screen.n - person.seen[-2]["n"] in (0, 1)
        assert "Traceback" not in json.dumps(screen.to_dict())
        if isinstance(person.session.page, Sitting):
            assert "Nuclear" not in str(screen.rows.get("terrorist hand"))
    logging.getLogger("cmgames").disabled = False


plain = st.recursive(
    st.integers() | st.text(max_size=3), lambda inner: st.dictionaries(st.text(max_size=2), inner), max_leaves=8
)


@given(st.dictionaries(st.text(max_size=2), plain), st.dictionaries(st.text(max_size=2), plain))
def test_a_patch_turns_the_old_screen_into_the_new_one(old: dict[str, Any], new: dict[str, Any]) -> None:
    assert merged(old, merge_patch(old, new)) == new
