"""Random deals solved exactly, by the million: how the optima are distributed, which deals are hardest."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Backend, open_backend
from gpusolve.checks import check_integer, check_memory, check_type
from gpusolve.errors import BadInput
from gpusolve.games.quiddler import kernels
from gpusolve.games.quiddler.cards import NAMES
from gpusolve.games.quiddler.deals import random_deals
from gpusolve.games.quiddler.spellings import Spellings, spell
from gpusolve.games.quiddler.variant import STANDARD, Rules
from gpusolve.runs.cluster import batches, open_workers
from gpusolve.runs.run import Run
from gpusolve.wordlists import Words, digest

KIND = "quiddler.census"
MOST_DEALS = 10**9
BYTES_PER_RESULT = 24  # two scores, and copies of them while they are saved or sorted


@dataclass(frozen=True)
class Census:
    """The optima of deals 0, 1, ... of a seed; `deal(seed, number)` gives a deal again.

    `best` (int32): the optimum. `best_all` (int32): the best score with all cards used, `kernels.NEVER` where no play
    uses all. `complete`: whether all deals that were asked for are solved.
    """

    seed: int
    best: npt.NDArray[np.int32]
    best_all: npt.NDArray[np.int32]
    seconds: float
    complete: bool

    @property
    def deals(self) -> int:
        """Deals solved."""
        return len(self.best)

    @property
    def mean(self) -> float:
        """The mean optimum."""
        return float(self.best.mean())

    @property
    def can_use_all(self) -> float:
        """The share of deals of which some play uses all cards."""
        return float((self.best_all != kernels.NEVER).mean())

    @property
    def all_is_best(self) -> float:
        """The share of deals of which an optimal play uses all cards."""
        return float((self.best_all == self.best).mean())

    @property
    def distribution(self) -> dict[int, int]:
        """Optimum -> deals."""
        scores, counts = np.unique(self.best, return_counts=True)
        return dict(zip(scores.tolist(), counts.tolist(), strict=True))

    def hardest(self, count: int) -> list[int]:
        """The numbers of the deals with the lowest optima, the lowest first."""
        return [int(i) for i in np.argsort(self.best, kind="stable")[:count]]

    def richest(self, count: int) -> list[int]:
        """The numbers of the deals with the highest optima, the highest first."""
        return [int(i) for i in np.argsort(-self.best, kind="stable")[:count]]


def census(
    deals: int = 10_000,
    dictionary: Words = "scowl-70",
    scoring: Rules = STANDARD,
    workers: int | str = 1,
    seed: int | None = None,
    time_limit: float | None = None,
    checkpoint: Path | None = None,
    resume: Path | None = None,
    progress: Callable[[int], None] = lambda done: None,
    backend: Backend | None = None,
) -> Census:
    """Solves deals 0 .. deals - 1 of a seed, or as many of them, one batch at least, as `time_limit` seconds allow.

    `open_workers` tells of `workers`, `Run` of `seed`, `checkpoint` and `resume`, whose dictionary and rules must be
    the same. `progress` is called with the number of deals solved. Raises BadInput for fewer deals than one, for more
    than MOST_DEALS or than memory holds (24 bytes each), and for a checkpoint of another census.

    >>> census(3, seed=1).best.tolist()
    [98, 112, 104]
    """
    check_integer("deals", deals, 1, MOST_DEALS)
    check_memory("deals", deals, BYTES_PER_RESULT * deals)
    check_type("scoring", scoring, Rules)
    spellings = spell(dictionary, scoring.min_cards)
    backend = open_backend(backend)
    settings = {
        "min_cards": scoring.min_cards,
        "values": {card: scoring.values[card] for card in NAMES},
        "bonus": scoring.bonus_row(),
        "dictionary": digest(spellings),
    }
    run = Run(KIND, settings, seed, checkpoint, resume, time_limit)
    before: list[Any] = [np.empty(0, np.int32)] * 2
    if resume is not None:
        before = [run.state.get(name) for name in ("best", "best_all")]
    if not all(isinstance(row, np.ndarray) and row.dtype == np.int32 and row.ndim == 1 for row in before):
        raise BadInput(f"checkpoint {resume}: damaged: expected two rows of scores")
    done = min(len(row) for row in before)
    best, best_all = (np.zeros(max(deals, done), np.int32) for _ in range(2))
    best[:done], best_all[:done] = (row[:done] for row in before)  # perhaps a longer census, which is not cut short
    prepare = partial(_solving, spellings, scoring, run.seed)
    with (
        open_workers(workers, prepare, backend, run=run, progress=progress) as those,
        run.saved(lambda: {"best": best[:done], "best_all": best_all[:done]}) as more,
    ):
        parts = those.parts(done, deals, backend.batch(kernels.BYTES_PER_DEAL))
        while done < deals and more():
            part, found = next(parts)
            best[done : part.stop], best_all[done : part.stop] = found
            done = part.stop
            progress(done)
    solved = min(done, deals)
    return Census(run.seed, best[:solved], best_all[:solved], run.seconds, solved == deals)


def _solving(
    spellings: Spellings, scoring: Rules, seed: int, backend: Backend
) -> Callable[[range], tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]]:
    """What solves some deals of the seed; see `Census` for what it gives of each."""
    loaded, batch = kernels.load(backend, spellings), backend.batch(kernels.BYTES_PER_DEAL)

    def solve(deals: range) -> kernels.Outcome:
        some = random_deals(seed, deals.start, len(deals))
        sets = kernels.card_sets(backend, some, loaded)
        return kernels.outcome(backend, some, kernels.best_bonus(backend, some, sets, scoring), scoring)

    def solve_all(deals: range) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
        found = [solve(some) for some in batches(deals, batch)]
        return np.concatenate([one.best for one in found]), np.concatenate([one.best_all for one in found])

    return solve_all
