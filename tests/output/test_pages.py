"""The page of every game, as far as it can be checked without a browser."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from output.pages import GAMES, HOSTILE, STEPS, faults

pytest.importorskip("html5lib")


@pytest.mark.parametrize("game", GAMES)
def test_a_page_is_valid_and_loads_nothing(game: str, tmp_path: Path) -> None:
    GAMES[game](tmp_path / "page.html")
    text = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert faults(text) == []
    assert HOSTILE not in text
    assert "<b onclick" not in text
    assert "alert(1)</script>" not in text
    assert "49" not in re.findall(r"&amp;amp;(.*?)\{%", text)  # Jinja did not compute 7 * 7


def test_hostile_names_are_shown_as_they_are(tmp_path: Path) -> None:
    """The names stand on the pages of these games, so the test above is not empty."""
    for game in ("queuedle", "quiddler", "tetris", "wordle"):
        GAMES[game](tmp_path / "page.html")
        assert "&lt;script&gt;alert(1)&lt;" in (tmp_path / "page.html").read_text(encoding="utf-8"), game


@pytest.mark.parametrize("game", STEPS)
def test_the_data_of_the_scripts_cannot_end_them(game: str, tmp_path: Path) -> None:
    GAMES[game](tmp_path / "page.html")
    text = (tmp_path / "page.html").read_text(encoding="utf-8")
    data = re.findall(r'<script type="application/json" id="data">(.*?)</script>', text)
    assert len(data) == 1
    assert "<" not in data[0]
    assert json.loads(data[0])


@pytest.mark.parametrize("game", ["queuedle", "quiddler"])
def test_all_steps_are_in_the_page_without_scripts(game: str, tmp_path: Path) -> None:
    GAMES[game](tmp_path / "page.html")
    text = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert text.count('<article class="step card">') == 1 + STEPS[game]


def test_the_check_finds_faults() -> None:
    """Each of these would be a fault of a page."""
    wrong = {
        '<p id="a"><p id="a">': "id a occurs 2 times",
        '<input id="a">': "input a has no label",
        '<label for="b">b</label>': "label of nothing: b",
        "<button></button>": "has no name",
        '<table role="img"><tbody></tbody></table>': "has no name",
        '<a href="http://example.com">x</a>': "loads http",
        '<p onclick="x">': "has the handler onclick",
        "<style>@import 'x'</style>": "loads something",
        '<img src="data:,">': "img is not expected",
        "<p><div></p>": "not valid HTML",
    }
    for html, fault in wrong.items():
        assert any(fault in found for found in faults(html, whole=False)), html
