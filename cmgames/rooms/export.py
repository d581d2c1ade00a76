"""Taking a class home: tables for a spreadsheet, and the records of its games.

The CSV files are those of RFC 4180: commas, lines that end in CR LF, quotes where they are needed.  They begin with a
byte order mark, since Excel reads UTF-8 without one as another encoding and spoils every name that is not English;
LibreOffice, pandas and R (``fileEncoding="UTF-8-BOM"``) read both.  A cell that would begin with ``= + - @`` gets an
apostrophe before it, so that no spreadsheet takes a name for a formula.

`GAME_COLUMNS`, `SEAT_COLUMNS`, `MOVE_COLUMNS` and `ANSWER_COLUMNS` are the columns; ``docs/class-data.md`` says
the same.
"""

from __future__ import annotations

import csv
import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from io import BytesIO, StringIO
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from cmgames.engine.game import CHANCE, AnyGame
from cmgames.rooms.answers import Given
from cmgames.rooms.made import Made
from cmgames.rooms.questions import Question
from cmgames.rooms.results import ClassResults, Game, Who

MARK = "\ufeff"
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", *"\uff1d\uff0b\uff0d\uff20")
"""What no cell begins with; spreadsheets read the wide signs like the narrow ones."""

GAME_COLUMNS = {
    "table": "Number of the game within the class, from 1, as on the teacher's board.",
    "round": "Which game it was for those who played it, from 1.",
    "same_deal": "yes: all tables had the same cards in this round.",
    "meanwhile": "yes: a game against a computer player until a partner came.",
    "opened_s": "Seconds from the opening of the class to the opening of the table.",
    "lasted_s": "Seconds from the opening of the table to the end, or to the last move so far.",
    "ending": "played out, ended early, or in play.",
    "winner": "The seat that has won; empty where none has.",
    "reason": "Why the game ended, in a sentence. In anonymous files empty where it was ended early.",
    "turns": "How many turns were begun.",
    "moves": "How many moves the seats made; those taken back and those of chance are not counted.",
    "undone": "How many moves were taken back.",
    "by_person": "How many of the moves were made by students.",
    "by_computer": "How many were made by computer players, also for students who were away.",
    "by_clock": "How many were made by the turn clock.",
    "by_teacher": "How many were made by the teacher.",
    "record": "The file of the record in the zip; empty where there is none.",
}
"""The columns of the games, but for those of the seats; what each means."""

SEAT_COLUMNS = {
    "seat": "A seat of the game.",
    "kind": "Whose seat it is: person or computer.",
    "player": "The student's number, or the computer player's name. In anonymous files the number is drawn by lot.",
    "name": "What the student is called; empty for computer players and in anonymous files.",
}
"""The columns that each seat has, followed by its number: ``seat_1``, ``kind_1``, ..., ``seat_2``, ..."""

MOVE_COLUMNS = {
    "table": "Number of the game within the class, as in the games' file.",
    "row": "Place of this row within its game, from 1: the order in which things happened.",
    "ply": "Number of the move in the record, from 0; empty where a move was taken back.",
    "turn": "Number of the turn, from 1.",
    "phase": "Printed name of the phase.",
    "seat": "The seat that moved, or chance.",
    "player": "Who has this seat, as in the games' file; empty for chance.",
    "how": "Who made the move: person, computer (also for a student who was away), clock, teacher, or chance.",
    "verb": "What was done; undo: the seat's last move was taken back.",
    "cards": "The cards with which it was done, separated by semicolons.",
    "move": "The move as it stands in the record.",
    "question": "For an answer: the verb of the question.",
    "guessed": "For a guess: the cards that were named, separated by semicolons.",
    "spot": "The cards that lay on the spot before the move, also face down, separated by semicolons.",
    "answer_s": "For an answer: the seconds that it took. For a person, as his browser measured them.",
    "face": "For an answer of a computer player: the face that it showed.",
    "at_s": "Seconds from the opening of the table to the move.",
    "undone": "yes: the move was taken back later. Such rows are not in the record.",
}
"""The columns of the moves; what each means."""

