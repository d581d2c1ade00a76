"""Somebody before the screen, without a browser: presses what is there, and keeps every screen he was sent."""

from __future__ import annotations

import random
from typing import Any

from cmgames.ui.screen import Screen
from cmgames.ui.session import Session


class Person:
    """Presses what is on the screen of a session."""

    def __init__(self, session: Session | None = None) -> None:
        self.session = session or Session()
        self.seen = [self.screen.to_dict()]

    @property
    def screen(self) -> Screen:
        return self.session.screen

    def send(self, message: dict[str, Any]) -> Screen:
        screen = self.session.handle({"n": self.screen.n, "ms": 700, **message})
        self.seen.append(screen.to_dict())
        return screen

    def press(self, label: str) -> Screen:
        """Press the button of that label, whether it is greyed or not."""
        buttons = [*self.screen.moves.values(), *self.screen.bar.values()]
        return self.send(next(button.send for button in buttons if button.label.startswith(label)))

    def wait(self) -> Screen:
        """Let the page's ticks run until there are none."""
        while self.screen.tick is not None:
            self.send(self.screen.tick.send)
        return self.screen

    def begin(self, game: str, **answers: str) -> Screen:
        """Start a game from the home page on."""
        self.send({"do": "home"})
        self.send({"do": "game", "game": game})
        for name, value in answers.items():
            self.send({"do": "set", "name": name.replace("_", " ", name.startswith("watched")), "value": value})
        self.press("Start")
        while self.screen.page == "form":
            for field in list(self.screen.fields.values()):
                self.send({**field.send, "value": "true"})
            self.press("Accepted")
        return self.screen

    def play_on(self, rng: random.Random, presses: int = 5000) -> None:
        """Press anything that moves the game, until it is over."""
        for _ in range(presses):
            screen = self.wait()
            if screen.result:
                return
            moves = [button.send for button in screen.moves.values() if not button.off]
            cards = [card.send for row in screen.rows.values() for card in row.cards.values() if card.send]
            assert moves or cards, f"nothing can be pressed: {screen}"
            # Questions may be repeated for ever: the last button goes on.
            self.send(rng.choice(cards) if cards and (not moves or rng.random() < 0.5) else rng.choice(moves[-2:]))
        raise AssertionError("the game does not end")
