from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from markupsafe import Markup

from gpusolve.errors import BadInput
from gpusolve.output import page
from gpusolve.result import Result

STYLE = (page.FOLDER / "page.css").read_text(encoding="utf-8")
TEXTS = {
    "paper": ("ink", "quiet", "strong"),
    "panel": ("ink", "quiet", "strong"),
    "strong": ("on-strong",),
    "green": ("on-green",),
    "yellow": ("on-yellow",),
    "grey": ("on-grey",),
    "card": ("on-card",),
}
"""Background -> the colours of texts on it."""


def colours(name: str) -> list[str]:
    """Return a colour in light and in dark mode."""
    match = re.search(rf"--{name}: (?:light-dark\((#\w+), (#\w+)\)|(#\w+));", STYLE)
    assert match, name
    return [match[1] or match[3], match[2] or match[3]]


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour as WCAG defines it."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_contrast_as_wcag_defines_it() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.478, abs=0.001)


@pytest.mark.parametrize(("ground", "text"), [(ground, text) for ground, texts in TEXTS.items() for text in texts])
def test_texts_have_a_contrast_of_at_least_four_and_a_half(ground: str, text: str) -> None:
    for below, above in zip(colours(ground), colours(text), strict=True):
        assert contrast(below, above) >= 4.5


@pytest.mark.parametrize("name", ["edge", "strong"])
def test_borders_of_controls_and_the_focus_have_a_contrast_of_at_least_three(name: str) -> None:
    for ground in ("paper", "panel"):
        for below, above in zip(colours(ground), colours(name), strict=True):
            assert contrast(below, above) >= 3


def test_green_yellow_and_grey_differ_in_luminance() -> None:
    """People who cannot distinguish green from yellow can still see that one is darker."""
    for mode in (0, 1):
        tiles = [colours(name)[mode] for name in ("green", "yellow", "grey")]
        assert contrast(tiles[0], tiles[1]) >= 3
    assert contrast(colours("green")[0], colours("grey")[0]) >= 3


def test_the_style_stays_inside_results_and_fits_a_width_of_360() -> None:
    rules = re.sub(r"/\*.*?\*/|@media[^{]*\{", "", STYLE, flags=re.DOTALL)
    for selectors in re.findall(r"([^{}]+)\{", rules):
        for selector in selectors.split(","):
            assert ".gpusolve" in selector, selector
    for name, pixels in re.findall(r"(?<!-)\b(width|min-width|flex-basis): (\d+)px", STYLE):
        assert int(pixels) <= 160, f"{name}: {pixels}px"
    assert STYLE.count(":focus-visible") == 1
    assert "outline: none" not in STYLE


def test_parts_escape_what_they_show() -> None:
    wrong = "<b>\"'"
    for name, values in {
        "tiles": (wrong, ["grey"] * len(wrong)),
        "board": ([[(wrong, "")]], wrong),
        "facts": ([(wrong, wrong)],),
        "table": (wrong, [wrong], [[wrong]]),
        "bars": (wrong, [wrong], [1]),
        "meter": (wrong, 3),
        "words": ([wrong],),
        "progress": (wrong, 3),
        "player": (wrong,),
    }.items():
        shown = page.part(name, *values)
        assert isinstance(shown, Markup)
        assert "<b>" not in shown, name
        assert "&lt;" in shown, name
        assert not re.search(r'="[^"]*"[^\s/>]', shown), name


def test_tables_show_the_first_rows() -> None:
    shown = page.table("many", {"n": range(30), "x": list(np.arange(30) / 7), "known": list(np.arange(30) > 3)}, 30)
    assert shown.count("<tr>") == 1 + page.MOST_ROWS
    assert "many; the first 20 rows of 30" in shown
    assert '<td class="figure">0.14286</td><td>no</td>' in shown
    assert page.table("few", {"n": [1000]}).count("<tr>") == 2


@dataclass(frozen=True, repr=False)
class Plain(Result):
    name: str
    numbers: list[int]
    array: np.ndarray
    nothing: None = None
    _hidden: int = 3


def test_fields_of_a_result_are_cut_off() -> None:
    shown = str(page.drawn(Plain("<i>" * 100, list(range(10_000)), np.zeros((1000, 1000))).drawing()))
    assert len(shown) < 1000
    assert "array: &lt;float64 1000x1000&gt;" in shown
    assert "&lt;i&gt;" in shown
    assert "hidden" not in shown


def test_a_page_that_cannot_be_written_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"cannot be written"):
        page.save(tmp_path / "none" / "page.html", "Game", "title", Markup(""))


def test_a_page_without_scripts_runs_none(tmp_path: Path) -> None:
    page.save(tmp_path / "page.html", "Game", "a < b", Markup("<p>text</p>"))
    text = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "script-src 'none'" in text
    assert "<script" not in text
    assert "<title>Game: a &lt; b</title>" in text


def test_numbers_are_aligned_to_the_right() -> None:
    figures, others = ("1", "-2.50", "1,234", "+3", "12 %", "", 7), ("a1", "1-2", "to", "-")
    for value, figure in [*product(figures, [True]), *product(others, [False])]:
        assert ('<td class="figure">' in page.part("table", "t", ["x"], [[value]])) == figure, value
