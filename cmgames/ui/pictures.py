"""Pictures of a class's results, drawn with Matplotlib for the teacher's page.

Each picture is a PNG in a data URI, with an alternative text that says the same numbers in words.  Nothing is told by
colour alone: numbers, marks and places say it too.  The colours are those of M. Okabe and K. Ito (2002), darkened to a
contrast of at least 3 : 1 on white; words are black or white, with at least 4.5 : 1.
"""

from __future__ import annotations

from base64 import b64encode
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from io import BytesIO
from itertools import groupby
from statistics import fmean, median, quantiles
from typing import TYPE_CHECKING, ParamSpec, TypeVar

import msgspec

from cmgames.engine.game import AnyGame
from cmgames.engine.words import count
from cmgames.ui.phrases import capital, seat_title

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from cmgames.rooms.counts import Group, Length, Place, Wins

P = ParamSpec("P")
T = TypeVar("T")

INK, SOFT, LINE = "#1b1b1b", "#555555", "#0072b2"
SEATS = (("#0072b2", "o"), ("#c44e00", "s"), ("#00785a", "^"), ("#8a4a86", "D"))
"""Colour and mark of the seats, in the game's order; then again from the first."""

INCHES, DPI, COLOURS, MARGIN = 12.5, 120, 32, 16
STYLE = {
    "font.family": "DejaVu Sans",
    "font.size": 17,
    "axes.titlesize": 17,
    "axes.spines.top": False,
    "axes.spines.right": False,
}
SMALL = 14
DARKEST = 1.25
"""The blue of the largest count is that of 1 / 1.25 of the scale: the darkest looks black on a projector."""
SOME = 5
"""So many answers make a box; fewer are points alone."""

STEPS, WIDTH = 80, 0.56
"""The axis of the answers has so many steps; those of one step lie at most so wide, where lines are 1 apart."""

LATE = 3.0
"""Answers that took more than so many times the upper quartile stand at the edge, so that the others stay apart."""


class Picture(msgspec.Struct, frozen=True):
    """A picture as a data URI, and what it shows in words."""

    src: str
    alt: str


def _styled(draw: Callable[P, T]) -> Callable[P, T]:
    """A function that draws in our style, and leaves Matplotlib's own as it was."""

    @wraps(draw)
    def styled(*args: P.args, **kwargs: P.kwargs) -> T:
        from matplotlib import rc_context

        with rc_context(STYLE):  # type: ignore[arg-type]
            return draw(*args, **kwargs)

    return styled


# Wins


@_styled
def wins(rules: AnyGame, won: Sequence[Wins]) -> Picture:
    """The seats' win rates with their 95 % intervals, a line for each seat of each group of games."""
    groups = [(group, list(of_group)) for group, of_group in groupby(won, lambda one: one.group)]
    figure, (axes,) = _figure(1.3 + 0.55 * (len(won) + len(groups)))
    colours = {seat: SEATS[at % len(SEATS)] for at, seat in enumerate(rules.seats)}
    y = 0
    for group, of_group in groups:
        axes.text(0, y, group_title(rules, group), weight="bold", va="center", color=INK)
        for at, one in enumerate(of_group, y + 1):
            _interval(axes, at, one, capital(seat_title(rules, one.seat)), colours[one.seat])
        y += len(of_group) + 1
    axes.axvline(50, color=SOFT, linewidth=1, linestyle=(0, (4, 4)), zorder=0)
    axes.set(xlim=(0, 100), ylim=(y - 0.4, -0.6), yticks=[], xlabel="games won, in %")
    axes.spines["left"].set_visible(False)
    longest = max(len(seat.title) for seat in rules.seats.values())
    figure.subplots_adjust(left=0.05 + 0.0105 * longest, right=0.66)
    return Picture(_png(figure), " ".join(_wins_words(rules, group, of_group) for group, of_group in groups))


def _interval(axes: Axes, y: int, one: Wins, title: str, look: tuple[str, str]) -> None:
    low, high = one.interval
    colour, mark = look
    axes.plot([100 * low, 100 * high], [y, y], color=colour, linewidth=3, solid_capstyle="butt")
    axes.plot([100 * one.share], [y], mark, color=colour, markersize=14, clip_on=False)
    axes.text(-3, y, title, ha="right", va="center", color=INK)
    axes.text(104, y, _rate(one), ha="left", va="center", color=INK)


