"""Which rolls have a solution: all rolls of the dice, or a random sample."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from math import gcd
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Backend, in_batches, open_backend
from gpusolve.checks import check_integer, check_memory, check_type
from gpusolve.errors import BadInput
from gpusolve.games.qless import kernels
from gpusolve.games.qless._check import check_solutions
from gpusolve.games.qless._count import counts
from gpusolve.games.qless.cpu.exchanges import MORE, NONE
from gpusolve.games.qless.measuring.exchanges import KnownSolutions, known_solutions
from gpusolve.games.qless.rolls import DICE, AllRolls, all_rolls, random_rolls, text_of
from gpusolve.games.qless.variant import STANDARD, Variant
from gpusolve.result import HIDDEN, Result, reported, rows
from gpusolve.runs.run import Run
from gpusolve.runs.series import Column, Rows, extend, joined
from gpusolve.wordlists import digest

KIND = "qless.census"
MAX_ROLLS = 10**8
"""Maximum number of rolls in a sample."""
BYTES_PER_ROLL = 26 + 3 * 8
ALL_BYTES = 2 << 30
"""Memory that a census of all rolls takes at most."""
MOST_LISTED = 1000
"""Maximum number of the hardest rolls that are listed, and of the likeliest ones without a solution."""
TWO = 2
"""Solutions of a roll that are searched for, unless all are counted."""
COUNTED_TOGETHER = 16
"""Rolls of a job if all solutions are counted."""
WINDOW = 1 << 18
"""Rolls that are looked at to fill a batch with rolls that need a search."""
Numbers: TypeAlias = npt.NDArray[np.int64]
Searched: TypeAlias = tuple[npt.NDArray[Any], ...]
"""The shape and the letters of each solution, roll by roll, and the number of solutions of each roll."""


class Share(NamedTuple):
    """Some of the rolls: how many there are, how many have no solution, and the probability that one has none."""

    rolls: int
    unsolvable: int
    probability: float


class Rare(NamedTuple):
    """A roll, its number of solutions, and the number of ways to get it with the dice."""

    roll: str
    solutions: int
    weight: int


@dataclass(frozen=True, eq=False, repr=False)
class Census(Result, schema="qless.census/2"):
    """Rolls and their numbers of solutions.

    Attributes
    ----------
    seed : int
        Seed of the sample.
    sample : bool
        Whether the rolls are a random sample, not all rolls of the dice.
    counted : bool
        Whether all solutions were counted. If not, 2 means two or more.
    letters : ndarray of uint8, shape (rolls, 26)
        Number of times each letter of the alphabet occurs in each roll.
    weights : ndarray of int64, shape (rolls,)
        Number of ways to get each roll with the dice; 1 each in a sample, where a roll can occur more than once.
    solutions : ndarray of int64, shape (rolls,)
        Number of solutions of each roll.
    seconds : float
        Time that the census took, including earlier sessions.
    complete : bool
        Whether all the rolls asked for are included; false if the time limit was reached.
    """

    seed: int
    sample: bool
    counted: bool
    letters: npt.NDArray[np.uint8] = field(metadata=HIDDEN)
    weights: npt.NDArray[np.int64] = field(metadata=HIDDEN)
    solutions: npt.NDArray[np.int64] = field(metadata=HIDDEN)
    seconds: float
    complete: bool

    def columns(self) -> dict[str, Any]:
        """Return the rolls as columns, for ``pandas.DataFrame`` and ``polars.DataFrame``.

        Returns
        -------
        dict of str to list or ndarray
            ``roll`` (list of str), ``weight`` and ``solutions``.
        """
        rolls = [text_of(letters) for letters in self.letters]
        return {"roll": rolls, "weight": self.weights, "solutions": self.solutions}

    def plot(self, path: Path) -> None:
        """Draw the probability that a roll with a given letter has no solution, as bars."""
        from gpusolve.output.plot import save_bars

        title = f"Q-less: how often a roll has no solution, by letter ({self.count:,} rolls)"
        percentages = [100 * share.probability for share in self.by_letter.values()]
        save_bars(path, list(self.by_letter), percentages, title, "letter in the roll", "rolls without a solution, %")

    @reported
    def count(self) -> int:
        """Number of rolls."""
        return len(self.solutions)

    @reported
    def unsolvable(self) -> int:
        """Number of rolls without a solution."""
        return int((self.solutions == 0).sum())

    @reported
    def share(self) -> float:
        """Fraction of the rolls that have no solution."""
        return self.unsolvable / self.count

    @reported
    def weighted_share(self) -> float:
        """Probability that the dice show a roll without a solution."""
        return int(self.weights[self.solutions == 0].sum()) / int(self.weights.sum())

    @reported
    def distribution(self) -> dict[int, int]:
        """Number of solutions -> number of rolls."""
        numbers, rolls = np.unique(self.solutions, return_counts=True)
        return dict(zip(numbers.tolist(), rolls.tolist(), strict=True))

    @reported
    def by_letter(self) -> dict[str, Share]:
        """Letter -> the rolls with it."""
        having = ((chr(ord("a") + letter), self.letters[:, letter] > 0) for letter in range(26))
        return {letter: self._share(rolls) for letter, rolls in having if rolls.any()}

    @reported
    def by_vowels(self) -> dict[int, Share]:
        """Number of letters a, e, i, o, u -> the rolls with this number."""
        vowels = self.letters[:, [ord(letter) - ord("a") for letter in "aeiou"]].sum(axis=1)
        return {int(number): self._share(vowels == number) for number in np.unique(vowels).tolist()}

    def _share(self, having: npt.NDArray[np.bool_]) -> Share:
        unsolvable = having & (self.solutions == 0)
        probability = int(self.weights[unsolvable].sum()) / int(self.weights[having].sum())
        return Share(int(having.sum()), int(unsolvable.sum()), probability)

    @rows
    def hardest(self) -> list[Rare]:
        """The solvable rolls with the fewest solutions, likely ones first; at most 1,000."""
        solvable = np.flatnonzero(self.solutions > 0)
        return self._rare(solvable[np.lexsort((solvable, -self.weights[solvable], self.solutions[solvable]))])

    @rows
    def likeliest_unsolvable(self) -> list[Rare]:
        """The most likely rolls without a solution; at most 1,000."""
        unsolvable = np.flatnonzero(self.solutions == 0)
        return self._rare(unsolvable[np.lexsort((unsolvable, -self.weights[unsolvable]))])

    def _rare(self, order: npt.NDArray[np.intp]) -> list[Rare]:
        return [
            Rare(text_of(self.letters[i]), int(self.solutions[i]), int(self.weights[i])) for i in order[:MOST_LISTED]
        ]


def census(
    *,
    count: int | None = None,
    all_solutions: bool = False,
    variant: Variant = STANDARD,
    workers: int | str = 1,
    seed: int | None = None,
    time_limit: float | None = None,
    checkpoint: Path | None = None,
    resume: Path | None = None,
    progress: Callable[[int], None] = lambda done: None,
    backend: Backend | None = None,
) -> Census:
    """Find out which rolls of the dice have no solution, exactly one, or more.

    The rolls are counted by letter and by number of vowels.

    Parameters
    ----------
    count : int, optional
        Number of random rolls of the dice, 1 to 10^8. By default all 15,800,439 different rolls are examined. A run
        that is resumed may have another number.
    all_solutions : bool, default False
        Count all solutions of each random roll, instead of stopping at the second one.
    variant : Variant, optional
        The words that count, and the rules. By default the standard game.
    workers : int or str, default 1
        Number of worker processes, or a Dask scheduler's address or file. The result does not depend on it.
    seed : int, optional
        Seed of all random choices, 0 to 2^64 - 1. By default a random one, which the result has.
    time_limit : float, optional
        Stop after this many seconds and return the best result so far. Compiling kernels and building tables does not
        count.
    checkpoint : Path, optional
        Save the state of the run to this file from time to time.
    resume : Path, optional
        Continue from this checkpoint.
    progress : callable, optional
        Called with the number of rolls that are done.
    backend : Backend, optional
        The device. By default the one that ``GPUSOLVE_DEVICE`` names, or else ``auto``.

    Returns
    -------
    Census
        The rolls and their numbers of solutions.

    Raises
    ------
    BadInput
        If a number is out of range, if the rolls need more memory than there is, if `all_solutions` is given without
        `count`, or if `resume` is not a checkpoint of this census.
    WrongSolution
        If one of the first two solutions of a roll breaks the rules, which would be a fault of gpusolve.

    Examples
    --------
    ``gpusolve qless census --count 1000 --seed 1``

    >>> census(count=1000, seed=1).unsolvable
    36
    """
    check_type("variant", variant, Variant)
    if count is not None:
        count = check_integer("count", count, 1, MAX_ROLLS)
        check_memory("count", count, BYTES_PER_ROLL * count)
    elif all_solutions:
        raise BadInput("all_solutions: expected a number of random rolls, because counting for all rolls takes days")
    settings = {
        "dictionary": digest(variant.anagrams),
        "min_length": variant.min_length,
        "allow_touching": variant.allow_touching,
        "no_repeats": variant.no_repeats,
        "all_solutions": all_solutions,
        "sample": count is not None,
    }
    run = Run(KIND, settings, seed=seed, checkpoint=checkpoint, resume=resume, time_limit=time_limit)
    backend = open_backend(backend)
    if count is None:
        return _all(run, variant, workers=workers, progress=progress, backend=backend)
    return _sample(
        count, run, variant, all_solutions=all_solutions, workers=workers, progress=progress, backend=backend
    )


def _sample(
    count: int,
    run: Run,
    variant: Variant,
    *,
    all_solutions: bool,
    workers: int | str,
    progress: Callable[[int], None],
    backend: Backend,
) -> Census:
    """Count the solutions of rolls 0, 1, ... of a seed, batch by batch."""
    counted = Rows(run.state, count, solutions=Column(np.int64, least=0))
    complete = extend(
        counted,
        count,
        run,
        partial(_counting, variant, kernels.NO_LIMIT if all_solutions else TWO, run.seed),
        batch=COUNTED_TOGETHER if all_solutions else backend.batch(variant.loaded(len(DICE), backend).bytes_per_roll()),
        workers=workers,
        progress=progress,
        backend=backend,
    )
    (solutions,) = counted.first(count)
    return Census(
        seed=run.seed,
        sample=True,
        counted=all_solutions,
        letters=random_rolls(run.seed, 0, len(solutions)),
        weights=np.ones(len(solutions), np.int64),
        solutions=solutions,
        seconds=run.seconds,
        complete=complete,
    )


def _counting(variant: Variant, limit: int, seed: int, backend: Backend) -> Callable[[range], tuple[Numbers]]:
    """Return the function that counts the solutions of a range of a seed's rolls, up to a limit."""

    def count_rolls(part: range) -> tuple[Numbers]:
        rolls = random_rolls(seed, part.start, len(part))
        return (counts(rolls, variant=variant, limit=limit, backend=backend),)

    return count_rolls


