"""The table's generator and its proof of fairness.

Generator
---------
Draw number ``k`` (0, 1, 2, ...) among ``n`` cards is ::

    int(SHA-256(f"{seed}:{k}")) mod n

with the digest read as one big-endian integer.  Every language computes the same, whatever its version; each draw
is a pure function of the seed and its number, so that replay and undo need no stored state.  The remainder's bias is
below ``n / 2**256``.  A choice among one card takes no draw.

Proof
-----
Before the first card the table shows the `commitment`, ``SHA-256(f"{seed}:{salt}")``.  After the game it shows seed and
salt, and everybody can compute the commitment and every card again.  The salt (128 random bits) keeps a short seed
from being guessed.
"""

from __future__ import annotations

import random
import secrets
from hashlib import sha256


def draw(seed: int, number: int, size: int) -> int:
    """Draw number `number` of a seed: an index below `size`."""
    return int.from_bytes(sha256(b"%d:%d" % (seed, number)).digest(), "big") % size


def commitment(seed: int, salt: str) -> str:
    """The SHA-256, in hexadecimal, that binds a table to its seed before the first card."""
    return sha256(f"{seed}:{salt}".encode()).hexdigest()


def new_seed() -> int:
    """A seed that nobody can guess (128 bits)."""
    return secrets.randbits(128)


def new_salt() -> str:
    """A salt that nobody can guess (128 bits, in hexadecimal)."""
    return secrets.token_hex(16)


def player_random(seed: int, number: int) -> random.Random:
    """Random numbers for the computer player who makes move `number`; they tell nothing about the cards."""
    return random.Random(sha256(f"{seed}:player:{number}".encode()).digest())
