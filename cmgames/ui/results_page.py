"""The results of a class, on the teacher's page: pictures, every game, one deal at all tables, files to take home."""

from __future__ import annotations

import time
from base64 import b64encode
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial

import msgspec

from cmgames.engine.game import AnyGame
from cmgames.engine.table import Table
from cmgames.engine.words import count
from cmgames.odds import tunnel_rat
from cmgames.rooms import answers, counts, export, news, results
from cmgames.rooms.classes import Class
from cmgames.rooms.questions import Question
from cmgames.rooms.results import Game
from cmgames.rooms.room import Room
from cmgames.rooms.terms import PERSON
from cmgames.ui import class_deals, class_review, phrases, pictures
from cmgames.ui.class_reviewing import Reviewing
from cmgames.ui.desk import Here
from cmgames.ui.odds import SOLVED, percent
from cmgames.ui.pictures import Picture
from cmgames.ui.question_words import points, said
from cmgames.ui.review_page import REVIEWED
from cmgames.ui.screen import Block, Button, Entry, Field, File, Grid, Message, Screen
from cmgames.ui.session import Page, Refusal, Session
from cmgames.ui.sitting import Sitting

PACE = 5.0
"""Seconds between two looks at what has changed: pictures that change all the time cannot be read."""

LINES = {
    "wins": "A mark is the part of the games that a seat won, its line the 95 % interval (Wilson).",
    "lengths": "The turns of the games that were played out, and the moves of their seats; dashed: the median.",
    "chances": "A line for each game, the thick one their average, which ends at the part of the games that were won. "
    "Luck pulls a line up or down and cancels out in the average; what is left is what the choices cost.",
    "guesses": "A row for each card that was guessed, a column for each that was there. Framed: the guess was right.",
    "answers": "Each point is an answer as the browser measured it, the thick line the median, "
    "the frame holds the middle half. If the frames differ from card to card, the class may have a tell.",
}
RATS = {"best": "with best play", "advance": "if he always advances", "uniform": "if he names any card"}
"""The policies whose value stands beside a class's."""

HEADINGS = {
    "wins": "Wins by seat",
    "lengths": "Length of the games",
    "chances": "{whose}'s chance to win, turn by turn",
    "guesses": "What was guessed, and what was there",
    "answers": "How long the answers took",
}


