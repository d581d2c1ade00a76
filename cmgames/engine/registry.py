"""The games that there are, by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from cmgames.engine.game import AnyGame

    GameClass = TypeVar("GameClass", bound=type[AnyGame])

GAMES: dict[str, type[AnyGame]] = {}
"""Every game by its name; `register` adds one."""


def register(game: GameClass) -> GameClass:
    """Add a game to `GAMES`; a decorator for its class."""
    GAMES[game.name] = game
    return game


def game(name: str) -> type[AnyGame]:
    """The game of that name.

    Raises
    ------
    ValueError
        There is none; the message lists those that there are.
    """
    try:
        return GAMES[name]
    except KeyError:
        raise ValueError(f"There is no game called {name!r}. There are: {', '.join(GAMES)}.") from None
