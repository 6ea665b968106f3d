"""Each board in a real browser, from empty to a result, by mouse and by keyboard, on a narrow and on a wide screen.

One server and one browser serve all of them.
"""

from __future__ import annotations

import base64
import gzip
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np
import pytest

from games.tetris.screens import frames_of
from gpusolve.backend import open_backend
from gpusolve.games.tetris import Variant, play
from serve.client import Server, serving
from serve.visit import NEEDS_BROWSER, WIDTHS, Visit, playwright

pytestmark = NEEDS_BROWSER


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("served")
    (folder / "weights.txt").write_text("crane 3\ntrace 1\ngrace 5\n")
    with serving(folder, "--jobs", "2") as server:
        yield server


def wordle_by_mouse(visit: Visit) -> None:
    visit.see("#best caption", "by the mean|by information")
    visit.spell("salet")
    visit.click("a, grey: change", "t, grey: change", "t, yellow: change", "enter the guess")
    visit.see("#left h2", "81 possible answers")
    visit.see("#best caption", "exact")
    visit.click("why this word?")
    visit.see("#why h2", "Why")
    visit.spell("craft")
    assert visit.button("t, green").count() == 1  # as salet says
    visit.paint(visit.page.locator(".rows"), "craft", "ggggg")
    visit.click("enter the guess")


def wordle_by_keyboard(visit: Visit) -> None:
    visit.type("s a l e t")
    visit.press("a, grey", "Space")
    visit.press("t, grey", "Space")
    visit.press("t, yellow", "Space")
    visit.page.keyboard.press("Control")  # a key alone does nothing
    visit.press("enter the guess")
    visit.see("#left h2", "81 possible answers")
    visit.type("c r a f t")
    visit.paint(visit.page.locator(".rows"), "craft", "ggggg", lambda tile: tile.press("Space"))
    visit.press("enter the guess")


def wordle_result(visit: Visit) -> None:
    visit.see("#left", "solved in 2")
    visit.see("#judge caption", "skill")


PAIR = [("salet", "-y--g", "-y--g"), ("craft", "ggggg", "--y-g"), ("abbot", "", "ggggg")]


def paint_boards(visit: Visit, guess: str, patterns: list[str], use: Callable[[Any], None]) -> None:
    """Give the tiles of the new guess their colours on each board that is not solved."""
    for board, pattern in enumerate(patterns):
        if pattern:
            visit.paint(visit.page.locator(".quordle > .rows").nth(board), guess, pattern, use)


def quordle_by_mouse(visit: Visit) -> None:
    visit.choose("boards", "2")
    for guess, *patterns in PAIR:
        visit.spell(guess)
        paint_boards(visit, guess, patterns, visit.use)
        visit.click("enter the guess")
        if guess == "salet":
            visit.see("#left h2", "board 2: 81 possible")
            visit.see("#best caption", "best guesses")


def quordle_by_keyboard(visit: Visit) -> None:
    visit.choose("boards", "2")
    visit.page.keyboard.press("Escape")
    visit.page.evaluate("document.activeElement.blur()")
    for guess, *patterns in PAIR:
        visit.type(" ".join(guess))
        paint_boards(visit, guess, patterns, lambda tile: tile.press("Space"))
        visit.press("enter the guess")
        visit.page.evaluate("document.activeElement.blur()")


def quordle_result(visit: Visit) -> None:
    visit.see("#judge h2", "All boards solved in 3")


def tetris_by_mouse(visit: Visit) -> None:
    visit.drag(cell(19, 0), cell(19, 8))
    visit.see("#placements p", "placements of T")
    assert visit.page.locator("#game .filled").count() == 9
    visit.click("piece: I")
    visit.see("#placements p", "placements of I")
    visit.see("#placements .chance", "%")
    visit.unfold()
    first = visit.button("column 10, turned once")
    assert visit.page.locator("#game .best").count() == 4
    first.hover()
    assert visit.page.locator("#game .chosen").count() == 4
    assert visit.page.locator("#game .cleared").count() == 10
    visit.see("#presses", "right.*clears 1 line")
    visit.use(first)
    if visit.touch:  # the first tap shows it
        visit.see("#news", "tap it again to place the piece")
        visit.use(first)


def tetris_by_keyboard(visit: Visit) -> None:
    visit.page.locator(cell(19, 0)).focus()
    for _ in range(9):
        visit.type("Enter ArrowRight")
    assert visit.page.locator("#game .filled").count() == 9
    visit.type("i")
    visit.see("#placements .chance", "%")
    visit.unfold()
    visit.press("column 10, turned once")


def tetris_result(visit: Visit) -> None:
    assert "lines=1" in visit.page.url
    assert visit.page.locator("#game .filled").count() == 3
    visit.see("#placements .chance", "%")


def cell(row: int, column: int) -> str:
    return f"#game [data-row='{row}'][data-column='{column}']"


def sliding_by_mouse(visit: Visit) -> None:
    visit.give("#text", "3 1 2 4 5 0 6 7 8")
    visit.drag("#game .cell:nth-child(5)", "#game .cell:nth-child(6)")
    visit.see("#result h2", "1 move")
    visit.click("tile 1,", "solve")


