"""Tiles: letters and blanks, and the rules for grids of them."""

from __future__ import annotations

from collections import Counter

from gpusolve.checks import check_type, lower
from gpusolve.errors import BadInput
from gpusolve.games.qless.rules import MOST_TILES

BLANK = "?"


def parse_tiles(text: str) -> str:
    """Return tiles in alphabetical order, blanks first.

    A text has 1 to 144 letters a-z in any case and ``?`` for blanks; a number before a letter says how many there are.
    Spaces and commas are ignored. Raises BadInput for any other text.

    >>> parse_tiles("Tea, 3e ?"), parse_tiles("2?")
    ('?aeeeet', '??')
    """
    check_type("tiles", text, str)
    tiles, number = [], ""
    for mark in lower("".join(text.replace(",", " ").split())):
        if mark in "0123456789":
            number += mark
            if len(number) > len(str(MOST_TILES)):
                raise BadInput(f"tiles: {number}...: expected at most {MOST_TILES} of a letter")
            continue
        if not ("a" <= mark <= "z" or mark == BLANK):
            raise BadInput(f"tiles: '{mark}' is not a letter: expected letters a-z, and {BLANK} for a blank")
        tiles.append(mark * int(number or "1"))
        number = ""
    letters = "".join(tiles)
    if number:
        raise BadInput(f"tiles: the number {number} is at the end: expected a letter after it")
    if not 1 <= len(letters) <= MOST_TILES:
        raise BadInput(f"tiles: {len(letters):,}: expected 1 to {MOST_TILES}")
    return "".join(sorted(letters))


def blanks_of(letters: str, tiles: str) -> str | None:
    """Return the letters that blanks stand for if these letters are written with these tiles; None if they cannot be.

    >>> blanks_of("teas", "?aet"), blanks_of("teas", "aett"), blanks_of("tea", "aett")
    ('s', None, None)
    """
    blanks = "".join(sorted((Counter(letters) - Counter(tiles)).elements()))
    return blanks if len(letters) == len(tiles) and len(blanks) == tiles.count(BLANK) else None
