"""How fast the page is: from the link to the first card, and from a click to the changed page.

The page is `cmgames serve`'s, the browser is Chromium, both on this computer.  A visit is measured from the start of
the navigation (a) to the home page's first tile and (b), for somebody who has a game under way, to the first card of
the resumed hand, which takes the websocket and one question and answer more.  *Cold* starts a kernel for the visit,
*preheated* finds one ready, *warm* is preheated with the browser's cache filled.  Medians of several visits.

Clicks are those of whole games against computer players, whose pauses are cut out: from the click to the changed
elements, and all messages from the click to the kernel's last word about it, in both directions.

    python -m benchmarks.page [visits] [games] [slim] [lab] [clicks] [jupyter]
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.browser.conftest import CHROMIUM, ROOT, free_port, running, served
from tests.browser.wire import Wire

VISITS = int(sys.argv[1]) if len(sys.argv) > 1 else 7
GAMES = int(sys.argv[2]) if len(sys.argv) > 2 else 40
PARTS = sys.argv[3:] or ["slim", "lab", "clicks", "jupyter"]
LIMITS = {
    ("slim", "cold"): 1200,
    ("slim", "preheated"): 400,
    ("slim", "warm"): 400,
    ("lab", "cold"): 2500,
    ("lab", "preheated"): 1500,
}

WATCH = """
window.clock = performance.now.bind(performance);
performance.now = () => 40 * clock();  // a second tap 10 ms after the first is then a press of its own
window.seen = {};
const note = () => {
  for (const [what, where] of [["tile", ".g-tile"], ["card", ".g-hand button"]])
    if (!(what in seen) && document.querySelector(where)) seen[what] = clock();
};
new MutationObserver(note).observe(document, {childList: true, subtree: true});

window.trips = {};
const ids = bytes => [...new TextDecoder().decode(bytes).matchAll(/"msg_id": ?"([^"]+)"/g)].map(match => match[1]);
window.WebSocket = class extends WebSocket {
  constructor(...where) {
    super(...where);
    this.addEventListener("message", ({data}) => {
      const trip = trips[ids(data)[1]];
      if (!trip) return;
      trip.messages++;
      trip.bytes += data.byteLength;
      if (/"execution_state": "idle"/.test(new TextDecoder().decode(data))) trip.over();
    });
  }
  send(data) {
    const trip = trips[ids(data)[0]] = window.trip = {messages: 1, bytes: data.byteLength};
    trip.end = new Promise(resolve => { trip.over = resolve; });
    super.send(data);
  }
};

window.later = setTimeout;
window.setTimeout = (deed, ms, ...rest) => later(deed, 200 < ms && ms < 4000 ? 20 : ms, ...rest);
"""

PLAY = """
async ([games, seed]) => {
  const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
  const root = document.querySelector(".cmgames"), enabled = ":not([aria-disabled=true])";
  const all = where => [...root.querySelectorAll(where)];
  const changed = () => new Promise(resolve => {
    const eye = new MutationObserver(() => { eye.disconnect(); resolve(clock()); });
    eye.observe(root, {attributeFilter: ["data-n"]});
  });
  const choose = () => {
    const moves = all("[data-region=panel] button" + enabled);
    const cards = all(`:is(.g-hand, .g-choice) button${enabled}`);
    const from = cards.length && (!moves.length || random() < 0.6) ? cards : moves.slice(-2);
    return from[Math.floor(random() * from.length)];
  };
  const clicks = [];
  for (let over = 0; over < games;) {
    const again = root.querySelector(".g-result") && all("button").find(button => /Play again/.test(button.innerText));
    if (again) over++;
    const button = again || choose();
    if (!button) { await changed(); continue; }
    const done = changed(), n = root.dataset.n, at = clock();
    window.trip = null;
    button.click();
    if (!trip) { await new Promise(resolve => later(resolve, 10)); continue; }  // a pause was just ending
    const {messages, bytes} = (await trip.end, trip);
    if (root.dataset.n !== n) clicks.push({ms: await done - at, messages, bytes});
  }
  return {clicks, screens: Number(root.dataset.n), elements: document.querySelectorAll("*").length};
}
"""


def row(name: str, value: str, measured: float | None = None, limit: float | None = None) -> None:
    """Print one result, and the issue's limit beside it."""
    verdict = (
        "" if measured is None or limit is None else f"  limit {limit:g}: {'PASS' if measured <= limit else 'OVER'}"
    )
    print(f"{name:44} {value:>34}{verdict}", flush=True)


