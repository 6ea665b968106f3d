"""Batches of boards and of games: what the searches ask the device for.

A board is ten columns, uint32: bit r of column c is the cell in row r, row 0 on top. A placement is one number: its
template, that is the orientation and the column, times 32, plus the row of its box.

A kernel that is handed a piece 7 reads outside its tables. So every function here looks at what it is given, once for
a batch, and raises BadInput for what is out of range, has another shape or another type.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from gpusolve import checks
from gpusolve.backend import Array, Backend, Program
from gpusolve.errors import BadInput
from gpusolve.games.tetris.rules import board as rules, reachability
from gpusolve.games.tetris.rules.board import COLUMNS, ROWS, State
from gpusolve.games.tetris.rules.features import FEATURES, LARGEST, fixed_point
from gpusolve.games.tetris.rules.policies import POLICIES
from gpusolve.games.tetris.rules.sources import SOURCES
from gpusolve.games.tetris.variant import Settings, check_reach, check_settings
from gpusolve.resources import kernels_dir
from gpusolve.runs.seeds import MASK64

PROGRAM = Program(kernels_dir() / "tetris.cu", "gpusolve.games.tetris.cpu")
PLACEMENTS = 352
"""More than a piece can have: two of one template are two rows apart, so at most 10 x 34."""
NOWHERE = 2**32 - 1
"""In place of a placement."""
LEVELS, DROPS = rules.DOUBLED + 1, 24
NUMBERS = 34 * 32
"""Of placements: no piece has more templates."""
TIES = ("number", "presses")
MOST_PLAYED = 10_000_000
"""Games of one batch, all weights together: 160 MB of results."""
MOST_GAME = 2**31 - 1
"""The number of a game is an int."""

Boards = npt.NDArray[np.uint32]
"""Boards as columns, shape (n, 10)."""


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

    def on_host(self, backend: Backend) -> Placements:
        """The same on the host, where the arrays are a device's."""
        counts, found, cleared, after = map(backend.to_host, (self.counts, self.placements, self.cleared, self.after))
        return Placements(counts, found, cleared, after, None if self.values is None else backend.to_host(self.values))


def fixed_points(weights: npt.ArrayLike) -> npt.NDArray[np.int32]:
    """Rows of weights as the integers that the kernels calculate with, `features.fixed_point` each, (n, 17)."""
    rows = np.atleast_2d(_numbers("weights", weights, "biuf")).astype(np.float64)
    if rows.ndim != 2 or not len(rows) or rows.shape[1] != len(FEATURES):
        raise BadInput(f"weights of shape {rows.shape}: expected rows of {len(FEATURES)}")
    if not (np.abs(rows) <= LARGEST).all():
        raise BadInput(f"weights: expected numbers of at most {LARGEST:g} in size")
    return np.array([fixed_point(row)[0] for row in rows.tolist()], np.int32)


