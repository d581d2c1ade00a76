"""A game looked at afterwards: the chance to win as a curve, each choice with what it cost, luck and skill apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cmgames.bots.review import reviewing
from cmgames.engine.game import AnyGame
from cmgames.engine.moves import Move
from cmgames.engine.words import count
from cmgames.odds.review import Choice, Review, review
from cmgames.ui import phrases
from cmgames.ui.odds import percent, signed
from cmgames.ui.screen import Block, Button, Chart, Curve, Entry, Grid, Message, Screen
from cmgames.ui.session import Page, Refusal
from cmgames.ui.slices import Slices

if TYPE_CHECKING:
    from cmgames.ui.sitting import Sitting

REVIEWED = {"tunnel-rat": ("rat",), "cat-and-mouse": ("terrorist", "us")}
"""The games that can be reviewed, and the seats whose choices are looked at."""

EXPLAINED = {
    "tunnel-rat": "Before each card the rat has a chance to win, if he counts and plays his best from there on. A "
    "choice that is not the best costs some of it; the card that is then turned over gives or takes some. What the "
    "answers told is not counted.",
    "cat-and-mouse": "No exact values are known here. From each choice the computer's masters have finished many "
    "games, with the hidden cards dealt anew. The band shows how far a point may be off. A choice is said to cost "
    "something only where the master's was clearly better in the same games: small errors do not show.",
}
LUCK = {"tunnel-rat": "the cards gave", "cat-and-mouse": "the cards and the other side gave"}

Z = 1.96
"""So many standard errors to each side make a 95 % interval."""


class ReviewPage(Page):
    """The review of a game that is over; where it takes time, it is made slice by slice.

    Parameters
    ----------
    sitting : the table; the review turns back to it.
    seat : whose choices are looked at; the person's own, if there is one, by default.
    """

    def __init__(self, sitting: Sitting, seat: str = "") -> None:
        self.sitting = sitting
        self.game = sitting.table.game
        self.seats = REVIEWED[self.game.name]
        people = [one for one in (sitting.viewer, *sitting.people) if one in self.seats]
        self.seat = seat or next(iter(people), self.seats[0])
        self.seen: Review | None = None
        self._work: Slices[Review] | None = None
        if self.game.name == "tunnel-rat":
            self.seen = review(sitting.table)
        else:
            self._work = Slices(reviewing(sitting.table, self.seat))

    def screen(self) -> Screen:
        if self.seen is not None:
            return self._reviewed(self.seen)
        assert self._work is not None
        words = f"The review of {phrases.seat_title(self.game, self.seat)} is being made."
        return self._work.screen(self._title, words, self._back)

    @property
    def _title(self) -> str:
        return f"{self.game.title}: the review"

    @property
    def _back(self) -> Button:
        return Button("Back to the table", {"do": "back"}, main=True)

    def _reviewed(self, seen: Review) -> Screen:
        words = summary(self.game.name, phrases.capital(phrases.seat_title(self.game, self.seat)), seen)
        others = {
            seat: Button(f"The review of {phrases.seat_title(self.game, seat)}", {"do": "seat", "seat": seat})
            for seat in self.seats
            if seat != self.seat
        }
        return Screen(
            0,
            "board",
            self._title,
            text=(Block("p", words), Block("p", EXPLAINED[self.game.name])),
            moves={**others, "back": self._back},
            odds={"curve": self._curve(seen)},
            grids={"choices": self._grid(seen)},
            say=f"{self._title}. {words}",
        )

    def _curve(self, seen: Review) -> Chart:
        points = tuple(round(chance, 4) for chance in seen.curve())
        errors = tuple(round(Z * error, 4) for error in seen.errors())
        marks = tuple(sorted(seen.choices.index(choice) for choice in seen.worst()))
        words = "The chance to win, choice by choice: " + ", ".join(percent(point) for point in points) + "."
        line = "From the first choice to the end." + (" Rings: before the choices that cost most." if marks else "")
        title = f"How likely {phrases.seat_title(self.game, self.seat)} wins"
        return Chart(title, line=line, curve=Curve(points, words, marks, errors if any(errors) else ()))

    def _grid(self, seen: Review) -> Grid:
        worst = seen.worst()
        rows = {
            str(choice.ply): Entry(
                at,
                self._cells(choice, choice in worst),
                "stuck" if choice in worst else "",
                send={"do": "step", "ply": choice.ply},
            )
            for at, choice in enumerate(seen.choices)
        }
        columns = ("Turn", "Chance", "Choice", "It cost", "Luck")
        return Grid(0, "The choices", columns, rows, "No choice was made.")

    def _cells(self, choice: Choice, is_worst: bool) -> tuple[str, ...]:
        cost = within(choice.cost, choice.cost_error) if choice.cost else "nothing"
        if choice.cost_error and not choice.cost:
            cost = "none seen"
        return (
            str(choice.turn),
            within(choice.chance, choice.chance_error),
            named(self.game, choice.did) + (f"; better: {named(self.game, choice.best)}" if choice.cost else ""),
            f"{cost} (worst)" if is_worst else cost,
            signed(choice.luck),
        )

    def on_tick(self, message: Message) -> None:
        """Work on the review for a slice of time."""
        if self._work is not None and self.seen is None:
            self._work.go_on()
            self.seen = self._work.result

    def on_seat(self, message: Message) -> Page:
        """Turn to the review of another seat."""
        if message["seat"] not in self.seats:
            raise Refusal("The choices of this seat are not looked at.")
        return ReviewPage(self.sitting, str(message["seat"]))

    def on_back(self, message: Message) -> Page:
        """Turn back to the table."""
        return self.sitting

    def on_step(self, message: Message) -> Page:
        """Turn to the table as it was before a choice."""
        if self.seen is None or message["ply"] not in [choice.ply for choice in self.seen.choices]:
            raise Refusal("There was no choice.")
        self.sitting.on_look({"ply": message["ply"]})
        self.sitting.shows_odds = True
        return self.sitting


def named(rules: AnyGame, move: Move) -> str:
    """A move in a word, where its verb stands for a card; else as on its button."""
    return rules.verbs[move.verb].card or phrases.button(rules, move)


def within(chance: float, error: float) -> str:
    """A chance, with its 95 % interval where it is not exact."""
    return f"{percent(chance)} ± {round(100 * Z * error)}" if error else percent(chance)


def summary(game: str, who: str, seen: Review) -> str:
    """What was given, what the choices cost, what the cards gave, in a sentence."""
    won = "won" if seen.curve()[-1] > 0.5 else "lost"
    made, costly = count(len(seen.choices), "choice"), sum(choice.cost > 0 for choice in seen.choices)
    if seen.cost:
        skill = f"the choices cost {percent(seen.cost)}; {costly} of {made} could have been better"
    else:
        skill = f"none of {made} is seen to have cost anything" if any(seen.errors()) else "the choices cost nothing"
    return (
        f"{who} {won}. The chance at the beginning was {percent(seen.start)}. "
        f"Luck: {LUCK[game]} {signed(seen.luck)}. Skill: {skill}."
    )