class Results(Page):
    """The results of a class.

    Parameters
    ----------
    session : a teacher's.
    of : the class.
    back : the page to which one turns back from here.

    Raises
    ------
    Refusal
        The session is no teacher's.
    """

    def __init__(self, session: Session, of: Class, back: Page) -> None:
        if not session.teacher:
            raise Refusal("This page is for teachers.")
        self.session = session
        self.of = of
        self.back = back
        self.names = export.Names()
        self.results = results.load(of.database, of.id)
        self.questions = of.questions()
        self.given = answers.of_class(of)
        self.file: File | None = None
        self._looked_at = time.monotonic()
        self.reviews = class_review.Reviews()
        self._drawn: dict[str, tuple[object, Picture]] = {}

    def screen(self) -> Screen:
        file, self.file = self.file, None
        title = f"{self.results.rules.title}: the results of class {self.results.code}"
        return Screen(
            0,
            "board",
            title,
            text=(Block("p", self._summary()), *self._pictures()),
            fields={"anonymous": self._anonymous()},
            moves={
                "games": Button("Save the games (CSV)", {"do": "save", "what": "games"}),
                "moves": Button("Save the moves (CSV)", {"do": "save", "what": "moves"}),
                **self._answers_button(),
                **self._review_button(),
                "zip": Button("Save everything (zip)", {"do": "save", "what": "zip"}),
                "back": Button("Back", {"do": "back"}, main=True),
            },
            grids={
                "games": self._games(),
                **self._reviewed(),
                **class_deals.grids(self.results, self._seen()),
                **self._questions(),
            },
            save=file,
            say=title,
        )

    def topics(self) -> tuple[str, ...]:
        return (news.class_(self.of.id),)

    def news(self) -> Page | None:
        now = time.monotonic()
        if now - self._looked_at < PACE:
            return None
        self._looked_at = now
        before = (self.results.stamp, self.given)
        self._load()
        return None if before == (self.results.stamp, self.given) else self

    def _load(self) -> None:
        """Read what has happened since."""
        self.results = results.load(self.of.database, self.of.id, self.results)
        self.given = answers.of_class(self.of)

    # What is shown

    def _summary(self) -> str:
        """How many games there are, in words."""
        games = self.results.games
        found, meanwhile = counts.endings(games), counts.endings(games, meanwhile=True)
        parts = [f"{count(found['played out'], 'game')} played out"]
        parts += [f"{found[ending]} {ending}" for ending in ("ended early", "in play") if found[ending]]
        words = f"{', '.join(parts)}."
        if any(meanwhile.values()):
            apart = count(sum(meanwhile.values()), "game")
            words += f" Apart from these, {apart} against the computer until a partner came."
        if damaged := self.results.damaged:
            words += f" Damaged and left out: {', '.join(map(str, damaged))}."
        return words if self.results.closed else f"{words} Records of games that are not played out come at the close."

    def _pictures(self) -> Iterator[Block]:
        """Each picture for which there is something to be seen, with its heading and its sentences."""
        for name, (data, draw) in self._to_draw().items():
            if data:
                picture = self._picture(name, data, draw)
                what, _, seat = name.partition(" ")
                whose = phrases.capital(phrases.seat_title(self.results.rules, seat)) if seat else ""
                yield from (Block("h", HEADINGS[what].format(whose=whose)), Block("img", picture.alt, picture.src))
                yield Block("p", LINES[what])
                if what == "wins":
                    yield Block("p", theory(self.results.rules))
                if what == "chances":
                    yield Block("p", class_review.summary(self._seen(), seat))

    def _to_draw(self) -> dict[str, tuple[object, Callable[[], Picture]]]:
        """For each picture what it shows, and how it is drawn."""
        rules, games = self.results.rules, self.results.games
        won, long = counts.wins(games), counts.lengths(games)
        places, given = counts.places(rules, counts.guesses(games)), counts.answers(games)
        return {
            "wins": (won, lambda: pictures.wins(rules, won)),
            "lengths": (long, lambda: pictures.lengths(long)),
            **self._chances(),
            "guesses": (places, lambda: pictures.guesses(rules, places)),
            "answers": (given, lambda: self._answers(given)),
        }

    def _chances(self) -> dict[str, tuple[object, Callable[[], Picture]]]:
        curves = class_review.curves(self._seen())
        return {f"chances {seat}": (panels, partial(pictures.chances, panels)) for seat, panels in curves.items()}

    def _picture(self, name: str, data: object, draw: Callable[[], Picture]) -> Picture:
        """The picture, drawn anew only when what it shows has changed."""
        drawn = self._drawn.get(name)
        if drawn is None or drawn[0] != data:
            drawn = self._drawn[name] = data, draw()
        return drawn[1]

    def _answers(self, given: Sequence[counts.Answer]) -> Picture:
        rules = self.results.rules
        cards = counts.by_card(rules, given)
        questions = counts.by_question(rules, given)
        panels = {
            "By the card that lay there": {phrases.cards(names) or "None": cards[names] for names in cards},
            "By the question": {rules.verbs[verb].button: questions[verb] for verb in questions if verb},
        }
        return pictures.answers({title: lines for title, lines in panels.items() if lines})

    def _anonymous(self) -> Field:
        line = "Numbers drawn by lot stand for the students, on this page and in the files."
        value = str(self.names.anonymous).lower()
        return Field(0, "Leave out all names", "check", value, {"do": "anonymous"}, help=line)

    def _games(self) -> Grid:
        rules = self.results.rules
        seats = tuple(phrases.capital(seat.title) for seat in rules.seats.values())
        rows = {f"room {game.room}": self._game(at, game) for at, game in enumerate(self.results.games)}
        columns = ("Table", *seats, "Round", "How it ended", "Turns", "Moves")
        return Grid(0, "The games", columns, rows, "There is none yet.")

    def _game(self, at: int, game: Game) -> Entry:
        who = tuple(self.names.called(who) if who.guest else f"computer ({who.name})" for who in game.who.values())
        which = "meanwhile" if game.meanwhile else str(game.round)
        cells = (str(game.number), *who, which, self._ended(game), str(game.table.turn), str(len(game.moves)))
        return Entry(at, cells, "over" if game.over else "", send={"do": "open", "room": game.room})

    def _ended(self, game: Game) -> str:
        if game.table.outcome is not None:
            return phrases.outcome(self.results.rules, game.table.outcome)
        reason = self.names.reason(game)
        return f"{game.ending}: {reason}" if reason else game.ending

    def _reviewed(self) -> dict[str, Grid]:
        """What the choices of each student cost in the games that were played out, where that is known."""
        if self.results.rules.name not in REVIEWED:
            return {}
        return {"choices": class_review.grid(self.results.rules, self._seen(), self.names.called)}

    def _review_button(self) -> dict[str, Button]:
        missing = self.reviews.missing(self.results.games)
        words = f"Look at what the choices cost ({count(len(missing), 'review')})"
        return {"review": Button(words, {"do": "review"})} if missing else {}

    def _seen(self) -> class_review.Seen:
        return self.reviews.of(self.results.games)

    def _answers_button(self) -> dict[str, Button]:
        send = {"do": "save", "what": "answers"}
        return {"answers": Button("Save the answers (CSV)", send)} if self.questions else {}

    def _questions(self) -> dict[str, Grid]:
        """How the questions were answered."""
        if not self.questions:
            return {}
        rows = {f"question {n}": self._question(n, question) for n, question in enumerate(self.questions, 1)}
        columns = ("Question", "Answered", "As well as can be", "Off by, on average", "Most often")
        return {"questions": Grid(1000, "Questions", columns, rows)}

    def _question(self, number: int, question: Question) -> Entry:
        given = [one for one in self.given if one.number == number]
        good = str(sum(question.is_best(one.cost) for one in given)) if given else ""
        off = points(sum(one.cost for one in given) / len(given)) if given else ""
        most = Counter(one.answer for one in given).most_common(1)
        often = "".join(f"{said(question, answer)} ({times}\N{NO-BREAK SPACE}×)" for answer, times in most if times > 1)
        cells = (f"{number}. {question.title}", str(len(given)), good, off, often)
        return Entry(number, cells, send={"do": "question", "number": number})

    # What the teacher does

    def on_review(self, message: Message) -> Page:
        """Turn to the page that makes the reviews that take time."""
        return Reviewing(self)

    def on_question(self, message: Message) -> Page:
        """Turn to a question and its answers."""
        if message["number"] not in range(1, len(self.questions) + 1):
            raise Refusal("There is no such question.")
        from cmgames.ui.answered import Answered

        return Answered(self, int(message["number"]))

    def on_anonymous(self, message: Message) -> None:
        """Leave out the names, or show them again."""
        self.names = export.Names(str(message["value"]).lower() == "true")

    def on_open(self, message: Message) -> Page:
        """Turn to a game, or to one of its positions."""
        game = next((game for game in self.results.games if game.room == message["room"]), None)
        if game is None:
            raise Refusal("That is no table of this class.")
        desk = self._unnamed(game) if self.names.anonymous else Room(self.of.database, game.room)
        sitting = Sitting.resumed(self.session, desk, onlooker=True, back=self)
        if "ply" in message:
            sitting.on_look(message)
        return sitting

    def _unnamed(self, game: Game) -> Here:
        """A game as it was read last, without the people at it."""
        players = {seat: PERSON if who.guest else who.name for seat, who in game.who.items()}
        return Here(Table.from_record(game.table.record()), players)

    def on_save(self, message: Message) -> None:
        """Offer a file: the games, the moves, or everything."""
        self._load()
        what, name = str(message["what"]), f"class-{self.results.code}-{time.strftime('%Y%m%d-%H%M%S')}"
        if what == "games":
            self.file = File(f"{name}-games.csv", export.games_csv(self.results, self.names))
        elif what == "moves":
            self.file = File(f"{name}-moves.csv", export.moves_csv(self.results, self.names))
        elif what == "answers":
            self.file = File(f"{name}-answers.csv", export.answers_csv(self.questions, self.given, self.names))
        elif what == "zip":
            packed = b64encode(export.records_zip(self.results, self.names, self.questions, self.given)).decode()
            self.file = File(f"{name}.zip", packed, base64=True)
        else:
            raise Refusal("There is no such file.")

    def on_back(self, message: Message) -> Page:
        """Turn back to where one came from."""
        return self.back


def theory(rules: AnyGame) -> str:
    """What is known of the chances of a game under its options."""
    if rules.name not in SOLVED:
        return "No exact value of this game is known: no theory stands beside these numbers."
    parts = [f"{words} {percent(_worth(policy, rules.options))}" for policy, words in RATS.items()]
    return f"In theory the rat wins, as long as the VC's face tells nothing, {', '.join(parts)} of the games."


@lru_cache(maxsize=64)
def _worth(policy: str, options: msgspec.Struct) -> float:
    """The chance of a rat to win who keeps to a policy; worked out once, as the page is drawn often."""
    return float(tunnel_rat.evaluate(policy, exact=False, **msgspec.to_builtins(options)))
