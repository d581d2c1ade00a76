"""Cat & Mouse, compiled: the rules in their printed order, with the random players, the collector and the hunter.

Each card that chance takes from a pile uses up the next number of the stream `CARDS`, and each choice of a player that
leaves something to chance the next one of the stream `MOVES`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from cmgames.odds.simulation.compiled import below, compiled, key
from cmgames.odds.simulation.mouse_rules import Board, Ints, Rules, board, make_rules
from cmgames.odds.simulation.numbers import CARDS, MOVES, base
from cmgames.odds.simulation.result import Play, Rows

TERRORIST, US = range(2)
HAND = 2
"""A seat's hand stands so many places behind its deck in the sizes."""
COLUMNS = "winner", "turns", "terrorist deck", "us deck", "terrorist hand", "us hand"
"""What a row holds of a game: the piles by their number of cards."""
PASS = -1
SECRECY_LEFT = 1 - 0.3
"""The share of the hope that is left to the collector without a Secrecy card."""
CLOSE = 1e-9
"""Two choices whose worth differs by less than this share of it are equally good."""


def prepare(players: Mapping[str, str], options: Mapping[str, Any]) -> Play:
    """What plays games with these players under these options."""
    return partial(_rows, make_rules(players, options))


def _rows(rules: Rules, seed: int, first: int, games: int) -> Rows:
    rows = np.empty((games, len(COLUMNS)), np.int32)
    _play_all(rows, first, np.uint64(base(seed, CARDS)), np.uint64(base(seed, MOVES)), board(), rules)
    return rows


@compiled
def _play_all(rows: Rows, first: int, cards: np.uint64, moves: np.uint64, b: Board, r: Rules) -> None:
    """Play a game for each row."""
    for row in range(len(rows)):
        b.keys[CARDS], b.keys[MOVES] = key(cards, first + row), key(moves, first + row)
        _set_up(b, r)
        rows[row, 0], rows[row, 1] = _play(b, r)
        for pile in range(4):
            rows[row, 2 + pile] = b.sizes[pile]


@compiled
def _set_up(b: Board, r: Rules) -> None:
    """Shuffle, and deal both hands."""
    for code in range(r.codes):
        b.deck[code], b.hand[code], b.thrown[code] = r.copies[code], 0, 0
    for pile in range(4):
        b.sizes[pile] = r.sizes[pile]
    b.used[CARDS] = b.used[MOVES] = 0
    for _ in range(r.terrorist_hand):
        _deal(b, r, TERRORIST)
    for _ in range(r.us_hand):
        _deal(b, r, US)


@compiled
def _play(b: Board, r: Rules) -> tuple[int, int]:
    """Play one game: who wins, after how many turns."""
    turn = 0
    while True:
        turn += 1
        moved = _terrorist_draws(b, r)
        if b.sizes[TERRORIST] == 0 and r.ends_at_once:
            return US, turn
        moved |= _us_draws(b, r)
        moved |= _us_plays_combo(b, r)
        move = _attack(b, r)
        if move >= r.codes:
            return _show(b, r, move - r.codes), turn
        if move != PASS:
            moved = True
            _turn_in(b, r, move)
        if b.sizes[TERRORIST] == 0 or not moved:
            return US, turn


# Phases


@compiled
def _terrorist_draws(b: Board, r: Rules) -> bool:
    """The Terrorist Draw Phase: whether a card has changed place. It breaks off when an empty deck ends the game."""
    draws = _wants_card(b, r)
    if draws:
        _deal(b, r, TERRORIST)
        if b.sizes[TERRORIST] == 0 and r.ends_at_once:
            return True
    return _discard_down(b, r) or draws


@compiled
def _us_draws(b: Board, r: Rules) -> bool:
    """The US Draw Phase: whether a card has changed place. To draw, or to go on without, is the one legal move."""
    b.used[MOVES] += 1
    if b.sizes[US] == 0:
        return False
    _deal(b, r, US)
    while b.sizes[HAND + US] > r.us_hand:
        code = _us_discard(b, r)
        b.hand[code] -= 1
        b.sizes[HAND + US] -= 1
    return True


@compiled
def _us_plays_combo(b: Board, r: Rules) -> bool:
    """The US Security Phase: whether a combo was played. The Terrorist then loses a card."""
    combo = _combo(b, r)
    if combo == PASS:
        return False
    _lay(b, r, combo, r.combo_copies[combo])
    b.sizes[HAND + US] -= r.combo_size[combo]
    if b.sizes[HAND + TERRORIST]:
        _drop(b, _loss(b, r))
    return True


