"""The ways in: the app, a table of one's own, a game to watch, a teacher's table."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from cmgames.bots.player import find, players, quick
from cmgames.engine.registry import game as game_called
from cmgames.engine.table import Table
from cmgames.rooms.terms import PERSON
from cmgames.ui.desk import Here
from cmgames.ui.session import Session
from cmgames.ui.setup import Setup
from cmgames.ui.sitting import Sitting
from cmgames.ui.widget import GameWidget

if TYPE_CHECKING:
    from cmgames.rooms.rooms import Rooms


def app() -> GameWidget:
    """The whole app, from its home page on.

    Where the environment variable ``CMGAMES_DATABASE_URL`` names a database, every game is kept there: a page that is
    reloaded resumes it, and others can sit at the same table; ``CMGAMES_ALONE`` says that nobody else can come.
    ``cmgames serve`` sets the first, Binder both.
    """
    alone = bool(os.environ.get("CMGAMES_ALONE"))
    return GameWidget(Session(rooms=_rooms(), link=os.environ.get("CMGAMES_LINK", ""), alone=alone))


def classroom() -> GameWidget:
    """The teacher's pages: open a class, see its tables, its results.

    They ask for the key that ``cmgames serve`` prints; the environment variable ``CMGAMES_TEACHER_KEY_HASH`` holds its
    SHA-256.
    """
    from cmgames.ui.classroom import TeacherSession

    key_hash = os.environ.get("CMGAMES_TEACHER_KEY_HASH", "")
    return GameWidget(TeacherSession(_rooms(), key_hash, os.environ.get("CMGAMES_LINK", "")))


def _rooms() -> Rooms | None:
    """The rooms of the database that the environment names."""
    url = os.environ.get("CMGAMES_DATABASE_URL")
    if not url:
        return None
    from cmgames.rooms.database import Database
    from cmgames.rooms.rooms import Rooms

    return Rooms(Database(url))


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
    opponent : a computer player's name, or ``"person"`` for a friend on this screen; by default the form asks, and also
        when that player sits only where `seat` is.
    seed : decides the cards; by default nobody can guess them.
    large : drawn for the last row of the classroom.
    **options : the game's options by name.

    Raises
    ------
    ValueError
        There is no such game, seat, player or option; the message lists those that there are.
    """
    if seat is None and opponent is None and seed is None and not options:
        return GameWidget(_at_form(game, large))
    if seat and opponent and opponent in players(game, seat) and opponent not in players(game, _across(game, seat)):
        return GameWidget(_at_form(game, large, seat=seat, opponent=opponent))
    seated = against(game, seat, opponent)
    return _seated(Session(large=large), Table(game, seed=seed, **options), seated)


def against(game: str, seat: str | None, opponent: str | None) -> dict[str, str]:
    """A person at a seat, and the opponent across.

    Parameters
    ----------
    seat, opponent : as for `play`.

    Raises
    ------
    ValueError
        There is no such game, seat or player; the message lists those that there are.
    """
    rules = game_called(game)
    seat = seat or next(iter(rules.seats))
    players(game, seat)
    across = _across(game, seat)
    opponent = opponent or quick(game, across)[-1]
    if opponent != PERSON:
        find(game, across, opponent)
    return {id: PERSON if id == seat else opponent for id in rules.seats}


def _across(game: str, seat: str) -> str:
    """The seat across from a seat."""
    return next(other for other in game_called(game).seats if other != seat)


def computers(game: str, *names: str) -> dict[str, str]:
    """A computer player at every seat.

    Parameters
    ----------
    *names : as for `watch`.

    Raises
    ------
    ValueError
        There is no such game or player, or there are more names than seats.
    """
    rules = game_called(game)
    if len(names) > len(rules.seats):
        raise ValueError(f"{rules.title} has {len(rules.seats)} seats, not {len(names)}.")
    seated = {seat: quick(game, seat)[-1] for seat in rules.seats}
    for seat, name in zip(rules.seats, names, strict=False):
        seated[seat] = find(game, seat, name).name
    return seated


def watch(
    game: str = "tunnel-rat", *names: str, seed: int | None = None, large: bool = False, **options: Any
) -> GameWidget:
    """Two computer players at a table.

    Parameters
    ----------
    game : name of a game in `cmgames.GAMES`.
    *names : a player's name for each seat, in the order of the game's seats; by default the last that is
        quick.
    seed, large, **options : as for `play`.

    Raises
    ------
    ValueError
        There is no such game, player or option.
    """
    return _seated(Session(large=large), Table(game, seed=seed, **options), computers(game, *names))


def teach(game: str = "tunnel-rat", *, large: bool = False) -> GameWidget:
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


def _at_form(game: str, large: bool, teacher: bool = False, **wanted: str) -> Session:
    session = Session(large=large, teacher=teacher)
    session.turn(Setup(session, game, wanted))
    return session


def _seated(session: Session, table: Table, seated: dict[str, str]) -> GameWidget:
    session.turn(Sitting(session, Here(table, seated)))
    return GameWidget(session)
