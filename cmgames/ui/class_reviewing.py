"""The reviews of a class's games being made, where that takes time: a page with a bar, from which one turns back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cmgames.engine.words import count
from cmgames.ui.screen import Button, Message, Screen
from cmgames.ui.session import Page
from cmgames.ui.slices import Slices

if TYPE_CHECKING:
    from cmgames.ui.results_page import Results


class Reviewing(Page):
    """Makes the reviews that are missing, and turns back to the results; what is made by then is kept."""

    def __init__(self, results: Results) -> None:
        self.results = results
        self.number = len(results.reviews.missing(results.results.games))
        self.work = Slices(results.reviews.making(results.results.games))

    def screen(self) -> Screen:
        made = count(self.number, "review")
        words = f"Being made: {made}, some seconds each. You can turn back and go on later."
        return self.work.screen("The games are looked at", words, Button("Back", {"do": "back"}, main=True))

    def on_tick(self, message: Message) -> Page | None:
        """Work for a slice of time."""
        self.work.go_on()
        return self if self.work.result is None else self.results

    def on_back(self, message: Message) -> Page:
        """Turn back to the results."""
        return self.results
