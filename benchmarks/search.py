"""What playing on gains the Terrorist of Cat & Mouse: the grandmaster beside the master on the same deals.

US Security's hunter, profiler and master play alike up to the guess, so that one game shows what each of them names.
Where a reader has to toss between melds, he tosses several times: it is the chance to win that is compared.

    python -m benchmarks.search [deals] [seed]
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Sequence
from math import sqrt
from statistics import fmean, median, quantiles, stdev

from benchmarks.players import Z
from cmgames.bots import find
from cmgames.bots.grandmaster import LATE
from cmgames.engine import chance
from cmgames.engine.table import Table

DEALS = int(sys.argv[1]) if len(sys.argv) > 1 else 300
SEED = int(sys.argv[2]) if len(sys.argv) > 2 else 601
ACROSS = {name: find("cat-and-mouse", "us", name) for name in ("hunter", "profiler", "master")}
TOSSES, REPORT = 16, 25


def results(terrorist: str, deal: int, spent: list[float]) -> dict[str, float]:
    """How likely a Terrorist wins a deal against each US Security; the CPU seconds of his searched moves are added."""
    player = find("cat-and-mouse", "terrorist", terrorist)
    table = Table("cat-and-mouse", seed=chance.draw(SEED, deal, 2**64))
    while table.outcome is None:
        view, legal, numbers = table.view(table.seat or ""), table.legal(), table.random()
        if legal[0].verb == "guess":
            meld = table.view("terrorist").pile("meld").cards
            tosses = [random.Random(toss) for toss in range(TOSSES)]
            return {
                name: fmean(each.choose(view, legal, toss).cards != meld for toss in tosses)
                for name, each in ACROSS.items()
            }
        begun = time.process_time()
        move = (player if table.seat == "terrorist" else ACROSS["master"]).choose(view, legal, numbers)
        if legal[0].verb in ("discard", "meld") and view.pile("terrorist deck").size <= LATE and view.seat != "us":
            spent.append(time.process_time() - begun)
        table.play(move)
    return dict.fromkeys(ACROSS, 0.0)


def report(before: Sequence[dict[str, float]], after: Sequence[dict[str, float]], spent: Sequence[float]) -> None:
    """Print the gain against each US Security with its 95 % interval, and what a searched move takes."""
    print(f"{len(after)} deals, seed {SEED}")
    for name in ACROSS:
        steps = [100 * (b[name] - a[name]) for a, b in zip(before, after, strict=True)]
        half = Z * stdev(steps) / sqrt(len(steps))
        print(
            f"against {name}: master {100 * fmean(a[name] for a in before):.1f} %, grandmaster "
            f"{100 * fmean(b[name] for b in after):.1f} %, {fmean(steps):+.1f} ({fmean(steps) - half:+.1f} to "
            f"{fmean(steps) + half:+.1f})"
        )
    print(
        f"a choice of the grandmaster: {median(spent):.2f} s (median), {quantiles(spent, n=20)[-1]:.2f} s (95 %), "
        f"{max(spent):.2f} s (worst)",
        flush=True,
    )


def main() -> None:
    """Play the deals, and report from time to time."""
    before: list[dict[str, float]] = []
    after: list[dict[str, float]] = []
    spent: list[float] = []
    for deal in range(DEALS):
        before.append(results("master", deal, []))
        after.append(results("grandmaster", deal, spent))
        if (deal + 1) % REPORT == 0 or deal + 1 == DEALS:
            report(before, after, spent)


if __name__ == "__main__":
    main()