ANSWER_COLUMNS = {
    "number": "Number of the question within the class, from 1; all students are asked the same.",
    "kind": "guess, tunnel, meld, combo or holds: see docs/class-data.md.",
    "question": "The question.",
    "player": "The student's number. In anonymous files the number is drawn by lot.",
    "name": "What the student is called; empty in anonymous files.",
    "answer": "What was answered: a verb, three cards with commas between, or a whole number of percent.",
    "truth": "The best answer, the first of several; or the chance in percent.",
    "cost_points": "What the answer loses of the best one's chance, or how far it is off: in points of percent.",
    "at_s": "Seconds from the opening of the class to the answer.",
}
"""The columns of the answers to questions; what each means."""

CONTENTS = """\
records/ holds a record of each game that was played out, and of the others once the class is closed. "Open a record" in
the app and "cmgames verify" read one.

The CSV files are UTF-8 with a byte order mark, with commas between the cells and a point in decimal numbers. An
apostrophe stands before a cell that would begin with = + - or @."""


class Names:
    """What people are called in a file or on a page.

    Parameters
    ----------
    anonymous : numbers drawn by lot stand for the students; one `Names` gives each student the same number always.
    """

    def __init__(self, anonymous: bool = False) -> None:
        self.anonymous = anonymous
        self._drawn: dict[int, int] = {}

    def number(self, who: Who) -> int:
        """A student's number: within the class, or drawn by lot."""
        if not self.anonymous or who.guest is None:
            return who.number
        if who.guest not in self._drawn:
            free = set(range(1000, 10_000)) - set(self._drawn.values())
            self._drawn[who.guest] = random.SystemRandom().choice(sorted(free))
        return self._drawn[who.guest]

    def called(self, who: Who) -> str:
        """What a student or a computer player is called."""
        return f"Student {self.number(who)}" if self.anonymous and who.guest is not None else who.name

    def reason(self, game: Game) -> str:
        """Why a game ended; not why it was ended early where that may name somebody."""
        if game.table.outcome is not None:
            return game.table.outcome.reason
        return "" if self.anonymous else game.broken_off


def game_columns(rules: AnyGame) -> tuple[str, ...]:
    """The columns of the games' file, the seats' after the first two."""
    first, *rest = GAME_COLUMNS
    seats = [f"{column}_{at}" for at in range(1, len(rules.seats) + 1) for column in SEAT_COLUMNS]
    return (first, *seats, *rest)


def games_csv(results: ClassResults, names: Names) -> str:
    """The games, one a row, as CSV text with a byte order mark; columns as in `game_columns`."""
    rows = (_game_row(game, names, results.closed) for game in results.games)
    return _csv(game_columns(results.rules), rows)


def moves_csv(results: ClassResults, names: Names) -> str:
    """What was done at the tables, one move a row, as CSV text with a byte order mark; columns as in `MOVE_COLUMNS`.

    The texts of the rows that were not undone, in their order, are the moves of the game's record.
    """
    rows = (_move_row(game, row, made, names) for game in results.games for row, made in enumerate(game.made, 1))
    return _csv(tuple(MOVE_COLUMNS), rows)


def answers_csv(questions: Sequence[Question], given: Iterable[Given], names: Names) -> str:
    """The answers to questions, one a row, as CSV text with a byte order mark; columns as in `ANSWER_COLUMNS`."""
    return _csv(tuple(ANSWER_COLUMNS), (_answer_row(questions[one.number - 1], one, names) for one in given))


def _answer_row(question: Question, given: Given, names: Names) -> tuple[object, ...]:
    return (
        given.number,
        question.kind,
        question.words,
        names.number(given.who),
        "" if names.anonymous else given.who.name,
        given.answer,
        question.right,
        100 * given.cost,
        given.seconds,
    )


