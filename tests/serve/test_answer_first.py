"""Where the answer is on a screen: on a phone the board and the three best moves are visible without scrolling."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from serve.client import Server, serving
from serve.visit import NEEDS_BROWSER, Visit, playwright

pytestmark = NEEDS_BROWSER
PHONE = (360, 740)
BEST = 3
"""Number of answers that a phone shows."""

POSITIONS = {
    "wordle": ("/wordle?turns=salet:-y--g", "#best tbody button"),
    "quordle": ("/quordle?turns=salet:-y--g,-y---,-----,---y-;corni:y----,--y--,-----,-g---", "#best tbody button"),
    "tetris": (
        "/tetris?board=%23%23%23%23...%23%23%23/%23%23%23%23..%23%23%23%23&piece=T&next=I",
        "#placements button",
    ),
    "sliding": ("/sliding", "#next button"),
    "queuedle": ("/queuedle", "#next button"),
    "quiddler": ("/quiddler", "#best tbody button"),
    "qless": ("/qless?dictionary=scowl-35", "#solutions .solutions button"),
}
"""Each game: an address, and the answers there."""

RECTANGLES = """selector => [...document.querySelectorAll(selector)].map(each => each.getBoundingClientRect())
    .filter(({height}) => height).map(({top, bottom, left, right}) => [top, bottom, left, right])"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("served"), "--jobs", "2") as server:
        yield server


def await_answers(visit: Visit, selector: str) -> None:
    """Wait until the answers are there and nothing is computed any more."""
    visit.page.locator(selector).nth(BEST - 1).wait_for()
    playwright.expect(visit.page.locator("#work .clock, #work:not(:has(.clock))").first).to_have_text("")


@pytest.mark.parametrize("game", POSITIONS)
def test_a_phone_shows_the_board_and_the_three_best_moves(chromium: Any, server: Server, game: str) -> None:
    address, selector = POSITIONS[game]
    width, height = PHONE
    with Visit(chromium, server, address, width=width, height=height, touch=True) as visit:
        await_answers(visit, selector)
        boards = visit.page.evaluate(RECTANGLES, "#game > *")
        answers = visit.page.evaluate(RECTANGLES, selector)
        (bar,) = visit.page.evaluate(RECTANGLES, "#bar")
        print(game, "board from", round(boards[0][0]), "answers from", round(answers[0][0]))
        assert visit.page.evaluate("scrollY") == 0
        assert boards[0][0] >= 0
        assert len(answers) >= BEST
        for top, bottom, left, right in [*boards, *answers[:BEST]]:
            assert 0 <= top < bottom <= bar[0]
            assert 0 <= left < right <= width


@pytest.mark.parametrize("width", [360, 768, 1100])
@pytest.mark.parametrize("game", POSITIONS)
def test_no_column_is_clipped(chromium: Any, server: Server, game: str, width: int) -> None:
    address, selector = POSITIONS[game]
    with Visit(chromium, server, address, width=width, height=PHONE[1]) as visit:
        await_answers(visit, selector)
        assert visit.page.evaluate("document.documentElement.scrollWidth") <= width
        (frame,) = visit.page.evaluate(RECTANGLES, "#analysis")
        for _, _, left, right in visit.page.evaluate(RECTANGLES, "#answer td, #answer th, #answer button"):
            assert frame[2] <= left
            assert right <= frame[3] + 0.5
        if width > 720:
            (board,) = visit.page.evaluate(RECTANGLES, "#game")
            assert board[3] <= frame[2]


@pytest.mark.parametrize(
    ("address", "selector"),
    [
        ("/quiddler?deal=a+t+n+/+%3F+o+e", "#best td, #best .word, #game button"),
        ("/qless?roll=aaabcdeeefgghiiiillmnnoorrssttuw", "#game .cell"),
    ],
)
def test_long_answers_and_large_grids_fit_a_phone(chromium: Any, server: Server, address: str, selector: str) -> None:
    with Visit(chromium, server, address, width=PHONE[0], height=PHONE[1]) as visit:
        visit.page.locator(selector).nth(BEST).wait_for(state="attached")
        playwright.expect(visit.page.locator("#work .clock, #work:not(:has(.clock))").first).to_have_text("")
        assert visit.page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
        for _, _, left, right in visit.page.evaluate(RECTANGLES, selector):
            assert 0 <= left < right <= PHONE[0]
        widths = {
            round(right - left) for _, _, left, right in visit.page.evaluate(RECTANGLES, "#game .crossword .cell")
        }
        assert len(widths) <= 1


