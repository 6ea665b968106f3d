"""Restarts: several runs of ``auto``, in this process and on workers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from games.queuedle.oracle import CPU, LONG, WORDS, checked, outcome
from gpusolve.errors import BadInput
from gpusolve.games.queuedle import solve
from gpusolve.games.queuedle.search.auto import beams_in_rounds
from gpusolve.games.queuedle.search.restarts import best_of_runs
from gpusolve.games.queuedle.search.searches import Solver
from gpusolve.runs import checkpoint


def test_restarts_equal_the_runs_of_their_seeds(long: Solver, tmp_path: Path) -> None:
    file = tmp_path / "runs.ckpt"
    alone = [checked(long, beams_in_rounds(long, states=2_000_000, seed=seed)) for seed in (3, 4, 5)]
    reports: list[tuple[int, int]] = []
    whole = solve(
        LONG,
        dictionary=WORDS,
        restarts=3,
        states=2_000_000,
        seed=3,
        progress=lambda *so_far: reports.append(so_far),
        backend=CPU,
    )
    best = max(alone, key=lambda solution: solution.score)
    assert (whole.score, whole.moves, whole.seed, whole.complete) == (best.score, best.moves, 3, True)
    assert (whole.generated, whole.rounds) == tuple(
        sum(getattr(solution, name) for solution in alone) for name in ("generated", "rounds")
    )
    assert reports == sorted(reports)
    cut = best_of_runs(long, restarts=3, states=2_000_000, seed=3, time_limit=0, checkpoint=file)
    assert (cut.complete, cut.rounds) == (False, 1)
    again = best_of_runs(long, restarts=3, states=2_000_000, workers=2, resume=file)
    assert (outcome(again), again.rounds) == (outcome(whole), whole.rounds)
    with pytest.raises(BadInput, match="made with restarts 3, not with 2"):
        best_of_runs(long, restarts=2, resume=file)
    settings, _ = checkpoint.load(file, "queuedle.restarts")
    wrong: list[Any] = [[{}], "xyz", [{}, {}, 5], [{}, {}, {"score": 9}]]
    for runs in wrong:
        checkpoint.save(file, "queuedle.restarts", dict(settings.values), {"runs": runs, "seconds": 1})
        with pytest.raises(BadInput, match=r"checkpoint .*runs\.ckpt: damaged: .*runs"):
            best_of_runs(long, restarts=3, resume=file)


@pytest.mark.parametrize("restarts", [0, -1, 1.5, "2", True])
def test_an_invalid_number_of_restarts_is_refused(restarts: Any) -> None:
    with pytest.raises(BadInput, match=f"restarts {restarts}: expected a whole number"):
        solve(LONG, dictionary=WORDS, restarts=restarts, backend=CPU)


def test_progress_is_given_the_workers_to_watch(long: Solver) -> None:
    class Watcher:
        """A progress callback that remembers the workers, as a progress bar does."""

        workers = ""

        def __call__(self, done: int, best: int) -> None:
            pass

        def watch(self, workers: object) -> None:
            self.workers = str(workers)

    watcher = Watcher()
    best_of_runs(long, restarts=2, states=1, seed=3, workers=2, progress=watcher)
    assert watcher.workers.startswith("2 workers")
