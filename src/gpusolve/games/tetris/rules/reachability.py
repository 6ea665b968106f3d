"""Where presses take a piece, in plain Python: without a clock, or by the fastest tapping against gravity."""

from __future__ import annotations

from collections import deque

import numpy as np

from gpusolve.games.tetris.rules.board import COLUMNS, ROWS, Board, State, fits, gravity, moved, rotated, spawn_state

TIMELINES = ("30hz", "15hz", "das")
REACHES = ("free", *TIMELINES)
"""Those that have a name of their own; ``<N>hz`` is tapping at any other rate, see `rate_of`."""
FASTEST = 30
"""Taps per second: the console looks at the buttons 60 times, and between two presses one is let go."""
FRAMES_PER_SECOND = 60.0988  # NTSC
PRESSES = ("left", "right", "clockwise", "counter-clockwise", "down")


def pressed(piece: int, state: State, press: str) -> State:
    """The state after one press, whether it fits or not."""
    match press:
        case "left":
            return moved(state, 0, -1)
        case "right":
            return moved(state, 0, 1)
        case "down":
            return moved(state, 1, 0)
    return rotated(piece, state, 1 if press == "clockwise" else -1)


def free_paths(board: Board, piece: int) -> dict[State, tuple[str, ...]]:
    """Every state that presses reach from the spawn, without a clock, and the fewest presses that reach it."""
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
    """The states of a piece on an empty board in the order in which presses reach them from the spawn, from 0 on.

    Breadth first, so by the number of presses; of as many by those of the state before, then clockwise,
    counter-clockwise, down, left, right. It is how the program behind the published results numbers placements.
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
    """The taps per second of ``<N>hz``, N a whole number from 1 to FASTEST; None for any other text.

    >>> rate_of("12hz"), rate_of("das"), rate_of("31hz")
    (12, None, None)
    """
    return next((rate for rate in range(1, FASTEST + 1) if reach == f"{rate}hz"), None)


def frames_of(milliseconds: float) -> int:
    """How many frames a time takes, to the nearest.

    >>> frames_of(300)
    18
    """
    return round(milliseconds * FRAMES_PER_SECOND / 1000)


def is_tap(timeline: str, frame: int) -> bool:
    """Whether a press may start on this frame, the first being frame 0.

    ``das`` is a button held from the start: a shift at once, the next after 16 frames, then one every 6. ``<N>hz``: tap
    number k, from 0 on, starts on the first frame that is not before 60 k / N.

    >>> [frame for frame in range(30) if is_tap("das", frame)]
    [0, 16, 22, 28]
    >>> [frame for frame in range(20) if is_tap("13hz", frame)]
    [0, 5, 10, 14, 19]
    """
    if timeline == "das":
        return frame == 0 or (frame >= 16 and (frame - 16) % 6 == 0)
    rate = rate_of(timeline)
    assert rate is not None, timeline
    return frame * rate % 60 < rate


Paths = dict[State, tuple[str, ...]]
"""States, and the presses for each, written ``frame:press``."""


def timed_paths(board: Board, piece: int, timeline: str, level: int, doubled: bool = False) -> Paths:
    """Every placement reached under gravity, and the presses for it.

    A frame goes as in the console: a shift, then a rotation, each if a press may start on it, then the drop, on the
    last of every so many frames (`rules.gravity`); a piece that cannot drop locks. Nothing but gravity moves it down.
    """
    return _fall(board, piece, timeline, level, doubled, _spawned(board, piece))[1]


def plans(board: Board, piece: int, timeline: str, level: int, delay: int, doubled: bool = False) -> list[set[State]]:
    """What a player can have decided before frame `delay`, and the placements that are left to choose from then.

    A plan is the state in which the piece is when that frame begins, by orientation and column; and where it has come
    to rest before, by orientation, column, row: then nothing is left to choose.
    """
    states, locked = _fall(board, piece, timeline, level, doubled, _spawned(board, piece), 0, delay)
    reached = (_fall(board, piece, timeline, level, doubled, {one: ()}, delay)[1] for one in sorted(states, key=_order))
    return [*map(set, reached), *({state} for state in sorted(locked, key=_order))]


def _spawned(board: Board, piece: int) -> Paths:
    start = spawn_state(piece)
    return {start: ()} if fits(board, piece, start) else {}


def _fall(
    board: Board,
    piece: int,
    timeline: str,
    level: int,
    doubled: bool,
    states: Paths,
    frame: int = 0,
    until: int | None = None,
) -> tuple[Paths, Paths]:
    """What `states` come to from the beginning of `frame` to that of `until`: in the air, and at rest."""
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
    """By orientation, column, row."""
    return state[0], state[2], state[1]


def placements(board: Board, piece: int, reach: str = "free", level: int = 18, doubled: bool = False) -> list[State]:
    """The placements of a piece, in the order that settles ties: by orientation, column, row.

    >>> import numpy as np
    >>> empty = np.zeros((22, 10), np.uint8)
    >>> [len(placements(empty, piece)) for piece in range(7)]
    [17, 34, 34, 34, 17, 17, 9]
    """
    if reach == "free":
        paths = free_paths(board, piece)
        found = [state for state in paths if not fits(board, piece, moved(state, 1, 0))]
    else:
        found = list(timed_paths(board, piece, reach, level, doubled))
    return sorted(found, key=_order)
