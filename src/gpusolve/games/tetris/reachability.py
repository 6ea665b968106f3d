"""Where presses take a piece, in plain Python: without a clock, or by the fastest tapping against gravity."""

from __future__ import annotations

from collections import deque

from gpusolve.games.tetris.rules import GRAVITY, Board, State, fits, moved, rotated, spawn_state

TIMELINES = ("30hz", "15hz", "das")
REACHES = ("free", *TIMELINES)
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


def is_tap(timeline: str, frame: int) -> bool:
    """Whether a press may start on this frame, the first being frame 0.

    ``das`` is a button held from the start: a shift at once, the next after 16 frames, then one every 6.

    >>> [frame for frame in range(30) if is_tap("das", frame)]
    [0, 16, 22, 28]
    """
    if timeline == "das":
        return frame == 0 or (frame >= 16 and (frame - 16) % 6 == 0)
    return frame % {"30hz": 2, "15hz": 4}[timeline] == 0


def timed_paths(board: Board, piece: int, timeline: str, level: int) -> dict[State, tuple[str, ...]]:
    """Every placement reached under gravity, and the presses for it, each written ``frame:press``.

    A frame goes as in the console: a shift, then a rotation, each if a press may start on it, then the drop, on the
    last of every GRAVITY[level] frames; a piece that cannot drop locks. Nothing but gravity moves it down.
    """
    start = spawn_state(piece)
    states: dict[State, tuple[str, ...]] = {start: ()} if fits(board, piece, start) else {}
    locked: dict[State, tuple[str, ...]] = {}
    gravity = GRAVITY[min(level, len(GRAVITY) - 1)]
    frame = 0
    while states:
        if is_tap(timeline, frame):
            for presses in (("left", "right"), ("clockwise", "counter-clockwise")):
                for state, path in list(states.items()):
                    for press in presses:
                        after = pressed(piece, state, press)
                        if after not in states and fits(board, piece, after):
                            states[after] = (*path, f"{frame}:{press}")
        frame += 1
        if frame % gravity == 0:
            dropped = {}
            for state, path in states.items():
                if fits(board, piece, moved(state, 1, 0)):
                    dropped[moved(state, 1, 0)] = path
                else:
                    locked[state] = path
            states = dropped
    return locked


def placements(board: Board, piece: int, reach: str = "free", level: int = 18) -> list[State]:
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
        found = list(timed_paths(board, piece, reach, level))
    return sorted(found, key=lambda state: (state[0], state[2], state[1]))
