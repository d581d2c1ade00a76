"""What the commands share: their refusals, and the rules that are given on the command line."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec


class Refused(Exception):
    """What a command cannot do, as a sentence for the person who typed it."""


def options(game: str, texts: Iterable[str]) -> dict[str, Any]:
    """A game's options by name, as ``--option name=value`` gives them.

    Raises
    ------
    Refused
        A text is not of this form.
    ValueError
        There is no such game; `OptionError`, a ValueError too: no game can be played with these options.
    """
    from cmgames.engine.registry import game as game_called

    values: dict[str, Any] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise Refused(f"--option {text}: write name=value.")
        values[name] = None if value == "None" else value
    made: dict[str, Any] = msgspec.to_builtins(game_called(game).Options.make(values, strict=False))
    return made
