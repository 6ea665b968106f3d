"""The pages of the site: every game, command and kernel has its place, and the drawings are right."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from gpusolve.commands import command
from gpusolve.commands.line import click_command
from gpusolve.games import find_games
from gpusolve.games.tetris.kernels import PROGRAM as TETRIS

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
GAMES = sorted(find_games())


@pytest.fixture(scope="module")
def drawings() -> dict[str, Callable[[], Any]]:
    sys.path.insert(0, str(DOCS))
    try:
        found: dict[str, Callable[[], Any]] = import_module("building.drawings").DRAWINGS
    finally:
        sys.path.remove(str(DOCS))
    return found


@pytest.mark.parametrize("game", [*GAMES, "beam", "permutations"])
def test_every_kernel_is_on_the_page_of_its_file(game: str) -> None:
    rooms = {"beam": "search", "permutations": "search.permutations"}
    program = import_module(f"gpusolve.{rooms.get(game, f'games.{game}')}.kernels").PROGRAM
    page = (DOCS / "kernels" / f"{game}.md").read_text(encoding="utf-8")
    shown = re.findall(r"^```\{kernel\} (\w+)\.(\w+)$", page, re.MULTILINE)
    assert sorted(shown) == sorted((game, name) for name in program.kernels)


@pytest.mark.parametrize("game", GAMES)
def test_every_command_is_on_the_page_of_its_game(game: str) -> None:
    page = (DOCS / "games" / f"{game}.md").read_text(encoding="utf-8")
    names = [each.name for each in command.of_game(game)]
    assert not [name for name in names if f"`{game} {name}" not in page]


def test_pages_print_commands_and_options_that_exist() -> None:
    written = re.compile(r"(?:^ {0,4}(?:\$ )?|`)gpusolve (\w+) ([a-z-]+)((?:[^`|\n]*\\\n)*[^`|\n]*)", re.MULTILINE)
    seen = 0
    for page in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("benchmarks/**/*.md")]:
        for game, name, rest in written.findall("" if page.name == "CHANGELOG.md" else page.read_text("utf-8")):
            if game in GAMES:
                found = command.find(game, name)
                assert found is not None, f"{page}: gpusolve {game} {name}"
                options = {option for parameter in click_command(found, {}).params for option in parameter.opts}
                assert options >= set(re.findall(r"(?<=\s)--[a-z-]+", rest)) - {"--help"}, (
                    f"{page}: gpusolve {game} {name}{rest}"
                )
                seen += 1
    assert seen > 80


def test_pages_use_drawings_that_exist_and_all_of_them(drawings: dict[str, Callable[[], Any]]) -> None:
    pages = [*DOCS.glob("*/*.md"), *DOCS.glob("*.md")]
    used = {name for page in pages for name in re.findall(r"^```\{drawing\} (\w+)$", page.read_text("utf-8"), re.M)}
    assert used == set(drawings)


def test_drawings_are_drawn(drawings: dict[str, Callable[[], Any]]) -> None:
    """Their numbers are computed, and most of them assert what they show."""
    for draw in drawings.values():
        svg = draw().svg("a < b")
        assert svg.count("<rect") > 4
        assert 'aria-label="a &lt; b"' in svg


def test_the_drawing_of_a_fall(drawings: dict[str, Callable[[], Any]]) -> None:
    """A piece passes the rows from each start to the end of its run of free rows."""
    steps = dict(drawings["tetris_fall"].__globals__["fall_steps"]())
    free, start, passed = steps["free"], steps["start"], steps["... | start"]
    slow = 0
    for row in range(8):
        falling = start >> row & 1 or slow >> (row - 1) & 1 if row else start & 1
        slow |= (1 << row) if falling and free >> row & 1 else 0
    assert passed == slow
    assert "(free & ~(free + start)) | start" in TETRIS.text


def test_the_readme_fits_on_a_few_screens() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 150


@pytest.mark.parametrize("game", GAMES)
def test_terminals_can_be_read_on_a_phone(game: str) -> None:
    """The site shows them 640 pixels wide there (site.css), so that letters of 20 units are at least 12 pixels high."""
    if (DOCS / f"{game}.svg").exists():
        found = re.search(r'viewBox="0 0 ([0-9.]+) ', (DOCS / f"{game}.svg").read_text(encoding="utf-8"))
        assert found
        assert 20 * 640 / float(found[1]) >= 12
        assert f"../{game}.svg){{.terminal}}" in (DOCS / "games" / f"{game}.md").read_text(encoding="utf-8")
    css = (DOCS / "building" / "static" / "site.css").read_text(encoding="utf-8")
    assert "img.terminal { width: 640px; max-width: none; }" in css
