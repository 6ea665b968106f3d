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
from typing import Any

import numpy as np
import numpy.typing as npt

from gpusolve import checks
from gpusolve.backend import Array, Backend, open_backend
from gpusolve.errors import BadInput
from gpusolve.games.wordle.grouping.kernels import MOST_WORDS, Separation
from gpusolve.games.wordle.rules import Scoring
from gpusolve.games.wordle.variant import Variant
from gpusolve.games.wordle.words import WordList
from gpusolve.runs.run import Run
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
    from, and with how many there are; first for the smaller groups that larger ones hold. Raises BadInput for a size
    above 6, a `within` below 2 and as `Variant` does.

    >>> groups(4, 2, answers=["batch", "catch", "hatch", "patch", "crane"]).words
    [['batch', 'catch', 'hatch', 'patch']]
    """
    checks.check_integer("size", size, 2, MOST_WORDS)
    checks.check_integer("within", within, 2, MOST_WORDS)
    variant = Variant.load(guesses, answers, scoring=scoring)
    words = len(variant.answers)
    checks.check_memory("answers", words, words * (words + 2 * len(variant.guesses)))
    settings = {
        "size": size,
        "within": within,
        "scoring": scoring,
        "guesses": variant.guesses.digest,
        "answers": variant.answers.digest,
    }
    run = Run(KIND, settings, 0, checkpoint, resume, time_limit)
    stage = _before(run, resume, size, within, words)
    backend = open_backend(backend)
    separation = Separation.of(backend, variant.guesses, variant.answers, scoring)
    with run.saved(lambda: stage.state()) as more:  # whichever stage it is then
        while True:
            search = _Search(separation, stage)
            if not stage.done:
                stage.found.append(search.around_cores())
            while stage.done < len(search.pairs) and more():
                stage.found.append(search.step(stage.done))
                stage.done = min(stage.done + search.batch, len(search.pairs))
                progress(stage.done, len(search.pairs))
            complete = stage.done >= len(search.pairs)
            if not complete or (stage.size, stage.within) == (size, within):
                break
            stage = stage.after(size, within)
    members = stage.members if stage.within == within else np.empty((0, size), np.int32)
    return Groups(variant.answers, size, within, members, run.seconds, complete)


@dataclass
class _Stage:
    """Which groups are being looked for, and how far that is.

    Those that we want hold others that take a guess less, as few words as these can have. So these are found first.
    `cores`, int32 (groups, words): the smallest groups that cannot be solved within a guess less, all of them; if there
    are none, `cores` still tells up to how many words. `told_apart`: groups of fewer words can all be solved within 2.
    """

    size: int
    within: int
    cores: npt.NDArray[np.int32]
    told_apart: int
    found: list[npt.NDArray[np.int32]]
    done: int = 0

    @property
    def members(self) -> npt.NDArray[np.int32]:
        """The groups found so far, int32 (groups, size), each once."""
        return np.unique(np.concatenate([np.empty((0, self.size), np.int32), *self.found]), axis=0)

    def state(self) -> dict[str, Any]:
        """What a checkpoint keeps."""
        return {
            "size": self.size,
            "within": self.within,
            "cores": self.cores,
            "told_apart": self.told_apart,
            "members": self.members,
            "done": self.done,
        }

    def after(self, size: int, within: int) -> _Stage:
        """The next stage on the way to groups of `size` for `within` guesses, this one being done."""
        members = self.members
        if not len(members) and self.size < size - (within - self.within):
            return _Stage(self.size + 1, self.within, self.cores, self.told_apart, [])
        told_apart = self.told_apart if self.within > 2 else self.size + (not len(members))
        larger = size if self.within + 1 == within else self.size + 1
        return _Stage(larger, self.within + 1, members, told_apart, [])


class _Search:
    """The pairs to begin with, and what grows from them.

    A guess fails if a cell holds a group that cannot be solved within one guess less. Where that is not just two words,
    the smallest such groups are known, all of them. A group that we look for holds one of these, to which few words are
    added; or each guess leaves one word more together, and then its words are very close, if there are such words.
    """

    def __init__(self, separation: Separation, stage: _Stage) -> None:
        self._separation, self._size, self._within = separation, stage.size, stage.within
        self.batch = separation.backend.batch(4 * stage.size * separation.words)
        self._most = self.batch * separation.words
        self._cores = stage.cores
        together = stage.cores.shape[1] + 1
        self._pairs_together = comb(together, 2)
        few = stage.size <= stage.within
        if stage.within > 2:
            # Each guess parts no more than the others from `together` words: it leaves two of any others + 2 together.
            few |= not len(stage.cores) or stage.size - together + 2 < stage.told_apart
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


def _before(run: Run, resume: Path | None, size: int, within: int, words: int) -> _Stage:
    """The stage that a checkpoint holds, else the first."""
    if resume is None:
        first = (size, within) if size <= within else (size if within == 2 else 3, 2)
        return _Stage(*first, np.empty((0, 1), np.int32), 3, [])
    numbers = [run.state.get(name) for name in ("size", "within", "told_apart", "done")]
    arrays = [run.state.get(name) for name in ("cores", "members")]
    sound = all(type(number) is int and number >= 0 for number in numbers)
    for array in arrays:
        sound = sound and isinstance(array, np.ndarray) and array.dtype == np.int32 and array.ndim == 2
        sound = sound and bool(np.isin(np.asarray(array), range(words)).all())
    cores, members = (np.asarray(array) for array in arrays)
    its_size, its_within, told_apart, done = (int(number or 0) for number in numbers)
    sound = sound and 2 <= its_within <= within and cores.shape[1] < its_size <= size and members.shape[1] == its_size
    if not sound or (its_within == within) != (its_size == size):
        raise BadInput(f"checkpoint {resume}: damaged: expected groups of words on the way to {size} of them")
    return _Stage(its_size, its_within, cores, told_apart, [members], done)
