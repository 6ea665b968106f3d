"""The command ``solve``: the best board by a beam, best-first search, or ``auto``, which makes the most of a budget."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal

from gpusolve.backend import Backend
from gpusolve.checks import check_choice
from gpusolve.errors import BadInput
from gpusolve.games.queuedle.positions import Moves
from gpusolve.games.queuedle.puzzles import AnyPuzzle, Puzzle
from gpusolve.games.queuedle.search.auto import STATES, beams_in_rounds
from gpusolve.games.queuedle.search.exhaustive import search_all
from gpusolve.games.queuedle.search.memory import MEMORY
from gpusolve.games.queuedle.search.restarts import best_of_runs
from gpusolve.games.queuedle.search.searches import (
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
    "exhaustive": ("checkpoint", "resume"),
}
"""Strategy -> the parameters that apply to it."""


def solve(
    puzzle: AnyPuzzle = None,
    *,
    moves: str | Sequence[int] = "",
    zone: str | None = None,
    dictionary: Words = "scowl-70",
    puzzle_dictionary: Words | None = None,
    strategy: Literal["auto", "beam", "best-first", "exhaustive"] = "auto",
    heuristic: Literal["score", "score+remaining", "potential"] | None = None,
    width: int | None = None,
    expanded: int | None = None,
    batch: int | None = None,
    lossy: bool = False,
    endings: int | None = None,
    states: int | None = None,
    restarts: int | None = None,
    memory: int | None = None,
    improved: Callable[[int, Moves], object] = lambda score, moves: None,
    workers: int | str = 1,
    seed: int | None = None,
    time_limit: float | None = None,
    checkpoint: Path | None = None,
    resume: Path | None = None,
    progress: Progress = lambda done, best: None,
    backend: Backend | None = None,
) -> Solution:
    """Search for the best board of a puzzle and the slides to it, from the start or after some slides.

    With the strategy ``auto``, `seed` determines a sequence of beam searches. A run with a larger `states` continues
    the sequence where a run with a smaller value ends, and so does `resume`. Ctrl-C loses only the current beam search,
    a few seconds of work. ``auto`` and ``exhaustive`` have `checkpoint` and `resume`. No search but
    ``exhaustive`` tries everything; all give an upper bound that no board exceeds.

    Parameters
    ----------
    puzzle : Puzzle, str, path, date or sequence of str, optional
        The rows of a 3x3, 4x4, 5x5 or 6x6 grid and then the queue, at most 31 letters, such as
        ``tsea/enop/adis/ttre eat``; a file with such a text; or a day, such as ``2025-05-31``. By default today's
        puzzle.
    moves : str or sequence of int, optional
        The slides made so far, such as ``d1 l3``. The search goes on after them, and the result says how many points
        each of them lost, which takes a few seconds more. By default none.
    zone : str, optional
        The IANA time zone in which the day begins at midnight. By default the zone of this machine.
    dictionary : str, path, iterable of str
        Valid words: the name of a list, or a file with one word per line.
    puzzle_dictionary : str, path, iterable of str, optional
        Words that the grid of a day must not contain; the dictionary of the site is not shipped. By default the same as
        `dictionary`.
    strategy : {"auto", "beam", "best-first", "exhaustive"}
        ``auto``: a sequence of beam searches within `states` or `time_limit`; ``beam``: a single beam search;
        ``best-first``: a single best-first search, as published at https://healeycodes.com/solving-queuedle;
        ``exhaustive``: all slides, which proves the best board if few letters are left, such as six on a 5x5 grid.
    heuristic : {"score", "potential", "score+remaining"}, optional
        How boards are ranked. ``beam``: by score, or by potential (how much the lines are likely to score later);
        ``best-first``: by score, or by score+remaining (the score plus the number of letters in the queue). By default
        score for ``beam`` and score+remaining for ``best-first``.
    width : int, optional
        ``beam``: number of boards kept after each slide, 1 to 10^8. By default 100,000.
    expanded : int, optional
        ``best-first``: maximum number of boards to expand, 1 to 10^8. By default 500,000.
    batch : int, optional
        ``best-first``: number of boards to expand at a time, 1 to 10^6; 1 as published. By default 4,096.
    lossy : bool, default False
        ``best-first``: skip boards whose letters have the same 32-bit hash as a visited board.
    endings : int, optional
        ``beam``: try all sequences of this many last slides, 0 to 6, on the best 2,048 boards. By default 0.
    states : int, optional
        ``auto``: number of scored boards after which no new beam search starts, 1 to 10^15. By default 200 million, or
        no limit with `time_limit`.
    restarts : int, optional
        ``auto``: number of runs, 1 to 100,000, each with another seed and with all of `states`; the best result counts.
        The seeds count up from `seed`. By default one run.
    memory : int, optional
        ``beam``, ``auto``: memory limit of the search, or of each worker, in MiB. By default 4,096.
    improved : callable, optional
        Called with the score and the moves of each better board (``auto``, without `restarts`).
    workers : int or str, default 1
        Number of worker processes, or a Dask scheduler's address or file. The result does not depend on it. They share
        the `restarts`.
    seed : int, optional
        Seed of all random choices, 0 to 2^64 - 1. By default a random one, which the result has. It applies to ``auto``
        and ``beam``; a beam without a seed breaks ties by the lowest parent and slide.
    time_limit : float, optional
        Stop after this many seconds and return the best result so far. Compiling kernels and building tables does not
        count.
    checkpoint : Path, optional
        Save the state of the run to this file from time to time.
    resume : Path, optional
        Continue from this checkpoint.
    progress : callable, optional
        Called with the number of boards scored (``best-first``: expanded; ``exhaustive``: percent of all slides tried)
        and the best score so far.
    backend : Backend, optional
        The device. By default the one that ``GPUSOLVE_DEVICE`` names, or else ``auto``.

    Returns
    -------
    Solution

    Raises
    ------
    BadInput
        For a puzzle that cannot be read, for an illegal slide, for a parameter that does not apply to the strategy, for
        values out of range, and if there is too little memory.
    WrongSolution
        If the slides do not lead to the score by the rules, which would be a fault of gpusolve.

    Examples
    --------
    ``gpusolve queuedle solve 2025-06-01 --strategy beam --width 1000``

    >>> solve("fndoi/eedgr/aadqs/oeilx/eyatg aikiueieexuatov", strategy="beam", width=1000).score
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
    puzzle = Puzzle.parse(puzzle, zone=zone, puzzle_dictionary=puzzle_dictionary, dictionary=dictionary)
    solver = Solver(puzzle, moves=Moves.parse(moves, size=puzzle.size), dictionary=dictionary, backend=backend)
    memory = MEMORY if memory is None else memory
    if strategy == "auto":
        budget = STATES if states is None and time_limit is None else states
        if restarts is not None:
            return best_of_runs(
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
        if given["workers"] is not None:
            raise BadInput(f"workers {workers}: expected together with restarts, because workers share the restarts")
        return beams_in_rounds(
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
    seconds = float("inf") if time_limit is None else time_limit
    if strategy == "exhaustive":
        return search_all(solver, time_limit=time_limit, checkpoint=checkpoint, resume=resume, progress=progress)
    if strategy == "beam":
        return solver.beam(
            width=WIDTH if width is None else width,
            heuristic=BEAM_HEURISTICS[0] if heuristic is None else heuristic,
            endings=0 if endings is None else endings,
            memory=memory,
            seed=seed,
            time_limit=seconds,
            progress=progress,
        )
    return solver.best_first(
        heuristic=BEST_FIRST_HEURISTICS[0] if heuristic is None else heuristic,
        expanded=EXPANDED if expanded is None else expanded,
        batch=BATCH if batch is None else batch,
        lossy=lossy,
        time_limit=seconds,
        progress=progress,
    )
