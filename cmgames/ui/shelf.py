"""Games in play, kept as files, so that a page that was reloaded finds its game again."""

from __future__ import annotations

import json
import secrets
import time
from hashlib import sha256
from pathlib import Path
from typing import Any

DAYS = 30
"""A game that nobody has touched for so long is thrown away."""


class MovedOn(Exception):
    """The game was continued in another window since it was read here."""


class Shelf:
    """A folder of games in play.

    A game is found by its token, 128 random bits that only its browser knows; the folder holds their hashes.

    Parameters
    ----------
    folder : made when it does not exist.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._serials: dict[str, int] = {}
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)

    def keep(self, token: str, saved: dict[str, Any]) -> str:
        """Keep a game, and return its token: a new one where `token` is empty.

        Raises
        ------
        MovedOn
            Another window has kept a later state of this game.
        """
        token = token or secrets.token_hex(16)
        path = self._path(token)
        serial = self._serials.get(token, 0)
        if path.exists() and json.loads(path.read_text())["serial"] != serial:
            raise MovedOn
        self._serials[token] = serial + 1
        fresh = path.with_suffix(f".{secrets.token_hex(4)}")
        fresh.write_text(json.dumps({"serial": serial + 1, "saved": saved}))
        fresh.replace(path)
        return token

    def find(self, token: str) -> dict[str, Any] | None:
        """The game of a token; None when there is none (any more)."""
        path = self._path(token)
        if not path.exists():
            return None
        kept = json.loads(path.read_text())
        self._serials[token] = kept["serial"]
        saved: dict[str, Any] = kept["saved"]
        return saved

    def forget(self, token: str) -> None:
        """Throw a game away, and all that nobody has touched for `DAYS`."""
        self._path(token).unlink(missing_ok=True)
        for path in self.folder.iterdir():
            if path.stat().st_mtime < time.time() - DAYS * 86400:
                path.unlink(missing_ok=True)

    def _path(self, token: str) -> Path:
        return self.folder / f"{sha256(token.encode()).hexdigest()}.json"