def records_zip(
    results: ClassResults, names: Names, questions: Sequence[Question] = (), given: Sequence[Given] = ()
) -> bytes:
    """The records of the games, the CSV files and an explanation of their columns, as a zip.

    A record shows every card and the seed: that of a game which was not played out is there only once the class is
    closed.
    """
    files = {"README.txt": readme(results, names), "games.csv": games_csv(results, names)}
    files["moves.csv"] = moves_csv(results, names)
    if questions:
        files["answers.csv"] = answers_csv(questions, given, names)
    for game in results.games:
        if file := record_name(game, results.closed):
            players = {seat: names.called(who) for seat, who in game.who.items()}
            files[file] = game.table.record(players).to_json() + "\n"
    packed = BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED) as pack:
        for name, text in files.items():
            pack.writestr(ZipInfo(name), text.encode(), ZIP_DEFLATED)
    return packed.getvalue()


def record_name(game: Game, closed: bool) -> str:
    """The file of a game's record; empty where the record may not be given away yet."""
    return f"records/table-{game.number}.json" if closed or game.ending == "played out" else ""


def readme(results: ClassResults, names: Names) -> str:
    """What is in the zip, in words."""
    seats = {f"{column}_1, {column}_2, ...": line for column, line in SEAT_COLUMNS.items()}
    people = "Numbers drawn by lot stand for the students." if names.anonymous else "The students' names are in it."
    parts = (
        f"A class that played {results.rules.title}. {people}",
        CONTENTS,
        "games.csv, one row a game",
        _columns(GAME_COLUMNS | seats),
        "moves.csv, one row a move",
        _columns(MOVE_COLUMNS),
        "answers.csv, where questions were asked, one row an answer",
        _columns(ANSWER_COLUMNS),
    )
    return "\n\n".join(parts) + "\n"


def _columns(columns: Mapping[str, str]) -> str:
    return "\n".join(f"  {name}: {line}" for name, line in columns.items())


def _game_row(game: Game, names: Names, closed: bool) -> tuple[object, ...]:
    by = Counter(made.how for made in game.moves)
    seats = [cell for seat, who in game.who.items() for cell in _seat_cells(seat, who, names)]
    return (
        game.number,
        *seats,
        game.round,
        game.same_deal,
        game.meanwhile,
        game.opened,
        game.lasted,
        game.ending,
        game.winner or "",
        names.reason(game),
        game.table.turn,
        len(game.moves),
        sum(made.undone for made in game.made if made.seat != CHANCE),
        *(by[how] for how in ("person", "computer", "clock", "teacher")),
        record_name(game, closed),
    )


def _seat_cells(seat: str, who: Who, names: Names) -> tuple[object, ...]:
    if who.guest is None:
        return seat, "computer", who.name, ""
    return seat, "person", names.number(who), "" if names.anonymous else who.name


def _move_row(game: Game, row: int, made: Made, names: Names) -> tuple[object, ...]:
    who = game.who.get(made.seat)
    tell = made.move.tell
    return (
        game.number,
        row,
        "" if made.ply is None else made.ply,
        made.turn,
        made.phase,
        made.seat,
        "" if who is None else who.name if who.guest is None else names.number(who),
        made.how,
        made.move.verb,
        "; ".join(made.move.cards),
        str(made.move),
        made.question,
        "; ".join(made.guessed),
        "; ".join(made.spot),
        "" if tell is None or tell.seconds is None else tell.seconds,
        "" if tell is None else tell.face,
        made.seconds,
        made.undone,
    )


def _csv(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    text = StringIO()
    writer = csv.writer(text)
    writer.writerow(columns)
    writer.writerows([cell(value) for value in row] for row in rows)
    return MARK + text.getvalue()


def cell(value: object) -> str:
    """A value as the text of a cell that no spreadsheet takes for a formula."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.2f}"
    text = str(value)
    return f"'{text}" if text.startswith(FORMULA) else text
