"""Questions in words and bars: the position, the truth, what was answered and what it cost."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from msgspec.structs import replace

from cmgames.engine.game import AnyGame
from cmgames.engine.view import View
from cmgames.engine.words import count
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
    """What was answered, what is true, and what the answer costs."""
    right, cost = question.truth, question.cost(answer)
    if not isinstance(right, Mapping):
        chances = CHARTS[question.kind](question.view).bars
        counted = f"{chances[-1].words}: " if question.kind == "tunnel" else ""
        end = "Well estimated!" if question.is_best(cost) else f"You are {points(cost)} off."
        return f"You said {answer}\N{NO-BREAK SPACE}%. It is {counted}{percent(right)}. {end}"
    verb = "chose" if question.kind == "guess" else "named"
    yours = f"You {verb} {said(question, answer)}: {percent(right[answer])}."
    if not cost:
        return f"{yours} Nothing is better."
    return f"{yours} Best is {best(question)}: {percent(max(right.values()))}. You lose {points(cost)}."


def points(cost: float) -> str:
    """What an answer loses, or how far it is off, in words."""
    whole = round(100 * cost)
    return count(whole, "point") if whole else "less than a point"


def summary(questions: Sequence[Question], given: Mapping[int, str]) -> str:
    """How one did, in a sentence."""
    costs = {number: questions[number - 1].cost(answer) for number, answer in given.items()}
    right = sum(questions[number - 1].is_best(cost) for number, cost in costs.items())
    words = f"{len(given)} of {count(len(questions), 'question')} answered"
    return f"{words}, {right} of them as well as can be." if given else f"{words}."
