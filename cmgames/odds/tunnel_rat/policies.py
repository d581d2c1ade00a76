"""Policies of the rat, and what each is worth."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from typing import Any

from cmgames.odds.tunnel_rat.model import Model
from cmgames.odds.tunnel_rat.position import GUESSES, KINDS, START, Counts, Layer, Position
from cmgames.odds.tunnel_rat.solution import Solution
from cmgames.odds.tunnel_rat.tells import Number, Probability, Tells, Triple, posterior, probability, weigh
from cmgames.odds.tunnel_rat.values import Namer, Values

Policy = Callable[[Position, str | None], str | Mapping[str, Probability]]
"""``policy(position, signal)``: the verb of a guess, or a probability for each verb; without tells, signal is None."""


def evaluate(policy: str | Policy, *, tells: Tells | None = None, exact: bool = True, **options: Any) -> Number:
    """The rat's chance to win from the start when he keeps to a policy.

    Parameters
    ----------
    policy : the name of one in `NAMED`, or a function.
    tells, exact, **options : see `solve`.

    Raises
    ------
    ValueError
        No policy has that name; the function returns no guess, or no probabilities of guesses; see also `solve`.
    """
    model = Model.make(options, tells, exact)
    if isinstance(policy, str):
        if policy not in NAMED:
            raise ValueError(f"No policy is called {policy!r}. There are: {', '.join(NAMED)}.")
        policy = NAMED[policy](model)
    return Values(model, lambda layer: _namer(model, policy, layer)).value(START, model.fresh(START))


def uniform(_model: Model) -> Policy:
    """Name any kind, each with probability 1/3."""
    return lambda _position, _signal: dict.fromkeys(GUESSES, Fraction(1, 3))


def advance(_model: Model) -> Policy:
    """Always take it for a tunnel."""
    return lambda _position, _signal: "advance"


def likeliest(model: Model) -> Policy:
    """Name the likeliest kind, by count and by tell; of several, the tunnel before the VC before the trap."""

    def policy(position: Position, signal: str | None) -> str:
        chances = posterior(position.unseen, model.signals, signal)
        return max(GUESSES, key=lambda guess: chances[KINDS[GUESSES[guess]]])

    return policy


def best(model: Model) -> Policy:
    """Make the best guess."""
    return Solution(model).policy


NAMED: dict[str, Callable[[Model], Policy]] = {
    policy.__name__: policy for policy in (uniform, advance, likeliest, best)
}
"""The policies that have a name."""


def _namer(model: Model, policy: Policy, layer: Layer) -> Namer:
    """The policy within a layer, as its solver sees it."""

    @cache
    def names(deck: Counts) -> Triple:
        return _names(model, policy, Position(deck, *layer))

    return lambda deck, _gains: names(deck)


def _names(model: Model, policy: Policy, position: Position) -> Triple:
    """Over each kind of card, how often the policy names that kind."""
    names = [model.number(0)] * len(KINDS)
    for signal, likelihood in model.signals.items():
        if any(weigh(position.unseen, likelihood)):
            for guess, share in _shares(policy(position, signal)).items():
                names[GUESSES[guess]] += likelihood[GUESSES[guess]] * model.number(share)
    vc, trap, tunnel = names
    return vc, trap, tunnel


def _shares(answer: str | Mapping[str, Probability]) -> dict[str, Fraction]:
    """The probability of each guess that a policy's answer names."""
    mixed = {answer: 1} if isinstance(answer, str) else answer
    if not set(mixed) <= set(GUESSES):
        raise ValueError(f"The policy answers {answer!r}. Its guesses must be among: {', '.join(GUESSES)}.")
    shares = {guess: probability(share, f"The policy's probability of {guess!r}") for guess, share in mixed.items()}
    if sum(shares.values()) != 1:
        raise ValueError(f"The policy answers {answer!r}: these probabilities do not add up to 1.")
    return shares
