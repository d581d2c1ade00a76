"""Work that takes time, done slice by slice: the page shows how far it is, and answers in between."""

from __future__ import annotations

import time
from collections.abc import Generator
from typing import Generic, TypeVar

from cmgames.ui.odds import bar
from cmgames.ui.screen import Block, Button, Chart, Screen, Tick

SLICE, PAUSE = 0.25, 0.02
"""Seconds of work between two screens, and seconds that the page waits before it asks for more."""

Result = TypeVar("Result")


class Slices(Generic[Result]):
    """Work in steps.

    Parameters
    ----------
    steps : does the work, and yields after each step the part that is done, from 0 to 1.

    Attributes
    ----------
    done : the part that is done.
    result : what came out; None before.
    """

    def __init__(self, steps: Generator[float, None, Result]) -> None:
        self.done = 0.0
        self.result: Result | None = None
        self._steps = steps

    def go_on(self) -> None:
        """Work for a slice of time."""
        until = time.monotonic() + SLICE
        try:
            while time.monotonic() < until:
                self.done = next(self._steps)
        except StopIteration as finished:
            self.result = finished.value

    def screen(self, title: str, words: str, back: Button) -> Screen:
        """What is shown meanwhile; the page is to answer ``{"do": "tick"}``."""
        return Screen(
            0,
            "board",
            title,
            text=(Block("p", words),),
            moves={"back": back},
            odds={"done": Chart("Games are played on from each choice", (bar("done", self.done),))},
            tick=Tick(PAUSE, {"do": "tick"}),
            say=words,
        )
