"""A person at the app: a message comes in, a screen goes out.

Plain Python: no widget, no database, no browser.  The session holds the page that the person is on, hands each message
to it, counts the screens, and turns every fault into a sentence.
"""

from __future__ import annotations

from typing import Any, Protocol

from msgspec.structs import replace

from cmgames.engine.moves import IllegalMove
from cmgames.engine.options import OptionError
from cmgames.engine.record import RecordError
from cmgames.ui.journal import LOG
from cmgames.ui.screen import Block, Button, Message, Notice, Screen, placed
from cmgames.ui.shelf import MovedOn, Shelf

SAFE = "Something went wrong, your game is safe."
ANYTIME = ("hello", "tick", "large")
"""Messages that are right whatever screen they were sent from; all others name the screen that was pressed."""


class Refusal(Exception):
    """What a person asked for and cannot have, as a sentence."""


class Page(Protocol):
    """A page of the app. For the message ``{"do": "x", ...}`` it has a method ``on_x(message)``.

    A method that returns a page turns to it; one that returns None stays.
    """

    def screen(self) -> Screen:
        """The page as it is now; the session adds what all pages share."""


class Session:
    """A person at the app.

    Parameters
    ----------
    shelf : keeps the game in play, so that a reload resumes it; None: nothing is kept.
    teacher : the person may see both hands and change the past.
    large : drawn for the last row of the classroom.
    """

    def __init__(self, shelf: Shelf | None = None, teacher: bool = False, large: bool = False) -> None:
        from cmgames.ui.pages import Home

        self.shelf = shelf
        self.teacher = teacher
        self.token: str | None = None  # not known before the page has said hello
        self._large = large
        self._notice: Notice | None = None
        self.left: Page | None = None
        self.page: Page = Home(self)
        self.screen = self._draw(1)

    def turn(self, page: Page) -> None:
        """Turn to a page before the person has seen any."""
        self.page = page
        self.screen = self._draw(1)

    def handle(self, message: Message) -> Screen:
        """Do what a message asks for; whatever it is, the answer is the next screen, or the same where nothing changed.

        Parameters
        ----------
        message : a mapping with ``do``, what the deed needs, ``n`` and ``ms`` (see `cmgames.ui.screen`).
        """
        self._notice = None
        try:
            self._do(message)
        except MovedOn:
            self._fetch()
        except (Refusal, IllegalMove, OptionError, RecordError) as refusal:
            self._notice = Notice("panel", str(refusal))
        except Exception:  # noqa: BLE001  whatever it is, the person reads a sentence and the log the rest
            LOG.exception("a message could not be handled: %.200r", message)
            self._notice = Notice("panel", f"{SAFE} Go on, or reload the page.", "error")
        n = self.screen.n + 1
        try:
            screen = self._draw(n)
            if replace(screen, n=self.screen.n) != self.screen:
                self.screen = screen
        except Exception:  # noqa: BLE001  as above
            LOG.exception("a page could not be drawn")
            home = Button("Start again from the beginning", {"do": "home"}, main=True)
            self.screen = Screen(n, "text", "A moment, please", text=(Block("warn", SAFE),), moves={"home": home})
        return self.screen

    def _do(self, message: Message) -> None:
        do = message["do"]
        if do not in ANYTIME and message.get("n") != self.screen.n:
            raise Refusal("The page has moved on since you pressed that: look again, then choose.")
        deed = getattr(self.page, f"on_{do}", None) or getattr(self, f"on_{do}", None)
        if deed is None:
            raise Refusal("That cannot be done on this page.")
        turned = deed(message)
        if turned is not None:
            self.page = turned

    def _draw(self, n: int) -> Screen:
        screen = self.page.screen()
        large = Button("Large", {"do": "large"}, on=self._large)
        home = {} if screen.page == "home" else {"home": Button("Home", {"do": "home"})}
        return replace(
            screen,
            n=n,
            bar=placed(home | screen.bar | {"large": large}),
            tiles=placed(screen.tiles),
            phases=placed(screen.phases),
            tracks=placed(screen.tracks),
            moves=placed(screen.moves),
            notice=self._notice or screen.notice,
            large=self._large,
            hello=self.shelf is not None,
            token=self.token,
        )

    def on_home(self, message: Message) -> Page:
        """Turn to the home page; a game in play waits there."""
        from cmgames.ui.pages import Home, Text
        from cmgames.ui.sitting import Sitting

        page = self.page
        while isinstance(page, Text):
            page = page.back
        if isinstance(page, Sitting) and page.table.outcome is None:
            self.left = page
        elif page is self.left:
            self.left = None
        return Home(self)

    def on_tick(self, message: Message) -> None:
        """A pause that was begun on a page which has been left."""

    def on_large(self, message: Message) -> None:
        """Switch the size for the last row on or off."""
        self._large = not self._large

    def on_hello(self, message: Message) -> Page | None:
        """Resume the game that the browser knows a token of, or follow a deep link."""
        from cmgames.ui.pages import arrive

        return arrive(self, str(message.get("token") or ""), str(message.get("query") or ""))

    def _fetch(self) -> None:
        """Turn to the game as another window has left it."""
        from cmgames.ui.sitting import Sitting

        saved = self.shelf.find(self.token) if self.shelf is not None and self.token else None
        if saved is not None:
            self.page = Sitting.resume(self, saved)
        self._notice = Notice("panel", "This game has moved on in another window: here is how it stands now.", "info")

    def keep(self, saved: dict[str, Any]) -> None:
        """Keep the game in play for a reload."""
        if self.shelf is not None:
            self.token = self.shelf.keep(self.token or "", saved)

    def forget(self) -> None:
        """Keep no game any more."""
        if self.shelf is not None and self.token:
            self.shelf.forget(self.token)
        self.token, self.left = "", None
