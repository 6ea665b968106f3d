"""Grids, the rules, and the exhaustive search."""

from __future__ import annotations

import pytest

from gpusolve.errors import BadInput
from gpusolve.games.qless.rules import Grid, broken_rule, exhaustive, parse_grid

WORDS = {"tea", "eat", "ate", "tee", "eater", "rat"}


@pytest.mark.parametrize(
    "text", ["tea/e../e..", "tea\ne\ne", "  tea\n  e\n  e\n\n", "t e a\ne . .\ne", "TEA/E../E..", "t e a\ne\ne"]
)
def test_a_grid_is_read_however_it_is_written(text: str) -> None:
    grid = parse_grid(text)
    assert grid == Grid(("tea", "e..", "e.."))
    assert parse_grid(str(grid)) == grid
    assert grid.words == ("tea", "tee")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no letters"),
        ("./.", "no letters"),
        ("te3", "row 1: '3'"),
        ("a" * 145, "1 rows, 145 columns: expected at most 144 of each"),
        ("a" + "/" * 144 + "b", "145 rows, 1 columns"),
        ("a" + "/" * 200_000 + "." * 200_000 + "b", "200,001 rows, 200,001 columns"),
    ],
)
def test_a_text_that_is_not_a_grid_is_refused(text: str, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        parse_grid(text)


@pytest.mark.parametrize("text", ["a" + "/" * 143 + "." * 143 + "b", "/".join(["." * 144] * 144) + "\n" + "a" * 144])
def test_the_largest_grid_is_read_with_any_margin(text: str) -> None:
    assert max(map(len, parse_grid(text).rows)) == 144


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("tea/e../e..", None),
        ("..t/eat/..e", "'tte' is not in the dictionary"),
        ("tea/.../eat", "its words are not all connected"),
        ("tea/.at", "'at' has fewer than 3 letters"),
        ("eat/a../t..", None),
    ],
)
def test_the_first_broken_rule_is_named(text: str, fault: str | None) -> None:
    grid = parse_grid(text)
    assert broken_rule(grid, grid.letters, WORDS) == fault


def test_options_change_the_rules() -> None:
    square = parse_grid("eat/a../t..")
    assert broken_rule(square, square.letters, WORDS, no_repeats=True) == "it has the same word twice"
    assert broken_rule(square, "eatxx", WORDS) == "its letters are aaett, not aetxx"
    assert broken_rule(square, square.letters, WORDS, min_length=4) == "'eat' has fewer than 4 letters"
    touching = parse_grid("tea./.rat")
    assert broken_rule(touching, touching.letters, WORDS) == "'er' has fewer than 3 letters"
    assert broken_rule(touching, touching.letters, WORDS, allow_touching=True) is None
    loose = parse_grid("tea/.t.")
    assert broken_rule(loose, loose.letters, WORDS, allow_touching=True) == "'t' in row 2, column 2 belongs to no word"


def test_exhaustive_search_of_a_few_letters() -> None:
    """Checked by hand: a word is one solution, whether written across or down."""
    assert {min(grid.words) for grid in exhaustive("aet", WORDS)} == {"ate", "eat", "tea"}
    assert {"/".join(grid.rows) for grid in exhaustive("aeett", ["tea", "eat"])} == {
        "..e/tea/..t",
        "..t/..e/tea",
        ".e./eat/.t.",
    }
