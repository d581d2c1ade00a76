"""Somebody with a mouse: clicks what the page shows, until the game is over."""

from __future__ import annotations

import random
from typing import Any

from playwright.sync_api import Locator, Page, expect

SECOND_TAP = 450
"""Milliseconds after which a press is no second tap any more."""

ENABLED = "button:not([aria-disabled=true])"


class Clicker:
    """A person at a page with the app."""

    def __init__(self, page: Page, seed: int = 1) -> None:
        self.page = page
        self.rng = random.Random(seed)
        self.app = page.locator(".cmgames")
        self.panel = page.locator(".cmgames [data-region=panel]")

    def open(self, address: str) -> None:
        self.page.goto(address)
        expect(self.app.get_by_role("heading", level=1)).to_be_visible()

    def number(self) -> int:
        return int(self.app.first.get_attribute("data-n") or 0)

    def answered(self) -> None:
        """Wait until what was pressed is answered."""
        expect(self.page.locator(".cmgames:not([data-waiting])")).to_be_attached(timeout=15000)

    def wait(self) -> None:
        """Pass a pause by the page's clock, until a newer screen has come."""
        before = self.number()
        self.page.clock.fast_forward(3000)
        expect(self.app.first).not_to_have_attribute("data-n", str(before), timeout=15000)

    def click(self, what: Locator) -> None:
        self.page.clock.fast_forward(SECOND_TAP)
        what.click()
        self.answered()

    def press(self, label: str) -> None:
        """Press the panel's or the bar's button of that label; on a phone the bar is behind the menu."""
        button = self.app.get_by_role("button", name=label)
        anywhere = self.app.get_by_role("button", name=label, include_hidden=True)
        anywhere.first.wait_for(state="attached", timeout=15000)
        if not button.first.is_visible():
            self.app.get_by_role("button", name="Menu").click()
        self.click(button.first)

    def tile(self, game: str) -> Locator:
        """The tile of a game on the home page."""
        return self.app.locator(".g-tile", has_text=game)

    def begin(self, game: str, **answers: str) -> None:
        self.click(self.tile(game))
        for label in answers.values():
            self.choose(label)
        self.press("Start")

    def choose(self, label: str) -> None:
        radio = self.app.get_by_role("radio", name=label).first
        if not radio.is_checked():
            self.click(radio)

    def result(self) -> str:
        shown = self.app.locator(".g-result")
        return shown.inner_text() if shown.count() else ""

    def play_out(self, presses: int = 900) -> str:
        """Click until the game is over; pauses are passed by the page's clock."""
        for _ in range(presses):
            if result := self.result():
                return result
            self.step()
        raise AssertionError(f"the game does not end: {self.app.inner_text()[:500]}")

    def step(self) -> None:
        moves = self.panel.locator(ENABLED)
        cards = self.app.locator(f".g-hand {ENABLED}, .g-choice {ENABLED}")
        n_moves, n_cards = moves.count(), cards.count()
        if n_cards and (not n_moves or self.rng.random() < 0.6):
            self.click(cards.nth(self.rng.randrange(n_cards)))
        elif n_moves:
            self.click(moves.nth(max(0, n_moves - 1 - self.rng.randrange(2))))
        else:
            self.wait()


def frames(page: Page) -> list[str]:
    """A list that fills with every websocket frame that the page receives."""
    received: list[str] = []

    def listen(socket: Any) -> None:
        socket.on(
            "framereceived", lambda data: received.append(data if isinstance(data, str) else data.decode("latin-1"))
        )

    page.on("websocket", listen)
    return received
