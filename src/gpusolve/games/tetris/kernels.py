"""Batches of boards and of games: what the searches ask the device for.

A board is ten columns, uint32: bit r of column c is the cell in row r, row 0 on top. A placement is one number: its
template, that is the orientation and the column, times 32, plus the row of its box.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Backend, Program
from gpusolve.games.tetris import reachability, rules
from gpusolve.games.tetris.features import FEATURES, fixed_point
from gpusolve.games.tetris.rules import COLUMNS, ROWS, State
from gpusolve.games.tetris.sources import SOURCES
from gpusolve.resources import kernels_dir
from gpusolve.seeds import MASK64

PROGRAM = Program(kernels_dir() / "tetris.cu", "gpusolve.games.tetris.cpu")
PLACEMENTS = 352
"""More than a piece can have: two of one template are two rows apart, so at most 10 x 34."""
LEVELS, DROPS = len(rules.GRAVITY), 24

Boards = npt.NDArray[np.uint32]
"""Boards as columns, shape (n, 10)."""


@dataclass(frozen=True)
class Settings:
    """What a game is played under: reachability, piece source, start level, lines at which it ends."""

    reach: str = "free"
    source: str = "uniform8"
    start_level: int = 19
    max_lines: int = rules.MAX_LINES


@dataclass(frozen=True)
class Games:
    """What came of games, int32 arrays of shape (weights, games)."""

    scores: npt.NDArray[np.int32]
    lines: npt.NDArray[np.int32]
    pieces: npt.NDArray[np.int32]
    tetrises: npt.NDArray[np.int32]


@dataclass(frozen=True)
class Placements:
    """Placements of one piece on each of n boards, the first `most` of them.

    `counts` (int32, (n,)): how many there are; of those kept, `placements` (uint32, (n, most)), `cleared` (uint8) and
    `after` (uint32, (n, most, 10)), the boards with full rows removed; `values` (int64) where they were evaluated.
    """

    counts: npt.NDArray[np.int32]
    placements: npt.NDArray[np.uint32]
    cleared: npt.NDArray[np.uint8]
    after: Boards
    values: npt.NDArray[np.int64] | None = None


def fixed_points(weights: npt.ArrayLike) -> npt.NDArray[np.int32]:
    """Rows of weights as the integers that the kernels calculate with, `features.fixed_point` each, (n, 17)."""
    return np.array([fixed_point(row)[0] for row in np.atleast_2d(np.asarray(weights, np.float64))], np.int32)


def columns_of(boards: npt.ArrayLike) -> Boards:
    """Boards of 22 rows and 10 columns, shape (n, 22, 10), as columns."""
    bits = np.uint32(1) << np.arange(ROWS, dtype=np.uint32)
    found: Boards = (np.asarray(boards, np.uint32) * bits[:, None]).sum(axis=1, dtype=np.uint32)
    return found


def board_of(columns: npt.NDArray[np.uint32]) -> rules.Board:
    """Ten columns as a board of 22 rows and 10 columns."""
    board: rules.Board = (columns[None, :] >> np.arange(ROWS, dtype=np.uint32)[:, None] & 1).astype(np.uint8)
    return board


@cache
def _templates(piece: int) -> list[tuple[int, int]]:
    return [
        (o, column)
        for o, (cells, _, _) in enumerate(rules.orientations(piece))
        for column in range(COLUMNS - max(c for _, c in cells))
    ]


def state_of(piece: int, placement: int) -> State:
    """A placement's orientation, row and column."""
    orientation, column = _templates(piece)[placement // 32]
    return orientation, placement % 32, column


@cache
def tap_table(reach: str) -> npt.NDArray[np.uint8]:
    """On how many frames before each drop a press may start, uint8, a row of DROPS for each level; 0 for ``free``."""
    taps = np.zeros((LEVELS, DROPS), np.uint8)
    if reach != "free":
        for level, gravity in enumerate(rules.GRAVITY):
            for step in range(DROPS):
                frames = range(step * gravity, (step + 1) * gravity)
                taps[level, step] = sum(reachability.is_tap(reach, frame) for frame in frames)
    return taps.reshape(-1)


def play(
    backend: Backend,
    weights: npt.ArrayLike,
    games: int,
    seed: int,
    first_game: int = 0,
    policy: str = "two-piece",
    settings: Settings = Settings(),
) -> Games:
    """Plays games `first_game`, `first_game` + 1, ... of `seed` with each row of `weights`, (n, 17), to their end."""
    return _play(backend, weights, games, seed, first_game, policy, settings, 0)[0]


def trace(
    backend: Backend,
    weights: npt.ArrayLike,
    seed: int,
    game: int = 0,
    policy: str = "two-piece",
    settings: Settings = Settings(),
) -> list[int]:
    """The placements of one game."""
    turns = ((settings.max_lines + 3) * COLUMNS + ROWS * COLUMNS) // 4  # four cells a piece, ten a line
    games, placed = _play(backend, weights, 1, seed, game, policy, settings, turns)
    return [int(placement) for placement in placed[: int(games.pieces[0, 0])]]


def _play(
    backend: Backend,
    weights: npt.ArrayLike,
    games: int,
    seed: int,
    first_game: int,
    policy: str,
    settings: Settings,
    turns: int,
) -> tuple[Games, npt.NDArray[np.uint32]]:
    fixed = fixed_points(weights)
    count = len(fixed) * games
    out = backend.empty((count, 4), np.int32)
    placed = backend.empty(max(1, count * turns), np.uint32)
    backend.launch(
        PROGRAM,
        f"play_{policy.replace('-', '_')}",
        count,
        backend.asarray(fixed),
        games,
        np.uint64(seed & MASK64),
        first_game,
        SOURCES.index(settings.source),
        settings.start_level,
        settings.max_lines,
        int(settings.reach != "free"),
        backend.asarray(tap_table(settings.reach)),
        turns,
        out,
        placed,
    )
    host = backend.to_host(out).reshape(len(fixed), games, 4)
    return Games(*(host[:, :, i] for i in range(4))), backend.to_host(placed)


def placements(
    backend: Backend,
    boards: Boards,
    pieces: Sequence[int] | npt.NDArray[Any],
    levels: int | npt.NDArray[Any] = 18,
    reach: str = "free",
    most: int = PLACEMENTS,
) -> Placements:
    """Every placement of a piece on each board, by orientation, column, row; 16 KiB per board unless `most` is less."""
    counts, found, cleared, after = _room(backend, len(boards), most)
    backend.launch(
        PROGRAM,
        "placements",
        len(boards),
        *_on_device(backend, boards, pieces, levels, reach),
        most,
        counts,
        found,
        cleared,
        after,
    )
    return Placements(*(backend.to_host(array) for array in (counts, found, cleared, after)))


def best(
    backend: Backend,
    weights: npt.ArrayLike,
    boards: Boards,
    pieces: Sequence[int] | npt.NDArray[Any],
    levels: int | npt.NDArray[Any] = 18,
    reach: str = "free",
    most: int = 1,
) -> Placements:
    """The placements of least evaluation on each board, the least first; of equals the first by `placements`."""
    counts, found, cleared, after = _room(backend, len(boards), most)
    values = backend.empty((len(boards), most), np.int64)
    backend.launch(
        PROGRAM,
        "best",
        len(boards),
        backend.asarray(fixed_points(weights)[0]),
        *_on_device(backend, boards, pieces, levels, reach),
        most,
        counts,
        values,
        found,
        cleared,
        after,
    )
    return Placements(*(backend.to_host(array) for array in (counts, found, cleared, after, values)))


def features(
    backend: Backend, boards: Boards, cleared: npt.ArrayLike = 0, lowest_row: npt.ArrayLike = ROWS - 1
) -> npt.NDArray[np.int32]:
    """The 17 features of each board, (n, 17), given the lines that its last piece cleared and the row it reached."""
    n = len(boards)
    out = backend.empty((n, len(FEATURES)), np.int32)
    backend.launch(
        PROGRAM,
        "features",
        n,
        backend.asarray(np.asarray(boards, np.uint32)),
        backend.asarray(np.ascontiguousarray(np.broadcast_to(np.asarray(cleared, np.uint8), n))),
        backend.asarray(np.ascontiguousarray(np.broadcast_to(19 - np.asarray(lowest_row, np.int32), n), np.int32)),
        out,
    )
    return backend.to_host(out)


def _room(backend: Backend, n: int, most: int) -> tuple[Any, Any, Any, Any]:
    return (
        backend.empty(n, np.int32),
        backend.empty((n, most), np.uint32),
        backend.empty((n, most), np.uint8),
        backend.empty((n, most, COLUMNS), np.uint32),
    )


def _on_device(
    backend: Backend, boards: Boards, pieces: Sequence[int] | npt.NDArray[Any], levels: Any, reach: str
) -> tuple[Any, ...]:
    levels = np.ascontiguousarray(np.broadcast_to(np.minimum(levels, LEVELS - 1), len(boards)), np.int32)
    return (
        backend.asarray(np.asarray(boards, np.uint32)),
        backend.asarray(np.asarray(pieces, np.int32)),
        backend.asarray(levels),
        int(reach != "free"),
        backend.asarray(tap_table(reach)),
    )
