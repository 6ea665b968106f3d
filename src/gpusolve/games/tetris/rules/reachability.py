"""The placements that a player can reach, in plain Python: without a clock, or by fast tapping against gravity."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Collection
from functools import cache, lru_cache, partial
from itertools import pairwise
from typing import Any

import numpy as np

from gpusolve.checks import shown
from gpusolve.errors import BadInput
from gpusolve.games.tetris.rules.board import (
    COLUMNS,
    ROWS,
    Board,
    State,
    fits,
    gravity,
    moved,
    orientations,
    pressed,
    spawn_state,
)
from gpusolve.games.tetris.rules.das import das_paths

REACHES = ("free", "30hz", "15hz", "slow5", "das")
"""The named reaches; ``<N>hz`` is tapping at any other rate, see `rate_of`, and ``0,2,4`` are the frames of taps."""
TUCK = "+tuck"
"""After a way to tap, as in ``30hz+tuck``: the last press may come on any frame, see `timed_paths`."""
SLOW5 = (0, 2, 4, 6, 18, 20, 22, 24, 36, 38)
"""The frames of ``slow5``: quick taps and a pause, which the published players call slow 5 tap."""
LAST_TAP, MOST_TAPS = 999, 100
FASTEST = 30
"""Most taps per second: the console reads the buttons 60 times, and a button has to be released between two presses."""
FRAMES_PER_SECOND = 60.0988  # NTSC
LOWEST = 7
"""No cell of a piece that has dropped by d rows, and none below it, is lower than row d + LOWEST - 1."""
EDGE = 4
"""Cells around the board beyond which no press leads from a state on the board."""
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
        raise BadInput(f"taps {shown(text)}: expected frames from 0 to {LAST_TAP}, as in 0,2,4, or a timeline as X....")
    frames = tuple(map(int, words))
    for before, frame in pairwise(frames):
        if frame < before + 2:
            raise BadInput(f"taps {shown(text)}: frame {frame} after {before}, expected {before + 2} or later")
    return frames


def reach_of_taps(text: str) -> str:
    """Return the reach of taps: by numbers of frames, or as one of StackRabbit's timelines, which begin again.

    In a timeline, each character is a frame, with a tap for ``X`` and none for ``.`` or ``-``.

    Raises BadInput as `frames_of_taps` does, and for a timeline without a tap or with taps on two frames in a row.

    >>> reach_of_taps("0,2,5"), reach_of_taps("X...."), reach_of_taps("X.X...X......")[:20]
    ('0,2,5', '12hz', '0,2,6,13,15,19,26,28')
    """
    if not re.fullmatch("[X.-]+", text):
        return ",".join(map(str, frames_of_taps(text)))
    taps = [frame for frame, mark in enumerate(text) if mark == "X"]
    if not taps:
        raise BadInput(f"taps {shown(text)}: expected at least one X")
    if "XX" in text + text[0]:
        raise BadInput(f"taps {shown(text)}: X after X, also where it begins again; expected a frame between two taps")
    if taps == [0] and 60 % len(text) == 0:
        return f"{60 // len(text)}hz"
    frames = [begin + tap for begin in range(0, LAST_TAP + 1, len(text)) for tap in taps if begin + tap <= LAST_TAP]
    return ",".join(map(str, frames[:MOST_TAPS]))


def frames_of(milliseconds: float) -> int:
    """Return the number of frames in a time, rounded.

    >>> frames_of(300)
    18
    """
    return round(milliseconds * FRAMES_PER_SECOND / 1000)


def rhythm_of(reach: str) -> tuple[str, bool]:
    """Return the way to tap, and whether the last press may come on any frame.

    >>> rhythm_of("30hz+tuck"), rhythm_of("slow5")
    (('30hz', True), ('slow5', False))
    """
    return reach.removesuffix(TUCK), reach.endswith(TUCK)


def is_tap(timeline: str, frame: int) -> bool:
    """Return whether a tap may start on a frame; the piece appears on frame 0.

    With ``<N>hz``, tap number k = 0, 1, ... starts on the first frame that is not before 60 k / N.

    >>> [frame for frame in range(20) if is_tap("13hz", frame)]
    [0, 5, 10, 14, 19]
    >>> [frame for frame in range(20) if is_tap("slow5", frame)]
    [0, 2, 4, 6, 18]
    """
    rate = rate_of(timeline)
    if rate is not None:
        return frame >= 0 and frame * rate % 60 < rate
    return frame in (SLOW5 if timeline == "slow5" else frames_of_taps(timeline))


@cache
def restarts(timeline: str, delay: int) -> tuple[int, int]:
    """Return by how many frames a rhythm is shifted that starts again when the next piece is known.

    With ``+tuck`` a player starts to tap again on frame `delay`, or, after a tap on the latest frame of the rhythm, on
    its next one. The first number is for the former case, the second for the latter.

    >>> restarts("slow5", 21), restarts("slow5", 30)
    ((21, 22), (30, 36))
    """
    frames = [frame for frame in range(LAST_TAP + 2) if is_tap(timeline, frame)]
    after_tap = next((frame for frame in frames if frame >= delay), max(delay, frames[-1] + 2))
    return delay - frames[0], after_tap - frames[0]


Paths = dict[State, tuple[str, ...]]
"""States with the presses that lead to each, written ``frame:press``."""
TAPPED, IDLE, TUCKED = range(3)
Hands = dict[tuple[State, int], tuple[str, ...]]
"""The same for pieces in the air, by state and by what the player did: TAPPED on the latest frame of the rhythm, IDLE
on it, or TUCKED, so that no press can follow. The last two occur with ``+tuck`` alone."""


def timed_paths(board: Board, piece: int, reach: str, level: int, *, doubled: bool = False) -> Paths:
    """Return every placement that is reached under gravity, with its presses.

    A frame works as in the console: a shift and then a rotation, if a press may start on this frame, then the drop, if
    one is due (`board.gravity`). A piece that cannot drop locks. Only gravity moves a piece down. With ``das``, see
    `das.das_paths`.

    A press may start on the frames of the rhythm. With ``+tuck``, a player who has left out a tap of the rhythm may
    press once more on any later frame, to tuck the piece under an overhang or to spin it. That is the last press.
    """
    if reach == "das":
        return das_paths(board, piece, level, doubled=doubled)
    frame = _frames_above(board, level, doubled)
    hands = _above(piece, reach, level, doubled, frame) if frame else _spawned(board, piece)
    return _fall(board, piece, hands, reach=reach, level=level, doubled=doubled, frame=frame)[1]


def _frames_above(board: Board, level: int, doubled: bool) -> int:
    """Return a number of frames in which every piece is above all that is filled, wherever it is pressed."""
    frames, rows = gravity(level, doubled)
    filled = np.flatnonzero(np.any(board, axis=1))
    room = int(filled[0] if len(filled) else ROWS) - LOWEST  # rows
    return frames * max(0, room // rows)


@lru_cache(maxsize=256)
def _above(piece: int, reach: str, level: int, doubled: bool, frame: int) -> Hands:
    """Return the pieces in the air at the start of a frame, with nothing in their way; nobody changes them."""
    board = np.zeros((ROWS, COLUMNS), np.uint8)
    fall = partial(_fall, board, piece, reach=reach, level=level, doubled=doubled)
    return fall(_spawned(board, piece), until=frame)[0]


def plans(board: Board, piece: int, reach: str, level: int, *, delay: int, doubled: bool = False) -> list[Paths]:
    """Return the plans that a player can follow before frame `delay`, each as the placements that it leaves.

    The placements have their presses. A plan is the state of the piece at the start of that frame; plans are ordered by
    orientation and column. With ``+tuck`` the rhythm starts again on that frame (`restarts`), and pieces that have been
    tucked come next, which have one placement. A piece that has locked before is a plan, too, which leaves one
    placement; these come last.
    """
    fall = partial(_fall, board, piece, reach=reach, level=level, doubled=doubled)
    flying, locked = _at(fall, _spawned(board, piece), reach, delay)
    left = [fall(hands, frame=delay, shift=shift)[1] for hands, shift in flying]
    return [*left, *({state: locked[state]} for state in sorted(locked, key=_order))]


def _at(
    fall: Callable[..., tuple[Hands, Paths]], spawned: Hands, reach: str, delay: int
) -> tuple[list[tuple[Hands, int]], Paths]:
    """Return the pieces in the air on frame `delay`, each with the shift of its rhythm, and those at rest."""
    hands, locked = fall(spawned, until=delay)
    rhythm, tucks = rhythm_of(reach)
    idle, tapped = restarts(rhythm, delay) if tucks else (0, 0)
    flying = []
    for state in sorted({state for state, hand in hands if hand != TUCKED}, key=_order):
        hand, shift = (IDLE, idle) if (state, IDLE) in hands else (TAPPED, tapped)
        flying.append(({(state, hand): hands[state, hand]}, shift))
    for state in sorted({state for state, _ in hands if not {(state, TAPPED), (state, IDLE)} & set(hands)}, key=_order):
        flying.append(({(state, TUCKED): hands[state, TUCKED]}, 0))
    return flying, locked


def _spawned(board: Board, piece: int) -> Hands:
    start = spawn_state(piece)
    return {(start, TAPPED): ()} if fits(board, piece, start) else {}


def _fall(
    board: Board,
    piece: int,
    hands: Hands,
    *,
    reach: str,
    level: int,
    doubled: bool,
    frame: int = 0,
    until: int | None = None,
    shift: int = 0,
) -> tuple[Hands, Paths]:
    """Move pieces from the start of `frame` to the start of `until`; return those in the air and those at rest.

    The rhythm begins `shift` frames late.
    """
    locked: Paths = {}
    rhythm, tucks = rhythm_of(reach)
    frames, rows = gravity(level, doubled)
    free = all_fits(board, piece)  # frame after frame asks for the same states

    @cache
    def after(state: State, press: str) -> State | None:
        """Return the state after a press, if it fits."""
        found = pressed(piece, state, press)
        return found if free(found) else None

    while hands and (until is None or frame < until):
        on_rhythm = is_tap(rhythm, frame - shift)
        if on_rhythm or tucks:
            hands = _press(after, hands, frame, on_rhythm=on_rhythm, tucks=tucks)
        frame += 1
        for _ in range(rows if frame % frames == 0 else 0):
            dropped: Hands = {}
            resting = []
            for (state, hand), path in hands.items():
                below = moved(state, 1, 0)
                if free(below):
                    dropped[below, hand] = path
                else:
                    resting.append((hand == TUCKED, [int(press.partition(":")[0]) for press in path], state, path))
            for _, _, state, path in sorted(resting):  # best without a tuck, and as early as possible
                _keep_shorter(locked, state, path)
            hands = dropped
    return hands, locked


def all_fits(board: Board, piece: int) -> Callable[[State], bool]:
    """Return `fits` for a board and a piece, found for all states at once."""
    rows, columns = ROWS + 2 * EDGE, COLUMNS + 2 * EDGE  # where the corner of a piece's box can be
    taken = np.ones((rows + EDGE, columns + EDGE), np.bool_)
    taken[EDGE : EDGE + ROWS, EDGE : EDGE + COLUMNS] = np.asarray(board) != 0
    free = [
        (~np.any([taken[r : r + rows, c : c + columns] for r, c in cells], axis=0)).tolist()
        for cells, _, _ in orientations(piece)
    ]
    return lambda state: bool(free[state[0]][state[1] + EDGE][state[2] + EDGE])


def _press(
    after: Callable[[State, str], State | None], hands: Hands, frame: int, *, on_rhythm: bool, tucks: bool
) -> Hands:
    """Return where pieces can be after the presses of a frame: a shift, then a turn, or one of them, or none."""
    ready = [(state, path) for (state, hand), path in hands.items() if hand == IDLE or (on_rhythm and hand == TAPPED)]
    moves: Paths = {}
    for presses in (("left", "right"), ("clockwise", "counter-clockwise")):
        steps = [(press, f"{frame}:{press}") for press in presses]
        for state, path in [*ready, *moves.items()]:
            for press, step in steps:
                there = after(state, press)
                if there is not None and (there not in moves or len(path) + 1 < len(moves[there])):
                    moves[there] = (*path, step)
    kept = {(state, hand): path for (state, hand), path in hands.items() if hand == TUCKED or not on_rhythm}
    for state, path in ready:
        _keep_shorter(kept, (state, IDLE if tucks else TAPPED), path)
    for state, path in moves.items():
        _keep_shorter(kept, (state, TAPPED if on_rhythm else TUCKED), path)
    return kept


def _keep_shorter(paths: dict[Any, tuple[str, ...]], key: Any, path: tuple[str, ...]) -> None:
    if key not in paths or len(path) < len(paths[key]):
        paths[key] = path


def _order(state: State) -> tuple[int, int, int]:
    """Return the sort key of a state: orientation, column, row."""
    return state[0], state[2], state[1]


def paths(
    board: Board,
    piece: int,
    reach: str = "free",
    level: int = 18,
    *,
    doubled: bool = False,
    delay: int = 0,
    through: Collection[State] = (),
) -> Paths:
    """Return every placement with its presses.

    With `delay`, these are the placements of a player who learns the next piece on that frame; see `plans`. If one plan
    leaves all the placements of `through`, their presses are those of that plan.
    """
    if reach == "free":
        found = free_paths(board, piece)
        return {state: found[state] for state in found if not fits(board, piece, moved(state, 1, 0))}
    if not delay:
        return timed_paths(board, piece, reach, level, doubled=doubled)
    fall = partial(_fall, board, piece, reach=reach, level=level, doubled=doubled)
    flying, shortest = _at(fall, _spawned(board, piece), reach, delay)
    for shift in {shift for _, shift in flying}:
        together: Hands = {}
        for hands, other in flying:
            together |= hands if other == shift else {}
        for state, path in fall(together, frame=delay, shift=shift)[1].items():
            _keep_shorter(shortest, state, path)
    begins = [tuple(each for each in shortest[state] if int(each.partition(":")[0]) < delay) for state in through]
    likely = sorted(flying, key=lambda plan: not any(path in begins for path in plan[0].values()))
    for hands, shift in likely if len(set(begins)) > 1 else ():
        left = fall(hands, frame=delay, shift=shift)[1]
        if left.keys() >= set(through):
            return shortest | {state: left[state] for state in through}
    return shortest


def placements(
    board: Board, piece: int, reach: str = "free", level: int = 18, *, doubled: bool = False, delay: int = 0
) -> list[State]:
    """Return the placements of a piece in the order that settles ties: by orientation, column, row; see `paths`.

    >>> import numpy as np
    >>> empty = np.zeros((22, 10), np.uint8)
    >>> [len(placements(empty, piece)) for piece in range(7)]
    [17, 34, 34, 34, 17, 17, 9]
    """
    return sorted(paths(board, piece, reach, level, doubled=doubled, delay=delay), key=_order)
