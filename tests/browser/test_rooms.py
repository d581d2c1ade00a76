"""Several browsers at one table, and a class with its teacher, through a real server."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, Page, expect

from cmgames.rooms.database import Database
from cmgames.rooms.room import Room

from .clicker import SECOND_TAP, Clicker
from .conftest import LAPTOP, PHONE, served
from .test_serving import banner
from .wire import Wire

pytestmark = pytest.mark.browser

KEY = "the key of these tests"
BEAT = 15_000
"""Milliseconds of the page's clock after which it gives a sign of life."""

STUCK = 60
"""Seconds in which nobody can move, after which a game is stuck."""

FAR = "A friend on another screen"
MARKUP = "<b>Ana</b>"

Visit = Callable[..., Clicker]


class School:
    """A server, and a look into its database."""

    def __init__(self, address: str, folder: Path) -> None:
        self.address = address
        self.url = f"sqlite:///{folder}/data/rooms.sqlite"

    def room(self) -> Room:
        """The room that was opened last, as the database holds it."""
        database = Database(self.url)
        with database.engine.connect() as connection:
            number = connection.exec_driver_sql("SELECT max(id) FROM rooms").scalar_one()
        try:
            return Room(database, number)
        finally:
            database.close()


@pytest.fixture(scope="module")
def school(tmp_path_factory: pytest.TempPathFactory) -> Iterator[School]:
    folder = tmp_path_factory.mktemp("school")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CMGAMES_TEACHER_KEY", KEY)
        with served(folder) as address:
            yield School(address, folder)


@pytest.fixture
def visit(browser: Browser, school: School) -> Iterator[Visit]:
    """Opens pages as somebody new, clock in hand; a request to another host fails the test."""
    strangers: list[str] = []
    contexts = []

    def arrived(path: str = "", address: str = school.address) -> Clicker:
        contexts.append(browser.new_context(viewport=LAPTOP, reduced_motion="reduce"))
        return at(contexts[-1].new_page(), address + path)

    def at(page: Page, address: str) -> Clicker:
        page.clock.install()
        page.on("request", lambda request: strangers.append(request.url))
        person = Clicker(page, seed=len(contexts))
        person.open(address)
        return person

    yield arrived
    for context in contexts:
        context.close()
    assert [url for url in strangers if not url.startswith(("http://127.0.0.1:", "data:", "blob:"))] == []


def write(person: Clicker, label: str, text: str) -> None:
    """Fill in a field."""
    person.page.clock.fast_forward(SECOND_TAP)
    field = person.app.get_by_label(label)
    field.fill(text)
    field.blur()
    person.answered()


def check(person: Clicker, screen: str) -> None:
    """No violation of axe's rules, on a phone and on a laptop."""
    for size in (PHONE, LAPTOP):
        person.page.set_viewport_size(size)
        found = Axe().run(person.page)
        assert found.violations_count == 0, f"{screen}: {found.generate_report()}"


def code_of(person: Clicker) -> str:
    return person.app.locator(".g-code").inner_text().split()[-1]


def in_time(person: Clicker, what: Locator) -> None:
    """Wait for what comes only after a while; the page goes on giving signs of life."""
    for _ in range(12):
        person.page.clock.fast_forward(BEAT)
        person.page.wait_for_timeout(5000)
        if what.count():
            return
    expect(what).to_be_visible()


def accept(person: Clicker) -> None:
    """Promise the manners, where they are asked for."""
    expect(person.app.locator(".g-table, .g-page.g-form").first).to_be_visible(timeout=15000)
    boxes = person.app.get_by_role("checkbox")
    for place in range(boxes.count()):
        person.click(boxes.nth(place))
    if boxes.count():
        person.press("Accepted")


def pair(visit: Visit, game: str, seat: str, link: str = "", **terms: str) -> tuple[Clicker, Clicker]:
    """Two people at a table: who has opened it, and who has followed the link with the code."""
    one = visit(f"?{link}") if link else visit()
    if not link:
        one.click(one.tile(game))
    one.choose(seat)
    one.choose(FAR)
    for label, value in terms.items():
        write(one, label, value)
    one.press("Start")
    other = visit(f"?code={code_of(one).lower()}")
    expect(other.app.get_by_role("heading", level=1)).to_have_text(f"Join a game of {game}")
    other.press("Join")
    for person in (other, one):
        accept(person)
    return one, other


