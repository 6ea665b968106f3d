"""The forms of a file with words: one word per line, a word and its rating per line, or a JSON list of words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gpusolve import files
from gpusolve.checks import shown
from gpusolve.errors import BadInput

_JSON = re.compile(r"\s*\[\s*[\"\]]")
_WORD = r"\s*([^\s,;]+)(?:\s*[,;]\s*|\s+)"
_NAMES = re.compile(rf"{_WORD}[^\s,;]+\s*")
_RATED = re.compile(rf"{_WORD}([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)\s*")


def lines_of(text: str, called: str) -> tuple[str, list[str]]:
    r"""Return what messages call the place of a word, "line" or "item" of a JSON list, and the words as they are.

    Blank lines stay, so that the numbers of lines are right; ratings are left out. Raises BadInput, which begins with
    `called`, for a JSON list that is damaged or has anything else than words.

    >>> lines_of("word,rating\ntea,3\neat,4", "x"), lines_of('["tea", "eat"]', "x")
    (('line', ['', 'tea', 'eat']), ('item', ['tea', 'eat']))
    """
    if _JSON.match(text):
        return "item", _items(text, called)
    return "line", list(_without_ratings(text.splitlines()))


def ratings_in(text: str) -> dict[str, float]:
    r"""Return the ratings of the words that have one, by the words in lower case.

    >>> ratings_in("word,rating\ntea,3\neat")
    {'tea': 3.0}
    """
    found = map(_RATED.fullmatch, [] if _JSON.match(text) else text.splitlines())
    return {row[1].lower(): float(row[2]) for row in found if row}


def decoded(content: bytes, called: str) -> str:
    """Return the text of a list's content. Raises BadInput, which begins with `called`, if it is not UTF-8."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadInput(f"{called}: not a UTF-8 text file (byte {error.start})") from error


def count_words(content: bytes, called: str) -> int:
    """Return the number of different words in a list's content, in letters of any alphabet.

    Raises BadInput, which begins with `called`, if it is not UTF-8 or a damaged JSON list, or if it has no word.
    """
    _, lines = lines_of(decoded(content, called), called)
    words = {word.lower() for line in lines if (word := line.strip()).isalpha()}
    if not words:
        raise BadInput(f"{called}: no words there: expected one per line, or a JSON list of words")
    return len(words)


def _items(text: str, called: str) -> list[str]:
    """Return the words of a JSON list."""
    items = files.parse_json(text, called)
    for number, item in enumerate(items, 1):
        if not isinstance(item, str):
            raise BadInput(f"{called}, item {number}: expected a word in quotes, not {shown(item)}")
    return list(items)


def _without_ratings(lines: list[str]) -> Iterator[str]:
    """Yield lines without the number after the word, and an empty line for the names of such columns."""
    begin = [_RATED.fullmatch(line) is not None for line in lines[:2]]
    if begin == [False, True] and _NAMES.fullmatch(lines[0]):
        lines = ["", *lines[1:]]
    for line in lines:
        row = None if line.isalpha() else _RATED.fullmatch(line)
        yield row[1] if row else line
