"""One whole game in Firefox and in WebKit, by real clicks: many phones are iPhones."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, Protocol

import pytest
import websocket
from selenium.common.exceptions import ElementNotInteractableException, StaleElementReferenceException
from selenium.webdriver import WebKitGTK, WebKitGTKOptions
from selenium.webdriver.common.by import By
from selenium.webdriver.webkitgtk.service import Service

from .conftest import free_port

LOOK = """(() => {
  const app = document.querySelector(".cmgames");
  if (!app) return "{}";
  const buttons = [...document.querySelectorAll("button")];
  const seen = buttons.filter((b) => b.getAttribute("aria-disabled") !== "true" && b.getClientRects().length);
  return JSON.stringify({
    n: app.dataset.n, result: app.querySelector(".g-result")?.innerText ?? "",
    buttons: Object.fromEntries(seen.map((b) => [b.innerText.trim().replace(/^\\d\\s+/, ""), buttons.indexOf(b)])),
  });
})()"""


class Driver(Protocol):
    """What a game needs of a browser."""

    def look(self) -> dict[str, Any]:
        """What `LOOK` finds on the page."""

    def click(self, button: int) -> None:
        """A real click on the button of that number."""


class Firefox:
    """Debian's Firefox through WebDriver BiDi, which it speaks without a driver."""

    def __init__(self, address: str, port: int) -> None:
        self.socket = websocket.create_connection(f"ws://127.0.0.1:{port}/session", suppress_origin=True, timeout=60)
        self.count = 0
        self.tell("session.new", capabilities={})
        self.context = self.tell("browsingContext.getTree")["contexts"][0]["context"]
        self.tell("browsingContext.navigate", context=self.context, url=address, wait="complete")

    def close(self) -> None:
        self.socket.close()

    def tell(self, method: str, **params: Any) -> Any:
        self.count += 1
        self.socket.send(json.dumps({"id": self.count, "method": method, "params": params}))
        while True:
            answer = json.loads(self.socket.recv())
            if answer.get("id") == self.count:
                assert answer["type"] == "success", answer
                return answer["result"]

    def evaluate(self, expression: str) -> Any:
        target = {"context": self.context}
        answer = self.tell("script.evaluate", expression=expression, target=target, awaitPromise=True)
        return answer["result"]["value"]

    def look(self) -> dict[str, Any]:
        seen: dict[str, Any] = json.loads(self.evaluate(LOOK))
        return seen

    def click(self, button: int) -> None:
        place = self.evaluate(
            f"(() => {{ const b = document.querySelectorAll('button')[{button}];"
            "b?.scrollIntoView({block: 'center'});"
            "const r = b?.getBoundingClientRect(); return JSON.stringify(r && [r.x + r.width / 2, r.y + r.height / 2])"
            " ?? 'null'; })()"
        )
        if place == "null":  # the page was faster: the game looks again
            return
        x, y = map(round, json.loads(place))
        deeds = [
            {"type": "pointerMove", "x": x, "y": y},
            *({"type": f"pointer{do}", "button": 0} for do in ("Down", "Up")),
        ]
        pointer = {"type": "pointer", "id": "mouse", "actions": deeds}
        self.tell("input.performActions", context=self.context, actions=[pointer])


class WebKit:
    """WebKitGTK's small browser through its own driver."""

    def __init__(self, address: str) -> None:
        options = WebKitGTKOptions()
        browsers = sorted(Path("/usr/lib").glob("*/webkit2gtk-*/MiniBrowser"))
        options.binary_location = str(browsers[-1])
        options.add_argument("--automation")
        self.driver = WebKitGTK(options=options, service=Service(shutil.which("WebKitWebDriver")))
        self.driver.get(address)

    def look(self) -> dict[str, Any]:
        seen: dict[str, Any] = json.loads(self.driver.execute_script(f"return {LOOK}"))
        return seen

    def click(self, button: int) -> None:
        with suppress(
            StaleElementReferenceException, ElementNotInteractableException, IndexError
        ):  # the page was faster: the game looks again
            self.driver.find_elements(By.TAG_NAME, "button")[button].click()


def whole_game(driver: Driver) -> str:
    """Play the rat, who asks nothing and always advances, to the end."""
    # A page that changes between look and click may have opened the list of keys: it is closed first.
    wanted = ["Close", "Another game", "Tunnel Rat", "Start", "No question", "Advance"]
    seen, end = driver.look(), time.monotonic() + 150
    while time.monotonic() < end:
        if seen.get("result"):
            return str(seen["result"])
        known = seen.get("buttons", {})
        button = next((known[label] for want in wanted for label in known if want in label), None)
        if button is not None:
            time.sleep(0.4)  # a press that comes sooner counts as a second tap
            driver.click(button)
        before = seen.get("n")
        for _ in range(100):
            seen = driver.look()
            if seen.get("n") != before:
                break
            time.sleep(0.05)
    pytest.fail(f"the game does not end: {seen}")


@contextmanager
def screen() -> Iterator[None]:
    """A screen without a monitor, for a browser that cannot do without."""
    read, write = os.pipe()
    server = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", "1366x900x24"], pass_fds=[write])
    before = os.environ.get("DISPLAY")
    try:
        os.environ["DISPLAY"] = f":{os.read(read, 16).decode().strip()}"
        yield
    finally:
        os.environ.pop("DISPLAY")
        if before is not None:
            os.environ["DISPLAY"] = before
        server.terminate()
        server.wait()


@pytest.mark.firefox
def test_a_whole_game_in_firefox(voila: str, tmp_path: Path) -> None:
    port = free_port()
    command = [
        "firefox-esr",
        "--headless",
        "--no-remote",
        "--profile",
        str(tmp_path),
        f"--remote-debugging-port={port}",
    ]
    with (tmp_path / "firefox.log").open("wb") as log:
        browser = subprocess.Popen(command, stdout=log, stderr=log)
    try:
        for _ in range(300):
            if "WebDriver BiDi listening" in (tmp_path / "firefox.log").read_text():
                break
            time.sleep(0.1)
        with closing(Firefox(f"{voila}?opponent=steady&game=tunnel-rat", port)) as driver:
            assert "win" in whole_game(driver)
    finally:
        browser.terminate()
        browser.wait(20)


@pytest.mark.webkit
def test_a_whole_game_in_webkit(voila: str) -> None:
    with screen():
        browser = WebKit(f"{voila}?opponent=steady&game=tunnel-rat")
        try:
            assert "win" in whole_game(browser)
        finally:
            browser.driver.quit()
