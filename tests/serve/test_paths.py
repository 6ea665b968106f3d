"""A person's way through the pages, in a real browser: open a sample, share it, switch, come back, lose the server."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from serve.client import Server, serving
from serve.visit import NEEDS_BROWSER, WIDTHS, Visit, axe, playwright

pytestmark = NEEDS_BROWSER
STAY = 5500


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("served"), "--jobs", "2") as server:
        yield server


def accessible(visit: Visit) -> None:
    violations = axe.Axe().run(visit.page).response["violations"]
    assert [(each["id"], [node["target"] for node in each["nodes"]]) for each in violations] == []
    assert visit.page.evaluate("document.documentElement.scrollWidth") <= visit.width


@pytest.mark.parametrize("width", WIDTHS)
def test_a_sample_is_opened_shared_and_found_again(chromium: Any, server: Server, width: int) -> None:
    with Visit(chromium, server, "/", width=width) as visit:
        page = visit.page
        accessible(visit)
        page.get_by_role("link", name=re.compile("salet, answered")).click()
        visit.see("#left h2", "possible answers")
        address = page.url
        visit.click("share")
        text = page.get_by_role("textbox", name="text to share").input_value()
        assert text.split("\n") == ["🟩 Wordle", "⬛🟨⬛⬛🟩", address]
        page.wait_for_function("() => document.querySelector('dialog.share .code').naturalWidth > 0")
        accessible(visit)
        page.keyboard.press("Escape")
        page.wait_for_timeout(STAY)
        page.get_by_text("games", exact=True).click()
        accessible(visit)
        page.get_by_role("link", name="Sliding tiles").click()
        playwright.expect(page.get_by_role("heading", level=1)).to_have_text("Sliding tiles")
        page.get_by_role("link", name="gpusolve: all games").click()
        page.get_by_text("earlier positions").click()
        accessible(visit)
        page.get_by_role("link", name="salet:-y--g", exact=True).click()
        assert page.url == address
        page.get_by_text("rules and an example").click()
        accessible(visit)
        page.get_by_text("earlier positions").click()
        visit.click("forget them")
        playwright.expect(page.get_by_text("earlier positions")).to_have_count(0)


def test_every_sample_is_a_position_of_its_board(chromium: Any, server: Server) -> None:
    """The board draws it otherwise than its first position, unless that is the same."""
    from gpusolve.serve.boards import find_boards

    for board in find_boards():
        if board.sample:
            with Visit(chromium, server, f"/{board.name}?{board.sample}") as visit:
                visit.page.locator("#game button").first.wait_for()
                assert visit.page.locator("#news .error").count() == 0


def test_boards_open_without_the_server(chromium: Any, tmp_path: Any) -> None:
    """As an installed app does: the page comes from the browser and says that the server does not answer."""
    context = chromium.new_context()
    with serving(tmp_path, "--jobs", "1") as server:
        page = context.new_page()
        page.goto(server.address)
        page.evaluate("() => navigator.serviceWorker.ready.then(() => null)")
    page.goto(f"{server.address}/wordle?turns=salet:-y--g")
    playwright.expect(page.locator("#work")).to_contain_text("the server does not answer", timeout=30_000)
    playwright.expect(page.get_by_role("heading", level=1)).to_have_text("Wordle")
    context.close()


def test_a_page_says_that_it_needs_javascript(chromium: Any, server: Server) -> None:
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{server.address}/quiddler")
    playwright.expect(page.locator("noscript p")).to_contain_text("gpusolve quiddler --help")
    assert page.get_by_role("link", name="gpusolve: all games").count() == 1
    context.close()
