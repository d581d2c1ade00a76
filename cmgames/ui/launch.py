"""The ways in: the app, a table of one's own, a game to watch, a teacher's table."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from cmgames.bots.player import players
from cmgames.engine.registry import game as game_called
from cmgames.engine.table import Table
from cmgames.ui.session import Session
from cmgames.ui.setup import Setup
from cmgames.ui.shelf import Shelf
from cmgames.ui.sitting import PERSON, Sitting
from cmgames.ui.widget import GameWidget


def app() -> GameWidget:
    """The whole app, from its home page on; a page that is reloaded resumes its game.

    Games in play are kept in the folder that the environment variable ``CMGAMES_DATA`` names; without it they are not.
    """
    folder = os.environ.get("CMGAMES_DATA")
    return GameWidget(Session(shelf=Shelf(Path(folder) / "saved") if folder else None))


def play(
    game: str = "tunnel-rat",
    seat: str | None = None,
    opponent: str | None = None,
    *,
    seed: int | None = None,
    large: bool = False,
    **options: Any,
) -> GameWidget:
    """A table in the notebook.

    Parameters
    ----------
    game : name of a game in `cmgames.GAMES`.
    seat : the seat to take; by default the first.
    opponent : a computer player's name, or ``"person"`` for a friend on this screen; by default the form asks.
    seed : decides the cards; by default nobody can guess them.
    large : drawn for the last row of the classroom.
    **options : the game's options by name.

    Raises
    ------
    ValueError
        There is no such game, seat, player or option; the message lists those that there are.
    """
    rules = game_called(game)
    if seat is None and opponent is None and seed is None and not options:
        return GameWidget(_at_form(game, large))
    seat = seat or next(iter(rules.seats))
    players(game, seat)
    across = next(other for other in rules.seats if other != seat)
    opponent = opponent or list(players(game, across))[-1]
    if opponent != PERSON and opponent not in players(game, across):
        known = ", ".join((*players(game, across), PERSON))
        raise ValueError(f"Nobody called {opponent!r} plays {rules.seats[across].title}. There are: {known}.")
    return _seated(Session(large=large), Table(game, seed=seed, **options), {seat: PERSON, across: opponent})


def watch(
    game: str = "tunnel-rat", *names: str, seed: int | None = None, large: bool = False, **options: Any
) -> GameWidget:
    """Two computer players at a table.

    Parameters
    ----------
    game : name of a game in `cmgames.GAMES`.
    *names : a player's name for each seat, in the order of the game's seats; by default the last that there is.
    seed, large, **options : as for `play`.

    Raises
    ------
    ValueError
        There is no such game, player or option.
    """
    rules = game_called(game)
    seated = {seat: list(players(game, seat))[-1] for seat in rules.seats}
    for seat, name in zip(rules.seats, names, strict=False):
        if name not in players(game, seat):
            known = ", ".join(players(game, seat))
            raise ValueError(f"Nobody called {name!r} plays {rules.seats[seat].title}. There are: {known}.")
        seated[seat] = name
    return _seated(Session(large=large), Table(game, seed=seed, **options), seated)


def teach(game: str = "tunnel-rat", *, large: bool = True) -> GameWidget:
    """A teacher's table: open hands, steps back, other moves from there, positions set up.

    It holds both hands, and so does everybody who can run code in this notebook: it is for the teacher's own screen.

    Parameters
    ----------
    game : name of a game in `cmgames.GAMES`.
    large : drawn for the last row of the classroom.

    Raises
    ------
    ValueError
        There is no such game.
    """
    return GameWidget(_at_form(game, large, teacher=True))


def _at_form(game: str, large: bool, teacher: bool = False) -> Session:
    session = Session(large=large, teacher=teacher)
    session.turn(Setup(session, game))
    return session


def _seated(session: Session, table: Table, seated: dict[str, str]) -> GameWidget:
    session.turn(Sitting(session, table, seated))
    return GameWidget(session)