def sliding_by_keyboard(visit: Visit) -> None:
    visit.give("#text", "3 1 2 4 5 0 6 7 8")
    visit.page.evaluate("document.activeElement.blur()")
    visit.type("ArrowRight")
    visit.see("#result h2", "1 move")
    visit.press("tile 1,")
    visit.press("compare with the optimum")
    visit.see("#compared", r"The optimum is 3 moves. You made 2; 1 of them led away from the goal, and 3 more")
    visit.press("solve")


def sliding_result(visit: Visit) -> None:
    visit.see("#result h2", "3 moves to the goal")
    visit.see("#search caption", "nodes searched for each bound")
    visit.click("to the end")
    assert visit.page.locator("#game .home").count() == 8
    visit.click("to the start")


def queuedle_by_mouse(visit: Visit) -> None:
    visit.give("#queue", "aik")
    visit.see("#state h2", "0 points after 0 of 3 slides|points after 0 of 3")
    visit.drag(cell(2, 2), cell(2, 3))
    visit.see("#state h2", "after 1 of 3 slides")
    visit.click("slide column 1 down")
    visit.see("#state h2", "after 2 of 3 slides")
    visit.click("find the best board")


def queuedle_by_keyboard(visit: Visit) -> None:
    visit.give("#queue", "aik")
    visit.press("slide row 2 right")
    visit.see("#state h2", "after 1 of 3 slides")
    visit.press("move 1: row 2 right", "Space")
    visit.press("find the best board")


def queuedle_result(visit: Visit) -> None:
    visit.see("#result h2", "points in .* slides, which is proven to be the best")
    visit.see("#result .lost", r"^your slides: \u25b6\ufe0e 2 lost \d+(, \u25bc\ufe0e 1 lost \d+)?$")
    assert visit.page.locator("#game .home").count() >= 3
    visit.click("play these slides")
    visit.see("#state h2", "after 3 of 3 slides|after 2 of 3 slides|after 1 of 3 slides")


def quiddler_by_mouse(visit: Visit) -> None:
    visit.click("n, top card", "u, top card", "finish the word")
    visit.see("#plan strong", "points")


def quiddler_by_keyboard(visit: Visit) -> None:
    visit.type("n u Enter")
    visit.see("#plan strong", "points")


def quiddler_result(visit: Visit) -> None:
    visit.see("#best caption", "proven")
    visit.see("#plan td", "nu")
    visit.see("#best th", "first move")
    assert visit.page.locator("#game .cell.covered:enabled").count() == 0
    assert visit.page.locator("#game .cell.covered").count() == 6
    visit.press("play ja")
    visit.see("#plan td", "ja")
    visit.see("#plan p", "you lost no point")
    playwright.expect(visit.page.locator("#game .cell.covered:enabled")).to_have_count(6)  # two places are empty


def qless_by_mouse(visit: Visit) -> None:
    visit.click("how hard?")
    visit.see("#help dt", "solutions")
    visit.click("hint")
    visit.see("#help", "of a solution with")
    for place, letter in enumerate("tie"):
        visit.drag(f".hand button:has-text('{letter}')", cell(5, 2 + place))
    visit.see("#state", "a crossword so far, 9 letters left")
    visit.click("all solutions")


def qless_by_keyboard(visit: Visit) -> None:
    visit.page.locator(cell(5, 2)).focus()
    visit.type("t i e")
    visit.see("#state", "a crossword so far, 9 letters left")
    visit.type("Backspace Backspace")
    playwright.expect(visit.page.locator("#state")).to_be_empty()
    visit.press("two words")
    visit.see("#help", "of a solution with")
    visit.press("all solutions")


def qless_result(visit: Visit) -> None:
    visit.see("#solutions h2", r"^[\d,]+ solutions")
    visit.see(".solutions .note", "only in some dictionaries")
    visit.page.locator(".solutions button").first.click()
    visit.see("#state", "solved: every letter is in one crossword")


GAMES: dict[str, tuple[Callable[[Visit], None], Callable[[Visit], None], Callable[[Visit], None]]] = {
    "wordle": (wordle_by_mouse, wordle_by_keyboard, wordle_result),
    "quordle": (quordle_by_mouse, quordle_by_keyboard, quordle_result),
    "tetris": (tetris_by_mouse, tetris_by_keyboard, tetris_result),
    "sliding": (sliding_by_mouse, sliding_by_keyboard, sliding_result),
    "queuedle": (queuedle_by_mouse, queuedle_by_keyboard, queuedle_result),
    "quiddler": (quiddler_by_mouse, quiddler_by_keyboard, quiddler_result),
    "qless": (qless_by_mouse, qless_by_keyboard, qless_result),
}


@pytest.mark.parametrize(
    ("width", "way"), [(360, "touch"), *((width, way) for width in WIDTHS for way in ("mouse", "keyboard"))]
)
@pytest.mark.parametrize("game", GAMES)
def test_a_board_is_used_from_empty_to_the_result(
    chromium: Any, server: Server, game: str, width: int, way: str
) -> None:
    by_mouse, by_keyboard, result = GAMES[game]
    with Visit(chromium, server, f"/{game}", width=width, touch=way == "touch") as visit:
        (by_keyboard if way == "keyboard" else by_mouse)(visit)
        result(visit)
        visit.check()


