"""Comparisons of next guesses. Each guess is a job, or each of its cells is; threads or workers do the jobs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Backend
from gpusolve.fields import Fields
from gpusolve.games.wordle.proof.kernels import start_bounds
from gpusolve.games.wordle.proof.position import Job, Position
from gpusolve.games.wordle.proof.searchers import NumberedJob, Searchers
from gpusolve.games.wordle.rules import LETTERS
from gpusolve.result import Result
from gpusolve.runs.run import Run

MOST_TURNS = 98
"""Largest limit on the number of guesses."""


@dataclass(frozen=True, repr=False)
class Start(Result):
    """A next guess and its value with best play after it.

    Attributes
    ----------
    guess : str
        The guess.
    value : int
        The minimum total of guesses over all answers, this guess included. With weights, the guesses of each answer
        are multiplied by its weight. Where the worst case counts: the minimum
        number of guesses within which every answer is found.
    proven : bool
        Whether the value is proven. Otherwise it is that of the best strategy found in the time or with the width.
    """

    guess: str
    value: int
    proven: bool


class Comparison(NamedTuple):
    """The result of comparing next guesses: the best ones, and whether all were compared."""

    starts: list[Start]
    complete: bool


@dataclass(frozen=True, repr=False)
class Progress(Result):
    """The progress of a search.

    Attributes
    ----------
    done, of : int
        Jobs done, and jobs in all.
    best : int or None
        The best value so far; None if there is none yet.
    states : int
        States met so far.
    """

    done: int
    of: int
    best: int | None
    states: int


@dataclass(frozen=True)
class Comparer:
    """What every comparison of next guesses needs.

    Attributes
    ----------
    searchers : Searchers
        The threads or workers that do the jobs, with the position.
    run : Run
        The run that saves the comparison and limits its time.
    state : Fields
        The saved state to continue from; empty for a new comparison.
    report : callable
        Called with the `Progress` between jobs.
    backend : Backend
        The device that computes bounds.
    keeps_limit : int
        A guess that is known to keep the limit on the number of guesses; -1 if none is known. It is saved, because the
        strategy begins with it if the time is up before a total is known.
    """

    searchers: Searchers
    run: Run
    state: Fields
    report: Callable[[Progress], None]
    backend: Backend
    keeps_limit: int = -1

    @property
    def position(self) -> Position:
        """The position whose next guesses are compared."""
        return self.searchers.position

    @property
    def _dtype(self) -> npt.DTypeLike:
        """The type of totals: checkpoints without weights have 32 bits for each."""
        return np.int32 if self.position.weights is None else np.int64

    def rank_by_total(self, chosen: list[int], *, count: int, turns: int) -> Comparison:
        """Find the `count` chosen guesses with the least totals, exactly and in order.

        The result of a job depends only on the guess and on the total to beat, which is that of guess number `count`
        so far. A GPU first computes lower bounds for all guesses, so that most of them need no search.
        """
        position = self.position
        low = self._saved("low", len(chosen), self._dtype, most=position.never)
        exact, done = (self._saved(name, len(chosen), np.bool_) for name in ("exact", "done"))
        if (exact & ~done).any():
            raise self.state.wrong("exact", "true only for first words that are done")

        bounds = np.zeros(len(chosen), np.int64)
        if self.backend is not self.backend.host and position.weights is None and position.length == LETTERS:
            bounds = start_bounds(
                self.backend,
                position.guesses.terms,
                position.answers.letters,
                patterns=position.patterns,
                chosen=chosen,
                scoring=position.variant.scoring,
            )
        betas = np.zeros(len(chosen), np.int64)

        def jobs(numbers: npt.NDArray[np.intp]) -> Iterator[NumberedJob]:
            for i in numbers.tolist():
                totals = np.sort(low[exact])
                betas[i] = int(totals[count - 1]) + 1 if len(totals) >= count else position.never
                if bounds[i] >= betas[i]:
                    low[i], done[i] = bounds[i], True
                else:
                    yield i, Job(chosen[i], -1, turns, int(betas[i]))

        with self.run.saved(lambda: self._for_total(turns, low=low, exact=exact, done=done)) as more:

            def tick() -> bool:
                best_yet = int(low[exact].min()) if exact.any() else None
                self.report(Progress(int(done.sum()), len(chosen), best_yet, position.states))
                return more()

            batch = np.flatnonzero(~done)[:0]
            while done[batch].all() and not done.all():
                # Without a total to beat, a bad guess takes hours: until `count` totals are known, only as many
                # guesses as are missing are started at a time.
                missing = count - int(exact.sum())
                batch = np.flatnonzero(~done)[: missing if missing > 0 else None]
                for i, total in self.searchers.each(jobs(batch), tick):
                    low[i], exact[i], done[i] = min(total, position.never), total < betas[i], True
        ranked = sorted((int(low[i]), position.guesses[chosen[i]]) for i in np.flatnonzero(exact))
        return Comparison([Start(word, total, position.exact) for total, word in ranked[:count]], bool(done.all()))

    def total_after(self, guess: int, *, turns: int) -> Comparison:
        """Find the least total after a guess; its cells are the jobs, the largest first."""
        position = self.position
        codes = _cells(position, guess)
        low = self._saved("low", len(codes), self._dtype, most=position.never)
        # Only answers of weight 0 have a total of 0.
        done = low > 0 if position.weights is None else self._saved("done", len(codes), np.bool_)
        saved = {"low": low} if position.weights is None else {"low": low, "done": done}
        jobs = ((i, Job(guess, codes[i], turns, position.never)) for i in np.flatnonzero(~done).tolist())
        with self.run.saved(lambda: self._for_total(turns, **saved)) as more:

            def tick() -> bool:
                self.report(Progress(int(done.sum()), len(low), None, position.states))
                return more() and low.max(initial=0) < position.never

            for i, total in self.searchers.each(jobs, tick):
                low[i], done[i] = total, True
        total = position.mass + int(low.sum())
        if total >= position.never:
            return Comparison([], complete=True)
        complete = bool(done.all())
        return Comparison([Start(position.guesses[guess], total, position.exact)] if complete else [], complete)

    def least_total(self, *, turns: int) -> Comparison:
        """Find the guess with the least total of all, in one job. This is for positions with few answers."""
        position = self.position
        everything = np.arange(len(position.answers))
        with self.run.saved(lambda: self._for_total(turns)) as more:
            for total, guess in position.each(iter([lambda: position.cost(everything, turns=turns)]), more):
                self.report(Progress(1, 1, total, position.states))
                start = Start(position.guesses[guess], total, position.exact)
                return Comparison([start] if total < position.never else [], complete=True)
        return Comparison([], complete=False)

    def fewest_turns(self, chosen: list[int], *, most: int, first_only: bool) -> Comparison:
        """Find the smallest number of turns within which a chosen guess finds every answer, and all guesses that do.

        No more than `most` turns are tried. `first_only` stops at the first of these guesses. Each guess is a job; if
        only one guess is chosen, each of its cells is a job, the largest first.
        """
        if len(chosen) == 1:
            return self._fewest_turns_after(chosen[0], most=most)
        position = self.position
        limit = self._saved_turns() or 1
        solves, done = (self._saved(name, len(chosen), np.bool_) for name in ("solves", "done"))
        with self.run.saved(lambda: {"turns": limit, "solves": solves, "done": done}) as more:

            def tick() -> bool:
                self.report(Progress(int(done.sum()), len(chosen), limit if solves.any() else None, position.states))
                return more() and not (first_only and solves.any())

            while True:
                jobs = ((i, Job(chosen[i], -1, limit, 0)) for i in np.flatnonzero(~done).tolist())
                for i, solved in self.searchers.each(jobs, tick):
                    solves[i], done[i] = solved, True
                if solves.any() or not done.all() or limit == most:
                    break
                limit += 1
                done[:] = False
        starts = [Start(position.guesses[chosen[i]], limit, proven=True) for i in np.flatnonzero(solves).tolist()]
        return Comparison(starts, bool(done.all() or (first_only and starts)))

    def _fewest_turns_after(self, guess: int, *, most: int) -> Comparison:
        """Find the smallest number of turns within which every answer can be found after a guess, up to `most`."""
        position = self.position
        codes = _cells(position, guess)
        limit, fails = self._saved_turns() or 1, False
        done = self._saved("done", len(codes), np.bool_)
        with self.run.saved(lambda: {"turns": limit, "done": done}) as more:

            def tick() -> bool:
                self.report(Progress(int(done.sum()), len(codes), None, position.states))
                return more() and not fails

            while True:
                jobs = ((i, Job(guess, codes[i], limit, 0)) for i in np.flatnonzero(~done).tolist())
                for i, solved in self.searchers.each(jobs, tick):
                    done[i], fails = solved, fails or not solved
                if not fails or limit == most:
                    break
                limit, fails = limit + 1, False
                done[:] = False
        complete = bool(done.all())
        return Comparison([Start(position.guesses[guess], limit, proven=True)] if complete else [], complete or fails)

    def _saved(self, name: str, count: int, dtype: npt.DTypeLike, *, most: int = 1) -> npt.NDArray[Any]:
        """Return the saved array with this name, one element for each job; zeros for a new comparison."""
        if not self.state:
            return np.zeros(count, dtype)
        return self.state.array(name, dtype, (count,), 0, most)

    def _for_total(self, turns: int, **arrays: npt.NDArray[Any]) -> dict[str, Any]:
        """Return the state to save while totals are compared."""
        return {"within": turns, "keeps_limit": self.keeps_limit, **arrays}

    def _saved_turns(self) -> int | None:
        """Return the saved limit on the number of guesses; None for a new comparison."""
        return self.state.integer("turns", 1, MOST_TURNS) if self.state else None


def _cells(position: Position, guess: int) -> list[int]:
    """Return the patterns that a guess can get, except five greens; those that leave the most answers come first."""
    cells = position.cells(guess, np.arange(len(position.answers)))
    return sorted(cells, key=lambda code: -len(cells[code]))