@compiled
def _turn_in(b: Board, r: Rules, secrecy: int) -> None:
    """A Secrecy card for two cards, as far as there are any."""
    _drop(b, secrecy)
    for _ in range(min(2, b.sizes[TERRORIST])):
        _deal(b, r, TERRORIST)
    if r.always_limited and not (b.sizes[TERRORIST] == 0 and r.ends_at_once):
        _discard_down(b, r)


@compiled
def _show(b: Board, r: Rules, meld: int) -> int:
    """Who wins when this meld is played: all guess blindly."""
    b.sizes[HAND + TERRORIST] -= 3 * r.set_size
    return US if _choose(b, MOVES, r.kinds**3) == meld else TERRORIST


# Cards


@compiled
def _choose(b: Board, stream: int, size: int) -> int:
    """An index below `size`."""
    number = b.used[stream]
    b.used[stream] += 1
    return below(b.keys[stream], number, size)


@compiled
def _deal(b: Board, r: Rules, seat: int) -> None:
    """A card from the seat's deck to its hand."""
    code = _card(b.deck, r.first_us if seat == US else 0, _choose(b, CARDS, b.sizes[seat]))
    b.deck[code] -= 1
    b.hand[code] += 1
    b.sizes[seat] -= 1
    b.sizes[HAND + seat] += 1


@compiled
def _card(pile: Ints, code: int, place: int) -> int:
    """The code of the card at a place of a sorted pile, from `code` on."""
    while place >= pile[code]:
        place -= pile[code]
        code += 1
    return code


@compiled
def _drop(b: Board, code: int) -> None:
    """A card from the Terrorist's hand to his discard pile."""
    b.hand[code] -= 1
    b.thrown[code] += 1
    b.sizes[HAND + TERRORIST] -= 1


@compiled
def _lay(b: Board, r: Rules, combo: int, copies: int) -> None:
    """Take so many cards of each name of a combo from the hand; or put them back, with a negative number."""
    for code in range(r.first_us, r.codes):
        b.hand[code] -= copies * (r.combo_cards[combo] >> (code - r.first_us) & 1)


@compiled
def _find_cards(b: Board, first: int, end: int) -> int:
    """Put the codes of these cards that are in a hand into `found`; how many."""
    size = 0
    for code in range(first, end):
        if b.hand[code]:
            b.found[size] = code
            size += 1
    return size


@compiled
def _best(b: Board, size: int) -> int:
    """One of those among the first of `found` that are of most worth."""
    most, equal = b.worth[0], 0
    for place in range(1, size):
        most = max(most, b.worth[place])
    for place in range(size):
        if abs(b.worth[place] - most) <= CLOSE * most:
            b.found[equal] = b.found[place]
            equal += 1
    return int(b.found[_choose(b, MOVES, equal)])


# The Terrorist's choices


@compiled
def _wants_card(b: Board, r: Rules) -> bool:
    """Whether to draw. The collector does, unless the last card would end the game before his meld is played."""
    if r.collects:
        return not (b.sizes[TERRORIST] == 1 and r.ends_at_once and _find_melds(b, r) > 0)
    return _choose(b, MOVES, 2) == 0


@compiled
def _discard_down(b: Board, r: Rules) -> bool:
    """Discard down to the hand limit; whether there was something to discard."""
    over = bool(b.sizes[HAND + TERRORIST] > r.terrorist_hand)
    while b.sizes[HAND + TERRORIST] > r.terrorist_hand:
        size = _find_cards(b, 0, r.first_us)
        if r.collects:
            _weigh_losses(b, r, size)
            _drop(b, _best(b, size))
        else:
            _drop(b, b.found[_choose(b, MOVES, size)])
    return over


@compiled
def _weigh_losses(b: Board, r: Rules, size: int) -> None:
    """The hope that is left to the collector without each of the cards found."""
    for place in range(size):
        code = b.found[place]
        b.worth[place] = _hope(b, r, code) if code < r.first_secrecy else _hope(b, r, PASS) * SECRECY_LEFT


@compiled
def _hope(b: Board, r: Rules, lost: int) -> float:
    """How likely some set comes together in every category when a card of this code is thrown away."""
    hope = 1.0
    for category in range(3):
        none = 1.0
        for code in range(category * r.kinds, (category + 1) * r.kinds):
            need = r.set_size - b.hand[code] + (code == lost)
            none *= 1 - r.arrives[max(need, 0), r.copies[code] - b.hand[code] - b.thrown[code]]
        hope *= 1 - none
    return hope


