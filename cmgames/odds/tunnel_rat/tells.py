"""Tells: what a signal says about the card."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from cmgames.odds.tunnel_rat.position import KINDS, Counts, Position, Where

Probability = Fraction | float | str
"""A probability; a float stands for the decimal that it prints: 0.7 is 7/10."""

Tells = Mapping[str, Mapping[str, Probability]]
"""For each signal, the probability with which the VC gives it over each kind of card.

For instance ``{"calm": {"vc": .3, "trap": .3, "tunnel": .7}, "nervous": {"vc": .7, "trap": .7, "tunnel": .3}}``.
"""

Number = Fraction | float

Triple = tuple[Number, Number, Number]
"""A number for each kind of card, in the order of `KINDS`."""

Signals = Mapping[str | None, Triple]
"""The likelihood of each signal over each kind; None is the one signal of a VC without tells."""


def chances(where: Where, signal: str | None = None, *, tells: Tells | None = None) -> dict[str, Number]:
    """How likely each kind of card is to the rat: by the cards that he has not seen, and by the signal (Bayes).

    Parameters
    ----------
    where : a position, a state, or a view, see `Position.of`.
    signal : the one that the rat has seen in this turn; None without tells.
    tells : how likely each signal is over each kind of card, see `Tells`.

    Returns
    -------
    dict
        By kind: its unseen cards times the likelihood of the signal, divided by the sum of these products.

    Raises
    ------
    ValueError
        The tells are no probabilities; there is no such signal, or it cannot be seen in this position.
    """
    return posterior(Position.of(where).unseen, read(tells, Fraction), signal)


def posterior(unseen: Counts, signals: Signals, signal: str | None) -> dict[str, Number]:
    """`chances` of tells that have been read."""
    if signal not in signals:
        known = "left out, as there are no tells" if None in signals else f"one of {[*signals]}"
        raise ValueError(f"The signal is {signal!r}. It must be {known}.")
    weights = weigh(unseen, signals[signal])
    total = sum(weights)
    if not total:
        raise ValueError(f"The signal {signal!r} is never given over any of the unseen cards, which are {unseen}.")
    return {kind: weight / total for kind, weight in zip(KINDS, weights, strict=True)}


def weigh(unseen: Counts, likelihood: Triple) -> Triple:
    """The unseen cards of each kind times the likelihood of the signal."""
    vc, trap, tunnel = (cards * chance for cards, chance in zip(unseen, likelihood, strict=True))
    return vc, trap, tunnel


def read(tells: Tells | None, number: type[Number]) -> Signals:
    """The likelihood of each signal, in one kind of number.

    Raises
    ------
    ValueError
        A kind is missing or unknown, something is no probability, or the probabilities over a kind do not add up to 1.
    """
    if tells is None:
        return {None: (number(1), number(1), number(1))}
    exact = {signal: _likelihood(signal, by_kind) for signal, by_kind in tells.items()}
    for code, kind in enumerate(KINDS):
        total = sum(likelihood[code] for likelihood in exact.values())
        if total != 1:
            raise ValueError(
                f"tells: over a {kind} the probabilities of the signals add up to {total}, not to 1. "
                "Write each as a decimal or a fraction, such as 0.45 or '9/20', not as a float with a rounding error."
            )
    return {signal: (number(vc), number(trap), number(tunnel)) for signal, (vc, trap, tunnel) in exact.items()}


def _likelihood(signal: str, by_kind: Mapping[str, Probability]) -> tuple[Fraction, Fraction, Fraction]:
    if set(by_kind) != set(KINDS):
        raise ValueError(f"tells[{signal!r}] is given over {[*by_kind]}. Give it over each kind: {', '.join(KINDS)}.")
    vc, trap, tunnel = (probability(by_kind[kind], f"tells[{signal!r}][{kind!r}]") for kind in KINDS)
    return vc, trap, tunnel


def probability(value: Probability, name: str) -> Fraction:
    """A probability as an exact number; `name` tells in a refusal where it stands.

    Raises
    ------
    ValueError
        It is no number from 0 to 1.
    """
    try:
        exact = Fraction(str(value))
    except (ValueError, ZeroDivisionError):
        exact = Fraction(-1)
    if not 0 <= exact <= 1:
        raise ValueError(f"{name} is {value!r}. Give a number from 0 to 1, such as 0.7, '7/10' or Fraction(7, 10).")
    return exact
