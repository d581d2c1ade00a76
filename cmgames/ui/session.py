"""A person at the app: a message comes in, a screen goes out.

Plain Python: no widget, no database, no browser.  The session holds the page that the person is on, hands each message
to it, counts the screens, and turns every fault into a sentence.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar, Protocol, TypeVar

from msgspec.structs import replace

from cmgames.engine.moves import IllegalMove
from cmgames.engine.options import OptionError
from cmgames.engine.record import RecordError
from cmgames.rooms.faults import DatabaseFault, Refused
from cmgames.ui.journal import LOG
from cmgames.ui.screen import Block, Button, Message, Notice, Screen, placed

if TYPE_CHECKING:
    from cmgames.rooms.guests import Guest
    from cmgames.rooms.room import Room
    from cmgames.rooms.rooms import Rooms

T = TypeVar("T")

SAFE = "Something went wrong, your game is safe."
NO_DATABASE = "The server cannot reach its games just now. Yours is safe: it goes on as soon as that is mended."
ANYTIME = ("hello", "here", "tick", "large")
"""Messages that are right whatever screen they were sent from; all others name the screen that was pressed."""

BEAT = 10.0
"""Seconds between two signs of life of a page."""

READING = 8.0
"""So many seconds an answer stands at least, even if the news are good again."""


class Refusal(Exception):
    """What a person asked for and cannot have, as a sentence."""


class Page(Protocol):
    """A page of the app. For the message ``{"do": "x", ...}`` it has a method ``on_x(message)``.

    A method that returns a page turns to it; one that returns None stays.

    Attributes
    ----------
    pace : at least so many seconds lie between two looks at the news.
    """

    pace: float = 0.0

    @property
    def is_calm(self) -> bool:
        """Whether nobody else is waited for on this page, so that news may come a little later."""
        return False

    @property
    def in_play(self) -> bool:
        """Whether one may want to come back to this page from the home page."""
        return False

    def screen(self) -> Screen:
        """The page as it is now; the session adds what all pages share."""

    def topics(self) -> tuple[str, ...]:
        """What to follow to hear of changes on this page (see `cmgames.rooms.news`)."""
        return ()

    def news(self) -> Page | None:
        """Look at what others have done: the page to turn to, this one where something on it has changed, or None."""
        return None

    def due(self) -> float | None:
        """In how many seconds something happens by itself on this page, if anything does."""
        return None


class Session:
    """A person at the app.

    Attributes
    ----------
    store : the name under which the browser keeps this person's token.
    is_open : whether others can join.
    guest : this browser in the database, once it has taken a seat.
    banner : what a teacher tells everybody.
    left : a game in play from which the person has turned away.

    Parameters
    ----------
    rooms : keeps every game, so that a reload resumes it and others can sit at the table; None: nothing is kept.
    teacher : the person may see both hands and change the past.
    large : drawn for the last row of the classroom.
    link : the address that others open; without it the one that the page says it has.
    alone : nobody else can open this server's pages, so that games are kept but nobody is invited.
    """

    store: ClassVar[str] = "cmgames.token"

    def __init__(
        self,
        rooms: Rooms | None = None,
        teacher: bool = False,
        large: bool = False,
        link: str = "",
        alone: bool = False,
    ) -> None:
        from cmgames.ui.pages import Home

        self.rooms = rooms
        self.teacher = teacher
        self.link = link
        self.is_open = rooms is not None and not alone
        self.guest: Guest | None = None
        self.token: str | None = None  # not known before the page has said hello
        self.banner = ""
        self.id = secrets.token_hex(8)
        self.left: Page | None = None
        self._large = large
        self._notice: Notice | None = None
        self._answered_at = -READING
        self._pressed_at = 1
        self._unheard: Message | None = None
        self._signed_at = 0.0
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
        if message.get("do") == "here":
            self._shield(lambda: self._do(message))
            return self.screen
        self._notice = None
        self._shield(lambda: self._do(message))
        if message.get("do") != "tick":
            self._shield(self._appear)
        self._answered_at = time.monotonic()
        self._show()
        self._pressed_at = self.screen.n
        return self.screen

    def news(self) -> Screen | None:
        """What others have done: the next screen, or None where nothing has changed."""
        before, notice = self.screen, self._notice
        if notice is not None and notice.tone == "error" and time.monotonic() - self._answered_at > READING:
            self._notice = None  # it is said again as long as it holds
        turned = self._shield(self._hear_again) or self._shield(self._look_around)
        if turned in (None, self.page):
            turned = self._shield(self.page.news) or turned
        if turned is None and self._notice == notice:
            return None
        if turned is not None and turned is not self.page:
            self._turn_to(turned)
            self._pressed_at = before.n + 1
        return None if self._show() is before else self.screen

    def _hear_again(self) -> Page | None:
        """The page for somebody who came while the database was away."""
        return None if self._unheard is None else self.on_hello(self._unheard)

    def _look_around(self) -> Page | None:
        """The page to which this person is called: the table at which he was seated, or this one with a message."""
        if self.rooms is None or self.guest is None or not self.guest.class_id:
            return None
        from cmgames.ui.doors import into

        before, banner = self.guest, self.banner
        guest, self.banner = self.rooms.guests.status(before)
        if guest is None:
            return self._dismiss("Your class was deleted, with all its games.", "")
        if guest.key != before.key:
            return self._dismiss("Another browser has your place in the class now.", None)
        self.guest = guest
        if guest.room_id not in (None, before.room_id):
            room = self.rooms.enter(guest)
            if room is None:
                return None
            if room.elsewhere and room.class_id is not None:
                self.tell(f"Your partner has come: here is your game.{_lost_wish(room, guest.wish)}")
            return into(self, room)
        return self.page if self.banner != banner else None

    def _dismiss(self, why: str, token: str | None) -> Page:
        """The page for somebody who is no guest any more; without a token the browser keeps what another tab has."""
        from cmgames.ui.pages import Home

        self.guest, self.token, self.left = None, token, None
        self.tell(why)
        return Home(self)

    def tell(self, words: str) -> None:
        """Tell the person something beside the panel, until he presses something."""
        self._notice = Notice("panel", words, "info")

    def topics(self) -> tuple[str, ...]:
        """What to follow to hear of what concerns this person."""
        from cmgames.rooms import news

        own = () if self.guest is None else (news.guest(self.guest.id),)
        return own + self.page.topics()

    def _shield(self, deed: Callable[[], T]) -> T | None:
        """What a deed returns; every fault becomes a sentence beside the panel."""
        try:
            return deed()
        except (Refusal, Refused, IllegalMove, OptionError, RecordError) as refusal:
            self._notice = Notice("panel", str(refusal))
        except DatabaseFault as fault:
            LOG.exception("the database failed")
            self._notice = Notice("panel", str(fault) if self.teacher else NO_DATABASE, "error")
        except Exception:  # noqa: BLE001  whatever it is, the person reads a sentence and the log the rest
            LOG.exception("something could not be done")
            self._notice = Notice("panel", f"{SAFE} Go on, or reload the page.", "error")
        return None

    def _show(self) -> Screen:
        """Draw the page; the same screen where nothing has changed."""
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
        do = str(message.get("do"))[:40]
        if do not in ANYTIME and not self._is_fresh(message):
            raise Refusal("The page has moved on since you pressed that: look again, then choose.")
        deed = getattr(self.page, f"on_{do}", None) or getattr(self, f"on_{do}", None)
        if deed is None:
            LOG.warning("refused on %s: %r", type(self.page).__name__, do)
            raise Refusal("That cannot be done on this page.")
        turned = deed(message)
        if turned is not None:
            self._turn_to(turned)

    def _turn_to(self, page: Page) -> None:
        """Turn to a page; at a table nobody waits for another one."""
        self.page = page
        if page.in_play:
            self.left = None

    def _is_fresh(self, message: Message) -> bool:
        """Whether nothing was done here since the screen that was pressed; what others did meanwhile does not count."""
        n = message.get("n")
        return isinstance(n, int) and self._pressed_at <= n <= self.screen.n

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
            hello=self.store if self.rooms is not None else "",
            token=self.token,
            banner=self.banner,
            beat=BEAT if self.rooms is not None else 0,
        )

    def on_home(self, message: Message) -> Page:
        """Turn to the home page; a game in play waits there, and so does the wait for a friend."""
        from cmgames.ui.pages import Home, Text

        page = self.page
        while isinstance(page, Text):
            page = page.back
        if page.in_play:
            self.left = page
            self.give_sign(here=False)
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
        from cmgames.ui.doors import arrive

        self.link = self.link or str(message.get("link") or "")[:300]
        self._unheard, before = None, self.guest
        try:
            return arrive(self, str(message.get("token") or "")[:64], str(message.get("query") or "")[:2000])
        except DatabaseFault:
            self._unheard, self.guest = message, before
            raise

    def on_here(self, message: Message) -> None:
        """Note a sign of life; who has turned away from his game is not here for those at the table."""
        self.give_sign(message.get("visible") is not False and self._is_there)

    @property
    def _is_there(self) -> bool:
        """Whether this person has not turned away from his game."""
        return self.left in (None, self.page)

    def _appear(self) -> None:
        """Be there for the others at once: whoever presses something is."""
        if self._is_there:
            self.give_sign(here=True)

    def give_sign(self, here: bool) -> None:
        """Let those at the table know whether this person is there."""
        if self.rooms is None or self.guest is None:
            return
        if here:
            self._signed_at = self.rooms.guests.here(self.guest, self._signed_at)
        else:
            self.rooms.guests.away(self.guest, self._signed_at)

    def become(self, guest: Guest, token: str) -> None:
        """Be that guest from now on; who this browser was before is away."""
        self.give_sign(here=False)
        self.guest, self.token, self.left = guest, token, None
        self.give_sign(here=True)

    def named(self, name: str) -> tuple[Rooms, Guest]:
        """The rooms and this browser's guest, who is called so from now on.

        Raises
        ------
        Refusal
            Nothing is kept here.
        """
        rooms, guest = self.known()
        if guest.name != name:
            self.guest = guest = rooms.guests.rename(guest, name)
        return rooms, guest

    def known(self) -> tuple[Rooms, Guest]:
        """The rooms and this browser's guest, who is admitted when there is none yet.

        Raises
        ------
        Refusal
            Nothing is kept here.
        """
        if self.rooms is None:
            raise Refusal("Tables for several screens need “cmgames serve”.")
        self._hear_again()
        if self.guest is None:
            self.guest, self.token = self.rooms.guests.admit()
        return self.rooms, self.guest


def _lost_wish(room: Room, wish: str) -> str:
    """What somebody should know who sits elsewhere than he wished."""
    if wish in ("", *room.mine) or not room.mine:
        return ""
    seats = room.table.game.seats
    return f" You both wished to be {seats[wish].title}: this time you are {seats[room.mine[0]].title}."