def _rate(one: Wins) -> str:
    low, high = one.interval
    return f"{one.wins} of {one.games}: {100 * one.share:.0f} % ({100 * low:.0f} to {100 * high:.0f})"


def _wins_words(rules: AnyGame, group: Group, won: Sequence[Wins]) -> str:
    said = [f"{seat_title(rules, one.seat)} won {_rate(one)}" for one in won]
    return f"{group_title(rules, group)}, with 95 % intervals: {'; '.join(said)}."


def group_title(rules: AnyGame, group: Group) -> str:
    """Who played in a group of games, in words."""
    if len(group.people) == len(rules.seats):
        who = "Between people"
    else:
        people = " and ".join(seat_title(rules, seat) for seat in group.people)
        who = f"{capital(people)} against the computer" if people else "Between computer players"
    return f"{who}, until a partner came" if group.meanwhile else who


# Lengths


@_styled
def lengths(of: Sequence[Length]) -> Picture:
    """How many games took how many turns, and how many moves of the seats."""
    figure, panels = _figure(4.6, columns=2)
    columns = {"turns": [one.turns for one in of], "moves": [one.moves for one in of]}
    for axes, (what, values) in zip(panels, columns.items(), strict=True):
        _bars(axes, what, values)
    panels[0].set_ylabel("games")
    said = [
        f"{what} from {min(values)} to {max(values)}, median {median(values):g}" for what, values in columns.items()
    ]
    turns = ", ".join(f"{n} × {value}" for value, n in sorted(Counter(columns["turns"]).items()))
    words = f"The lengths of {len(of)} games: {'; '.join(said)}. Games by their turns (games × turns): {turns}."
    return Picture(_png(figure), words)


