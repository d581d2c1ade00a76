"""The value of every position under a policy, layer by layer.

A *layer* is a score.  Scores only grow, so the layers are solved from the last to the first.  Within a layer the deck
only shrinks, until it is empty and the discard pile is shuffled, which leads back to the layer's fresh deck.  All later
layers being solved, a layer therefore hangs on one unknown, the value x of its fresh deck.  Under a given policy that
value is a + b x, where b is the chance to come back to the fresh deck without a change of score.  Under the best
policy it is f(x), the highest of all these lines: a convex function.  A game that never ends is not won, so the rat's
chance to win is the least x with f(x) = x.

Newton's method finds it.  From x = 0, take the line that is highest at x, solve a + b x = x, and repeat.  Each line
lies below f, so x never overshoots; it rises, and as there are finitely many lines it comes to rest after finitely
many steps at the exact value.  As long as f(x) > x, b < 1 and no division fails.  This is policy iteration (R. A.
Howard, *Dynamic Programming and Markov Processes*, 1960), which is Newton's method (M. L. Puterman and S. L. Brumelle,
*On the convergence of policy iteration in stationary dynamic programming*, Mathematics of Operations Research 4, 1979).

The tables hold no chances but *weights*: a chance times the number of orders in which the deck's cards can lie.  A
kind lies on top in as many orders as the rest of the deck has.  So the weight of a deck is the plain sum of the weights
of what is left after each kind, and a layer needs no division but the one for x.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from cmgames.games.tunnel_rat import TRAP, TUNNEL, VC
from cmgames.odds.tunnel_rat.decks import Decks, Row
from cmgames.odds.tunnel_rat.model import Model
from cmgames.odds.tunnel_rat.position import START, Counts, Layer
from cmgames.odds.tunnel_rat.tells import Number, Triple

Table = list[Number]
"""The weights of a layer's decks, by number of the deck; the last entry, for `NO_DECK`, is 0."""

Namer = Callable[[Counts, Triple], Triple]
"""A policy within a layer, as far as it matters: over each kind of card, how often it names that kind.

It is given the deck and, for each kind, what it gains in weight to name a card of that kind rightly.
"""

FLOAT_NOISE = 1e-14
"""In floats, f(x) = x when f(x) exceeds x by no more than this."""


class Values:
    """The rat's chance to win in every position of a model, under one policy.

    Parameters
    ----------
    model : the game and the tells.
    policy : the policy within a given layer.
    """

    def __init__(self, model: Model, policy: Callable[[Layer], Namer]) -> None:
        self.model = model
        self.decks = Decks(model.fresh(START))
        self.certain: Table = [model.number(orders) for orders in (*self.decks.orders, 0)]
        self.impossible: Table = [model.number(0)] * len(self.certain)
        self.tables: dict[Layer, Table] = {}
        for layer in model.layers():
            self.tables[layer] = self._solve(layer, policy(layer))

    def value(self, layer: Layer, deck: Counts) -> Number:
        """The chance with this score and this deck, before its next card is drawn."""
        here = self.decks.number(deck)
        return min(self.table(layer)[here] / self.certain[here], self.model.number(1))  # floats may round to above 1

    def table(self, layer: Layer) -> Table:
        """The weights of a layer's decks: all of their orders when the rat has won, none when the VC has.

        Where the VC would keep more cards than there are, no deck leads: none as well.
        """
        return self.certain if self.model.won(layer) else self.tables.get(layer, self.impossible)

    def _solve(self, layer: Layer, namer: Namer) -> Table:
        """Newton's method for the value of the layer's fresh deck; the layer's table at that value."""
        deck = self.model.fresh(layer)
        rows, top = self.decks.rows(deck), self.decks.number(deck)
        orders, noise = self.certain[top], 0 if self.model.number is Fraction else FLOAT_NOISE
        value = self.model.number(0)
        while True:
            table, slopes = self._sweep(layer, rows, namer, value)
            rise = table[top] - orders * value
            if rise <= orders * noise:
                return table
            value += rise / (orders - slopes[top])

    def _sweep(self, layer: Layer, rows: list[Row], namer: Namer, value: Number) -> tuple[Table, Table]:
        """The layer's weights when its fresh deck has this value, and how fast each rises with it."""
        wrong_vc = self.table(self.model.after(layer, VC, right=False))
        wrong_trap = self.table(self.model.after(layer, TRAP, right=False))
        right_tunnel = self.table(self.model.after(layer, TUNNEL, right=True))
        table, slopes = [*self.impossible], [*self.impossible]
        table[0], slopes[0] = value, self.model.number(1)
        for deck, here, vc, trap, tunnel in rows:
            gain_vc, gain_trap = table[vc] - wrong_vc[vc], table[trap] - wrong_trap[trap]
            gain_tunnel = right_tunnel[tunnel] - table[tunnel]
            as_vc, as_trap, as_tunnel = namer(deck, (gain_vc, gain_trap, gain_tunnel))
            gained = as_vc * gain_vc + as_trap * gain_trap + as_tunnel * gain_tunnel
            table[here] = wrong_vc[vc] + wrong_trap[trap] + table[tunnel] + gained
            slopes[here] = as_vc * slopes[vc] + as_trap * slopes[trap] + (1 - as_tunnel) * slopes[tunnel]
        return table, slopes
