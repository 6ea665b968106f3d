"""The text that Quordle shares: a title, the turns of the boards, and rows of squares of two boards side by side."""

from __future__ import annotations

import re
from collections.abc import Sequence

from gpusolve.errors import BadInput
from gpusolve.games.quordle.rules import MOST_BOARDS, Turn
from gpusolve.games.wordle.rules import LETTERS, Digraphs, solved_code
from gpusolve.games.wordle.sharing import Share, check_guesses, read_share

_TITLE = re.compile(r"\bquordle\W*[0-9]", re.IGNORECASE)
_DIGIT = re.compile("[0-9](?=\N{COMBINING ENCLOSING KEYCAP})|\N{LARGE RED SQUARE}")
LOST = 9
"""Number of rows of a board of Quordle that was not solved."""


def boards_of(share: Share, length: int = LETTERS) -> list[list[int | None]]:
    """Return the patterns of each board, guess by guess; None after the guess that solved it.

    Raises BadInput for rows that are not those of several boards, or that end before a board is solved.
    """
    boards: list[list[int]] = []
    for block in share.blocks:
        if len({len(row) for row in block}) > 1:
            raise BadInput("rows of squares for different numbers of boards: expected an empty line between them")
        boards += [list(column) for column in zip(*block, strict=True)]
    if not 2 <= len(boards) <= MOST_BOARDS:
        raise BadInput(f"squares of {len(boards)} board: expected several; the shared text has to be in quotes")
    count, green = max(map(len, boards)), solved_code(length)
    padded: list[list[int | None]] = []
    for number, codes in enumerate(boards, 1):
        solved = codes.index(green) + 1 if green in codes else len(codes)
        if green not in codes and len(codes) < count:
            raise BadInput(f"board {number}: {len(codes)} rows of squares, expected {count}, because it is not solved")
        padded.append([*codes[:solved], *[None] * (count - solved)])
    return padded


def read_shared(items: Sequence[object], length: int = LETTERS, digraphs: Digraphs = ()) -> Share | None:
    """Read the text that Quordle shares and the guesses beside it, as `read_share` does.

    Raises BadInput for a text of Quordle without its squares, which is more than its title and the turns of the boards.
    """
    share = read_share(items, length, digraphs)
    text = "" if isinstance(items, str) else " ".join(item for item in items if isinstance(item, str))
    if share is None and (_TITLE.search(text) or "\N{COMBINING ENCLOSING KEYCAP}" in text):
        raise BadInput(
            f"no rows of {length} squares in the text of Quordle: expected them after the turns of the boards"
        )
    return share


def shared_turns(items: Sequence[object], digraphs: Digraphs = (), length: int = LETTERS) -> list[Turn] | None:
    """Return the turns of a shared text and its guesses, or None if the items are something else."""
    share = read_shared(items, length, digraphs)
    if share is None:
        return None
    rows = list(zip(*boards_of(share, length), strict=True))
    check_guesses(share, len(rows))
    return [Turn(guess, codes) for guess, codes in zip(share.guesses, rows, strict=True)]


def hidden_and_made(
    hidden: Sequence[str], made: Sequence[str], digraphs: Digraphs = (), length: int = LETTERS
) -> tuple[Sequence[str], Sequence[str]]:
    """Return the hidden words and the guesses of a shared game; others are returned as they are.

    Raises BadInput if a board is not solved, because then its word is not known.
    """
    if isinstance(hidden, str) or isinstance(made, str):
        return hidden, made
    turns = shared_turns([*hidden, *made], digraphs, length)
    if turns is None:
        return hidden, made
    words = {board: turn.guess for turn in turns for board in range(len(turn.patterns)) if turn.solved(board)}
    for board in range(len(turns[0].patterns)):
        if board not in words:
            raise BadInput(f"board {board + 1} is not solved: expected the hidden words, separated by commas")
    return [words[board] for board in sorted(words)], [turn.guess for turn in turns]


def announced(lines: Sequence[str]) -> int | None:
    """Return the number of rows of squares after the lines of a title, or None before the turns of four boards.

    >>> announced(["daily quordle 12", "5\ufe0f\u20e38\ufe0f\u20e3", "6\ufe0f\u20e3🟥"])
    17
    """
    digits = [LOST if digit == "\N{LARGE RED SQUARE}" else int(digit) for line in lines for digit in _digits(line)]
    return max(digits[:2]) + max(digits[2:4]) if len(digits) == 4 else None


def _digits(line: str) -> list[str]:
    return _DIGIT.findall(line.replace("\N{VARIATION SELECTOR-16}", ""))