def play_on(*people: Clicker, until: Callable[[], bool] = lambda: False) -> None:
    """Whoever can clicks, until the game is over for everybody; pauses are passed by the pages' clocks."""
    moved = time.monotonic()
    while time.monotonic() < moved + STUCK:
        if until() or all(person.result() for person in people):
            return
        mover = next(filter(yours, people), None)
        if mover is not None:
            mover.step()
            moved = time.monotonic()
            continue
        for person in people:
            person.page.clock.fast_forward(500)
        time.sleep(0.05)
    raise AssertionError([person.app.inner_text()[:300] for person in people])


def yours(person: Clicker) -> bool:
    return person.app.locator(".g-panel.g-yours").count() > 0


def test_a_whole_game_of_tunnel_rat_and_another_one(visit: Visit, school: School) -> None:
    """A link, a code, a name with markup, a reload in the middle, the end on both screens, and once more."""
    ana = visit("?game=tunnel-rat&casualties_to_win=2&tunnels_to_win=2&max_questions=2")
    ana.choose("The rat")
    ana.choose(FAR)
    write(ana, "Your name", MARKUP)
    write(ana, "Seconds for a move", "600")
    ana.press("Start")
    check(ana, "waiting")
    code = code_of(ana)
    ben = visit(f"?code={code}")
    expect(ben.app.get_by_role("heading", level=1)).to_have_text("Join a game of Tunnel Rat")
    check(ben, "join")
    write(ben, "Your name", "Ben")
    ben.press("Join")
    accept(ben)
    for person, name in ((ana, "Ben"), (ben, MARKUP)):
        expect(person.app.locator(".g-others strong")).to_have_text(name)
        expect(person.app.locator(".g-others b")).to_have_count(0)
        expect(person.app.get_by_role("timer")).to_contain_text(re.compile(r"(9:\d\d|10:00)"))
    check(ben, "table with others and a clock")
    play_on(ana, ben, until=lambda: school.room().table.version > 12)
    before = school.room().table.record()
    for person, name in ((ana, "Ben"), (ben, MARKUP)):  # their addresses still name a game, and a code
        person.page.reload()
        expect(person.app.locator(".g-others strong")).to_have_text(name)
    assert school.room().table.record() == before
    play_on(ana, ben)
    results = [person.result() for person in (ana, ben)]
    assert sum(result.startswith("You win!") for result in results) == 1, results
    late = visit(f"?code={code}")
    expect(late.app).to_contain_text("There is no game and no class with this code")
    first = school.room().id
    for person in (ana, ben):
        person.press("Play again")
    accept(ben)
    play_on(ana, ben, until=lambda: school.room().table.version > 3)
    assert school.room().id == first + 1


def test_who_is_away_is_replaced_and_takes_the_seat_back(visit: Visit, school: School) -> None:
    terms = {"Seconds until somebody counts as gone": "30"}
    us, terrorist = pair(visit, "Cat & Mouse", "US Security", **terms)
    play_on(us, terrorist, until=lambda: school.room().table.version > 8)
    play_on(us, terrorist, until=lambda: school.room().table.seat == "terrorist")
    state = us.app.locator(".g-others .g-state")
    us.page.clock.fast_forward(BEAT)
    expect(state).to_contain_text("thinking")
    terrorist.page.goto("about:blank")
    in_time(us, state.filter(has_text="away"))
    in_time(us, us.panel.get_by_role("button", name="Let a computer player go on"))
    us.press("Let a computer player go on")
    play_on(us, until=lambda: yours(us))
    expect(us.app.locator(".g-log")).to_contain_text("A computer player stands in:")
    terrorist.open(school.address)
    terrorist.app.get_by_role("button", name="Take my seat back").wait_for(timeout=15000)
    terrorist.press("Take my seat back")
    expect(us.app.locator(".g-others .g-seat")).not_to_contain_text("computer")
    version = school.room().table.version
    play_on(us, terrorist, until=lambda: school.room().table.version > version + 6)
    assert set(school.room().how.values()) >= {"person", "computer"}


