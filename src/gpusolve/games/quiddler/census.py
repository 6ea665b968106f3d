"""Random deals solved exactly, by the million: how the optima are distributed, which deals are hardest."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from gpusolve import checkpoint
from gpusolve.backend import Backend, open_backend
from gpusolve.errors import BadInput
from gpusolve.games.quiddler import kernels, rules
from gpusolve.games.quiddler.kernels import Spellings
from gpusolve.games.quiddler.rules import STANDARD, Rules
from gpusolve.games.quiddler.solver import dictionary
from gpusolve.seeds import random_seed

KIND = "quiddler.census"
BATCH, BATCH_CUDA = 64, 2048
"""Deals solved at once: 264 KiB each."""
SAVE_EVERY = 30.0  # seconds


@dataclass(frozen=True)
class Census:
    """The optima of deals 0, 1, ... of a seed; `rules.random_deal(seed, number)` gives a deal again.

    `best` (int32): the optimum. `best_all` (int32): the best score with all cards used, `kernels.NEVER` where no play
    uses all.
    """

    seed: int
    best: npt.NDArray[np.int32]
    best_all: npt.NDArray[np.int32]

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


def take_census(
    deals: int,
    seed: int | None = None,
    spellings: Spellings | None = None,
    scoring: Rules = STANDARD,
    backend: Backend | None = None,
    progress: Callable[[int], None] = lambda done: None,
    time_limit: float | None = None,
    save_to: Path | None = None,
    resume: Path | None = None,
) -> Census:
    """Solves deals 0 .. deals - 1 of a seed, or as many of them, one batch at least, as `time_limit` seconds allow.

    The state is written to `save_to` every half minute, when done and when interrupted; `resume` goes on from such a
    file, whose dictionary and rules must be the same, and writes to it unless `save_to` says otherwise. Without a seed
    it is that of `resume`, else a random one. `progress` is called with the number of deals solved.

    >>> take_census(3, seed=1).best.tolist()
    [98, 112, 104]
    """
    begin = time.monotonic()
    spellings = spellings or dictionary(min_cards=scoring.min_cards)
    backend = backend or open_backend()
    settings = _settings(spellings, scoring)
    best, best_all = np.zeros(deals, np.int32), np.zeros(deals, np.int32)
    done = kept = 0
    if resume is not None:
        state = checkpoint.load(resume, KIND, settings)
        if seed not in (None, state["seed"]):
            raise BadInput(f"checkpoint {resume}: made with seed {state['seed']}, not with {seed}")
        seed = int(state["seed"])
        kept = len(state["best"])
        done = min(deals, kept)
        best[:done], best_all[:done] = state["best"][:done], state["best_all"][:done]
    seed = random_seed() if seed is None else seed
    target = save_to or resume

    def save() -> None:
        if target is not None and done >= kept:  # a longer census is not cut short
            checkpoint.save(target, KIND, settings, {"seed": seed, "best": best[:done], "best_all": best_all[:done]})

    save()  # a file that cannot be written shows at once
    loaded = kernels.load(backend, spellings)
    batch = BATCH_CUDA if backend.name.startswith("cuda") else BATCH
    saved = time.monotonic()
    try:
        while done < deals:
            some = rules.random_deals(seed, done, min(batch, deals - done))
            sets = kernels.card_sets(backend, some, loaded)
            found = kernels.outcome(backend, some, kernels.best_bonus(backend, some, sets, scoring), scoring)
            best[done : done + len(some)], best_all[done : done + len(some)] = found.best, found.best_all
            done += len(some)
            progress(done)
            if time_limit is not None and time.monotonic() - begin > time_limit:
                break
            if time.monotonic() - saved > SAVE_EVERY:
                save()
                saved = time.monotonic()
    finally:
        save()
    return Census(seed, best[:done], best_all[:done])


def _settings(spellings: Spellings, scoring: Rules) -> dict[str, Any]:
    """What must be the same for a census to go on."""
    return {
        "min_cards": scoring.min_cards,
        "values": {card: scoring.values[card] for card in rules.NAMES},
        "bonus": scoring.bonus_row(),
        "dictionary": hashlib.sha256("\n".join(sorted(spellings.dictionary)).encode()).hexdigest(),
    }