def _bars(axes: Axes, what: str, values: Sequence[int]) -> None:
    """A histogram of whole numbers, each bar with its number."""
    from matplotlib.ticker import MaxNLocator

    width = 1 + (max(values) - min(values)) // 14
    first = min(values)
    bars = Counter((value - first) // width for value in values)
    for at, n in bars.items():
        middle = first + at * width + (width - 1) / 2
        axes.bar(middle, n, 0.9 * width, color=LINE)
        box = {"facecolor": "white", "edgecolor": "none", "pad": 1}
        above = axes.annotate(str(n), (middle, n), (0, 4), textcoords="offset points", color=INK, size=SMALL)
        above.set(ha="center", va="bottom", bbox=box)
    axes.axvline(median(values), color=INK, linewidth=2, linestyle=(0, (2, 2)), zorder=0)
    axes.set(title=f"{what}: median {median(values):g}", xlabel=f"{what} a game", yticks=[])
    axes.set(ylim=(0, 1.2 * max(bars.values())), xlim=(first - width, max(values) + width))
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.spines["left"].set_visible(False)


# Chances to win


@_styled
def chances(panels: Mapping[str, Sequence[Sequence[float]]]) -> Picture:
    """The chances to win, turn by turn: a line for each game, and their average.

    Parameters
    ----------
    panels : for each title the lines of its panel, each from the start of a game to its end, from 0 to 1.
    """
    from matplotlib.ticker import MaxNLocator

    figure, axes = _figure(5.2, columns=len(panels))
    for one, (title, lines) in zip(axes, panels.items(), strict=True):
        for line in lines:
            percents = [100 * chance for chance in line]
            one.plot(percents, color=LINE, linewidth=1.5, alpha=max(0.25, 1 / len(lines)))
            one.plot([len(line) - 1], percents[-1:], "o", color=LINE, markersize=8, clip_on=False)
        one.plot([100 * chance for chance in _average(lines)], color=INK, linewidth=4)
        one.set(title=f"{title}\n{count(len(lines), 'table')}", xlabel="turns", ylim=(0, 100), yticks=range(0, 101, 25))
        one.set_xlim(0, max(map(len, lines)) - 1)
        one.xaxis.set_major_locator(MaxNLocator(6, integer=True))
        one.grid(axis="y", color="#dddddd")
    axes[0].set_ylabel("chance to win, in %")
    return Picture(_png(figure), " ".join(_chance_words(title, lines) for title, lines in panels.items()))


def _average(lines: Sequence[Sequence[float]]) -> list[float]:
    """The average of the games for each turn; one that is over stays at its end."""
    return [fmean(line[min(turn, len(line) - 1)] for line in lines) for turn in range(max(map(len, lines)))]


def _chance_words(title: str, lines: Sequence[Sequence[float]]) -> str:
    averages = ", ".join(f"{100 * chance:.0f}" for chance in _average(lines))
    return f"{title}, {count(len(lines), 'table')}: the average chance to win turn by turn, in %: {averages}."


# Guesses


@_styled
def guesses(rules: AnyGame, of: Sequence[Place]) -> Picture:
    """What was guessed against what was there: a map of counts for each card of a guess."""
    figure, panels = _figure(6.2, columns=len(of))
    for axes, place in zip(panels, of, strict=True):
        _map(axes, place, place_title(rules, place))
    panels[0].set_ylabel("was guessed")
    return Picture(_png(figure), " ".join(_guess_words(rules, place) for place in of))


def place_title(rules: AnyGame, place: Place) -> str:
    """What a card of a guess is called: its type, where all of them are of one."""
    suits = {kind.suit for kind in rules.catalogue.kinds if kind.name in place.names}
    return suits.pop() if len(suits) == 1 else "The card"


def _map(axes: Axes, place: Place, title: str) -> None:
    """Counts as fields of blue, a frame around those where the guess was right."""
    from matplotlib import colormaps
    from matplotlib.patches import Rectangle

    most = max(map(max, place.counts)) or 1
    blue = colormaps["Blues"]
    axes.imshow([[n / most for n in row] for row in place.counts], cmap=blue, vmin=0, vmax=DARKEST)
    for y, row in enumerate(place.counts):
        for x, n in enumerate(row):
            ink = ink_on(blue(n / most / DARKEST))
            axes.text(x, y, str(n), ha="center", va="center", color=ink, weight="bold")
        axes.add_patch(Rectangle((y - 0.47, y - 0.47), 0.94, 0.94, fill=False, edgecolor=INK, linewidth=3))
    axes.set(title=f"{title}: {place.right} of {place.all} right", xlabel="was there")
    _name_fields(axes, place.names)


def _name_fields(axes: Axes, names: Sequence[str]) -> None:
    """The cards' names beside and below a map; many of them slanted."""
    few = len(names) <= 3
    axes.set_xticks(range(len(names)), names)
    axes.set_yticks(range(len(names)), names)
    if not few:
        for label in axes.get_xticklabels():
            label.set(rotation=35, ha="right", rotation_mode="anchor")
    axes.tick_params(length=0, pad=8, labelsize="medium" if few else SMALL)
    axes.spines[:].set_visible(False)


def ink_on(colour: Sequence[float]) -> str:
    """Black or white, whichever is read better on a colour (red, green and blue of sRGB, from 0 to 1, first).

    The luminance is that of WCAG 2.2; one of the two always has a contrast of at least 4.5 : 1.
    """
    parts = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour[:3]]
    luminance = sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), parts, strict=True))
    return "black" if luminance > 0.179 else "white"


def _guess_words(rules: AnyGame, place: Place) -> str:
    pairs = [
        f"{guessed} guessed, {there} there: {n}"
        for guessed, row in zip(place.names, place.counts, strict=True)
        for there, n in zip(place.names, row, strict=True)
        if n
    ]
    return f"{place_title(rules, place)}: {place.right} of {place.all} guesses right; {'; '.join(pairs)}."


# Answers


@_styled
def answers(panels: Mapping[str, Mapping[str, Sequence[float]]]) -> Picture:
    """How long answers took: each one a point, with the median, and a box from the lower to the upper quartile.

    Parameters
    ----------
    panels : for each title the lines of its panel: label and seconds.
    """
    rows = max(map(len, panels.values()))
    figure, axes = _figure(1.9 + 1.05 * rows, columns=len(panels))
    edge = _edge([value for lines in panels.values() for values in lines.values() for value in values])
    words = []
    for one, (title, lines) in zip(axes, panels.items(), strict=True):
        for y, (label, values) in enumerate(lines.items()):
            _strip(one, y, values, edge)
            words.append(f"{title}, {label}: {_answer_words(values)}.")
        labels = [f"{label}\n{count(len(values), 'answer')}" for label, values in lines.items()]
        one.set_yticks(range(len(lines)), labels)
        one.set(xlim=(0, edge * 1.04), ylim=(rows - 0.4, -0.6), xlabel="seconds", title=title)
        one.tick_params(axis="y", length=0)
        one.grid(axis="x", color="#dddddd")
        one.set_axisbelow(True)
    return Picture(_png(figure), " ".join(words))


