"""Next guesses compared: each is a job, or each of its cells is; other threads may take any of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Backend
from gpusolve.errors import BadInput
from gpusolve.games.wordle.bounds import start_bounds
from gpusolve.games.wordle.descent import NEVER
from gpusolve.games.wordle.position import Position
from gpusolve.run import Run

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
    position: Position, chosen: list[int], best: int, turns: int, run: Run, tell: Tell, backend: Backend
) -> tuple[list[Start], bool]:
    """The `best` so many of the chosen guesses, exactly and in order; whether all were compared.

    What a job gives depends on the guess and the total to beat alone: that of the last of the `best` so far. A GPU
    finds the bounds of all guesses first, so that most need no search.
    """
    rows = {"low": np.int32, "exact": np.bool_, "done": np.bool_}
    low, exact, done = (_row(run, name, len(chosen), kind) for name, kind in rows.items())

    bounds = np.zeros(len(chosen), np.int64)
    if backend.xp is not np:
        words, scoring = position.guesses.terms, position.variant.scoring
        bounds = start_bounds(backend, words, position.answers.letters, position.patterns, chosen, scoring)

    def to_beat() -> int:
        found = np.sort(low[exact])
        return int(found[best - 1]) + 1 if len(found) >= best else NEVER

    def jobs(some: npt.NDArray[np.intp]) -> Iterator[Callable[[], tuple[int, int, int]]]:
        for i in some.tolist():
            beta = to_beat()
            if bounds[i] >= beta:
                low[i], done[i] = bounds[i], True
            else:
                yield lambda i=i, beta=beta: (i, beta, position.cost_after(chosen[i], turns, beta))  # type: ignore[misc]

    with run.saved(lambda: {"low": low, "exact": exact, "done": done}) as more:

        def tick() -> bool:
            best_yet = int(low[exact].min()) if exact.any() else None
            tell(Progress(int(done.sum()), len(chosen), best_yet, position.states))
            return more()

        some = np.flatnonzero(~done)[:0]
        while done[some].all() and not done.all():
            # Without a total to beat a bad guess takes hours: none is begun before so many are known.
            missing = best - int(exact.sum())
            some = np.flatnonzero(~done)[: missing if missing > 0 else None]
            for i, beta, total in position.each(jobs(some), tick):
                low[i], exact[i], done[i] = min(total, NEVER), total < beta, True
    ranked = sorted((int(low[i]), position.guesses[chosen[i]]) for i in np.flatnonzero(exact))
    return [Start(word, total) for total, word in ranked[:best]], bool(done.all())


def total_of(position: Position, guess: int, turns: int, run: Run, tell: Tell) -> tuple[list[Start], bool]:
    """The same for one guess; its cells are the jobs, the largest first."""
    cells = sorted(position.cells(guess, np.arange(len(position.answers))).items(), key=lambda cell: -len(cell[1]))
    low = _row(run, "low", len(cells), np.int32)

    def jobs() -> Iterator[Callable[[], tuple[int, int]]]:
        for i in np.flatnonzero(low == 0).tolist():
            code, cell = cells[i]
            yield lambda i=i, code=code, cell=cell: (i, position.cost(cell, turns - 1, via=(guess, code))[0])  # type: ignore[misc]

    with run.saved(lambda: {"low": low}) as more:

        def tick() -> bool:
            tell(Progress(int((low > 0).sum()), len(low), None, position.states))
            return more() and low.max(initial=0) < NEVER

        for i, total in position.each(jobs(), tick):
            low[i] = total
    total = len(position.answers) + int(low.sum())
    if total >= NEVER:
        return [], True
    done = bool(low.all())
    return [Start(position.guesses[guess], total)] if done else [], done


def least_at_all(position: Position, turns: int, run: Run, tell: Tell) -> tuple[list[Start], bool]:
    """The same for a position with few answers, as one job."""
    everything = np.arange(len(position.answers))
    with run.saved(dict) as more:
        for total, guess in position.each(iter([lambda: position.cost(everything, turns)]), more):
            tell(Progress(1, 1, total, position.states))
            return [Start(position.guesses[guess], total)] if total < NEVER else [], True
    return [], False


def least_turns(
    position: Position, chosen: list[int] | None, turns: int | None, run: Run, tell: Tell
) -> tuple[list[Start], bool]:
    """The guesses after which every answer is found within `turns`; None: within the fewest in which any does that.

    `chosen`: the guesses that are asked, all of them; None: one that does is enough. Of a single guess each cell is a
    job, the largest first.
    """
    if chosen is not None and len(chosen) == 1:
        return _least_turns_after(position, chosen[0], turns, run, tell)
    count = 1 if chosen is None else len(chosen)
    limit = _turns(run) or turns or 1
    guesses, done = _row(run, "guesses", count, np.int32), _row(run, "done", count, np.bool_)

    def job(i: int) -> tuple[int, int]:
        if chosen is None:
            found, guess = position.solvable(np.arange(len(position.answers)), limit)
            return i, guess + 1 if found else 0
        return i, chosen[i] + 1 if position.solvable_after(chosen[i], limit) else 0

    with run.saved(lambda: {"turns": limit, "guesses": guesses, "done": done}) as more:

        def tick() -> bool:
            tell(Progress(int(done.sum()), count, limit if guesses.any() else None, position.states))
            return more()

        while True:
            jobs: Iterator[Callable[[], tuple[int, int]]] = (
                lambda i=i: job(i) for i in np.flatnonzero(~done).tolist()  # type: ignore[misc]
            )  # fmt: skip
            for i, found in position.each(jobs, tick):
                guesses[i], done[i] = found, True
            if guesses.any() or not done.all() or turns is not None or limit == MOST_TURNS:
                break
            limit += 1
            done[:] = False
    return [Start(position.guesses[guess - 1], limit) for guess in guesses[guesses > 0].tolist()], bool(done.all())


def _least_turns_after(
    position: Position, guess: int, turns: int | None, run: Run, tell: Tell
) -> tuple[list[Start], bool]:
    cells = sorted(position.cells(guess, np.arange(len(position.answers))).items(), key=lambda cell: -len(cell[1]))
    limit, fails = _turns(run) or turns or 1, False
    done = _row(run, "done", len(cells), np.bool_)

    def job(i: int) -> tuple[int, bool]:
        code, cell = cells[i]
        return i, position.solvable(cell, limit - 1, (guess, code))[0]

    with run.saved(lambda: {"turns": limit, "done": done}) as more:

        def tick() -> bool:
            tell(Progress(int(done.sum()), len(cells), None, position.states))
            return more() and not fails

        while True:
            jobs: Iterator[Callable[[], tuple[int, bool]]] = (
                lambda i=i: job(i) for i in np.flatnonzero(~done).tolist()  # type: ignore[misc]
            )  # fmt: skip
            for i, solved in position.each(jobs, tick):
                done[i], fails = solved, fails or not solved
            if not fails or turns is not None or limit == MOST_TURNS:
                break
            limit, fails = limit + 1, False
            done[:] = False
    complete = bool(done.all())
    return [Start(position.guesses[guess], limit)] if complete else [], complete or fails


def best_totals(position: Position, count: int, turns: int) -> dict[int, int]:
    """The `count` best guesses and their fewest guesses over all answers, all found within `turns`; where few remain.

    Guesses that cannot be among them by their number of patterns alone are not searched.
    """
    found: dict[int, int] = {}
    part, beta = position.table.partition, NEVER
    bounds = 3 * len(position.answers) - part.patterns[0] - part.contains[0]
    for guess in np.argsort(bounds, kind="stable").tolist():
        if bounds[guess] >= beta:
            break
        total = position.cost_after(guess, turns, beta)
        if total < beta:
            found[guess] = total
            beta = sorted(found.values())[count - 1] + 1 if len(found) >= count else NEVER
    return found


def _row(run: Run, name: str, count: int, kind: type[np.generic]) -> npt.NDArray[Any]:
    """What the checkpoint has under a name; zeros for a run that begins."""
    if not run.state:
        return np.zeros(count, kind)
    row = run.state.get(name)
    if not isinstance(row, np.ndarray) or row.shape != (count,) or row.dtype != kind:
        raise BadInput(f"checkpoint: damaged: expected {name} of {count:,} jobs")
    return row


def _turns(run: Run) -> int | None:
    turns = run.state.get("turns")
    if turns is not None and (type(turns) is not int or not 1 <= turns <= MOST_TURNS):
        raise BadInput(f"checkpoint: damaged: expected turns from 1 to {MOST_TURNS}")
    return turns
