"""Whole games in Chromium: by clicking, by keyboard, on one screen, with faults in between."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, expect

import cmgames
from cmgames.games import CatAndMouse

from .clicker import ENABLED, SECOND_TAP, Clicker, frames
from .conftest import LAPTOP, PHONE, served

pytestmark = pytest.mark.browser

GAMES = {"tunnel-rat": "Tunnel Rat", "cat-and-mouse": "Cat & Mouse"}
SIZES = {"phone": PHONE, "laptop": LAPTOP}


def notebook(code: str) -> str:
    """A notebook with one cell, as a file."""
    cell = {"cell_type": "code", "id": "a", "metadata": {}, "source": code, "outputs": [], "execution_count": None}
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    return json.dumps({"cells": [cell], "metadata": kernel, "nbformat": 4, "nbformat_minor": 5})


@pytest.fixture
def clicker(browser: Browser) -> Iterator[Callable[..., Clicker]]:
    """Opens pages with the page's clock in the test's hand; any request to another host fails the test."""
    strangers: list[str] = []
    contexts = []

    def opened(address: str, size: str = "laptop", **settings: Any) -> Clicker:
        context = browser.new_context(viewport=SIZES[size], **settings)
        contexts.append(context)
        page = context.new_page()
        page.clock.install()
        page.on("request", lambda request: strangers.append(request.url) if "//127.0.0.1" not in request.url else None)
        person = Clicker(page)
        person.open(address)
        return person

    yield opened
    for context in contexts:
        context.close()
    assert [url for url in strangers if not url.startswith(("data:", "blob:"))] == []


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(("game", "seat"), [("tunnel-rat", "The rat"), ("cat-and-mouse", "US Security")])
def test_a_whole_game_by_clicking(voila: str, clicker: Callable[..., Clicker], game: str, seat: str, size: str) -> None:
    person = clicker(voila, size)
    person.begin(GAMES[game], seat=seat)
    assert re.search(r"wins?[.!]", person.play_out())
    wider = person.page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wider <= 0, "nothing scrolls sideways"
    person.press("Step through")
    person.press("Step forward")
    expect(person.panel).to_contain_text("Looking back: move 1")
    person.press("Back to the present")
    with person.page.expect_download() as download:
        person.press("Save the record")
    assert cmgames.Table.from_record(Path(download.value.path()).read_text()).outcome is not None
    person.press("Play again")
    assert person.result() == ""


def test_a_whole_game_by_keyboard_alone(voila: str, clicker: Callable[..., Clicker]) -> None:
    person = clicker(voila)
    page = person.page

    def focused() -> str:
        return str(page.evaluate("document.activeElement.matches('button') ? document.activeElement.innerText : ''"))

    def tab_to(label: str) -> None:
        for _ in range(60):
            if label in focused():
                return
            page.keyboard.press("Tab")
        raise AssertionError(f"the Tab key does not lead to {label!r}")

    def press(key: str) -> None:
        page.clock.fast_forward(SECOND_TAP)
        page.keyboard.press(key)
        person.answered()

    tab_to("Tunnel Rat")
    press("Enter")
    tab_to("Start")
    press("Enter")
    page.keyboard.press("?")
    expect(person.app.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    for _ in range(400):
        if person.result():
            break
        n_moves = person.panel.locator(ENABLED).count()
        if not n_moves:
            person.wait()
            continue
        press(str(n_moves))
        assert page.evaluate("document.querySelector('.cmgames').contains(document.activeElement)"), (
            "focus stays inside"
        )
    assert person.result()


SIDES = {"terrorist": CatAndMouse.catalogue.names[:24], "us": CatAndMouse.catalogue.names[24:]}


def test_two_people_on_one_screen_and_every_frame(voila: str, clicker: Callable[..., Clicker]) -> None:
    """No frame that comes while one looks names a card of the other's that has not lain open on the table."""
    person = clicker(voila)
    received = frames(person.page)
    person.page.reload()
    person.begin(GAMES["cat-and-mouse"], opponent="A friend")
    looks, checked, public = "", 0, set[str]()
    for _ in range(150):
        curtain = person.panel.get_by_role("button", name="I am")
        if curtain.count():
            expect(person.app.locator(".g-card")).to_have_count(0)
            other = {"": "us", "us": "terrorist", "terrorist": "us"}[looks]
            named = {
                name for name in SIDES[other] for frame in received if re.search(rf'"{re.escape(name)}[#"]', frame)
            }
            assert named <= public, f"{looks} was sent {named - public}"
            checked += len(received)
            del received[:]
            looks = "us" if "US" in curtain.inner_text() else "terrorist"
            person.click(curtain)
        elif person.app.locator(".g-choice").count() or person.result():
            break
        else:
            person.step()
        piles = person.app.locator("[data-region$=discard] .g-name")
        public |= {" ".join(name.split()) for name in piles.all_inner_texts()}
    assert checked > 100


def test_an_exception_is_a_sentence_and_the_game_goes_on(tmp_path: Path, clicker: Callable[..., Clicker]) -> None:
    broken = tmp_path / "broken.ipynb"
    code = (
        "import cmgames\nfrom cmgames.ui.sitting import Sitting\nwhole, presses = Sitting.on_move, []\n"
        "def on_move(self, message):\n    presses.append(message)\n    if len(presses) == 1:\n"
        "        raise ZeroDivisionError('the secret place')\n    return whole(self, message)\n"
        "Sitting.on_move = on_move\ncmgames.app()"
    )
    broken.write_text(notebook(code))
    with served(tmp_path, "--notebook", str(broken)) as address:
        person = clicker(address)
        received = frames(person.page)
        person.page.reload()
        person.begin("Tunnel Rat")
        person.press("Is it a VC?")
        expect(person.app).to_contain_text("Something went wrong, your game is safe.")
        person.press("Is it a VC?")
        expect(person.panel).not_to_contain_text("Something went wrong")
        assert "secret place" not in person.page.content() + "".join(received)
    assert "the secret place" in "".join(path.read_text() for path in (tmp_path / "data").glob("*.log"))


