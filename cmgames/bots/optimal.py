"""The rat that plays the solution of Tunnel Rat, and weighs what the VC's face says before it believes it.

The rat does not know whom it faces.  It takes each `Character` to be equally likely before the turn's first answer, and
Bayes' rule gives the chance of each character with each card.  A guess is worth its chance to win when the character is
known from the next turn on, averaged over these chances; what follows under each character is looked up in a solution.
"""

from __future__ import annotations

import random
from functools import lru_cache
from math import exp, prod
from typing import NamedTuple

from msgspec.structs import replace

from cmgames.bots.player import pick, player
from cmgames.bots.tunnel_rat import DANGEROUS, FAKES, GAME, PASS, QUICKEST, SAFE, SLOWEST, STEADY, Nerves
from cmgames.engine.moves import FACES, Move, Tell
from cmgames.engine.view import View
from cmgames.games.tunnel_rat import TUNNEL, TunnelRatOptions
from cmgames.odds.tunnel_rat import Position, Solution
from cmgames.odds.tunnel_rat.model import Model
from cmgames.odds.tunnel_rat.position import CODES, GUESSES
from cmgames.odds.tunnel_rat.tells import read


class Character(NamedTuple):
    """A VC as the rat imagines it.

    Attributes
    ----------
    safe, dangerous : its nerves over a tunnel, and over a VC or a Trap.
    fakes : how often an answer shows the nerves of the other sort of card.
    right : how often a turn's answers tell the sort of card rightly (measured by `benchmarks/players.py`).
    """

    safe: Nerves
    dangerous: Nerves
    fakes: float
    right: float


CHARACTERS = (
    Character(STEADY, STEADY, 0.0, 0.5),
    Character(SAFE, DANGEROUS, 0.0, 0.85),
    Character(SAFE, DANGEROUS, FAKES, 0.625),
)
MOST = 12
"""So many questions at most a turn."""
SURE = 0.97
"""The rat asks no more once it is so sure of the sort of card, or that the face tells nothing."""
TOO_MANY = 65_000
"""With more positions than this a solution would take too long: the rat names the likeliest card."""
SLACK = 1e-9
"""Guesses whose worths differ by less are equally good; the rat rather advances, which brings the end nearer."""

Belief = tuple[tuple[float, float, float], ...]
"""How likely each character is together with each kind of card, in the order of `CHARACTERS` and of `CODES`."""


def density(nerves: Nerves, tell: Tell) -> float:
    """The likelihood of a tell under these nerves, up to a factor that all nerves share."""
    waited = min(max(tell.seconds or QUICKEST, QUICKEST), SLOWEST) - QUICKEST
    delay = 1.0 if tell.seconds is None else exp(-waited / nerves.scale) / nerves.scale**2
    return delay * (nerves.faces[FACES.index(tell.face)] if tell.face else 1.0)


def likelihood(character: Character, tell: Tell, dangerous: bool) -> float:
    """The same of a character over one sort of card, who may show the other sort's nerves."""
    safe, danger = density(character.safe, tell), density(character.dangerous, tell)
    own, other = (danger, safe) if dangerous else (safe, danger)
    return (1 - character.fakes) * own + character.fakes * other


def believe(view: View) -> Belief:
    """What the rat believes after the answers of this turn."""
    tells = [answer.move.tell for answer in view.answers if answer.move is not None and answer.move.tell is not None]
    unseen = Position.of(view).unseen
    weights = []
    for character in CHARACTERS:
        safe, danger = (prod(likelihood(character, tell, sort) for tell in tells) for sort in (False, True))
        weights.append(
            [cards * (safe if code == TUNNEL else danger) for code, cards in zip(CODES, unseen, strict=True)]
        )
    total = sum(map(sum, weights))
    return tuple((vc / total, trap / total, tunnel / total) for vc, trap, tunnel in weights)


@lru_cache(maxsize=8)
def solutions(options: TunnelRatOptions) -> tuple[Solution, ...]:
    """The solution against each character; `options` without what plays no part in it."""
    return tuple(Solution(Model(options, read(_tells(each.right), float), float)) for each in CHARACTERS)


def _tells(right: float) -> dict[str, dict[str, float]]:
    """Two signals, each right so often."""
    wrong = round(1 - right, 9)
    return {
        "looks safe": {"vc": wrong, "trap": wrong, "tunnel": right},
        "looks dangerous": {"vc": right, "trap": right, "tunnel": wrong},
    }


def worth(guess: int, belief: Belief, position: Position, options: TunnelRatOptions) -> float:
    """The chance to win after naming a kind of card."""
    if _positions(options) > TOO_MANY:
        return sum(chances[guess] for chances in belief)
    return sum(
        chance * float(solution.value_after(position, code, code == guess))
        for solution, chances in zip(solutions(options), belief, strict=True)
        for code, chance in zip(CODES, chances, strict=True)
        if chance
    )


def _positions(options: TunnelRatOptions) -> int:
    """How many positions a solution has, roughly."""
    goals = options.tunnels_to_win * options.casualties_to_win
    kept = options.casualties_to_win if options.casualty_card == "keep" else 1
    return goals * kept * (options.vc + 1) * (options.traps + 1) * (options.tunnels + 1)


def in_doubt(belief: Belief) -> bool:
    """Whether neither the sort of card is sure nor that the face tells nothing."""
    steady, tunnel = sum(belief[0]), sum(chances[TUNNEL] for chances in belief)
    return max(steady, tunnel, 1 - tunnel) < SURE


@player(
    GAME,
    "rat",
    "optimal",
    "The optimal rat",
    "Plays the mathematical solution. Asks until it knows whether your face can be trusted.",
)
def optimal(view: View, legal: tuple[Move, ...], random: random.Random) -> Move:
    """The guess of the highest worth."""
    belief = believe(view)
    if PASS in legal:
        asks = len(legal) > 1 and len(view.answers) < MOST and in_doubt(belief)
        return pick(random, legal[:-1]) if asks else PASS
    assert isinstance(view.options, TunnelRatOptions)
    options = replace(view.options, max_questions=None, max_turns=TunnelRatOptions().max_turns)
    position = Position.of(view)
    worths = [worth(GUESSES[move.verb], belief, position, options) for move in legal]
    return next(move for move, value in zip(legal, worths, strict=True) if value > max(worths) - SLACK)
