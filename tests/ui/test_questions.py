"""Questions as they are answered: nothing of the truth before, the first answer after."""

from __future__ import annotations

import csv
import json
import random
from collections.abc import Sequence
from io import StringIO
from itertools import product
from typing import Any

import pytest

from cmgames.engine.registry import GAMES
from cmgames.engine.table import Table
from cmgames.engine.view import View
from cmgames.rooms import questions
from cmgames.rooms.questions import Question
from cmgames.ui.pages import Home
from cmgames.ui.practice import Practice
from cmgames.ui.question_words import points, position, sentence
from cmgames.ui.questions import Asked
from cmgames.ui.screen import Screen

from .conftest import KEY, Teach, Visit
from .person import Person


def answer(person: Person, typed: str = "40") -> Screen:
    """Answer the question on the screen, whatever it is."""
    screen = person.screen
    if "percent" in screen.fields:
        person.send({**screen.fields["percent"].send, "value": typed})
        return person.press("Answer")
    for row in [row for row in screen.rows.values() if row.kind == "choice"]:
        person.send(next(iter(row.cards.values())).send or {})
    return person.send(next(iter(person.screen.moves.values())).send)


def asked(*of: Question) -> Person:
    person = Person()
    rules = GAMES[of[0].view.game]
    person.session.turn(Asked(rules(rules.Options()), of, {}, lambda _, typed: typed, Home(person.session)))
    return person


@pytest.mark.parametrize("game", list(questions.PLAYERS))
def test_a_set_is_answered_and_each_truth_comes_after_its_answer(game: str) -> None:
    person = Person()
    person.press(f"Questions: {GAMES[game].title}")
    told: list[str] = []
    for number in range(1, 6):
        screen = person.screen
        assert screen.title.endswith(f"question {number} of 5")
        assert screen.prompt in {kind.words for kind in questions.KINDS.values()}
        assert not screen.odds
        assert not screen.notice
        screen = answer(person)
        assert screen.odds["truth"]
        assert screen.prompt.startswith("You ")
        assert not screen.fields
        told.append(screen.prompt)
        person.press("How you did" if number == 5 else "Next")
    grid = person.screen.grids["questions"]
    assert "5 of 5 questions answered" in grid.title
    for entry, truth in zip(grid.rows.values(), told, strict=True):
        is_right = "Nothing is better" in truth or "Well estimated" in truth
        assert (entry.tone, entry.cells[3] == "right") == ("right" if is_right else "wrong", is_right)
    person.send(person.screen.grids["questions"].rows["question 2"].send or {})
    assert person.screen.odds
    person.press("Overview")
    person.press("More questions")
    assert "question 1 of 5" in person.screen.title
    person.press("Back")
    assert person.screen.page == "home"


@pytest.mark.parametrize("game", list(questions.PLAYERS))
def test_no_two_questions_of_a_set_show_the_same_cards(game: str) -> None:
    """Unless there are no others: then a position is asked about once more rather than nothing."""
    options = GAMES[game].Options()
    for seed in range(4):
        drawn = [position(GAMES[game](options), one).to_dict() for one in questions.ask(game, options, seed, 12)]
        assert len({json.dumps([screen["rows"], screen.get("tracks")]) for screen in drawn}) == 12
    least = dict.fromkeys(("vc", "traps", "tunnels", "casualties_to_win", "tunnels_to_win"), 1)
    assert len(questions.ask("tunnel-rat", GAMES["tunnel-rat"].Options.make(least), 1, 12)) == 12


def test_a_loss_is_shown_with_as_many_decimals_as_it_needs() -> None:
    """What one has, what is best, and what lies between: the three add up as they stand there."""
    view = questions.ask("tunnel-rat", GAMES["tunnel-rat"].Options(), 5, 1)[0].view

    def told(shoot: float, advance: float) -> str:
        question = Question("guess", view)
        vars(question)["truth"] = {"advance": advance, "shoot": shoot, "search": 0.0}
        return sentence(question, "shoot").replace("\xa0", " ")

    assert told(0.204, 0.224) == "You chose Shoot: 20 %. Best is Advance: 22 %. You lose 2 points."
    assert told(0.2004, 0.2031) == "You chose Shoot: 20.0 %. Best is Advance: 20.3 %. You lose 0.3 points."
    assert told(0.2044, 0.2155) == "You chose Shoot: 20.44 %. Best is Advance: 21.55 %. You lose 1.11 points."
    assert told(0.2, 0.200001) == "You chose Shoot: 20 %. Best is Advance, but hardly better."
    assert (points(0), points(0.003), points(0.01), points(0.0000001)) == (
        "nothing",
        "0.3 points",
        "1 point",
        "under 0.01 points",
    )
    assert told(0.2, 0.2) == "You chose Shoot: 20 %. Nothing is better."


