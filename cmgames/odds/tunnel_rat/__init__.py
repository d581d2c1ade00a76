"""Tunnel Rat solved: how well the rat can do, with which guess, and what each other guess costs.

Examples
--------
>>> from cmgames.odds import tunnel_rat
>>> solution = tunnel_rat.solve()
>>> solution.value
Fraction(3531523, 7027020)
>>> position = tunnel_rat.Position(unseen=(1, 2, 1), tunnels=3, casualties=3)
>>> tunnel_rat.chances(position)
{'vc': Fraction(1, 4), 'trap': Fraction(1, 2), 'tunnel': Fraction(1, 4)}
>>> solution.policy(position)
'search'
"""

from cmgames.odds.tunnel_rat.policies import NAMED, Policy, evaluate
from cmgames.odds.tunnel_rat.position import GUESSES, KINDS, Position, Where
from cmgames.odds.tunnel_rat.solution import FLOAT_SLACK, Solution, solve
from cmgames.odds.tunnel_rat.tells import chances

__all__ = [
    "FLOAT_SLACK",
    "GUESSES",
    "KINDS",
    "NAMED",
    "Policy",
    "Position",
    "Solution",
    "Where",
    "chances",
    "evaluate",
    "solve",
]
