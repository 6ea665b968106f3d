"""The text that Wordle and its relatives share: a header, and rows of coloured squares without the guesses."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from gpusolve.checks import split_words
from gpusolve.errors import BadInput
from gpusolve.games.wordle import rules
from gpusolve.games.wordle.rules import LENGTHS, LETTERS, SQUARES, Digraphs, Turns

_VARIATION = "\N{VARIATION SELECTOR-16}"
_ROWS = {length: re.compile(f"[{SQUARES}]{{{length}}}") for length in LENGTHS}
# A title begins where a word does, and an address has a first dot or slash: otherwise a word of 50,000 characters would
# be searched from each of them.
_TITLE = re.compile(r"(\b(daily|weekly)\s+)?#?(?<!\w)\w*ordle\w*.*", re.IGNORECASE)
_NUMBERS = re.compile(
    "[\\d.,\u00a0\u202f\u20e3\N{LARGE RED SQUARE}]+|[1-9X]/\\d+\\*?|[^\\s./]*[./]\\S*/\\S*", re.IGNORECASE
)
_RESULT = re.compile(r"\b(?P<turns>[1-9X])/6(?P<hard>\*?)", re.IGNORECASE)


@dataclass(frozen=True)
class Share:
    """What people share of a game.

    Attributes
    ----------
    blocks : list of list of list of int
        The patterns of each row of squares; an empty line starts a new block.
    guesses : list of str
        The guesses that were given with it.
    hard : bool
        Whether the result has the star of hard mode.
    """

    blocks: list[list[list[int]]]
    guesses: list[str]
    hard: bool


def read_share(items: object, length: int = LETTERS, digraphs: Digraphs = ()) -> Share | None:
    r"""Read the text that a game shares, and the guesses that were given beside it.

    Parameters
    ----------
    items : object
        Texts in any order: the shared text as a whole or in pieces, as the shell splits it, and guesses.
    length : int
        Number of letters of the guesses, and of squares of a row.
    digraphs : sequence of str
        The digraphs of the list of guesses.

    Returns
    -------
    Share or None
        None if there are no rows of squares among the items, so that they are something else.

    Raises
    ------
    BadInput
        For anything else among the items, and if the result in the header does not fit the number of rows.

    Examples
    --------
    >>> share = read_share(["Wordle 1,234 2/6*\n\n⬛🟨⬛⬛🟩\n🟩🟩🟩🟩🟩", "salet", "craft"])
    >>> share.guesses, [rules.pattern_text(code) for row in share.blocks[0] for code in row], share.hard
    (['salet', 'craft'], ['-y--g', 'ggggg'], True)
    """
    if (
        isinstance(items, str)
        or not isinstance(items, Sequence)
        or not any(_has_squares(item, length) for item in items)
    ):
        return None
    blocks: list[list[list[int]]] = [[]]
    guesses: list[str] = []
    result = None
    for item, following in zip(items, [*items[1:], ""], strict=True):
        if not isinstance(item, str) or re.match(r"\s*[^\W\d_]+\s*:\S", item.replace("://", "")):
            raise BadInput(f"{str(item)[:40]}: expected a guess alone, because the squares give the patterns")
        if item.lower() in ("daily", "weekly") and _TITLE.match(str(following)):
            continue  # the title, which the shell has split
        lines = item.replace(_VARIATION, "").strip().split("\n")
        for line in lines:
            result = _RESULT.search(line) or result
            rows = _ROWS[length].findall(line)
            if rows:
                blocks[-1].append([rules.parse_pattern(row, length) for row in rows])
            elif not line.strip() and blocks[-1]:
                blocks.append([])
            if rows or len(lines) == 1:
                guesses += _guesses(_ROWS[length].sub(" ", line), length, digraphs)
    blocks = [block for block in blocks if block]
    count = sum(map(len, blocks))
    if result is not None and count != (expected := rules.GUESSES if result["turns"] in "Xx" else int(result["turns"])):
        raise BadInput(f"{result[0]}: {count} rows of squares, expected {expected}")
    return Share(blocks, guesses, result is not None and bool(result["hard"]))


def patterns_of(share: Share) -> list[int]:
    """Return the patterns of a game with one board. Raises BadInput for rows of several boards."""
    rows = [row for block in share.blocks for row in block]
    if any(len(row) > 1 for row in rows):
        raise BadInput("several patterns in a row of squares: expected the text of a game with one board")
    return [code for (code,) in rows]


def items_of(turns: Turns | str) -> Turns:
    r"""Return the items of a history: the words of a text on one line, or a shared text, which has several lines.

    Words that are separated by commas are several items.

    >>> items_of("salet:-y--g craft"), items_of(["crane,moist", "badly"])
    (['salet:-y--g', 'craft'], ['crane', 'moist', 'badly'])
    """
    if isinstance(turns, str):
        return [turns] if "\n" in turns else split_words(turns.split())
    return split_words(cast(Any, turns)) if isinstance(turns, Sequence) else turns


def with_guesses(turns: Turns, length: int = LETTERS, digraphs: Digraphs = ()) -> Turns:
    """Return the turns of a shared game, each as a guess and its pattern; other turns are returned as they are.

    Raises BadInput unless there is a guess for each row of squares.
    """
    share = read_share(turns, length, digraphs)
    if share is None:
        return turns
    patterns = patterns_of(share)
    check_guesses(share, len(patterns))
    return list(zip(share.guesses, patterns, strict=True))


def parse_history(turns: Turns | str, length: int = LETTERS, digraphs: Digraphs = ()) -> list[tuple[str, int]]:
    r"""Read the guesses so far, as `rules.parse_history` does, or from a shared text and its guesses.

    >>> parse_history(["Wordle 1,234 3/6\n⬜🟦⬜⬜🟧", "salet"])
    Traceback (most recent call last):
    gpusolve.errors.BadInput: 3/6: 1 rows of squares, expected 3
    """
    return rules.parse_history(with_guesses(items_of(turns), length, digraphs), length, digraphs)


def announced(title: str) -> int | None:
    """Return the number of rows of squares that follow a title such as ``Wordle 1,234 4/6*``; None for other text.

    >>> announced("Wordle 1,234 4/6*"), announced("wordle 7 x/6"), announced("salet:-y--g")
    (4, 6, None)
    """
    result = _RESULT.search(title)
    if result is None or not _TITLE.search(title):
        return None
    return rules.GUESSES if result["turns"] in "Xx" else int(result["turns"])


def squares(line: str, length: int = LETTERS) -> list[str]:
    """Return the rows of squares in a line, each as long as a guess."""
    return _ROWS[length].findall(line.replace(_VARIATION, ""))


def check_guesses(share: Share, count: int) -> None:
    """Raise BadInput unless a shared game of `count` turns has as many guesses."""
    if len(share.guesses) != count:
        raise BadInput(
            f"{count} rows of squares and {len(share.guesses)} guesses: expected the guess of each row, from the first"
        )


def _has_squares(item: object, length: int) -> bool:
    """Return whether an item is shared text, not a turn such as ``salet:⬛🟨⬛⬛🟩``."""
    text = item.replace(_VARIATION, "") if isinstance(item, str) else ""
    return bool(_ROWS[length].search(text)) and not re.match(r"\s*[^\W\d_]+\s*:", text)


def _guesses(line: str, length: int, digraphs: Digraphs) -> list[str]:
    """Return the guesses in a line without its squares and its title."""
    guesses: list[str] = []
    for text in _TITLE.sub("", line).split():
        if _NUMBERS.fullmatch(text):
            continue
        guess = rules.spelled(rules.fold(text), digraphs)
        if not rules.is_word(guess) or rules.length_of(guess) != length:
            raise BadInput(f"'{text[:20]}': expected a guess of {length} letters beside the rows of squares")
        guesses.append(guess)
    return guesses