@compiled
def _loss(b: Board, r: Rules) -> int:
    """The card that a combo costs: a Secrecy card, or one taken at random."""
    size = _find_cards(b, r.first_secrecy, r.first_us)
    choice = _choose(b, MOVES, max(size, 1) if r.collects else size + 1)
    return b.found[choice] if choice < size else _card(b.hand, 0, _choose(b, CARDS, b.sizes[HAND + TERRORIST]))


@compiled
def _attack(b: Board, r: Rules) -> int:
    """The number of codes and that of the meld played; or the code of the Secrecy card turned in; or `PASS`."""
    melds = _find_melds(b, r)
    if r.collects and melds:
        return r.codes + _meld(b, r, _choose(b, MOVES, melds))
    size = _find_cards(b, r.first_secrecy, r.first_us)
    if r.collects:
        return b.found[_choose(b, MOVES, size)] if size and b.sizes[TERRORIST] > 2 else PASS
    choice = _choose(b, MOVES, melds + size + 1)
    if choice < melds:
        return r.codes + _meld(b, r, choice)
    return b.found[choice - melds] if choice < melds + size else PASS


@compiled
def _full(b: Board, r: Rules, category: int) -> int:
    """Of how many kinds of a category the Terrorist holds a set."""
    full = 0
    for code in range(category * r.kinds, (category + 1) * r.kinds):
        full += b.hand[code] >= r.set_size
    return full


@compiled
def _find_melds(b: Board, r: Rules) -> int:
    """How many melds the Terrorist holds."""
    return _full(b, r, 0) * _full(b, r, 1) * _full(b, r, 2)


@compiled
def _meld(b: Board, r: Rules, choice: int) -> int:
    """The number, among all guesses, of one of the melds that the Terrorist holds."""
    meld, unit = 0, 1
    for category in range(2, -1, -1):
        full = _full(b, r, category)
        meld += unit * _kind(b, r, category, choice % full)
        choice //= full
        unit *= r.kinds
    return meld


@compiled
def _kind(b: Board, r: Rules, category: int, place: int) -> int:
    """The kind at a place among those of a category of which the Terrorist holds a set."""
    kind = 0
    while True:
        place -= b.hand[category * r.kinds + kind] >= r.set_size
        if place < 0:
            return kind
        kind += 1


# US Security's choices


@compiled
def _us_discard(b: Board, r: Rules) -> int:
    """The card to discard: any; to the hunter, the one that the hand can best do without."""
    size = _find_cards(b, r.first_us, r.codes)
    if not r.hunts:
        return int(b.found[_choose(b, MOVES, size)])
    for place in range(size):
        b.hand[b.found[place]] -= 1
        b.worth[place] = _potential(b, r)
        b.hand[b.found[place]] += 1
    return _best(b, size)


@compiled
def _combo(b: Board, r: Rules) -> int:
    """The combo to play, or `PASS`: any legal move; to the hunter, one of the shortest if there are any."""
    size = _find_combos(b, r)
    if r.hunts and size:
        return _best(b, _weigh_shortest(b, r, size))
    choice = _choose(b, MOVES, size + 1)
    return b.found[choice] if choice < size else PASS


@compiled
def _find_combos(b: Board, r: Rules) -> int:
    """Put the combos in the hand into `found`; how many."""
    some = same = size = 0
    for code in range(r.first_us, r.codes):
        some |= (b.hand[code] >= 1) << (code - r.first_us)
        same |= (b.hand[code] >= r.same_name) << (code - r.first_us)
    for combo in range(r.combos):
        if not r.combo_cards[combo] & ~(some if r.combo_copies[combo] == 1 else same):
            b.found[size] = combo
            size += 1
    return size


@compiled
def _weigh_shortest(b: Board, r: Rules, size: int) -> int:
    """Keep only the shortest combos found, and weigh the hand that each leaves; how many."""
    fewest, kept = r.combo_size[b.found[0]], 0
    for place in range(1, size):
        fewest = min(fewest, r.combo_size[b.found[place]])
    for place in range(size):
        combo = b.found[place]
        if r.combo_size[combo] == fewest:
            _lay(b, r, combo, r.combo_copies[combo])
            b.found[kept], b.worth[kept] = combo, _potential(b, r)
            _lay(b, r, combo, -r.combo_copies[combo])
            kept += 1
    return kept


@compiled
def _potential(b: Board, r: Rules) -> int:
    """How near the US hand is to combos: the squares of how far each name and each suite has come."""
    near = 0
    for first in range(r.first_us, r.codes, r.names):
        there = 0
        for code in range(first, first + r.names):
            there += b.hand[code] > 0
            near += min(b.hand[code], r.same_name) ** 2
        near += min(there, r.one_suite) ** 2
    return near
