"""The crosswords of a roll: all of them, or the first ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from gpusolve import clock, files
from gpusolve.backend import Backend, open_backend
from gpusolve.checks import check_integer, check_number, check_type
from gpusolve.errors import Exit, WrongSolution
from gpusolve.games.qless import kernels
from gpusolve.games.qless._check import find_wrong
from gpusolve.games.qless._shapes import Shapes
from gpusolve.games.qless.cpu.arranging import spelled
from gpusolve.games.qless.cpu.shapes import ROW
from gpusolve.games.qless.rolls import Roll, counts_of, parse_roll
from gpusolve.games.qless.rules import EMPTY, Grid
from gpusolve.games.qless.variant import STANDARD, Variant
from gpusolve.result import HIDDEN, Result, reported
from gpusolve.runs.series import joined

SHARES = 64
"""The search of a roll is divided into this many shares, which the threads of a CPU or the warps of a GPU work on."""
ONE_ROUND = 12
"""Up to this number of letters all shares are searched in one round. Longer rolls have several, to report results."""
SHARES_PER_ROUND = 8
"""Shares of a round if there are several."""
ROWS_AT_FIRST = 1 << 14
"""Solutions of a share that there is room for at first. A share that has more is searched again with enough room."""
MAX_ROWS = 1 << 22
"""Room for the solutions of the shares that are searched again together, unless a single share needs more."""
MAX_UNDIVIDED = 1000
"""Up to this limit of solutions the search is not divided into shares."""
MOST_PIECES = 1 << 13
"""Pieces of all shares of a round, if the device runs that many searches at once: a GPU has about as many warps."""
BY_STEP = 8
"""A share is divided into pieces by second words and, this many times, by their steps."""
ROWS_OF_A_PIECE = 256
"""Solutions of a piece that there is room for at first."""
ROW_BYTES = 24
"""Bytes of a solution on the device, at most."""
Rows = tuple[npt.NDArray[np.int32], npt.NDArray[np.uint8]]
"""The shapes and the letters of solutions."""
Turns = tuple[npt.NDArray[np.int32], npt.NDArray[np.uint8], npt.NDArray[np.int32]]
"""The same and their turns, which order the solutions of the pieces of a share."""


@dataclass(frozen=True, repr=False)
class Found(Result, schema="qless.solution/1"):
    """A solution, as the command streams it with ``--json`` while it searches.

    Attributes
    ----------
    grid : str
        The rows of the grid with ``/`` between them.
    """

    grid: str


@dataclass(frozen=True, eq=False)
class Solutions(Result, schema="qless.solve/3"):
    """Solutions of a roll: a sequence of grids.

    Attributes
    ----------
    roll : str
        The letters of the roll in alphabetical order.
    shapes : Shapes
        All shapes with this number of letters.
    shape : ndarray of int32, shape (solutions,)
        Number of each solution's shape within `shapes`.
    fill : ndarray of uint8, shape (solutions, letters)
        Letters of each solution, 0 to 25, in reading order.
    complete : bool
        Whether these are all solutions; false if `max_solutions` or the time limit was reached.
    max_solutions : int or None
        The number of solutions after which the search was to stop.
    seconds : float
        Time that the search took.
    variant : Variant
        The words that count, and the rules.
    """

    roll: str
    shapes: Shapes = field(metadata=HIDDEN)
    shape: npt.NDArray[np.int32] = field(metadata=HIDDEN)
    fill: npt.NDArray[np.uint8] = field(metadata=HIDDEN)
    complete: bool
    max_solutions: int | None
    seconds: float = field(repr=False)
    variant: Variant = field(default=STANDARD, metadata=HIDDEN)

    @reported
    def doubtful(self) -> list[str]:
        """Words that the roll can spell and that are only in some dictionaries."""
        words = self.variant.anagrams
        found = np.empty(len(words.words), np.int32)
        count = spelled(words.letters, np.append(counts_of(self.roll), 0).astype(np.int64), 0, found)
        return self.variant.doubtful(words.words[i] for i in found[:count].tolist())

    @reported
    def solutions(self) -> int:
        """Number of solutions that were found."""
        return len(self)

    @property
    def exit_code(self) -> int:
        """The exit code of the command: none found, stopped by the time limit, or done."""
        if not self.complete and len(self) != self.max_solutions:
            return Exit.STOPPED
        return Exit.DONE if len(self) else Exit.NO_SOLUTION

    def save(self, out: Path | None = None) -> None:
        """Write every solution to a file, one per line.

        Parameters
        ----------
        out : Path, optional
            Write every solution to this file, one per line.
        """
        if out is not None:
            files.write(out, "".join(f"{text}\n" for text in self.texts()), "--out")

    def columns(self) -> dict[str, list[Any]]:
        """Return the solutions as columns, for ``pandas.DataFrame`` and ``polars.DataFrame``.

        Returns
        -------
        dict of str to list
            ``grid``, as text with ``/`` between rows; ``words`` of the grid, as a list; and their number, ``n_words``.
        """
        words = [list(grid.words) for grid in self]
        return {"grid": self.texts(), "words": words, "n_words": [len(each) for each in words]}

    def __len__(self) -> int:
        return len(self.shape)

    def __repr__(self) -> str:
        return f"<Solutions: {len(self):,} of {self.roll}{'' if self.complete else ', incomplete'}>"

    def __getitem__(self, index: int) -> Grid:
        cells = self.shapes.cells[self.shape[index]]
        rows = np.full((int(cells.max()) // ROW + 1, int((cells % ROW).max()) + 1), ord(EMPTY), np.uint8)
        rows[cells // ROW, cells % ROW] = self.fill[index] + np.uint8(ord("a"))
        return Grid(tuple(row.tobytes().decode() for row in rows))

    def __iter__(self) -> Iterator[Grid]:
        return (self[index] for index in range(len(self)))

    def texts(self) -> list[str]:
        """Return every grid on one line with / between its rows, as `rules.parse_grid` reads it; fast for a million."""
        texts = np.empty(len(self), object)
        order = np.argsort(self.shape, kind="stable")
        numbers, begins = np.unique(self.shape[order], return_index=True)
        for number, indices in zip(numbers, np.split(order, begins)[1:], strict=True):
            outline = np.frombuffer(self.shapes.text(int(number)).encode(), np.uint8)
            lines = np.tile(outline, (len(indices), 1))
            lines[:, outline == ord("#")] = self.fill[indices] + np.uint8(ord("a"))
            texts[indices] = lines.view(f"S{len(outline)}").ravel().astype(str)
        return texts.tolist()


def solve(
    roll: str | Roll,
    *,
    max_solutions: int | None = None,
    must: str | None = None,
    variant: Variant = STANDARD,
    on_solutions: Callable[[Solutions], None] = lambda solutions: None,
    time_limit: float | None = None,
    progress: Callable[[int], None] = lambda done: None,
    backend: Backend | None = None,
) -> Solutions:
    """Find every crossword that uses all letters of a roll.

    A grid and its transpose are one solution. With --json, one solution is printed per line as it is found.

    Parameters
    ----------
    roll : str
        The 3 to 14 letters of the roll, such as ``cddeeimprtwx``; spaces and commas are ignored.
    max_solutions : int, optional
        Stop after this number of solutions. By default there is no limit.
    must : str, optional
        Word that every solution has to contain.
    variant : Variant, optional
        The words that count, and the rules. By default the standard game.
    on_solutions : callable, optional
        Called with the new solutions as the search continues.
    time_limit : float, optional
        Stop after this many seconds and return the best result so far. Compiling kernels and building tables does not
        count.
    progress : callable, optional
        Called with the number of shares of the search that are done, of 64 (``SHARES``).
    backend : Backend, optional
        The device. By default the one that ``GPUSOLVE_DEVICE`` names, or else ``auto``.

    Returns
    -------
    Solutions
        The solutions; its `complete` says whether they are all.

    Raises
    ------
    BadInput
        If `roll` is not a roll, `must` is not a word of the variant, or a number is out of range.
    WrongSolution
        If a solution breaks the rules, which would be a fault of gpusolve.

    Examples
    --------
    ``gpusolve qless solve cddeeimprtwx --max-solutions 3``

    >>> print(solve("acehrt", max_solutions=1)[0])
    h a r t
    . c . .
    . e . .
    """
    begin = clock.now()
    search = RollSearch(roll, variant, must=must, time_limit=time_limit, backend=backend)
    if max_solutions is not None:
        max_solutions = check_integer("max_solutions", max_solutions, 1, kernels.NO_LIMIT)
    most = kernels.NO_LIMIT if max_solutions is None else max_solutions
    shapes = search.loaded.tree.shapes
    rows = [(np.empty(0, np.int32), np.empty((0, shapes.letters), np.uint8))]
    total = 0
    for items, shares in search.rounds(most, progress):
        shape, fill = search.rows(items, shares, most)
        if (wrong := find_wrong(search.roll, shapes, shape, fill, variant)) is not None:
            grid = Solutions(search.roll, shapes, shape, fill, False, None, 0)[wrong]
            raise WrongSolution(f"{search.roll}: the search returned {'/'.join(grid.rows)}, which breaks the rules")
        rows.append((shape[: most - total], fill[: most - total]))
        total += len(shape)
        on_solutions(Solutions(search.roll, shapes, *rows[-1], False, max_solutions, clock.now() - begin, variant))
        if total > most:
            break
    shape, fill = joined(rows)
    complete = search.complete and total <= most
    return Solutions(search.roll, shapes, shape, fill, complete, max_solutions, clock.now() - begin, variant)


class RollSearch:
    """The search for the solutions of one roll, in rounds of one or more shares each, within a time limit."""

    def __init__(
        self, roll: str | Roll, variant: Variant, *, must: str | None, time_limit: float | None, backend: Backend | None
    ) -> None:
        check_type("variant", variant, Variant)
        if time_limit is not None:
            check_number("time_limit", time_limit, 0, float("inf"))
        self.roll = parse_roll(roll)
        self.complete = False
        """Whether all shares have been searched."""
        self._deadline = clock.now() + (float("inf") if time_limit is None else time_limit)
        self._backend = open_backend(backend)
        self._no_repeats = variant.no_repeats
        self._must = -1 if must is None else variant.index_of(must)
        self.loaded = variant.loaded(len(self.roll), self._backend)
        self._rolls = kernels.candidates(self._backend, self.loaded, counts_of(self.roll)[None])

    def rounds(self, limit: int, progress: Callable[[int], None]) -> Iterator[tuple[npt.NDArray[np.int32], int]]:
        """Yield the shares of each round, and the number of shares in all; set `complete` after the last round."""
        if limit <= MAX_UNDIVIDED:
            yield np.zeros(1, np.int32), 1
        else:
            step = SHARES if len(self.roll) <= ONE_ROUND else SHARES_PER_ROUND
            for first in range(0, SHARES, step):
                if first and clock.now() >= self._deadline:
                    return
                yield np.arange(first, first + step, dtype=np.int32), SHARES
                progress(first + step)
        self.complete = True

    def counts(self, items: npt.NDArray[np.int32], shares: int) -> npt.NDArray[np.int64]:
        """Return the number of solutions of each of these shares."""
        divided, pieces = self._divided(items)
        counts = self._backend.to_host(self._fill(divided, shares, pieces, 0, kernels.NO_LIMIT).counts)
        sums: npt.NDArray[np.int64] = counts.reshape(len(items), -1).sum(axis=1)
        return sums

    def rows(self, items: npt.NDArray[np.int32], shares: int, limit: int) -> Rows:
        """Return the solutions of these shares, at most one more than `limit` of each."""
        divided, pieces = self._divided(items)
        keep = min(ROWS_AT_FIRST if len(divided) == len(items) else ROWS_OF_A_PIECE, limit + 1)
        fills = self._fill(divided, shares, pieces, keep, limit + 1)
        counts = self._backend.to_host(fills.counts)
        found = self._found(fills, np.minimum(counts, keep), keep)
        crowded = np.flatnonzero(counts > keep)
        while len(crowded):  # search again as many shares together as there is room for
            rooms = np.maximum.accumulate(counts[crowded]) * np.arange(1, len(crowded) + 1)
            together = crowded[: max(1, int((rooms <= MAX_ROWS).sum()))]
            crowded = crowded[len(together) :]
            keep = int(counts[together].max())
            fills = self._fill(divided[together], shares, pieces, keep, limit + 1)
            for i, piece in zip(together.tolist(), self._found(fills, counts[together], keep), strict=True):
                found[i] = piece
        shapes, letters, turns = joined(found)
        if len(divided) > len(items):
            share = np.repeat(np.arange(len(divided)) // (len(divided) // len(items)), counts)
            order = np.lexsort((turns, share))
            begins = np.searchsorted(share, np.arange(len(items)))  # where each share begins, before and after sorting
            order = order[np.arange(len(order)) - begins[share] <= limit]
            shapes, letters = shapes[order], letters[order]
        return shapes, letters

    def _divided(self, items: npt.NDArray[np.int32]) -> tuple[npt.NDArray[np.int32], tuple[int, int]]:
        """Return the pieces of these shares, and how many there are of each by words and by steps.

        A CPU thread searches one share after another; a GPU searches thousands of pieces at once.
        """
        lanes = min(MOST_PIECES, self._backend.lanes(1, ROWS_OF_A_PIECE * ROW_BYTES))
        if lanes < BY_STEP * len(items):
            return items, (1, 1)
        pieces: tuple[int, int] = 1 << (lanes // len(items) // BY_STEP).bit_length() - 1, BY_STEP
        divided = items[:, None] * (pieces[0] * pieces[1]) + np.arange(pieces[0] * pieces[1])
        return divided.astype(np.int32).reshape(-1), pieces

    def _fill(
        self, items: npt.NDArray[np.int32], shares: int, pieces: tuple[int, int], keep: int, limit: int
    ) -> kernels.Fills:
        return kernels.fill(
            self._backend,
            self.loaded,
            self._rolls,
            items=items,
            shares=shares,
            pieces=pieces,
            keep=keep,
            limit=limit,
            no_repeats=self._no_repeats,
            must=self._must,
        )

    def _found(self, fills: kernels.Fills, counts: npt.NDArray[np.int64], keep: int) -> list[Turns]:
        """Return the rows that were written for each item."""
        arrays, cuts = kernels.kept(self._backend, fills, keep), np.cumsum(counts)[:-1]
        return list(zip(*(np.split(array, cuts) for array in arrays), strict=True))
