"""The guess as a game of its own: which of his melds the Terrorist plays, and which one US Security names.

US Security knows what was discarded and that an attack has come.  Which kinds the Terrorist holds three of (his *type*)
is drawn from the uniform model of `cmgames.odds.cat_and_mouse`; he knows his type and picks one of its melds.  He wins
when it is not named.  That is a zero-sum game of one move each, solved by linear programming: the Terrorist spreads the
chance of each type over its melds so that the likeliest meld of all is as unlikely as possible,

    minimise z   with   sum over melds of f(type, meld) = P(type),   sum over types of f(type, meld) <= z,   f >= 0,

and the dual variables of the second rows are how often US Security should name each meld (J. Harsanyi, Games with
incomplete information, 1967, for the types; G. Dantzig, Linear programming and extensions, 1963, chapter 13, for a
matrix game as a linear program).
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import csr_array, hstack

from cmgames.engine.view import View
from cmgames.odds.cat_and_mouse import Plan, Sets, options_of, plan_names, sets_posterior

Floats = np.ndarray[Any, np.dtype[np.float64]]


class GuessGame(NamedTuple):
    """The solution of the guess.

    Attributes
    ----------
    value : the chance that US Security names the meld when both play their best.
    guesses : how often US Security names each plan; the chances add up to 1.
    melds : how likely the Terrorist plays each plan, over all that he may hold.
    plays : for each type how often he plays each of its melds.
    """

    value: float
    guesses: dict[Plan, float]
    melds: dict[Plan, float]
    plays: dict[Sets, dict[Plan, float]]

    def choice(self, melds: Collection[Plan]) -> dict[Plan, float]:
        """How often a Terrorist who holds just these melds plays each of them.

        Raises
        ------
        ValueError
            No hand holds just these melds.
        """
        wanted = set(melds)
        found = next((plays for plays in self.plays.values() if plays.keys() == wanted), None)
        if found is None:
            raise ValueError(f"No hand holds just these melds: {', '.join(map(' / '.join, melds)) or 'none'}.")
        return found


def solve(view: View) -> GuessGame:
    """Solve the guess at this point of a game.

    Parameters
    ----------
    view : any view of Cat & Mouse; only what lies open is used.

    Raises
    ------
    ValueError
        This is no view of Cat & Mouse, or no meld can be held any more.
    """
    types = {sets: float(chance) for sets, chance in sets_posterior(view).items() if chance}
    plans: list[Plan] = [(a, g, t) for a, g, t in product(*plan_names(options_of(view)))]
    number = {plan: place for place, plan in enumerate(plans)}
    melds: dict[Sets, list[Plan]] = {sets: [(a, g, t) for a, g, t in product(*sets)] for sets in types}
    of_type = np.repeat(np.arange(len(types)), [len(held) for held in melds.values()])
    of_plan = np.array([number[plan] for held in melds.values() for plan in held])
    chances = np.array(list(types.values()))
    flow, value, guesses = _flattest(chances, of_type, of_plan, len(plans))
    shares = iter(flow / chances[of_type])
    return GuessGame(
        value,
        dict(zip(plans, map(float, guesses), strict=True)),
        dict(zip(plans, map(float, np.bincount(of_plan, flow, len(plans))), strict=True)),
        {sets: {plan: float(next(shares)) for plan in held} for sets, held in melds.items()},
    )


def _flattest(chances: Floats, of_type: Any, of_plan: Any, n_plans: int) -> tuple[Floats, float, Floats]:
    """Spread the types over their plans so that the likeliest plan is as unlikely as possible.

    Pair `i` of a type and a plan is ``of_type[i], of_plan[i]``.  Returns the flow of each pair, the chance of the
    likeliest plan, and the dual variables of the plans.
    """
    pairs, ones = np.arange(len(of_type)), np.ones(len(of_type))
    spread = csr_array((ones, (of_type, pairs)), shape=(len(chances), len(pairs) + 1))
    met = hstack([csr_array((ones, (of_plan, pairs)), shape=(n_plans, len(pairs))), csr_array(-np.ones((n_plans, 1)))])
    highest = np.append(0 * ones, 1.0)
    found = linprog(highest, A_ub=met, b_ub=np.zeros(n_plans), A_eq=spread, b_eq=chances, method="highs")
    assert found.success, found.message
    return found.x[:-1], float(found.fun), np.maximum(-found.ineqlin.marginals, 0)
