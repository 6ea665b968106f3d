"""The placements that a player can reach, in plain Python: without a clock, or by fast tapping against gravity."""

from __future__ import annotations

from collections import deque
from functools import cache, partial
from itertools import pairwise

import numpy as np

from gpusolve.checks import shown
from gpusolve.errors import BadInput
from gpusolve.games.tetris.rules.board import COLUMNS, ROWS, Board, State, fits, gravity, moved, pressed, spawn_state
from gpusolve.games.tetris.rules.das import das_paths

REACHES = ("free", "30hz", "15hz", "slow5", "das")
"""The named reaches; ``<N>hz`` is tapping at any other rate, see `rate_of`, and ``0,2,4`` are the frames of taps."""
SLOW5 = (0, 2, 4, 6, 18, 20, 22, 24, 36, 38)
"""The frames of ``slow5``: quick taps and a pause, which the published players call slow 5 tap."""
LAST_TAP, MOST_TAPS = 999, 100
FASTEST = 30
"""Most taps per second: the console reads the buttons 60 times, and a button has to be released between two presses."""
FRAMES_PER_SECOND = 60.0988  # NTSC
PRESSES = ("left", "right", "clockwise", "counter-clockwise", "down")


def free_paths(board: Board, piece: int) -> dict[State, tuple[str, ...]]:
    """Return every state that presses reach without a clock, each with the fewest presses that lead to it."""
    start = spawn_state(piece)
    if not fits(board, piece, start):
        return {}
    paths: dict[State, tuple[str, ...]] = {start: ()}
    waiting = deque([start])
    while waiting:
        state = waiting.popleft()
        for press in PRESSES:
            after = pressed(piece, state, press)
            if after not in paths and fits(board, piece, after):
                paths[after] = (*paths[state], press)
                waiting.append(after)
    return paths


def press_order(piece: int) -> dict[State, int]:
    """Return the numbers of a piece's states on an empty board, in the order in which presses reach them.

    The order is breadth first, so it starts with the fewest presses. Equal numbers of presses are ordered by the state
    before, then by clockwise, counter-clockwise, down, left, right. The program behind the published results numbers
    placements in this way.
    """
    board, start = np.zeros((ROWS, COLUMNS), np.uint8), spawn_state(piece)
    order, waiting = {start: 0}, deque([start])
    while waiting:
        state = waiting.popleft()
        for press in ("clockwise", "counter-clockwise", "down", "left", "right"):
            after = pressed(piece, state, press)
            if after not in order and fits(board, piece, after):
                order[after] = len(order)
                waiting.append(after)
    return order


def rate_of(reach: str) -> int | None:
    """Return the taps per second of ``<N>hz``, for a whole number N from 1 to FASTEST, and None for any other text.

    >>> rate_of("12hz"), rate_of("das"), rate_of("31hz")
    (12, None, None)
    """
    return next((rate for rate in range(1, FASTEST + 1) if reach == f"{rate}hz"), None)


@cache
def frames_of_taps(text: str) -> tuple[int, ...]:
    """Return the frames of taps, numbers separated by commas; no tap comes after the last one.

    Raises BadInput unless each is a whole number from 0 to LAST_TAP, at least two frames after the one before: a button
    has to be released between two presses.

    >>> frames_of_taps("0,2,5")
    (0, 2, 5)
    """
    words = text.split(",")
    if len(words) > MOST_TAPS or not all(word.isascii() and word.isdigit() and len(word) <= 3 for word in words):
        raise BadInput(f"taps {shown(text)}: expected frames from 0 to {LAST_TAP}, as in 0,2,4")
    frames = tuple(map(int, words))
    for before, frame in pairwise(frames):
        if frame < before + 2:
            raise BadInput(f"taps {shown(text)}: frame {frame} after {before}, expected {before + 2} or later")
    return frames


def frames_of(milliseconds: float) -> int:
    """Return the number of frames in a time, rounded.

    >>> frames_of(300)
    18
    """
    return round(milliseconds * FRAMES_PER_SECOND / 1000)


