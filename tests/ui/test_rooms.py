"""Several people at one table, each with a session and a database connection of his own."""

from __future__ import annotations

import random
import sqlite3
import time
from pathlib import Path
from typing import Any

import pytest

import cmgames
from cmgames.rooms import database, room
from cmgames.rooms.room import Room
from cmgames.ui.invitation import invitation
from cmgames.ui.setup import Pledge
from cmgames.ui.sitting import Sitting

from .conftest import Visit
from .person import Person


def sitting(person: Person) -> Sitting:
    assert isinstance(person.session.page, Sitting)
    return person.session.page


def hear(person: Person) -> None:
    """What the page's loop does when there is news."""
    screen = person.session.news()
    if screen is not None:
        person.seen.append(screen.to_dict())


def pass_time(patch: pytest.MonkeyPatch, person: Person, seconds: int) -> None:
    """Let the clock go on, while a page follows the news."""
    now = time.time()
    for passed in range(5, seconds + 1, 5):
        patch.setattr(time, "time", lambda passed=passed: now + passed)
        hear(person)


def invite(person: Person, game: str, seat: str, **terms: str) -> str:
    """Begin a game with a friend elsewhere; the code for him."""
    person.send({"do": "game", "game": game})
    for name, value in {"seat": seat, "opponent": "far", **terms}.items():
        person.send({"do": "set", "name": name, "value": value})
    person.press("Start")
    return next(block.text for block in person.screen.text if block.kind == "code")


def join(person: Person, code: str, name: str = "") -> None:
    person.send({"do": "hello", "query": f"?code={code.lower()}", "token": ""})
    person.send({"do": "name", "value": name})
    person.press("Join")
    accept(person)


def accept(person: Person) -> None:
    """Promise the game's manners, where they are asked for."""
    if "begin" in person.screen.moves:
        for field in list(person.screen.fields.values()):
            person.send({**field.send, "value": "true"})
        person.press("Accepted")


def pair(visit: Visit, game: str, **terms: str) -> dict[str, Person]:
    """Two people at a table, by seat."""
    seats = list(cmgames.GAMES[game].seats)
    first, second = visit(), visit()
    code = invite(first, game, seats[0], **terms)
    join(second, code, "Ben")
    hear(first)
    accept(first)
    return dict(zip(seats, (first, second), strict=True))


def until_asked(people: dict[str, Person]) -> None:
    """Tunnel Rat, up to where the rat may ask."""
    hear(people["vc"])
    people["vc"].press("Draw")
    hear(people["rat"])
    people["rat"].wait()


def press_something(person: Person, rng: random.Random) -> None:
    moves = [button.send for button in person.screen.moves.values() if not button.off]
    cards = [card.send for row in person.screen.rows.values() for card in row.cards.values() if card.send]
    person.send(rng.choice(cards) if cards and (not moves or rng.random() < 0.5) else rng.choice(moves[-2:]))


def play_on(people: dict[str, Person], rng: random.Random, presses: int = 4000) -> None:
    """Press anything that moves the game, until it is over for everybody."""
    for _ in range(presses):
        for person in people.values():
            hear(person)
            person.wait()
        if all(person.screen.result for person in people.values()):
            return
        mover = next(person for person in people.values() if person.screen.mine)
        press_something(mover, rng)
    raise AssertionError("the game does not end")


@pytest.mark.parametrize("game", cmgames.GAMES)
def test_two_people_play_a_whole_game_and_another_one(visit: Visit, game: str) -> None:
    people = pair(visit, game)
    play_on(people, random.Random(1))
    records = [sitting(person).table.record() for person in people.values()]
    assert records[0] == records[1]
    for person in people.values():
        person.press("Play again")
        accept(person)
    for person in people.values():
        hear(person)
    rooms = {sitting(person).room.id for person in people.values()}
    assert len(rooms) == 1
    play_on(people, random.Random(2))