def test_a_truth_is_worked_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """For the screen, the cost, the best answer, and how one did."""
    kind, worked_out = questions.KINDS["guess"], []

    def truth(view: View) -> Any:
        worked_out.append(view)
        return kind.truth(view)

    (question,) = questions.ask("tunnel-rat", GAMES["tunnel-rat"].Options(), 5, 1)
    monkeypatch.setitem(questions.KINDS, "guess", kind._replace(truth=truth))
    person = asked(Question("guess", question.view))
    answer(person)
    person.press("How you did")
    assert worked_out == [question.view]


def test_a_wrong_number_is_told_and_loses_nothing() -> None:
    person = asked(questions.ask("tunnel-rat", GAMES["tunnel-rat"].Options(), 5, 2)[1])
    for typed in ("140", "-3", "forty"):
        screen = answer(person, typed)
        assert screen.fields["percent"].value == typed
        assert "from 0 to 100" in screen.fields["percent"].error
        assert "from 0 to 100" not in screen.fields["percent"].help, "it is said once"
        assert screen.notice is None
        assert screen.say == screen.fields["percent"].error, "and it is what is read out"
        assert not screen.odds
    screen = answer(person, "40")
    assert screen.prompt == "You said 40\xa0%. It is 6 of 13: 46\xa0%. You are 6 points off."
    assert [bar.words for bar in screen.odds["yours"].bars] == ["40\xa0%", "46\xa0%"]
    person.send({"do": "answer", "number": 1, "answer": "50"})
    assert person.screen.notice is not None
    assert "40" in person.screen.prompt


MELDS = [
    tuple(name for name in meld for _ in range(3))
    for meld in product(("Nuclear", "Chemical"), ("Asian",), ("Military", "Cultural"))
]
CARDS = [("VC",), ("Trap",), ("Tunnel",)], ("draw", *["pass"] * 4)
HANDS = [("Nuclear",), ("Asian",), ("Blend In",)], ("decline",)
WORLDS: dict[str, tuple[Sequence[tuple[str, ...]], tuple[str, ...]]] = {
    "guess": CARDS,
    "tunnel": CARDS,
    "meld": (MELDS, ("decline", "draw", "discard CIA", "pass", "meld {0} {3} {6}")),
    "combo": HANDS,
    "holds": HANDS,
}
"""For each kind of question the first cards of several worlds, and moves that lead to one of its positions."""


@pytest.mark.parametrize("kind", questions.KINDS)
def test_hidden_cards_change_no_byte_of_a_question(kind: str) -> None:
    """What lies face down differs in each world; all that is sent, before the answer and after it, is the same."""
    worlds, moves = WORLDS[kind]
    seen = set()
    for dealt in worlds:
        table = Table(questions.KINDS[kind].game, seed=3, salt="", deals=dealt)
        for move in moves:
            table.play(move.format(*dealt))
        person = asked(Question(kind, table.view(questions.KINDS[kind].seat)))
        before = person.screen.to_dict()
        assert not {"odds", "notice", "result", "log"} & set(before)
        answer(person)
        assert person.screen.odds
        seen.add(json.dumps([before, *person.seen[1:]]))
    assert len(seen) == 1


def reload(visit: Visit, person: Person) -> Person:
    """The same browser after a reload: another process, which knows nothing but what is kept."""
    again = visit()
    again.send({"do": "hello", "query": "", "token": person.screen.token or "", "link": ""})
    return again


