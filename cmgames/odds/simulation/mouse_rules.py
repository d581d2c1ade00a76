"""Cat & Mouse as compiled code takes it: the options with what follows from them, and the board.

Both are NumPy records, which compiled functions hand to each other as a pointer.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import comb
from typing import Any, Protocol, cast

import numpy as np
import numpy.typing as npt

from cmgames.games.cat_and_mouse import CatAndMouse
from cmgames.games.cat_and_mouse_deck import CatAndMouseOptions

ARRIVES = 0.4
"""How likely the collector takes it that a card that is still out comes in time."""

CODES, COMBOS, COPIES = 39, 435, 22
"""So many codes and combos there are at most, and one or two more than the copies of a kind."""

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


class Rules(Protocol):
    """What does not change from game to game.

    Attributes
    ----------
    codes, combos : how many kinds of cards and how many combos there are.
    first_secrecy, first_us : the codes of the first Secrecy card and of the first US card.
    kinds, names, set_size, same_name, one_suite, terrorist_hand, us_hand : the options.
    ends_at_once, always_limited : whether an empty Terrorist deck ends the game at once, and the hand limit always
        applies.
    collects, hunts : whether the collector and the hunter play; else the random players.
    copies : how many cards of each code there are.
    sizes : the sizes on the board before the first card is dealt.
    combo_cards : the bits of the US codes of each combo, in the order of the legal moves.
    combo_copies : how many cards of each of these codes it takes.
    combo_size : how many cards it takes in all.
    arrives : ``arrives[need, out]``: how likely, to the collector, at least `need` of `out` cards come.
    """

    codes: int
    combos: int
    first_secrecy: int
    first_us: int
    kinds: int
    names: int
    set_size: int
    same_name: int
    one_suite: int
    terrorist_hand: int
    us_hand: int
    ends_at_once: int
    always_limited: int
    collects: int
    hunts: int
    copies: Ints
    sizes: Ints
    combo_cards: Ints
    combo_copies: Ints
    combo_size: Ints
    arrives: Floats


class Board(Protocol):
    """A game in play.

    Attributes
    ----------
    deck, hand, thrown : cards in the decks, in the hands and on the Terrorist's discard pile, by code.
    sizes : cards in the Terrorist's deck, in the US deck, in the Terrorist's hand, in the US hand.
    keys, used : of the streams `CARDS` and `MOVES` the key, and how many numbers were used up.
    found, worth : what can be chosen, and how good it is.
    """

    deck: Ints
    hand: Ints
    thrown: Ints
    sizes: Ints
    keys: npt.NDArray[np.uint64]
    used: Ints
    found: Ints
    worth: Floats


SHAPES: dict[str, Any] = {
    "copies": CODES,
    "sizes": 4,
    "combo_cards": COMBOS,
    "combo_copies": COMBOS,
    "combo_size": COMBOS,
    "arrives": (COPIES, COPIES),
    "deck": CODES,
    "hand": CODES,
    "thrown": CODES,
    "keys": 2,
    "used": 2,
    "found": COMBOS,
    "worth": COMBOS,
}
KINDS = {"arrives": np.float64, "worth": np.float64, "keys": np.uint64}


def _record(fields: type) -> np.void:
    """An empty record with these fields."""
    names = fields.__annotations__
    dtype = np.dtype([(name, KINDS.get(name, np.int64), SHAPES.get(name, ())) for name in names])
    return cast(np.void, np.zeros(1, dtype)[0])


def board() -> Board:
    """A board on which nothing lies yet."""
    return cast(Board, _record(Board))


def make_rules(players: Mapping[str, str], values: Mapping[str, Any]) -> Rules:
    """The rules for these players under these options."""
    options = CatAndMouseOptions.make(dict(values))
    game = CatAndMouse(options)
    record = _record(Rules)
    for name in ("kinds", "names", "set_size", "same_name", "one_suite", "terrorist_hand", "us_hand"):
        record[name] = getattr(options, name)
    record["ends_at_once"] = options.empty_deck_ends == "at once"
    record["always_limited"] = options.hand_limit_applies == "always"
    record["collects"], record["hunts"] = players["terrorist"] == "collector", players["us"] == "hunter"
    _set_cards(record, game)
    _set_combos(record, game)
    _set_arrives(record["arrives"], options.set_size + 2, options.copies + 1)
    return cast(Rules, record)


def _set_cards(record: np.void, game: CatAndMouse) -> None:
    """The codes, and how many cards there are of each."""
    copies = [kind.copies for kind in game.catalogue.kinds]
    record["codes"], record["first_secrecy"], record["first_us"] = len(copies), game.first_secrecy, game.first_us
    record["copies"][: len(copies)] = copies
    record["sizes"][:2] = sum(copies[: game.first_us]), sum(copies[game.first_us :])


def _set_combos(record: np.void, game: CatAndMouse) -> None:
    """Every combo, each card as its place among the US cards."""
    combos = [move.cards for move in game.actions() if move.verb == "combo"]
    record["combos"] = len(combos)
    for number, cards in enumerate(combos):
        names = set(cards)
        record["combo_cards"][number] = sum(1 << game.code[name] - game.first_us for name in names)
        record["combo_copies"][number] = len(cards) // len(names)
        record["combo_size"][number] = len(cards)


def _set_arrives(table: Floats, needs: int, outs: int) -> None:
    """How likely at least `need` of `out` cards come, by both, summed in the order in which the collector does."""
    for need, out in np.ndindex(needs, outs):
        table[need, out] = sum(comb(out, k) * ARRIVES**k * (1 - ARRIVES) ** (out - k) for k in range(need, out + 1))
