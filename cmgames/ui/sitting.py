"""A table in play, as the people before one screen see it.

The table may be ahead of the screen: a computer player has already answered, but the answer took him two seconds, or a
card has just been turned over.  So a sitting keeps, for each person, how many moves he has been shown, and shows the
next ones by and by; a pause is a ``tick`` that the page sends back.  All of it is derived from the table's list of
moves; nothing can get lost in between.
"""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import msgspec

from cmgames.bots.player import players
from cmgames.engine.game import CHANCE, Outcome
from cmgames.engine.moves import MAX_SECONDS, Move, Tell
from cmgames.engine.table import Table
from cmgames.engine.view import OPEN, View
from cmgames.ui import layout
from cmgames.ui.layout import Offer, Picks
from cmgames.ui.screen import Card, Message, Screen
from cmgames.ui.session import Page, Refusal, Session

PERSON = "person"
SPEEDS = (0.5, 1.0, 2.0, 4.0)
WATCH_PAUSE = 1.2
"""Seconds between two moves of computer players at speed 1."""


class Sitting:
    """A table with people and computer players around it.

    Parameters
    ----------
    session : whose page this is.
    table : the game.
    players : for each seat `PERSON`, or the name of a computer player.
    kept : whether a reload of the page resumes this game.
    """

    def __init__(self, session: Session, table: Table, players: dict[str, str], kept: bool = True) -> None:
        self.session = session
        self.table = table
        self.players = players
        self.kept = kept
        self.people = [seat for seat in table.game.seats if players[seat] == PERSON]
        self.viewer = self._first_viewer()
        self.shown = dict.fromkeys((*self.people, OPEN, ""), len(table.moves) if table.outcome else 0)
        self.waits: float | None = None
        self.paused = False
        self.speed = 1.0
        self.open_hands = False
        self.looking_at: int | None = None
        self.picks = Picks()
        self._found = 0
        self._kept_version = table.version
        self._hands: dict[str, Counter[str]] = {}
        self.say_from = 0
        self.file: tuple[str, str] | None = None
        self._advance()

    def _first_viewer(self) -> str:
        """Who looks first: the only person, nobody behind the curtain, or everybody."""
        if self.table.outcome or not self.people:
            return OPEN
        return self.people[0] if len(self.people) == 1 else ""

    # What has been shown

    @property
    def ply(self) -> int:
        """How many moves the person before the screen has been shown."""
        return self.shown[self.viewer]

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, once that has been shown."""
        return self.table.outcome if self.ply == len(self.table.moves) or not self.viewer else None

    @property
    def hand_seat(self) -> str:
        """The seat whose hand lies before the person: his own, or with open hands the one that moves."""
        return self.table.seat if self.open_hands and self.table.seat in self.people else self.viewer

    @property
    def to_move(self) -> bool:
        """Whether the person before the screen has to move."""
        shown_all = self.ply == len(self.table.moves)
        return shown_all and self.table.seat in self.people and self.table.seat == self.hand_seat

    def _advance(self) -> None:
        """Show what has happened and let computer players move, until a person has to act or to wait."""
        self.waits = None
        while True:
            if self.ply < len(self.table.moves):
                pause = self._pause(self.ply)
                if pause > 0:
                    self.waits = pause
                    break
                self.shown[self.viewer] += 1
            elif self.table.seat is None or self.players[self.table.seat] == PERSON:
                break
            else:
                self._computer_moves(self.table.seat)
        if self.table.version != self._kept_version:
            self._keep()
        self._drop_curtain()

    def _computer_moves(self, seat: str) -> None:
        player = players(self.table.game.name, seat)[self.players[seat]]
        self.table.play(player.choose(self.table.view(seat), self.table.legal(), self.table.random()))

    def _pause(self, ply: int) -> float:
        """For how many seconds the screen stands still before move number `ply` is shown."""
        by, move = self.table.mover(ply), self.table.moves[ply]
        pause = self.table.game.verbs[move.verb].pause
        if not self.people:
            return (pause if by == CHANCE else max(pause, WATCH_PAUSE)) / self.speed
        if by == CHANCE:
            return pause
        if self.players[by] == PERSON:
            return 0
        return pause if move.tell is None or move.tell.seconds is None else move.tell.seconds

    def _drop_curtain(self) -> None:
        """Hide the table when another person has to move."""
        if len(self.people) < 2 or self.open_hands or self.waits is not None or self.table.outcome:
            return
        if self.table.seat != self.viewer:
            self.viewer = ""

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
        self.table.play(move, int(message["at"]))
        self.picks = Picks()
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
        while self.table.undo() and self.table.seat != seat:
            pass
        self._went_back(seat)

    def on_again(self, message: Message) -> Page:
        """The same game, players and options with new cards."""
        options = msgspec.to_builtins(self.table.game.options)
        self.session.forget()
        return Sitting(self.session, Table(self.table.game.name, **options), self.players).begun()

    def on_help(self, message: Message) -> Page:
        """Turn to the rules."""
        from cmgames.ui.pages import rules

        return rules(self.table.game, self)

    def on_save(self, message: Message) -> None:
        """Offer the record as a file; before the end it would show the cards."""
        if self.outcome is None and not self.session.teacher:
            raise Refusal("The record shows all cards: it can be saved after the end.")
        self.file = (f"{self.table.game.name}.json", self.table.record(self.players).to_json())

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

    # Looking back

    def on_look(self, message: Message) -> None:
        """Look at the game before move number ``ply``; with open hands."""
        if self.outcome is None and not self.session.teacher:
            raise Refusal("One can step through a game after its end.")
        self.looking_at = min(max(int(message["ply"]), 0), len(self.table.moves))

    def on_return(self, message: Message) -> None:
        """Back to the present."""
        self.looking_at = None

    def on_branch(self, message: Message) -> None:
        """Play on from the point that is looked at."""
        if not self.session.teacher:
            raise Refusal("Only a teacher's table can change the past.")
        back = len(self.table.moves) if self.looking_at is None else self.looking_at
        while (plies := len(self.table.moves)) > back and any(self.table.mover(ply) != CHANCE for ply in range(plies)):
            self.table.undo()
        self._went_back(self.table.seat or "")

    def on_open(self, message: Message) -> None:
        """Show both hands, or hide them again."""
        if not self.session.teacher:
            raise Refusal("Only a teacher's table can show both hands.")
        self.open_hands = not self.open_hands
        if self.open_hands:
            self.viewer = self.viewer or OPEN
        elif len(self.people) > 1:
            self.viewer = ""
        self._advance()

    def _went_back(self, seat: str) -> None:
        """Forget what was shown of moves that are no more."""
        self.looking_at = None
        plies = len(self.table.moves)
        self.shown = {viewer: min(shown, plies) for viewer, shown in self.shown.items()}
        self.picks = Picks()
        self.say_from = plies
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
        return seat in self.people and self.table.outcome is None and self.waits is None and self.table.can_undo(seat)

    # Keeping

    def begun(self) -> Sitting:
        """This sitting, kept from its beginning on."""
        self._keep()
        return self

    def _keep(self) -> None:
        self._kept_version = self.table.version
        if self.kept:
            self.session.keep({"record": self.table.record().to_dict(), "players": self.players})

    @classmethod
    def resume(cls, session: Session, saved: dict[str, Any]) -> Sitting:
        """The sitting that was kept."""
        table = Table.from_record(saved["record"])
        sitting = cls(session, table, saved["players"])
        sitting.shown = dict.fromkeys(sitting.shown, len(table.moves))
        sitting._advance()
        return sitting

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
