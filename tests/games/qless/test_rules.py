"""The checker of a filled grid."""

from __future__ import annotations

import pytest

from gpusolve.errors import BadInput
from gpusolve.games.qless.rules import Grid, broken, exhaustive, parse_grid

WORDS = {"tea", "eat", "ate", "tee", "eater", "rat"}


@pytest.mark.parametrize(
    "text", ["tea/e../e..", "tea\ne\ne", "  tea\n  e\n  e\n\n", "t e a\ne . .\ne", "TEA/E../E..", "t e a\ne\ne"]
)
def test_parse(text: str) -> None:
    grid = parse_grid(text)
    assert grid == Grid(("tea", "e..", "e.."))
    assert parse_grid(str(grid)) == grid
    assert grid.words == ("tea", "tee")


@pytest.mark.parametrize(("text", "message"), [("", "no letters"), ("./.", "no letters"), ("te3", "row 1: '3'")])
def test_what_is_no_grid(text: str, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        parse_grid(text)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("tea/e../e..", None),
        ("..t/eat/..e", "'tte' is not in the dictionary"),
        ("tea/.../eat", "it falls into parts that are not connected"),
        ("tea/.at", "'at' has fewer than 3 letters"),
        ("eat/a../t..", None),
    ],
)
def test_broken(text: str, fault: str | None) -> None:
    grid = parse_grid(text)
    assert broken(grid, grid.letters, WORDS) == fault


def test_broken_by_the_options() -> None:
    square = parse_grid("eat/a../t..")
    assert broken(square, square.letters, WORDS, no_repeats=True) == "a word comes twice"
    assert broken(square, "eatxx", WORDS) == "its letters are aaett, not aetxx"
    assert broken(square, square.letters, WORDS, min_length=4) == "'eat' has fewer than 4 letters"
    touching = parse_grid("tea./.rat")
    assert broken(touching, touching.letters, WORDS) == "'er' has fewer than 3 letters"
    assert broken(touching, touching.letters, WORDS, allow_touching=True) is None
    loose = parse_grid("tea/.t.")
    assert broken(loose, loose.letters, WORDS, allow_touching=True) == "'t' in row 2, column 2 belongs to no word"


def test_exhaustive() -> None:
    """Of three letters by hand: a word, written down or across, is one solution."""
    assert {min(grid.words) for grid in exhaustive("aet", WORDS)} == {"ate", "eat", "tea"}
    assert {"/".join(grid.rows) for grid in exhaustive("aeett", ["tea", "eat"])} == {
        "..e/tea/..t",
        "..t/..e/tea",
        ".e./eat/.t.",
    }