def test_two_tabs_and_two_clicks_are_one_move(visit: Visit, school: School) -> None:
    us, terrorist = pair(visit, "Cat & Mouse", "US Security")
    terrorist.page.clock.fast_forward(SECOND_TAP)
    terrorist.panel.get_by_role("button", name="Do not draw").dblclick(delay=30)
    terrorist.answered()
    assert school.room().table.version == 1
    expect(us.panel).to_contain_text("Your move")
    tab = Clicker(us.page.context.new_page())
    tab.page.clock.install()
    tab.open(school.address)
    expect(tab.panel).to_contain_text("Your move")
    for page in (us.page, tab.page):
        page.clock.fast_forward(SECOND_TAP)
    for person in (us, tab):
        person.panel.get_by_role("button", name="Draw a card").evaluate("button => button.click()")
    for person in (us, tab):
        person.answered()
        expect(person.panel).to_contain_text("choose 1 to discard")
    told = [person.panel.get_by_text("The table has moved on since").count() for person in (us, tab)]
    assert sum(told) == 1, told
    assert school.room().table.version == 2


def pair_over_a_wire(visit: Visit, school: School) -> tuple[Wire, Clicker, Clicker]:
    """Two people at a table, of whom US Security has to draw and can be cut off."""
    wire = Wire(school.address)
    us = visit(address=wire.address)
    us.begin("Cat & Mouse", seat="US Security", opponent=FAR)
    terrorist = visit(f"?code={code_of(us)}")
    terrorist.press("Join")
    terrorist.press("Do not draw")
    expect(us.panel).to_contain_text("Your move")
    return wire, us, terrorist


def test_clicks_while_offline_arrive_later_and_make_one_move(visit: Visit, school: School) -> None:
    wire, us, terrorist = pair_over_a_wire(visit, school)
    wire.cut()
    banner(us, "The connection is lost. Your game is safe")
    for _ in range(3):
        us.page.clock.fast_forward(6000)
        us.panel.get_by_role("button", name="Draw a card").click()
    assert school.room().table.version == 1
    wire.mend()
    banner(us)
    expect(us.panel).to_contain_text("choose 1 to discard", timeout=20000)
    us.page.clock.fast_forward(BEAT)
    time.sleep(1)
    assert school.room().table.version == 2
    expect(terrorist.app.locator(".g-log")).to_contain_text("US Security draws")


@pytest.mark.parametrize("how", ["offline", "dead"])
def test_a_press_without_a_connection_is_made_when_it_is_back(visit: Visit, school: School, how: str) -> None:
    """The browser knows that it is offline and says that it keeps the press; or the press is lost on its way."""
    wire, us, _ = pair_over_a_wire(visit, school)
    us.page.clock.fast_forward(SECOND_TAP)
    draw = us.panel.get_by_role("button", name="Draw a card")
    if how == "offline":
        us.page.context.set_offline(True)
        banner(us, "The connection is lost")
        for _ in range(2):
            draw.click()
            us.page.clock.fast_forward(6000)
        banner(us, "what you pressed is sent as soon as it is back")
        us.page.context.set_offline(False)
    else:
        wire.swallow()
        draw.click()
        wire.cut()
        banner(us, "The connection is lost")
        wire.mend()
    banner(us)
    expect(us.panel).to_contain_text("choose 1 to discard", timeout=20000)
    expect(us.panel.locator(".g-notice")).to_have_count(0)
    assert school.room().table.version == 2


def test_a_browser_that_comes_back_never_sees_the_home_page(visit: Visit, school: School) -> None:
    """Neither a reload nor the browser's own Back loses the game; Back at home leaves the app."""
    page = (person := visit()).page
    person.click(person.tile("Tunnel Rat"))
    page.go_back()
    expect(person.app.get_by_role("heading", level=1)).to_have_text("Which game?")
    person.begin("Tunnel Rat")
    note = "new MutationObserver(() => (window.seen ??= new Set()).add(document.querySelector('h1')?.textContent))"
    page.add_init_script(f"{note}.observe(document, {{childList: true, subtree: true}})")
    page.reload()
    expect(person.app.locator(".g-table")).to_be_visible()
    assert page.evaluate("seen.has('Tunnel Rat') && !seen.has('Which game?')")
    page.go_back()
    expect(person.app.get_by_role("heading", level=1)).to_have_text("Which game?")
    expect(person.app.locator(".g-page button").first).to_contain_text("Go on with your game")
    page.go_back()
    expect(page).to_have_url("about:blank")


