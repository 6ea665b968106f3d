"""A series: the items 0, 1, ... of a seed, such as games or deals, which a long run does in batches.

The batches are done in this process or on workers. Their results are added in order, so what is known after n items
does not depend on the batches, on the workers, or on where the run was stopped and resumed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Backend
from gpusolve.fields import Fields
from gpusolve.runs.cluster import open_workers
from gpusolve.runs.run import Run


class Results(Protocol):
    """What is known about the items 0 to `done` - 1 of a series."""

    @property
    def done(self) -> int:
        """Number of items that are done."""

    def add(self, result: Any, /) -> None:
        """Add the result of the next job."""

    def state(self) -> dict[str, Any]:
        """Return everything that the checkpoint needs."""


def extend(
    results: Results,
    items: int,
    run: Run,
    prepare: Callable[[Backend], Callable[[Any], Any]],
    *,
    batch: int = 1,
    jobs: Iterable[Any] | None = None,
    workers: int | str = 1,
    progress: Callable[[int], None] = lambda done: None,
    each: int = 1,
    backend: Backend,
) -> bool:
    """Do the items from `results.done` to `items` - 1 while there is time, and return whether all are done.

    Parameters
    ----------
    results : Results
        What is known so far. It grows, and is saved to the checkpoint of the run as `Run.saved` says.
    items : int
        Number of items in the series.
    run : Run
        The seed, the time limit and the checkpoint.
    prepare : callable
        Given a backend, returns the function that does a job; see `open_workers`.
    batch : int
        Number of items that are done at once in this process; see `Workers.parts`.
    jobs : iterable, optional
        The jobs in order. By default each is a range of the numbers of items.
    workers : int or str
        As in `open_workers`.
    progress : callable
        Called with `each` times the number of items that are done, after each job.
    each : int
        What an item counts in `progress`.
    backend : Backend
        The device of this process.
    """
    with (
        open_workers(workers, prepare, backend, run=run, progress=progress) as opened,
        run.saved(results.state) as more,
    ):
        found = opened.parts(results.done, items, batch) if jobs is None else opened.results(jobs)
        while results.done < items and more():
            results.add(next(found))
            progress(each * results.done)
    return results.done >= items


@dataclass(frozen=True)
class Column:
    """An array with a place for each item: its type, its shape with None for the items, and bounds of its elements."""

    dtype: npt.DTypeLike
    shape: tuple[int | None, ...] = (None,)
    least: float | None = None
    most: float | None = None

    @property
    def axis(self) -> int:
        """The axis of the items."""
        return self.shape.index(None)

    def sized(self, items: int) -> tuple[int, ...]:
        """Return the shape for a number of items."""
        return tuple(items if size is None else size for size in self.shape)


class Rows:
    """Results that are arrays with a place for each item.

    Parameters
    ----------
    state : Fields
        The arrays in the run's checkpoint; empty for a new run. Raises BadInput if they are not as `columns` says.
    items : int
        Number of items for which there is room. If the checkpoint has more, they are kept.
    columns : Column
        The arrays by name. The result of a job is a tuple of such arrays for its items.
    """

    def __init__(self, state: Fields, items: int, **columns: Column) -> None:
        self.done, self._columns = 0, columns
        self._rows: dict[str, npt.NDArray[Any]] = {}  # views whose first axis is that of the items
        for name, column in columns.items():
            shape = column.sized(self.done) if self._rows else column.shape
            empty = np.empty(column.sized(0), column.dtype)
            before = state.array(name, column.dtype, shape, column.least, column.most) if state else empty
            self.done = before.shape[column.axis]
            room = np.zeros(column.sized(max(items, self.done)), column.dtype)
            self._rows[name] = np.moveaxis(room, column.axis, 0)
            self._rows[name][: self.done] = np.moveaxis(before, column.axis, 0)

    def add(self, result: tuple[npt.NDArray[Any], ...], /) -> None:
        """Add the result of the next job."""
        first = self.done
        for (name, column), array in zip(self._columns.items(), result, strict=True):
            self.done = first + array.shape[column.axis]
            self._rows[name][first : self.done] = np.moveaxis(array, column.axis, 0)

    def first(self, items: int) -> tuple[npt.NDArray[Any], ...]:
        """Return the arrays of the first items, or of all that are done if these are fewer."""
        end = min(items, self.done)
        return tuple(np.moveaxis(self._rows[name][:end], 0, column.axis) for name, column in self._columns.items())

    def state(self) -> dict[str, npt.NDArray[Any]]:
        """Return the arrays of all items that are done."""
        return dict(zip(self._columns, self.first(self.done), strict=True))


def joined(parts: Iterable[tuple[npt.NDArray[Any], ...]], axis: int = 0) -> tuple[npt.NDArray[Any], ...]:
    """Join the arrays of parts that follow each other.

    >>> joined([(np.array([1, 2]), np.array([5])), (np.array([3]), np.array([6]))])
    (array([1, 2, 3]), array([5, 6]))
    """
    return tuple(np.concatenate(arrays, axis) for arrays in zip(*parts, strict=True))