def _all(
    run: Run, variant: Variant, *, workers: int | str, progress: Callable[[int], None], backend: Backend
) -> Census:
    """Search all rolls that are not known yet to have two solutions, in an order that spreads them evenly."""
    check_memory("rolls", len(DICE), ALL_BYTES)
    rolls, loaded = all_rolls(), variant.loaded(len(DICE), backend)
    done, start = 0, np.zeros(len(rolls), np.uint8)
    if run.state:
        done = run.state.integer("done", 0, len(rolls))
        start = run.state.array("marks", np.uint8, (len(rolls),))
    known = known_solutions(rolls, start, variant, loaded.tree.shapes)
    search = _Search(rolls, known, done, backend.batch(loaded.bytes_per_roll()))
    complete = extend(
        search,
        len(rolls),
        run,
        partial(_searching, variant),
        jobs=search.jobs(),
        workers=workers,
        progress=progress,
        backend=backend,
    )
    decided = search.order.numbers(0, search.done)
    decided.sort()
    fingerprints = known.fingerprints[decided]
    return Census(
        seed=run.seed,
        sample=False,
        counted=False,
        letters=rolls.counts(decided),
        weights=rolls.weights[decided],
        solutions=np.where(fingerprints == NONE, 0, np.where(fingerprints == MORE, TWO, 1)).astype(np.int64),
        seconds=run.seconds,
        complete=complete,
    )


