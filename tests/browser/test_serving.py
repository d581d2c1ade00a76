"""Real servers: kernels killed, frozen, cut off, left. A game survives, and a kernel does not outstay its page."""

from __future__ import annotations

import json
import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import nbformat
import psutil
import pytest
from playwright.sync_api import Browser, BrowserType, Error, Page, expect

from .clicker import Clicker, frames
from .conftest import LAPTOP, free_port, running, served
from .wire import Wire

pytestmark = pytest.mark.browser

Visit = Callable[[str], Clicker]


@pytest.fixture
def visit(browser: Browser) -> Iterator[Visit]:
    """Opens an address as somebody new, clock in hand; a request to another host fails the test."""
    strangers: list[str] = []
    contexts = []

    def arrived(address: str) -> Clicker:
        contexts.append(browser.new_context(viewport=LAPTOP))
        page = contexts[-1].new_page()
        page.clock.install()
        page.on("request", lambda request: strangers.append(request.url))
        page.goto(address)
        return Clicker(page)

    yield arrived
    for context in contexts:
        context.close()
    assert [url for url in strangers if not url.startswith(("http://127.0.0.1:", "data:", "blob:"))] == []


@pytest.fixture(scope="module", autouse=True)
def patient(voila: str, browser: Browser) -> Iterator[tuple[float, list[str]]]:
    """A page that is opened first and left alone: when, and the websockets that it has opened."""
    context, sockets = browser.new_context(), []
    page = context.new_page()
    page.on("websocket", lambda socket: sockets.append(socket.url))
    page.goto(voila)
    yield time.monotonic(), sockets
    context.close()


def draw_a_card(person: Clicker) -> list[str]:
    """Begin a game and draw; the hand."""
    person.begin("Cat & Mouse", seat="US Security")
    person.press("Draw")
    return hand(person)


def hand(person: Clicker) -> list[str]:
    expect(person.app.locator(".g-hand")).to_be_visible(timeout=20000)
    return person.app.locator(".g-hand .g-name").all_inner_texts()


def pick(person: Clicker) -> None:
    """Press the first card of the hand, whether or not anybody answers."""
    person.app.locator(".g-hand button").first.click()


def picked(person: Clicker) -> None:
    """Expect one card of the hand to be chosen."""
    expect(person.app.locator(".g-hand [aria-pressed=true]")).to_have_count(1, timeout=20000)


def banner(person: Clicker, text: str = "") -> None:
    """Expect the banner to say this, or to be gone; the page's clock is hurried until it does."""
    place = person.page.locator("#banner.shown")
    said = "unread"
    for _ in range(200):
        with suppress(Error):  # the page may be loading again
            said = "".join(place.all_inner_texts())
            if text in said if text else not said:
                return
            person.page.clock.run_for(250)
        time.sleep(0.05)
    raise AssertionError(f"the banner does not say {text!r}: {said}")


def kernel_id(page: Page) -> str:
    return str(json.loads(page.locator("script#kernel").text_content() or "")["id"])


def kernels(address: str) -> list[psutil.Process]:
    """The kernels of the server at an address, which this process has started."""
    port = re.findall(r":(\d+)", address)[0]
    server = next(child for child in psutil.Process().children() if port in child.cmdline())
    template = next(child for child in server.children() if "cmgames.ui.voila.template" in child.cmdline())
    return [child for child in template.children() if child.status() != psutil.STATUS_ZOMBIE]


def kernel(address: str, page: Page) -> psutil.Process:
    """The page's kernel, known by the sockets on which it listens."""
    id = kernel_id(page)
    return next(each for each in kernels(address) if any(id in held.laddr for held in each.net_connections("unix")))


def soon(true: Callable[[], bool], seconds: float = 15) -> bool:
    end = time.monotonic() + seconds
    while not true() and time.monotonic() < end:
        time.sleep(0.1)
    return true()


def test_a_killed_kernel_costs_nothing_but_a_moment(voila: str, visit: Visit) -> None:
    """The banner says so and the page comes back by itself; the second time it asks, so that it never spins."""
    person = visit(voila)
    page, held = person.page, draw_a_card(person)
    first = kernel_id(page)
    kernel(voila, page).kill()
    banner(person, "Your game is safe.")
    page.clock.run_for(2000)
    page.wait_for_function("id => document.getElementById('kernel')?.textContent.includes(id) === false", arg=first)
    assert hand(person) == held
    second = kernel_id(page)
    kernel(voila, page).kill()
    banner(person, "fell asleep or was interrupted")
    page.clock.run_for(5000)
    assert kernel_id(page) == second
    page.get_by_role("button", name="Go on with it").click()
    page.wait_for_function("id => document.getElementById('kernel')?.textContent.includes(id) === false", arg=second)
    assert hand(person) == held
    pick(person)
    picked(person)


