r"""The notations in which people write boards.

A board is read from rows of words. Rows are on lines of their own, or separated by ``/`` or ``;``; a row is words
between spaces or commas, or one word with a character for each tile. The blank is ``0``, ``_``, ``.`` or ``*``, and on
a board without any of these ``x`` or an empty field between commas.

>>> [parse_grid(text).tiles for text in ("1 2 / 3 0", "12/3x", "2x2: 1,2,3,", "[[1, 2], [3, null]]", "2\n1 2\n3 0")]
[(1, 2, 3, 0), (1, 2, 3, 0), (1, 2, 3, 0), (1, 2, 3, 0), (1, 2, 3, 0)]
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from math import isqrt
from typing import Any

from gpusolve.checks import digits
from gpusolve.errors import BadInput

MOST_CELLS = 49
"""Maximum number of cells; those of boards with a side longer than 7 are at most 25."""
SHORTEST_SIDE, LONGEST_SIDE = 2, 12
BLANKS = ("0", "_", ".", "*")
"""The ways to write the blank; x and an empty field are blanks where none of these is on the board."""
NO_BOARD = "no board: expected tiles, row by row"
TITLE = re.compile(r"\s*[^\W\d_]{2,}[^,/;]*")
"""A line that begins with a word is a title, unless tiles follow."""
Rows = list[list[str]]


@dataclass(frozen=True)
class Grid:
    """What was written: a board without its goal.

    Attributes
    ----------
    rows, columns : int
        Size of the board.
    tiles : tuple of int
        The tiles, row by row; 0 is the blank. A letter is a number, from 1 in the order of the alphabet.
    letters : str
        The letters of the tiles 1, 2, ...; empty if the tiles are numbers.
    line : int
        The line on which it begins, counted from 1; 0 if it was the only board.
    """

    rows: int
    columns: int
    tiles: tuple[int, ...]
    letters: str = ""
    line: int = 0


def parse_grids(text: str) -> list[Grid]:
    """Read one board per line, or grids that are separated by empty lines.

    Several lines without an empty line between them are the rows of a single board if they are short and at most one of
    them has a blank. ``#`` starts a comment, and a line that begins with a word is a title. Raises BadInput with the
    number of the line that is not a board.
    """
    if (listed := _listed(text)) is not None:
        return [_grid(rows) for rows in listed]
    grids: list[Grid] = []
    size: list[int] | None = None  # from a first line that has nothing else
    for first, lines in _blocks(text):
        if size is None and (size := _size(lines[0])) is not None:
            if len(lines) == 1 + (rows := size[0]) and not _is_complete(map(_words, lines)):
                grids.append(_read("\n".join(lines[1:]), first + 1, (rows, size[-1])))
                size = None
                continue
            if len(lines) > 1:
                size = None
        elif size is not None:
            grids.append(_read("\n".join(lines), first, (size[0], size[-1])))
            size = None
            continue
        if size is None:
            for number, board in enumerate(["\n".join(lines)] if _is_grid(lines) else lines, first):
                grids.append(_read(board, number, None))
    if not grids:
        raise BadInput(NO_BOARD)
    return grids


def _read(text: str, line: int, size: tuple[int, int] | None) -> Grid:
    try:
        return replace(parse_grid(text, size), line=line)
    except BadInput as error:
        raise BadInput(f"line {line}: {error}") from None


def parse_grid(text: str, size: tuple[int, int] | None = None) -> Grid:
    """Read a single board; `size` is what was written before it."""
    text = _untitled(text)
    if (listed := _listed(text)) is not None:
        if len(listed) != 1:
            raise BadInput(f"{len(listed)} boards: expected one")
        return _grid(listed[0])
    if found := re.fullmatch(r"\s*(\d+)\s*[xX×]\s*(\d+)\s*[:,\s]\s*(.*)", text, re.DOTALL):
        size, text = (int(found[1]), int(found[2])), found[3]
    lines = [line for line in text.split("\n") if line.strip()]
    first = _size(lines[0]) if size is None and len(lines) > SHORTEST_SIDE else None
    if first is not None and len(lines) == 1 + first[0] and not _is_complete(map(_words, lines)):
        size, lines = (first[0], first[-1]), lines[1:]
    rows = [row for row in map(_words, re.split(r"[/;\n]", "\n".join(lines))) if row]
    if size is not None and len(rows) == 1:
        words = rows[0] if len(rows[0]) > 1 else [*rows[0][0]]
        if len(words) != size[0] * size[1]:
            raise BadInput(f"{len(words)} tiles: expected {size[0] * size[1]} for {size[0]}x{size[1]}")
        rows = [words[at : at + size[1]] for at in range(0, len(words), size[1])]
    grid = _grid(rows)
    if size is not None and size != (grid.rows, grid.columns):
        raise BadInput(f"{grid.rows} rows of {grid.columns} tiles: expected {size[0]} rows of {size[1]}")
    return grid


def is_compact(word: str) -> bool:
    """Return whether a word is a square board with a hexadecimal digit for each tile.

    >>> is_compact("867254301"), is_compact("fedcba9876543210"), is_compact("8672543011"), is_compact("abc")
    (True, True, False, False)
    """
    digits = word.lower()
    return len(word) in (4, 9, 16) and sorted(digits) == sorted("0123456789abcdef"[: len(word)])


def is_board(text: str) -> bool:
    """Return whether a text begins like a board, and not like the name of a file."""
    if "\n" in text or not text.strip(" /,;\t") or is_compact(text):
        return True
    words = text.split()
    starts = re.match(r"[\s,/\[]*([0-9]+|[_.*x]|[0-9]+[:.)])([\s,/;\]]|$)|\d+[xX×]\d+\s*:", text)
    rows = re.split("[/;]", text.strip("/; "))
    return bool(starts) or (len(words) > 1 and _is_short(words)) or _is_compact_rows(rows)


def _is_short(words: Sequence[str]) -> bool:
    return all(len(word.strip(",")) == 1 for word in words if word not in "/;")


def _is_compact_rows(rows: Sequence[str]) -> bool:
    """Return whether words of the same length are rows with a character for each tile."""
    return (
        len(rows) > 1
        and len({len(row) for row in rows}) == 1
        and len(rows[0]) >= SHORTEST_SIDE
        and not re.search(r"[\s,]", "".join(rows))
        and any(blank in "".join(rows) for blank in (*BLANKS, "x"))
    )


def _grid(rows: Rows) -> Grid:
    """Return the board of rows of words."""
    rows = [[word for word in row if word != ","] if len(row) == 1 else row for row in rows]
    if len(rows) == 1 and len(rows[0]) == 1 and is_compact(rows[0][0]):
        rows = [[str(int(digit, 16)) for digit in rows[0][0]]]
    elif len(rows) > 1 and _is_compact_rows(["".join(row) for row in rows]) and all(len(row) == 1 for row in rows):
        rows = _apart([row[0] for row in rows])
    if not rows or not any(rows):
        raise BadInput(NO_BOARD)
    rows = _alone(_with_blank(rows))
    lengths = sorted({len(row) for row in rows})
    if len(lengths) > 1:
        raise BadInput(f"rows of {' and '.join(map(str, lengths))} tiles: expected rows of the same length")
    words, count, columns = [word for row in rows for word in row], len(rows), lengths[0]
    if count == 1:
        if columns > MOST_CELLS:
            raise BadInput(f"{columns} tiles: expected at most {MOST_CELLS}")
        count = columns = isqrt(len(words))
        if count * columns != len(words) or count < SHORTEST_SIDE:
            tiles = "1 tile" if len(words) == 1 else f"{len(words)} tiles"
            raise BadInput(f"{tiles} in one row: expected a square number of tiles, or / between the rows")
    if _are_letters(words):
        if not any(word in BLANKS for word in words):
            raise BadInput("letters without a blank: expected _ in its cell")
        letters = "".join(sorted({word for word in words if word not in BLANKS}))
        return Grid(count, columns, tuple(1 + letters.find(word) for word in words), letters)
    return Grid(count, columns, tuple(map(_number, words)))


def _apart(rows: Sequence[str]) -> Rows:
    """Return the tiles of rows with a character for each tile: hexadecimal digits if these are a board, or letters."""
    digits = "".join(rows).lower()
    for blank in (*BLANKS, "x"):
        if digits.count(blank) == 1 and not any(other in digits for other in BLANKS if other != blank):
            digits = digits.replace(blank, "0")
            if sorted(digits) == sorted("0123456789abcdef"[: len(digits)]):
                whole = [str(int(digit, 16)) for digit in digits]
                return [whole[at : at + len(rows[0])] for at in range(0, len(whole), len(rows[0]))]
    return [[*row] for row in rows]


def _are_letters(words: Sequence[str]) -> bool:
    others = [word for word in words if word not in BLANKS]
    return bool(others) and all(len(word) == 1 and not word.isdecimal() and word not in "-+,:" for word in others)


def _with_blank(rows: Rows) -> Rows:
    """Return the rows with 0 for x or for an empty field where there is no other blank, and without other fields."""
    words = [word for row in rows for word in row]
    if not any(word in BLANKS for word in words) and not _are_letters([word for word in words if word != ","]):
        for blank in ("x", "X", "null", ","):
            if words.count(blank) == 1:
                return [["0" if word == blank else word for word in row] for row in rows]
    return [[word for word in row if word != ","] for row in rows]


def _alone(rows: Rows) -> Rows:
    """Return the rows without a number before the board or a length after it: without these it is complete."""
    first, last = rows[0][1:], rows[-1][:-1]
    inner = rows[0][1:-1] if len(rows) == 1 else []
    for found in (rows, [first, *rows[1:]], [*rows[:-1], last], [inner] if inner else [first, *rows[1:-1], last]):
        numbered = re.fullmatch("[0-9]{1,9}[.:)]?", rows[0][0]) or found[0] is rows[0]
        if (numbered or found is rows) and _is_complete(found):
            return found
    return rows


def _is_complete(rows: Iterable[list[str]]) -> bool:
    """Return whether rows have each tile once, with as many tiles in each row; one row can be a square board."""
    rows = [*rows]
    tiles = ["0" if word in BLANKS else word for row in rows for word in row]
    fits = len({len(row) for row in rows}) == 1 and (len(rows) > 1 or isqrt(len(tiles)) ** 2 == len(tiles))
    return fits and len(tiles) >= SHORTEST_SIDE**2 and sorted(tiles) == sorted(map(str, range(len(tiles))))


def _listed(text: str) -> list[Rows] | None:
    """Return the boards of a text in brackets, as JSON and NumPy write arrays; None for other text."""
    if text.lstrip().startswith("{"):
        raise BadInput("a JSON object: expected a list of rows such as [[1, 2], [3, 0]]")
    if not text.lstrip().startswith("["):
        return None
    try:
        value = json.loads(re.sub(r"(?<=[\w\]])\s+(?=[\w\[])", ",", re.sub(r"\b0+(?=\d)|'|\.(?=[\s,\]])", "", text)))
    except ValueError:
        raise BadInput(f"'{text.strip()[:20]}': expected a list of rows such as [[1, 2], [3, 0]]") from None
    depth, inner = 0, value
    while isinstance(inner, list) and inner:
        depth, inner = depth + 1, inner[0]
    boards: list[Any] = {1: [[value]], 2: [value], 3: value}.get(depth, [])
    if not boards or not all(isinstance(row, list) for board in boards for row in (board or [0])):
        raise BadInput(NO_BOARD)
    return [[["0" if word is None else str(word).strip() or "0" for word in row] for row in board] for board in boards]


def _blocks(text: str) -> Iterator[tuple[int, Sequence[str]]]:
    """Yield each group of lines that has no empty line and no title in it, with the number of its first line."""
    block: list[tuple[int, str]] = []
    for number, line in enumerate([*text.split("\n"), ""], 1):
        content, *comment = re.split("#|//", line, maxsplit=1)
        content = _untitled(content)
        if content.strip():
            block.append((number, content))
        elif not comment and block:
            yield from _parts(block)
            block = []


def _untitled(line: str) -> str:
    """Return a line without a comment, and without a title that a colon ends."""
    return re.sub(r"^\s*[^\W\d_][^:/;,\n]*:|//.*", "", line)


def _parts(block: list[tuple[int, str]]) -> Iterator[tuple[int, Sequence[str]]]:
    """Yield the parts of a group of lines between titles; rows of letters are no titles."""
    if _is_compact_rows([content.strip() for _, content in block]):
        yield block[0][0], [content for _, content in block]
        return
    for is_title, lines in groupby(block, lambda line: bool(TITLE.fullmatch(line[1])) and not _is_row(line[1])):
        part = list(lines)
        if not is_title:
            yield part[0][0], [content for _, content in part]


def _is_row(line: str) -> bool:
    """Return whether a line that begins with a word is a row of letters, or a name with tiles after it."""
    words = _words(line)
    return len(words) >= SHORTEST_SIDE**2 or (len(words) == 1 and any(blank in words[0] for blank in BLANKS))


def _size(line: str) -> list[int] | None:
    """Return the size that is written on a line of its own: the side of a square, or rows and columns."""
    words = line.replace("x", " ").split()
    sides = [digits(word, LONGEST_SIDE) or 0 for word in words]
    return sides if len(sides) in (1, 2) and min(sides) >= SHORTEST_SIDE else None


def _is_grid(lines: Sequence[str]) -> bool:
    rows = [_words(line) for line in lines]
    blanks = sum(any(word in BLANKS for word in row) for row in rows)
    of_nine = len(rows[0]) == 9 and any(_is_complete([row]) for row in rows)  # two boards, one without its blank
    return len(rows) > 1 and blanks <= 1 and len(rows[0]) <= LONGEST_SIDE and len(rows[0]) >= 1 and not of_nine


def _words(row: str) -> list[str]:
    """Return the words of a row; a comma stands for each empty field between commas."""
    if "," not in row:
        return row.split()
    fields = [field.split() for field in row.strip().split(",")]
    return [word for field in fields for word in (field or [","])]


def _number(word: str) -> int:
    number = 0 if word in BLANKS else digits(word, MOST_CELLS - 1)
    if number is None:
        raise BadInput(f"'{word[:20]}': expected a tile, 0 to {MOST_CELLS - 1}")
    return number
