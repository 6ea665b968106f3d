"""Tiles as people write them."""

from __future__ import annotations

import pytest

from gpusolve.errors import BadInput
from gpusolve.games.qless.larger.tiles import blanks_of, parse_tiles


def test_tiles_have_numbers_blanks_and_separators() -> None:
    assert parse_tiles("b, A ?") == "?ab"
    assert parse_tiles("12a 2?b") == "??" + 12 * "a" + "b"
    assert len(parse_tiles("144z")) == 144


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "tiles: 0: expected 1 to 144"),
        ("0a", "tiles: 0: expected 1 to 144"),
        ("145a", "tiles: 145: expected 1 to 144"),
        ("99999999999a", r"tiles: 9999\.\.\.: expected at most 144 of a letter"),
        ("a3", "tiles: the number 3 is at the end"),
        ("a!", "tiles: '!' is not a letter"),
        ("\u0663a", "is not a letter"),
    ],
)
def test_other_texts_are_refused(text: str, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        parse_tiles(text)


def test_a_blank_stands_for_any_letter() -> None:
    assert blanks_of("aet", "??t") == "ae"
    assert blanks_of("aet", "aet") == ""
    assert blanks_of("aet", "aee") is None
    assert blanks_of("aet", "aett") is None
    assert blanks_of("aet", "?ae?") is None
