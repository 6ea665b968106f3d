"""Which rolls can be solved: all that there are, or a random sample."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from math import gcd
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Backend, open_backend
from gpusolve.checks import check_integer, check_memory, check_type
from gpusolve.errors import BadInput
from gpusolve.games.qless import kernels
from gpusolve.games.qless._solve import counts
from gpusolve.games.qless.measuring.marks import MORE, NONE, marks_of
from gpusolve.games.qless.rolls import DICE, all_rolls, random_rolls, text_of
from gpusolve.games.qless.variant import STANDARD, Variant
from gpusolve.runs.cluster import open_workers
from gpusolve.runs.run import Run
from gpusolve.wordlists import digest

KIND = "qless.census"
MOST_ROLLS = 10**8
BYTES_PER_ROLL = 26 + 3 * 8
ALL_BYTES = 2 << 30
"""What a census of all rolls takes, at most."""
Found: TypeAlias = tuple[npt.NDArray[np.int32], npt.NDArray[np.uint8], npt.NDArray[np.int64]]
"""Solutions, one after another: the shape and the letters of each; and how many each roll has."""
TWO = 2
"""Solutions that are looked for, unless all are counted."""


@dataclass(frozen=True, eq=False)
class Census:
    """Rolls and their solutions: `letters` (uint8, (rolls, 26)) counts a roll's letters, `weights` (int64, (rolls,))
    the ways in which the dice give it (1 each in a sample, where a roll may come again), `solutions` (int64,
    (rolls,)) how many it has; where not all are `counted`, 2 stands for any number above 1.

    `seed`: of the sample; None for all rolls. `complete`: whether all that were asked for are there.
    """

    seed: int
    sample: bool
    counted: bool
    letters: npt.NDArray[np.uint8]
    weights: npt.NDArray[np.int64]
    solutions: npt.NDArray[np.int64]
    seconds: float
    complete: bool

    @property
    def rolls(self) -> int:
        """Rolls that are done."""
        return len(self.solutions)

    @property
    def unsolvable(self) -> int:
        """Rolls without a solution."""
        return int((self.solutions == 0).sum())

    @property
    def share(self) -> float:
        """The share of rolls without a solution, each roll counting as one."""
        return self.unsolvable / self.rolls

    @property
    def weighted_share(self) -> float:
        """How likely the dice are to give a roll without a solution."""
        return int(self.weights[self.solutions == 0].sum()) / int(self.weights.sum())

    @property
    def distribution(self) -> dict[int, int]:
        """Number of solutions -> rolls."""
        numbers, rolls = np.unique(self.solutions, return_counts=True)
        return dict(zip(numbers.tolist(), rolls.tolist(), strict=True))

    def by_letter(self) -> dict[str, tuple[int, int, float]]:
        """Letter -> the rolls that have it, those of them without a solution, and how likely one with it has none."""
        none, found = self.solutions == 0, {}
        for letter in range(26):
            having = self.letters[:, letter] > 0
            if having.any():
                lost = having & none
                likely = int(self.weights[lost].sum()) / int(self.weights[having].sum())
                found[chr(ord("a") + letter)] = (int(having.sum()), int(lost.sum()), likely)
        return found

    def by_vowels(self) -> dict[int, tuple[int, int, float]]:
        """Number of a, e, i, o, u -> the same."""
        vowels = self.letters[:, [ord(letter) - ord("a") for letter in "aeiou"]].sum(axis=1)
        none, found = self.solutions == 0, {}
        for number in np.unique(vowels).tolist():
            having = vowels == number
            lost = having & none
            likely = int(self.weights[lost].sum()) / int(self.weights[having].sum())
            found[int(number)] = (int(having.sum()), int(lost.sum()), likely)
        return found

    def hardest(self, count: int) -> list[tuple[str, int, int]]:
        """Solvable rolls with the fewest solutions, the likeliest first: letters, solutions, weight."""
        some = np.flatnonzero(self.solutions > 0)
        order = some[np.lexsort((some, -self.weights[some], self.solutions[some]))][:count]
        return [(text_of(self.letters[i]), int(self.solutions[i]), int(self.weights[i])) for i in order]

    def likeliest_unsolvable(self, count: int) -> list[tuple[str, int]]:
        """Rolls without a solution, the likeliest first: letters, weight."""
        some = np.flatnonzero(self.solutions == 0)
        order = some[np.lexsort((some, -self.weights[some]))][:count]
        return [(text_of(self.letters[i]), int(self.weights[i])) for i in order]


def census(
    rolls: int | None = None,
    variant: Variant = STANDARD,
    count: bool = False,
    workers: int | str = 1,
    seed: int | None = None,
    time_limit: float | None = None,
    checkpoint: Path | None = None,
    resume: Path | None = None,
    progress: Callable[[int], None] = lambda done: None,
    backend: Backend | None = None,
) -> Census:
    """Which rolls of the dice have no solution, one, or more: of `rolls` random ones, or (None) of all 15,800,439.

    With `count` a sample's solutions are all counted. What `time_limit` seconds do not suffice for is left out;
    `progress` is called with the number of rolls done. `open_workers` tells of `workers`, `Run` of the others. Raises
    BadInput for fewer rolls than one, for more than memory holds, for `count` of all rolls, and for a checkpoint of
    another census.

    >>> census(1000, seed=1).unsolvable
    36
    """
    check_type("variant", variant, Variant)
    if rolls is not None:
        check_integer("rolls", rolls, 1, MOST_ROLLS)
        check_memory("rolls", rolls, BYTES_PER_ROLL * rolls)
    elif count:
        raise BadInput("count: expected a number of random rolls; to count the solutions of all takes days")
    settings = {
        "dictionary": digest(variant.anagrams),
        "min_length": variant.min_length,
        "allow_touching": variant.allow_touching,
        "no_repeats": variant.no_repeats,
        "count": count,
        "sample": rolls is not None,
    }
    run = Run(KIND, settings, seed, checkpoint, resume, time_limit)
    backend = open_backend(backend)
    if rolls is None:
        return _all(run, variant, workers, progress, backend, resume)
    return _sample(rolls, run, variant, count, workers, progress, backend, resume)


def _sample(
    rolls: int,
    run: Run,
    variant: Variant,
    count: bool,
    workers: int | str,
    progress: Callable[[int], None],
    backend: Backend,
    resume: Path | None,
) -> Census:
    """Rolls 0, 1, ... of a seed, one batch after another."""
    before = _saved(run, "solutions", np.int64, resume)
    done = len(before)
    solutions = np.zeros(max(rolls, done), np.int64)
    solutions[:done] = before
    batch = 16 if count else backend.batch(variant.loaded(len(DICE), backend).bytes_per_roll())
    prepare = partial(_counting, variant, kernels.NO_LIMIT if count else TWO, run.seed)
    with (
        open_workers(workers, prepare, backend, run=run, progress=progress) as those,
        run.saved(lambda: {"solutions": solutions[:done]}) as more,
    ):
        parts = those.parts(done, rolls, batch)
        while done < rolls and more():
            part, found = next(parts)
            solutions[done : part.stop] = found
            done = part.stop
            progress(done)
    done = min(done, rolls)
    letters, weights = random_rolls(run.seed, 0, done), np.ones(done, np.int64)
    return Census(run.seed, True, count, letters, weights, solutions[:done], run.seconds, done == rolls)


def _counting(variant: Variant, most: int, seed: int, backend: Backend) -> Callable[[range], npt.NDArray[np.int64]]:
    """What counts the solutions of some rolls of the seed, up to `most`."""
    return lambda part: counts(random_rolls(seed, part.start, len(part)), variant, most, backend)


def _all(
    run: Run,
    variant: Variant,
    workers: int | str,
    progress: Callable[[int], None],
    backend: Backend,
    resume: Path | None,
) -> Census:
    """All rolls. Those of which two solutions are not known yet are searched, in an order that is spread over all."""
    check_memory("rolls", len(DICE), ALL_BYTES)
    every, loaded = all_rolls(), variant.loaded(len(DICE), backend)
    before = _saved(run, "marks", np.uint8, resume)
    done = run.state.get("done", 0)
    if len(before) != (len(every) if resume else 0) or not isinstance(done, int) or not 0 <= done <= len(every):
        raise BadInput(f"checkpoint {resume}: damaged: expected a mark for each of {len(every):,} rolls")
    marks = marks_of(every, before if len(before) else np.zeros(len(every), np.uint8), variant, loaded.tree.shapes)
    order = _Order(len(every))
    batch = backend.batch(loaded.bytes_per_roll())
    ahead: deque[tuple[npt.NDArray[np.int64], int]] = deque()
    """What the workers search: rolls, and up to where in the order all is done with them."""

    def searched() -> Iterator[npt.NDArray[np.uint8]]:
        at = done
        while at < len(every):
            numbers = order.numbers(at, min(len(every), at + LOOKED_AT))
            waiting = np.flatnonzero(marks.marks[numbers] != MORE)[:batch]
            at += len(numbers) if len(waiting) < batch else int(waiting[-1]) + 1
            ahead.append((numbers[waiting], at))
            yield every.counts(numbers[waiting])

    with (
        open_workers(workers, partial(_searching, variant), backend, run=run, progress=progress) as those,
        run.saved(lambda: {"marks": marks.marks, "done": done}) as more,
    ):
        results = those.results(searched())
        while done < len(every) and more():
            shapes, fills, counted = next(results)
            numbers, end = ahead.popleft()
            marks.spread(np.repeat(numbers, np.minimum(counted, TWO)), shapes, fills)
            marks.marks[numbers[counted == TWO]] = MORE  # whatever their fingerprints
            done = end
            progress(done)
    decided = order.numbers(0, done)
    decided.sort()
    found = marks.marks[decided]
    solutions = np.where(found == NONE, 0, np.where(found == MORE, TWO, 1)).astype(np.int64)
    return Census(
        run.seed,
        False,
        False,
        every.counts(decided),
        every.weights[decided],
        solutions,
        run.seconds,
        done == len(every),
    )


def _searching(variant: Variant, backend: Backend) -> Callable[[npt.NDArray[np.uint8]], Found]:
    """What looks for two solutions of each of some rolls, given by their letters, uint8 (rolls, 26)."""
    loaded = variant.loaded(len(DICE), backend)

    def search(letters: npt.NDArray[np.uint8]) -> Found:
        if not len(letters):
            return np.empty(0, np.int32), np.empty((0, len(DICE)), np.uint8), np.empty(0, np.int64)
        rolls = kernels.candidates(backend, loaded, letters)
        found = kernels.fill(backend, loaded, rolls, keep=TWO, most=TWO, no_repeats=variant.no_repeats)
        counted = backend.to_host(found.counts)
        rows = np.flatnonzero((np.arange(TWO) < counted[:, None]).ravel())
        return backend.to_host(found.shapes)[rows], backend.to_host(found.fills)[rows], counted

    return search


LOOKED_AT = 1 << 18
"""Rolls of which marks are looked at to fill a batch."""


class _Order:
    """The numbers 0 to size - 1, each once, so that any stretch of them is spread evenly."""

    def __init__(self, size: int) -> None:
        self._size, self._step = size, int(size * 0.6180339887)
        while gcd(self._step, size) > 1:
            self._step += 1

    def numbers(self, first: int, last: int) -> npt.NDArray[np.int64]:
        """Those from place `first` to `last`."""
        return np.arange(first, last, dtype=np.int64) * self._step % self._size


def _saved(run: Run, name: str, dtype: type, resume: Path | None) -> npt.NDArray[Any]:
    """A row of the checkpoint, empty where there is none. Raises BadInput for what is no such row."""
    row = run.state.get(name, np.empty(0, dtype)) if resume is None else run.state.get(name)
    if not isinstance(row, np.ndarray) or row.dtype != dtype or row.ndim != 1:
        raise BadInput(f"checkpoint {resume}: damaged: expected {name}")
    return row