def is_tap(timeline: str, frame: int) -> bool:
    """Return whether a press may start on a frame; the piece appears on frame 0.

    With ``<N>hz``, tap number k = 0, 1, ... starts on the first frame that is not before 60 k / N.

    >>> [frame for frame in range(20) if is_tap("13hz", frame)]
    [0, 5, 10, 14, 19]
    >>> [frame for frame in range(20) if is_tap("slow5", frame)]
    [0, 2, 4, 6, 18]
    """
    rate = rate_of(timeline)
    if rate is not None:
        return frame * rate % 60 < rate
    return frame in (SLOW5 if timeline == "slow5" else frames_of_taps(timeline))


Paths = dict[State, tuple[str, ...]]
"""States with the presses that lead to each, written ``frame:press``."""


def timed_paths(board: Board, piece: int, timeline: str, level: int, *, doubled: bool = False) -> Paths:
    """Return every placement that is reached under gravity, with its presses.

    A frame works as in the console: a shift and then a rotation, if a press may start on this frame, then the drop, if
    one is due (`board.gravity`). A piece that cannot drop locks. Only gravity moves a piece down. With ``das``, see
    `das.das_paths`.
    """
    if timeline == "das":
        return das_paths(board, piece, level, doubled=doubled)
    spawned = _spawned(board, piece)
    return _fall(board, piece, spawned, timeline=timeline, level=level, doubled=doubled)[1]


def plans(
    board: Board, piece: int, timeline: str, level: int, *, delay: int, doubled: bool = False
) -> list[set[State]]:
    """Return the plans that a player can follow before frame `delay`, each as the placements that it leaves.

    A plan is the state of the piece at the start of that frame; plans are ordered by orientation and column. A piece
    that has locked before is a plan, too, which leaves one placement; these come last.
    """
    fall = partial(_fall, board, piece, timeline=timeline, level=level, doubled=doubled)
    states, locked = fall(_spawned(board, piece), until=delay)
    reached = (fall({state: ()}, frame=delay)[1] for state in sorted(states, key=_order))
    return [*map(set, reached), *({state} for state in sorted(locked, key=_order))]


def _spawned(board: Board, piece: int) -> Paths:
    start = spawn_state(piece)
    return {start: ()} if fits(board, piece, start) else {}


def _fall(
    board: Board,
    piece: int,
    states: Paths,
    *,
    timeline: str,
    level: int,
    doubled: bool,
    frame: int = 0,
    until: int | None = None,
) -> tuple[Paths, Paths]:
    """Move `states` from the start of `frame` to the start of `until`; return those in the air and those at rest."""
    locked: Paths = {}
    frames, rows = gravity(level, doubled)
    while states and (until is None or frame < until):
        if is_tap(timeline, frame):
            for presses in (("left", "right"), ("clockwise", "counter-clockwise")):
                for state, path in list(states.items()):
                    for press in presses:
                        after = pressed(piece, state, press)
                        if after not in states and fits(board, piece, after):
                            states[after] = (*path, f"{frame}:{press}")
        frame += 1
        for _ in range(rows if frame % frames == 0 else 0):
            dropped = {}
            for state, path in states.items():
                if fits(board, piece, moved(state, 1, 0)):
                    dropped[moved(state, 1, 0)] = path
                else:
                    locked[state] = path
            states = dropped
    return states, locked


def _order(state: State) -> tuple[int, int, int]:
    """Return the sort key of a state: orientation, column, row."""
    return state[0], state[2], state[1]


def placements(board: Board, piece: int, reach: str = "free", level: int = 18, *, doubled: bool = False) -> list[State]:
    """Return the placements of a piece in the order that settles ties: by orientation, column, row.

    >>> import numpy as np
    >>> empty = np.zeros((22, 10), np.uint8)
    >>> [len(placements(empty, piece)) for piece in range(7)]
    [17, 34, 34, 34, 17, 17, 9]
    """
    if reach == "free":
        paths = free_paths(board, piece)
        states = [state for state in paths if not fits(board, piece, moved(state, 1, 0))]
    else:
        states = list(timed_paths(board, piece, reach, level, doubled=doubled))
    return sorted(states, key=_order)
