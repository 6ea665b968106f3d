"""How a Queuedle is solved: by a beam, best-first, or `auto`, the best within a time limit."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from gpusolve.backend import Backend
from gpusolve.errors import BadInput
from gpusolve.games.queuedle.auto import STATES, beams_in_rounds
from gpusolve.games.queuedle.memory import MEMORY
from gpusolve.games.queuedle.restarts import best_of_runs
from gpusolve.games.queuedle.rules import Puzzle
from gpusolve.games.queuedle.searches import (
    BATCH,
    BEAM_HEURISTICS,
    BEST_FIRST_HEURISTICS,
    EXPANDED,
    WIDTH,
    Solution,
    Solver,
)
from gpusolve.search.space import Progress
from gpusolve.wordlists import Words

STRATEGIES = {
    "auto": ("states", "restarts", "memory", "workers", "seed", "checkpoint", "resume"),
    "beam": ("heuristic", "width", "endings", "memory", "seed"),
    "best-first": ("heuristic", "expanded", "batch", "lossy"),
}
"""Strategy -> what can be said about it."""


def solve(
    puzzle: Puzzle,
    dictionary: Words = "scowl-70",
    strategy: Literal["auto", "beam", "best-first"] = "auto",
    heuristic: Literal["score", "score+remaining", "potential"] | None = None,
    width: int | None = None,
    expanded: int | None = None,
    batch: int | None = None,
    lossy: bool = False,
    endings: int | None = None,
    states: int | None = None,
    restarts: int | None = None,
    memory: int | None = None,
    workers: int | str = 1,
    seed: int | None = None,
    time_limit: float | None = None,
    checkpoint: Path | None = None,
    resume: Path | None = None,
    progress: Progress = lambda done, best: None,
    backend: Backend | None = None,
) -> Solution:
    """The best board that can be found, and the slides to it.

    `strategy`: ``auto`` is `beams_in_rounds`, which makes the best of a budget: so many `states` scored, or
    `time_limit` seconds, and with `restarts` is `best_of_runs`, on `workers`; ``beam`` and ``best-first`` are
    `Solver.beam` and `Solver.best_first`, which tell what the rest means. None stands for a default: `states` STATES
    unless there is a time limit, `heuristic` ``score`` for a beam and ``score+remaining`` for best-first, `width`
    WIDTH, `expanded` EXPANDED, `batch` BATCH, `endings` 0, `memory` MEMORY; without a `seed` auto takes a random one,
    and a beam breaks no tie at random. `progress` is told the states scored, by best-first those taken, and the best
    score so far. Raises BadInput for what does not apply to the strategy, and for numbers out of range.

    >>> from gpusolve.games.queuedle import parse_puzzle
    >>> puzzle = parse_puzzle("fndoi/eedgr/aadqs/oeilx/eyatg", "aikiueieexuatov")
    >>> solve(puzzle, strategy="beam", width=1000).score
    73
    """
    given = {
        "heuristic": heuristic, "width": width, "expanded": expanded, "batch": batch, "lossy": lossy or None,
        "endings": endings, "states": states, "restarts": restarts, "memory": memory,
        "workers": None if workers in (1, "1") else workers, "seed": seed, "checkpoint": checkpoint, "resume": resume,
    }  # fmt: skip
    if strategy not in STRATEGIES:
        raise BadInput(f"strategy {strategy}: expected auto, beam or best-first")
    for name, value in given.items():
        if value is not None and name not in STRATEGIES[strategy]:
            fitting = " or ".join(other for other, names in STRATEGIES.items() if name in names)
            raise BadInput(f"{name}: expected with strategy {fitting}, not {strategy}")
    solver = Solver(puzzle, dictionary, backend)
    mib = MEMORY if memory is None else memory
    if strategy == "auto":
        budget = STATES if states is None and time_limit is None else states
        if restarts is not None:
            return best_of_runs(solver, restarts, budget, mib, workers, seed, time_limit, checkpoint, resume, progress)
        if given["workers"] is not None:
            raise BadInput(f"workers {workers}: expected with restarts, which are what they share")
        return beams_in_rounds(solver, budget, mib, seed, time_limit, checkpoint, resume, progress)
    seconds = float("inf") if time_limit is None else time_limit
    if strategy == "beam":
        return solver.beam(
            WIDTH if width is None else width,
            BEAM_HEURISTICS[0] if heuristic is None else heuristic,
            mib,
            seed,
            0 if endings is None else endings,
            seconds,
            progress,
        )
    return solver.best_first(
        BEST_FIRST_HEURISTICS[0] if heuristic is None else heuristic,
        EXPANDED if expanded is None else expanded,
        BATCH if batch is None else batch,
        lossy,
        seconds,
        progress,
    )
