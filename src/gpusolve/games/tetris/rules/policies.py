"""What to do with a piece, in plain Python: greedy, with the next piece in view at once or later, and whole games."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gpusolve.games.tetris.rules.board import (
    COLUMNS,
    MAX_LINES,
    PIECES,
    ROWS,
    Board,
    State,
    Turn,
    level_at,
    place,
    points,
)
from gpusolve.games.tetris.rules.features import DECISIVE, value
from gpusolve.games.tetris.rules.reachability import frames_of, placements, plans
from gpusolve.games.tetris.rules.sources import pieces, transitions

POLICIES = ("greedy", "two-piece")


def greedy(
    fixed: Sequence[int], board: Board, piece: int, reach: str = "free", level: int = 18, doubled: bool = False
) -> State | None:
    """The placement of least evaluation, the first of equals; None if there is none."""
    best, choice = 0, None
    for state in placements(board, piece, reach, level, doubled):
        worth = value(fixed, board, piece, state) - DECISIVE * (place(board, piece, state)[1] == 4)
        if choice is None or worth < best:
            best, choice = worth, state
    return choice


def two_piece(
    fixed: Sequence[int],
    board: Board,
    piece: int,
    following: int,
    reach: str = "free",
    level: int = 18,
    doubled: bool = False,
) -> State | None:
    """The placement after which the best placement of the next piece is least, the first of equals."""
    states = placements(board, piece, reach, level, doubled)
    worths = [_worth(fixed, board, piece, state, following, reach, level, doubled) for state in states]
    return states[worths.index(min(worths))] if states else None


def planned(
    fixed: Sequence[int],
    board: Board,
    piece: int,
    following: int,
    chances: Sequence[int],
    delay: int,
    reach: str,
    level: int = 18,
    doubled: bool = False,
) -> State | None:
    """The same where the next piece is not known until frame `delay`.

    The plan until then is the one from which least is to be expected, the first of equals; `chances` are those of the
    seven pieces. What follows is the best placement, for the piece that came, of those that the plan leaves.
    """
    states = placements(board, piece, reach, level, doubled)
    worths = {
        state: [_worth(fixed, board, piece, state, other, reach, level, doubled) for other in range(len(PIECES))]
        for state in states
    }
    best, choice = 0, None
    for left in plans(board, piece, reach, level, delay, doubled):
        leasts = [min(worths[state][other] for state in left) for other in range(len(PIECES))]
        expected = sum(chance * least for chance, least in zip(chances, leasts, strict=True))
        if choice is None or expected < best:
            best = expected
            choice = next(state for state in states if state in left and worths[state][following] == leasts[following])
    return choice


def _worth(
    fixed: Sequence[int], board: Board, piece: int, state: State, following: int, reach: str, level: int, doubled: bool
) -> int:
    """The value of the best placement of the next piece after this one."""
    after, cleared, _ = place(board, piece, state)
    second = greedy(fixed, after, following, reach, level, doubled)
    if second is None:  # the next piece has nowhere to go: every such placement is as bad
        worth = DECISIVE
    else:
        worth = value(fixed, after, following, second) - DECISIVE * (place(after, following, second)[1] == 4)
    return worth - DECISIVE * (cleared == 4)


def play(
    fixed: Sequence[int],
    policy: str = "greedy",
    seed: int = 0,
    game: int = 0,
    source: str = "uniform8",
    start_level: int = 19,
    max_lines: int = MAX_LINES,
    reach: str = "free",
    delay_ms: int = 0,
    doubled: bool = False,
) -> list[Turn]:
    """A whole game: it ends when a piece cannot spawn, or with `max_lines`."""
    board = np.zeros((ROWS, COLUMNS), np.uint8)
    drawn = pieces(seed, game, source)
    piece, following = next(drawn), next(drawn)
    lines, score = 0, 0
    chances, delay = transitions(source).tolist(), frames_of(delay_ms)
    turns: list[Turn] = []
    while lines < max_lines:
        level = level_at(lines, start_level)
        if policy == "greedy":
            choice = greedy(fixed, board, piece, reach, level, doubled)
        elif delay:
            choice = planned(fixed, board, piece, following, chances[piece], delay, reach, level, doubled)
        else:
            choice = two_piece(fixed, board, piece, following, reach, level, doubled)
        if choice is None:
            break
        board, cleared, _ = place(board, piece, choice)
        lines += cleared
        score += points(cleared, lines, start_level)
        turns.append(Turn(piece, choice, cleared, lines, score, level_at(lines, start_level)))
        piece, following = following, next(drawn)
    return turns
