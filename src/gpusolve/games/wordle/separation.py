"""Groups of answers that cannot always be told apart in time.

Guess n of n is the right one: a group can be solved within n guesses if some first guess is followed, whatever pattern
it gets, by a group that can be solved within n - 1; a single answer can within 1. In the easy mode, with every guess
allowed at every turn. How the groups are found without trying all of them is told in ``kernels/wordle.cu``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import comb
from pathlib import Path

import numpy as np
import numpy.typing as npt

from gpusolve import checks
from gpusolve.backend import Array, Backend, open_backend
from gpusolve.errors import BadInput
from gpusolve.games.wordle.group_kernels import MOST_WORDS, Separation
from gpusolve.games.wordle.rules import Scoring
from gpusolve.games.wordle.variant import Variant
from gpusolve.games.wordle.words import WordList
from gpusolve.run import Run
from gpusolve.wordlists import Words

KIND = "wordle.groups"


@dataclass(frozen=True, eq=False)
class Groups:
    """The groups of `size` answers that no strategy always solves `within` so many guesses.

    `members` (int32, groups x size): indices into `answers`, ascending. `complete`: whether these are all there are.
    """

    answers: WordList
    size: int
    within: int
    members: npt.NDArray[np.int32]
    seconds: float
    complete: bool

    @property
    def words(self) -> list[list[str]]:
        """The groups as words."""
        return [[self.answers[i] for i in group] for group in self.members.tolist()]

    def __len__(self) -> int:
        return len(self.members)

    def __repr__(self) -> str:
        return f"<Groups: {len(self):,} of {self.size} answers not within {self.within}>"


def groups(
    size: int = 3,
    within: int = 2,
    guesses: Words = "wordle-guesses",
    answers: Words = "wordle-answers",
    scoring: Scoring = "wordle",
    time_limit: float | None = None,
    checkpoint: Path | None = None,
    resume: Path | None = None,
    progress: Callable[[int, int], None] = lambda done, pairs: None,
    backend: Backend | None = None,
) -> Groups:
    """Which `size` answers cannot always be told apart and solved `within` so many guesses.

    `Run` tells of `checkpoint` and `resume`. `progress` is called with how many pairs of answers have been gone on
    from, and with how many there are. Raises BadInput for a size above 6, a `within` below 2 and as `Variant` does.

    >>> groups(4, 2, answers=["batch", "catch", "hatch", "patch", "crane"]).words
    [['batch', 'catch', 'hatch', 'patch']]
    """
    checks.whole("size", size, 2, MOST_WORDS)
    checks.whole("within", within, 2, MOST_WORDS)
    variant = Variant.load(guesses, answers, scoring=scoring)
    words = len(variant.answers)
    checks.memory("answers", words, words * (words + 2 * len(variant.guesses)))
    settings = {
        "size": size,
        "within": within,
        "scoring": scoring,
        "guesses": variant.guesses.digest,
        "answers": variant.answers.digest,
    }
    run = Run(KIND, settings, 0, checkpoint, resume, time_limit)
    found, done = _before(run, resume, size, words)
    backend = open_backend(backend)
    separation = Separation.of(backend, variant.guesses, variant.answers, scoring)
    search = _Search(separation, size, within)
    with run.saved(lambda: {"members": np.concatenate(found), "done": done}) as more:
        if not done:
            found.append(search.around_cores())
        while done < len(search.pairs) and more():
            found.append(search.step(done))
            done = min(done + search.batch, len(search.pairs))
            progress(done, len(search.pairs))
    members = np.unique(np.concatenate(found), axis=0)
    return Groups(variant.answers, size, within, members, run.seconds, done >= len(search.pairs))


class _Search:
    """The pairs to begin with, and what grows from them.

    A guess fails if a cell holds a group that cannot be solved within one guess less. Where that is not just two words,
    the smallest such groups are found first, all of them. A group that we look for holds one of these, to which few
    words are added; or each guess leaves one word more together, and then its words are very close.
    """

    def __init__(self, separation: Separation, size: int, within: int) -> None:
        self._separation, self._size, self._within = separation, size, within
        self.batch = separation.backend.batch(4 * size * separation.words)
        self._most = self.batch * separation.words
        self._cores = np.empty((0, size), np.int32)
        together = 2
        if within > 2:
            together, self._cores = _smallest(separation, size - 1, within - 1)
            together += 1
        self._pairs_together = comb(together, 2)
        few = size <= within or (within > 2 and (not len(self._cores) or together == size))
        self.pairs = np.empty((0, 2), np.int32) if few else separation.pairs(self._share(2))

    def around_cores(self) -> npt.NDArray[np.int32]:
        """The groups that hold one of the smallest groups for a guess less, each in ascending order."""
        found = [np.empty((0, self._size), np.int32)]
        for core in self._cores:
            larger = self._separation.grown(core, self._size, len(core))
            found.append(np.sort(self._unsolved(larger), axis=1))
        return np.unique(np.concatenate(found), axis=0)

    def _share(self, words: int) -> int:
        """The closeness that so many words of a group that we look for must have."""
        total = self._pairs_together * self._separation.counted
        return -(-total * comb(words, 2) // comb(self._size, 2))

    def step(self, done: int) -> npt.NDArray[np.int32]:
        """The groups that grow from the next batch of pairs, each in ascending order."""
        begin = self._separation.backend.asarray(self.pairs[done : done + self.batch])
        found = [np.sort(some, axis=1) for some in self._grow(begin)]
        return np.concatenate([np.empty((0, self._size), np.int32), *found])

    def _grow(self, some: Array) -> Iterator[npt.NDArray[np.int32]]:
        separation, size = self._separation, some.shape[1]
        if size == self._size:
            yield self._unsolved(some)
            return
        if size == self._size - 1 and self._within == 2:
            counts, larger = separation.confused(some, self._share(self._size))
        else:
            counts, larger = separation.extended(some, self._share(size + 1))
        ends = np.cumsum(counts, dtype=np.int64)
        first = 0
        while first < len(ends):  # as many groups at once as memory allows, one at least
            before = ends[first - 1] if first else 0
            last = max(first + 1, int(np.searchsorted(ends, before + self._most, "right")))
            if ends[last - 1] > before:
                yield from self._grow(larger(np.flatnonzero(counts[first:last]) + first))
            first = last

    def _unsolved(self, some: Array) -> npt.NDArray[np.int32]:
        turns = self._separation.turns(some)
        return self._separation.backend.to_host(some)[turns > self._within]


def _smallest(separation: Separation, most: int, within: int) -> tuple[int, npt.NDArray[np.int32]]:
    """The smallest groups that cannot be solved within so many guesses: how many words they have, and all of them.

    None has more than `most` words.
    """
    for size in range(within + 1, most + 1):
        search = _Search(separation, size, within)
        steps = (search.step(done) for done in range(0, len(search.pairs), search.batch))
        found = np.unique(np.concatenate([search.around_cores(), *steps]), axis=0)
        if len(found):
            return size, found
    return most, np.empty((0, most), np.int32)


def _before(run: Run, resume: Path | None, size: int, words: int) -> tuple[list[npt.NDArray[np.int32]], int]:
    """The groups that a checkpoint holds, and the pairs done."""
    none = np.empty((0, size), np.int32)
    if resume is None:
        return [none], 0
    members, done = run.state.get("members"), run.state.get("done")
    sound = isinstance(members, np.ndarray) and members.dtype == np.int32 and members.shape[1:] == (size,)
    if not sound or not isinstance(done, int) or done < 0 or not np.isin(np.asarray(members), range(words)).all():
        raise BadInput(f"checkpoint {resume}: damaged: expected groups of {size} words")
    return [none, np.asarray(members)], done
