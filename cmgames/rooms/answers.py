"""The answers of a class's students to its questions; the first one to each counts."""

from __future__ import annotations

import time
from collections.abc import Mapping

import msgspec
from sqlalchemy import Connection, insert, select

from cmgames.rooms import news
from cmgames.rooms.classes import Class
from cmgames.rooms.database import Database
from cmgames.rooms.faults import Refused
from cmgames.rooms.results import Who
from cmgames.rooms.room import called
from cmgames.rooms.schema import ANSWERS, GUESTS


class Given(msgspec.Struct, frozen=True):
    """An answer.

    Attributes
    ----------
    who : the student who gave it.
    number : of the question within the class, from 1.
    answer, cost : what it was, and what it loses or how far it is off (see `cmgames.rooms.questions.Question`).
    seconds : from the opening of the class until then.
    """

    who: Who
    number: int
    answer: str
    cost: float
    seconds: float


def give(of: Class, guest: int, number: int, typed: str) -> str:
    """Keep a student's answer, unless he has given one; the one that counts.

    Raises
    ------
    Refused
        He is no student of this class, there is no such question, or this is no answer to it.
    """
    questions = of.questions()
    if number not in range(1, len(questions) + 1):
        raise Refused("There is no such question.")
    question = questions[number - 1]
    answer = question.read(typed)
    row = {"answer": answer, "cost": question.cost(answer), "made_at": time.time()}

    def work(connection: Connection) -> str:
        if connection.execute(select(GUESTS.c.class_id).where(GUESTS.c.id == guest)).scalar() != of.id:
            raise Refused("You are not in this class.")
        which = select(ANSWERS.c.answer).where(ANSWERS.c.guest_id == guest, ANSWERS.c.number == number)
        before: str | None = connection.execute(which).scalar()
        if before is None:
            connection.execute(insert(ANSWERS).values(guest_id=guest, number=number, **row))
            news.bump(connection, news.class_(of.id))
        return answer if before is None else before

    return of.database.write(work)


def of_guest(database: Database, guest: int) -> Mapping[int, str]:
    """A student's answers by the numbers of their questions."""
    query = select(ANSWERS.c.number, ANSWERS.c.answer).where(ANSWERS.c.guest_id == guest)
    return {row.number: row.answer for row in database.read(lambda connection: connection.execute(query).all())}


def of_class(of: Class) -> tuple[Given, ...]:
    """All answers of a class, by question, in the order in which they were given."""
    query = (
        select(ANSWERS, GUESTS.c.name, GUESTS.c.number.label("student"))
        .join_from(ANSWERS, GUESTS)
        .where(GUESTS.c.class_id == of.id)
        .order_by(ANSWERS.c.number, ANSWERS.c.made_at, ANSWERS.c.guest_id)
    )
    return tuple(
        Given(
            Who(row.guest_id, row.student, called(row.name, row.student)),
            row.number,
            row.answer,
            row.cost,
            round(row.made_at - of.made_at, 2),
        )
        for row in of.database.read(lambda connection: connection.execute(query).all())
    )
