"""Questions in a browser: a set by keyboard on a phone, and a class whose teacher sees the answers."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from .clicker import SECOND_TAP, Clicker
from .conftest import PHONE
from .test_rooms import KEY, School, Visit, check, school, visit, write

__all__ = ["school", "visit"]

pytestmark = pytest.mark.browser

PERCENT = "Your answer, in percent"


def key(person: Clicker, *keys: str) -> None:
    """Press keys, each a while after the last."""
    for one in keys:
        person.page.clock.fast_forward(SECOND_TAP)
        person.page.keyboard.press(one)
        person.answered()


def heard(person: Clicker) -> str:
    """What a screen reader was told last."""
    person.page.clock.fast_forward(200)
    return person.app.locator("[aria-live]").inner_text()


def test_a_set_by_keyboard_on_a_phone(visit: Visit) -> None:
    """Digits go into the field wherever one is; a wrong number is said once; the truth is above the fold; a reload."""
    person = visit("?game=tunnel-rat")
    person.press("Home")
    person.page.set_viewport_size(PHONE)
    person.app.get_by_role("button", name="Questions: Tunnel Rat").focus()
    key(person, "Enter")
    for number in range(1, 6):
        title = person.app.get_by_role("heading", level=1)
        expect(title).to_have_text(f"Tunnel Rat: question {number} of 5")
        expect(person.app.locator(".g-odds")).to_have_count(0)
        field = person.page.get_by_label(PERCENT)
        if field.count():
            expect(field).to_be_focused()
            person.panel.focus()
            person.page.keyboard.type("140")
            expect(field).to_have_value("140")
            key(person, "Enter")
            expect(person.app.locator(".g-panel").get_by_text("Write a whole number")).to_have_count(1)
            assert heard(person).startswith("Write a whole number from 0 to 100.")
            expect(person.app.locator(".g-notice")).to_have_count(0)
            check(person, "a wrong number")
            person.page.set_viewport_size(PHONE)
            person.page.reload()
            expect(title).to_have_text(f"Tunnel Rat: question {number} of 5")
            person.panel.focus()
            person.page.keyboard.type("40")
            key(person, "Enter")
            expect(person.panel).to_contain_text("You said 40\xa0%. It is ")
        else:
            check(person, "a choice")
            person.page.set_viewport_size(PHONE)
            person.panel.focus()
            key(person, "1")
            expect(person.panel).to_contain_text("You chose Advance")
        truth, panel = person.app.locator(".g-truth .g-chart").first.bounding_box(), person.panel.bounding_box()
        assert truth is not None
        assert panel is not None
        assert 0 <= truth["y"] < truth["y"] + truth["height"] <= panel["y"], "above the panel at the page's foot"
        assert person.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        check(person, "a truth")
        person.page.set_viewport_size(PHONE)
        person.panel.focus()
        key(person, "1")
    expect(person.app).to_contain_text("5 of 5 questions answered")
    assert person.app.locator(".g-box").evaluate("box => box.scrollWidth - box.clientWidth") <= 0, "nothing is cut off"
    check(person, "how one did")


def open_class(visit: Visit, game: str) -> tuple[Clicker, str]:
    """A teacher who has opened a class with two questions, and its code."""
    teacher = visit("teach")
    write(teacher, "The teacher's key", KEY.upper())
    teacher.press("Open a class")
    teacher.choose(game)
    write(teacher, "How many questions each student is asked", "2")
    teacher.press("Open the class")
    return teacher, teacher.app.get_by_role("heading", level=1).inner_text()[-5:]


def test_on_a_touch_screen_the_field_waits_for_a_finger(browser: Browser, school: School) -> None:
    """Else a keyboard would cover half of the position that one is asked about."""
    context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True)
    person = Clicker(context.new_page())
    person.page.clock.install()
    person.open(school.address)
    for label in ("Questions: Tunnel Rat", "Advance", "Next question"):
        person.page.clock.fast_forward(SECOND_TAP)
        person.app.get_by_role("button", name=label).tap()
        person.answered()
    field = person.page.get_by_label(PERCENT)
    expect(field).to_be_visible()
    expect(field).not_to_be_focused()
    context.close()


def test_a_partner_comes_while_a_number_is_written(visit: Visit) -> None:
    """The field is taken away with what stands in it, and nobody is told that something could not be done."""
    _, code = open_class(visit, "Tunnel Rat")
    ana = visit(f"?code={code}")
    write(ana, "Your name", "Ana")
    ana.press("Join")
    ana.press("Questions: 2 of 2 left")
    ana.press("Advance")
    ana.press("Next question")
    ana.page.keyboard.type("4")
    expect(ana.page.get_by_label(PERCENT)).to_have_value("4")
    ben = visit(f"?code={code}")
    ben.press("Join")
    expect(ana.app.get_by_role("heading", level=1)).to_contain_text("Tunnel Rat", timeout=15000)
    expect(ana.app.locator(".g-table, .g-page.g-form").first).to_be_visible()
    expect(ana.page.get_by_label(PERCENT)).to_have_count(0, timeout=15000)
    expect(ana.app.get_by_text("Your partner has come")).to_be_visible()
    expect(ana.app.get_by_text("cannot be done")).to_have_count(0)


def test_a_class_is_asked_and_its_teacher_sees_what_it_answered(visit: Visit, school: School) -> None:
    teacher, code = open_class(visit, "Cat & Mouse")
    teacher.press("Everybody waits")
    students = [visit(f"?code={code}") for _ in range(2)]
    for student, name in zip(students, ("Ana", "Ben"), strict=True):
        write(student, "Your name", name)
        student.press("Join")
        student.press("Questions: 2 of 2 left")
        check(student, "which meld")
        for place in range(3):
            student.click(student.app.locator(".g-choice").nth(place).get_by_role("button").first)
        student.press("Name: Nuclear, Middle Eastern, Military")
        expect(student.app.locator(".g-cube")).to_be_visible()
    ana = students[0]
    ana.page.reload()
    ana.press("Questions: 1 of 2 left")
    expect(ana.app.get_by_role("heading", level=1)).to_have_text("Cat & Mouse: question 2 of 2")
    expect(ana.app.locator(".g-odds")).to_have_count(0)
    write(ana, PERCENT, "40")
    ana.press("Answer")
    ana.press("How you did")
    teacher.press("Results")
    rows = teacher.app.locator("[data-region=questions] tbody tr")
    expect(rows.nth(0)).to_contain_text("Nuclear, Middle Eastern, Military (2 ×)")
    expect(rows.nth(1)).to_contain_text("2. Chance of a combo")
    expect(rows.nth(1)).not_to_contain_text("40")
    check(teacher, "results with questions")
    teacher.click(rows.nth(0).get_by_role("button"))
    expect(teacher.app.locator(".g-odds")).to_contain_text("2 of 2")
    check(teacher, "one question")