def started(command_part: str) -> list[psutil.Process]:
    """Processes below this one with these words in their command."""
    alive = [child for child in psutil.Process().children(recursive=True) if child.status() != psutil.STATUS_ZOMBIE]
    return [child for child in alive if command_part in " ".join(child.cmdline())]


def kernels() -> list[psutil.Process]:
    """Kernels below this process: forked ones are the template's children, others have a connection file."""
    (template, *_) = started("cmgames.ui.voila.template") or [None]
    return [each for each in started("cmgames.ui.voila.template") if each != template] or started("kernel-")


def newcomer(browser: Browser, state: Any = None) -> tuple[BrowserContext, Page]:
    context = browser.new_context(viewport={"width": 1366, "height": 768}, storage_state=state)
    context.add_init_script(WATCH)
    return context, context.new_page()


def leave(context: BrowserContext) -> None:
    """Close the window as a person does, so that its kernel is ended."""
    for page in context.pages:
        page.goto("about:blank")
    context.close()


def visit(page: Page, address: str, what: str) -> tuple[float, int, float]:
    """Open a page: milliseconds to the first `what`, requests, KiB."""
    wire = page.context.new_cdp_session(page)
    wire.send("Network.enable")
    sizes: list[float] = []
    wire.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    page.goto(address, wait_until="commit")
    page.wait_for_function("what => what in seen", arg=what, timeout=60000)
    page.wait_for_timeout(500)
    milliseconds: float = page.evaluate("what => seen[what]", what)
    wire.detach()
    return milliseconds, len([size for size in sizes if size]), sum(sizes) / 1024


def begin(page: Page, address: str, game: str, seat: str) -> None:
    """Begin a game at a seat, in real time."""
    page.goto(address)
    page.locator(".g-tile", has_text=game).click()
    page.get_by_role("radio", name=seat).first.check()
    page.get_by_role("button", name="Start").click()
    page.locator(".g-felt").wait_for()


def under_way(browser: Browser, address: str) -> Any:
    """The browser storage of somebody with a game under way."""
    context, page = newcomer(browser)
    begin(page, address, "Cat & Mouse", "US Security")
    state = context.storage_state()
    leave(context)
    return state


def visits(browser: Browser, address: str, template: str, heat: str, ready: Callable[[], object]) -> None:
    """Measure visits to the home page and to a game under way."""
    state = under_way(browser, address)
    for what in ("tile", "card"):
        results = []
        context, page = newcomer(browser, state if what == "card" else None)
        for _ in range(VISITS + (heat == "warm")):
            if heat != "warm":
                leave(context)
                context, page = newcomer(browser, state if what == "card" else None)
            ready()
            results.append(visit(page, address, what))
            page.goto("about:blank")
        leave(context)
        ms, requests, size = (statistics.median(column) for column in zip(*results[heat == "warm" :], strict=True))
        name = f"{template}, {heat}: to the first {what}"
        row(name, f"{ms:.0f} ms, {requests:.0f} requests, {size:.1f} KiB", ms, LIMITS[template, heat])
    if template == "slim":
        row(f"{template}, {heat}: whole page, KiB", f"{size:.1f}", size, 100)


def full_pool(size: int) -> Callable[[], None]:
    """Waits until so many kernels are ready and quiet."""

    def wait() -> None:
        while len(kernels()) != size:
            time.sleep(0.1)
        time.sleep(1.2)

    return wait


