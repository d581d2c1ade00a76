"""The odds of a position as charts: what one seat can work out from its own view, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from math import floor, inf

import msgspec

from cmgames.bots import tunnel_rat as tells
from cmgames.engine.view import OPEN, View
from cmgames.engine.words import count
from cmgames.games.cat_and_mouse_deck import CATEGORIES
from cmgames.games.tunnel_rat import rat_knows
from cmgames.odds import cat_and_mouse, tunnel_rat
from cmgames.odds.review import solved
from cmgames.ui.screen import Bar, Chart, Cube

TURNS = (0, 1, 2, 4, 8)
"""For so many more cards the chance of a meld is shown."""

SOLVED = ("tunnel-rat",)
"""The games whose exact values are known."""

GUESSES = {"advance": "Advance", "shoot": "Shoot", "search": "Search"}
"""The rat's guesses, and what they are called."""

Number = float | Fraction


def has_odds(game: str) -> bool:
    """Whether there are odds for this game."""
    return game in CHARTS


def charts(view: View) -> dict[str, Chart]:
    """The odds of a position for the seat whose view this is, by id; from a spectator's, for the seat that guesses.

    Raises
    ------
    KeyError
        There are no odds for this game.
    """
    found = CHARTS[view.game](view)
    return {f"chart{at}": msgspec.structs.replace(chart, at=at) for at, chart in enumerate(found)}


def bar(label: str, chance: Number, words: str = "") -> Bar:
    """A bar as long as a chance, with the chance in words beside it."""
    return Bar(label, round(float(chance), 4), words or percent(chance))


def percent(chance: Number, digits: int = 0) -> str:
    """A chance in words: whole percents or so many decimals, and neither 0 nor 100 of what is not certain.

    What several choices cost together may be more than 1.
    """
    if chance in (0, 1):
        return "certain" if chance else "0\N{NO-BREAK SPACE}%"
    least = 10.0**-digits
    most = 100 - least if chance < 1 else inf
    shown = round(100 * float(chance), digits)
    bound = "under " if shown < least else "over " if shown > most else ""
    return f"{bound}{min(max(shown, least), most):.{digits}f}\N{NO-BREAK SPACE}%"


def signed(chance: float) -> str:
    """A gain or a loss in percent."""
    points = round(100 * chance)
    sign = "+" if points > 0 else "−" if points else ""
    return f"{sign}{abs(points)}\N{NO-BREAK SPACE}%"


def whole(parts: Sequence[float]) -> list[int]:
    """Parts of 1 in whole percents that add up to their sum in whole percents: the largest remainders are rounded up.

    It is Hamilton's method; see M. Balinski, H. P. Young: Fair Representation (1982).
    """
    down = [floor(100 * part) for part in parts]
    missing = round(100 * sum(parts)) - sum(down)
    first = sorted(range(len(parts)), key=lambda at: down[at] - 100 * parts[at])[:missing]
    return [n + (at in first) for at, n in enumerate(down)]


def bars(chances: Mapping[str, Number]) -> tuple[Bar, ...]:
    """A bar for each chance."""
    return tuple(bar(label, chance) for label, chance in chances.items())


# Tunnel Rat


def tunnel_rat_charts(view: View) -> Iterable[Chart]:
    """What the rat can count, read and win; the VC is shown the same, as the rat's."""
    best = solved(view.options)
    position = tunnel_rat.Position.of(view)
    if best.model.over(position.layer):
        return
    if not sum(rat_knows(view).values()):
        yield Chart(
            "Before the next card", (bar("The rat wins", best.value_of(position)),), "The deck is shuffled first."
        )
        return
    yield by_counting(view)
    if any(answer.move is not None and answer.move.tell is not None for answer in view.answers):
        yield Chart(
            "The card, by counting and by the answers",
            bars(tells.posterior(view)),
            "If the VC shows danger as the nervous computer player does.",
        )
    yield by_guess(view)


def by_counting(view: View) -> Chart:
    """How likely each kind of card lies there."""
    unseen = rat_knows(view)
    left = sum(unseen.values())
    return Chart(
        "The card, by counting",
        tuple(bar(name, Fraction(n, left), f"{n} of {left}") for name, n in unseen.items()),
        f"{count(left, 'card')} not seen yet.",
    )


def by_guess(view: View) -> Chart:
    """What each guess is worth to the rat."""
    values = solved(view.options).values(view)
    return Chart(
        "The rat's chance to win, by guess",
        tuple(bar(label, values[guess]) for guess, label in GUESSES.items()),
        "By counting alone, with best play from the next card on.",
    )


# Cat & Mouse


def cat_and_mouse_charts(view: View) -> Iterable[Chart]:
    """What US Security can work out of the discard pile, and what a seat can of its own hand."""
    yield of_a_meld(view)
    if view.seat == "terrorist":
        exposed = cat_and_mouse.exposures(view)
        if exposed:
            names = {" / ".join(plan): exposure.chance for plan, exposure in exposed.items()}
            yield Chart("How likely your melds look from outside", bars(names), "What US Security can count.")
    yield which_meld(view)
    if view.seat in ("us", OPEN):
        yield of_a_combo(view)


def of_a_meld(view: View) -> Chart:
    """How likely the Terrorist holds a meld, now and later."""
    own = view.seat == "terrorist"
    line = f"If {'you throw' if own else 'he throws'} nothing away that a meld needs: it cannot be more."
    titles = {"terrorist": "A meld in your hand", OPEN: "A meld in the Terrorist's hand"}
    title = titles.get(view.seat, "The Terrorist holds a meld")
    return Chart(title, _by_turn(cat_and_mouse.wait_for_meld(view).within), line)


def of_a_combo(view: View) -> Chart:
    """How likely US Security's next card makes a combo, by its kind."""
    kinds = ("One name", "One suite", "Different suites", "Any")
    combos = cat_and_mouse.combos_next_turn(view)
    who = "You have a combo after your" if view.seat == "us" else "US Security has a combo after its"
    return Chart(f"{who} next card", bars(dict(zip(kinds, combos, strict=True))))


def _by_turn(within: tuple[Fraction, ...]) -> tuple[Bar, ...]:
    shown = [n for n in TURNS if n < len(within)]
    return tuple(bar("now" if n == 0 else f"after {count(n, 'card')}", within[n]) for n in shown)


def which_meld(view: View) -> Chart:
    """The chance of each meld, should the Terrorist attack now."""
    own = view.seat == "terrorist"
    title = f"Which meld, if {'you attack' if own else 'he attacks'} now"
    try:
        posterior = cat_and_mouse.meld_posterior(view)
    except ValueError:
        return Chart(title, line="No meld can be held any more: too many of its cards have been thrown away.")
    options = cat_and_mouse.options_of(view)
    attacks, groups, targets = (
        tuple((name, mark) for name, mark in names[: options.kinds]) for names in CATEGORIES.values()
    )
    chances = tuple(round(float(chance), 4) for chance in posterior.values())
    return Chart(
        title,
        line=f"Counted from the discard pile, as if {'you' if own else 'he'} had thrown away blindly.",
        cube=Cube((attacks, groups, targets), chances),
    )


CHARTS: dict[str, Callable[[View], Iterable[Chart]]] = {
    "tunnel-rat": tunnel_rat_charts,
    "cat-and-mouse": cat_and_mouse_charts,
}
"""What is shown for each game."""
