"""Questions on the screen: the position, an answer, then the truth; at the end how one did."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from cmgames.engine.game import AnyGame
from cmgames.engine.moves import Move
from cmgames.engine.registry import game as game_called
from cmgames.rooms.faults import Refused
from cmgames.rooms.questions import Question
from cmgames.ui import odds
from cmgames.ui.layout import Offer, Picks
from cmgames.ui.question_words import best, position, result, said, sentence, summary, truth
from cmgames.ui.screen import Button, Entry, Field, Grid, Message, Notice, Screen
from cmgames.ui.session import Page, Refusal, Session

if TYPE_CHECKING:
    from cmgames.rooms.classes import Class

Keep = Callable[[int, str], str]
"""Keeps the answer to question `number`, from 1; returns the one that counts: the first."""

LABEL = "Your answer, in percent"

WHY = {
    "guess": "A guess is worth what the card gives now and what best play makes of the rest.",
    "tunnel": "All cards that lie open are not in the deck: what is left counts.",
    "meld": "What lies in his discard pile he does not hold: such melds are less likely.",
    "combo": "Count the cards that would complete one, among all that you have not seen.",
    "holds": "Counted over all hands that he could hold. Nine cards must fit: that is rare.",
}


class Asked(Page):
    """A set of questions, one after the other.

    Parameters
    ----------
    rules : the game that they are about.
    questions : in their order.
    given : the answers that were given before, by number.
    keep : keeps an answer.
    back : the page to which one turns back.
    again : makes another set, where there is one.
    """

    def __init__(
        self,
        rules: AnyGame,
        questions: Sequence[Question],
        given: Mapping[int, str],
        keep: Keep,
        back: Page,
        again: Callable[[], Page] | None = None,
    ) -> None:
        self.rules = rules
        self.questions = questions
        self.given = dict(given)
        self.keep = keep
        self.back = back
        self.again = again
        self.typed, self.error = "", ""
        self.picks = Picks()
        self.number: int | None = self._next()

    def _next(self) -> int | None:
        """The first question that is not answered."""
        return next((n for n in range(1, len(self.questions) + 1) if n not in self.given), None)

    # Drawing

    def screen(self) -> Screen:
        if self.number is None:
            return self._overview()
        question, answer = self.questions[self.number - 1], self.given.get(self.number)
        screen = position(self.rules, question, self._offer(question, answer))
        title = f"{self.rules.title}: question {self.number} of {len(self.questions)}"
        bar = {"help": Button("Rules", {"do": "help"}), "overview": Button("Overview", {"do": "overview"})}
        screen = replace(screen, title=title, bar=bar | {"back": Button("Back", {"do": "back"})})
        if answer is None:
            return replace(
                screen,
                mine=True,
                fields=self._field(question),
                moves=self._moves(question),
                say=self.error or f"{title}. {question.words}",
            )
        told = sentence(question, answer)
        label = "How you did" if self._next() is None else "Next question"
        return replace(
            screen,
            prompt=told,
            odds=truth(question, answer),
            moves={"next": Button(label, {"do": "next"}, main=True)},
            notice=Notice("panel", WHY[question.kind], "info"),
            say=told,
        )

    def _offer(self, question: Question, answer: str | None) -> Offer:
        """The names to choose among, where the answer is a meld."""
        if answer is not None or question.kind != "meld":
            return Offer()
        return Offer(tuple(Move("guess", tuple(choice.split(", "))) for choice in question.choices), self.picks)

    def _field(self, question: Question) -> dict[str, Field]:
        """The field for a number of percent."""
        if question.choices:
            return {}
        line = "" if self.error else "A whole number from 0 to 100."
        send = {"do": "type", "number": self.number}
        return {"percent": Field(0, LABEL, "number", self.typed, send, help=line, error=self.error, last=True)}

    def _moves(self, question: Question) -> dict[str, Button]:
        if question.kind == "guess":
            return {
                guess: Button(label, self._answer(guess), art=self.rules.verbs[guess].card)
                for guess, label in odds.GUESSES.items()
            }
        if question.kind == "meld":
            picked = ", ".join(self.picks.choices[place] for place in sorted(self.picks.choices))
            off = "" if picked in question.choices else "Choose an Attack, a Group and a Target first."
            return {"answer": Button(f"Name: {picked}" if not off else "Name it", self._answer(picked), off, main=True)}
        return {"answer": Button("Answer", {"do": "answer", "number": self.number}, main=True)}

    def _answer(self, answer: str) -> Message:
        return {"do": "answer", "number": self.number, "answer": answer}

    def _overview(self) -> Screen:
        """How one did, and the way to each question."""
        title = f"{self.rules.title}: the questions"
        rows = {f"question {n}": self._row(n, question) for n, question in enumerate(self.questions, 1)}
        grid = Grid(0, summary(self.questions, self.given), ("Question", "You said", "Best", "Result"), rows)
        moves = {"back": Button("Back", {"do": "back"}, main=True)}
        if self._next() is not None:
            moves = {"next": Button("Go on", {"do": "next"}, main=True), "back": Button("Back", {"do": "back"})}
        elif self.again is not None:
            moves = {"again": Button("More questions", {"do": "again"}, main=True), "back": moves["back"]}
            moves["back"] = replace(moves["back"], main=False)
        return Screen(0, "board", title, grids={"questions": grid}, moves=moves, say=grid.title)

    def _row(self, number: int, question: Question) -> Entry:
        answer, send = self.given.get(number), {"do": "look", "number": number}
        title = f"{number}. {question.title}"
        if answer is None:
            return Entry(number, (title, "", "", "not answered"), send=send)
        cells = (title, said(question, answer), best(question), result(question, answer))
        return Entry(number, cells, "right" if question.is_best(question.cost(answer)) else "wrong", send=send)

    # What the person does

    def on_type(self, message: Message) -> None:
        """Take what is typed; a wrong number stands there with the reason."""
        self._demand_here(message)
        self.typed, self.error = str(message["value"])[:10], ""
        if self.typed.strip():
            self._read(self.typed)

    def _read(self, typed: str) -> str | None:
        """The answer, if it is one; else the reason stands beside the field."""
        assert self.number is not None
        try:
            return self.questions[self.number - 1].read(typed)
        except Refused as fault:
            self.error = str(fault)
            return None

    def on_choose(self, message: Message) -> None:
        """Pick one of the names of a meld."""
        question = self.questions[(self.number or 1) - 1]
        if self.number in (None, *self.given) or question.kind != "meld" or message["place"] not in (0, 1, 2):
            raise Refusal("There is nothing to choose now.")
        self.picks = replace(self.picks, choices={**self.picks.choices, message["place"]: str(message["card"])})

    def on_answer(self, message: Message) -> None:
        """Give the answer; the first one counts."""
        self._demand_here(message)
        assert self.number is not None
        question = self.questions[self.number - 1]
        answer = question.read(str(message["answer"])) if question.choices else self._read(self.typed)
        if answer is None:
            return  # the reason stands beside the field
        self.given[self.number] = self.keep(self.number, answer)

    def _demand_here(self, message: Message) -> None:
        """Refuse to answer another question than the one that is shown, or one that is answered."""
        if self.number is None or message["number"] != self.number or self.number in self.given:
            raise Refusal("This question is answered: go on.")

    def on_next(self, message: Message) -> None:
        """Turn to the next question, or to how one did."""
        self._turn_to(self._next())

    def on_overview(self, message: Message) -> None:
        """Turn to all questions."""
        self._turn_to(None)

    def on_look(self, message: Message) -> None:
        """Turn to one question."""
        if message["number"] not in range(1, len(self.questions) + 1):
            raise Refusal("There is no such question.")
        self._turn_to(int(message["number"]))

    def _turn_to(self, number: int | None) -> None:
        self.number, self.typed, self.error, self.picks = number, "", "", Picks()

    def on_again(self, message: Message) -> Page:
        """Turn to another set."""
        if self.again is None or self._next() is not None:
            raise Refusal("Answer these first.")
        return self.again()

    def on_help(self, message: Message) -> Page:
        """Turn to the rules."""
        from cmgames.ui.pages import rules

        return rules(self.rules, self)

    def on_back(self, message: Message) -> Page:
        """Turn back to where one came from."""
        return self.back

    def topics(self) -> tuple[str, ...]:
        return self.back.topics()

    def news(self) -> Page | None:
        turned = self.back.news()  # the game for which one waits
        return None if turned is self.back else turned


def class_set(session: Session, of: Class, back: Page) -> Asked:
    """The questions of a student's class; his answers are kept with it.

    Raises
    ------
    Refusal
        The class is asked none, or the person is not in it.
    """
    from cmgames.rooms import answers

    if not way_in(session, of):
        raise Refusal("There are no questions here.")
    _, guest = session.known()
    rules = game_called(of.game)
    return Asked(
        rules(rules.Options.make(of.options)),
        of.questions(),
        answers.of_guest(of.database, guest.id),
        lambda number, answer: answers.give(of, guest.id, number, answer),
        back,
    )


def way_in(session: Session, of: Class) -> dict[str, Button]:
    """The button that leads a student to his class's questions, where there are any."""
    from cmgames.rooms import answers

    _, guest = session.known()
    if not of.terms.questions or guest.class_id != of.id:
        return {}
    left = of.terms.questions - len(answers.of_guest(of.database, guest.id))
    label = f"Questions: {left} of {of.terms.questions} left" if left else "Questions: all answered"
    return {"questions": Button(label, {"do": "questions"})}
