"""A teacher and his class, each with a session of his own."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest

from cmgames.rooms.answers import give
from cmgames.rooms.classes import Class
from cmgames.ui.lobby import Lobby
from cmgames.ui.sitting import Sitting

from .conftest import KEY, Teach, Visit
from .person import Person
from .test_rooms import accept, hear, join, pair, press_something, sitting


def opened(teach: Teach, **answers: str) -> tuple[Person, str]:
    """A teacher with an open class, and its code."""
    teacher = teach()
    teacher.send({"do": "key", "value": KEY.lower()})
    teacher.press("Open a class")
    for name, value in answers.items():
        teacher.send({"do": "set", "name": name, "value": value})
    teacher.press("Open the class")
    return teacher, teacher.screen.title[-5:]


def seated(*people: Person) -> None:
    """Hear the news until everybody sits at a table."""
    for _ in range(3):
        for person in people:
            hear(person)
            accept(person)


def pair_by_hand(teacher: Person, both: list[Person]) -> None:
    """Let the teacher seat two students at one table."""
    hear(teacher)
    teacher.press("Pair by hand")
    for place, student in enumerate(both):
        assert student.session.guest is not None
        teacher.send({"do": "choose", "place": place, "value": str(student.session.guest.id)})
    teacher.press("Let these two play")
    seated(*both)


def play_out(people: list[Person], rng: random.Random) -> None:
    """Press anything that moves the games, until all are over."""
    for _ in range(6000):
        for person in people:
            hear(person)
            person.wait()
        if all(person.screen.result for person in people):
            return
        press_something(next(person for person in people if person.screen.mine), rng)
    raise AssertionError("the games do not end")


def test_without_the_key_there_is_nothing(teach: Teach) -> None:
    stranger = teach()
    for deed in ({"do": "new"}, {"do": "open", "class": 1}, {"do": "home"}, {"do": "delete"}, {"do": "results"}):
        stranger.send(deed)
        assert stranger.screen.title == "For teachers"
        assert not stranger.screen.grids
    for _ in range(9):
        stranger.send({"do": "key", "value": "guess"})
    assert stranger.screen.notice is not None
    assert "wrong too often" in stranger.screen.notice.text
    stranger.send({"do": "key", "value": KEY})
    assert stranger.screen.title == "For teachers", "the right key does not end the wait either"
    teacher = teach()
    teacher.send({"do": "key", "value": KEY})
    again = teach()
    again.send({"do": "hello", "query": "", "token": teacher.screen.token, "link": "http://school/teach"})
    assert "new" in again.screen.moves


def test_a_class_is_paired_plays_swaps_and_pairs_anew(teach: Teach, visit: Visit) -> None:
    teacher, code = opened(teach, games="2")
    students = [visit() for _ in range(4)]
    for number, student in enumerate(students):
        join(student, code, f"Student {number}")
    seated(*students)
    rooms = {sitting(student).room.id for student in students}
    assert len(rooms) == 2
    hear(teacher)
    assert len(teacher.screen.grids["tables"].rows) == 2
    first = [sitting(student).room.elsewhere[0].name for student in students]
    play_out(students, random.Random(4))
    for student in students:
        student.press("On with the class")
    seated(*students)
    second = [sitting(student).room.elsewhere[0].name for student in students]
    assert not any(one == other for one, other in zip(first, second, strict=True)), "each has met somebody new"
    assert not rooms & {sitting(student).room.id for student in students}
    play_out(students, random.Random(5))
    for student in students:
        student.press("On with the class")
        assert "all your games" in student.screen.say
        hear(student)
    students[0].press("Your finished games")
    assert len(students[0].screen.moves) == 3
    students[0].press("Tunnel Rat as")
    students[0].press("Step through")
    assert students[0].screen.who.startswith("Looking back")


def test_the_same_deal_stays_sealed_until_all_have_played_it(teach: Teach, visit: Visit) -> None:
    _, code = opened(teach, game="cat-and-mouse", same_deal="true")
    students = [visit() for _ in range(4)]
    for student in students:
        join(student, code)
    seated(*students)
    by_room: dict[int, list[Person]] = {}
    for student in students:
        by_room.setdefault(sitting(student).room.id, []).append(student)
    one, other = by_room.values()
    assert sitting(one[0]).table.state == sitting(other[0]).table.state
    play_out(one, random.Random(7))
    for student in one:
        hear(student)
        seat = sitting(student).people[0]
        across = "us" if seat == "terrorist" else "terrorist"
        assert not student.screen.rows[f"{across} hand"].cards
        assert "seed" not in student.screen.foot
        student.press("Step through")
        assert student.screen.notice is not None
        student.send({"do": "save"})
        assert student.screen.save is None
    play_out(other, random.Random(8))
    for student in one:
        hear(student)
        hear(student)
        assert "seed" in student.screen.foot
        student.press("Step through")
        assert student.screen.who.startswith("Looking back")


def test_a_deal_is_sealed_as_long_as_somebody_may_still_get_it(teach: Teach, visit: Visit) -> None:
    """Two have played; two who are here have not, and are paired later: they get the same cards."""
    teacher, code = opened(teach, same_deal="true", pairing="hand")
    students = [visit() for _ in range(4)]
    for student in students:
        join(student, code)
    for early in (students[:2], students[2:]):
        pair_by_hand(teacher, early)
        play_out(early, random.Random(9))
        for student in students[:2]:
            hear(student)
            hear(student)
            assert ("seed" in student.screen.foot) == (early == students[2:])
    late = [visit(), visit()]
    for student in late:
        join(student, code)
    pair_by_hand(teacher, late)
    assert sitting(late[0]).room.round == 2, "those who come later get cards that nobody has seen"


def test_an_odd_student_plays_the_computer_until_a_partner_comes(
    teach: Teach, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, code = opened(teach)
    odd = visit()
    join(odd, code)
    hear(odd)
    assert isinstance(odd.session.page, Lobby)
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 11)
    seated(odd)
    assert set(sitting(odd).players.values()) > {"person"}
    assert odd.screen.notice is not None
    assert odd.screen.notice.text.startswith("Nobody is free yet")
    partner = visit()
    join(partner, code)
    seated(odd, partner)
    assert sitting(odd).room.id == sitting(partner).room.id


def test_who_turns_to_his_class_from_the_home_page_is_there(teach: Teach, visit: Visit) -> None:
    _, code = opened(teach, game="cat-and-mouse")
    students = [visit(), visit()]
    for student in students:
        join(student, code)
    seated(*students)
    one, other = students
    one.press("Home")
    hear(other)
    assert [who.state for who in other.screen.others.values()] == ["away"]
    one.press("To your class")
    one.send({"do": "here", "visible": True})
    hear(other)
    assert [who.state for who in other.screen.others.values()] != ["away"]


def test_who_comes_to_a_class_from_another_game_is_there(teach: Teach, visit: Visit) -> None:
    _, code = opened(teach, game="cat-and-mouse")
    people = pair(visit, "cat-and-mouse")
    one, other = visit(), visit()
    one.send({"do": "hello", "query": f"?code={code}", "token": people["us"].screen.token})
    one.press("Join")
    one.send({"do": "here", "visible": True})
    join(other, code)
    seated(one, other)
    assert sitting(one).room.id == sitting(other).room.id
    assert [who.state for who in other.screen.others.values()] != ["away"]


def test_two_who_have_met_wait_for_others_at_first(teach: Teach, visit: Visit, monkeypatch: pytest.MonkeyPatch) -> None:
    _, code = opened(teach, game="cat-and-mouse")
    students = [visit() for _ in range(4)]
    for student in students:
        join(student, code)
    seated(*students)
    play_out(students[:2], random.Random(3))
    for student in students[:2]:
        student.press("On with the class")
    seated(*students)
    assert all(isinstance(student.session.page, Lobby) for student in students[:2])
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 11)
    seated(*students[:2])
    assert len({sitting(student).room.id for student in students[:2]}) == 1


def test_an_odd_student_is_told_that_he_plays_the_computer_where_the_teacher_pairs(
    teach: Teach, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    teacher, code = opened(teach, game="cat-and-mouse", pairing="hand")
    odd = visit()
    join(odd, code)
    hear(teacher)
    teacher.press("Pair by hand")
    assert odd.session.guest is not None
    teacher.send({"do": "choose", "place": 0, "value": str(odd.session.guest.id)})
    teacher.send({"do": "choose", "place": 1, "value": "computer"})
    teacher.press("Let these two play")
    hear(odd)
    assert sitting(odd).room.terms.meanwhile
    assert odd.screen.notice is not None
    assert "Nobody is free yet" in odd.screen.notice.text
    late = visit()
    join(late, code)
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 11)
    seated(late)
    assert sitting(late).room.terms.meanwhile
    pair_by_hand(teacher, [odd, late])
    assert sitting(odd).room.id == sitting(late).room.id
    assert odd.screen.notice is not None
    assert odd.screen.notice.text == "Your partner has come: here is your game."


def test_who_does_not_get_the_seat_that_both_wished_for_is_told(teach: Teach, visit: Visit) -> None:
    teacher, code = opened(teach, game="cat-and-mouse", seats="chosen", pairing="hand")
    students = [visit(), visit()]
    for student in students:
        join(student, code)
        student.send({"do": "wish", "value": "us"})
    pair_by_hand(teacher, students)
    for student in students:
        assert student.screen.notice is not None
        has_lost = sitting(student).people != ["us"]
        assert ("You both wished to be" in student.screen.notice.text) == has_lost


def test_a_teacher_stops_tells_moves_on_replaces_ends_and_closes(teach: Teach, visit: Visit) -> None:
    teacher, code = opened(teach, game="cat-and-mouse")
    students = [visit(), visit()]
    for student in students:
        join(student, code)
    seated(*students)
    seats = [sitting(student).people for student in students]
    hear(teacher)
    teacher.press("Everybody waits")
    teacher.press("Move the slowest on")
    assert teacher.screen.notice is not None
    assert "press “Go on”" in teacher.screen.notice.text
    for student in students:
        hear(student)
        assert not student.screen.mine
        assert "stopped" in student.screen.prompt
    terrorist = next(student for student in students if sitting(student).people == ["terrorist"])
    terrorist.send({"do": "move", "move": "draw", "at": 0})
    assert sitting(terrorist).table.version == 0
    teacher.press("Go on")
    teacher.send({"do": "say", "value": "Think <b>before</b> you draw."})
    for student in students:
        hear(student)
        assert student.screen.banner == "Think <b>before</b> you draw."
    teacher.press("Move the slowest on")
    hear(terrorist)
    assert any(line.text.startswith("The teacher moved on") for line in terrorist.screen.log.values())
    teacher.send(next(iter(teacher.screen.grids["tables"].rows.values())).send or {})
    assert teacher.screen.rows["us hand"].cards
    assert teacher.screen.rows["terrorist hand"].cards
    teacher.send(next(button.send for id, button in teacher.screen.moves.items() if id == "fill terrorist"))
    hear(terrorist)
    terrorist.press("Take my seat back")
    teacher.press("End this game")
    teacher.press("Yes, end")
    for student in students:
        hear(student)
        assert "Your teacher has ended this game." in student.screen.result
        student.press("On with the class")
    seated(*students)
    assert [sitting(student).people for student in students] == seats[::-1], "seats are swapped"
    teacher.press("Back")
    teacher.press("Close the class")
    teacher.press("Yes, close")
    for student in students:
        hear(student)
        assert "The class was closed." in student.screen.result
        assert student.screen.banner == ""
        assert not student.screen.moves["lobby"].main
    tables = [row for row in teacher.screen.grids["tables"].rows.values() if row.send]
    teacher.send(tables[-1].send or {})
    assert teacher.screen.result.startswith("The game was ended early.")
    teacher.press("Back")
    late = visit()
    join(late, code)
    assert late.screen.notice is not None
    assert late.screen.notice.text == "This class is closed."


def way_in(teacher: Person, name: str) -> str:
    """The code that the teacher is shown for a student."""
    hear(teacher)
    teacher.press("A new way in")
    teacher.press(name)
    code = next(block.text for block in teacher.screen.text if block.kind == "code")
    teacher.press("To the tables")
    return code


def come_back(person: Person, code: str) -> None:
    person.press("Join with a code")
    person.send({"do": "code", "value": code.lower().replace("-", " ")})
    person.press("Join")


def test_a_new_phone_gets_the_students_place_and_the_lost_one_nothing(
    teach: Teach, visit: Visit, tmp_path: Path
) -> None:
    teacher, code = opened(teach, game="cat-and-mouse")
    students = [visit(), visit()]
    for name, student in zip(("Ana", "Ben"), students, strict=True):
        join(student, code, name)
    seated(*students)
    lost, ben = students
    before, token = sitting(lost), lost.screen.token
    new = visit()
    join(new, code, "Ana")
    key = way_in(teacher, "Ana")
    new.press("Home")
    come_back(new, key)
    assert sitting(new).room.id == before.room.id
    assert sitting(new).people == before.people
    assert new.session.guest is not None
    assert new.session.guest.called == "Ana"
    again = visit()
    again.send({"do": "hello", "query": "", "token": new.screen.token})
    assert sitting(again).people == before.people
    hear(lost)
    assert (lost.screen.page, lost.session.guest) == ("home", None)
    thief = visit()
    thief.send({"do": "hello", "query": "", "token": token})
    assert thief.session.guest is None
    come_back(thief, key)
    assert "There is no game and no class with this code" in thief.screen.fields["code"].error
    hear(ben)
    assert [other.name for other in ben.screen.others.values()] == ["Ana"]
    kept = b"".join(path.read_bytes() for path in tmp_path.glob("rooms.sqlite*"))
    assert key.replace("-", "").encode() not in kept


def test_a_way_in_ends_after_a_quarter_of_an_hour_and_with_the_next_one(
    teach: Teach, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    teacher, code = opened(teach)
    ana = visit()
    join(ana, code, "Ana")
    old, key = way_in(teacher, "Ana"), way_in(teacher, "Ana")
    new = visit()
    come_back(new, old)
    assert new.screen.fields["code"].error
    guesser = visit()
    guesser.press("Join with a code")
    for guess in (*["2222-2222"] * 9, key):
        guesser.send({"do": "code", "value": guess})
    assert guesser.screen.notice is not None
    assert "wrong too often" in guesser.screen.notice.text
    assert guesser.screen.title == "Join with a code"
    new.send({"do": "code", "value": key})
    assert new.screen.title == "Come back to your class"
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 901)
    new.press("Join")
    assert new.screen.notice is not None
    assert "has ended" in new.screen.notice.text
    monkeypatch.undo()
    new.press("Join")
    assert isinstance(new.session.page, Lobby), "who waits for a partner waits on"
    assert new.screen.text[0].text == "You are Ana"
    ben = visit()
    join(ben, code, "Ben")
    seated(new, ben)
    assert sitting(new).room.id == sitting(ben).room.id


def test_a_deleted_class_leaves_nothing_behind(teach: Teach, visit: Visit, tmp_path: Path) -> None:
    teacher, code = opened(teach, questions="2")
    students = [visit(), visit()]
    for name, student in zip(("Zacharias", "Wilhelmine"), students, strict=True):
        join(student, code, name)
    seated(*students)
    zacharias = students[0].session.guest
    assert zacharias is not None
    assert zacharias.class_id is not None
    database = students[0].session.known()[0].database
    of = Class(database, zacharias.class_id)
    give(of, zacharias.id, 1, of.questions()[0].right)
    hear(teacher)
    teacher.press("Close the class")
    teacher.press("Yes, close")
    teacher.press("Delete the class")
    teacher.press("Yes, delete")
    assert not teacher.screen.grids["classes"].rows
    assert teacher.screen.notice is not None
    assert "was deleted" in teacher.screen.notice.text
    with database.engine.connect() as connection:
        for table in ("classes", "rooms", "guests", "seats", "moves", "answers"):
            assert connection.exec_driver_sql(f"SELECT count(*) FROM {table}").scalar() == 0
        connection.exec_driver_sql("COMMIT")
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    kept = b"".join(path.read_bytes() for path in tmp_path.glob("rooms.sqlite*"))
    assert b"Zacharias" not in kept
    hear(students[0])
    assert students[0].screen.notice is not None
    assert students[0].screen.notice.text == "Your class was deleted, with all its games."


def test_a_class_against_the_computer_needs_no_partner(teach: Teach, visit: Visit) -> None:
    _, code = opened(teach, opponents="computer", games="1")
    student = visit()
    join(student, code)
    hear(student)
    assert isinstance(student.session.page, Sitting)
    play_out([student], random.Random(3))
    student.press("On with the class")
    assert "all your games" in student.screen.say
