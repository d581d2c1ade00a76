"""Computer players of Tunnel Rat.

The tells are a small probability model: each answer shows a delay and a face, drawn from one of two `Nerves`.  What
the nervous VC shows is what the reader reads; `docs/players.md` gives the numbers to students.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from math import exp, log

import msgspec

from cmgames.bots.player import pick, player
from cmgames.engine.moves import FACES, Move, Tell
from cmgames.engine.view import View
from cmgames.games.tunnel_rat import ACTIONS, rat_knows

GAME = "tunnel-rat"
NAMES = dict(zip(ACTIONS, ("Tunnel", "VC", "Trap"), strict=True))
PASS = Move("pass")


class Nerves(msgspec.Struct, frozen=True):
    """How somebody looks while he says no.

    The delay is `QUICKEST` + Gamma(shape 2, `scale`) seconds, rounded to hundredths: `QUICKEST` + 2 `scale` on average.

    Attributes
    ----------
    scale : of the delay, in seconds.
    faces : probability of each of `FACES`.
    """

    scale: float
    faces: tuple[float, float, float]


QUICKEST = 0.6
SLOWEST = 6.0
"""Whoever takes longer than this many seconds was interrupted: the reader counts it as this long."""

SAFE = Nerves(0.35, (0.65, 0.25, 0.10))
DANGEROUS = Nerves(0.50, (0.50, 0.30, 0.20))
STEADY = Nerves(0.45, (1.0, 0.0, 0.0))
FAKES = 1 / 3
"""How often the actor shows the tell of the other sort of card."""

TALK = 5
"""A rat who does not read tells asks at most so many questions a turn."""
READ = 5
"""So many questions at most the reader asks a turn."""
SURE = 0.9
"""The reader asks no more once a sort of card is this likely."""


def tell(nerves: Nerves, random: random.Random) -> Tell:
    """A tell drawn from the model; the sum of two exponential delays is a Gamma of shape 2."""
    delay = -nerves.scale * log((1 - random.random()) * (1 - random.random()))
    drawn = random.random()
    calm, uneasy, _ = nerves.faces
    face = FACES[(drawn >= calm) + (drawn >= calm + uneasy)]
    return Tell(round(QUICKEST + delay, 2), face)


def likelihood_ratio(tell: Tell) -> float:
    """How much likelier a nervous VC shows this tell over a dangerous card than over a safe one."""
    ratio = 1.0
    if tell.seconds is not None:
        waited = min(max(tell.seconds, QUICKEST), SLOWEST) - QUICKEST
        ratio *= (SAFE.scale / DANGEROUS.scale) ** 2 * exp(waited / SAFE.scale - waited / DANGEROUS.scale)
    if tell.face:
        face = FACES.index(tell.face)
        ratio *= DANGEROUS.faces[face] / SAFE.faces[face]
    return ratio


def posterior(view: View) -> dict[str, float]:
    """How likely each kind of card is: the count of unseen cards times the likelihood of this turn's tells."""
    ratio = 1.0
    for answer in view.answers:
        if answer.move is not None and answer.move.tell is not None:
            ratio *= likelihood_ratio(answer.move.tell)
    weight = {name: count * (1.0 if name == "Tunnel" else ratio) for name, count in rat_knows(view).items()}
    total = sum(weight.values())
    return {name: weight[name] / total for name in weight}


# The rat


def guess_likeliest(weight: Mapping[str, float], legal: tuple[Move, ...], random: random.Random) -> Move:
    """Name the likeliest card; a tunnel rather than a danger as likely, and between dangers either.

    A tunnel gained brings the end nearer, a casualty avoided only puts it off.
    """
    most = max(weight.values())
    best = [move for move in legal if weight[NAMES[move]] == most]
    return best[0] if NAMES[best[0]] == "Tunnel" else pick(random, best)


def small_talk(view: View, legal: tuple[Move, ...], random: random.Random) -> Move:
    """Ask or go on, each legal move equally likely; go on when enough was said."""
    return pick(random, legal) if len(view.answers) < TALK else PASS


@player(GAME, "rat", "random", "Random", "Asks this and that, then names any card, each equally likely.")
def random_rat(view: View, legal: tuple[Move, ...], random: random.Random) -> Move:
    """Any legal move, but no endless questions."""
    return small_talk(view, legal, random) if PASS in legal else pick(random, legal)


@player(GAME, "rat", "counter", "The counter", "Counts the cards that lie open and names the likeliest. Ignores faces.")
def counter(view: View, legal: tuple[Move, ...], random: random.Random) -> Move:
    """The likeliest card by count; questions are only small talk."""
    if PASS in legal:
        return small_talk(view, legal, random)
    return guess_likeliest(rat_knows(view), legal, random)


@player(
    GAME, "rat", "reader", "The reader", "Counts cards and watches you: slow answers and uneasy faces smell of danger."
)
def reader(view: View, legal: tuple[Move, ...], random: random.Random) -> Move:
    """Bayes: counting times tells; asks on while in doubt."""
    odds = posterior(view)
    if PASS not in legal:
        return guess_likeliest(odds, legal, random)
    doubtful = 1 - SURE < odds["Tunnel"] < SURE
    return pick(random, legal[:-1]) if doubtful and len(legal) > 1 and len(view.answers) < READ else PASS


# The VC


def answer(view: View, legal: tuple[Move, ...], random: random.Random, safe: Nerves, dangerous: Nerves) -> Move:
    """The one legal move; with a tell when it is an answer."""
    (move,) = legal
    if move.verb != "answer no":
        return move
    card = view.pile("card").cards[0]
    return Move(move.verb, tell=tell(safe if card == "Tunnel" else dangerous, random))


@player(GAME, "vc", "steady", "The poker face", "Says no calmly and in the same time, whatever the card.")
def steady(view: View, legal: tuple[Move, ...], random: random.Random) -> Move:
    """The same nerves over every card."""
    return answer(view, legal, random, STEADY, STEADY)


@player(
    GAME, "vc", "nervous", "The nervous one", "Answers more slowly, and looks uneasy more often, over a VC or a Trap."
)
def nervous(view: View, legal: tuple[Move, ...], random: random.Random) -> Move:
    """Shows the card, with some noise."""
    return answer(view, legal, random, SAFE, DANGEROUS)


@player(GAME, "vc", "actor", "The actor", "Nervous too, but now and then plays the face of the other sort of card.")
def actor(view: View, legal: tuple[Move, ...], random: random.Random) -> Move:
    """The nervous VC who in some answers swaps the tells."""
    safe, dangerous = (DANGEROUS, SAFE) if random.random() < FAKES else (SAFE, DANGEROUS)
    return answer(view, legal, random, safe, dangerous)