class _Search:
    """What is known about the first `done` rolls of an order that spreads them evenly, and the batches to search."""

    def __init__(self, rolls: AllRolls, known: KnownSolutions, done: int, size: int) -> None:
        self.done, self.order = done, _Order(len(rolls))
        self._rolls, self._known, self._size = rolls, known, size
        self._in_progress: deque[tuple[Numbers, int]] = deque()
        """For each batch without a result yet: its rolls, and the position in the order where the next batch starts."""

    def jobs(self) -> Iterator[npt.NDArray[np.uint8]]:
        """Yield the batches of rolls to search, given by their letters: uint8, shape (rolls, 26).

        A batch is made when it is asked for, without the rolls that are known to have two solutions by then.
        """
        position = self.done
        while position < len(self._rolls):
            numbers = self.order.numbers(position, min(len(self._rolls), position + WINDOW))
            waiting = np.flatnonzero(self._known.fingerprints[numbers] != MORE)[: self._size]
            position += len(numbers) if len(waiting) < self._size else int(waiting[-1]) + 1
            self._in_progress.append((numbers[waiting], position))
            yield self._rolls.counts(numbers[waiting])

    def add(self, result: Searched, /) -> None:
        """Note the solutions of the next batch, and those of other rolls that they lead to."""
        shapes, letters, counted = result
        numbers, end = self._in_progress.popleft()
        self._known.add(np.repeat(numbers, np.minimum(counted, TWO)), shapes, letters)
        self._known.fingerprints[numbers[counted == TWO]] = MORE  # even if the two have the same fingerprint
        self.done = end  # only now: a checkpoint saved in between must not skip these rolls

    def state(self) -> dict[str, Any]:
        return {"marks": self._known.fingerprints, "done": self.done}


