"""Small classes made by hand, with a clock of their own."""

from __future__ import annotations

import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from cmgames.rooms.classes import Class
from cmgames.rooms.database import Database, prepare
from cmgames.rooms.guests import Guest
from cmgames.rooms.results import ClassResults, load
from cmgames.rooms.room import Room
from cmgames.rooms.rooms import Rooms, make_room
from cmgames.rooms.terms import ClassTerms, Terms

SHORT = {"casualties_to_win": 1, "tunnels_to_win": 1}
"""Tunnel Rat until the first tunnel or casualty."""


class Classroom:
    """A class whose tables play what a test says; each entry of a table takes a second.

    Parameters
    ----------
    place : the address of a database, or a folder for one.
    names : of the students.
    game, options : what the class plays.
    """

    def __init__(
        self,
        place: Path | str,
        patch: pytest.MonkeyPatch,
        names: Iterable[str] = ("Ana", "Ben", "Cleo", "Dan"),
        game: str = "tunnel-rat",
        options: dict[str, Any] = SHORT,
    ) -> None:
        self.now = 1_700_000_000.0
        patch.setattr(time, "time", self.tell_time)
        url = place if isinstance(place, str) else f"sqlite:///{place}/rooms.sqlite"
        prepare(url)
        self.database = Database(url)
        self.of = Class.open(self.database, game, options, ClassTerms())
        rooms = Rooms(self.database)
        admitted = [(rooms.guests.admit(), name) for name in names]
        self.guests: list[Guest] = [rooms.guests.enroll(guest, self.of.id, name) for (guest, _), name in admitted]
        self.tokens: list[str] = [token for (_, token), _ in admitted]

    def tell_time(self) -> float:
        return self.now

    def open(self, *seats: int | str, number: int = 1, seed: int = 7, **terms: Any) -> Room:
        """A table: for each seat of the game the student's place in the list, or a computer player."""
        players = {
            seat: ("person", self.guests[who].id) if isinstance(who, int) else (who, None)
            for seat, who in zip(self._seats, seats, strict=True)
        }
        values: dict[str, Any] = {"seed": seed, "class_id": self.of.id, "round": number}

        def work(connection: Any) -> int:
            return make_room(connection, self.of.game, self.of.options, players, Terms(**terms), **values)

        return Room(self.database, self.database.write(work))

    @property
    def _seats(self) -> list[str]:
        import cmgames

        return list(cmgames.GAMES[self.of.game].seats)

    def play(self, room: Room, *moves: str) -> Room:
        """Make moves; ``computer: pass`` says who made it, ``undo rat`` takes one back."""
        for text in moves:
            self.now += 1
            how, _, move = text.rpartition(": ")
            if move.startswith("undo "):
                room.undo(move.removeprefix("undo "))
            else:
                room.play(move, how=how or "person")  # type: ignore[arg-type]
        return room

    def results(self) -> ClassResults:
        return load(self.database, self.of.id)


def turn(guess: str, *answers: str) -> tuple[str, ...]:
    """A turn of Tunnel Rat in which the rat asks the first questions only: an answer each, then the guess."""
    asked = [move for ask, answer in zip(ASKED, answers, strict=False) for move in (ask, answer)]
    return ("draw", *asked, *["pass"] * (4 - len(answers)), guess, "reveal")


ASKED = ("ask vc", "ask trap", "ask safe")


def small_class(place: Path | str, patch: pytest.MonkeyPatch) -> Classroom:
    """Six games: three played out between people, one meanwhile, one ended early, one in play."""
    made = Classroom(place, patch)
    made.play(made.open(0, 1, deals=("VC",)), *turn("advance", "answer no after 2.50 s"))
    made.play(made.open(2, 3, deals=("Tunnel",)), *turn("advance", "answer no after 1.00 s", "answer no after 1.50 s"))
    first = made.open(1, 0, number=2, deals=("Trap", "Tunnel"))
    made.play(first, *turn("search", "computer: answer no after 0.70 s looking calm"), *turn("clock: advance"))
    made.play(
        made.open("reader", 2, meanwhile=True, deals=("VC",)), *turn("computer: advance", "answer no after 3.00 s")
    )
    made.play(made.open(3, 2, number=2), "draw").end("Dan was gone, and the game was ended.")
    undone = made.open(2, 0, number=3, deals=("Tunnel",))
    made.play(undone, *turn("shoot")[:-1], "undo rat", "search")
    return made
