"""A person's way through the pages, in a real browser, by mouse, keyboard and finger.

For each game: open it from the first page, enter a position, get its answer, share it, switch to another game, come
back, find it again, go on while the server does not answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from gpusolve.serve.boards import find_boards
from serve.client import Server, serving
from serve.test_answer_first import POSITIONS
from serve.test_boards import GAMES
from serve.visit import NEEDS_BROWSER, WIDTHS, Visit, axe, playwright

pytestmark = NEEDS_BROWSER
STAY = 5500  # milliseconds after which a position is remembered


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
        visit.see("dialog.share .note", "This server answers on this machine only")
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


@pytest.mark.parametrize("way", ["mouse", "keyboard", "touch"])
@pytest.mark.parametrize("game", GAMES)
def test_a_person_goes_through_a_game(chromium: Any, server: Server, game: str, way: str) -> None:
    by_mouse, by_keyboard, result = GAMES[game]
    touch = way == "touch"
    with Visit(chromium, server, "/", width=360 if touch else 1600, height=740, touch=touch) as visit:
        page = visit.page

        def use(element: Any) -> None:
            if way == "keyboard":
                page.keyboard.press("Tab")  # as a person gets to it
                element.press("Enter")
            else:
                visit.use(element)

        use(page.locator(f".games .open[href='/{game}']"))
        page.locator("#bar button").first.wait_for()
        (by_keyboard if way == "keyboard" else by_mouse)(visit)
        result(visit)
        accessible(visit)
        address, shown = page.url, visit.state()

        use(page.get_by_role("button", name="share"))
        assert page.get_by_role("textbox", name="text to share").input_value().split("\n")[-1] == address
        accessible(visit)
        if way == "keyboard":
            page.keyboard.press("Escape")
        else:
            use(page.get_by_role("button", name="close"))
        playwright.expect(page.locator("dialog[open]")).to_have_count(0)
        if touch:
            page.wait_for_timeout(STAY)

        title, other = page.locator("h1").inner_text(), "Quiddler" if game != "quiddler" else "Wordle"
        use(page.locator(".switch summary"))
        use(page.locator(".switch").get_by_role("link", name=other))
        playwright.expect(page.get_by_role("heading", level=1)).to_have_text(other)
        page.evaluate("history.back()")
        playwright.expect(page).to_have_url(address)
        visit.expect(shown)
        if touch:
            use(page.get_by_role("link", name="gpusolve: all games"))
            use(page.get_by_text("earlier positions"))
            use(page.locator(f".games a[href^='/{game}?']").nth(-1))
            playwright.expect(page).to_have_url(address)
        else:
            page.goto(address)
        playwright.expect(page.get_by_role("heading", level=1)).to_have_text(title)
        visit.expect(shown)

        page.locator("#answer *").first.wait_for(state="attached")
        with visit.without_network():
            use(visit.button("new"))
            playwright.expect(page.locator("#work")).to_contain_text("the server does not answer")
            accessible(visit)
        page.locator(POSITIONS[game][1]).first.wait_for()
        playwright.expect(page.locator("#work [role=status]")).to_have_text("")


def test_every_sample_is_a_position_of_its_board(chromium: Any, server: Server) -> None:
    """The board draws it otherwise than its first position, unless that is the same."""
    for board in find_boards():
        if board.sample:
            with Visit(chromium, server, f"/{board.name}?{board.sample}") as visit:
                visit.page.locator("#bar button").first.wait_for()
                assert visit.page.locator("#news .error").count() == 0


def test_boards_open_without_the_server(chromium: Any, tmp_path: Any) -> None:
    """As an installed app does: the page comes from the browser and says that the server does not answer."""
    context = chromium.new_context()
    with serving(tmp_path, "--jobs", "1") as server:
        page = context.new_page()
        page.goto(server.address)
        page.evaluate("() => navigator.serviceWorker.ready.then(() => null)")
    for board in find_boards():
        page.goto(f"{server.address}/{board.name}?{board.sample}")
        playwright.expect(page.locator("#work")).to_contain_text("the server does not answer", timeout=30_000)
        playwright.expect(page.get_by_role("heading", level=1)).to_have_text(board.title)
        page.locator("#game *").first.wait_for()
    context.close()


def test_a_page_says_that_it_needs_javascript(chromium: Any, server: Server) -> None:
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{server.address}/quiddler")
    playwright.expect(page.locator("noscript p")).to_contain_text("gpusolve quiddler --help")
    assert page.get_by_role("link", name="gpusolve: all games").count() == 1
    context.close()