def test_the_cards_that_were_clicked_are_those_that_are_played(chromium: Any, server: Server) -> None:
    """Both n and both o are there twice: the ones that the first word uncovers are played, not the others."""
    with Visit(chromium, server, "/quiddler?deal=a+t+n+o+s+r+i+d+/+n+o+q+z+x+v+u+l", width=360, touch=True) as visit:
        game = visit.page.locator("#game")
        assert game.locator(".covered:enabled").count() == 0
        visit.button("a, top card of pile 1").tap()
        visit.button("t, top card of pile 2").tap()
        visit.button("finish the word").tap()
        visit.see("#plan td", "at")
        visit.button("n, only card of pile 1").tap()
        visit.button("o, only card of pile 2").tap()
        visit.button("finish the word").tap()
        visit.see("#plan td", "no")
        labels = game.locator(".cards8 .cell:not(.covered):not(.gap)").evaluate_all(
            "cells => cells.map(cell => cell.getAttribute('aria-label'))"
        )
        assert labels == [f"{card}, top card of pile {place}" for place, card in enumerate("nosrid", 3)]
        visit.see("#plan p", "you lost .* points")
        visit.check()


def test_a_game_of_quiddler_goes_on_from_any_table(chromium: Any, server: Server) -> None:
    with Visit(chromium, server, "/quiddler") as visit:
        visit.give("#deal", ". a c / n . o")
        playwright.expect(visit.page.locator("#game .cell.covered:enabled")).to_have_count(1)
        visit.see("#best td", "can")
        visit.click("c, top card of pile 3", "o, covered card of pile 3", "n, only card", "finish the word")
        visit.see("#plan td", "c from 3 to ")
        visit.see("#plan p", "you lost no point")
        visit.check()


def test_hidden_cards_of_quiddler(chromium: Any, server: Server) -> None:
    with Visit(chromium, server, "/quiddler") as visit:
        visit.give("#deal", "a t n / ? o e")
        visit.see("#plan", "Some cards are hidden")
        visit.see("#best caption", "exact expected scores")
        visit.see("#best td", "move a to an empty place")
        visit.check()
        visit.give("#deal", "a n n / ? . .")
        visit.see("#best td", "a.1, n.2")
        words = visit.page.locator("#best tbody td:first-child").all_inner_texts()
        assert sorted(each.lower() for each in words) == ["an", "end the game", "move a to an empty place"]


def test_the_grid_of_the_site_gives_its_whole_queue(chromium: Any, server: Server) -> None:
    shown = "F N D O I\nE E D G R\nA A D Q S\nO E I L X\nE Y A T G\n\nA I K I U"
    with Visit(chromium, server, "/queuedle?grid=tsea/enop/adis/ttre") as visit:
        visit.paste("a word")
        visit.see("#news", "nothing was read .* expected the 25 letters of the site's grid")
        visit.paste(shown)
        visit.see("#day", "the site's puzzle of 2025-05-31 in UTC.01:00: its whole queue is known")
        visit.see("#news", "pasted: 25 letters of the grid and 5 of the queue")
        visit.see("#game .words", "aikiueieexuatov")
        assert visit.button("find the whole queue").count() == 0
        visit.check()
    with Visit(chromium, server, "/queuedle", width=360, touch=True) as visit:
        visit.give("#grid", "fndoieedgraadqsoeilxeyatg")
        visit.give("#queue", "aikiu")
        visit.see("#state h2", "after 0 of 5 slides")
        visit.button("the next slide").tap()
        visit.see("#result caption", "means of 20 samples, as if the 10 hidden letters were known")
        assert visit.page.locator("#result tbody tr").count() == 21
        visit.button("find the whole queue").tap()
        visit.see("#day", "the site's puzzle of 2025-05-31")
        visit.see("#state h2", "after 0 of 15 slides")
        visit.check()


def test_today_says_that_the_site_may_have_another_puzzle(chromium: Any, server: Server) -> None:
    with Visit(chromium, server, "/queuedle") as visit:
        visit.click("today")
        visit.see("#day p", r"the puzzle of \d{4}-\d\d-\d\d")
        visit.see("#day .note", "two boards out of three differ from the site's")
        assert "day=20" in visit.page.url
        visit.check()


def test_fingers_drag_tiles_lines_and_letters(chromium: Any, server: Server) -> None:
    with Visit(chromium, server, "/sliding?board=3.1.2.4.5.0.6.7.8", width=360, touch=True) as visit:
        visit.swipe("#game .cell:nth-child(5)", "#game .cell:nth-child(6)")
        visit.see("#result h2", "1 move")
    with Visit(chromium, server, "/queuedle", width=360, touch=True) as visit:
        visit.swipe(cell(2, 2), cell(2, 4))
        visit.see("#state h2", "after 1 of 15 slides")
    with Visit(chromium, server, "/qless", width=360, touch=True) as visit:
        visit.swipe(".hand button:has-text('t')", cell(5, 5))
        playwright.expect(visit.page.locator(cell(5, 5))).to_have_text("t")
        visit.swipe(cell(5, 5), cell(6, 7))
        playwright.expect(visit.page.locator(cell(6, 7))).to_have_text("t")
    with Visit(chromium, server, "/tetris", width=360, touch=True) as visit:
        visit.swipe(cell(19, 0), cell(19, 5))
        assert visit.page.locator("#game .filled").count() == 6


