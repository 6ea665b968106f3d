"""A census: random deals solved exactly, by the million."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Backend, in_batches, open_backend
from gpusolve.checks import check_integer, check_memory
from gpusolve.games.quiddler import kernels
from gpusolve.games.quiddler.cards import NAMES
from gpusolve.games.quiddler.deals import CARDS, decode, random_deals
from gpusolve.games.quiddler.spellings import Spellings, spell
from gpusolve.games.quiddler.variant import MOST_POINTS, Variant, check_variant
from gpusolve.result import HIDDEN, Result, reported, rows
from gpusolve.runs.run import Run
from gpusolve.runs.series import Column, Rows, extend, joined
from gpusolve.wordlists import Words, digest

KIND = "quiddler.census"
MOST_DEALS = 10**9
MOST_EXTREMES = 1000  # of each kind: hardest and richest deals
BYTES_PER_RESULT = 24  # two scores, and copies of them while they are saved or sorted
MOST_SCORE = 2 * CARDS * MOST_POINTS  # 16 cards, and a bonus for each of at most 16 words

Optima = tuple[npt.NDArray[np.int32], ...]
"""The fields `best` and `best_all` of a census."""


class Extreme(NamedTuple):
    """A deal with one of the lowest or highest optima."""

    number: int
    best: int
    deal: str


@dataclass(frozen=True, repr=False)
class Census(Result, schema="quiddler.census/2"):
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
    best: npt.NDArray[np.int32] = field(metadata=HIDDEN)
    best_all: npt.NDArray[np.int32] = field(metadata=HIDDEN)
    seconds: float
    complete: bool

    def columns(self) -> dict[str, Any]:
        """Return the deals as columns, for ``pandas.DataFrame`` and ``polars.DataFrame``.

        Returns
        -------
        dict of str to array or list
            ``number`` of the deal, ``best`` and ``best_all``, which is None if no play uses all cards.
        """
        best_all = [None if score == kernels.NEVER else score for score in self.best_all.tolist()]
        return {"number": np.arange(self.count), "best": self.best, "best_all": best_all}

    def plot(self, path: Path) -> None:
        """Draw the distribution to a file."""
        from gpusolve.output.plot import save_histogram

        save_histogram(path, self.best, f"Quiddler solitaire: {self.count:,} random deals", "optimum")

    @reported
    def count(self) -> int:
        """Number of deals solved."""
        return len(self.best)

    @reported
    def proven(self) -> bool:
        """Whether the optima are proven: always."""
        return True

    @reported
    def mean(self) -> float:
        """The mean optimum."""
        return float(self.best.mean())

    @reported
    def lowest(self) -> int:
        """The lowest optimum."""
        return int(self.best.min())

    @reported
    def highest(self) -> int:
        """The highest optimum."""
        return int(self.best.max())

    @reported
    def can_use_all(self) -> float:
        """The fraction of deals for which some play uses all cards."""
        return float((self.best_all != kernels.NEVER).mean())

    @reported
    def all_is_best(self) -> float:
        """The fraction of deals for which an optimal play uses all cards."""
        return float((self.best_all == self.best).mean())

    @reported
    def distribution(self) -> dict[int, int]:
        """Optimum -> number of deals."""
        scores, counts = np.unique(self.best, return_counts=True)
        return dict(zip(scores.tolist(), counts.tolist(), strict=True))

    @rows
    def hardest(self) -> list[Extreme]:
        """The 1,000 deals with the lowest optima, lowest first."""
        return self._extremes(np.argsort(self.best, kind="stable"))

    @rows
    def richest(self) -> list[Extreme]:
        """The 1,000 deals with the highest optima, highest first."""
        return self._extremes(np.argsort(-self.best, kind="stable"))

    def _extremes(self, order: npt.NDArray[np.intp]) -> list[Extreme]:
        numbers = order[:MOST_EXTREMES]
        deals = map(str, map(decode, random_deals(self.seed, numbers)))
        return [*map(Extreme, numbers.tolist(), self.best[numbers].tolist(), deals)]


def census(
    *,
    count: int = 10_000,
    dictionary: Words = "scowl-70",
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

    The distribution of the optima is shown, and the hardest and the richest deals.

    Parameters
    ----------
    count : int, default 10,000
        Number of random deals, 1 to 10^9: deals 0, 1, 2, ... of the seed. Each takes 24 bytes of memory. A run
        that is resumed may have another number.
    dictionary : str, path, iterable of str or Spellings
        Valid words: the name of a list, or a file with one word per line.
    variant : Variant, optional
        The points, the bonuses and the fewest cards of a word. By default the standard game.
    workers : int or str, default 1
        Number of worker processes, or a Dask scheduler's address or file. The result does not depend on it.
    seed : int, optional
        Seed of all random choices, 0 to 2^64 - 1. By default a random one, which the result has.
    time_limit : float, optional
        Stop after this many seconds and return the best result so far. Compiling kernels and building tables does not
        count.
    checkpoint : Path, optional
        Save the state of the run to this file from time to time.
    resume : Path, optional
        Continue from this checkpoint.
    progress : callable, optional
        Called with the number of deals solved so far.
    backend : Backend, optional
        The device. By default the one that ``GPUSOLVE_DEVICE`` names, or else ``auto``.

    Returns
    -------
    Census
        The optima. They depend on the seed alone, not on the device or on the workers.

    Raises
    ------
    BadInput
        For numbers out of range, for more deals than fit into memory, for a dictionary that cannot be read, and for a
        checkpoint of another census. Only `count` can differ from the census that wrote a checkpoint.

    Examples
    --------
    ``gpusolve quiddler census --count 100 --seed 1``

    >>> census(count=3, seed=1).best.tolist()
    [98, 112, 104]
    """
    count = check_integer("count", count, 1, MOST_DEALS)
    check_memory("count", count, BYTES_PER_RESULT * count)
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
    optima = Rows(
        run.state,
        count,
        best=Column(np.int32, least=-MOST_SCORE, most=MOST_SCORE),
        best_all=Column(np.int32, least=kernels.NEVER, most=MOST_SCORE),
    )
    complete = extend(
        optima,
        count,
        run,
        partial(_solving, spellings, variant=variant, seed=run.seed),
        batch=backend.batch(kernels.BYTES_PER_DEAL),
        workers=workers,
        progress=progress,
        backend=backend,
    )
    best, best_all = optima.first(count)
    return Census(run.seed, best, best_all, seconds=run.seconds, complete=complete)


def _solving(spellings: Spellings, backend: Backend, *, variant: Variant, seed: int) -> Callable[[range], Optima]:
    """Return the function that solves some deals of the seed."""
    loaded = kernels.load(backend, spellings)

    def solve_batch(numbers: range) -> Optima:
        deals = random_deals(seed, numbers)
        sets = kernels.card_sets(backend, deals, loaded)
        reached = kernels.best_bonus(backend, deals, sets, variant=variant)
        solved = kernels.outcome(backend, deals, reached, variant)
        return solved.best, solved.best_all

    def room() -> int:
        return backend.batch(kernels.BYTES_PER_DEAL)

    return lambda numbers: joined(in_batches(numbers, room, solve_batch))
