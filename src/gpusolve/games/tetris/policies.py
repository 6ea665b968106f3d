"""What to do with a piece, in plain Python: greedy, with the next piece in view, and whole games."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gpusolve.games.tetris.features import DECISIVE, value
from gpusolve.games.tetris.reachability import placements
from gpusolve.games.tetris.rules import COLUMNS, MAX_LINES, ROWS, Board, State, Turn, level_at, place, points
from gpusolve.games.tetris.sources import pieces

POLICIES = ("greedy", "two-piece")


def greedy(fixed: Sequence[int], board: Board, piece: int, reach: str = "free", level: int = 18) -> State | None:
    """The placement of least evaluation, the first of equals; None if there is none."""
    best, choice = 0, None
    for state in placements(board, piece, reach, level):
        worth = value(fixed, board, piece, state) - DECISIVE * (place(board, piece, state)[1] == 4)
        if choice is None or worth < best:
            best, choice = worth, state
    return choice


def two_piece(
    fixed: Sequence[int], board: Board, piece: int, following: int, reach: str = "free", level: int = 18
) -> State | None:
    """The placement after which the best placement of the next piece is least, the first of equals."""
    best, choice = 0, None
    for state in placements(board, piece, reach, level):
        after, cleared, _ = place(board, piece, state)
        second = greedy(fixed, after, following, reach, level)
        if second is None:  # the next piece has nowhere to go: every such placement is as bad
            worth = DECISIVE
        else:
            worth = value(fixed, after, following, second) - DECISIVE * (place(after, following, second)[1] == 4)
        worth -= DECISIVE * (cleared == 4)
        if choice is None or worth < best:
            best, choice = worth, state
    return choice


def play(
    fixed: Sequence[int],
    policy: str = "greedy",
    seed: int = 0,
    game: int = 0,
    source: str = "uniform8",
    start_level: int = 19,
    max_lines: int = MAX_LINES,
    reach: str = "free",
) -> list[Turn]:
    """A whole game: it ends when a piece cannot spawn, or with `max_lines`."""
    board = np.zeros((ROWS, COLUMNS), np.uint8)
    drawn = pieces(seed, game, source)
    piece, following = next(drawn), next(drawn)
    lines, score = 0, 0
    turns: list[Turn] = []
    while lines < max_lines:
        level = level_at(lines, start_level)
        if policy == "greedy":
            choice = greedy(fixed, board, piece, reach, level)
        else:
            choice = two_piece(fixed, board, piece, following, reach, level)
        if choice is None:
            break
        board, cleared, _ = place(board, piece, choice)
        lines += cleared
        score += points(cleared, lines, start_level)
        turns.append(Turn(piece, choice, cleared, lines, score, level_at(lines, start_level)))
        piece, following = following, next(drawn)
    return turns
