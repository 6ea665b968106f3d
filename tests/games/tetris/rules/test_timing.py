"""Windows of presses, and what becomes of presses that are missed, beside all timings played frame by frame."""

from __future__ import annotations

from itertools import combinations, pairwise, product

import numpy as np
import pytest

from gpusolve.games.tetris.rules.board import ROWS, Board, State, can_spawn, fits, gravity, moved, pressed, spawn_state
from gpusolve.games.tetris.rules.reachability import paths
from gpusolve.games.tetris.rules.timing import Falling, Path, landings, pace_of, taps_of, windows


def played(board: Board, piece: int, path: Path, level: int, *, doubled: bool) -> tuple[State, bool]:
    """Play presses frame by frame; return where the piece rests, and whether each press moved it."""
    state, frame, moves, (frames, rows) = spawn_state(piece), 0, 0, gravity(level, doubled)
    while True:
        for press in path:
            at, _, name = press.partition(":")
            there = pressed(piece, state, name)
            if int(at) == frame and fits(board, piece, there):
                state, moves = there, moves + 1
        frame += 1
        for _ in range(rows if frame % frames == 0 else 0):
            if not fits(board, piece, moved(state, 1, 0)):
                return state, moves == len(path)
            state = moved(state, 1, 0)


def some_board(random: np.random.Generator, height: int) -> Board:
    """Return a board with ledges at both sides, one to three rows of space below them, and a rough floor."""
    board = np.zeros((ROWS, 10), np.uint8)
    top, floor = ROWS - height, ROWS - height + 1 + int(random.integers(1, 4))
    board[floor:] = 1
    board[floor] = random.random(10) < 0.5
    board[top, : random.integers(2, 5)] = 1
    board[top, random.integers(6, 9) :] = 1
    board[np.arange(ROWS), random.integers(10, size=ROWS)] = 0
    return board


@pytest.mark.parametrize(
    ("reach", "level", "doubled", "delay"),
    [
        ("30hz", 29, False, 0),
        ("30hz+tuck", 29, False, 0),
        ("15hz+tuck", 19, False, 0),
        ("30hz+tuck", 39, True, 0),
        ("slow5+tuck", 19, False, 5),
        ("20hz+tuck", 29, False, 6),
    ],
)
def test_windows_are_those_of_all_timings(reach: str, level: int, doubled: bool, delay: int) -> None:
    """A window has the frames of a tap in every timing that leads to the placement, without a break."""
    random, pace, compared, narrow = np.random.default_rng(7), pace_of(reach), 0, 0
    for _ in range(5):
        board, piece = some_board(random, 16), int(random.integers(7))
        if not can_spawn(board, piece):
            continue
        falling = Falling(board, piece, level, doubled=doubled)
        found = paths(board, piece, reach, level, doubled=doubled, delay=delay)
        frames = (max(row for _, row, _ in found) + 1) * gravity(level, doubled)[0] // gravity(level, doubled)[1]
        timings = {number: [*combinations(range(frames), number)] for number in range(4)}
        for state, path in found.items():
            taps = taps_of(path)
            assert landings(falling, path, [0] * len(path)) == {state: 1}
            if not 0 < len(taps) < 4:
                continue
            possible = [set[int]() for _ in taps]
            for timing in timings[len(taps)]:
                if any(later - frame < pace for frame, later in pairwise(timing)):
                    continue
                if any(frame < delay <= tap.frame for frame, tap in zip(timing, taps, strict=True)):
                    continue
                tried = tuple(
                    f"{frame}:{press}" for frame, tap in zip(timing, taps, strict=True) for press in tap.presses
                )
                if played(board, piece, tried, level, doubled=doubled) == (state, True):
                    for each, frame in zip(possible, timing, strict=True):
                        each.add(frame)
            expected = []
            for tap, each in zip(taps, possible, strict=True):
                first = last = tap.frame
                while first - 1 in each:
                    first -= 1
                while last + 1 in each:
                    last += 1
                expected += [range(first, last + 1)] * len(tap.presses)
            assert windows(falling, path, pace=pace, known=delay) == expected
            compared, narrow = compared + 1, narrow + (min(map(len, expected)) <= gravity(level)[0])
    assert compared > 20
    assert narrow


@pytest.mark.parametrize(("reach", "level", "delay"), [("30hz+tuck", 29, 0), ("12hz+tuck", 19, 9), ("15hz", 19, 0)])
def test_landings_are_those_of_all_presses_that_can_be_missed(reach: str, level: int, delay: int) -> None:
    """The chances are sums over all subsets of the presses, each played frame by frame."""
    random = np.random.default_rng(8)
    for _ in range(4):
        board, piece = some_board(random, 14), int(random.integers(7))
        if not can_spawn(board, piece):
            continue
        falling = Falling(board, piece, level)
        for path in paths(board, piece, reach, level, delay=delay).values():
            missed = random.random(len(path)).round(2).tolist()
            expected: dict[State, float] = {}
            for made in product((False, True), repeat=len(path)):
                likely = float(
                    np.prod([1 - chance if kept else chance for kept, chance in zip(made, missed, strict=True)])
                )
                kept = tuple(press for press, is_made in zip(path, made, strict=True) if is_made)
                state, _ = played(board, piece, kept, level, doubled=False)
                expected[state] = expected.get(state, 0) + likely
            found = landings(falling, path, missed)
            assert sum(found.values()) == pytest.approx(1)
            assert found == pytest.approx({state: likely for state, likely in expected.items() if likely})


def test_a_tuck_on_one_frame_has_a_window_of_one_frame() -> None:
    """At level 29 a piece passes the gap under an overhang in one frame; at level 18 in three."""
    board = np.zeros((ROWS, 10), np.uint8)
    board[19, :5] = 1
    for level, width in ((29, 1), (19, 2), (18, 3)):
        falling = Falling(board, 6, level)
        path = paths(board, 6, "30hz+tuck", level)[(0, 20, 4)]
        assert [len(each) for each in windows(falling, path, pace=2)][-1] == width