def test_the_last_press_can_come_at_any_moment(chromium: Any, server: Server) -> None:
    """At level 29 an O gets below the roof of columns 1 to 4 between two taps alone."""
    roofed = "/".join(["1111000000", "0000000000", "0000000000", *["1111111110"] * 8])
    with Visit(chromium, server, f"/tetris?board={roofed}&piece=O&level=29&reach=slow5") as visit:
        visit.see("#placements button", "best")
        before = visit.page.locator("#placements button").count()
        visit.choose("last press", "+tuck")
        visit.see("#placements button", "best")
        assert "reach=slow5%2Btuck" in visit.page.url
        playwright.expect(visit.page.locator("#placements button")).not_to_have_count(before)
        visit.check()


@pytest.mark.parametrize("delay_ms", [0, 300])
@pytest.mark.parametrize("level", [18, 28, 29, 38, 39])
def test_the_board_of_tetris_gives_the_advice_of_the_command(
    chromium: Any, server: Server, level: int, delay_ms: int
) -> None:
    """By level or by lines, with all rules in the address; and so does its review of the same placement."""
    rules = {"source": "nes", "start_level": 18, "max_lines": 430, "delay_ms": delay_ms, "double_killscreen": True}
    board, lines = "####...###/####..####/#########.", 130 + 10 * (level - 19) if level > 18 else 0
    position = {"board": board, "piece": "T", "following": "I", "lines": lines, "reach": "30hz+tuck", **rules}
    _, found = server.call("tetris/suggest", position | {"playouts": 0, "top": 40})
    best = found["rows"][0]
    turned = ["as it comes", "turned right", "turned twice", "turned left"][best["turned"]]
    settings = "&".join(f"{name}={'yes' if value is True else value}" for name, value in rules.items())
    for progress in (f"lines={lines}", f"level={level}"):
        address = f"/tetris?board={quote(board)}&piece=T&next=I&reach=30hz%2Btuck&{settings}&{progress}"
        with Visit(chromium, server, address) as visit:
            visit.see("#placements button", "best")
            first = visit.page.locator("#placements button").first.get_attribute("aria-label")
            assert first.startswith(f"column {best['column']}, {turned}: the best")
            losses = visit.page.locator("#placements .loss").all_inner_texts()
            assert losses == losses_shown(found["rows"])
            assert visit.page.locator("#plan tbody tr").count() == (7 if delay_ms else 0)


def losses_shown(rows: list[dict[str, Any]]) -> list[str]:
    """Return what placements lose, as the board shows it."""
    lost = [row["value"] - rows[0]["value"] for row in rows]
    signs = ["+" if each < 0 else "\N{MINUS SIGN}" for each in lost]
    return [f"{sign}{abs(each):,.0f}" if each else "best" for sign, each in zip(signs, lost, strict=True)]


def test_the_board_of_tetris_shows_placements_that_luck_makes_better(chromium: Any, server: Server) -> None:
    rules = {"reach": "30hz", "delay_ms": 300, "max_lines": 430, "double_killscreen": True}
    board = "#########./#########."
    _, found = server.call(
        "tetris/suggest",
        {"board": board, "piece": "I", "following": "T", "lines": 320, "playouts": 0, "top": 40} | rules,
    )
    shown = losses_shown(found["rows"])
    assert any(each.startswith("+") for each in shown)
    settings = "reach=30hz&delay_ms=300&max_lines=430&double_killscreen=yes"
    with Visit(chromium, server, f"/tetris?board={quote(board)}&piece=I&next=T&lines=320&{settings}") as visit:
        visit.see("#placements button", "best")
        assert visit.page.locator("#placements .loss").all_inner_texts() == shown


def test_the_board_of_tetris_counts_on_missed_presses(chromium: Any, server: Server) -> None:
    """It gives the advice of the command, shows narrow windows, and plays and opens games with the same chances."""
    board = "#####...../.........#/....######/....######/...#######"
    rules = {"reach": "30hz+tuck", "source": "nes", "miss": "0.5,0.2"}
    asked = {"board": board, "piece": "J", "following": "T", "playouts": 0, "top": 40}
    _, found = server.call("tetris/suggest", asked | rules)
    settings = "&".join(f"{name}={quote(value)}" for name, value in rules.items())
    with Visit(chromium, server, f"/tetris?board={quote(board)}&piece=J&next=T&{settings}") as visit:
        visit.see("#placements button", "best")
        losses = visit.page.locator("#placements .loss").all_inner_texts()
        assert losses == losses_shown(found["rows"])
        narrow = [row for row in found["rows"] if row["window"] is not None and row["window"] <= 3]
        assert narrow
        assert visit.page.locator("#placements small", has_text=" frame").count() == len(narrow)
        visit.page.locator("#placements button").first.focus()
        visit.see("#presses", f"window: {found['rows'][0]['window']} frames")
    with Visit(chromium, server, f"/tetris?{settings}&max_lines=2") as visit:
        visit.see("#placements button", "best")
        visit.page.click("#settings summary:text-is('games')")
        visit.click("play a game")
        visit.see("#review h2", "points lost in [0-9]+ placements")
        assert "miss=0.5%2C0.2" in visit.page.url


