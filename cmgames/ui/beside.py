"""The pages beside a class's board: its code for the wall, two students to be paired, a student's new way in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cmgames.ui.invitation import invitation
from cmgames.ui.screen import Block, Button, Choice, Field, Message, Screen
from cmgames.ui.session import Page, Refusal

if TYPE_CHECKING:
    from cmgames.ui.board import Board


COMPUTER = Choice("computer", "The computer", "Until a partner comes.")


class Beside(Page):
    """A page from which one turns back to the board, whose news it hears."""

    def __init__(self, board: Board) -> None:
        self.board = board

    def topics(self) -> tuple[str, ...]:
        return self.board.topics()

    def news(self) -> Page | None:
        turned = self.board.news()
        return self if turned is self.board else turned

    def on_back(self, message: Message) -> Page:
        """Turn back to the board."""
        return self.board


class Invitation(Beside):
    """The way into a class, for the last row of the classroom."""

    def screen(self) -> Screen:
        of = self.board.of
        here = f"{len(self.board.students)} have come. " if self.board.students else ""
        text = invitation(self.board.session.link, of.code, f"{here}Scan the picture, or type the link and the code.")
        back = {"back": Button("To the tables", {"do": "back"}, main=True)}
        return Screen(0, "text", "Join the class", text=text, moves=back, say=f"The code is {' '.join(of.code)}.")


class ByHand(Beside):
    """Lets two students play each other, or one the computer."""

    def __init__(self, board: Board) -> None:
        super().__init__(board)
        self.chosen = ["", ""]

    def screen(self) -> Screen:
        students = tuple(Choice(str(student.id), student.name) for student in self.board.idle())
        fields = {
            str(place): Field(place, label, "radio", self.chosen[place], {"do": "choose", "place": place}, choices)
            for place, (label, choices) in enumerate((("One", students), ("The other", (*students, COMPUTER))))
        }
        moves = {
            "pair": Button("Let these two play", {"do": "pair"}, main=True),
            "back": Button("Back", {"do": "back"}),
        }
        return Screen(0, "form", "Pair by hand", fields=fields, moves=moves, say="Pair by hand")

    def on_choose(self, message: Message) -> None:
        """Choose one of the two."""
        place, value = int(message["place"]), str(message["value"])
        known = [str(student.id) for student in self.board.idle()]
        if value in known or (place and value == COMPUTER.value):
            self.chosen[place] = value

    def on_pair(self, message: Message) -> Page:
        """Let the chosen ones play."""
        from cmgames.rooms import pairing

        one, other = self.chosen
        if not one or not other or one == other:
            raise Refusal("Choose two different students.")
        pairing.by_hand(self.board.of, int(one), None if other == COMPUTER.value else int(other))
        self.board.news()
        return self.board


class WaysIn(Beside):
    """Asks which student has another phone or browser now."""

    def screen(self) -> Screen:
        words = (
            "Is a student's phone lost, or has somebody another browser now? Press the name. You get a code, and the "
            "browser in which it is typed gets this student's place, with all games and results."
        )
        students = sorted(self.board.students, key=lambda student: student.gone_at is None)
        moves = {
            str(student.id): Button(
                student.name if student.gone_at is None else f"{student.name} (away)",
                {"do": "give", "student": student.id},
            )
            for student in students
        }
        back = {"back": Button("Back", {"do": "back"}, main=True)}
        title = "A new way in"
        return Screen(0, "text", title, text=(Block("p", words),), moves=back | moves, say=title)

    def on_give(self, message: Message) -> Page:
        """Turn to a student's code."""
        student = next((one for one in self.board.students if one.id == message["student"]), None)
        if student is None:
            raise Refusal("There is no such student in this class.")
        return WayIn(self.board, student.name, self.board.of.give_way_in(student.id))


class WayIn(Beside):
    """A student's new way in.

    Parameters
    ----------
    name : what the student is called.
    code : leads to his place.
    """

    def __init__(self, board: Board, name: str, code: str) -> None:
        super().__init__(board)
        self.name = name
        self.code = code

    def screen(self) -> Screen:
        line = f"{self.name} scans the picture with the new phone. The code works once, within 15 minutes."
        warning = Block(
            "warn", f"Show it to {self.name} alone: whoever uses it takes this place, and the old browser is out."
        )
        text = (*invitation(self.board.session.link, self.code, line), warning)
        back = {"back": Button("To the tables", {"do": "back"}, main=True)}
        say = f"The code is {' '.join(self.code)}."
        return Screen(0, "text", f"A new way in for {self.name}", text=text, moves=back, say=say)