def test_a_second_rat_is_refused_and_a_wrong_code_shows_nothing(visit: Visit) -> None:
    first, second, third = visit(), visit(), visit()
    code = invite(first, "tunnel-rat", "vc")
    late = visit()
    late.send({"do": "hello", "query": f"?code={code}", "token": ""})
    join(second, code)
    late.press("Join")
    assert late.screen.notice is not None
    assert late.screen.notice.text == "Somebody already sits there."
    join(third, code)
    assert third.screen.fields["code"].error == "All seats of this game are taken."
    for _ in range(10):
        third.send({"do": "code", "value": "22222"})
    assert third.screen.notice is not None
    assert "wrong too often" in third.screen.notice.text
    assert "wrong too often" in third.press("Join").notice.text


def test_games_with_friends_wait_while_another_one_is_begun(visit: Visit) -> None:
    """The home page leads back to each, and so does its code; the seat's owner is there again for the other."""
    host, ben, cara = visit(), visit(), visit()
    code = invite(host, "tunnel-rat", "vc")
    join(ben, code, "Ben")
    hear(host)
    accept(host)
    first = sitting(host).room.id
    host.press("Home")
    join(cara, invite(host, "cat-and-mouse", "us"), "Cara")
    hear(host)
    accept(host)
    host.press("Home")
    assert [button.label for button in host.screen.moves.values() if button.label.startswith("Go on")] == [
        "Go on with your game",
        "Go on with Tunnel Rat against Ben",
    ]
    host.press("Go on with Tunnel Rat")
    assert sitting(host).room.id == first
    hear(ben)
    assert [other.state for other in ben.screen.others.values()] != ["away"]
    host.press("Home")
    host.press("Go on with Cat")
    host.press("Home")
    host.press("Join")
    host.send({"do": "code", "value": code})
    assert sitting(host).room.id == first


def test_a_token_opens_its_own_seat_and_a_wrong_one_nothing(visit: Visit) -> None:
    people = pair(visit, "cat-and-mouse")
    people["terrorist"].press("Draw")
    for seat, person in people.items():
        again = visit()
        again.send({"do": "hello", "query": "", "token": person.screen.token})
        assert sitting(again).people == [seat]
        assert again.screen.rows.keys() == person.screen.rows.keys()
        other = next(other for other in people if other != seat)
        assert again.screen.rows[f"{other} hand"].cards == {}
    stranger = visit()
    stranger.send({"do": "hello", "query": "", "token": "0" * 32})
    assert (stranger.screen.page, stranger.screen.token) == ("home", "")
    assert stranger.screen.notice is not None
    assert "not here any more" in stranger.screen.notice.text


def test_both_tabs_of_a_seat_make_one_move(visit: Visit) -> None:
    people = pair(visit, "tunnel-rat")
    rat = people["rat"]
    until_asked(people)
    tab = visit()
    tab.send({"do": "hello", "query": "", "token": rat.screen.token})
    tab.wait()
    before = len(sitting(rat).table.moves)
    rat.press("Is it a VC?")
    tab.press("No question")
    assert tab.screen.notice is not None
    assert "The table has moved on" in tab.screen.notice.text
    hear(rat)
    assert len(sitting(rat).table.moves) == len(sitting(tab).table.moves) == before + 1


