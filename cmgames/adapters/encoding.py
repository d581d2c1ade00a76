"""Views as vectors of numbers."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from cmgames.engine.game import AnyGame
from cmgames.engine.view import View

Vector = np.ndarray[Any, np.dtype[np.float32]]


class Encoder:
    """Turns the views of one game, under given options, into vectors of one shape.

    A vector holds: one place for each seat, 1 where it has to move; one for each printed phase, 1 where the turn
    stands; for each pile its size and how many open cards of each kind it shows; each track's value; for each verb how
    often it was asked in this turn.

    Parameters
    ----------
    game : the game under its options.

    Attributes
    ----------
    names : what each place of the vector holds.
    """

    def __init__(self, game: AnyGame) -> None:
        cards = game.catalogue.names
        self.names = (
            *(f"{seat} to move" for seat in game.seats),
            *game.phases,
            *(f"{pile}: {what}" for pile in game.piles for what in ("size", *cards)),
            *game.tracks,
            *(f"asked: {verb}" for verb in game.verbs),
        )
        self._place = {name: place for place, name in enumerate(self.names)}
        self._piles = {pile: self._place[f"{pile}: size"] for pile in game.piles}
        self._cards = {name: offset for offset, name in enumerate(cards, 1)}

    def encode(self, view: View) -> Vector:
        """A view as a vector of shape ``(len(names),)``."""
        vector = np.zeros(len(self.names), np.float32)
        place = self._place
        for name in (f"{view.to_move} to move", view.phase):
            if name in place:
                vector[place[name]] = 1
        for pile in view.piles:
            start = self._piles[pile.id]
            vector[start] = pile.size
            for card, n in Counter(pile.cards).items():
                vector[start + self._cards[card]] = n
        for track in view.tracks:
            vector[place[track.id]] = track.value
        for answer in view.answers:
            vector[place[f"asked: {answer.question}"]] += 1
        return vector