def test_a_class_with_its_teacher(visit: Visit, school: School) -> None:
    """Three students, one of them odd; the board, a pause, a message, one table, the results, and nothing left."""
    teacher = visit("teach")
    write(teacher, "The teacher's key", KEY.upper())
    teacher.press("Open a class")
    check(teacher, "a new class")
    teacher.choose("Tunnel Rat")
    teacher.app.get_by_text("More rules").click()
    write(teacher, "Casualties that win", "1")
    write(teacher, "Tunnels that win", "1")
    teacher.press("Open the class")
    code = teacher.app.get_by_role("heading", level=1).inner_text()[-5:]
    check(teacher, "an empty board")
    students = [visit(f"?code={code}") for _ in range(3)]
    names = ("Zacharias", "Wilhelmine", "<i>Odd</i>")
    for student, name in zip(students, names, strict=True):
        expect(student.app.get_by_role("heading", level=1)).to_have_text("Join the class")
        write(student, "Your name", name)
        student.press("Join")
    pair, odd = students[:2], students[2]
    for student in pair:
        accept(student)
        expect(student.app.locator(".g-others strong")).to_have_text(re.compile("Zacharias|Wilhelmine"), timeout=15000)
    expect(odd.app).to_contain_text("Waiting for a partner")
    check(odd, "lobby")
    odd.page.clock.fast_forward(BEAT)
    expect(odd.app.locator(".g-table")).to_be_visible(timeout=30000)

    teacher.page.clock.fast_forward(BEAT)
    rows = teacher.app.locator("[data-region=tables] tbody tr")
    expect(rows).to_have_count(2, timeout=15000)
    expect(rows.filter(has_text="computer")).to_contain_text("<i>Odd</i>")
    check(teacher, "board")
    for student in pair:
        student.page.clock.fast_forward(BEAT)
    play_on(*pair, until=lambda: any(student.app.locator(".g-line").count() > 3 for student in pair))
    teacher.press("Everybody waits")
    for student in students:
        student.page.clock.fast_forward(BEAT)
        expect(student.panel).to_contain_text("Your teacher has stopped the class", timeout=15000)
    write(teacher, "Tell everybody", "Think <b>first</b>.")
    for student in students:
        expect(student.app.locator(".g-banner")).to_have_text("From the teacher: Think <b>first</b>.", timeout=15000)
    teacher.press("Go on")
    teacher.click(rows.filter(has_text="Zacharias").get_by_role("button"))
    expect(teacher.panel).to_contain_text("Let a computer player go on for Zacharias")
    expect(teacher.app.locator("[data-region=card] .g-card.g-up")).to_be_visible()
    check(teacher, "one table")
    teacher.press("Back to the class")
    for student in pair:
        student.page.clock.fast_forward(BEAT)
    play_on(*pair)
    teacher.press("Results")
    pictures = teacher.app.locator("img.g-img")
    expect(pictures).to_have_count(5, timeout=30000)
    assert min(pictures.evaluate_all("all => all.map(one => one.naturalWidth)")) > 100
    check(teacher, "results")
    teacher.press("Back")
    teacher.press("Close the class")
    teacher.press("Yes, close it")
    odd.page.clock.fast_forward(BEAT)
    expect(odd.app.locator(".g-result")).to_contain_text("The class was closed.", timeout=15000)
    teacher.press("Delete the class")
    teacher.press("Yes, delete it")
    expect(teacher.app).to_contain_text("There is none yet.")
    students[0].page.clock.fast_forward(BEAT)
    expect(students[0].app).to_contain_text("Your class was deleted, with all its games.", timeout=15000)
    students[0].page.reload()
    expect(students[0].app).to_contain_text("There is no game and no class with this code")
