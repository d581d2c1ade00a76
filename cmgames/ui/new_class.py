"""The form of a new class."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec.structs import replace

from cmgames.bots.player import players
from cmgames.engine.registry import GAMES
from cmgames.engine.registry import game as game_called
from cmgames.rooms.terms import ClassTerms
from cmgames.ui.board import Board, teachers_rooms
from cmgames.ui.screen import Button, Choice, Field, Message, Screen
from cmgames.ui.session import Page, Refusal, Session
from cmgames.ui.setup import AWAY, CLOCK, Number, faults, first_choice, option_field, typed_options

GAMES_EACH = Number("How many games each student plays", "Empty: as many as there is time for.", "", 1, 100)
QUESTIONS = Number("How many questions each student is asked", "About positions; all get the same.", "0", 0, 20)
NUMBERS = {"clock": CLOCK, "away_after": AWAY, "games": GAMES_EACH, "questions": QUESTIONS}
SEATS = {"swapped": "They change after each game", "drawn": "Drawn", "chosen": "The students choose"}
PAIRING = {
    "new": "Somebody new each time",
    "arrival": "As they come",
    "hand": "I choose",
}


class NewClass(Page):
    """The form of a new class."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.answers: dict[str, str] = {
            "game": next(iter(GAMES)),
            "opponents": "people",
            "seats": "swapped",
            "pairing": "new",
            "same_deal": "true",
            "odds": "false",
            **{name: number.default for name, number in NUMBERS.items()},
        }
        self.options: dict[str, str] = {}
        self.errors: dict[str, str] = {}

    def screen(self) -> Screen:
        games = tuple(Choice(name, game.title, game.line) for name, game in GAMES.items())
        fields = {"game": self._field(0, "Which game?", "radio", "game", games), **self._opponents()}
        fields["seats"] = self._field(20, "Who sits where?", "radio", "seats", _choices(SEATS))
        same = "All tables get the same cards"
        fields["same_deal"] = replace(
            self._field(30, same, "check", "same_deal"), help="So they can be compared afterwards, move by move."
        )
        fields["odds"] = replace(
            self._field(31, "They may look at the odds while they play", "check", "odds"),
            help="After a game everybody can.",
        )
        for at, (name, number) in enumerate(NUMBERS.items(), 40):
            fields[name] = replace(self._field(at, number.label, "number", name), help=number.line)
        for at, (name, about) in enumerate(self._rules().Options.properties().items(), 100):
            fields[f"option {name}"] = option_field(
                at, name, about, self.options.get(name), self.errors.get(name, ""), f"option {name}"
            )
        begin = {"begin": Button("Open the class", {"do": "begin"}, main=True)}
        return Screen(0, "form", "A new class", fields=fields, moves=begin, say="A new class")

    def _rules(self) -> Any:
        return game_called(self.answers["game"])

    def _field(self, at: int, label: str, kind: Any, name: str, choices: tuple[Choice, ...] = ()) -> Field:
        error = self.errors.get(name, "")
        return Field(at, label, kind, self.answers[name], {"do": "set", "name": name}, choices, error=error)

    def _opponents(self) -> dict[str, Field]:
        """Whom the students play."""
        ways = (
            Choice("people", "Each other", "Who has no partner plays the computer until one comes."),
            Choice("computer", "The computer", "Each student plays a computer player."),
        )
        fields = {"opponents": self._field(1, "Whom do the students play?", "radio", "opponents", ways)}
        if self.answers["opponents"] == "people":
            fields["pairing"] = self._field(2, "Who plays whom?", "radio", "pairing", _choices(PAIRING))
        for at, (seat, about) in enumerate(self._rules().seats.items(), 3):
            name, known = f"computer {seat}", players(self.answers["game"], seat)
            if self.answers.get(name) not in known:
                self.answers[name] = first_choice(known)
            label = f"Which computer player is {about.title}, where one is needed?"
            choices = tuple(Choice(player.name, player.title, player.line) for player in known.values())
            fields[name] = replace(self._field(at, label, "radio", name, choices), more=True)
        return fields

    def on_set(self, message: Message) -> None:
        """Take an answer."""
        name, value = str(message["name"]), str(message["value"])[:100]
        if name == "game" and value in GAMES:
            self.options = {}
        if name.startswith("option "):
            self.options[name.removeprefix("option ")] = value
        elif name in self.answers and self._is_answer(name, value):
            self.answers[name] = value
        self._check()

    def _is_answer(self, name: str, value: str) -> bool:
        known = {"game": GAMES, "opponents": ("people", "computer"), "seats": SEATS, "pairing": PAIRING}
        if name.startswith("computer "):
            return value in players(self.answers["game"], name.removeprefix("computer "))
        return name not in known or value in known[name]

    def _check(self) -> None:
        self.errors = faults(self._options, NUMBERS, self.answers)

    def _options(self) -> dict[str, Any]:
        made: dict[str, Any] = msgspec.to_builtins(typed_options(self._rules(), self._own_options()))
        return made

    def _own_options(self) -> dict[str, str]:
        """The answers that are options of this game."""
        known = self._rules().Options.properties()
        return {name: value for name, value in self.options.items() if name in known}

    def on_begin(self, message: Message) -> Page:
        """Open the class."""
        from cmgames.rooms.classes import Class

        if self.errors:
            raise Refusal(next(iter(self.errors.values())))
        numbers = {name: int(self.answers[name]) for name in NUMBERS if self.answers[name]}
        terms = ClassTerms(
            people=self.answers["opponents"] == "people",
            computers={seat: self.answers[f"computer {seat}"] for seat in self._rules().seats},
            pairing=self.answers["pairing"],  # type: ignore[arg-type]
            seats=self.answers["seats"],  # type: ignore[arg-type]
            same_deal=self.answers["same_deal"] == "true",
            odds=self.answers["odds"] == "true",
            **numbers,
        )
        made = Class.open(teachers_rooms(self.session).database, self.answers["game"], self._options(), terms)
        return Board(self.session, made)


def _choices(titles: dict[str, str]) -> tuple[Choice, ...]:
    return tuple(Choice(value, label) for value, label in titles.items())
