"""Groups of answers that cannot always be told apart in time.

The last of n guesses has to be the right answer. So a group can be solved within n guesses if there is a first guess
after each of whose patterns the rest of the group can be solved within n - 1; a single answer can be solved within 1.
This is the easy mode, in which every guess is legal at every turn. ``kernels/wordle.cu`` explains how the groups are
found without trying all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from math import comb
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gpusolve import checks, clock
from gpusolve.backend import Array, Backend, open_backend
from gpusolve.errors import BadInput
from gpusolve.fields import Fields
from gpusolve.games.wordle.grouping.kernels import MOST_WORDS, Separation
from gpusolve.games.wordle.grouping.quadruples import Quadruples
from gpusolve.games.wordle.rules import LETTERS, Scoring
from gpusolve.games.wordle.variant import Variant
from gpusolve.games.wordle.wordlist import WordList
from gpusolve.result import HIDDEN, Result, reported, rows, written
from gpusolve.runs.run import Run
from gpusolve.wordlists import Words

KIND = "wordle.groups"
LIGHT = 4
"""Groups of up to this size grow from a pair in milliseconds, so that steps can begin with a full batch of pairs."""
QUADRUPLES_BATCH = 256
"""Number of pairs of the first step of a search for groups of four, which the host does: a pair takes up to 0.1 s."""
PARTS = 16
"""Larger groups are extended in batches smaller by this factor, so that each takes about a second."""
SHORT, LONG = 0.5, 4.0
"""Seconds of a step after which the next one takes more pairs, or fewer."""


@dataclass(frozen=True, eq=False, repr=False)
class Groups(Result, schema="wordle.groups/2"):
    """The groups of answers that no strategy always solves within a number of guesses.

    Attributes
    ----------
    answers : WordList
        All answers.
    size : int
        Number of answers of a group.
    max_guesses : int
        Number of guesses, the right answer included.
    scoring : {"wordle", "presence"}
        The rules of the patterns.
    members : ndarray of int32, shape (groups, size)
        Indices into `answers`, in ascending order within a group.
    seconds : float
        Duration of the search, earlier sessions included.
    complete : bool
        Whether the search was finished, so that there are no other groups.
    """

    answers: WordList = field(metadata=written("_answers"))
    size: int
    max_guesses: int
    scoring: Scoring
    members: npt.NDArray[np.int32] = field(metadata=HIDDEN)
    seconds: float
    complete: bool

    @property
    def _answers(self) -> int:
        return len(self.answers)

    @reported
    def count(self) -> int:
        """Number of groups."""
        return len(self)

    @rows
    def groups(self) -> list[list[str]]:
        """The groups as words."""
        return [[self.answers[i] for i in group] for group in self.members.tolist()]

    def columns(self) -> dict[str, list[str]]:
        """Return the groups as columns, for ``pandas.DataFrame`` and ``polars.DataFrame``.

        Returns
        -------
        dict of str to list
            ``answer 1``, ``answer 2`` and so on.
        """
        return {f"answer {i + 1}": [self.answers[m] for m in self.members[:, i].tolist()] for i in range(self.size)}

    def __len__(self) -> int:
        return len(self.members)

    def __repr__(self) -> str:
        return f"<Groups: {len(self):,} of {self.size} answers not within {self.max_guesses}>"


def groups(
    *,
    size: int = 3,
    max_guesses: int = 2,
    guesses: Words | None = None,
    answers: Words = "wordle-answers",
    scoring: Scoring = "wordle",
    time_limit: float | None = None,
    checkpoint: Path | None = None,
    resume: Path | None = None,
    progress: Callable[[int, int], None] = lambda done, pairs: None,
    backend: Backend | None = None,
) -> Groups:
    """Find groups of answers that defeat every strategy.

    No strategy always solves them within `max_guesses` guesses.

    Parameters
    ----------
    size : int, default 3
        Number of answers in a group, 2 to 6.
    max_guesses : int, default 2
        Number of guesses within which a strategy should solve all answers of a group, 2 to 6.
    guesses : str, Path or iterable of str, optional
        Words that can be guessed: a list's name, or a file with one word per line. By default wordle-guesses and
        the answers, or only the answers if they are not five letters a-z.
    answers : str, Path or iterable of str
        Words that can be hidden: a list's name, or a file with one word per line.
    scoring : {"wordle", "presence"}
        Rules of the patterns. ``presence``: every letter that occurs in the answer and is not green is yellow.
    time_limit : float, optional
        Stop after this many seconds and return the best result so far. Compiling kernels and building tables does not
        count.
    checkpoint : Path, optional
        Save the state of the run to this file from time to time.
    resume : Path, optional
        Continue from this checkpoint.
    progress : callable, optional
        Called with the number of pairs of answers that the search has extended, and with the number of all pairs.
        Larger groups contain smaller ones, which are searched first with a progress of their own.
    backend : Backend, optional
        The device. By default the one that ``GPUSOLVE_DEVICE`` names, or else ``auto``.

    Returns
    -------
    Groups
        The groups, in ascending order.

    Raises
    ------
    BadInput
        If the size or the number of guesses is not from 2 to 6, the words or the checkpoint are wrong, or the scoring
        is unknown.

    Examples
    --------
    ``gpusolve wordle groups``

    >>> groups(answers=["batch", "catch", "hatch", "patch", "crane"], size=4).groups
    [['batch', 'catch', 'hatch', 'patch']]
    """
    size = checks.check_integer("size", size, 2, MOST_WORDS)
    max_guesses = checks.check_integer("max_guesses", max_guesses, 2, MOST_WORDS)
    variant = Variant.load(guesses, answers, scoring=scoring)
    words = len(variant.answers)
    pattern = 1 if variant.length <= LETTERS else 2  # bytes
    checks.check_memory("answers", words, words * (words + 2 * pattern * len(variant.guesses)))
    settings = {
        "size": size,
        "max_guesses": max_guesses,
        "scoring": scoring,
        "guesses": variant.guesses.digest,
        "answers": variant.answers.digest,
    }
    run = Run(KIND, settings, seed=0, checkpoint=checkpoint, resume=resume, time_limit=time_limit)
    stage = _saved_stage(run.state, size, max_guesses, words) if run.state else _first_stage(size, max_guesses)
    backend = open_backend(backend)
    separation = Separation.of(backend, variant.guesses, variant.answers, scoring)
    with run.saved(lambda: stage.state()) as more:  # the stage of the time when it saves
        while True:
            search = _Search(separation, stage)
            while stage.cores_done < len(stage.cores) and more():
                if stage.keep(search.around(stage.cores[stage.cores_done], lambda: run.time_left <= 0), run):
                    stage.cores_done += 1
            complete = stage.cores_done >= len(stage.cores)
            while complete and stage.done < len(search.pairs):
                begin = clock.now()
                complete = more() and stage.advance(search.step(stage.done, stage.triples), run)
                if complete:
                    search.adapt(clock.now() - begin)
                    progress(stage.done, len(search.pairs))
            if not complete or (stage.size, stage.within) == (size, max_guesses):
                break
            stage = stage.after(size, max_guesses)
    members = stage.members if stage.within == max_guesses else np.empty((0, size), np.int32)
    return Groups(variant.answers, size, max_guesses, scoring, members, run.seconds, complete)


class _Part(NamedTuple):
    """Some groups that a step has found, and the pairs and the triples of the next pair that it has done by then."""

    members: npt.NDArray[np.int32]
    done: int
    triples: int


@dataclass
class _Stage:
    """A stage of the search: the groups that it looks for, and how far it is.

    The groups that are asked for contain smaller groups that cannot be solved within one guess less. The smallest of
    these, the cores, are found first, stage by stage.
    """

    size: int
    within: int
    cores: npt.NDArray[np.int32] = field(default_factory=lambda: np.empty((0, 1), np.int32))
    """All of the smallest groups that cannot be solved within one guess less, int32 (groups, words).

    If there are none, the number of columns says up to what size there are none.
    """
    separable_below: int = 3
    """All groups of fewer words than this can be solved within 2 guesses."""
    parts: list[npt.NDArray[np.int32]] = field(default_factory=list)
    """The groups found so far, in arrays of int32 (groups, size)."""
    cores_done: int = 0
    """Number of cores around which all groups have been found."""
    done: int = 0
    """Number of pairs that have been extended."""
    triples: int = 0
    """Number of the triples of the next pair that have been extended; groups larger than LIGHT grow from them."""

    def keep(self, parts: Iterator[npt.NDArray[np.int32]], run: Run) -> bool:
        """Keep the groups of a step; return whether it was finished before the time was up."""
        for members in parts:
            if len(members):
                self.parts.append(members)
            if run.time_left <= 0:
                return False
        return True

    def advance(self, step: Iterator[_Part], run: Run) -> bool:
        """Keep the groups of a step, and how far it is; return whether it was finished before the time was up."""
        for part in step:
            if len(part.members):
                self.parts.append(part.members)
            self.done, self.triples = part.done, part.triples
            if run.time_left <= 0:
                return False
        return True

    @property
    def members(self) -> npt.NDArray[np.int32]:
        """The groups found so far, int32 (groups, size), without repetitions."""
        return np.unique(np.concatenate([np.empty((0, self.size), np.int32), *self.parts]), axis=0)

    def state(self) -> dict[str, Any]:
        """Return the content of a checkpoint."""
        return {
            "size": self.size,
            "within": self.within,
            "cores": self.cores,
            "separable_below": self.separable_below,
            "members": self.members,
            "cores_done": self.cores_done,
            "done": self.done,
            "triples": self.triples,
        }

    def after(self, size: int, within: int) -> _Stage:
        """Return the next stage on the way to groups of `size` for `within` guesses, when this one is finished."""
        members = self.members
        if not len(members) and self.size < size - (within - self.within):
            return _Stage(self.size + 1, self.within, self.cores, self.separable_below)
        separable_below = self.separable_below if self.within > 2 else self.size + (not len(members))
        larger = size if self.within + 1 == within else self.size + 1
        return _Stage(larger, self.within + 1, members, separable_below)


class _Search:
    """The search of one stage: the pairs that it starts from, and the groups that grow from them.

    A guess fails if one of its cells contains a group that cannot be solved within one guess less. If such a group can
    have more than two words, all of the smallest ones, the cores, are known. A group that the stage looks for either
    contains a core and a few more words, or every guess leaves one word more together than a core has. In the latter
    case its words are very close to one another.
    """

    def __init__(self, separation: Separation, stage: _Stage) -> None:
        self._separation, self._size, self._within = separation, stage.size, stage.within
        self._most_pairs = separation.backend.batch(4 * stage.size * separation.words)
        light = stage.size <= LIGHT
        self.batch = self._most_pairs if light else 1
        self._most = self._most_pairs * separation.words // (1 if light else PARTS)
        together = stage.cores.shape[1] + 1
        self._pairs_together = comb(together, 2)
        few = stage.size <= stage.within
        if stage.within > 2:
            # Every guess leaves `together` words together, so it separates at most the other size - together words
            # from them and leaves two of any size - together + 2 words together. But smaller groups can be told apart.
            few |= not len(stage.cores) or stage.size - together + 2 < stage.separable_below
        self.pairs = np.empty((0, 2), np.int32) if few else separation.pairs(self._share(2))
        of_four = (stage.size, stage.within) == (4, 2)
        self._quadruples = Quadruples.of(separation, self.pairs) if of_four and len(self.pairs) else None
        if self._quadruples is not None:
            self.batch = QUADRUPLES_BATCH

    def around(self, core: npt.NDArray[np.int32], stop: Callable[[], bool]) -> Iterator[npt.NDArray[np.int32]]:
        """Yield the groups that contain a core, each in ascending order; none are looked for once `stop` says so."""
        larger = self._separation.supersets(core, self._size, len(core), stop)
        yield np.sort(self._unsolved(larger), axis=1)

    def _share(self, words: int) -> int:
        """Return the closeness that this number of words of a group must have at least."""
        total = self._pairs_together * self._separation.counted
        return -(-total * comb(words, 2) // comb(self._size, 2))

    def adapt(self, seconds: float) -> None:
        """Choose the number of pairs of the next step after one that took this time.

        The groups that grow from one pair can take minutes or a millisecond, and a checkpoint counts whole steps.
        """
        if seconds < SHORT:
            self.batch = min(2 * self.batch, self._most_pairs)
        elif seconds > LONG:
            self.batch = max(self.batch // 2, 1)

    def step(self, done: int, triples: int) -> Iterator[_Part]:
        """Yield the groups that grow from the next batch of pairs, each in ascending order, in parts of any size.

        `triples` of the first pair have been done before. Only groups larger than LIGHT count triples.
        """
        end = min(done + self.batch, len(self.pairs))
        pairs = self._separation.backend.asarray(self.pairs[done:end])
        if self._quadruples is not None:
            members = self._quadruples.around(self.pairs[done:end])
            yield _Part(np.unique(np.sort(members, axis=1), axis=0), done, 0)
        elif self._size <= LIGHT:
            for members, _ in self._grow(pairs):
                yield _Part(np.sort(members, axis=1), done, 0)
        else:
            counts, larger = self._separation.extended(pairs, self._share(3))
            ends = np.cumsum(counts, dtype=np.int64)
            for first, last in self._batches(ends):
                begin = (int(ends[first - 1]) if first else 0) + triples
                for members, rows in self._grow(larger(np.flatnonzero(counts[first:last]) + first)[triples:]):
                    pair = int(np.searchsorted(ends, begin + rows, "right"))
                    before = int(ends[pair - 1]) if pair else 0
                    yield _Part(np.sort(members, axis=1), done + pair, begin + rows - before)
                triples = 0
        yield _Part(np.empty((0, self._size), np.int32), end, 0)

    def _grow(self, groups: Array) -> Iterator[tuple[npt.NDArray[np.int32], int]]:
        """Yield the unsolved groups of the stage's size that grow from smaller groups, depth first.

        With them comes the number of the smaller groups that have been done by then. Empty parts are yielded, too, so
        that the search can be stopped at any of them.
        """
        separation, size = self._separation, groups.shape[1]
        if size == self._size:
            yield self._unsolved(groups), len(groups)
            return
        if size == self._size - 1 and self._within == 2:
            counts, larger = separation.confused(groups, self._share(self._size))
        else:
            counts, larger = separation.extended(groups, self._share(size + 1))
        nothing = np.empty((0, self._size), np.int32)
        yield nothing, 0
        for first, last in self._batches(np.cumsum(counts, dtype=np.int64)):
            for members, _ in self._grow(larger(np.flatnonzero(counts[first:last]) + first)):
                yield members, first
            yield nothing, last
        yield nothing, len(groups)

    def _batches(self, ends: npt.NDArray[np.int64]) -> Iterator[tuple[int, int]]:
        """Yield the first and the last + 1 of groups that are extended at once, as many as the memory allows.

        `ends[i]` larger groups come from the groups up to number i. Groups without larger ones may be left out.
        """
        first = 0
        while first < len(ends):
            before = ends[first - 1] if first else 0
            last = max(first + 1, int(np.searchsorted(ends, before + self._most, "right")))
            if ends[last - 1] > before:
                yield first, last
            first = last

    def _unsolved(self, groups: Array) -> npt.NDArray[np.int32]:
        """Return the groups, on the host, that cannot always be solved within the stage's number of guesses."""
        turns = self._separation.turns(groups)
        return self._separation.backend.to_host(groups)[turns > self._within]


