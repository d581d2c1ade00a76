"""A game looked at afterwards: the chance to win as a curve, each choice with what it cost, luck and skill apart."""

from __future__ import annotations

from math import hypot
from typing import TYPE_CHECKING, NamedTuple

from cmgames.bots.review import reviewing
from cmgames.engine.game import AnyGame
from cmgames.engine.moves import Move
from cmgames.engine.words import count
from cmgames.odds.review import Choice, Review, review
from cmgames.ui import phrases
from cmgames.ui.odds import GUESSES, percent, signed, whole
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
    "games, with the hidden cards dealt anew. The band, and the numbers in brackets, show how far a point may be off. "
    "A choice is said to cost something only where the master's was clearly better in the same games: small errors do "
    "not show.",
}
LUCK = {"tunnel-rat": "the cards gave", "cat-and-mouse": "the cards and the other side gave"}

Z = 1.96
"""So many standard errors to each side make a 95 % interval."""


class Parts(NamedTuple):
    """A review in whole percents: in each row and in all, chance minus cost plus luck is what came next.

    Attributes
    ----------
    points : the curve.
    costs, lucks : of each choice.
    """

    points: list[int]
    costs: list[int]
    lucks: list[int]

    @classmethod
    def of(cls, seen: Review) -> Parts:
        """Those of a review: its costs add up to the whole percents of their sum, and luck is what is left."""
        points, costs = [round(100 * point) for point in seen.curve()], whole([choice.cost for choice in seen.choices])
        steps = zip(points, points[1:], costs, strict=False)
        return cls(points, costs, [after - before + cost for before, after, cost in steps])


class ReviewPage(Page):
    """The review of a game that is over; where it takes time, it is made slice by slice.

    Parameters
    ----------
    sitting : the table; the review turns back to it.
    seat : whose choices are looked at.
    """

    def __init__(self, sitting: Sitting, seat: str) -> None:
        self.sitting = sitting
        self.seat = seat
        self.game = sitting.table.game
        self.seats = REVIEWED[self.game.name]
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
        worst, parts = seen.worst(), Parts.of(seen)
        exact = not any(seen.errors())  # else what lies between two points says little
        lucks = [(signed(luck / 100),) if exact else () for luck in parts.lucks]
        rows = {
            str(choice.ply): Entry(
                at,
                self._cells(choice, cost, choice in worst) + luck,
                "stuck" if choice in worst else "",
                send={"do": "step", "ply": choice.ply},
            )
            for at, (choice, cost, luck) in enumerate(zip(seen.choices, parts.costs, lucks, strict=True))
        }
        columns = ("Turn", "Chance", "Choice", "It cost", *(["Luck"] if exact else []))
        return Grid(0, "The choices", columns, rows, "No choice was made.")

    def _cells(self, choice: Choice, whole_cost: int, is_worst: bool) -> tuple[str, ...]:
        """The turn, the chance, the choice, and what it cost."""
        cost = "none seen" if choice.cost_error else "nothing"
        if choice.cost:
            cost = _some(whole_cost) + band(choice.cost, choice.cost_error)
        return (
            str(choice.turn),
            percent(choice.chance) + band(choice.chance, choice.chance_error),
            named(self.game, choice.did) + (f"; better: {named(self.game, choice.best)}" if choice.cost else ""),
            f"{cost} (worst)" if is_worst else cost,
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
        return self.sitting.review(str(message["seat"]))

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
    """A move as its button says it."""
    return GUESSES.get(move.verb) or phrases.button(rules, move)


def lost(chance: float) -> str:
    """What choices cost, in words: whole percents, which may be 100 and more."""
    return _some(round(100 * chance)) if chance else _plain(0)


def _some(percents: int) -> str:
    """Whole percents of something that is more than nothing."""
    return _plain(percents) if percents else f"under {_plain(1)}"


def _plain(percents: int) -> str:
    return f"{percents}\N{NO-BREAK SPACE}%"


def band(value: float, error: float, least: int = 0) -> str:
    """The 95 % interval of a value that is not exact, within what is possible: `` (41 to 73)``; else nothing."""
    if not error:
        return ""
    low, high = max(round(100 * (value - Z * error)), least), min(round(100 * (value + Z * error)), 100)
    return f" ({low}\N{NO-BREAK SPACE}to\N{NO-BREAK SPACE}{high})".replace("-", "−")


def summary(game: str, who: str, seen: Review) -> str:
    """What was given, what the cards gave, what the choices cost, in sentences; the numbers add up to the result."""
    won = "won" if seen.curve()[-1] > 0.5 else "lost"
    made, costly = count(len(seen.choices), "choice"), sum(choice.cost > 0 for choice in seen.choices)
    parts, error, exact = Parts.of(seen), seen.errors()[0], not any(seen.errors())
    luck_error = hypot(error, *(choice.cost_error for choice in seen.choices if choice.cost))
    if seen.cost:
        skill = f"the choices cost {_plain(sum(parts.costs))}; {costly} of {made} could have been better"
    else:
        skill = "the choices cost nothing" if exact else f"none of {made} is seen to have cost anything"
    return (
        f"{who} {won}. The chance at the beginning was {percent(seen.start)}{band(seen.start, error)}. "
        f"Luck: {LUCK[game]} {signed(sum(parts.lucks) / 100)}{band(seen.luck, luck_error, -100)}. Skill: {skill}."
    )