def test_a_game_with_a_reaction_time_loses_nothing_on_the_board(chromium: Any, server: Server) -> None:
    """The board judges its own games by the rules that they were played by."""
    rules = "reach=30hz&source=nes&start_level=18&max_lines=40&delay_ms=300"
    with Visit(chromium, server, f"/tetris?{rules}") as visit:
        visit.page.click("#settings summary:text-is('games')")
        visit.click("play a game")
        visit.see("#review h2", "points lost in [0-9]+ placements")
        lost = visit.page.locator("#review h2").inner_text().split()[0].replace(",", "")
        assert int(lost) < 500  # the piece after the last one is not known
        visit.see("#news", "points, 4[0-3] lines")


def test_a_recording_is_opened(chromium: Any, server: Server, tmp_path: Path) -> None:
    variant = Variant("30hz", "nes", 18, 6)
    game = play("two-piece", policy="greedy", variant=variant, seed=5, backend=open_backend("cpu:1"))
    (tmp_path / "game.ngf").write_bytes(gzip.compress(b"".join(frames_of(game, 3))))
    with Visit(chromium, server, "/tetris?reach=20hz&delay_ms=300") as visit:
        visit.page.set_input_files("input[type=file]", str(tmp_path / "game.ngf"))
        visit.see("#review h2", f"points lost in {len(game.turns)} placements")
        visit.see("#news", f"{game.lines} lines, {len(game.turns)} pieces")
        for part in ("reach=20hz", "delay_ms=300", "start=18", "source=nes"):
            assert part in visit.page.url
        placed = "".join(
            f"{letter}{np.base_repr(orientation * 220 + row * 10 + column, 36).lower():0>2}"
            for letter, orientation, row, column in game.placed
        )
        assert f"game={placed}" in visit.page.url
        visit.check()


