"""Questions in words and bars: the position, the truth, what was answered and what it cost."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import isclose

from msgspec.structs import replace

from cmgames.engine.game import AnyGame
from cmgames.engine.view import View
from cmgames.engine.words import count
from cmgames.games.tunnel_rat import rat_knows
from cmgames.rooms.questions import Question
from cmgames.ui import layout, odds
from cmgames.ui.layout import Offer
from cmgames.ui.odds import bar, percent
from cmgames.ui.screen import Bar, Chart, Screen

CHARTS: dict[str, Callable[[View], Chart]] = {
    "guess": odds.by_guess,
    "tunnel": odds.by_counting,
    "meld": odds.which_meld,
    "combo": odds.of_a_combo,
    "holds": odds.of_a_meld,
}
"""What is shown of the truth, by kind of question."""


def position(rules: AnyGame, question: Question, offer: Offer = layout.NOTHING) -> Screen:
    """The position of a question as its seat sees it, and the question; nothing of the truth."""
    view = question.view
    return Screen(
        0,
        "table",
        rules.title,
        phases=layout.phases(rules, view, over=False),
        turn=view.turn,
        who=f"You are {rules.seats[view.seat].title}",
        prompt=question.words,
        rows=layout.rows(rules, view, view.seat, offer),
        tracks=layout.tracks(rules, view),
    )


def truth(question: Question, answer: str) -> dict[str, Chart]:
    """The truth as bars, with what was answered."""
    chart, right = CHARTS[question.kind](question.view), question.truth
    if isinstance(right, Mapping):
        return {"truth": chart}
    yours = (Bar("You said", int(answer) / 100, f"{answer}\N{NO-BREAK SPACE}%"), bar("It is", right))
    return {"yours": Chart("Your answer and the truth", yours), "truth": replace(chart, at=1)}


def said(question: Question, answer: str) -> str:
    """An answer in words."""
    if question.kind == "guess":
        return odds.GUESSES[answer]
    return answer if question.choices else f"{answer}\N{NO-BREAK SPACE}%"


def best(question: Question) -> str:
    """The best answer in words; of several that are as good, how many they are."""
    right = question.truth
    if not isinstance(right, Mapping):
        return percent(right)
    most = max(right.values())
    good = [answer for answer, worth in right.items() if most - worth == 0]
    return said(question, good[0]) + (f" (or {count(len(good) - 1, 'other')})" if len(good) > 1 else "")


def sentence(question: Question, answer: str) -> str:
    """What was answered, what is true, and what the answer costs; the numbers in it add up."""
    right, cost = question.truth, question.cost(answer)
    if not isinstance(right, Mapping):
        unseen = rat_knows(question.view) if question.kind == "tunnel" else {}
        counted = f"{unseen['Tunnel']} of {sum(unseen.values())}: " if unseen else ""
        end = "Well estimated!" if question.is_best(cost) else f"You are {points(cost)} off."
        return f"You said {answer}\N{NO-BREAK SPACE}%. It is {counted}{percent(right)}. {end}"
    verb = "chose" if question.kind == "guess" else "named"
    most = max(right.values())
    digits = _digits(right[answer], most)
    yours = f"You {verb} {said(question, answer)}: {percent(right[answer], digits or 0)}."
    if not cost:
        return f"{yours} Nothing is better."
    if digits is None:
        return f"{yours} Best is {best(question)}, but hardly better."
    lost = round(100 * most, digits) - round(100 * right[answer], digits)
    return f"{yours} Best is {best(question)}: {percent(most, digits)}. You lose {points(lost / 100, digits)}."


def _digits(worth: float, most: float) -> int | None:
    """With how few decimals two chances show what lies between them, or at least differ; None: not with two."""
    gaps = [round(100 * most, n) - round(100 * worth, n) for n in range(3)]
    differ = [n for n, gap in enumerate(gaps) if gap > 0]
    exact = [n for n in differ if isclose(gaps[n], round(100 * (most - worth), n))]
    return next(iter((*exact, *differ)), None)


def points(cost: float, digits: int = 0) -> str:
    """What an answer loses, or how far it is off, in words; with more decimals where they are needed to see it."""
    if not cost:
        return "nothing"
    digits = next((n for n in range(digits, 2) if round(100 * cost, n)), 2)
    lost = round(100 * cost, digits)
    return f"{lost:.{digits}f} {'point' if lost == 1 else 'points'}" if lost else "under 0.01 points"


def result(question: Question, answer: str) -> str:
    """How well a question was answered, in a few words."""
    cost = question.cost(answer)
    if question.is_best(cost):
        return "right"
    return f"wrong: loses {points(cost)}" if question.choices else f"{points(cost)} off"


def summary(questions: Sequence[Question], given: Mapping[int, str]) -> str:
    """How one did, in a sentence."""
    costs = {number: questions[number - 1].cost(answer) for number, answer in given.items()}
    right = sum(questions[number - 1].is_best(cost) for number, cost in costs.items())
    words = f"{len(given)} of {count(len(questions), 'question')} answered"
    return f"{words}, {right} of them as well as can be." if given else f"{words}."
