"""The ipywidget: a session with a page around it."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

import anywidget
import traitlets

from cmgames.ui.follow import Follower
from cmgames.ui.journal import open_journal
from cmgames.ui.screen import Message, Screen, merge_patch
from cmgames.ui.session import Session

STATIC = Path(__file__).parent / "static"
MODULES = ("cards.js", "dom.js", "parts.js", "page.js")
"""Joined in this order they are one ES module."""


class GameWidget(anywidget.AnyWidget):
    """The app as a widget: one model, whatever is on the page.

    Parameters
    ----------
    session : the person at it.
    """

    _esm: ClassVar[str] = "\n".join((STATIC / name).read_text(encoding="utf-8") for name in MODULES)
    _css: ClassVar[str] = (STATIC / "cmgames.css").read_text(encoding="utf-8")
    screen = traitlets.Dict().tag(sync=True)

    def __init__(self, session: Session) -> None:
        open_journal()
        self._session = session
        self._shown = session.screen.to_dict()
        self._follower = Follower(session, self._on_news)
        super().__init__(screen=self._shown)
        self.on_msg(self._on_message)

    def _on_message(self, widget: Any, message: Message, buffers: Any) -> None:
        if not isinstance(message, dict) or message.get("do") == "resync":
            self.send({"screen": self._shown})
            return
        screen = self._session.handle(message)
        self._follower.heard()
        if message.get("do") != "here":
            self._tell(screen, {})
        elif screen.n != self._shown["n"]:
            self._on_news(screen)

    def _on_news(self, screen: Screen) -> None:
        self._tell(screen, {"news": True})

    def _tell(self, screen: Screen, more: dict[str, bool]) -> None:
        """Send what has changed since the last screen."""
        base, shown = self._shown["n"], screen.to_dict()
        patch, self._shown = merge_patch(self._shown, shown), shown
        self.send({"patch": patch, "base": base, **more})

    def get_state(self, key: Any = None, drop_defaults: bool = False) -> dict[str, Any]:
        """The model's state, with the screen as it is now; a change itself travels as a patch."""
        state: dict[str, Any] = super().get_state(key, drop_defaults)
        if "screen" in state:
            state["screen"] = self._shown
        return state