@pytest.mark.parametrize("game", POSITIONS)
def test_each_answer_is_two_presses_of_tab_from_the_board(chromium: Any, server: Server, game: str) -> None:
    """The answers are one stop of the Tab key, and the arrow keys lead to each of them."""
    address, selector = POSITIONS[game]
    with Visit(chromium, server, address) as visit:
        await_answers(visit, selector)
        page = visit.page
        page.locator("#game .grid button[tabindex='0'], #game .rows button[tabindex='0']").last.focus()
        inside = f"document.activeElement.matches({selector!r})"
        for _ in range(2):
            if not page.evaluate(inside):
                page.keyboard.press("Tab")
        assert page.evaluate(inside)
        seen = {page.evaluate("document.activeElement.textContent")}
        for _ in range(2 * BEST):
            page.keyboard.press("ArrowDown")
            page.keyboard.press("ArrowRight")
            assert page.evaluate(inside)
            seen.add(page.evaluate("document.activeElement.textContent"))
        assert len(seen) >= BEST


@pytest.mark.parametrize("game", POSITIONS)
def test_a_question_mark_shows_the_keys(chromium: Any, server: Server, game: str) -> None:
    with Visit(chromium, server, f"/{game}") as visit:
        visit.page.locator("#bar button").first.wait_for()
        visit.page.keyboard.press("?")
        visit.see("dialog[open] kbd", "Tab")
        assert visit.page.locator("dialog[open] dl > div").count() > 3
        visit.page.keyboard.press("Escape")
        playwright.expect(visit.page.locator("dialog[open]")).to_have_count(0)


def test_the_keyboard_of_a_phone_appears_while_a_guess_is_typed(chromium: Any, server: Server) -> None:
    with Visit(chromium, server, "/wordle", width=360, touch=True) as visit:
        keys = visit.page.locator("#typing")
        visit.page.locator("#best tbody button").first.wait_for()
        assert not keys.is_visible()
        visit.page.locator(".draft").tap()
        assert keys.is_visible()
        for letter in "salet":
            visit.button(letter).tap()
        visit.button("enter the guess").tap()
        playwright.expect(keys).to_be_hidden()


def test_lines_slide_by_the_arrow_keys(chromium: Any, server: Server) -> None:
    with Visit(chromium, server, "/queuedle") as visit:
        visit.page.locator("#game .cell").first.wait_for()
        visit.type("3 ArrowRight")
        visit.page.wait_for_url("**moves=r3**")
        visit.type("2 ArrowUp")
        visit.page.wait_for_url("**moves=r3.u2**")
        visit.type("Backspace")
        visit.page.wait_for_url("**moves=r3")


@pytest.mark.parametrize("game", POSITIONS)
def test_hidden_answers_stay_hidden_and_are_not_computed(chromium: Any, server: Server, game: str) -> None:
    address, selector = POSITIONS[game]
    with Visit(chromium, server, address) as visit:
        answers = visit.page.locator(selector)
        answers.first.wait_for()
        visit.click("hide")
        playwright.expect(answers.first).to_be_hidden()
        asked: list[str] = []
        visit.page.on("request", lambda request: asked.append(request.url))
        visit.page.reload()
        visit.page.locator("#game button").first.wait_for()
        visit.page.wait_for_timeout(500)
        assert [each for each in asked if each.endswith(("/suggest", "/solve"))] == []
        visit.click("hide")
        answers.first.wait_for()


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_nothing_moves_for_those_who_want_less_motion(chromium: Any, server: Server, motion: str) -> None:
    with Visit(chromium, server, "/queuedle") as visit:
        visit.page.emulate_media(reduced_motion=motion)
        visit.page.locator("#game .cell").first.wait_for()
        visit.page.evaluate("""() => {
            window.moved = 0;
            const animate = Element.prototype.animate;
            Element.prototype.animate = function (...given) { window.moved += 1; return animate.apply(this, given); };
        }""")
        visit.type("3 ArrowRight")
        visit.page.wait_for_url("**moves=r3**")
        assert (visit.page.evaluate("window.moved") > 0) == (motion == "no-preference")
