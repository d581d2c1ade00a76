"""A game looked at afterwards: the chance to win as a curve, each choice with what it cost, luck and skill apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cmgames.engine.words import count
from cmgames.odds.review import Choice, Review, review
from cmgames.ui.odds import percent, signed
from cmgames.ui.screen import Block, Button, Chart, Curve, Entry, Grid, Message, Screen
from cmgames.ui.session import Page, Refusal

if TYPE_CHECKING:
    from cmgames.ui.sitting import Sitting

EXPLAINED = (
    "Before each card the rat has a chance to win, if he counts and plays his best from there on. A choice that is not "
    "the best costs some of it; the card that is then turned over gives or takes some. What the answers told is not "
    "counted."
)


class ReviewPage(Page):
    """The review of a game that is over.

    Parameters
    ----------
    sitting : the table; the review turns back to it.
    """

    def __init__(self, sitting: Sitting) -> None:
        self.sitting = sitting
        self.seen = review(sitting.table)

    def screen(self) -> Screen:
        title = f"{self.sitting.table.game.title}: the review"
        back = {"back": Button("Back to the table", {"do": "back"}, main=True)}
        text = (Block("p", summary(self.seen)), Block("p", EXPLAINED))
        return Screen(
            0,
            "board",
            title,
            text=text,
            moves=back,
            odds={"curve": self._curve()},
            grids={"choices": self._grid()},
            say=f"{title}. {summary(self.seen)}",
        )

    def _curve(self) -> Chart:
        points = tuple(round(chance, 4) for chance in self.seen.curve())
        marks = tuple(sorted(self.seen.choices.index(choice) for choice in self.seen.worst()))
        words = "The chance to win, turn by turn: " + ", ".join(percent(point) for point in points) + "."
        line = "Turn by turn, from the first card to the end. Rings: before the choices that cost most."
        return Chart("The rat's chance to win", line=line, curve=Curve(points, words, marks))

    def _grid(self) -> Grid:
        worst = self.seen.worst()
        rows = {
            str(choice.ply): Entry(
                at, self._cells(choice), "stuck" if choice in worst else "", send={"do": "step", "ply": choice.ply}
            )
            for at, choice in enumerate(self.seen.choices)
        }
        columns = ("Turn", "Chance", "Guess", "It cost", "Better", "The card gave")
        return Grid(0, "The choices", columns, rows, "No guess was made.")

    def _cells(self, choice: Choice) -> tuple[str, ...]:
        verbs = self.sitting.table.game.verbs
        better = verbs[choice.best].card if choice.cost else ""
        cost = percent(choice.cost) if choice.cost else "nothing"
        if choice in self.seen.worst():
            cost += " (worst)"
        return (
            str(choice.turn),
            percent(choice.chance),
            verbs[choice.did].card,
            cost,
            better,
            signed(choice.luck),
        )

    def on_back(self, message: Message) -> Page:
        """Turn back to the table."""
        return self.sitting

    def on_step(self, message: Message) -> Page:
        """Turn to the table as it was before a choice."""
        if message["ply"] not in [choice.ply for choice in self.seen.choices]:
            raise Refusal("There was no guess.")
        self.sitting.on_look({"ply": message["ply"]})
        self.sitting.shows_odds = True
        return self.sitting


def summary(seen: Review) -> str:
    """What was given, what the choices cost, what the cards gave, in a sentence."""
    won = "won" if seen.curve()[-1] > 0.5 else "lost"
    costly = sum(choice.cost > 0 for choice in seen.choices)
    return (
        f"The rat {won}. He began with a chance of {percent(seen.start)}. Luck: the cards gave {signed(seen.luck)}. "
        f"Skill: his choices cost {percent(seen.cost) if seen.cost else 'nothing'}; "
        f"{costly} of {count(len(seen.choices), 'choice')} could have been better."
    )
