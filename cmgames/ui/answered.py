"""A question of a class, on the teacher's page: what was answered beside the truth."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from msgspec.structs import replace

from cmgames.ui.odds import bar
from cmgames.ui.question_words import CHARTS, position, said
from cmgames.ui.screen import Button, Chart, Message, Screen
from cmgames.ui.session import Page

if TYPE_CHECKING:
    from cmgames.ui.results_page import Results


class Answered(Page):
    """A question of a class: its position, what was answered, and the truth."""

    def __init__(self, results: Results, number: int) -> None:
        self.results, self.number = results, number

    def screen(self) -> Screen:
        question, rules = self.results.questions[self.number - 1], self.results.results.rules
        counted = Counter(one.answer for one in self.results.given if one.number == self.number)
        total = sum(counted.values())
        bars = tuple(bar(said(question, answer), n / total, f"{n} of {total}") for answer, n in counted.most_common())
        shown = Chart("What was answered", bars, "" if bars else "Nobody has answered yet.")
        return replace(
            position(rules, question),
            title=f"{rules.title}: question {self.number} of {len(self.results.questions)}",
            odds={"answers": shown, "truth": replace(CHARTS[question.kind](question.view), at=1)},
            moves={"back": Button("Back", {"do": "back"}, main=True)},
            say=question.words,
        )

    def topics(self) -> tuple[str, ...]:
        return self.results.topics()

    def news(self) -> Page | None:
        return None if self.results.news() is None else self

    def on_back(self, message: Message) -> Page:
        """Turn back to the results."""
        return self.results
