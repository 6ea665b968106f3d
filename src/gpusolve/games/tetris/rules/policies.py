"""Simple players in plain Python: one piece, two pieces, or the next piece known after a delay; and whole games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, get_args

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

SimplePolicy = Literal["greedy", "two-piece"]
POLICIES: tuple[SimplePolicy, ...] = get_args(SimplePolicy)


def greedy(
    fixed: Sequence[int], board: Board, piece: int, *, reach: str = "free", level: int = 18, doubled: bool = False
) -> State | None:
    """Return the placement of least evaluation, the first in case of a tie; None if the piece cannot spawn."""
    best, choice = 0, None
    for state in placements(board, piece, reach, level, doubled=doubled):
        worth = value(fixed, board, piece, state) - DECISIVE * (place(board, piece, state)[1] == 4)
        if choice is None or worth < best:
            best, choice = worth, state
    return choice


def two_piece(
    fixed: Sequence[int],
    board: Board,
    piece: int,
    following: int,
    *,
    reach: str = "free",
    level: int = 18,
    doubled: bool = False,
) -> State | None:
    """Return the placement after which the best placement of the next piece is least, the first in case of a tie."""
    clock: Any = {"reach": reach, "level": level, "doubled": doubled}
    states = placements(board, piece, **clock)
    worths = [_worth(fixed, board, piece, state, following, **clock) for state in states]
    return states[worths.index(min(worths))] if states else None


def planned(
    fixed: Sequence[int],
    board: Board,
    piece: int,
    following: int,
    *,
    chances: Sequence[int],
    delay: int,
    reach: str,
    level: int = 18,
    doubled: bool = False,
) -> State | None:
    """Return the placement of a two-piece player who learns the next piece only on frame `delay`.

    Until then the player follows the plan with the least expected value, the first in case of a tie; `chances` are the
    weights of the seven pieces. After that the player makes the best placement for the piece that came among those that
    the plan leaves.
    """
    clock: Any = {"reach": reach, "level": level, "doubled": doubled}
    states = placements(board, piece, **clock)
    worths = {
        state: [_worth(fixed, board, piece, state, other, **clock) for other in range(len(PIECES))] for state in states
    }
    best, choice = 0, None
    for left in plans(board, piece, reach, level, delay=delay, doubled=doubled):
        leasts = [min(worths[state][other] for state in left) for other in range(len(PIECES))]
        expected = sum(chance * least for chance, least in zip(chances, leasts, strict=True))
        if choice is None or expected < best:
            best = expected
            choice = next(state for state in states if state in left and worths[state][following] == leasts[following])
    return choice


def _worth(fixed: Sequence[int], board: Board, piece: int, state: State, following: int, **clock: Any) -> int:
    """Return the value of the best placement of the next piece after this one."""
    after, cleared, _ = place(board, piece, state)
    second = greedy(fixed, after, following, **clock)
    if second is None:  # the next piece has no room; all such placements are equally bad
        worth = DECISIVE
    else:
        worth = value(fixed, after, following, second) - DECISIVE * (place(after, following, second)[1] == 4)
    return worth - DECISIVE * (cleared == 4)


def play(
    fixed: Sequence[int],
    policy: str = "greedy",
    *,
    seed: int = 0,
    game: int = 0,
    source: str = "uniform8",
    start_level: int = 19,
    max_lines: int = MAX_LINES,
    reach: str = "free",
    delay_ms: int = 0,
    doubled: bool = False,
) -> list[Turn]:
    """Play a whole game, which ends when a piece cannot spawn or after `max_lines` lines."""
    board = np.zeros((ROWS, COLUMNS), np.uint8)
    drawn = pieces(seed, game, source)
    piece, following = next(drawn), next(drawn)
    lines, score = 0, 0
    chances, delay = transitions(source).tolist(), frames_of(delay_ms)
    turns: list[Turn] = []
    while lines < max_lines:
        clock: Any = {"reach": reach, "level": level_at(lines, start_level), "doubled": doubled}
        if policy == "greedy":
            choice = greedy(fixed, board, piece, **clock)
        elif delay:
            choice = planned(fixed, board, piece, following, chances=chances[piece], delay=delay, **clock)
        else:
            choice = two_piece(fixed, board, piece, following, **clock)
        if choice is None:
            break
        board, cleared, _ = place(board, piece, choice)
        lines += cleared
        score += points(cleared, lines, start_level)
        turns.append(Turn(piece, choice, cleared, lines, score, level_at(lines, start_level)))
        piece, following = following, next(drawn)
    return turns