def _edge(values: Sequence[float]) -> float:
    """Where the axis ends: at the longest answer, or where those begin that took far longer than the others."""
    upper = quantiles(values, n=4, method="inclusive")[-1] if len(values) > 1 else values[0]
    return max(min(max(values), LATE * upper), 1.0)


def _strip(axes: Axes, y: int, values: Sequence[float], edge: float) -> None:
    """The answers of one line; those beyond the edge are triangles at it."""
    inside = sorted(value for value in values if value <= edge)
    late = len(values) - len(inside)
    beside = [y + offset for offset in swarm(inside, edge / STEPS)]
    few = len(values) < SOME
    size, above = (12, 6) if few else (6, 2)
    axes.plot(inside, beside, "o", color=LINE, markersize=size, markeredgewidth=0, antialiased=False, zorder=above)
    if not few:
        low, _, high = quantiles(values, n=4, method="inclusive")
        axes.barh(y, min(high, edge) - low, WIDTH + 0.1, left=low, fill=False, edgecolor=INK, linewidth=2, zorder=3)
    middle = min(median(values), edge)
    ends = [y - 0.36, y + 0.36]
    axes.plot([middle, middle], ends, color="white", linewidth=8, solid_capstyle="butt", zorder=4)
    axes.plot([middle, middle], ends, color=INK, linewidth=4, solid_capstyle="butt", zorder=5)
    side = "left" if middle < edge / 4 else "right" if middle > edge * 3 / 4 else "center"
    axes.text(middle, y - 0.38, f"median {median(values):.1f} s", ha=side, va="bottom", color=INK, size=SMALL)
    if late:
        axes.plot([edge], [y], ">", color=LINE, markersize=11, clip_on=False)
        axes.text(edge, y + 0.14, f"{late} later", ha="right", va="top", color=INK, size=SMALL)


def swarm(values: Sequence[float], step: float) -> list[float]:
    """How far points are moved across their line, so that those within one step lie side by side.

    Parameters
    ----------
    values : in rising order.

    Returns
    -------
    list
        For each value an offset between -`WIDTH` / 2 and `WIDTH` / 2; the fuller a step, the wider its points lie.
    """
    steps = Counter(int(value / step) for value in values)
    gap = min(0.1, WIDTH / max(steps.values(), default=1))
    return [gap * (at - (n - 1) / 2) for n in steps.values() for at in range(n)]


def _answer_words(values: Sequence[float]) -> str:
    middle = f"{count(len(values), 'answer')}, median {median(values):.1f} s"
    if len(values) < SOME:
        return f"{middle}, each: {', '.join(f'{value:.1f}' for value in sorted(values))} s"
    low, _, high = quantiles(values, n=4, method="inclusive")
    return f"{middle}, half of them from {low:.1f} to {high:.1f} s, the longest {max(values):.1f} s"


# Drawing


def _figure(inches: float, columns: int = 1) -> tuple[Figure, list[Axes]]:
    """A figure of so many inches' height, with panels side by side."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(INCHES, inches), dpi=DPI, layout="tight" if columns > 1 else None)
    return figure, list(figure.subplots(1, columns, squeeze=False)[0])


def _png(figure: Figure) -> str:
    """The figure as a data URI, without white above and below it: a PNG of few colours, which is small."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from PIL import Image, ImageOps

    canvas = FigureCanvasAgg(figure)
    canvas.draw()  # type: ignore[no-untyped-call]
    drawn = bytes(canvas.buffer_rgba())  # type: ignore[no-untyped-call]
    image = Image.frombuffer("RGBA", canvas.get_width_height(), drawn).convert("RGB")
    _, top, _, bottom = ImageOps.invert(image).getbbox() or (0, 0, *image.size)
    image = image.crop((0, max(top - MARGIN, 0), image.width, min(bottom + MARGIN, image.height)))
    file = BytesIO()
    image.quantize(COLOURS).save(file, "PNG", optimize=True)
    return f"data:image/png;base64,{b64encode(file.getvalue()).decode()}"
