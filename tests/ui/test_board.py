"""The board of a class on a phone, drawn by a real browser without a server."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from cmgames.ui.widget import GameWidget
from tests.browser.conftest import PHONE, browser_type_launch_args

from .conftest import Teach, Visit
from .test_classroom import opened, seated
from .test_rooms import hear, join

__all__ = ["browser_type_launch_args"]

pytestmark = pytest.mark.browser

DRAW = """async ([module, css, screen]) => {
  document.head.append(Object.assign(document.createElement("style"), { textContent: css }));
  const { default: widget } = await import(URL.createObjectURL(new Blob([module], { type: "text/javascript" })));
  widget.render({ model: { get: () => screen, set() {}, on() {}, off() {}, send() {} }, el: document.body });
}"""


def test_a_phone_shows_a_table_of_the_tables_without_scrolling_sideways(teach: Teach, visit: Visit, page: Page) -> None:
    teacher, code = opened(teach, game="cat-and-mouse")
    students = [visit(), visit()]
    for name, student in zip(("Wilhelmine Charlotte", "Donaudampfschifffahrtsge"), students, strict=True):
        join(student, code, name)
    seated(*students)
    hear(teacher)
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    page.evaluate(DRAW, [GameWidget._esm, GameWidget._css, teacher.screen.to_dict()])
    columns = page.get_by_role("table", name="Tables").get_by_role("columnheader")
    expect(columns).to_have_text(["Table", "The Terrorist", "US Security", "State", "Since the last move"])
    box = page.locator(".g-box").first
    assert box.evaluate("box => box.scrollWidth <= box.clientWidth")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
