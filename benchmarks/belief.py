"""US Security's belief about a named Terrorist, beside the uniform model and the master's reading, at attacks.

python -m benchmarks.belief [games] [seed]
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Mapping
from math import log, prod
from statistics import fmean, stdev

from cmgames.bots import find
from cmgames.bots.belief import meld_posterior
from cmgames.bots.cat_and_mouse import options_of
from cmgames.bots.master import reading
from cmgames.engine import chance
from cmgames.engine.table import Table
from cmgames.odds import cat_and_mouse
from cmgames.odds.cat_and_mouse import Plan

PAIRS = (
    ("collector", "collector"),
    ("schemer", "schemer"),
    ("master", "master"),
    ("master", "collector"),
    ("collector", "master"),
)
"""The Terrorist, and whom US Security takes him for."""
DOUBT = 0.05
"""This share of the uniform model is mixed in: a chain says 0 of what it has not met."""


def attacks(terrorist: str, games: int, seed: int) -> Iterator[Table]:
    """The first attacks of a Terrorist on the hunter."""
    seated = {"terrorist": find("cat-and-mouse", "terrorist", terrorist), "us": find("cat-and-mouse", "us", "hunter")}
    number = 0
    while games:
        table = Table("cat-and-mouse", seed=chance.draw(seed, number, 2**64), salt="")
        while table.seat and table.legal()[0].verb != "guess":
            table.play(seated[table.seat].choose(table.view(table.seat), table.legal(), table.random()))
        number += 1
        if table.seat:
            games -= 1
            yield table


def hit(chances: Mapping[Plan, float], truth: Plan) -> float:
    """How often the likeliest plan is the true one."""
    most = max(chances.values())
    likeliest = [plan for plan, share in chances.items() if share >= most * (1 - 1e-9)]
    return (truth in likeliest) / len(likeliest)


def measure(terrorist: str, named: str, games: int, seed: int) -> None:
    """Print mean log scores, hits, the largest errors and the seconds."""
    rows, seconds, mixing = [], 0.0, []
    for number, table in enumerate(attacks(terrorist, games, seed)):
        view = table.view("us")
        attack, group, target = table.view("open").pile("meld").cards
        truth = attack, group, target
        uniform = {plan: float(share) for plan, share in cat_and_mouse.meld_posterior(view).items()}
        weights = reading(view.pile("terrorist discard").cards, options_of(view))
        read = {plan: prod(weights[name] for name in plan) for plan in uniform}
        begun = time.process_time()
        belief = meld_posterior(view, table.log("us"), find("cat-and-mouse", "terrorist", named), seed=number)
        seconds += time.process_time() - begun
        mixing.append(belief.mixing)
        doubted = {plan: (1 - DOUBT) * belief.chances[plan] + DOUBT * uniform[plan] for plan in uniform}
        scores = [log(uniform[truth]), log(read[truth] / sum(read.values())), log(doubted[truth])]
        hits = [hit(uniform, truth), hit(read, truth), hit(belief.chances, truth)]
        rows.append((scores, hits, max(belief.error.values()), belief.chances[truth]))
    gain = [scores[2] - scores[1] for scores, *_ in rows]
    print(f"{terrorist} taken for {named}: {games} games, {seconds / games:.1f} s each")
    for place, name in enumerate(("uniform", "reading", "belief")):
        print(
            f"  {name}: log score {fmean(r[0][place] for r in rows):.3f}, hits {fmean(r[1][place] for r in rows):.3f}"
        )
    print(f"  belief - reading: {fmean(gain):+.3f} (standard error {stdev(gain) / games**0.5:.3f})")
    gain = [scores[2] - scores[0] for scores, *_ in rows]
    print(f"  belief - uniform: {fmean(gain):+.3f} (standard error {stdev(gain) / games**0.5:.3f})")
    print(
        f"  largest error {fmean(row[2] for row in rows):.3f}, R-hat median {sorted(mixing)[games // 2]:.2f}",
        flush=True,
    )


if __name__ == "__main__":
    games, seed = (int(number) for number in (sys.argv[1:] + ["40", "11"][len(sys.argv) - 1 :]))
    for pair in PAIRS:
        measure(*pair, games, seed)
