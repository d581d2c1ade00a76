"""What US Security may think of a Terrorist of whom it knows how he plays.

Histories (`cmgames.bots.history`) that know nothing of each other say how likely each meld is, and show by their
differences how far one may trust them.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import product
from math import sqrt
from statistics import fmean, variance
from typing import NamedTuple

from cmgames.bots.history import History
from cmgames.bots.likelihood import Codes, Likelihood, Seen
from cmgames.bots.player import Player, players
from cmgames.engine.table import Event
from cmgames.engine.view import View
from cmgames.games.cat_and_mouse import CatAndMouse, CatAndMouseState
from cmgames.odds.cat_and_mouse import Plan, options_of

SLIP = 0.1
"""So often the player is taken to make any legal move."""
CHAINS, MOVES, EACH = 4, 3000, 10
"""So many histories with so many proposals each; each time after so many, the hand is looked at. The first quarter
does not count."""
ALONG, SETTLE, BETWEEN = 2, 30, 3
"""So many histories go along a game; each makes so many proposals for each decision that it goes on by, and so many
between two states drawn."""


class Belief(NamedTuple):
    """What US Security may think of the meld.

    Attributes
    ----------
    chances : of each plan.
    error : their standard errors, from the differences between the chains.
    mixing : split R-hat of the chance of the likeliest plan; well above 1 where the chains have not come together, and
        then the errors are too small (A. Gelman and D. B. Rubin, Statistical Science 7, 1992).
    """

    chances: dict[Plan, float]
    error: dict[Plan, float]
    mixing: float


def meld_posterior(
    view: View, log: Sequence[Event], player: Player, *, slip: float = SLIP, moves: int = MOVES, seed: int = 0
) -> Belief:
    """The chance of each meld if the Terrorist attacks now, or has just attacked, and plays as `player` does.

    Parameters
    ----------
    view, log : what US Security sees, and all that it has seen: ``table.view("us")``, ``table.log("us")``.
    player : a computer player of the Terrorist, see `cmgames.bots.find`; he tosses for a move at most once.
    slip : how often he makes any legal move instead, above 0.
    moves : how many changes each chain proposes; at least ``8 * EACH``.
    seed : the same seed gives the same answer.

    Raises
    ------
    ValueError
        This is no view of Cat & Mouse; the discards lie face down; view and log are not those of US Security in one
        game; the player is none of the Terrorist's; or no meld can be held any more.
    """
    rules = CatAndMouse(options_of(view))
    _demand_terrorist(player)
    seen = Seen(rules, log, attack=True)
    _demand_one_game(view, seen)
    likelihood = Likelihood(seen, player.choose, slip)
    chains = [_melds(seen, likelihood, moves, random.Random(f"{seed}:{number}")) for number in range(CHAINS)]
    chances, error = {}, {}
    for plan in product(*rules.categories):
        means = [fmean(melds.get(plan, 0.0) for melds in chain) for chain in chains]
        attack, group, target = (rules.names[code] for code in plan)
        chances[attack, group, target] = fmean(means)
        error[attack, group, target] = sqrt(variance(means) / CHAINS)
    likeliest = tuple(rules.code[name] for name in max(chances, key=chances.__getitem__))
    return Belief(chances, error, split_r_hat([[melds.get(likeliest, 0.0) for melds in chain] for chain in chains]))


def _demand_terrorist(player: Player) -> None:
    """Refuse what is no player of the Terrorist.

    Raises
    ------
    ValueError
        It is none.
    """
    known = players(CatAndMouse.name, "terrorist")
    if player not in known.values():
        raise ValueError(
            f"{player!r} is no player of the Terrorist: pass find('cat-and-mouse', 'terrorist', name), with one of the "
            f"names {', '.join(known)}."
        )


def _demand_one_game(view: View, seen: Seen) -> None:
    """Refuse a view and a log that do not belong together."""
    thrown = sorted(seen.rules.names[each.code] for each in seen.thrown)
    held = view.pile("terrorist hand").size + view.pile("meld").size
    same = thrown == sorted(view.pile("terrorist discard").cards) and held == seen.drawn[-1] - len(thrown)
    if view.seat != "us" or not same:
        raise ValueError(
            "These are not the view and the whole log of US Security: pass table.view('us'), table.log('us')."
        )


def _melds(seen: Seen, likelihood: Likelihood, moves: int, random: random.Random) -> list[dict[Codes, float]]:
    """What a chain's hands attack with, one after the other."""
    history, found = History(seen, likelihood, random), []
    history.advance(seen.decisions[-1].ply + 1)
    for _ in range(moves // EACH):
        history.move(EACH)
        found.append(likelihood.melds(history.hands[-1]))
    return found[len(found) // 4 :]


def split_r_hat(chains: Sequence[Sequence[float]]) -> float:
    """How much larger the spread of all values is than that within the halves of the chains; 1 if they agree."""
    length = len(chains[0]) // 2
    halves = [half for chain in chains for half in (chain[:length], chain[-length:])]
    within, between = fmean(map(variance, halves)), variance(map(fmean, halves))
    if not within:
        return float("inf") if between else 1.0
    return sqrt((length - 1) / length + between / within)


class Imagined:
    """Whole states as US Security must think of them at any event of a game, if the Terrorist plays as `player` does.

    Histories go along the game: what comes later than the event has no part in its states.

    Parameters
    ----------
    rules, log : of the game, as US Security has seen it: ``table.log("us")``.
    player : a computer player of the Terrorist; he tosses for a move at most once.
    seed : decides what is drawn.

    Raises
    ------
    ValueError
        The discards lie face down, or the player is none of the Terrorist's.
    """

    def __init__(self, rules: CatAndMouse, log: Sequence[Event], player: Player, seed: int = 0) -> None:
        _demand_terrorist(player)
        seen = Seen(rules, log)
        likelihood = Likelihood(seen, player.choose, SLIP)
        starts = [random.Random(f"{seed}:{number}") for number in range(ALONG)]
        self.reached = {0: [History(seen, likelihood, start) for start in starts]}

    def states(self, state: CatAndMouseState, ply: int, number: int) -> list[CatAndMouseState]:
        """So many states before event number `ply`; what is not hidden is taken from `state`."""
        histories, found = self._at(ply), []
        for at in range(number):
            history = histories[at % len(histories)]
            history.move(BETWEEN)
            found.append(history.state(state))
        return found

    def _at(self, ply: int) -> list[History]:
        """The histories at an event; they go on from the last one before it."""
        if ply not in self.reached:
            before = max(each for each in self.reached if each < ply)
            self.reached[ply] = [history.again() for history in self.reached[before]]
            for history in self.reached[ply]:
                decided = len(history.hands)
                history.advance(ply)
                history.move(SETTLE * (len(history.hands) - decided))
        return self.reached[ply]