def _first_stage(size: int, within: int) -> _Stage:
    """Return the first stage on the way to groups of `size` for `within` guesses."""
    if size <= within:
        return _Stage(size, within)
    return _Stage(size if within == 2 else 3, 2)


def _saved_stage(state: Fields, size: int, within: int, words: int) -> _Stage:
    """Read the stage that a checkpoint was in. Raises BadInput if it is not on the way to these groups."""
    stage = _Stage(
        size=state.integer("size", 2, size),
        within=state.integer("within", 2, within),
        cores=state.array("cores", np.int32, (None, None), 0, words - 1),
        separable_below=state.integer("separable_below", 3, MOST_WORDS + 1),
        cores_done=state.integer("cores_done", 0, words**MOST_WORDS),
        done=state.integer("done", 0, words * words),
        triples=state.integer("triples", 0, words) if "triples" in state else 0,
    )
    stage.parts.append(state.array("members", np.int32, (None, stage.size), 0, words - 1))
    if stage.cores_done > len(stage.cores):
        raise state.wrong("cores_done", f"at most {len(stage.cores):,}, the number of cores")
    if not 1 <= stage.cores.shape[1] < stage.size or (stage.within == within) != (stage.size == size):
        raise BadInput(f"{state.place}: expected a search on the way to groups of {size} within {within}")
    return stage