def columns_of(boards: npt.ArrayLike) -> Boards:
    """Boards of 22 rows and 10 columns, 1 where a cell is filled, shape (n, 22, 10), as columns."""
    cells = in_range("boards", boards, 0, 1)
    if cells.shape[1:] != (ROWS, COLUMNS):
        raise BadInput(f"boards of shape {cells.shape}: expected (n, {ROWS}, {COLUMNS})")
    bits = np.uint32(1) << np.arange(ROWS, dtype=np.uint32)
    found: Boards = (cells.astype(np.uint32) * bits[:, None]).sum(axis=1, dtype=np.uint32)
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
    checks.check_integer("piece", piece, 0, 6)
    checks.check_integer("placement", placement, 0, 32 * len(_templates(piece)) - 1)
    orientation, column = _templates(piece)[placement // 32]
    return orientation, placement % 32, column


@cache
def tap_table(reach: str, doubled: bool = False) -> npt.NDArray[np.uint8]:
    """On how many frames before each drop a press may start, uint8, a row of DROPS for each level; 0 for ``free``."""
    check_reach(reach)
    taps = np.zeros((LEVELS, DROPS), np.uint8)
    if reach != "free":
        for level in range(LEVELS):
            frames, rows = rules.gravity(level, doubled)
            for drop in range(0, DROPS, rows):
                begin = drop // rows * frames
                taps[level, drop] = sum(reachability.is_tap(reach, frame) for frame in range(begin, begin + frames))
    return taps.reshape(-1)


@cache
def known_table(reach: str, delay: int, doubled: bool = False) -> npt.NDArray[np.uint8]:
    """When the next piece is known, `delay` frames after its predecessor appeared: uint8, two numbers for each level.

    The drops before that, DROPS at most, and on how many frames after the last of these a press may start before it.
    """
    known = np.zeros((LEVELS, 2), np.uint8)
    for level in range(LEVELS):
        frames, rows = rules.gravity(level, doubled)
        drops = delay // frames * rows
        before = sum(reachability.is_tap(reach, frame) for frame in range(delay // frames * frames, delay))
        known[level] = (drops, before) if drops < DROPS else (DROPS, 0)
    return known.reshape(-1)


def play(
    backend: Backend,
    weights: npt.ArrayLike,
    games: int,
    seed: int,
    first_game: int = 0,
    policy: str = "two-piece",
    settings: Settings = Settings(),
) -> Games:
    """Plays games `first_game`, `first_game` + 1, ... of `seed` with each row of `weights`, (n, 17), to their end.

    Of the seed 64 bits count. Raises BadInput for more than MOST_PLAYED games.
    """
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
    checks.check_choice("policy", policy, POLICIES)
    checks.check_integer("seed", seed, -(2**65), 2**65)  # a training adds to the user's
    checks.check_integer("games", games, 1, MOST_PLAYED // len(fixed))
    checks.check_integer("game", first_game, 0, MOST_GAME - games)
    check_settings(settings)
    count = len(fixed) * games
    out = backend.empty((count, 4), np.int32)
    placed = backend.empty(max(1, count * turns), np.uint32)
    backend.launch(
        PROGRAM,
        f"play_{policy.replace('-', '_')}",
        count,
        backend.asarray(fixed),
        int(games),
        np.uint64(int(seed) & MASK64),
        int(first_game),
        SOURCES.index(settings.source),
        settings.start_level,
        settings.max_lines,
        *timing(backend, settings.reach, settings.double_killscreen),
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
    doubled: bool = False,
) -> Placements:
    """Every placement of a piece on each board, by orientation, column, row; 16 KiB per board unless `most` is less."""
    columns, numbers, rows, timed, taps = _on_device(backend, boards, pieces, levels, reach, doubled)
    return placements_there(backend, columns, numbers, rows, timed, taps, most).on_host(backend)


def placements_there(
    backend: Backend, boards: Array, pieces: Array, levels: Array, timed: int, taps: Array, most: int
) -> Placements:
    """The same on the device: all that the kernel reads is there and has been looked at, and there it leaves it."""
    counts, found, cleared, after = _room(backend, len(boards), most)
    backend.launch(
        PROGRAM,
        "placements",
        len(boards),
        boards,
        pieces,
        levels,
        timed,
        taps,
        int(most),
        counts,
        found,
        cleared,
        after,
    )
    return Placements(counts, found, cleared, after)


@cache
def order_table(ties: str = "number") -> npt.NDArray[np.uint16]:
    """What settles ties between placements of equal value, less being better: uint16, a row of NUMBERS for each piece.

    ``number``: the placement's own, so by orientation, column, row; ``presses``: `reachability.press_order`.
    """
    checks.check_choice("ties", ties, TIES)
    order = np.tile(np.arange(NUMBERS, dtype=np.uint16), (7, 1))
    if ties == "presses":
        for piece in range(7):
            places = reachability.press_order(piece)
            for placement in range(32 * len(_templates(piece))):
                order[piece, placement] = places.get(state_of(piece, placement), NUMBERS)
    return order.reshape(-1)


def best(
    backend: Backend,
    weights: npt.ArrayLike,
    boards: Boards,
    pieces: Sequence[int] | npt.NDArray[Any],
    levels: int | npt.NDArray[Any] = 18,
    reach: str = "free",
    most: int = 1,
    doubled: bool = False,
) -> Placements:
    """The placements of least evaluation on each board, the least first; of equals the first by `placements`."""
    columns, numbers, rows, timed, taps = _on_device(backend, boards, pieces, levels, reach, doubled)
    row, order = backend.asarray(one_row(weights)), backend.asarray(order_table())
    return best_there(backend, row, columns, numbers, rows, timed, taps, order, most).on_host(backend)


def best_there(
    backend: Backend,
    weights: Array,
    boards: Array,
    pieces: Array,
    levels: Array,
    timed: int,
    taps: Array,
    order: Array,
    most: int,
) -> Placements:
    """The same on the device, as `placements_there`."""
    counts, found, cleared, after = _room(backend, len(boards), most)
    values = backend.empty((len(boards), most), np.int64)
    backend.launch(
        PROGRAM,
        "best",
        len(boards),
        weights,
        boards,
        pieces,
        levels,
        timed,
        taps,
        order,
        int(most),
        counts,
        values,
        found,
        cleared,
        after,
    )
    return Placements(counts, found, cleared, after, values)


def features(
    backend: Backend, boards: Boards, cleared: npt.ArrayLike = 0, lowest_row: npt.ArrayLike = ROWS - 1
) -> npt.NDArray[np.int32]:
    """The 17 features of each board, (n, 17), given the lines that its last piece cleared and the row it reached."""
    columns = _columns(boards)
    n = len(columns)
    lines, rows = in_range("cleared", cleared, 0, 4, n), in_range("lowest row", lowest_row, 0, ROWS - 1, n)
    out = backend.empty((n, len(FEATURES)), np.int32)
    backend.launch(
        PROGRAM,
        "features",
        n,
        backend.asarray(columns),
        backend.asarray(lines.astype(np.uint8)),
        backend.asarray(19 - rows.astype(np.int32)),
        out,
    )
    return backend.to_host(out)


def _room(backend: Backend, n: int, most: int) -> tuple[Any, Any, Any, Any]:
    checks.check_integer("most", most, 1, PLACEMENTS)
    return (
        backend.empty(n, np.int32),
        backend.empty((n, most), np.uint32),
        backend.empty((n, most), np.uint8),
        backend.empty((n, most, COLUMNS), np.uint32),
    )


def _on_device(
    backend: Backend,
    boards: Boards,
    pieces: Sequence[int] | npt.NDArray[Any],
    levels: Any,
    reach: str,
    doubled: bool = False,
) -> tuple[Any, ...]:
    given = (backend.asarray(array) for array in checked(boards, pieces, levels))
    return *given, *timing(backend, reach, doubled)


def checked(
    boards: Boards, pieces: Sequence[int] | npt.NDArray[Any], levels: Any
) -> tuple[Boards, npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """Boards, pieces, and the levels' rows of the table of taps, as the kernels want them."""
    columns = _columns(boards)
    n = len(columns)
    numbers = in_range("pieces", pieces, 0, 6)
    if numbers.shape != (n,):
        raise BadInput(f"pieces of shape {numbers.shape}: expected one for each of {n} boards")
    rows = np.minimum(in_range("levels", levels, 0, 2**31 - 1, n), LEVELS - 1)
    return columns, numbers.astype(np.int32), rows.astype(np.int32)


def timing(backend: Backend, reach: str, doubled: bool = False) -> tuple[int, Array]:
    """Whether gravity counts, and the table of taps on the device."""
    return int(reach != "free"), backend.asarray(tap_table(reach, doubled))


def one_row(weights: npt.ArrayLike) -> npt.NDArray[np.int32]:
    """One row of weights as integers, (17,). Raises BadInput for several."""
    rows = fixed_points(weights)
    if len(rows) != 1:
        raise BadInput(f"weights of shape {np.shape(weights)}: expected {len(FEATURES)} numbers")
    return np.asarray(rows[0])


def _columns(boards: npt.ArrayLike) -> Boards:
    columns = in_range("boards", boards, 0, (1 << ROWS) - 1)
    if columns.shape[1:] != (COLUMNS,):
        raise BadInput(f"boards of shape {columns.shape}: expected (n, {COLUMNS}), columns of {ROWS} bits")
    return np.ascontiguousarray(columns, np.uint32)


def in_range(name: str, values: npt.ArrayLike, least: int, most: int, n: int | None = None) -> npt.NDArray[Any]:
    """Values that are whole numbers in range, as an array; `n`: one for each of so many, or one for all."""
    found = _numbers(name, values, "biu")
    if found.size and not least <= int(found.min()) <= int(found.max()) <= most:
        raise BadInput(f"{name}: {int(found.min())} to {int(found.max())}, expected {least} to {most}")
    if n is None:
        return found
    try:
        return np.ascontiguousarray(np.broadcast_to(found, n))
    except ValueError as error:
        raise BadInput(f"{name} of shape {found.shape}: expected one for each of {n} boards") from error


def _numbers(name: str, values: npt.ArrayLike, kinds: str) -> npt.NDArray[Any]:
    try:
        found = np.asarray(values)
    except (ValueError, TypeError, OverflowError) as error:  # rows of different lengths, numbers of no type
        raise BadInput(f"{name}: expected an array of numbers") from error
    if found.dtype.kind not in kinds and found.size:
        raise BadInput(f"{name}: expected {'numbers' if 'f' in kinds else 'whole numbers'}, not {found.dtype}")
    return found