def _searching(variant: Variant, backend: Backend) -> Callable[[npt.NDArray[np.uint8]], Searched]:
    """Return the function that searches for two solutions of each roll, given by their letters as uint8 (rolls, 26)."""
    loaded = variant.loaded(len(DICE), backend)

    def search_batch(letters: npt.NDArray[np.uint8]) -> Searched:
        rolls = kernels.candidates(backend, loaded, letters)
        fills = kernels.fill(backend, loaded, rolls, keep=TWO, limit=TWO, no_repeats=variant.no_repeats)
        counted = backend.to_host(fills.counts)
        shape, letters_of, _ = kernels.kept(backend, fills, TWO)
        check_solutions(letters, counted, loaded.tree.shapes, shape, letters_of, variant)
        return shape, letters_of, counted

    def search(letters: npt.NDArray[np.uint8]) -> Searched:
        if not len(letters):
            return np.empty(0, np.int32), np.empty((0, len(DICE)), np.uint8), np.empty(0, np.int64)
        room = partial(backend.batch, loaded.bytes_per_roll())
        return joined(in_batches(range(len(letters)), room, lambda part: search_batch(letters[part.start : part.stop])))

    return search


class _Order:
    """A permutation of 0 to size - 1 that spreads every stretch evenly: multiples of 0.618 size, modulo size."""

    def __init__(self, size: int) -> None:
        self._size, self._step = size, int(size * 0.6180339887)
        while gcd(self._step, size) > 1:
            self._step += 1

    def numbers(self, first: int, last: int) -> Numbers:
        """Return the numbers at positions `first` to `last` - 1."""
        return np.arange(first, last, dtype=np.int64) * self._step % self._size
