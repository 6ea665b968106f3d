"""Several runs of `auto` with seeds of their own, on as many workers as there are: the best of them counts.

The runs go on in step, a turn at a time; a turn of one run is a job. What a run does depends on no other.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TypeAlias

from gpusolve.backend import Backend
from gpusolve.checks import check_integer
from gpusolve.errors import BadInput
from gpusolve.games.queuedle.auto import MOST_STATES, STATES, Reached, Rounds, restored, settings_of
from gpusolve.games.queuedle.memory import MEMORY
from gpusolve.games.queuedle.rules import Puzzle
from gpusolve.games.queuedle.searches import Solution, Solver
from gpusolve.runs.cluster import open_workers
from gpusolve.runs.run import Run
from gpusolve.runs.seeds import MASK64
from gpusolve.search.space import Progress

MOST_RUNS = 100_000
Job: TypeAlias = tuple[int, Reached]
"""A run's seed and what it has come to."""


def best_of_runs(
    solver: Solver,
    restarts: int,
    states: int | None = STATES,
    memory: int = MEMORY,
    workers: int | str = 1,
    seed: int | None = None,
    time_limit: float | None = None,
    checkpoint: Path | None = None,
    resume: Path | None = None,
    progress: Progress = lambda generated, best: None,
) -> Solution:
    """The best that `beams_in_rounds` finds with the seeds `seed`, `seed` + 1, ..., so many of them.

    Each has so many `states`, and each worker so much `memory`. No turn begins after `time_limit`, and one that a
    worker is at is given up. `open_workers` tells of `workers`, `Run` of `seed`, `checkpoint` and `resume`; what is
    saved is where each run stands between two turns. Raises BadInput for what `beams_in_rounds` does.
    """
    check_integer("restarts", restarts, 1, MOST_RUNS)
    if states is not None:
        check_integer("states", states, 1, MOST_STATES)
    budget = MOST_STATES if states is None else states
    run = Run(
        "queuedle.restarts", settings_of(solver, memory) | {"restarts": restarts}, seed, checkpoint, resume, time_limit
    )
    before = run.state.get("runs", [{}] * restarts) if resume is None else run.state.get("runs")
    if not isinstance(before, list) or len(before) != restarts or not all(isinstance(one, dict) for one in before):
        raise BadInput(f"checkpoint {resume}: damaged: expected {restarts} runs")
    runs = [restored(solver, one, resume) for one in before]
    prepare = partial(_running, solver.puzzle, sorted(solver.words), budget, memory)

    def is_over(reached: Reached) -> bool:
        return reached.proven or reached.generated >= budget

    with (
        open_workers(workers, prepare, solver.backend, run=run, progress=progress) as those,
        run.saved(lambda: {"runs": [asdict(one) for one in runs]}) as more,
    ):
        while not all(map(is_over, runs)):
            left = [number for number, reached in enumerate(runs) if not is_over(reached)]
            results = those.results([((run.seed + number) & MASK64, runs[number]) for number in left])
            for number in left:
                if not more():
                    break
                runs[number] = next(results)
                progress(sum(one.generated for one in runs), max(one.score for one in runs))
            else:
                continue
            break
    best = max(runs, key=lambda one: one.score)
    generated, rounds = sum(one.generated for one in runs), sum(one.rounds for one in runs)
    proven, complete = any(one.proven for one in runs), all(map(is_over, runs))
    return Solution(best.score, best.moves, "auto", generated, run.seconds, complete, proven, run.seed, rounds)


def _running(puzzle: Puzzle, words: list[str], budget: int, memory: int, backend: Backend) -> Callable[[Job], Reached]:
    """What takes a run through the rest of a turn."""
    solver = Solver(puzzle, words, backend)

    def turn(job: Job) -> Reached:
        seed, reached = job
        rounds = Rounds(solver, seed, memory)
        number = rounds.next(reached).turn
        while not reached.proven and reached.generated < budget and rounds.next(reached).turn == number:
            this, found = rounds.run(reached)
            assert found is not None
            reached = reached.after(this, found)
        return reached

    return turn
