"""Codes to be read aloud, tokens to be kept secret."""

from __future__ import annotations

import secrets
from hashlib import sha256

LETTERS = "23456789FHKMQRWXY"
"""No two look alike or rhyme, and without vowels they make no words."""

LENGTH = 5


def new_code(length: int = LENGTH) -> str:
    """A code for a room or a class; it is no secret, it lets one ask for a free seat."""
    return "".join(secrets.choice(LETTERS) for _ in range(length))


def new_way_in() -> str:
    """A code that is a secret, too long to be guessed, and opens a student's place to a new browser."""
    return f"{new_code(4)}-{new_code(4)}"


def signs(typed: str) -> str:
    """The letters, large, and the digits of a code or a key, however it was typed."""
    return "".join(filter(str.isalnum, typed.upper()))


def tidy(typed: str) -> str:
    """A code as somebody typed it: without what is not in one."""
    return signs(typed[:40])


def new_token() -> str:
    """128 random bits that only one browser knows."""
    return secrets.token_hex(16)


def hashed(token: str) -> str:
    """What the database keeps of a token."""
    return sha256(token.encode()).hexdigest()