def test_a_server_that_stops_and_starts_again_resumes_the_game(tmp_path: Path, visit: Visit) -> None:
    port, log = free_port(), tmp_path / "serve.log"
    address = f"http://127.0.0.1:{port}/"

    @contextmanager
    def server() -> Iterator[None]:
        command = [sys.executable, "-m", "cmgames", "serve", "--port", str(port)]
        with running(command, log, lambda: address in log.read_text(), CMGAMES_DATA=str(tmp_path / "data")):
            yield

    with server():
        person = visit(address)
        held, orphan = draw_a_card(person), kernel(address, person.page)
    assert not orphan.is_running()
    banner(person, "The connection is lost. Your game is safe")
    with server():
        banner(person)
        assert hand(person) == held
        pick(person)
        picked(person)


def test_a_lost_connection_comes_back_and_no_press_is_lost_or_doubled(voila: str, visit: Visit) -> None:
    """Cut off, or swallowing what is sent, as a weak wireless network does."""
    wire = Wire(voila)
    person = visit(wire.address)
    draw_a_card(person)
    same = kernel_id(person.page)
    wire.cut()
    banner(person, "The connection is lost. Your game is safe; this page keeps trying to reach it.")
    pick(person)
    wire.mend()
    banner(person)
    picked(person)
    wire.swallow()
    person.app.get_by_role("button", name="Large").click()
    banner(person, "The connection is lost.")
    wire.mend()
    banner(person)
    expect(person.app).to_have_class(re.compile("g-large"))
    assert kernel_id(person.page) == same


def test_a_frozen_kernel_is_told_and_goes_on_when_it_thaws(voila: str, visit: Visit) -> None:
    person = visit(voila)
    draw_a_card(person)
    frozen = kernel(voila, person.page)
    frozen.suspend()
    try:
        pick(person)
        banner(person, "The game does not answer. It is safe; you can wait or load it again.")
    finally:
        frozen.resume()
    banner(person)
    picked(person)


def test_a_browser_that_keeps_no_cookies_is_told_so(
    voila: str, tmp_path: Path, browser_type: BrowserType, browser_type_launch_args: dict[str, Any]
) -> None:
    settings = {"profile": {"default_content_setting_values": {"cookies": 2}}}
    (tmp_path / "Default").mkdir()
    (tmp_path / "Default" / "Preferences").write_text(json.dumps(settings))
    context = browser_type.launch_persistent_context(tmp_path, **browser_type_launch_args)
    page = context.pages[0]
    page.goto(voila)
    expect(page.locator("#banner.shown")).to_contain_text("This browser keeps no cookies")
    context.close()


def test_a_page_that_is_left_takes_its_kernel_along(tmp_path: Path, visit: Visit) -> None:
    """Reloaded, left and come back to, closed: beside the one held ready there is one kernel for each open page."""
    with served(tmp_path, "--preheat", "1") as address:
        person = visit(address)
        page, held = person.page, draw_a_card(person)
        assert soon(lambda: len(kernels(address)) == 2)
        page.reload()
        assert hand(person) == held
        assert soon(lambda: len(kernels(address)) == 2)
        page.goto("about:blank")
        assert soon(lambda: len(kernels(address)) == 1)
        page.go_back()
        assert hand(person) == held
        assert soon(lambda: len(kernels(address)) == 2)
        page.close()
        assert soon(lambda: len(kernels(address)) == 1)


