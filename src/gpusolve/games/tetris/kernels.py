"""Batches of boards: the placements of a piece on each, the best of them by 17 weights, and the features of boards.

A board is ten columns, uint32: bit r of column c is the cell in row r, row 0 on top. A placement is one number: its
template, that is the orientation and the column, times 32, plus the row of its box.

A kernel that is given a piece 7 reads outside its tables. So every function here that takes arrays of the host checks
them, once for a batch, and raises BadInput for values out of range and for another shape or type. The functions
``..._on_device`` take arrays of the device that have been checked, and leave their results there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from gpusolve import checks
from gpusolve.backend import Array, Backend, Program
from gpusolve.errors import BadInput
from gpusolve.games.tetris.clock import LEVELS, Clock, clock_of
from gpusolve.games.tetris.rules.board import COLUMNS, ROWS, Board, State, orientations
from gpusolve.games.tetris.rules.features import FEATURES, LARGEST, fixed_point
from gpusolve.games.tetris.rules.reachability import press_order
from gpusolve.resources import kernels_dir

PROGRAM = Program(kernels_dir() / "tetris.cu", "gpusolve.games.tetris.cpu")
PLACEMENTS = 352
"""More than a piece can have: two placements of one template are at least two rows apart, so at most 10 x 34."""
NOWHERE = 2**32 - 1
"""Stands for a placement where a piece has none."""
NUMBERS = 34 * 32
"""Placements are numbered below this: no piece has more than 34 templates."""
Ties = Literal["number", "presses"]
TIES: tuple[Ties, ...] = get_args(Ties)

Boards = npt.NDArray[np.uint32]
"""Boards as columns, shape (n, 10)."""
Integers = Sequence[int] | npt.NDArray[Any]


@dataclass(frozen=True)
class Placements:
    """Placements of one piece on each of n boards; at most `most` of each board are kept.

    `counts` (int32, (n,)) is the number of placements of each board, including any that are not kept. Those kept are
    `placements` (uint32, (n, most)), with `cleared` (uint8, the number of lines that each clears), `after` (uint32,
    (n, most, 10), the board with full rows removed) and, if the placements were judged, `values` (integers, less is
    better). Entries beyond a board's count are undefined.
    """

    counts: npt.NDArray[np.int32]
    placements: npt.NDArray[np.uint32]
    cleared: npt.NDArray[np.uint8]
    after: Boards
    values: npt.NDArray[np.int64] | None = None

    def on_host(self, backend: Backend) -> Placements:
        """Return these placements as arrays of the host."""
        return Placements(
            counts=backend.to_host(self.counts),
            placements=backend.to_host(self.placements),
            cleared=backend.to_host(self.cleared),
            after=backend.to_host(self.after),
            values=None if self.values is None else backend.to_host(self.values),
        )


# --- boards, placements and weights as numbers ------------------------------------------------------------------------


def columns_of(boards: npt.ArrayLike) -> Boards:
    """Return boards of 22 rows and 10 columns, 1 where a cell is filled, shape (n, 22, 10), as columns."""
    cells = in_range("boards", boards, 0, 1)
    if cells.shape[1:] != (ROWS, COLUMNS):
        raise BadInput(f"boards of shape {cells.shape}: expected (n, {ROWS}, {COLUMNS})")
    bits = np.uint32(1) << np.arange(ROWS, dtype=np.uint32)
    columns: Boards = (cells.astype(np.uint32) * bits[:, None]).sum(axis=1, dtype=np.uint32)
    return columns


def board_of(columns: npt.NDArray[np.uint32]) -> Board:
    """Return ten columns as a board of 22 rows and 10 columns."""
    board: Board = (columns[None, :] >> np.arange(ROWS, dtype=np.uint32)[:, None] & 1).astype(np.uint8)
    return board


@cache
def _templates(piece: int) -> list[tuple[int, int]]:
    return [
        (o, column)
        for o, (cells, _, _) in enumerate(orientations(piece))
        for column in range(COLUMNS - max(c for _, c in cells))
    ]


def state_of(piece: int, placement: int) -> State:
    """Return a placement's orientation, row and column."""
    piece = checks.check_integer("piece", piece, 0, 6)
    placement = checks.check_integer("placement", placement, 0, 32 * len(_templates(piece)) - 1)
    orientation, column = _templates(piece)[placement // 32]
    return orientation, placement % 32, column


def number_of(piece: int, state: State) -> int:
    """Return the number of a placement: what `state_of` reads.

    >>> state_of(3, number_of(3, (1, 18, 4)))
    (1, 18, 4)
    """
    orientation, row, column = state
    return 32 * _templates(piece).index((orientation, column)) + row


@cache
def order_table(ties: str = "number") -> npt.NDArray[np.uint16]:
    """Return the order that settles ties between placements of equal value: the lower number comes first.

    The table is uint16 and flat, with a row of NUMBERS for each piece. ``number`` orders by the placement's number, so
    by orientation, column, row; ``presses`` orders as `reachability.press_order`.
    """
    checks.check_choice("ties", ties, TIES)
    order = np.tile(np.arange(NUMBERS, dtype=np.uint16), (7, 1))
    if ties == "presses":
        for piece in range(7):
            positions = press_order(piece)
            for placement in range(32 * len(_templates(piece))):
                order[piece, placement] = positions.get(state_of(piece, placement), NUMBERS)
    return order.reshape(-1)


def fixed_points(weights: npt.ArrayLike) -> npt.NDArray[np.int32]:
    """Return rows of weights as the integers that the kernels calculate with (`features.fixed_point`), (n, 17)."""
    rows = np.atleast_2d(_numbers("weights", weights, "biuf")).astype(np.float64)
    if rows.ndim != 2 or not len(rows) or rows.shape[1] != len(FEATURES):
        raise BadInput(f"weights of shape {rows.shape}: expected rows of {len(FEATURES)}")
    if not (np.abs(rows) <= LARGEST).all():
        raise BadInput(f"weights: expected numbers of at most {LARGEST:g} in size")
    return np.array([fixed_point(row)[0] for row in rows.tolist()], np.int32)


def one_row(weights: npt.ArrayLike) -> npt.NDArray[np.int32]:
    """Return one row of weights as integers, (17,). Raise BadInput for several rows."""
    rows = fixed_points(weights)
    if len(rows) != 1:
        raise BadInput(f"weights of shape {np.shape(weights)}: expected {len(FEATURES)} numbers")
    return np.asarray(rows[0])


# --- batches ----------------------------------------------------------------------------------------------------------


def placements(
    backend: Backend,
    boards: Boards,
    pieces: Integers,
    *,
    levels: int | npt.NDArray[Any] = 18,
    reach: str = "free",
    doubled: bool = False,
    delay: int = 0,
    most: int = PLACEMENTS,
) -> Placements:
    """Return every placement of a piece on each board, by orientation, column, row.

    `delay` is the frame on which the next piece is known, which matters for taps with ``+tuck`` alone. Each of the
    `most` placements for which there is room takes 45 bytes per board.
    """
    most = checks.check_integer("most", most, 1, PLACEMENTS)
    columns, numbers, rows = map(backend.asarray, checked(boards, pieces, levels))
    clock = clock_of(backend, reach, doubled, delay)
    return placements_on_device(backend, columns, numbers, levels=rows, clock=clock, most=most).on_host(backend)


def placements_on_device(
    backend: Backend, boards: Array, pieces: Array, *, levels: Array, clock: Clock, most: int
) -> Placements:
    """Return every placement of a piece on each board; all arrays are the device's and have been checked."""
    return Placements(*backend.launch(PROGRAM, "placements", len(boards), boards, pieces, levels, *clock, int(most)))


def best(
    backend: Backend,
    weights: npt.ArrayLike,
    boards: Boards,
    pieces: Integers,
    *,
    levels: int | npt.NDArray[Any] = 18,
    reach: str = "free",
    doubled: bool = False,
    most: int = 1,
) -> Placements:
    """Return the `most` placements of least value on each board, the least first; ties go to the lower number."""
    most = checks.check_integer("most", most, 1, PLACEMENTS)
    columns, numbers, rows = map(backend.asarray, checked(boards, pieces, levels))
    row, order = backend.asarray(one_row(weights)), backend.asarray(order_table())
    return best_on_device(
        backend, row, columns, numbers, levels=rows, clock=clock_of(backend, reach, doubled), order=order, most=most
    ).on_host(backend)


def best_on_device(
    backend: Backend,
    weights: Array,
    boards: Array,
    pieces: Array,
    *,
    levels: Array,
    clock: Clock,
    order: Array,
    most: int,
) -> Placements:
    """Return the `most` placements of least value on each board; all arrays are the device's and have been checked."""
    counts, values, numbers, cleared, after = backend.launch(
        PROGRAM, "best", len(boards), weights, boards, pieces, levels, *clock, order, int(most)
    )
    return Placements(counts, numbers, cleared, after, values)


def features(
    backend: Backend, boards: Boards, cleared: npt.ArrayLike = 0, lowest_row: npt.ArrayLike = ROWS - 1
) -> npt.NDArray[np.int32]:
    """Return the 17 features of each board, (n, 17).

    Two of them depend on the placement that led to the board: on the lines that it cleared and the lowest row that the
    piece reached.
    """
    columns = _columns(boards)
    n = len(columns)
    lines, rows = in_range("cleared", cleared, 0, 4, n), in_range("lowest row", lowest_row, 0, ROWS - 1, n)
    given = (backend.asarray(array) for array in (columns, lines.astype(np.uint8), 19 - rows.astype(np.int32)))
    return backend.to_host(backend.launch(PROGRAM, "features", n, *given))


# --- checks -----------------------------------------------------------------------------------------------------------


def checked(
    boards: Boards, pieces: Integers, levels: int | npt.NDArray[Any]
) -> tuple[Boards, npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """Return boards, pieces and the levels' rows in the clock's tables, as the kernels expect them."""
    columns = _columns(boards)
    n = len(columns)
    numbers = in_range("pieces", pieces, 0, 6)
    if numbers.shape != (n,):
        raise BadInput(f"pieces of shape {numbers.shape}: expected one for each of {n} boards")
    rows = np.minimum(in_range("levels", levels, 0, 2**31 - 1, n), LEVELS - 1)
    return columns, numbers.astype(np.int32), rows.astype(np.int32)


def _columns(boards: npt.ArrayLike) -> Boards:
    columns = in_range("boards", boards, 0, (1 << ROWS) - 1)
    if columns.shape[1:] != (COLUMNS,):
        raise BadInput(f"boards of shape {columns.shape}: expected (n, {COLUMNS}), columns of {ROWS} bits")
    return np.ascontiguousarray(columns, np.uint32)


def in_range(name: str, values: npt.ArrayLike, least: int, most: int, n: int | None = None) -> npt.NDArray[Any]:
    """Return values as an array of whole numbers in range.

    If `n` is given, there must be n values, or one value that then stands for all n.
    """
    array = _numbers(name, values, "biu")
    if array.size and not least <= int(array.min()) <= int(array.max()) <= most:
        raise BadInput(f"{name}: {int(array.min())} to {int(array.max())}, expected {least} to {most}")
    if n is None:
        return array
    try:
        return np.ascontiguousarray(np.broadcast_to(array, n))
    except ValueError as error:
        raise BadInput(f"{name} of shape {array.shape}: expected one for each of {n} boards") from error


def _numbers(name: str, values: npt.ArrayLike, kinds: str) -> npt.NDArray[Any]:
    try:
        array = np.asarray(values)
    except (ValueError, TypeError, OverflowError) as error:  # rows of different lengths, numbers of no type
        raise BadInput(f"{name}: expected an array of numbers") from error
    if array.dtype.kind not in kinds and array.size:
        raise BadInput(f"{name}: expected {'numbers' if 'f' in kinds else 'whole numbers'}, not {array.dtype}")
    return array
