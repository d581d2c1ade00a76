"""What is certain of the value of Cat & Mouse: bounds that hold however the other side plays.

The proofs are in docs/odds.md.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb

from cmgames.games.cat_and_mouse_deck import CatAndMouseOptions
from cmgames.odds.cat_and_mouse import Kind, meld_ways, plan_names


def at_most(options: CatAndMouseOptions) -> Fraction:
    """How often the Terrorist wins at most: US Security plays no combo and names each meld equally often."""
    return 1 - Fraction(1, options.kinds**3)


def at_least(options: CatAndMouseOptions) -> Fraction:
    """How often the silent Terrorist wins at least, who parts with nothing but Secrecy cards until he attacks.

    In turn `t` he has drawn `t` cards more than he started with.  He lives through it if at least ``t + 1`` of all the
    cards that he has drawn are Secrecy cards, and as long as he lives he attacks when he has drawn a meld.
    """
    secrecy, hand = options.secrecy, options.terrorist_hand
    plans = 3 * options.kinds * options.copies
    turns = plans + secrecy - 1 - hand
    holds = _holding(options)
    first = comb(plans + secrecy, hand)
    alive = {n: Fraction(comb(secrecy, n) * comb(plans, hand - n), first) for n in range(min(secrecy, hand) + 1)}
    attacks = Fraction()
    for turn in range(1, turns + 1):
        left, lives = turns + 2 - turn, dict[int, Fraction]()
        for drawn, chance in alive.items():
            for more, part in ((1, Fraction(secrecy - drawn, left)), (0, Fraction(left - secrecy + drawn, left))):
                if drawn + more > turn:
                    lives[drawn + more] = lives.get(drawn + more, Fraction()) + chance * part
                elif turn > 1:
                    attacks += chance * part * holds[hand + turn - 1 - drawn]
        alive = lives
    attacks += sum((chance * holds[hand + turns - drawn] for drawn, chance in alive.items()), Fraction())
    return attacks * at_most(options)


def _holding(options: CatAndMouseOptions) -> list[Fraction]:
    """The chance that so many cards, none of them a Secrecy card, hold a meld."""
    categories = [{name: Kind(0, options.copies) for name in names} for names in plan_names(options)]
    ways = meld_ways(categories, 0, options.set_size)
    return [Fraction(found, comb(len(ways) - 1, cards)) for cards, found in enumerate(ways)]