PARTS = (Path(__file__).parent / "parts.py").read_text()
PYTHON = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
SAY = "shown.on_msg(lambda *_: print('the printed place'))"
FAULT = "raise ZeroDivisionError('the secret place')"


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A notebook of everything that a page may hold, and of an error."""
    folder = tmp_path_factory.mktemp("parts")
    cells = [nbformat.v4.new_markdown_cell("# A *heading*"), *map(nbformat.v4.new_code_cell, (PARTS, SAY, FAULT))]
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata=PYTHON), folder / "parts.ipynb")
    with served(folder, "--notebook", str(folder / "parts.ipynb")) as address:
        yield address


def test_several_widgets_with_bytes_and_references_and_other_outputs(parts: str, visit: Visit) -> None:
    page = visit(parts).page
    main = page.locator("main")
    expect(main).to_contain_text("points at hidden with 3 bytes")
    expect(main).to_contain_text("data 1,255")
    expect(main).to_contain_text("points at shown with 2 bytes")
    expect(main).to_contain_text("</script><script>window.hacked = 1</script><!--")
    page.get_by_role("button", name="shown").click()
    expect(main).to_contain_text("data 7,8")
    expect(main).to_contain_text("reversed 3,2,1")
    expect(main).to_contain_text('cannot draw a IntSliderModel. Start it with "cmgames serve --template lab" instead.')
    expect(main).to_contain_text("this part of the page could not be drawn. Your game is safe.")
    expect(main).to_contain_text("printed <b>")
    expect(main.locator("em", has_text="emphatic")).to_be_visible()
    expect(main.locator("svg circle")).to_be_attached()
    expect(main).to_contain_text("**marked**")
    expect(main).to_contain_text("{'plain': 1}")
    expect(main.get_by_role("heading", name="A heading")).to_be_visible()
    assert page.evaluate("window.hacked") is None


def test_errors_are_sentences_and_what_they_say_stays_in_the_log_and_what_is_printed_too(
    parts: str, visit: Visit
) -> None:
    person = visit(parts)
    received = frames(person.page)
    person.page.reload()
    expect(person.page.get_by_role("alert")).to_contain_text("could not be set up. Your game is safe.")
    person.page.get_by_role("button", name="shown").click()
    person.page.get_by_role("button", name="throw").click()
    banner(person, "Something went wrong. Your game is safe.")
    everything = person.page.content() + "".join(received)
    assert '"msg_type": "error"' in everything
    for leak in ("the printed place", "the secret place", "Traceback", "ZeroDivisionError", "division by zero"):
        assert leak not in everything


ASK = """
async types => {
  const {base, id} = JSON.parse(document.getElementById("kernel").textContent);
  const socket = new WebSocket(location.origin.replace("http", "ws") + base + "api/kernels/" + id + "/channels");
  const answers = [];
  const ask = ([type, content, channel]) => {
    const header = {msg_id: type, msg_type: type, session: "asks", username: "", version: "5.3", date: "2026-01-01"};
    socket.send(JSON.stringify({channel, content, header, parent_header: {}, metadata: {}}));
  };
  await new Promise(resolve => { socket.onopen = resolve; });
  const over = new Promise(resolve => { socket.onmessage = ({data}) => {
    const {header, parent_header} = JSON.parse(data);
    if (parent_header.session === "asks") answers.push(header.msg_type);
    if (header.msg_type === "comm_info_reply") resolve();
  }; });
  types.forEach(ask);
  ask(["comm_info_request", {}, "shell"]);
  await over;
  return answers;
}
"""
REQUESTS = [
    ("execute_request", {"code": "open('owned', 'w')", "silent": False}, "shell"),
    ("inspect_request", {"code": "cmgames", "cursor_pos": 3, "detail_level": 1}, "shell"),
    ("complete_request", {"code": "cmgames.", "cursor_pos": 8}, "shell"),
    ("history_request", {"hist_access_type": "tail", "n": 9, "raw": True, "output": True}, "shell"),
    ("is_complete_request", {"code": "1"}, "shell"),
    ("debug_request", {"type": "request", "seq": 1, "command": "debugInfo"}, "control"),
    ("input_reply", {"value": "1"}, "stdin"),
]
CLOSED = ["api/kernels", "api/sessions", "api/contents", "api/contents/play.ipynb", "api/terminals", "api/kernelspecs"]
CLOSED += ["api/status", "api/config/x", "voila/files/play.ipynb", "files/play.ipynb", "lab", "tree"]


def test_the_server_does_nothing_for_a_page_but_games(voila: str, visit: Visit) -> None:
    """No code is run, nothing is inspected or completed, no file is listed, and nobody learns of another's kernel."""
    first, second = visit(voila), visit(voila)
    ids = kernel_id(first.page), kernel_id(second.page)
    received = frames(second.page)
    assert set(second.page.evaluate(ASK, REQUESTS)) - {"status"} == {"comm_info_reply"}
    for path in CLOSED:
        answer = second.page.request.get(voila + path)
        assert answer.status in (403, 404), f"{path}: {answer.status}"
        received.append(answer.text())
    received.append(second.page.request.get(f"{voila}api/kernels/{ids[1]}").text())
    second.page.goto(f"{voila}no/such/page")
    received.append(second.page.content())
    assert ids[1] in "".join(received)
    assert ids[0] not in "".join(received)
    assert "default-src 'self'" in second.page.request.get(voila).headers["content-security-policy"]


