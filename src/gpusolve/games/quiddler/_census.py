"""A census: random deals solved exactly, by the million."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Backend, in_batches, open_backend
from gpusolve.checks import check_integer, check_memory
from gpusolve.fields import Fields
from gpusolve.games.quiddler import kernels
from gpusolve.games.quiddler.cards import NAMES
from gpusolve.games.quiddler.deals import CARDS, random_deals
from gpusolve.games.quiddler.spellings import Spellings, spell
from gpusolve.games.quiddler.variant import MOST_POINTS, Variant, check_variant
from gpusolve.notebook import as_html, as_text
from gpusolve.runs.cluster import open_workers
from gpusolve.runs.run import Run
from gpusolve.wordlists import Words, digest

KIND = "quiddler.census"
MOST_DEALS = 10**9
BYTES_PER_RESULT = 24  # two scores, and copies of them while they are saved or sorted
MOST_SCORE = 2 * CARDS * MOST_POINTS  # 16 cards, and a bonus for each of at most 16 words

Optima = tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]
"""The fields `best` and `best_all` of a census."""


@dataclass(frozen=True)
class Census:
    """The optima of deals 0, 1, ... of a seed. ``deal(seed, number)`` gives the cards of a deal.

    Attributes
    ----------
    seed : int
        The seed of the deals.
    best : array, int32, (deals,)
        The optimum of each deal.
    best_all : array, int32, (deals,)
        The best score with all cards used; `kernels.NEVER` if no play uses them all.
    seconds : float
        Seconds that the census took, including the time before it was resumed.
    complete : bool
        Whether all deals are solved.
    """

    seed: int
    best: npt.NDArray[np.int32]
    best_all: npt.NDArray[np.int32]
    seconds: float
    complete: bool

    _repr_html_ = as_html
    __repr__ = as_text

    def columns(self) -> dict[str, npt.NDArray[Any]]:
        """Return the deals as columns, for ``pandas.DataFrame`` and ``polars.DataFrame``.

        Returns
        -------
        dict of str to ndarray
            ``number`` of the deal, ``best`` and ``best_all``.
        """
        return {"number": np.arange(self.deals), "best": self.best, "best_all": self.best_all}

    @property
    def deals(self) -> int:
        """Number of deals solved."""
        return len(self.best)

    @property
    def mean(self) -> float:
        """The mean optimum."""
        return float(self.best.mean())

    @property
    def can_use_all(self) -> float:
        """The fraction of deals for which some play uses all cards."""
        return float((self.best_all != kernels.NEVER).mean())

    @property
    def all_is_best(self) -> float:
        """The fraction of deals for which an optimal play uses all cards."""
        return float((self.best_all == self.best).mean())

    @property
    def distribution(self) -> dict[int, int]:
        """Optimum -> number of deals."""
        scores, counts = np.unique(self.best, return_counts=True)
        return dict(zip(scores.tolist(), counts.tolist(), strict=True))

    def hardest(self, count: int) -> list[int]:
        """Return the numbers of the `count` deals with the lowest optima, lowest first."""
        return [int(i) for i in np.argsort(self.best, kind="stable")[:count]]

    def richest(self, count: int) -> list[int]:
        """Return the numbers of the `count` deals with the highest optima, highest first."""
        return [int(i) for i in np.argsort(-self.best, kind="stable")[:count]]


def census(
    deals: int = 10_000,
    dictionary: Words = "scowl-70",
    *,
    variant: Variant | None = None,
    workers: int | str = 1,
    seed: int | None = None,
    time_limit: float | None = None,
    checkpoint: Path | None = None,
    resume: Path | None = None,
    progress: Callable[[int], None] = lambda done: None,
    backend: Backend | None = None,
) -> Census:
    """Solve random deals exactly.

    Parameters
    ----------
    deals : int
        Number of deals, 1 to 10^9: deals 0 .. deals - 1 of the seed. Each takes 24 bytes of memory.
    dictionary : str, path, iterable of str or Spellings
        The words: the name of a shipped list, a file, the words, or the result of `spell`.
    variant : Variant, optional
        The points, the bonuses and the fewest cards of a word. By default the standard game.
    workers : int or str
        Number of worker processes, or the address or the file of a Dask scheduler.
    seed : int, optional
        Seed of the deals. By default a random seed, or that of `resume`.
    time_limit : float, optional
        Seconds after which no further batch of deals starts; one batch is always solved.
    checkpoint : path, optional
        File to which the state is saved. By default `resume`.
    resume : path, optional
        Checkpoint to continue from. Only `deals` can differ from the census that wrote it.
    progress : callable, optional
        Called with the number of deals solved so far.
    backend : Backend, optional
        The device. By default the one that ``GPUSOLVE_DEVICE`` names.

    Returns
    -------
    Census
        The optima. They depend on the seed alone, not on the device or on the workers.

    Raises
    ------
    BadInput
        For numbers out of range, for more deals than fit into memory, for a dictionary that cannot be read, and for a
        checkpoint of another census.

    Examples
    --------
    >>> census(3, seed=1).best.tolist()
    [98, 112, 104]
    """
    check_integer("deals", deals, 1, MOST_DEALS)
    check_memory("deals", deals, BYTES_PER_RESULT * deals)
    variant = check_variant(variant)
    spellings = spell(dictionary, variant.min_cards)
    backend = open_backend(backend)
    settings = {
        "min_cards": variant.min_cards,
        "values": {card: variant.values[card] for card in NAMES},
        "bonus": variant.bonus_row(),
        "dictionary": digest(spellings),
    }
    run = Run(KIND, settings, seed=seed, checkpoint=checkpoint, resume=resume, time_limit=time_limit)
    saved = _read(run.state) if run.state else (np.empty(0, np.int32), np.empty(0, np.int32))
    done = len(saved[0])
    best, best_all = (np.zeros(max(deals, done), np.int32) for _ in range(2))
    best[:done], best_all[:done] = saved  # of a longer census, perhaps, which is not cut short
    prepare = partial(_solving, spellings, variant=variant, seed=run.seed)
    with (
        open_workers(workers, prepare, backend, run=run, progress=progress) as solvers,
        run.saved(lambda: {"best": best[:done], "best_all": best_all[:done]}) as more,
    ):
        parts = solvers.parts(done, deals, backend.batch(kernels.BYTES_PER_DEAL))
        while done < deals and more():
            part, optima = next(parts)
            best[done : part.stop], best_all[done : part.stop] = optima
            done = part.stop
            progress(done)
    solved = min(done, deals)
    return Census(run.seed, best[:solved], best_all[:solved], seconds=run.seconds, complete=solved == deals)


def _read(state: Fields) -> Optima:
    """Read the optima from a checkpoint."""
    best = state.array("best", np.int32, (None,), -MOST_SCORE, MOST_SCORE)
    return best, state.array("best_all", np.int32, (len(best),), kernels.NEVER, MOST_SCORE)


def _solving(spellings: Spellings, backend: Backend, *, variant: Variant, seed: int) -> Callable[[range], Optima]:
    """Return the function that solves some deals of the seed."""
    loaded = kernels.load(backend, spellings)

    def solve_batch(numbers: range) -> kernels.Outcome:
        deals = random_deals(seed, numbers.start, len(numbers))
        sets = kernels.card_sets(backend, deals, loaded)
        reached = kernels.best_bonus(backend, deals, sets, variant=variant)
        return kernels.outcome(backend, deals, reached, variant)

    def solve(numbers: range) -> Optima:
        solved = in_batches(numbers, lambda: backend.batch(kernels.BYTES_PER_DEAL), solve_batch)
        outcomes = [outcome for _, outcome in solved]
        return (
            np.concatenate([outcome.best for outcome in outcomes]),
            np.concatenate([outcome.best_all for outcome in outcomes]),
        )

    return solve
