"""Questions for oneself: a set that nobody else sees, and with which a browser that comes back goes on."""

from __future__ import annotations

from collections.abc import Mapping

from cmgames.engine import chance
from cmgames.engine.game import AnyGame
from cmgames.engine.registry import game as game_called
from cmgames.rooms import questions
from cmgames.ui.questions import Asked
from cmgames.ui.screen import Message
from cmgames.ui.session import Page, Session

NUMBER = 5
"""So many questions are a set."""


class Practice(Asked):
    """A set of questions for oneself.

    Parameters
    ----------
    session : whose they are.
    rules : the game that they are about.
    back : the page to which one turns back.
    seed : decides them.
    given : the answers that were given before, by number.
    """

    def __init__(
        self, session: Session, rules: AnyGame, back: Page, seed: int, given: Mapping[int, str] | None = None
    ) -> None:
        self.session, self.seed = session, seed
        asked = questions.ask(rules.name, rules.options, seed, NUMBER)
        super().__init__(rules, asked, given or {}, self._take, back, lambda: begun(session, rules, back))

    def _take(self, number: int, answer: str) -> str:
        self.save({**self.given, number: answer})
        return answer

    def save(self, given: Mapping[int, str]) -> None:
        """Keep the set with these answers, where anything is kept."""
        if self.session.rooms is None:
            return
        from cmgames.rooms import practice

        rooms, guest = self.session.known()
        practice.keep(rooms.database, guest.id, self.rules.name, self.seed, given)

    def on_back(self, message: Message) -> Page:
        """Turn back to where one came from; the set is not gone on with."""
        if self.session.rooms is not None:
            from cmgames.rooms import practice

            rooms, guest = self.session.known()
            practice.forget(rooms.database, guest.id)
        return self.back


def begun(session: Session, rules: AnyGame, back: Page) -> Practice:
    """A new set."""
    page = Practice(session, rules, back, chance.new_seed())
    page.save({})
    return page


def resumed(session: Session, since: float) -> Practice | None:
    """The set at which this browser is, unless it has done something else since that time, in seconds since 1970."""
    from cmgames.rooms import practice
    from cmgames.ui.pages import Home

    rooms, guest = session.known()
    kept = practice.of_guest(rooms.database, guest.id)
    if kept is None or kept.at < since:
        return None
    of = game_called(kept.game)
    return Practice(session, of(of.Options()), Home(session), kept.seed, kept.given)
