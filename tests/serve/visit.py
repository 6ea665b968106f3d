"""A board in a browser, for tests.

They are skipped where a part is missing: ``pip install --group browser``, and Debian's package chromium-headless-shell.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from serve.client import Server

pytest.importorskip("starlette")
playwright = pytest.importorskip("playwright.sync_api")
axe = pytest.importorskip("axe_playwright_python.sync_playwright")

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
CHROMIUM = next((path for name in NAMES if (path := shutil.which(name))), None)
NEEDS_BROWSER = [
    pytest.mark.thorough,
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine"),
]
WIDTHS = {360: "dark", 1600: "light"}
PATIENCE = 60_000  # milliseconds; a kernel may have to be compiled first


class Visit:
    """A board in a browser. What it reports on its console or loads from elsewhere is a fault."""

    def __init__(
        self, browser: Any, server: Server, path: str, *, width: int = 1600, height: int = 900, touch: bool = False
    ) -> None:
        self._context = browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme=WIDTHS.get(width, "light"),
            has_touch=touch,
            bypass_csp=False,
            service_workers="block",  # so that a test can answer requests itself
        )
        self.page: Any = self._context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.width, self.server, self.touch = width, server, touch
        self.faults: list[str] = []
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("console", self._reported)
        self.page.on("request", self._requested)
        self.page.goto(server.address + path)

    def _reported(self, message: Any) -> None:
        expected = ("status of 422", "Service Worker registration blocked")  # a board that is not finished; the above
        if not any(each in message.text for each in expected):
            self.faults.append(message.text)

    def _requested(self, request: Any) -> None:
        if not request.url.startswith((self.server.address, "data:")):
            self.faults.append(f"loads {request.url}")

    def __enter__(self) -> Visit:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is not None:  # pytest shows this beside the failure
            print(self.page.url, self.page.inner_text("main"), self.faults, sep="\n")
        self._context.close()
        if kind is None:
            assert self.faults == []

    def see(self, selector: str, text: str) -> None:
        """Wait until an element that matches has text that matches."""
        self.page.locator(selector).filter(has_text=re.compile(text)).first.wait_for(state="attached")

    def click(self, *names: str) -> None:
        """Click buttons by their names, or by the beginnings of these."""
        for name in names:
            self.use(self.button(name))

    def use(self, element: Any) -> None:
        """Click an element, or tap it with a finger."""
        if self.touch:
            element.tap()
        else:
            element.click()

    def button(self, name: str) -> Any:
        end = "$" if len(name) == 1 else ""
        return self.page.get_by_role("button", name=re.compile(f"^{re.escape(name)}{end}")).first

    def choose(self, label: str, value: str) -> None:
        with self.options():
            self.page.locator("label", has_text=re.compile(f"^{label}")).locator("select").select_option(value)

    def give(self, selector: str, text: str) -> None:
        """Type a text into a field of the options."""
        with self.options():
            self.page.fill(selector, text)
            self.page.locator(selector).press("Tab")

    @contextmanager
    def without_network(self) -> Iterator[None]:
        """Cut the browser off; requests that fail within the block are no faults."""
        faults = [*self.faults]
        self._context.set_offline(True)
        yield
        self.faults = faults
        self._context.set_offline(False)

    @contextmanager
    def options(self) -> Iterator[None]:
        """Show the options, which fold on a phone."""
        button = self.page.locator("#options-button")
        self.page.locator("#settings > *").first.wait_for(state="attached")
        folds = button.is_visible()
        if folds:
            button.click()
        yield
        if folds:
            button.click()

    def spell(self, keys: Iterable[str]) -> None:
        """Click the keys of a word. A phone shows them after a tap on the row that is typed."""
        if not self.page.locator("#typing").is_visible():
            self.use(self.page.locator(".draft").first)
        self.click(*keys)

    def paint(self, rows: Any, guess: str, pattern: str, use: Callable[[Any], None] | None = None) -> None:
        """Give the tiles of the new guess on a board their colours; some of them have theirs at first."""
        row = rows.locator(f".tiles[aria-label='{guess}']").last
        for place, mark in enumerate(pattern):
            tile, wanted = row.locator(".tile").nth(place), {"-": "grey", "y": "yellow", "g": "green"}[mark]
            while wanted not in tile.get_attribute("class").split():
                (use or self.use)(tile)

    def type(self, keys: str) -> None:
        """Type letters and named keys, separated by spaces."""
        for key in keys.split():
            self.page.keyboard.press(key)

    def enter(self, text: str) -> None:
        """Type the characters of a text in any alphabet, which a keyboard in English does not have."""
        for character in text:
            script = "key => document.body.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}))"
            self.page.evaluate(script, character)

    def paste(self, text: str) -> None:
        script = """text => { const data = new DataTransfer(); data.setData("text", text);
            document.body.dispatchEvent(new ClipboardEvent("paste", {clipboardData: data, bubbles: true})); }"""
        self.page.evaluate(script, text)

    def unfold(self) -> None:
        """Show all answers, of which a phone has only the first ones."""
        more = self.page.locator(".more").first
        more.wait_for(state="attached")
        if more.is_visible():
            more.click()

    def press(self, name: str, key: str = "Enter") -> None:
        """Press a key on a button that has the focus, as after the Tab key."""
        self.page.keyboard.press("Tab")
        self.button(name).press(key)

    def drag(self, start: str, end: str) -> None:
        """Drag from one element to another with the mouse, or with a finger."""
        if self.touch:
            self.swipe(start, end)
            return
        (x, y), (to_x, to_y) = self.middle(start), self.middle(end)
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        self.page.mouse.move((x + to_x) / 2, (y + to_y) / 2)
        self.page.mouse.move(to_x, to_y)
        self.page.mouse.up()

    def swipe(self, start: str, end: str) -> None:
        """Drag from one element to another with a finger."""
        (x, y), (to_x, to_y) = self.middle(start), self.middle(end)
        session = self._context.new_cdp_session(self.page)
        steps = [(x + (to_x - x) * i / 8, y + (to_y - y) * i / 8) for i in range(9)]
        for i, (at_x, at_y) in enumerate(steps):
            kind = "touchMove" if i else "touchStart"
            session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": at_x, "y": at_y}]})
        session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        self.page.wait_for_timeout(400)  # no finger is faster, and Chromium takes a tap at once for a part of the swipe

    def middle(self, selector: str) -> tuple[float, float]:
        element = self.page.locator(selector).first
        element.scroll_into_view_if_needed()
        box = element.bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def state(self) -> str:
        """Return what the board shows, without the analysis."""
        # the cursor, and placements that are pointed at or advised, are no part of the position
        script = """[...document.querySelectorAll('#game .cell, #game .tile')].map(each => [...each.classList]
            .filter(name => !['chosen', 'cleared', 'best'].includes(name)).join('.') + each.textContent).join()"""
        return str(self.page.evaluate(script))

    def check(self) -> None:
        """Check that the page fits, that axe finds nothing, and that the address and the history keep the position."""
        page = self.page
        assert page.evaluate("document.documentElement.scrollWidth") <= self.width
        violations = axe.Axe().run(page).response["violations"]
        assert [(each["id"], [node["target"] for node in each["nodes"]]) for each in violations] == []
        address, shown = page.url, self.state()
        page.go_back()
        playwright.expect(page).not_to_have_url(address)
        page.go_forward()
        playwright.expect(page).to_have_url(address)
        self.expect(shown)
        self.page = self._context.new_page()
        self.page.goto(address)
        self.expect(shown)
        self.page = page

    def expect(self, state: str) -> None:
        """Wait until the board shows this."""
        for _ in range(100):
            if self.state() == state:
                return
            self.page.wait_for_timeout(50)
        assert self.state() == state