def test_a_press_that_the_database_refuses_leaves_the_cards_picked(
    visit: Visit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "BUSY_SECONDS", 0.1)
    people = pair(visit, "cat-and-mouse")
    us = people["us"]
    people["terrorist"].press("Do not draw")
    hear(us)
    us.press("Draw")
    us.send({"do": "pick", "card": next(iter(us.screen.rows["us hand"].cards))})
    version = sitting(us).table.version
    holder = sqlite3.connect(tmp_path / "rooms.sqlite", isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    us.press("Discard")
    assert us.screen.notice is not None
    assert us.screen.notice.tone == "error"
    holder.execute("ROLLBACK")
    us.press("Discard")
    assert sitting(us).table.version == version + 1
    assert not any(card.picked for card in us.screen.rows["us hand"].cards.values())


def test_the_other_is_told_that_a_move_was_taken_back(visit: Visit) -> None:
    people = pair(visit, "cat-and-mouse")
    terrorist, us = people["terrorist"], people["us"]
    name = us.screen.others["terrorist"].name
    terrorist.press("Do not draw")
    hear(us)
    terrorist.press("Undo")
    hear(us)
    assert [*us.screen.log.values()][-1].text == us.screen.say == f"{name} took back a move."
    terrorist.press("Draw")
    hear(us)
    lines = [line.text for line in us.screen.log.values()]
    assert f"{name} took back a move. The Terrorist draws a card." in lines
    assert "does not draw" not in str(us.screen.log)
    assert "took back" not in str(terrorist.screen.log)


def test_a_move_that_replaces_another_one_is_announced(visit: Visit) -> None:
    people = pair(visit, "tunnel-rat")
    until_asked(people)
    people["rat"].press("Is it a VC?")
    hear(people["vc"])
    people["rat"].press("Undo")
    people["rat"].press("No question")
    hear(people["vc"])
    assert "took back a move. The rat asks no more." in people["vc"].screen.say


def test_who_answers_a_question_that_is_taken_back_is_told_so(visit: Visit) -> None:
    people = pair(visit, "tunnel-rat")
    until_asked(people)
    people["rat"].press("Is it a VC?")
    hear(people["vc"])
    people["rat"].press("Undo")
    people["vc"].press("No.")
    assert people["vc"].screen.notice is not None
    assert "The table has moved on" in people["vc"].screen.notice.text
    assert people["vc"].screen.prompt.endswith("took back a move.")


def test_who_comes_back_by_a_link_has_his_table_read_once(visit: Visit, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = visit(), visit()
    code = invite(first, "cat-and-mouse", "us")
    join(second, code)
    read: list[int] = []
    row = room._row
    monkeypatch.setattr(room, "_row", lambda connection, id: read.append(id) or row(connection, id))
    for query in ("", f"?code={code}", "?game=cat-and-mouse", "?game=tunnel-rat"):
        read.clear()
        again = visit()
        again.send({"do": "hello", "query": query, "token": second.screen.token})
        assert len(read) == 1, query


def test_an_answer_keeps_the_time_that_it_took(visit: Visit) -> None:
    people = pair(visit, "tunnel-rat")
    until_asked(people)
    people["rat"].press("Is it a VC?")
    hear(people["vc"])
    no = next(button.send for button in people["vc"].screen.moves.values() if not button.off)
    people["vc"].send({**no, "ms": 2340})
    hear(people["rat"])
    assert any("2.3 s" in line.text for line in people["rat"].screen.log.values())


def test_somebody_who_is_gone_is_replaced_by_a_computer_and_takes_his_seat_back(
    visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = pair(visit, "cat-and-mouse", away_after="30")
    us, terrorist = people["us"], people["terrorist"]
    hear(us)
    assert us.screen.others["terrorist"].state == "thinking"
    assert "stand in" not in us.screen.moves
    terrorist.send({"do": "here", "visible": False})
    hear(us)
    assert us.screen.others["terrorist"].state == "away"
    pass_time(monkeypatch, us, 35)
    us.press("Let a computer player go on for")
    hear(us)
    us.wait()
    assert us.screen.mine
    monkeypatch.undo()
    back = visit()
    back.send({"do": "hello", "query": "", "token": terrorist.screen.token})
    assert not back.screen.mine
    back.press("Take my seat back")
    hear(us)
    assert sitting(us).players["terrorist"] == "person"
    assert any("stands in" in line.text for line in us.screen.log.values())


def test_the_clock_makes_a_move_that_everybody_is_told_of(visit: Visit, monkeypatch: pytest.MonkeyPatch) -> None:
    people = pair(visit, "cat-and-mouse", clock="30")
    us, terrorist = people["us"], people["terrorist"]
    hear(us)
    assert us.screen.clock is not None
    assert terrorist.screen.clock is not None
    assert "Do not draw" in terrorist.screen.clock.then
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 31)
    for person in (us, terrorist):
        hear(person)
    assert sitting(us).table.record() == sitting(terrorist).table.record()
    moves: list[Any] = [sitting(us).desk.how[ply] for ply in sitting(us).desk.how]
    assert moves == ["clock"]
    for person in (us, terrorist):
        assert any(line.text.startswith("The time ran out:") for line in person.screen.log.values())


def test_a_page_that_is_gone_hides_no_newer_one(visit: Visit) -> None:
    people = pair(visit, "cat-and-mouse")
    us, old = people["us"], people["terrorist"]
    new = visit()
    new.send({"do": "hello", "query": "", "token": old.screen.token})
    old.send({"do": "here", "visible": False})
    hear(us)
    assert us.screen.others["terrorist"].state == "thinking"
    new.send({"do": "here", "visible": False})
    hear(us)
    assert us.screen.others["terrorist"].state == "away"
    new.press("Draw")
    hear(us)
    assert us.screen.others["terrorist"].state != "away"


def test_whoever_loads_his_page_is_there_and_the_others_have_time_to_follow(
    visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after a server that was away for five minutes."""
    people = pair(visit, "cat-and-mouse", away_after="30")
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 300)
    us, terrorist = visit(), visit()
    us.send({"do": "hello", "query": "", "token": people["us"].screen.token})
    hear(people["us"])
    for page in (us, people["us"]):
        assert page.screen.others["terrorist"].state == "away"
        assert "stand in" not in page.screen.moves
    terrorist.send({"do": "hello", "query": "", "token": people["terrorist"].screen.token})
    hear(us)
    assert us.screen.others["terrorist"].state == "thinking"


def test_who_turns_away_from_his_game_is_away(visit: Visit) -> None:
    people = pair(visit, "cat-and-mouse")
    us, terrorist = people["us"], people["terrorist"]
    terrorist.press("Home")
    terrorist.send({"do": "here", "visible": True})
    hear(us)
    assert us.screen.others["terrorist"].state == "away"
    terrorist.press("Go on with your game")
    hear(us)
    assert us.screen.others["terrorist"].state == "thinking"


def test_the_clock_does_not_wait_for_the_promise(visit: Visit, monkeypatch: pytest.MonkeyPatch) -> None:
    vc, rat = visit(), visit()
    code = invite(rat, "tunnel-rat", "rat", clock="30")
    vc.send({"do": "hello", "query": f"?code={code}", "token": ""})
    vc.press("Join")
    hear(rat)
    assert rat.screen.clock is not None
    assert vc.session.guest is not None
    vc.session.turn(Pledge(vc.session, Room(sitting(rat).room.database, sitting(rat).room.id, vc.session.guest.id)))
    hear(vc)
    assert vc.screen.clock is not None
    assert vc.screen.text[0].text == "You are the VC."
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 31)
    hear(vc)
    assert vc.screen.page == "table"
    assert any(line.text.startswith("The time ran out:") for line in vc.screen.log.values())


def test_who_reloads_the_link_by_which_he_came_is_back_at_his_table(visit: Visit) -> None:
    first, second = visit(), visit()
    code = invite(first, "cat-and-mouse", "us")
    join(second, code)
    again = visit()
    again.send({"do": "hello", "query": f"?code={code}", "token": second.screen.token})
    assert sitting(again).people == ["terrorist"]


@pytest.mark.parametrize(("link", "alone"), [("http://127.0.0.1:8866/", True), ("http://192.168.1.20:8866/", False)])
def test_a_link_that_only_this_computer_can_open_says_so(link: str, alone: bool) -> None:
    said = [block.text for block in invitation(link, "FKHQX", "Scan it.")]
    assert said[:2] == ["Scan it.", "FKHQX"]
    assert any("on this computer only" in text for text in said) == alone
