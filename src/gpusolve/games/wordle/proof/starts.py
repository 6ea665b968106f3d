"""Next guesses compared: each is a job, or each of its cells is; other threads or workers may take any of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Backend
from gpusolve.errors import BadInput
from gpusolve.games.wordle.proof.descent import NEVER
from gpusolve.games.wordle.proof.kernels import start_bounds
from gpusolve.games.wordle.proof.position import Job, Position
from gpusolve.games.wordle.proof.searchers import Numbered, Searchers
from gpusolve.runs.run import Run

MOST_TURNS = 98


class Start(NamedTuple):
    """A next guess and what follows from it at best, itself included.

    `value`: the fewest guesses over all answers; where the worst case counts, the fewest within which all are found.
    """

    guess: str
    value: int


@dataclass(frozen=True)
class Progress:
    """How far a search is: `done` of so many jobs, the best value so far (None: none yet), states met."""

    done: int
    of: int
    best: int | None
    states: int


Tell = Callable[[Progress], None]


def least_total(
    searchers: Searchers, chosen: list[int], best: int, turns: int, run: Run, tell: Tell, backend: Backend
) -> tuple[list[Start], bool]:
    """The `best` so many of the chosen guesses, exactly and in order; whether all were compared.

    What a job gives depends on the guess and the total to beat alone: that of the last of the `best` so far. A GPU
    finds the bounds of all guesses first, so that most need no search.
    """
    position = searchers.position
    rows = {"low": np.int32, "exact": np.bool_, "done": np.bool_}
    low, exact, done = (_row(run, name, len(chosen), kind) for name, kind in rows.items())

    bounds = np.zeros(len(chosen), np.int64)
    if backend.xp is not np:
        words, scoring = position.guesses.terms, position.variant.scoring
        bounds = start_bounds(backend, words, position.answers.letters, position.patterns, chosen, scoring)
    betas = np.zeros(len(chosen), np.int64)

    def jobs(some: npt.NDArray[np.intp]) -> Iterator[Numbered]:
        for i in some.tolist():
            found = np.sort(low[exact])
            betas[i] = int(found[best - 1]) + 1 if len(found) >= best else NEVER
            if bounds[i] >= betas[i]:
                low[i], done[i] = bounds[i], True
            else:
                yield i, Job(chosen[i], -1, turns, int(betas[i]))

    with run.saved(lambda: {"within": turns, "low": low, "exact": exact, "done": done}) as more:

        def tick() -> bool:
            best_yet = int(low[exact].min()) if exact.any() else None
            tell(Progress(int(done.sum()), len(chosen), best_yet, searchers.position.states))
            return more()

        some = np.flatnonzero(~done)[:0]
        while done[some].all() and not done.all():
            # Without a total to beat a bad guess takes hours: none is begun before so many are known.
            missing = best - int(exact.sum())
            some = np.flatnonzero(~done)[: missing if missing > 0 else None]
            for i, total in searchers.each(jobs(some), tick):
                low[i], exact[i], done[i] = min(total, NEVER), total < betas[i], True
    ranked = sorted((int(low[i]), position.guesses[chosen[i]]) for i in np.flatnonzero(exact))
    return [Start(word, total) for total, word in ranked[:best]], bool(done.all())


def total_of(searchers: Searchers, guess: int, turns: int, run: Run, tell: Tell) -> tuple[list[Start], bool]:
    """The same for one guess; its cells are the jobs, the largest first."""
    position = searchers.position
    codes = _cells(position, guess)
    low = _row(run, "low", len(codes), np.int32)
    jobs = ((i, Job(guess, codes[i], turns, NEVER)) for i in np.flatnonzero(low == 0).tolist())
    with run.saved(lambda: {"within": turns, "low": low}) as more:

        def tick() -> bool:
            tell(Progress(int((low > 0).sum()), len(low), None, searchers.position.states))
            return more() and low.max(initial=0) < NEVER

        for i, total in searchers.each(jobs, tick):
            low[i] = total
    total = len(position.answers) + int(low.sum())
    if total >= NEVER:
        return [], True
    done = bool(low.all())
    return [Start(position.guesses[guess], total)] if done else [], done


def least_at_all(position: Position, turns: int, run: Run, tell: Tell) -> tuple[list[Start], bool]:
    """The same for a position with few answers, as one job."""
    everything = np.arange(len(position.answers))
    with run.saved(lambda: {"within": turns}) as more:
        for total, guess in position.each(iter([lambda: position.cost(everything, turns)]), more):
            tell(Progress(1, 1, total, position.states))
            return [Start(position.guesses[guess], total)] if total < NEVER else [], True
    return [], False


def least_turns(
    searchers: Searchers, chosen: list[int] | None, turns: int | None, one: bool, run: Run, tell: Tell
) -> tuple[list[Start], bool]:
    """The guesses after which every answer is found within `turns`; None: within the fewest in which any does that.

    `chosen`: the guesses that are asked, all of them, or until `one` does; None: any that does is enough. Of a single
    guess each cell is a job, the largest first.
    """
    if chosen is not None and len(chosen) == 1:
        return _least_turns_after(searchers, chosen[0], turns, run, tell)
    position = searchers.position
    count = 1 if chosen is None else len(chosen)
    limit = turns_of(run, "turns") or turns or 1
    guesses, done = _row(run, "guesses", count, np.int32), _row(run, "done", count, np.bool_)

    def results(tick: Callable[[], bool]) -> Iterator[tuple[int, int]]:
        if chosen is not None:
            jobs = ((i, Job(chosen[i], -1, limit, 0)) for i in np.flatnonzero(~done).tolist())
            for i, found in searchers.each(jobs, tick):
                yield i, chosen[i] + 1 if found else 0
        elif not done[0]:
            everything = np.arange(len(position.answers))
            for found, guess in position.each(iter([lambda: position.solvable(everything, limit)]), tick):
                yield 0, guess + 1 if found else 0

    with run.saved(lambda: {"turns": limit, "guesses": guesses, "done": done}) as more:

        def tick() -> bool:
            tell(Progress(int(done.sum()), count, limit if guesses.any() else None, searchers.position.states))
            return more() and not (one and guesses.any())

        while True:
            for i, found in results(tick):
                guesses[i], done[i] = found, True
            if guesses.any() or not done.all() or turns is not None or limit == MOST_TURNS:
                break
            limit += 1
            done[:] = False
    starts = [Start(position.guesses[guess - 1], limit) for guess in guesses[guesses > 0].tolist()]
    return starts, bool(done.all() or (one and starts))


def _least_turns_after(
    searchers: Searchers, guess: int, turns: int | None, run: Run, tell: Tell
) -> tuple[list[Start], bool]:
    codes = _cells(searchers.position, guess)
    limit, fails = turns_of(run, "turns") or turns or 1, False
    done = _row(run, "done", len(codes), np.bool_)
    with run.saved(lambda: {"turns": limit, "done": done}) as more:

        def tick() -> bool:
            tell(Progress(int(done.sum()), len(codes), None, searchers.position.states))
            return more() and not fails

        while True:
            jobs = ((i, Job(guess, codes[i], limit, 0)) for i in np.flatnonzero(~done).tolist())
            for i, solved in searchers.each(jobs, tick):
                done[i], fails = solved, fails or not solved
            if not fails or turns is not None or limit == MOST_TURNS:
                break
            limit, fails = limit + 1, False
            done[:] = False
    complete = bool(done.all())
    return [Start(searchers.position.guesses[guess], limit)] if complete else [], complete or fails


def _cells(position: Position, guess: int) -> list[int]:
    """The patterns that a guess may get, but for five greens, those that leave the most answers first."""
    cells = position.cells(guess, np.arange(len(position.answers)))
    return sorted(cells, key=lambda code: -len(cells[code]))


def _row(run: Run, name: str, count: int, kind: type[np.generic]) -> npt.NDArray[Any]:
    """What the checkpoint has under a name; zeros for a run that begins."""
    if not run.state:
        return np.zeros(count, kind)
    row = run.state.get(name)
    if not isinstance(row, np.ndarray) or row.shape != (count,) or row.dtype != kind:
        raise BadInput(f"checkpoint: damaged: expected {name} of {count:,} jobs")
    return row


def turns_of(run: Run, name: str) -> int | None:
    """The turns that the checkpoint has under a name; None: it has none."""
    turns = run.state.get(name)
    if turns is not None and (type(turns) is not int or not 1 <= turns <= MOST_TURNS):
        raise BadInput(f"checkpoint: damaged: expected turns from 1 to {MOST_TURNS}")
    return turns
