"""The command ``solve``: the best board by a beam, best-first search, or ``auto``, which makes the most of a budget."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Literal

from gpusolve.backend import Backend
from gpusolve.checks import check_choice
from gpusolve.errors import BadInput, WrongSolution
from gpusolve.games.queuedle.auto import STATES, beams_in_rounds
from gpusolve.games.queuedle.memory import MEMORY
from gpusolve.games.queuedle.puzzles import scored
from gpusolve.games.queuedle.restarts import best_of_runs
from gpusolve.games.queuedle.rules import Puzzle, moves_text
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
"""Strategy -> the parameters that apply to it."""


def solve(
    puzzle: Puzzle,
    *,
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
    improved: Callable[[int, list[int]], object] = lambda score, moves: None,
    seed: int | None = None,
    time_limit: float | None = None,
    checkpoint: Path | None = None,
    resume: Path | None = None,
    progress: Progress = lambda done, best: None,
    backend: Backend | None = None,
) -> Solution:
    """Search for the best board of a puzzle and the slides that lead to it.

    Parameters
    ----------
    puzzle : Puzzle
        The grid and the queue.
    dictionary : Words, default "scowl-70"
        The words that count: a shipped list, a file or the words themselves.
    strategy : {"auto", "beam", "best-first"}
        ``auto`` makes the most of a budget, `states` or `time_limit`, with many beam searches. ``beam`` is a single
        beam search, and ``best-first`` a best-first search [1]_. Each parameter below applies to the strategies in
        brackets.
    heuristic : {"score", "potential", "score+remaining"}, optional
        How boards are ranked [beam, best-first]: by their score; by their potential, which is how much their lines are
        likely to score later [beam only]; or by their score plus the number of letters still in the queue [best-first
        only]. The default is ``score`` for a beam and ``score+remaining`` for best-first.
    width : int, optional
        Number of boards kept after each slide [beam]; by default 100,000.
    expanded : int, optional
        Number of boards taken from the queue [best-first]; by default 500,000.
    batch : int, optional
        Number of boards taken at a time [best-first]; by default 4,096.
    lossy : bool
        Whether boards with the same 32-bit hash of their letters count as visited [best-first].
    endings : int, optional
        This many slides before the end, at most 6, all endings of the best 2,048 boards are tried as well [beam]; by
        default 0.
    states : int, optional
        The budget in boards scored: no round starts once it is used up [auto]. By default 200 million, or no limit if
        there is a time limit.
    restarts : int, optional
        Number of independent runs, each with another seed (`seed`, `seed` + 1 ...) and the whole budget [auto]. The
        best run counts.
    memory : int, optional
        MiB that the search, or each worker, may use [auto, beam]; by default 4,096.
    workers : int or str
        Number of processes, or the address or the file of a Dask scheduler, that share the restarts [auto].
    improved : callable, optional
        Called with the score and the moves of each better board [auto, without restarts].
    seed : int, optional
        Seed of all random choices [auto, beam]. Without one, ``auto`` takes a random seed, and a beam breaks ties by
        the lowest parent and slide.
    time_limit : float, optional
        Seconds after which the search stops with the best board so far.
    checkpoint : Path, optional
        File to save the state to as the search goes on [auto].
    resume : Path, optional
        Checkpoint to continue from [auto].
    progress : callable, optional
        Called with the number of boards scored (with best-first, taken) and the best score so far.
    backend : Backend, optional
        The device; by default the one that ``GPUSOLVE_DEVICE`` names.

    Returns
    -------
    Solution

    Raises
    ------
    BadInput
        For a parameter that does not apply to the strategy, for values out of range, and if there is too little memory.
    WrongSolution
        If the slides do not lead to the score by the rules, which would be a fault of gpusolve.

    References
    ----------
    .. [1] The published best-first search: https://healeycodes.com/solving-queuedle

    Examples
    --------
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
    check_choice("strategy", strategy, STRATEGIES)
    for name, value in given.items():
        if value is not None and name not in STRATEGIES[strategy]:
            fitting = " or ".join(other for other, names in STRATEGIES.items() if name in names)
            raise BadInput(f"{name}: expected with strategy {fitting}, not {strategy}")
    solver = Solver(puzzle, dictionary=dictionary, backend=backend)
    memory = MEMORY if memory is None else memory
    if strategy == "auto":
        budget = STATES if states is None and time_limit is None else states
        if restarts is not None:
            solution = best_of_runs(
                solver,
                restarts=restarts,
                states=budget,
                memory=memory,
                workers=workers,
                seed=seed,
                time_limit=time_limit,
                checkpoint=checkpoint,
                resume=resume,
                progress=progress,
            )
            return checked(solution, solver)
        if given["workers"] is not None:
            raise BadInput(f"workers {workers}: expected together with restarts, because workers share the restarts")
        solution = beams_in_rounds(
            solver,
            states=budget,
            memory=memory,
            seed=seed,
            time_limit=time_limit,
            checkpoint=checkpoint,
            resume=resume,
            improved=improved,
            progress=progress,
        )
        return checked(solution, solver)
    seconds = float("inf") if time_limit is None else time_limit
    if strategy == "beam":
        solution = solver.beam(
            width=WIDTH if width is None else width,
            heuristic=BEAM_HEURISTICS[0] if heuristic is None else heuristic,
            endings=0 if endings is None else endings,
            memory=memory,
            seed=seed,
            time_limit=seconds,
            progress=progress,
        )
        return checked(solution, solver)
    solution = solver.best_first(
        heuristic=BEST_FIRST_HEURISTICS[0] if heuristic is None else heuristic,
        expanded=EXPANDED if expanded is None else expanded,
        batch=BATCH if batch is None else batch,
        lossy=lossy,
        time_limit=seconds,
        progress=progress,
    )
    return checked(solution, solver)


def checked(solution: Solution, solver: Solver) -> Solution:
    """Return a solution with its boards. Raise WrongSolution unless its slides lead to its score by the rules."""
    try:
        boards = scored(solver.puzzle, solution.moves, solver.words)
    except BadInput as error:
        raise WrongSolution(f"the search returned {solution.moves}, which is not legal: {error}") from None
    if (points := boards[-1].score) != solution.score:
        raise WrongSolution(
            f"the search returned {moves_text(solution.moves)} for {solution.score} points, but it scores {points}"
        )
    return replace(solution, boards=boards)