def test_a_reload_goes_on_at_the_same_question_for_practice(visit: Visit) -> None:
    """Until one turns back; a game that was played since comes first, one that was left before waits at home."""
    person = visit()
    person.press("Questions: Tunnel Rat")
    answer(person)
    told = person.screen.prompt
    person.press("Next")
    asked = person.screen
    again = reload(visit, person)
    assert (again.screen.title, again.screen.rows) == (asked.title, asked.rows)
    assert not again.screen.odds
    again.send({"do": "look", "number": 1})
    assert again.screen.prompt == told
    seeds = [str(page.seed) for page in (person.session.page, again.session.page) if isinstance(page, Practice)]
    assert len(seeds) == 2
    assert not [screen for screen in person.seen + again.seen if seeds[0] in json.dumps(screen)]
    again.press("Back")
    assert reload(visit, person).screen.page == "home"

    person.begin("tunnel-rat", seat="rat", opponent="steady")
    table = person.screen.title
    person.press("Home")
    person.press("Questions: Cat & Mouse")
    again = reload(visit, person)
    assert "question 1 of 5" in again.screen.title
    again.press("Home")
    assert again.press("Go on with your game").title == table
    again.play_on(random.Random(1))
    assert reload(visit, person).screen.result


def enter(teach: Teach) -> Person:
    person = teach()
    person.send({"do": "key", "value": KEY})
    return person


def open_class(teach: Teach, number: str = "3") -> tuple[Person, str]:
    teacher = enter(teach)
    teacher.press("Open a class")
    for name, value in (("game", "tunnel-rat"), ("opponents", "people"), ("questions", number)):
        teacher.send({"do": "set", "name": name, "value": value})
    return teacher, teacher.press("Open the class").title[-5:]


def join(visit: Visit, code: str, name: str) -> Person:
    person = visit()
    for message in ({"do": "join"}, {"do": "code", "value": code}, {"do": "name", "value": name}):
        person.send(message)
    person.press("Join")
    return person


def test_a_class_is_asked_the_same_and_its_teacher_sees_how_it_answered(visit: Visit, teach: Teach) -> None:
    teacher, code = open_class(teach)
    ana = join(visit, code, "Ana")
    ana.press("Questions: 3 of 3 left")
    truth = answer(ana).prompt
    ana.press("Next")
    answer(ana, "40")

    again = visit()  # the same browser after a reload: the next question that is not answered
    again.send({"do": "hello", "query": "", "token": ana.session.token, "link": ""})
    again.press("Questions: 1 of 3 left")
    assert "question 3 of 3" in again.screen.title
    assert not again.screen.odds
    again.send({"do": "look", "number": 1})
    assert again.screen.prompt == truth
    again.send({"do": "look", "number": 3})
    again.press("Advance")
    ana.press("Next")
    ana.press("Shoot")
    assert ana.screen.prompt.startswith("You chose Advance"), "another tab was first"

    ben = join(visit, code, "Ben")
    ben.press("Questions: 3 of 3 left")
    ben.send({"do": "look", "number": 2})
    answer(ben, "40")

    teacher.press("Results")
    grid = teacher.screen.grids["questions"]
    assert [entry.cells[1] for entry in grid.rows.values()] == ["1", "2", "1"]
    assert [entry.cells[4] for entry in grid.rows.values()] == ["", "40\xa0% (2\xa0×)", ""]
    teacher.send(grid.rows["question 2"].send or {})
    assert teacher.screen.odds["answers"].bars[0].words == "2 of 2"
    teacher.press("Back")
    save: Any = teacher.press("Save the answers").save
    rows = list(csv.DictReader(StringIO(save.text.removeprefix("\ufeff"), newline="")))
    kept = [(row["number"], row["name"]) for row in rows]
    assert kept == [("1", "Ana"), ("2", "Ana"), ("2", "Ben"), ("3", "Ana")]


def test_a_class_without_questions_shows_none(visit: Visit, teach: Teach) -> None:
    teacher, code = open_class(teach, "0")
    ana = join(visit, code, "Ana")
    assert "questions" not in ana.screen.moves
    ana.send({"do": "questions"})
    assert ana.screen.page == "text"
    teacher.press("Results")
    assert "questions" not in teacher.screen.grids
