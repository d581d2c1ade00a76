"""Questions: pure functions of a seed, answered once, kept with the class."""

from __future__ import annotations

import csv
from collections.abc import Callable
from io import StringIO

import pytest
from sqlalchemy import Connection, select, text

from cmgames.engine.registry import GAMES
from cmgames.games.tunnel_rat import rat_knows
from cmgames.rooms import answers, export, practice, questions
from cmgames.rooms.classes import Class
from cmgames.rooms.database import Database, prepare
from cmgames.rooms.faults import Refused
from cmgames.rooms.guests import Guest
from cmgames.rooms.rooms import Rooms
from cmgames.rooms.schema import ANSWERS, METADATA, PRACTICE
from cmgames.rooms.terms import ClassTerms


def school(database: Database, number: int = 4) -> tuple[Class, list[Guest]]:
    """A class of two students that is asked so many questions."""
    of = Class.open(database, "tunnel-rat", {}, ClassTerms(questions=number))
    rooms = Rooms(database)
    return of, [rooms.guests.enroll(rooms.guests.admit()[0], of.id, name) for name in ("Ana", "=Ben")]


@pytest.mark.parametrize("game", ["tunnel-rat", "cat-and-mouse"])
def test_a_seed_asks_the_same_through_one_seats_view(game: str) -> None:
    options = GAMES[game].Options()
    asked = questions.ask(game, options, 5, 6)
    questions.ask.cache_clear()
    assert asked == questions.ask(game, options, 5, 8)[:6]
    assert asked != questions.ask(game, options, 6, 6)
    for question in asked:
        assert question.view.seat == questions.KINDS[question.kind].seat
        hidden = [pile for pile in question.view.piles if pile.layout == "spot"]
        assert all(not pile.cards for pile in hidden)


def test_the_truth_is_counted_and_an_answer_costs_what_it_loses() -> None:
    guess, tunnel = questions.ask("tunnel-rat", GAMES["tunnel-rat"].Options(), 5, 2)
    unseen = rat_knows(tunnel.view)
    assert tunnel.truth == unseen["Tunnel"] / sum(unseen.values()) == 6 / 13
    assert tunnel.cost("40") == pytest.approx(6 / 13 - 0.4)
    assert tunnel.is_best(tunnel.cost("46"))
    assert not tunnel.is_best(tunnel.cost("47"))
    assert isinstance(guess.truth, dict)
    assert guess.cost(guess.right) == 0
    assert guess.cost("shoot") == max(guess.truth.values()) - guess.truth["shoot"] > 0


@pytest.mark.parametrize("typed", ["", "-1", "101", "1e2", "4.5", "forty", "²", "9" * 5000])
def test_what_is_no_answer_is_refused(typed: str) -> None:
    question = questions.ask("tunnel-rat", GAMES["tunnel-rat"].Options(), 5, 2)[1]
    with pytest.raises(Refused, match="from 0 to 100"):
        question.read(typed)
    assert question.read(" 040 % ") == "40"


def test_the_first_answer_counts_whoever_sends_a_second_one(reach: Callable[[], Database]) -> None:
    of, (ana, ben) = school(reach())
    assert answers.give(of, ana.id, 2, "40") == "40"
    assert answers.give(Class(reach(), of.id), ana.id, 2, "60") == "40"
    assert answers.give(of, ben.id, 2, "60") == "60"
    assert answers.of_guest(of.database, ana.id) == {2: "40"}
    for number, typed in ((0, "40"), (5, "40"), (1, "40"), (True, "shove")):
        with pytest.raises(Refused):
            answers.give(of, ana.id, number, typed)
    other = Class.open(of.database, "tunnel-rat", {}, ClassTerms(questions=4))
    with pytest.raises(Refused, match="not in this class"):
        answers.give(other, ana.id, 2, "40")
    assert len(answers.of_class(of)) == 2


def test_the_file_of_answers_names_nobody_when_it_should_not(database: Database) -> None:
    of, (ana, ben) = school(database)
    answers.give(of, ben.id, 1, "advance")
    answers.give(of, ana.id, 2, "40")
    for anonymous in (False, True):
        names = export.Names(anonymous)
        made = export.answers_csv(of.questions(), answers.of_class(of), names)
        rows = list(csv.DictReader(StringIO(made.removeprefix("\ufeff"), newline=""), strict=True))
        assert [*rows[0]] == list(export.ANSWER_COLUMNS)
        assert [(row["number"], row["kind"], row["answer"]) for row in rows] == [
            ("1", "guess", "advance"),
            ("2", "tunnel", "40"),
        ]
        assert [row["name"] for row in rows] == (["", ""] if anonymous else ["'=Ben", "Ana"])
        off = abs(float(rows[1]["truth"]) - float(rows[1]["answer"]))
        assert float(rows[1]["cost_points"]) == pytest.approx(off, abs=0.01) == 100 * of.questions()[1].cost("40")


def test_a_set_for_oneself_is_kept_until_another_one_or_none_is(database: Database) -> None:
    rooms = Rooms(database)
    ana, ben = (rooms.guests.admit(name)[0].id for name in ("Ana", "Ben"))
    seed = 2**127 + 1
    practice.keep(database, ana, "tunnel-rat", 5, {})
    practice.keep(database, ana, "cat-and-mouse", seed, {2: "40", 10: "Nuclear, Asian, Cultural"})
    kept = practice.of_guest(database, ana)
    assert kept is not None
    assert kept[:3] == ("cat-and-mouse", seed, {2: "40", 10: "Nuclear, Asian, Cultural"})
    assert practice.of_guest(database, ben) is None
    practice.forget(database, ana)
    assert practice.of_guest(database, ana) is None


def test_a_deleted_class_leaves_no_answer(database: Database) -> None:
    of, (ana, _) = school(database)
    answers.give(of, ana.id, 2, "40")
    practice.keep(database, ana.id, "tunnel-rat", 5, {1: "shoot"})
    of.delete()
    for table in (ANSWERS, PRACTICE):
        assert not database.read(lambda connection, table=table: connection.execute(select(table)).all())


def test_a_database_of_the_first_version_keeps_all_that_is_in_it(database: Database, url: str) -> None:
    of, (ana, _) = school(database, 0)

    def go_back(connection: Connection) -> None:
        connection.execute(text("DROP TABLE answers"))
        connection.execute(text("DROP TABLE practice"))
        connection.execute(text("UPDATE alembic_version SET version_num = '0001'"))

    def everything(connection: Connection) -> dict[str, list[tuple[object, ...]]]:
        tables = [table for table in METADATA.sorted_tables if table not in (ANSWERS, PRACTICE)]
        return {table.name: [tuple(row) for row in connection.execute(select(table))] for table in tables}

    database.write(go_back)
    before = database.read(everything)
    prepare(url)
    assert database.read(everything) == before
    assert before["guests"]
    assert answers.of_guest(database, ana.id) == {}
    assert of.questions() == ()