def test_a_recording_is_opened_from_where_it_begins_and_beyond_what_was_misread(
    chromium: Any, server: Server, tmp_path: Path
) -> None:
    """The recording begins with the fifth piece, and the frames of the tenth one are lost."""
    variant = Variant("30hz", "nes", 18, 6)
    game = play("two-piece", policy="greedy", variant=variant, seed=5, backend=open_backend("cpu:1"))
    frames = list(frames_of(game, 3))
    content = b"".join([*frames[12:27], *frames[30:]])
    (tmp_path / "game.ngf").write_bytes(content)
    sent = "data:application/octet-stream;base64," + base64.b64encode(content).decode()
    _, found = server.call("tetris/review", {"game": {"content": sent}, "playouts": 0})
    number, left_out = len(found["rows"]), len(found["skipped"])
    assert number > 20
    assert left_out
    with Visit(chromium, server, "/tetris") as visit:
        visit.page.set_input_files("input[type=file]", str(tmp_path / "game.ngf"))
        visit.see("#news", f"{number} pieces; {left_out} placements were misread and are left out")
        visit.see("#review h2", f"points lost in {number} placements")
        parts = re.findall("game=([^&]*)", visit.page.url)[0].split(".")
        assert len(parts) == 2
        for at in (0, len(parts[0]) // 3):  # where the recording begins, and after the lost frames
            visit.page.locator("#review input[type=range]").fill(str(at))
            expected = found["boards"][at].count("#")
            playwright.expect(visit.page.locator("#game .filled")).to_have_count(expected)
        visit.check()


def test_a_policy_of_games_alone_leaves_the_advice_as_it_is(chromium: Any, server: Server) -> None:
    """Playouts play games, but rate no placements; and games can be played on to their end from the plan."""
    rules = "policy=playouts&breadths=2,2,2&reach=30hz&max_lines=4&games=2&delay_ms=300"
    with Visit(chromium, server, f"/tetris?piece=T&next=I&{rules}") as visit:
        visit.see("#placements p", "34 placements of T")
        visit.see("#plan td", "[0-9,]+ ± [0-9,]+")
        assert visit.page.locator("#news .error").count() == 0
        visit.page.click("#settings summary:text-is('games')")
        visit.click("play a game")
        visit.see("#review h2", "points lost in [0-9]+ placements")


def test_boards_are_pasted_as_people_write_them(chromium: Any, server: Server) -> None:
    with Visit(chromium, server, "/tetris") as visit:
        black, blue = "\u2b1b", "\U0001f7e6"
        for text in ("IIIIZZOOL./SSTTTJJJJ.", f"{blue * 9}{black}\n{blue * 9}{black}", str([[1] * 9 + [0]] * 2)):
            visit.click("new")
            visit.page.wait_for_function("document.querySelectorAll('#game .filled').length === 0")
            visit.paste(text)
            visit.page.wait_for_function("document.querySelectorAll('#game .filled').length === 18")
        cells = "0" * 190 + "1111111110"
        visit.paste(
            f"https://stackrabbit.herokuapp.com/engine?board={cells}&currentPiece=0&nextPiece=5&level=18&lines=12"
            "&reactionTime=18&inputFrameTimeline=X...."
        )
        visit.see("#placements p", "placements of I")
        for part in ("reach=12hz", "delay_ms=300", "lines=12", "start_level=18", "next=S"):
            assert part in visit.page.url
        visit.see("#plan caption", "the plan: [0-9,]+ points to come")
        visit.choose("game", "double")
        assert "max_lines=430&double_killscreen=yes" in visit.page.url
        visit.see("#placements p", "placements of I")
        visit.check()


def test_a_recorded_game_is_reviewed(chromium: Any, server: Server, tmp_path: Path) -> None:
    _, played = server.call("tetris/play", {"seed": 5, "max_lines": 4, "policy": "greedy", "hz": 12})
    file = tmp_path / "game.json"
    file.write_text(json.dumps(played | {"schema": "gpusolve.tetris.game/1"}))
    number = len(played["turns"])
    with Visit(chromium, server, "/tetris?reach=12hz") as visit:
        visit.page.set_input_files("input[type=file]", str(file))
        visit.see("#review h2", f"points lost in {number} placements")
        assert visit.page.locator(".curve path").count() == 1
        visit.click("the worst placement")
        visit.see("#review", "this placement loses [1-9]")
        assert "at=" in visit.page.url
        visit.see("#placements button", "played")
        playwright.expect(visit.page.locator("#game .chosen").first).to_be_attached()
        visit.check()
        visit.click("analyse from here")
        assert "game=" not in visit.page.url


def test_a_game_that_starts_from_a_position_is_opened_there(chromium: Any, server: Server, tmp_path: Path) -> None:
    start = "####...###/#########. I T 3"
    _, played = server.call("tetris/play", {"seed": 5, "max_lines": 5, "policy": "greedy", "start": start})
    file = tmp_path / "game.json"
    file.write_text(json.dumps(played | {"schema": "gpusolve.tetris.game/1"}))
    with Visit(chromium, server, "/tetris?level=25") as visit:
        visit.page.set_input_files("input[type=file]", str(file))
        visit.see("#review h2", f"points lost in {len(played['turns'])} placements")
        assert visit.page.locator("#game .filled").count() == 16
        assert "level=" not in visit.page.url  # the lines of the game tell its levels
        visit.check()
        visit.click("analyse from here")
        assert "lines=3" in visit.page.url


def test_answers_can_be_weighted_and_any_word_explained(chromium: Any, server: Server) -> None:
    with Visit(chromium, server, "/wordle") as visit:
        visit.choose("how likely the answers are", "weights.txt")
        visit.see("#left h2", "3 possible answers")
        assert "weights=weights.txt" in visit.page.url
        visit.see("#best caption", "exact")
        visit.see("#best tr:has-text('grace') td", "55.6 %")
        visit.spell("trace")
        visit.click("why this word?")
        visit.see("#why h2", "Why trace")
        visit.see("#why p", "better is .*grace")
        visit.type("Backspace " * 5)
        visit.check()


def test_answers_of_quordle_can_be_weighted(chromium: Any, server: Server) -> None:
    with Visit(chromium, server, "/quordle") as visit:
        visit.choose("how likely the answers are", "weights.txt")
        visit.see("#left h2", "board 1: 3 possible")
        assert "weights=weights.txt" in visit.page.url
        visit.check()


def test_a_lost_game_is_judged(chromium: Any, server: Server) -> None:
    turns = ",".join(["salet:-y--g", *["craft:--y-g"] * 5])
    with Visit(chromium, server, f"/wordle?turns={turns}") as visit:
        visit.see("#left", "no guess is left")
        assert visit.page.locator("#game .tiles").count() == 6
        visit.see("#judge caption", "skill")


def test_the_likeliest_words_come_first_with_their_chances(chromium: Any, server: Server) -> None:
    with Visit(chromium, server, "/wordle?turns=salet:-----,corni:-y--y") as visit:
        visit.see("#left h2", "25 possible answers")
        visit.see("#left .note", "With a chance of 19 %, the answer is not in the published list.")
        assert visit.page.locator("#left .chances li").first.inner_text() == "idiom 16 %"
        visit.see("#left summary", "^16 more, each below 1 %$")
        visit.see("#best tr:has-text('idiom') td [role=img]", "\u2713")
        assert visit.page.locator("#best tr", has_text="duomo").locator("[role=img]").count() == 0
        visit.choose("possible answers", "wordle-answers")
        visit.see("#left h2", "5 possible answers")
        assert "answers=wordle-answers" in visit.page.url
        assert visit.page.locator("#left .note, #left .chances").count() == 0
        visit.check()


def test_a_guess_that_is_not_accepted_is_pointed_out(chromium: Any, server: Server) -> None:
    with Visit(chromium, server, "/wordle?turns=crnae:-y---") as visit:
        visit.see("#game .note", "^crnae is not in the list of guesses: did you mean crane\\?$")
    with Visit(chromium, server, "/quordle?turns=crnae:-y---,-----,-----,-----") as visit:
        visit.see("#game .note", "^crnae is not in the list of guesses: did you mean crane\\?$")


def test_each_guess_of_a_game_is_explained(chromium: Any, server: Server) -> None:
    with Visit(chromium, server, "/wordle?turns=salet:-----,corni:-y--y,gizmo:ggggg") as visit:
        visit.see("#judge p", "^SALET No guess is better: it leaves [0-9]+ likely words on average; here it left 361.$")
        visit.see("#judge p", "^GIZMO .* gizmo was the answer, with a chance of 4 %.$")
        playwright.expect(visit.page.locator("#work [role=status]")).to_have_text("")


def test_moves_on_a_large_board_are_compared(chromium: Any, server: Server) -> None:
    tiles = ".".join(map(str, [1, 0, *range(2, 20)]))
    with Visit(chromium, server, f"/sliding?size=4x5&board={tiles}&moves=RDULL") as visit:
        visit.click("compare with the optimum")
        visit.see("#compared", r"The optimum is 1 move. You made 5; 2 of them led away from the goal: 4 more")
        assert visit.page.locator("#result .wrong").all_inner_texts() == ["2 \u2190", "7 \u2191"]


def test_sliding_tiles_have_any_goal_and_say_when_an_address_is_wrong(chromium: Any, server: Server) -> None:
    with Visit(chromium, server, "/sliding?size=3x3&board=1.2.3.8.4.0.7.6.5&goal=spiral") as visit:
        visit.see("#next h2", "1 moves? to the goal")
        visit.press("solve")
        visit.see("#result h2", "1 moves? to the goal")
    with Visit(chromium, server, "/sliding?size=3x3&board=1.1.1.2.2.2.3.0.3&goal=1.1.1/2.2.2/3.3.0") as visit:
        assert visit.page.locator("#game .home").count() == 7
        visit.press("solve")
        visit.see("#result h2", "1 moves? to the goal")
    with Visit(chromium, server, "/sliding?size=3x3&board=1.2.3") as visit:
        visit.see("#next button", "\u2190|\u2192|\u2191|\u2193")


def test_tiles_that_are_entered_are_a_square_with_a_goal_that_moves_reach(chromium: Any, server: Server) -> None:
    with Visit(chromium, server, "/sliding") as visit:
        visit.page.locator("#text").fill("5 1 2 3 9 6 7 4 13 10 11 8 14 15 12 0")
        visit.page.keyboard.press("Enter")
        visit.page.wait_for_url(re.compile("size=4x4&.*goal=blank-last"))


@pytest.mark.parametrize(
    ("address", "wrong"),
    [
        ("wordle?turns=zzz", "turns zzz"),
        ("quordle?boards=3&turns=salet:-y--g", "boards 3, turns salet:-y--g"),
        ("queuedle?grid=abc/def", "grid abc/def"),
        ("tetris?board=xyz&piece=Q", "board xyz, piece Q"),
        ("sliding?size=3x3&board=1.2.3", "board 1.2.3"),
        ("quiddler?deal=1", "deal 1"),
        ("qless?roll=abc123", "roll abc123"),
    ],
)
def test_an_address_that_is_wrong_says_so(chromium: Any, server: Server, address: str, wrong: str) -> None:
    with Visit(chromium, server, f"/{address}") as visit:
        visit.see("#news .error", f"^the address is wrong, so this is another position: {wrong}$")
        visit.page.locator("#answer *").first.wait_for(state="attached")
        visit.see("#news .error", "the address is wrong")


def test_a_new_guess_begins_with_the_colours_that_earlier_ones_leave_no_choice_about(
    chromium: Any, server: Server
) -> None:
    with Visit(chromium, server, "/wordle?turns=salet:-y--g") as visit:
        for guess, pattern in (("craft", "--y-g"), ("adapt", "y---g"), ("abbot", "y---g"), ("party", "-y-y-")):
            visit.type(" ".join(guess))
            names = visit.page.locator(".draft .tile").evaluate_all(
                "tiles => tiles.map(tile => ['grey', 'yellow', 'green'].find(name => tile.classList.contains(name)))"
            )
            assert "".join({"grey": "-", "yellow": "y", "green": "g"}[name] for name in names) == pattern
            visit.type("Backspace " * 5)


def test_a_pasted_text_says_what_was_read(chromium: Any, server: Server) -> None:
    for address, text, said in (
        ("wordle", "salet:-y--g craft:--y-g", "2 guesses"),
        ("sliding", "3 1 2 4 5 0 6 7 8", "9 cells"),
        ("queuedle", "r2 d1", "2 slides"),
        ("tetris", "#########.", "a board with 9 filled cells"),
        ("quiddler", "n w u / a c j", "6 cards"),
        ("qless", "abcdef", "6 letters"),
    ):
        with Visit(chromium, server, f"/{address}", width=360, touch=True) as visit:
            visit.paste("this? no.")
            visit.see("#news .error", "expected")
            with visit.options():
                visit.page.get_by_role("button", name=re.compile("^paste")).first.tap()
                visit.page.get_by_role("textbox", name="text to paste").fill(text)
                visit.page.get_by_role("button", name="read it").tap()
            visit.see("#news", f"pasted: {said}")


def test_a_word_that_is_not_in_the_dictionary_is_refused(chromium: Any, server: Server) -> None:
    with Visit(chromium, server, "/quiddler") as visit:
        visit.type("w r Enter")
        visit.see("#news .error", "^wr cannot be played: not in the dictionary$")
        assert "plan" not in visit.page.url


def test_a_better_line_replaces_the_quick_one(chromium: Any, server: Server) -> None:
    with Visit(chromium, server, "/queuedle") as visit:
        visit.see("#next p", "points within reach")
        visit.choose("seconds for a search", "2")
        visit.click("find the best board")
        visit.see("#result h2", "points in")
        reach, best = (int(visit.page.inner_text(each).split()[0]) for each in ("#next p", "#result h2"))
        assert reach >= best


def test_the_player_plays_on_until_it_is_stopped(chromium: Any, server: Server) -> None:
    with Visit(chromium, server, "/tetris") as visit:
        visit.click("play on")
        visit.page.locator("#game .filled").nth(7).wait_for()
        visit.click("stop")
        playwright.expect(visit.button("play on")).to_be_visible()


WORDLE_SHARE = "Wordle 1,234 2/6\n\n⬛🟨⬛⬛🟩\n🟩🟩🟩🟩🟩\n"
QUORDLE_SHARE = "Daily Quordle 12\n3️⃣2️⃣\n\n⬜🟨⬜⬜🟩 ⬜🟨⬜⬜🟩\n🟩🟩🟩🟩🟩 ⬜⬜🟨⬜🟩\n⬛⬛⬛⬛⬛ 🟩🟩🟩🟩🟩\n"


@pytest.mark.parametrize(
    ("path", "share", "guesses", "result"),
    [
        ("/wordle", WORDLE_SHARE, "salet craft", ("#left", "solved in 2")),
        ("/quordle", QUORDLE_SHARE, "m-w.com/games/quordle salet craft abbot", ("#judge h2", "All boards solved in 3")),
    ],
)
def test_a_shared_result_can_be_pasted(
    chromium: Any, server: Server, path: str, share: str, guesses: str, result: tuple[str, str]
) -> None:
    with Visit(chromium, server, path) as visit:
        visit.paste(share)
        for guess in guesses.split()[-share.count("🟩🟩🟩🟩🟩") - 1 :]:
            visit.type(" ".join(guess))
            visit.press("enter the guess")
            visit.page.evaluate("document.activeElement.blur()")
        visit.see(*result)
    with Visit(chromium, server, path) as visit:
        visit.paste(f"{share}\n{guesses}")
        visit.see(*result)


def test_the_dictionary_of_qless_is_kept_in_the_address_and_for_the_next_visit(chromium: Any, server: Server) -> None:
    with Visit(chromium, server, "/qless") as visit:
        field = visit.page.get_by_label("dictionary", exact=True)
        field.fill("scowl-35")
        field.press("Enter")
        visit.page.wait_for_url("**dictionary=scowl-35**")
        visit.click("all solutions")
        visit.see("#solutions h2", r"^[\d,]+ solutions?$")
        assert visit.page.locator(".solutions .note").count() == 0  # everyday words only
        visit.page.goto(server.address + "/qless")
        playwright.expect(visit.page.get_by_label("dictionary", exact=True)).to_have_value("scowl-35")


def test_enter_enters_the_guess_after_a_click(chromium: Any, server: Server) -> None:
    """A tile, a suggestion or a button that was clicked does not take the Enter key that enters the guess."""
    with Visit(chromium, server, "/wordle") as visit:
        visit.type("c r a n e")
        for place in (2, 2, 4):
            visit.use(visit.page.locator(".draft .tile").nth(place))
        visit.page.keyboard.press("Enter")
        visit.page.wait_for_url(re.compile("turns=crane%3A--g-y"))
        visit.page.locator("#best button.word").first.click()
        guess = visit.page.locator("#best button.word").first.inner_text().lower()
        visit.page.keyboard.press("1")
        colour = visit.page.locator(".draft .tile").first.get_attribute("class")
        visit.page.keyboard.press("Enter")
        visit.page.wait_for_url(re.compile(f"turns=crane%3A--g-y%2C{guess}%3A"))
        assert colour == visit.page.locator(".tiles:nth-child(2) .tile").first.get_attribute("class")
    with Visit(chromium, server, "/quordle?boards=2") as visit:
        visit.type("c r a n e")
        visit.use(visit.page.locator(".quordle > .rows").first.locator(".draft .tile").nth(4))
        visit.page.keyboard.press("Enter")
        visit.page.wait_for_url(re.compile("turns=crane%3A----y%2C-----"))


def test_a_wrong_text_keeps_the_position(chromium: Any, server: Server) -> None:
    deal, grid = "q u i e t s a r / c l o n th e r u", "hello/world/abcde/fghij/klmno"
    with Visit(chromium, server, f"/quiddler?deal={deal}") as visit:
        address = visit.page.url
        visit.page.locator("#deal").fill(deal.replace("th", "z!"))
        visit.page.keyboard.press("Enter")
        visit.see("#news", "^! is no card")
        assert visit.page.url == address
        assert visit.page.locator("#deal").input_value() == deal.replace("th", "z!")
    with Visit(chromium, server, f"/queuedle?grid={grid}&queue=stern") as visit:
        visit.page.locator("#queue").fill("ster7")
        visit.page.keyboard.press("Enter")
        visit.see("#news", "the queue has 7")
        assert visit.page.locator("#grid").input_value() == grid
    with Visit(chromium, server, "/wordle?turns=crane:--y--") as visit:
        visit.paste("salet:-y--g, pilot:yyxxg")
        visit.see("#news", "pilot:yyxxg was not read")
        assert visit.page.url.endswith("turns=crane:--y--")
