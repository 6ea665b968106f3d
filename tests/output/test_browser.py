"""The page of every game in a real browser: the system's Chromium, driven by Playwright, with axe's rules.

The tests are skipped where one of them is missing: ``pip install --group browser``, and Debian's package
chromium-headless-shell.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from output.pages import GAMES, STEPS

playwright = pytest.importorskip("playwright.sync_api")
axe = pytest.importorskip("axe_playwright_python.sync_playwright")

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
CHROMIUM = next((path for name in NAMES if (path := shutil.which(name))), None)
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")
WIDTHS = (360, 1200)
MODES = ("light", "dark")


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("pages")
    for game, save in GAMES.items():
        save(folder / f"{game}.html")
    return {game: folder / f"{game}.html" for game in GAMES}


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM)
        yield browser
        browser.close()


class Opened:
    """A page in a browser. Anything that it loads or reports on its console is a fault."""

    def __init__(self, browser: Any, path: Path, fragment: str = "", **options: Any) -> None:
        self._context = browser.new_context(**options)
        self.page: Any = self._context.new_page()
        self.faults: list[str] = []
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("console", lambda message: self.faults.append(message.text))
        self.page.on("request", self._requested)
        self.page.goto(f"{path.as_uri()}{fragment}")

    def _requested(self, request: Any) -> None:
        if not request.url.startswith(("file:", "data:")):
            self.faults.append(f"loads {request.url}")

    def text(self, selector: str) -> str:
        return str(self.page.text_content(selector))

    def __enter__(self) -> Opened:
        return self

    def __exit__(self, *_: object) -> None:
        self._context.close()
        assert self.faults == []


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("game", GAMES)
def test_a_page_fits_and_is_accessible(chromium: Any, pages: dict[str, Path], game: str, width: int, mode: str) -> None:
    options: dict[str, Any] = {"viewport": {"width": width, "height": 800}, "color_scheme": mode, "bypass_csp": True}
    with Opened(chromium, pages[game], **options) as opened:
        assert opened.page.evaluate("document.documentElement.scrollWidth") <= width
        violations = axe.Axe().run(opened.page).response["violations"]
        assert [(each["id"], [node["target"] for node in each["nodes"]]) for each in violations] == []
        ground = opened.page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert ground == {"light": "rgb(255, 255, 255)", "dark": "rgb(20, 22, 26)"}[mode]


@pytest.mark.parametrize("game", GAMES)
def test_no_script_but_the_page_s_own_runs(chromium: Any, pages: dict[str, Path], game: str) -> None:
    """Names with markup call alert() if they become part of the page."""
    with Opened(chromium, pages[game]) as opened:
        opened.page.on("dialog", lambda dialog: opened.faults.append(dialog.message))
        assert opened.page.query_selector_all("[onclick]") == []
        assert len(opened.page.query_selector_all("script")) == (2 if game in (*STEPS, "qless") else 0)
        for element in opened.page.query_selector_all("b"):
            element.dispatch_event("click")


@pytest.mark.parametrize("game", STEPS)
def test_keys_buttons_and_the_address_go_through_the_steps(chromium: Any, pages: dict[str, Path], game: str) -> None:
    count = STEPS[game]
    with Opened(chromium, pages[game]) as opened:
        page = opened.page
        assert opened.text("#where").startswith(f"0 of {count} ")
        page.keyboard.press("ArrowRight")
        assert opened.text("#where").startswith(f"1 of {count} ")
        page.click("#step")
        assert opened.text("#where").startswith(f"2 of {count} ")
        assert page.url.endswith("#2")
        page.keyboard.press("End")
        assert opened.text("#where").startswith(f"{count} of {count} ")
        assert page.is_disabled("#step")
        page.keyboard.press("Home")
        assert opened.text("#where").startswith(f"0 of {count} ")
        page.focus("#at")  # in a slider, the arrow moves the slider and nothing else
        page.keyboard.press("ArrowRight")
        assert opened.text("#where").startswith(f"1 of {count} ")
        page.focus("#play")
        for _ in range(4):
            page.keyboard.press("ArrowUp")
        page.keyboard.press("Space")  # presses the button, once
        playwright.expect(page.locator("#where")).to_have_text(re.compile(f"{count} of {count} "))
        assert opened.text("#play") == "play"
    with Opened(chromium, pages[game], "#2") as opened:
        assert opened.text("#where").startswith(f"2 of {count} ")
    with Opened(chromium, pages[game], "#no-number") as opened:
        assert opened.text("#where").startswith(f"0 of {count} ")


@pytest.mark.parametrize("game", STEPS)
def test_a_swipe_goes_one_step(chromium: Any, pages: dict[str, Path], game: str) -> None:
    with Opened(chromium, pages[game], has_touch=True, viewport={"width": 360, "height": 800}) as opened:
        for kind, x in (("pointerdown", 300), ("pointerup", 200)):
            opened.page.dispatch_event(".stage", kind, {"pointerType": "touch", "clientX": x})
        assert opened.text("#where").startswith(f"1 of {STEPS[game]} ")


def test_the_steps_of_sliding_tiles_move_tiles(chromium: Any, pages: dict[str, Path]) -> None:
    with Opened(chromium, pages["sliding"], "#3") as opened:
        assert opened.page.eval_on_selector_all("#board td", "all => all.map(cell => cell.textContent).join()") == (
            ",1,2,3,4,5"
        )
        assert opened.page.get_attribute("#board", "aria-label") == ("board, rows from the top: blank 1 2, 3 4 5")


def test_the_steps_of_tetris_place_pieces(chromium: Any, pages: dict[str, Path]) -> None:
    with Opened(chromium, pages["tetris"]) as opened:
        page = opened.page
        assert len(page.query_selector_all("#board td.falling")) == 4
        assert page.get_attribute("#next", "aria-label") == "next piece: I"
        page.keyboard.press("End")
        assert len(page.query_selector_all("#board td:not([class=''])")) == 2
        assert opened.text("#lines") == "1"
        label = page.get_attribute("#board", "aria-label")
        assert label == "board; heights of the columns: 0 0 0 0 0 0 0 0 1 1"
        page.keyboard.press("Home")
        assert opened.text("#score") == "0"


def test_solutions_of_q_less_are_found_by_word(chromium: Any, pages: dict[str, Path]) -> None:
    with Opened(chromium, pages["qless"]) as opened:
        page = opened.page
        count = int(opened.text("#where").removeprefix("1 of "))
        assert count > 12
        assert len(page.query_selector_all(".crossword")) == 1
        page.keyboard.press("ArrowLeft")
        assert opened.text("#where") == f"{count} of {count}"
        page.fill("#word", "TEE ")
        found = int(opened.text("#where").removeprefix("1 of "))
        assert 0 < found < count
        page.focus("#word")
        page.keyboard.press("ArrowRight")  # moves the cursor
        assert opened.text("#where") == f"1 of {found}"
        page.fill("#word", "zzz")
        assert opened.text("#where") == "no solutions"


@pytest.mark.parametrize("game", GAMES)
def test_a_page_is_useful_without_scripts_and_on_paper(chromium: Any, pages: dict[str, Path], game: str) -> None:
    with Opened(chromium, pages[game], java_script_enabled=False) as opened:
        assert not opened.page.is_visible("button")
        assert opened.page.is_visible(".board, .tiles")
        if game in ("queuedle", "quiddler"):
            steps = opened.page.query_selector_all(".step")
            assert len(steps) == 1 + STEPS[game]
            assert all(step.is_visible() for step in steps)
    with Opened(chromium, pages[game]) as opened:
        opened.page.emulate_media(media="print", color_scheme="dark")
        assert not opened.page.is_visible("#play")
        assert all(step.is_visible() for step in opened.page.query_selector_all(".step"))
        colour = opened.page.eval_on_selector("h1", "element => getComputedStyle(element).color")
        assert colour == "rgb(27, 30, 36)"


@pytest.mark.parametrize("game", [*STEPS, "qless"])
def test_the_focus_is_visible_and_targets_are_large(chromium: Any, pages: dict[str, Path], game: str) -> None:
    with Opened(chromium, pages[game], viewport={"width": 360, "height": 800}) as opened:
        opened.page.keyboard.press("Tab")
        outline = opened.page.evaluate("getComputedStyle(document.activeElement).outlineWidth")
        assert outline == "3px"
        for button in opened.page.query_selector_all("button"):
            box = button.bounding_box()
            assert min(box["width"], box["height"]) >= 44
