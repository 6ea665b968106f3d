"""Batches of deals: every launch of the kernels of ``quiddler.cu``."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Array, Backend, Program
from gpusolve.games.quiddler.cards import NAMES
from gpusolve.games.quiddler.deals import CARDS, PILES
from gpusolve.games.quiddler.spellings import Spellings
from gpusolve.games.quiddler.variant import Variant
from gpusolve.resources import kernels_dir

PROGRAM = Program(kernels_dir() / "quiddler.cu", "gpusolve.games.quiddler.cpu")
STATES = 1 << CARDS
NEVER = -(1 << 30)
"""The score of something impossible."""
BYTES_PER_DEAL = 4 * STATES + STATES // 8 + CARDS + 12
"""Bytes of a deal on the device if the number of words is not limited."""


@dataclass(frozen=True)
class Outcome:
    """The result of the best play of each deal.

    Attributes
    ----------
    best : array, int32, (deals,)
        The optimum.
    best_all : array, int32, (deals,)
        The best score with all cards used; NEVER if no play uses them all.
    states : array, int32, (deals,)
        Number of sets of cards left that some play reaches.
    """

    best: npt.NDArray[np.int32]
    best_all: npt.NDArray[np.int32]
    states: npt.NDArray[np.int32]


def load(backend: Backend, spellings: Spellings) -> tuple[Array, Array]:
    """Return the arrays of the spellings on the device: kinds and cards."""
    return backend.asarray(spellings.kinds), backend.asarray(spellings.cards)


def card_sets(backend: Backend, deals: npt.NDArray[np.uint8], loaded: tuple[Array, Array]) -> Array:
    """Return the sets of cards that spell a word, a bitmap of 65,536 bits for each deal.

    It is uint32, (deals, 2048), on the device. `deals` are rows of `deals.encode`, uint8 (deals, 16); `loaded` comes
    from `load`.
    """
    return backend.launch(PROGRAM, "card_sets", len(deals), backend.asarray(deals), *loaded)


def best_bonus(
    backend: Backend,
    deals: npt.NDArray[np.uint8],
    sets: Array,
    *,
    variant: Variant,
    piles: int = PILES,
    max_words: int = 0,
) -> Array:
    """Solve the dynamic programme over the sets of cards left: uint32 (deals, max_words + 1, 65536), on the device.

    An element is 0 if no play leaves these cards, otherwise 1 more than the greatest sum of bonuses on the way there.
    If `max_words` is 0, the number of words is free; otherwise layer n is for plays of n words. `sets` comes from
    `card_sets`, and `piles` is the number of places on the table.
    """
    letters, bonus = [len(card) for card in NAMES], variant.bonus_row()
    given = (backend.asarray(array) for array in (deals, np.array(letters, np.int32), np.array(bonus, np.int32)))
    return backend.launch(PROGRAM, "best_bonus", len(deals), *given, piles, max_words, sets)


def outcome(backend: Backend, deals: npt.NDArray[np.uint8], reached: Array, variant: Variant) -> Outcome:
    """Return the optima of the deals; `reached` comes from `best_bonus`."""
    values = np.array([variant.values[card] for card in NAMES], np.int32)
    found = backend.launch(PROGRAM, "outcome", len(deals), backend.asarray(deals), backend.asarray(values), reached)
    return Outcome(*map(backend.to_host, found))
