"""The computer players: where the numbers of the strongest come from, how fast they are, and whom they beat.

python -m benchmarks.players [file of results of `cmgames tournament`]
"""

from __future__ import annotations

import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from math import comb, sqrt
from pathlib import Path
from statistics import fmean, median, stdev
from typing import Any

import numpy as np

from cmgames.bots import find, play, players
from cmgames.bots.cat_and_mouse import categories
from cmgames.bots.ladder import Result, load
from cmgames.bots.optimal import believe
from cmgames.engine import chance
from cmgames.engine.registry import GAMES
from cmgames.engine.table import Table
from cmgames.games.cat_and_mouse_deck import CatAndMouseOptions
from cmgames.games.tunnel_rat import TUNNEL

GAMES_EACH = 2000
SEED = 177
Z = 1.959964
STRONGEST = {"tunnel-rat": ("optimal",), "cat-and-mouse": ("master", "master")}

READ = ("collector", "collector", "collector", "schemer", "master")
"""Whose attacks are read. The collector counts three times: so the reading gains about as much on each of the three."""

Array = np.ndarray[Any, Any]


def rightly_read(vc: str) -> float:
    """How often the optimal rat knows the sort of the first card after its questions."""
    seated = {"rat": find("tunnel-rat", "rat", "optimal"), "vc": find("tunnel-rat", "vc", vc)}
    right = 0
    for number in range(GAMES_EACH):
        table = Table("tunnel-rat", seed=chance.draw(SEED, number, 2**64))
        while table.phase != "Action Phase":
            play(table, {"vc": seated["vc"]})
            if table.phase != "Action Phase":
                table.play(seated["rat"].choose(table.view("rat"), table.legal(), table.random()))
        tunnel = sum(chances[TUNNEL] for chances in believe(table.view("rat")))
        right += (tunnel > 0.5) == (table.view("vc").pile("card").cards[0] == "Tunnel")
    return right / GAMES_EACH


def attacks(terrorist: str) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """The discard pile and the meld of each attack of a Terrorist on the master of US Security."""
    seated = {"terrorist": find("cat-and-mouse", "terrorist", terrorist), "us": find("cat-and-mouse", "us", "master")}
    for number in range(GAMES_EACH):
        table = Table("cat-and-mouse", seed=chance.draw(SEED, number, 2**64))
        play(table, seated)
        view = table.view("us")
        if view.pile("meld").cards:
            yield view.pile("terrorist discard").cards, view.pile("meld").cards


def readable(pile: tuple[str, ...], names: tuple[str, ...]) -> tuple[list[float], list[list[float]]]:
    """For each kind of a category the ways to hold a set of it, and what `READING` is multiplied with."""
    options = CatAndMouseOptions()
    ways = [float(comb(options.copies - pile.count(name), options.set_size)) for name in names]
    places = [[place / len(pile) for place, thrown in enumerate(pile) if thrown == name] for name in names]
    powers = [[sum(each**power for each in at) for power in (0, 2, 3)] for at in places]
    features = [[*sums, sums[0] * len(pile)] for sums in powers]
    return ways, features


def fit_reading(read: tuple[str, ...] = READ) -> Array:
    """The likeliest `READING`, by Newton's method, over the attacks of these Terrorists."""
    names = categories(CatAndMouseOptions().kinds)
    seen = [attack for terrorist in read for attack in attacks(terrorist)]
    cases = [
        (*readable(pile, kinds), kinds.index(card))
        for pile, meld in seen
        for kinds, card in zip(names, meld, strict=True)
    ]
    ways, features, played = (np.array(column) for column in zip(*cases, strict=True))
    row, numbers = np.arange(len(played)), np.zeros(features.shape[2])
    for _ in range(20):
        weights = ways * np.exp(features @ numbers)
        shares = weights / weights.sum(axis=1, keepdims=True)
        mean = np.einsum("nk,nkf->nf", shares, features)
        slope = (features[row, played] - mean).sum(axis=0)
        curve = np.einsum("nk,nkf,nkg->fg", shares, features, features) - mean.T @ mean
        numbers += np.linalg.solve(curve, slope)
    return numbers


def move_times(game: str, seat: str, name: str, games: int = 100) -> list[float]:
    """The CPU seconds of each decision against the strongest player across."""
    across = next(other for other in GAMES[game].seats if other != seat)
    seated = {across: find(game, across, list(players(game, across))[-1])}
    player, spent = find(game, seat, name), []
    for number in range(games):
        table = Table(game, seed=chance.draw(SEED, number, 2**64))
        play(table, seated)
        while table.seat is not None:
            begun = time.process_time()
            move = player.choose(table.view(seat), table.legal(), table.random())
            spent.append(time.process_time() - begun)
            table.play(move)
            play(table, seated)
    return spent


def gains(results: list[Result], game: str, place: int) -> Iterator[tuple[str, str, float, float]]:
    """How much oftener than each other player the strongest one wins, against each across: points in %, half interval.

    Both meet the same opponent on the same deals: the interval is that of the mean difference of a deal.
    """
    won: dict[tuple[str, str], dict[int, float]] = defaultdict(dict)
    for each in results:
        if each.pairing.game == game:
            pair = (each.pairing.first, each.pairing.second)
            won[pair[place], pair[1 - place]][each.pairing.deal] = abs(place - each.score.share)
    best = STRONGEST[game][place]
    for (name, across), shares in won.items():
        if name != best:
            differences = [100 * (won[best, across][deal] - share) for deal, share in shares.items()]
            yield name, across, fmean(differences), Z * stdev(differences) / sqrt(len(differences))


def print_gains(results: list[Result]) -> None:
    for game, strongest in STRONGEST.items():
        for place, best in enumerate(strongest):
            print(f"\n| {best} of {list(GAMES[game].seats)[place]} wins more than | against | %, with 95 % intervals |")
            print("| --- | --- | ---: |")
            for name, across, gain, half in gains(results, game, place):
                print(f"| {name} | {across} | {gain:+.1f} ({gain - half:+.1f} to {gain + half:+.1f}) |")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        file = Path(sys.argv[1])
        print_gains(load(file, seed=int(sys.argv[2]) if len(sys.argv) > 2 else 1))
        sys.exit()
    for game, strongest in STRONGEST.items():
        for seat, name in zip(GAMES[game].seats, strongest, strict=False):
            spent = move_times(game, seat, name)
            print(
                f"{name} of {seat}: {1000 * median(spent):.2f} ms a move (median), {1000 * max(spent):.0f} ms (worst)"
            )
    for vc in ("steady", "nervous", "actor"):
        print(f"a turn against the {vc} VC is read rightly: {rightly_read(vc):.3f}")
    print("READING", np.round(fit_reading(), 2))