def clicks(browser: Browser, address: str, games: int, command: str, name: str) -> None:
    """Play games and measure each click."""
    context, page = newcomer(browser)
    for game, seat in (("Tunnel Rat", "The rat"), ("Cat & Mouse", "US Security")):
        begin(page, address, game, seat)
        (kernel,) = kernels()
        (server, *_), fresh = started(command), kernel.memory_info().rss / 1e6
        before = [sum(each.cpu_times()[:2]) for each in (server, kernel)]
        first = int(page.locator(".cmgames").get_attribute("data-n") or 0)
        played = page.evaluate(PLAY, [games // 2, 7])
        after = [sum(each.cpu_times()[:2]) for each in (server, kernel)]
        ms = [click["ms"] for click in played["clicks"]]
        report(f"{name}, {game}", ms, played["clicks"])
        trips = played["screens"] - first
        cpu = [1000 * (b - a) / trips for a, b in zip(before, after, strict=True)]
        row("  CPU a screen, server + kernel", f"{cpu[0]:.1f} + {cpu[1]:.1f} ms")
        rss = kernel.memory_info().rss / 1e6
        row(f"  kernel RSS, fresh / after {games // 2} games", f"{fresh:.1f} / {rss:.1f} MB", rss, 60)
        page.evaluate("localStorage.clear()")
    leave(context)


def on_the_wire(browser: Browser, address: str) -> None:
    """Measure what a screen costs on the wire, where the websocket's messages are compressed."""
    wire = Wire(address)
    context, page = newcomer(browser)
    begin(page, wire.address, "Cat & Mouse", "US Security")
    before, first = wire.carried, int(page.locator(".cmgames").get_attribute("data-n") or 0)
    screens = page.evaluate(PLAY, [4, 7])["screens"] - first
    size = (wire.carried - before) / screens
    row("  bytes a screen on the wire, mean", f"{size:.0f}", size, 4096)
    leave(context)


def report(name: str, ms: list[float], played: list[dict[str, float]]) -> None:
    p50, p95 = statistics.median(ms), statistics.quantiles(ms, n=20)[-1]
    row(f"{name}: {len(ms)} clicks", f"p50 {p50:.1f} p95 {p95:.1f} ms", p95, 15)
    quarter = len(ms) // 4
    row(
        "  first and last quarter",
        f"p50 {statistics.median(ms[:quarter]):.1f}, {statistics.median(ms[-quarter:]):.1f} ms",
    )
    for what, limit in (("messages", 4), ("bytes", 4096)):
        values = [click[what] for click in played]
        p95, most = statistics.quantiles(values, n=20)[-1], max(values)
        row(f"  {what} a click", f"p50 {statistics.median(values):.0f} p95 {p95:.0f} most {most:.0f}", most, limit)


@contextmanager
def jupyter(folder: Path, **environment: str) -> Iterator[str]:
    """A Jupyter Server, as JupyterLab and Binder have it, showing the page through Voilà's extension."""
    port, log = free_port(), folder / "jupyter.log"
    command = [sys.executable, "-m", "jupyter_server", "--allow-root", "--no-browser", f"--port={port}"]
    command += ["--IdentityProvider.token=", f"--ServerApp.root_dir={ROOT}"]
    with running(command, log, lambda: "is running at" in log.read_text(), **environment):
        yield f"http://127.0.0.1:{port}/voila/render/notebooks/play.ipynb"


def main() -> None:
    """Measure everything and print it."""
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as scratch:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=CHROMIUM.split())
        folder = Path(scratch)
        for template in {"slim", "lab"} & set(PARTS):
            with served(folder, "--template", template) as address:
                visits(browser, address, template, "cold", full_pool(0))
            with served(folder, "--template", template, "--preheat", "2") as address:
                visits(browser, address, template, "preheated", full_pool(2))
                if template == "slim":
                    visits(browser, address, template, "warm", full_pool(2))
        if "clicks" in PARTS:
            with served(folder) as address:
                clicks(browser, address, GAMES, "cmgames serve", "click")
                on_the_wire(browser, address)
        if "jupyter" in PARTS:
            for name, environment in (("", {}), (" as on Binder", {"JUPYTER_CONFIG_PATH": str(ROOT / "binder")})):
                with jupyter(folder, **environment) as address:
                    clicks(browser, address, 4, "jupyter_server", f"Jupyter Server{name}")
        browser.close()


if __name__ == "__main__":
    main()
