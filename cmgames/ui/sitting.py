"""A table in play, as the people before one screen see it.

The table may be ahead of the screen: a computer player has already answered, but the answer took him two seconds, or a
card has just been turned over.  So a sitting keeps, for each person, how many moves he has been shown, and shows the
next ones by and by; a pause is a ``tick`` that the page sends back.  All of it is derived from the table's list of
moves; nothing can get lost in between.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import msgspec

from cmgames.bots.player import players, quick
from cmgames.engine.game import CHANCE, Outcome
from cmgames.engine.moves import MAX_SECONDS, IllegalMove, Move, Tell
from cmgames.engine.table import Table
from cmgames.engine.view import OPEN, View
from cmgames.rooms.terms import PERSON
from cmgames.ui import layout
from cmgames.ui.desk import Desk, Here
from cmgames.ui.layout import Offer, Picks
from cmgames.ui.odds import has_odds
from cmgames.ui.screen import Button, Card, File, Message, Screen
from cmgames.ui.session import Page, Refusal, Session

if TYPE_CHECKING:
    from cmgames.rooms.room import Room, Seated

SPEEDS = (0.5, 1.0, 2.0, 4.0)
WATCH_PAUSE = 1.2
"""Seconds between two moves of computer players at speed 1."""


class Sitting(Page):
    """A table with people and computer players around it.

    Parameters
    ----------
    session : whose page this is.
    desk : the game, and who sits where.
    onlooker : the person has no seat, sees both hands, and changes nothing.
    back : the page to which one turns back from here; None: there is none.
    """

    def __init__(self, session: Session, desk: Desk, onlooker: bool = False, back: Page | None = None) -> None:
        self.session = session
        self.desk = desk
        self.onlooker = onlooker
        self.back = back
        self.viewer = self._first_viewer()
        over = len(self.table.moves) if desk.over else 0
        self.shown = dict.fromkeys((*self.table.game.seats, OPEN, ""), over)
        self.waits: float | None = None
        self.paused = False
        self.speed = 1.0
        self.open_hands = False
        self.looking_at: int | None = None
        self.shows_odds = False
        self.picks = Picks()
        self._found = 0
        self._hands: dict[str, Counter[str]] = {}
        self.say_from = 0
        self.file: File | None = None
        self._seen: object = None
        self._reviews: dict[str, Page] = {}
        self.reviewed = ""
        self._version = self.table.version
        self._advance()

    def _first_viewer(self) -> str:
        """Who looks first: the only person, nobody behind the curtain, or everybody."""
        seats = self.people or list(self.desk.held)
        if self.onlooker or not seats or (self.desk.over and not self.desk.sealed):
            return OPEN
        return seats[0] if len(seats) == 1 else ""

    @classmethod
    def resumed(cls, session: Session, desk: Desk, onlooker: bool = False, back: Page | None = None) -> Sitting:
        """A sitting to which somebody comes back: all that has happened is shown at once."""
        sitting = cls(session, desk, onlooker, back)
        sitting._show_all()
        return sitting

    def _show_all(self) -> None:
        self.shown = dict.fromkeys(self.shown, len(self.table.moves))
        self._advance()

    # What has been shown

    @property
    def is_calm(self) -> bool:
        return self.to_move or not (self.desk.elsewhere or self.onlooker)

    @property
    def in_play(self) -> bool:
        return not self.desk.over and not self.onlooker

    @property
    def table(self) -> Table:
        """The game."""
        return self.desk.table

    @property
    def players(self) -> Mapping[str, str]:
        """For each seat `PERSON`, or the name of a computer player."""
        return self.desk.players

    @property
    def people(self) -> list[str]:
        """The seats of those before this screen."""
        return [] if self.onlooker else list(self.desk.mine)

    @property
    def ply(self) -> int:
        """How many moves the person before the screen has been shown."""
        return self.shown[self.viewer]

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, once that has been shown."""
        if not self.desk.over or (self.viewer and self.ply < len(self.table.moves)):
            return None
        return self.table.outcome or Outcome(None, self.desk.reason)

    @property
    def hand_seat(self) -> str:
        """The seat whose hand lies before the person: his own, or with open hands the one that moves."""
        return self.table.seat if self.open_hands and self.table.seat in self.people else self.viewer

    @property
    def to_move(self) -> bool:
        """Whether the person before the screen has to move."""
        ready = self.ply == len(self.table.moves) and not self.desk.paused and not self.desk.over
        return ready and self.table.seat in self.people and self.table.seat == self.hand_seat

    def _advance(self) -> None:
        """Show what has happened and let computer players move, until a person has to act or to wait."""
        self.waits = None
        while True:
            self._catch_up()
            if self.ply < len(self.table.moves):
                pause = self._pause(self.ply)
                if pause > 0:
                    self.waits = pause
                    break
                self.shown[self.viewer] += 1
            elif not self._computer_moves():
                break
        self._drop_curtain()

    def _catch_up(self) -> None:
        """Forget what was picked before the table changed, and what was shown of moves that have been taken back."""
        if self.table.version == self._version:
            return
        back = [ply for ply, version in self.desk.undone.items() if version > self._version]
        self._version = self.table.version
        self.picks = Picks()
        if back:
            self.shown = {viewer: min(shown, *back) for viewer, shown in self.shown.items()}
            self.say_from = min(self.say_from, *back)
            self.waits = self.looking_at = None

    def _computer_moves(self) -> bool:
        """Let a computer player move, if it is one's move; whoever else does so makes the very same move."""
        seat, desk = self.table.seat, self.desk
        known = players(self.table.game.name, seat) if seat is not None else {}
        if seat is None or self.players[seat] not in known or self.onlooker or desk.over or desk.paused:
            return False
        version = self.table.version
        move = known[self.players[seat]].choose(self.table.view(seat), self.table.legal(), self.table.random())
        try:
            desk.play(move, how="computer", key=f"computer {version}")
        except IllegalMove:
            if self.table.version == version:
                raise
        return True  # if somebody was first, the table was read again

    def _pause(self, ply: int) -> float:
        """For how many seconds the screen stands still before move number `ply` is shown."""
        by, move = self.table.mover(ply), self.table.moves[ply]
        pause = self.table.game.verbs[move.verb].pause
        if not self.people:
            return (pause if by == CHANCE else max(pause, WATCH_PAUSE)) / self.speed
        if by == CHANCE:
            return pause
        if self.desk.how.get(ply, "computer") != "computer" or self.players[by] == PERSON:
            return 0
        return pause if move.tell is None or move.tell.seconds is None else move.tell.seconds

    def _drop_curtain(self) -> None:
        """Hide the table when another person has to move."""
        if len(self.people) < 2 or self.open_hands or self.waits is not None or self.desk.over:
            return
        if self.table.seat != self.viewer:
            self.viewer = ""

    # What others do

    def topics(self) -> tuple[str, ...]:
        return self.desk.topics

    def news(self) -> Page | None:
        """Read what others have done at this table."""
        self.desk.refresh()
        if self.desk.sealed and self.desk.over:
            self._try_to_open()
        if (deadline := self.desk.deadline()) is not None and deadline <= time.time() and not self.onlooker:
            with suppress(IllegalMove):  # he moved after all
                self.room.force("clock")
        self._catch_up()
        if self.onlooker and self.looking_at is None:
            self.shown[OPEN] = len(self.table.moves)
        if self.waits is None and not self.paused:
            self._advance()
        before, self._seen = self._seen, self._fingerprint()
        return None if before == self._seen else self

    def _try_to_open(self) -> None:
        """Open the cards of a class's deal, if this was the last table that had them."""
        from cmgames.rooms import pairing
        from cmgames.rooms.classes import Class

        assert self.room.class_id is not None
        pairing.open_deals(Class(self.room.database, self.room.class_id))

    def _fingerprint(self) -> object:
        """All that others can change on this page."""
        desk = self.desk
        others = [(who.seat, who.player, who.name, who.gone_at is None) for who in desk.elsewhere]
        state = (desk.over, desk.paused, desk.sealed, tuple(desk.players.items()), desk.deadline())
        said = (self.class_closed, self.session.banner)
        return (self.table.version, self.ply, self.waits, others, desk.missing() is None, state, said)

    def due(self) -> float | None:
        deadline = self.desk.deadline()
        return None if deadline is None else max(deadline - time.time(), 0.0)

    @property
    def room(self) -> Room:
        """The room in the database.

        Raises
        ------
        Refusal
            This table is in none.
        """
        if isinstance(self.desk, Here):
            raise Refusal("This table is on this screen alone.")
        return self.desk

    def on_stand_in(self, message: Message) -> None:
        """Let a computer player go on for somebody who is gone."""
        who = self._demand_gone()
        self.room.sit(who.seat, self._stand_in(who.seat))
        self._advance()

    def _stand_in(self, seat: str) -> str:
        """The computer player that takes over a seat."""
        return quick(self.table.game.name, seat)[-1]

    def on_break_off(self, message: Message) -> None:
        """End a game whose other player is gone."""
        who = self._demand_gone()
        self.room.end(f"{who.name} was gone, and the game was ended.")
        self._show_all()

    @property
    def class_closed(self) -> bool:
        """Whether the table belongs to a class that is over."""
        return not isinstance(self.desk, Here) and self.desk.class_closed

    def _demand_gone(self) -> Seated:
        who = self.desk.missing()
        if who is None:
            raise Refusal("Nobody is missing: go on.")
        return who

    def on_take_back(self, message: Message) -> None:
        """Take one's seat back from the computer player."""
        for seat in self.desk.held:
            self.room.sit(seat, PERSON)
        self._show_all()

    # What a person does

    def on_tick(self, message: Message) -> None:
        """The pause before a move is over."""
        if message.get("ply") == self.ply and self.waits is not None and not self.paused:
            self.shown[self.viewer] += 1
            self._advance()

    def on_move(self, message: Message) -> None:
        """Make a move."""
        move = Move.parse(self.table.game, str(message["move"])).bare
        if not self.to_move:
            raise Refusal("It is not your move yet.")
        if self.table.game.verbs[move.verb].tells:
            move = msgspec.structs.replace(move, tell=_measured(message.get("ms")))
        try:
            self.desk.play(move, int(message["at"]))
        finally:
            self._advance()

    def on_pick(self, message: Message) -> None:
        """Pick a card from the hand, or lay it back."""
        card, hand = str(message["card"]), self.picks.hand
        if card not in self._hand():
            raise Refusal("That card is not in your hand any more.")
        verbs = self.table.game.verbs
        most = max(len(move.cards) for move in self.legal() if verbs[move.verb].pick == "hand")
        others = tuple(id for id in hand if id != card)
        hand = others if card in hand else (*others, card) if most > 1 else (card,)
        self.picks = Picks(hand)

    def on_choose(self, message: Message) -> None:
        """Choose one card of a guess."""
        self.picks = Picks(choices=self.picks.choices | {int(message["place"]): str(message["card"])})

    def on_find(self, message: Message) -> None:
        """Pick the cards of one legal move after another."""
        moves = [move for move in self.legal() if move.verb == message["verb"]]
        move = moves[self._found % len(moves)]
        self._found += 1
        self.picks = Picks(tuple(layout.card_ids(move.cards)))

    def on_refused(self, message: Message) -> None:
        """Say why the picked cards make no move."""
        raise Refusal(self.refusals().get(str(message["verb"]), "Choose the cards first."))

    def on_ready(self, message: Message) -> None:
        """Lift the curtain: the person whose move it is has the screen."""
        if self.viewer or self.table.seat not in self.people:
            raise Refusal("There is no curtain now.")
        self.viewer = self.table.seat
        self.say_from = self.ply
        self._advance()

    def on_undo(self, message: Message) -> None:
        """Take back the last move, unless a card has become known since."""
        if not self.can_undo():
            raise Refusal("A card has become known since: that move cannot be taken back.")
        seat = self._undo_seat()
        self.desk.undo(seat)
        self._went_back(seat)

    def on_again(self, message: Message) -> Page | None:
        """The same game, players and options with new cards."""
        from cmgames.ui import doors

        if self.outcome is None:
            raise Refusal("This game is not over yet.")
        if isinstance(self.desk, Here):
            options = msgspec.to_builtins(self.table.game.options)
            return Sitting(self.session, Here(Table(self.table.game.name, **options), self.players))
        return doors.again(self.session, self.room)

    def on_back(self, message: Message) -> Page | None:
        """Turn back to where one came from."""
        return self.back

    def on_lobby(self, message: Message) -> Page | None:
        """Turn to the class, for its next game."""
        from cmgames.ui import doors

        return doors.lobby(self.session)

    def questions(self) -> dict[str, Button]:
        """The way to the questions of the class to which this table belongs, after the game."""
        if isinstance(self.desk, Here) or self.desk.class_id is None or self.onlooker or self.outcome is None:
            return {}
        from cmgames.rooms.classes import Class
        from cmgames.ui.questions import way_in

        return way_in(self.session, Class(self.room.database, self.desk.class_id))

    def on_questions(self, message: Message) -> Page:
        """Turn to the class's questions."""
        from cmgames.rooms.classes import Class
        from cmgames.ui.questions import class_set

        if not self.questions() or self.room.class_id is None:
            raise Refusal("There are no questions here.")
        return class_set(self.session, Class(self.room.database, self.room.class_id), self)

    def on_help(self, message: Message) -> Page:
        """Turn to the rules."""
        from cmgames.ui.pages import rules

        return rules(self.table.game, self)

    def on_save(self, message: Message) -> None:
        """Offer the record as a file; before the end it would show the cards."""
        if not self.session.teacher:
            self._demand_open("The record shows all cards: it can be saved after the end.")
        self.file = File(f"{self.table.game.name}.json", self.table.record(self.players).to_json())

    def _demand_open(self, otherwise: str) -> None:
        """Refuse what would show cards that are still played."""
        if self.outcome is None:
            raise Refusal(otherwise)
        if self.desk.sealed:
            raise Refusal("Others still play these cards: all is shown when they are done.")

    # Watching

    def on_pause(self, message: Message) -> None:
        """Let the computer players wait, or go on."""
        self.paused = not self.paused

    def on_speed(self, message: Message) -> None:
        """Faster or slower."""
        place = SPEEDS.index(self.speed) + int(message["by"])
        self.speed = SPEEDS[min(max(place, 0), len(SPEEDS) - 1)]
        if self.waits is not None:
            self.waits = self._pause(self.ply)

    @property
    def is_teachers(self) -> bool:
        """Whether the person may change the past and see both hands of this table."""
        return self.session.teacher and isinstance(self.desk, Here)

    # Looking back

    def on_look(self, message: Message) -> None:
        """Look at the game before move number ``ply``; with open hands."""
        if not self.session.teacher:
            self._demand_open("One can step through a game after its end.")
        self.looking_at = min(max(int(message["ply"]), 0), len(self.table.moves))

    @property
    def has_review(self) -> bool:
        """Whether this game can be reviewed."""
        from cmgames.ui.review_page import REVIEWED

        return self.table.game.name in REVIEWED and self.table.outcome is not None

    def on_review(self, message: Message) -> Page:
        """Turn to the review that was looked at last, else to that of the person's own choices, else to the first."""
        from cmgames.ui.review_page import REVIEWED

        if not self.has_review:
            raise Refusal("Only a game that was played out can be reviewed.")
        self._demand_open("One can review a game after its end.")
        self.looking_at = None
        seats = REVIEWED[self.table.game.name]
        own = (seat for seat in (self.viewer, *self.people) if seat in seats)
        return self.review(self.reviewed or next(own, seats[0]))

    def review(self, seat: str) -> Page:
        """The review of a seat's choices; it is made once."""
        from cmgames.ui.review_page import ReviewPage

        if seat not in self._reviews:
            self._reviews[seat] = ReviewPage(self, seat)
        self.reviewed = seat
        return self._reviews[seat]

    def on_return(self, message: Message) -> None:
        """Back to the present."""
        self.looking_at = None

    def on_branch(self, message: Message) -> None:
        """Play on from the point that is looked at."""
        if not self.is_teachers:
            raise Refusal("Only a teacher's table can change the past.")
        back = len(self.table.moves) if self.looking_at is None else self.looking_at
        while (plies := len(self.table.moves)) > back and any(self.table.mover(ply) != CHANCE for ply in range(plies)):
            self.desk.undo(self.table.seat or "")
        self.looking_at = None
        self._reviews, self.reviewed = {}, ""
        self._went_back(self.table.seat or "")

    def on_open(self, message: Message) -> None:
        """Show both hands, or hide them again."""
        if not self.is_teachers:
            raise Refusal("Only a teacher's table can show both hands.")
        self.open_hands = not self.open_hands
        if self.open_hands:
            self.viewer = self.viewer or OPEN
        elif len(self.people) > 1:
            self.viewer = ""
        self._advance()

    @property
    def may_see_odds(self) -> bool:
        """Whether the odds of this table may be shown here."""
        terms = None if isinstance(self.desk, Here) else self.desk.terms
        return has_odds(self.table.game.name) and (
            self.session.teacher or terms is None or terms.odds or self.desk.over
        )

    def on_odds(self, message: Message) -> None:
        """Show the odds, or hide them again."""
        if not self.may_see_odds:
            raise Refusal("Your teacher keeps the odds for later.")
        self.shows_odds = not self.shows_odds

    def _went_back(self, seat: str) -> None:
        """Go on from an earlier point, behind the curtain if the screen is not before `seat`."""
        if len(self.people) > 1 and not self.open_hands and self.viewer != seat:
            self.viewer = ""
        self._advance()

    def _undo_seat(self) -> str:
        """Who would take back a move: the person before the screen, or behind a curtain who moved last."""
        if self.viewer in self.people:
            return self.viewer
        movers = [self.table.mover(ply) for ply in range(len(self.table.moves))]
        return next((seat for seat in reversed(movers) if seat != CHANCE), "")

    def can_undo(self) -> bool:
        """Whether the last move of the person before the screen can be taken back."""
        seat = self._undo_seat()
        return seat in self.people and not self.desk.over and self.waits is None and self.table.can_undo(seat)

    # Drawing

    def screen(self) -> Screen:
        """The page as it is now."""
        from cmgames.ui import table_screen

        if not self.viewer:
            return table_screen.curtain(self)
        return table_screen.present(self) if self.looking_at is None else table_screen.past(self, self.looking_at)

    def legal(self) -> tuple[Move, ...]:
        """The moves of the person before the screen."""
        return self.table.legal() if self.to_move and self.looking_at is None else ()

    def refusals(self) -> dict[str, str]:
        """For each verb whose cards are picked, why the picked cards make no move."""
        refusals = {}
        names = self.picks.names()
        for verb in dict.fromkeys(move.verb for move in self.legal()):
            pick = self.table.game.verbs[verb].pick
            if pick == "catalogue":
                refusals[verb] = "Choose one card in each row."
            elif pick == "hand":
                refusals[verb] = self.table.why_not(Move(verb, names)) if names else "Choose cards in your hand first."
        return refusals

    def fresh(self, view: View) -> Counter[str]:
        """The cards that have come to the hand since the last screen."""
        piles = [pile for pile in view.piles if pile.layout == "hand" and pile.owner == self.hand_seat]
        hand = Counter(name for pile in piles for name in pile.cards)
        before, self._hands[self.viewer] = self._hands.get(self.viewer, Counter()), hand
        return hand - before if before else Counter()

    def _hand(self) -> dict[str, Card]:
        """The cards that the person may pick now, by id."""
        rows = layout.rows(self.table.game, self.table.view(self.hand_seat), self.hand_seat, Offer(self.legal()))
        return {id: card for row in rows.values() for id, card in row.cards.items() if card.send}


def _measured(ms: Any) -> Tell | None:
    """The time that a person took, as the browser measured it."""
    if not isinstance(ms, int | float) or isinstance(ms, bool) or not math.isfinite(ms) or ms < 0:
        return None
    return Tell(round(min(ms / 1000, MAX_SECONDS), 2))
