"""Bounds for the printed Cat & Mouse: responses that are searched for against each master, and what is certain.

US Security answers the Terrorist's master with a reading of the discard pile that is fitted to him alone.  The
Terrorist answers US Security's master with numbers of `cmgames.bots.master` found by coordinate search: each number in
turn is made smaller and larger, and a change that wins more games on the same deals stays.  The figures come from deals
that had no part in the search.

    python -m benchmarks.best_response [games of each step] [games of the figures] [sweeps]
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from math import sqrt
from statistics import fmean, stdev
from typing import Any

from benchmarks.players import Z, fit_reading
from cmgames.bots import master
from cmgames.bots.match import wilson, winner
from cmgames.games.cat_and_mouse_deck import CatAndMouseOptions
from cmgames.odds import bounds

STEP = int(sys.argv[1]) if len(sys.argv) > 1 else 1500
GAMES = int(sys.argv[2]) if len(sys.argv) > 2 else 8000
SWEEPS = int(sys.argv[3]) if len(sys.argv) > 3 else 2
SEARCH_SEED, HELD_OUT_SEED = 501, 502
FACTORS = (0.7, 1.4)

SEARCHED = ("SOON", "SPARE", "NAMED", "FOCUS", "UNSHIELDED", "SHIELD", "SHIELDS", "FAR", "EXPOSED")
WHOLE = {"SOON", "SHIELDS", "FAR"}
SHARES = {"NAMED", "UNSHIELDED", "SHIELD", "EXPOSED"}

Numbers = dict[str, Any]


@contextmanager
def played_with(numbers: Numbers) -> Iterator[None]:
    """The masters with other numbers."""
    before = {name: getattr(master, name) for name in numbers}
    put_in(numbers)
    try:
        yield
    finally:
        put_in(before)


def put_in(numbers: Numbers) -> None:
    for name, value in numbers.items():
        setattr(master, name, value)
    master.prospect.cache_clear()
    master.without_each.cache_clear()
    master.suspected.cache_clear()


def wins(games: int, seed: int, numbers: Numbers) -> list[int]:
    """For each deal whether the Terrorist wins when the masters play with these numbers."""
    with played_with(numbers):
        return [winner("cat-and-mouse", "master", "master", deal, seed) == "terrorist" for deal in range(games)]


def changed(name: str, value: float, factor: float) -> float:
    """A number made smaller or larger."""
    if name in WHOLE:
        return value + (1 if factor > 1 else -1)
    return min(value * factor, 1.0) if name in SHARES else value * factor


def search() -> Numbers:
    """The Terrorist's numbers that win most against US Security's master, on the deals of the search."""
    found = {name: getattr(master, name) for name in SEARCHED}
    most = sum(wins(STEP, SEARCH_SEED, found))
    for _ in range(SWEEPS):
        for name in SEARCHED:
            for factor in FACTORS:
                tried = found | {name: changed(name, found[name], factor)}
                if (won := sum(wins(STEP, SEARCH_SEED, tried))) > most:
                    found, most = tried, won
                    print(f"    {name} {tried[name]:.3g}: {won} of {STEP}", flush=True)
                    break
    return found


def report(what: str, before: list[int], after: list[int]) -> None:
    """Print the win rate of the Terrorist and how it changes, with 95 % intervals."""
    low, high = wilson(sum(after), len(after))
    steps = [100 * (b - a) for a, b in zip(before, after, strict=True)]
    gain, half = fmean(steps), Z * stdev(steps) / sqrt(len(steps))
    print(
        f"{what}: the Terrorist wins {100 * fmean(after):.1f} % ({100 * low:.1f} to {100 * high:.1f}), "
        f"{gain:+.1f} ({gain - half:+.1f} to {gain + half:+.1f}) beside the masters",
        flush=True,
    )


def main() -> None:
    """Print what is certain, and then each response with its win rate."""
    printed = CatAndMouseOptions()
    certain = float(bounds.at_least(printed)), float(bounds.at_most(printed))
    print("certain: the Terrorist wins at least {:.5f} and at most {:.5f}".format(*certain))
    before = wins(GAMES, HELD_OUT_SEED, {})
    low, high = wilson(sum(before), GAMES)
    print(f"master v. master: the Terrorist wins {100 * fmean(before):.1f} % ({100 * low:.1f} to {100 * high:.1f})")
    reading = {"READING": tuple(fit_reading(("master",)))}
    print("READING", [round(float(number), 2) for number in reading["READING"]])
    report("US Security that reads this Terrorist alone", before, wins(GAMES, HELD_OUT_SEED, reading))
    numbers = search()
    print({name: round(number, 3) for name, number in numbers.items()})
    report("a Terrorist for this US Security", before, wins(GAMES, HELD_OUT_SEED, numbers))


if __name__ == "__main__":
    main()
