"""Boards as people give them: as text, in files, or as the name of a published set."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TypeAlias

from gpusolve import files
from gpusolve.checks import check_type
from gpusolve.errors import BadInput
from gpusolve.games.sliding.boards import (
    BLANKS,
    NO_BOARD,
    Board,
    Goal,
    is_compact,
    load_boards,
    parse_board,
    parse_boards,
)
from gpusolve.games.sliding.published import SETS, instances

AnyBoard: TypeAlias = Board | str | Path | Sequence[str]
"""What stands for a board, or for several: see `read_boards`."""


def read_board(board: AnyBoard, goal: Goal | None = None) -> Board:
    """Return the board that `read_boards` reads. Raises BadInput if there are several."""
    boards = read_boards(board, goal)
    if len(boards) > 1:
        raise BadInput(f"{board}: {len(boards)} boards: expected one")
    return boards[0]


def read_boards(boards: AnyBoard | Sequence[Board], goal: Goal | None = None) -> list[Board]:
    """Return boards from text, from files, or as they are.

    Parameters
    ----------
    boards : Board, str, Path, or sequence of them
        A board as `parse_board` reads it; several lines as `parse_boards` reads them; the name of a file; or
        ``article``, the name of a set of published boards (`instances`). Several texts are boards each, unless they are
        the tiles or the rows of one board.
    goal : {"blank-first", "blank-last"}, optional
        The position to reach. By default that of a `Board`; for text the one that can be reached, ``blank-first`` if
        both can.

    Returns
    -------
    list of Board

    Raises
    ------
    BadInput
        If something is no board, if there is none, and for a `Board` or a set with another goal.
    """
    found: list[Board] = []
    for each in [boards] if isinstance(boards, Board | str | Path) else _sources(boards):
        if isinstance(each, Board) or (each in SETS and not files.exists(each)):
            own = [each] if isinstance(each, Board) else instances(str(each))
            if goal not in (None, own[0].goal):
                raise BadInput(f"goal {goal}: expected {own[0].goal}, the goal of the board")
            found += own
        else:
            found += _read(each, goal)
    if not found:
        raise BadInput(NO_BOARD)
    return found


def _sources(words: Sequence[Board | str | Path]) -> Sequence[Board | str | Path]:
    """Return the words that are boards or files. Tiles or rows of a board that was not quoted are joined."""
    texts = [word for word in words if isinstance(word, str)]
    if len(words) < 2 or len(texts) < len(words) or all(map(is_compact, texts)):
        return words
    if not all(re.fullmatch(r"[0-9_.,/]+", word) for word in texts) or any(map(files.exists, texts)):
        return words
    with_blank = sum(bool(set(re.split("[,/]", word)) & set(BLANKS)) for word in texts)
    if with_blank > 1:  # each is a board
        return words
    return [("/" if re.search("[0-9_.],[0-9_.]", texts[0]) else " ").join(texts)]


def _read(source: str | Path, goal: Goal | None) -> list[Board]:
    """Read the boards of a text or a file."""
    check_type("board", source, (str, Path))
    if isinstance(source, str) and "\n" in source:
        return parse_boards(source, goal=goal)
    exists = files.exists(source)
    if isinstance(source, str) and is_compact(source) and not exists:
        return [parse_board(source, goal=goal)]
    looks_like_board = re.match(r"[\s,/]*([0-9_.]+|[0-9]+[:)])([\s,/]|$)", str(source))
    if exists or isinstance(source, Path) or not looks_like_board:
        return load_boards(source, goal=goal)
    return [parse_board(source, goal=goal)]
