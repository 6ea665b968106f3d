"""Every crossword of a roll: all, the first, how many."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Backend, open_backend
from gpusolve.checks import check_integer, check_number, check_type
from gpusolve.games.qless import kernels
from gpusolve.games.qless._shapes import ROW, Shapes
from gpusolve.games.qless.rolls import counts_of, parse_roll
from gpusolve.games.qless.rules import EMPTY, Grid
from gpusolve.games.qless.variant import STANDARD, Variant

SHARES = 64
"""A roll's search is dealt out in so many shares, among the threads of a CPU or the warps of a GPU."""
AT_ONCE = 12
"""With up to so many letters all shares are searched at once; with more, results in between are worth their price."""
ROUND = 8
"""Shares that are searched together else."""
KEPT = 1 << 14
"""Solutions of a share that there is room for at first; one that has more is searched again, with room for all."""
MOST_ROWS = 1 << 22
"""The room for all solutions of some shares, unless a single one has more."""
FEW = 1000
"""Up to so many solutions are looked for without dealing out."""
Rows = tuple[npt.NDArray[np.int32], npt.NDArray[np.uint8]]
"""The shapes and the letters of some solutions."""


@dataclass(frozen=True, eq=False)
class Solutions:
    """Solutions of a roll, each a number of a shape and the letters in its cells.

    `shape` (int32, (solutions,)): the number in `shapes`; `fill` (uint8, (solutions, letters)): the letters, 0 to 25,
    in reading order. `complete`: whether these are all; if not, the limit or the time was reached.
    """

    roll: str
    shapes: Shapes
    shape: npt.NDArray[np.int32]
    fill: npt.NDArray[np.uint8]
    complete: bool
    seconds: float = field(repr=False)

    def __len__(self) -> int:
        return len(self.shape)

    def __repr__(self) -> str:
        return f"<Solutions: {len(self):,} of {self.roll}{'' if self.complete else ', not all'}>"

    def __getitem__(self, index: int) -> Grid:
        """The filled grid number `index`."""
        cells = self.shapes.cells[self.shape[index]]
        rows = np.full((int(cells.max()) // ROW + 1, int((cells % ROW).max()) + 1), ord(EMPTY), np.uint8)
        rows[cells // ROW, cells % ROW] = self.fill[index] + np.uint8(ord("a"))
        return Grid(tuple(row.tobytes().decode() for row in rows))

    def __iter__(self) -> Iterator[Grid]:
        return (self[index] for index in range(len(self)))

    def texts(self) -> list[str]:
        """Every grid on one line, its rows with / between them: quickly, for a million of them."""
        found = np.empty(len(self), object)
        order = np.argsort(self.shape, kind="stable")
        numbers, begins = np.unique(self.shape[order], return_index=True)
        for shape, some in zip(numbers, np.split(order, begins[1:]), strict=True):
            blank = np.frombuffer(self.shapes.text(int(shape)).encode(), np.uint8)
            lines = np.tile(blank, (len(some), 1))
            lines[:, blank == ord("#")] = self.fill[some] + np.uint8(ord("a"))
            found[some] = lines.view(f"S{len(blank)}").ravel().astype(str)
        return found.tolist()


@dataclass(frozen=True)
class Count:
    """How many solutions a roll has; where it is not `complete`, how many were found until the time limit."""

    roll: str
    solutions: int
    complete: bool
    seconds: float


def solve(
    roll: str,
    variant: Variant = STANDARD,
    limit: int | None = None,
    must: str | None = None,
    each: Callable[[Solutions], None] = lambda some: None,
    time_limit: float | None = None,
    progress: Callable[[int], None] = lambda done: None,
    backend: Backend | None = None,
) -> Solutions:
    """Every crossword of a roll of 3 to 14 letters, once whichever way round it is written; at most `limit` of them.

    `must`: a word that has to be there. `each` is called with some solutions after the other, as they are found;
    `progress` with the parts of the search that are done, of SHARES. After `time_limit` seconds no part begins. Raises
    BadInput for what is no roll and for a `must` that is no word.

    >>> print(solve("acehrt", limit=1)[0])
    h a r t
    . c . .
    . e . .
    """
    begin = time.monotonic()
    search = _Search(roll, variant, must, time_limit, backend)
    if limit is not None:
        check_integer("limit", limit, 1, kernels.NO_LIMIT)
    most = kernels.NO_LIMIT if limit is None else limit
    shapes = search.loaded.tree.shapes
    found = [(np.empty(0, np.int32), np.empty((0, shapes.letters), np.uint8))]
    total = 0
    for items, parts in search.rounds(most, progress):
        shape, fill = search.rows(items, parts, most)
        found.append((shape[: most - total], fill[: most - total]))
        total += len(shape)
        each(Solutions(search.roll, shapes, *found[-1], False, time.monotonic() - begin))
        if total > most:
            break
    shape, fill = (np.concatenate(arrays) for arrays in zip(*found, strict=True))
    return Solutions(search.roll, shapes, shape, fill, search.complete and total <= most, time.monotonic() - begin)


def count(
    roll: str,
    variant: Variant = STANDARD,
    must: str | None = None,
    time_limit: float | None = None,
    progress: Callable[[int], None] = lambda done: None,
    backend: Backend | None = None,
) -> Count:
    """The number of a roll's solutions, and nothing about them; otherwise as `solve`.

    >>> count("cddeeimprtwx").solutions
    2046
    """
    begin = time.monotonic()
    search = _Search(roll, variant, must, time_limit, backend)
    total = 0
    for items, parts in search.rounds(kernels.NO_LIMIT, progress):
        total += int(search.counts(items, parts).sum())
    return Count(search.roll, total, search.complete, time.monotonic() - begin)


def counts(
    rolls: npt.NDArray[np.uint8], variant: Variant = STANDARD, most: int = 1, backend: Backend | None = None
) -> npt.NDArray[np.int64]:
    """How many solutions each of many rolls has, or `most` where it has as many: int64, shape (rolls,).

    `rolls` (uint8, (rolls, 26)): how often a roll has each letter, as `rolls.random_rolls` gives them; all have as many
    letters. With ``most=1``: which of them can be solved.
    """
    backend = open_backend(backend)
    if not len(rolls):
        return np.empty(0, np.int64)
    loaded = variant.loaded(int(rolls[0].sum()), backend)
    batch = backend.batch(loaded.bytes_per_roll())
    found = []
    for first in range(0, len(rolls), batch):
        some = kernels.candidates(backend, loaded, np.ascontiguousarray(rolls[first : first + batch]))
        found.append(
            backend.to_host(kernels.fill(backend, loaded, some, most=most, no_repeats=variant.no_repeats).counts)
        )
    return np.concatenate(found)


class _Search:
    """The search of one roll, share by share, within a time."""

    def __init__(
        self, roll: str, variant: Variant, must: str | None, time_limit: float | None, backend: Backend | None
    ) -> None:
        check_type("variant", variant, Variant)
        if time_limit is not None:
            check_number("time_limit", time_limit, 0, float("inf"))
        self.roll = parse_roll(roll)
        self.complete = False
        self._deadline = time.monotonic() + (float("inf") if time_limit is None else time_limit)
        self._backend = open_backend(backend)
        self._no_repeats = variant.no_repeats
        self._must = -1 if must is None else variant.number_of(must)
        self.loaded = variant.loaded(len(self.roll), self._backend)
        self._rolls = kernels.candidates(self._backend, self.loaded, counts_of(self.roll)[None])

    def rounds(self, most: int, progress: Callable[[int], None]) -> Iterator[tuple[npt.NDArray[np.int32], int]]:
        """The shares to search together, and of how many they are; `complete` is set behind the last."""
        if most <= FEW:
            yield np.zeros(1, np.int32), 1
        else:
            step = SHARES if len(self.roll) <= AT_ONCE else ROUND
            for first in range(0, SHARES, step):
                if first and time.monotonic() >= self._deadline:
                    return
                yield np.arange(first, first + step, dtype=np.int32), SHARES
                progress(first + step)
        self.complete = True

    def counts(self, items: npt.NDArray[np.int32], parts: int) -> npt.NDArray[np.int64]:
        """The number of solutions of each share."""
        return self._backend.to_host(self._fill(items, parts, 0, kernels.NO_LIMIT).counts)

    def rows(self, items: npt.NDArray[np.int32], parts: int, most: int) -> Rows:
        """The solutions of some shares, of each one more than `most` at most."""
        keep = min(KEPT, most + 1)
        found = self._fill(items, parts, keep, most + 1)
        numbers = self._backend.to_host(found.counts)
        pieces = self._pieces(found, np.minimum(numbers, keep), keep)
        crowded = np.flatnonzero(numbers > keep)
        while len(crowded):  # as many together as there is room for
            rooms = np.maximum.accumulate(numbers[crowded]) * np.arange(1, len(crowded) + 1)
            some = crowded[: max(1, int((rooms <= MOST_ROWS).sum()))]
            crowded = crowded[len(some) :]
            keep = int(numbers[some].max())
            again = self._pieces(self._fill(items[some], parts, keep, most + 1), numbers[some], keep)
            for i, piece in zip(some.tolist(), again, strict=True):
                pieces[i] = piece
        shapes, fills = (np.concatenate(arrays) for arrays in zip(*pieces, strict=True))
        return shapes, fills

    def _fill(self, items: npt.NDArray[np.int32], parts: int, keep: int, most: int) -> kernels.Found:
        return kernels.fill(
            self._backend, self.loaded, self._rolls, items, parts, keep, most, self._no_repeats, self._must
        )

    def _pieces(self, found: kernels.Found, numbers: npt.NDArray[np.int64], keep: int) -> list[Rows]:
        """The rows that were written of each item."""
        shapes, fills = self._backend.to_host(found.shapes), self._backend.to_host(found.fills)
        return [
            (shapes[i * keep : i * keep + number], fills[i * keep : i * keep + number])
            for i, number in enumerate(numbers.tolist())
        ]