def test_everybody_is_sent_the_same_page(voila: str, visit: Visit) -> None:
    """A hand comes over the websocket only, to whoever knows its token: the HTML holds nobody's cards or token."""
    person = visit(voila)
    draw_a_card(person)
    token = person.page.evaluate("localStorage['cmgames.token']")
    with person.page.expect_response(voila) as mine:
        person.page.reload()
    with (stranger := visit("about:blank").page).expect_response(voila) as theirs:
        stranger.goto(voila)
    pages = [
        re.sub(r"[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}", "ID", answer.value.text()) for answer in (mine, theirs)
    ]
    assert pages[0] == pages[1]
    assert token not in mine.value.text()


def test_the_template_for_stock_widgets_plays_the_games_too(tmp_path: Path, visit: Visit) -> None:
    with served(tmp_path, "--template", "lab") as address:
        person = visit(address)
        person.page.clock.resume()
        expect(person.app.get_by_role("heading", level=1)).to_be_visible(timeout=30000)
        person.begin("Tunnel Rat", seat="The rat")
        assert "win" in person.play_out()
        person.page.goto("about:blank")
        assert soon(lambda: not kernels(address))


STOCK = """
import ipywidgets
from IPython.display import display
slider, output = ipywidgets.IntSlider(), ipywidgets.Output()
@output.capture()
def tell(change):
    print("now", change["new"])
slider.observe(tell, "value")
display(slider, output)
"""


def test_stock_widgets_work_in_their_template(tmp_path: Path, visit: Visit) -> None:
    """Though a page can make none in its kernel, and in the slim template would hear nothing that is printed."""
    cells = [nbformat.v4.new_code_cell(STOCK)]
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata=PYTHON), tmp_path / "stock.ipynb")
    with served(tmp_path, "--template", "lab", "--notebook", str(tmp_path / "stock.ipynb")) as address:
        page = visit(address).page
        page.clock.resume()
        page.locator(".noUi-handle").press("ArrowRight", timeout=30000)
        expect(page.locator("body")).to_contain_text("now 1")


def test_the_same_table_in_notebook_7(tmp_path: Path, visit: Visit) -> None:
    cell = nbformat.v4.new_code_cell("import cmgames\ncmgames.play('cat-and-mouse', seat='us', opponent='collector')")
    nbformat.write(nbformat.v4.new_notebook(cells=[cell], metadata=PYTHON), tmp_path / "table.ipynb")
    port, log = free_port(), tmp_path / "notebook.log"
    command = [sys.executable, "-m", "notebook", "--allow-root", "--no-browser", "--IdentityProvider.token="]
    command += [f"--port={port}", f"--ServerApp.root_dir={tmp_path}", "--JupyterNotebookApp.news_url=None"]
    command += ["--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate"]
    with running(command, log, lambda: "is running at" in log.read_text()):
        person = visit(f"http://127.0.0.1:{port}/notebooks/table.ipynb")
        page = person.page
        page.clock.resume()
        page.locator(".jp-Notebook .jp-CodeCell").first.click(timeout=60000)
        expect(page.locator(".jp-Notebook-ExecutionIndicator[data-status=idle]")).to_be_attached(timeout=60000)
        page.keyboard.press("Control+Enter")
        expect(person.panel).to_be_visible(timeout=60000)
        person.press("Draw")
        expect(person.panel).to_contain_text("choose 1 to discard")


def test_a_page_that_is_left_alone_keeps_its_connection(patient: tuple[float, list[str]], visit: Visit) -> None:
    """Longer than two of the pings that the server sends every half minute; the other tests take most of that."""
    opened, sockets = patient
    visit("about:blank").page.wait_for_timeout(max(0, 1000 * (opened + 65 - time.monotonic())))
    assert len(sockets) == 1
