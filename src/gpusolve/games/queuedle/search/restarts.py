"""Several runs of the strategy ``auto`` with different seeds, on any number of workers. The best run counts.

All runs advance together, a turn at a time. A turn of a run is a job, and depends on no other run.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TypeAlias

from gpusolve.backend import Backend
from gpusolve.checks import check_integer
from gpusolve.games.queuedle.positions import Moves
from gpusolve.games.queuedle.puzzles import Puzzle
from gpusolve.games.queuedle.search.auto import MOST_STATES, STATES, Rounds, RunState, load_state, settings_of
from gpusolve.games.queuedle.search.memory import MEMORY
from gpusolve.games.queuedle.search.searches import Solution, Solver
from gpusolve.runs.cluster import open_workers
from gpusolve.runs.run import Run
from gpusolve.runs.seeds import MASK64
from gpusolve.search.space import Progress

MOST_RUNS = 100_000
Job: TypeAlias = tuple[int, RunState]
"""The seed of a run, and its state."""


def best_of_runs(
    solver: Solver,
    *,
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
    """Run `beams_in_rounds` with several seeds, and return the best solution.

    Parameters
    ----------
    solver : Solver
        The puzzle on its device.
    restarts : int
        Number of runs. Their seeds are `seed`, `seed` + 1 ...
    states : int, optional
        The budget of each run in boards scored. None for no such limit.
    memory : int
        MiB that each worker may use.
    workers : int or str
        The processes or the cluster that share the runs (`gpusolve.runs.cluster.open_workers`).
    seed : int, optional
        Seed of the first run; by default that of the resumed runs, or a random one.
    time_limit : float, optional
        Seconds after which no turn is started. A turn that is then under way is abandoned.
    checkpoint, resume : Path, optional
        The file that the states of all runs between two turns are saved to, and the file to continue from.
    progress : callable
        Called after each turn with the number of boards scored and the best score.

    Returns
    -------
    Solution
        The best run's score and moves. `generated` and `rounds` are sums over all runs.

    Raises
    ------
    BadInput
        For values out of range, too little memory, and a checkpoint of other runs.
    """
    restarts = check_integer("restarts", restarts, 1, MOST_RUNS)
    if states is not None:
        states = check_integer("states", states, 1, MOST_STATES)
    budget = MOST_STATES if states is None else states
    run = Run(
        "queuedle.restarts",
        settings_of(solver, memory) | {"restarts": restarts},
        seed=seed,
        checkpoint=checkpoint,
        resume=resume,
        time_limit=time_limit,
    )
    if run.state:
        runs = [load_state(solver, fields) for fields in run.state.objects("runs", restarts)]
    else:
        runs = [RunState()] * restarts
    prepare = partial(_prepare_turn, solver.puzzle, solver.moves, sorted(solver.words), budget, memory)

    def is_over(state: RunState) -> bool:
        return state.proven or state.generated >= budget

    with (
        open_workers(workers, prepare, solver.backend, run=run, progress=progress) as opened,
        run.saved(lambda: {"runs": [asdict(state) for state in runs]}) as more,
    ):
        while not all(map(is_over, runs)):
            left = [number for number, state in enumerate(runs) if not is_over(state)]
            results = opened.results([((run.seed + number) & MASK64, runs[number]) for number in left])
            for number in left:
                if not more():
                    break
                runs[number] = next(results)
                progress(sum(state.generated for state in runs), max(state.score for state in runs))
            else:
                continue
            break
    best = max(runs, key=lambda state: state.score)
    return solver.solution(
        best.score,
        best.moves,
        strategy="auto",
        generated=sum(state.generated for state in runs),
        seconds=run.seconds,
        complete=all(map(is_over, runs)),
        proven=any(state.proven for state in runs),
        seed=run.seed,
        rounds=sum(state.rounds for state in runs),
    )


def _prepare_turn(
    puzzle: Puzzle, moves: Moves, words: list[str], budget: int, memory: int, backend: Backend
) -> Callable[[Job], RunState]:
    """Return a worker's function, which takes a run through the rest of its turn."""
    solver = Solver(puzzle, moves=moves, dictionary=words, backend=backend)

    def finish_turn(job: Job) -> RunState:
        seed, state = job
        rounds = Rounds(solver, seed=seed, memory=memory)
        turn = rounds.plan(state).turn
        while not state.proven and state.generated < budget and rounds.plan(state).turn == turn:
            plan, result = rounds.run(state)
            assert result is not None
            state = state.after(plan, result, solver.bound)
        return state

    return finish_turn