def test_a_double_click_is_one_move(voila: str, clicker: Callable[..., Clicker]) -> None:
    person = clicker(voila)
    person.begin("Tunnel Rat")
    person.page.clock.fast_forward(SECOND_TAP)
    person.panel.get_by_role("button", name="No question").dblclick(delay=60)
    person.answered()
    expect(person.app.locator("[aria-current=step]")).to_contain_text("Trap Phase")
    person.press("Home")
    person.begin("Tunnel Rat", opponent="A friend")
    for manner in range(4):
        person.click(person.app.get_by_role("checkbox").nth(manner))
    person.press("Accepted")
    person.page.clock.fast_forward(SECOND_TAP)
    person.panel.get_by_role("button", name="I am the VC").click()
    person.answered()
    person.page.clock.fast_forward(SECOND_TAP)
    place = person.panel.get_by_role("button", name="Draw a card").bounding_box()
    assert place is not None
    for _ in range(3):
        person.page.mouse.click(place["x"] + 20, place["y"] + 20)
        person.answered()
    expect(person.panel.get_by_role("button", name="I am the rat")).to_be_visible()


def test_two_hundred_games_leave_one_widget(voila: str, clicker: Callable[..., Clicker]) -> None:
    """The number of elements, and of models in the page, is the same after many games."""
    person = clicker(f"{voila}?game=tunnel-rat")
    received = frames(person.page)
    person.page.reload()
    person.page.wait_for_timeout(300)
    person.choose("Just watch")
    sizes = []
    for game in range(200):
        person.press("Start")
        person.press("Home")
        person.click(person.tile("Tunnel Rat"))
        person.choose("Just watch")
        if game % 50 == 1:
            sizes.append(person.page.evaluate("document.querySelectorAll('*').length"))
    assert len(set(sizes)) == 1
    assert not [frame for frame in received if '"comm_open"' in frame]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_screen_violates_axe(voila: str, clicker: Callable[..., Clicker], scheme: Any) -> None:
    person = clicker(voila, "phone", color_scheme=scheme, reduced_motion="reduce")
    axe = Axe()

    def check(screen: str) -> None:
        found = axe.run(person.page)
        assert found.violations_count == 0, f"{screen}: {found.generate_report()}"

    check("home")
    person.press("About")
    check("about")
    person.press("Back")
    person.press("Open a record")
    check("record")
    person.press("Home")
    person.click(person.tile("Tunnel Rat"))
    person.app.get_by_text("More rules").click()
    check("form")
    person.press("Start")
    check("tunnel rat")
    person.press("Odds")
    check("tunnel rat, odds")
    person.press("Rules")
    check("rules")
    person.press("Back")
    person.play_out()
    check("tunnel rat, over")
    person.press("Review the game")
    check("review")
    person.click(person.app.locator("tbody button").first)
    check("before a choice")
    person.press("Back to the present")
    person.press("Another game")
    person.begin(GAMES["cat-and-mouse"], seat="US Security")
    person.press("Draw")
    person.page.clock.fast_forward(2000)
    check("cat and mouse")
    person.press("Odds")
    check("cat and mouse, odds")
    person.press("Home")
    person.begin(GAMES["cat-and-mouse"], opponent="A friend")
    check("curtain")
    person.press("I am")
    check("terrorist")
    person.press("Large")
    check("large")


def test_a_link_preselects(voila: str, clicker: Callable[..., Clicker]) -> None:
    person = clicker(f"{voila}?game=tunnel-rat&opponent=actor&max_questions=2")
    expect(person.app.get_by_role("radio", name="The actor")).to_be_checked()
    person.press("Start")
    person.press("Rules")
    expect(person.app).to_contain_text("at most 2 questions")


def test_a_reload_resumes_the_game(voila: str, clicker: Callable[..., Clicker]) -> None:
    person = clicker(voila)
    person.begin(GAMES["cat-and-mouse"], seat="US Security")
    person.press("Draw")
    hand = person.app.locator(".g-hand .g-name").all_inner_texts()
    person.page.reload()
    expect(person.app.locator(".g-hand")).to_be_visible()
    assert person.app.locator(".g-hand .g-name").all_inner_texts() == hand
    assert person.page.url == voila


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    ("game", "seat", "opponent"), [("tunnel-rat", "rat", "steady"), ("cat-and-mouse", "us", "collector")]
)
def test_the_same_tables_in_jupyterlab(
    lab: tuple[str, Path], browser: Browser, game: str, seat: str, opponent: str, size: str
) -> None:
    address, folder = lab
    name = f"{game}-{size}.ipynb"
    code = f"import cmgames\ncmgames.play('{game}', '{seat}', '{opponent}', seed=5)"
    (folder / name).write_text(notebook(code))
    context = browser.new_context(viewport=SIZES[size])
    page = context.new_page()
    page.goto(f"{address}lab/tree/{name}?reset")
    expect(page.locator(".jp-Notebook")).to_be_visible(timeout=60000)
    if size == "phone":
        page.keyboard.press("Control+B")  # the file list leaves no room for the notebook
    expect(page.get_by_text("| Idle")).to_be_visible(timeout=60000)
    page.locator(".jp-Cell .cm-content").first.click()
    page.keyboard.press("Control+Enter")
    person = Clicker(page)
    expect(person.panel).to_be_visible(timeout=60000)
    page.clock.install()
    assert re.search(r"wins?[.!]", person.play_out())
    context.close()
