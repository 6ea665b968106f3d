"""Batches of deals: what the solver asks the device for."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Array, Backend, Program
from gpusolve.games.quiddler.cards import NAMES
from gpusolve.games.quiddler.deals import CARDS, NO_CARD
from gpusolve.games.quiddler.spellings import Spellings
from gpusolve.games.quiddler.variant import Rules
from gpusolve.resources import kernels_dir

PROGRAM = Program(kernels_dir() / "quiddler.cu", "gpusolve.games.quiddler.cpu")
STATES = 1 << CARDS
NEVER = -(1 << 30)
"""The score of what cannot be done."""
BYTES_PER_DEAL = 4 * STATES + STATES // 8 + CARDS + 12
"""What a deal takes on the device where the number of words is free."""


@dataclass(frozen=True)
class Outcome:
    """What the best play of each deal comes to; arrays of shape (deals,).

    `best` (int32): the optimum. `best_all` (int32): the best score with all cards used, NEVER where there is none.
    `states` (int32): sets of cards left that some play reaches.
    """

    best: npt.NDArray[np.int32]
    best_all: npt.NDArray[np.int32]
    states: npt.NDArray[np.int32]


def load(backend: Backend, spellings: Spellings) -> tuple[Array, Array]:
    """The arrays of the spellings on the device: kinds and cards."""
    return backend.asarray(spellings.kinds), backend.asarray(spellings.cards)


def card_sets(backend: Backend, deals: npt.NDArray[np.uint8], loaded: tuple[Array, Array]) -> Array:
    """Which sets of cards spell a word, for each deal: a bitmap of 65,536 bits, uint32 (deals, 2048), on the device.

    `deals` as `deals.encode` makes them, uint8 (deals, 16); `loaded` from `load`.
    """
    kinds, cards = loaded
    out = backend.empty((len(deals), STATES // 32), np.uint32)
    backend.launch(PROGRAM, "card_sets", len(deals), backend.asarray(deals), kinds, cards, len(kinds), out)
    return out


def best_bonus(backend: Backend, deals: npt.NDArray[np.uint8], sets: Array, scoring: Rules, words: int = 0) -> Array:
    """The dynamic programme over the sets of cards left: uint32 (deals, words + 1, 65536), on the device.

    An element is 0 where no play leaves these cards, else 1 more than the greatest sum of bonuses on the way there:
    with words = 0 by any number of words, else by 0, 1, ... `words` words. `sets` from `card_sets`. All deals of a
    batch have as many piles.
    """
    piles = int((deals[0, :8] != NO_CARD).sum()) if len(deals) else 0
    out = backend.empty((len(deals), words + 1, STATES), np.uint32)
    backend.launch(
        PROGRAM,
        "best_bonus",
        len(deals),
        backend.asarray(deals),
        backend.asarray(np.array([len(card) for card in NAMES], np.int32)),
        backend.asarray(np.array(scoring.bonus_row(), np.int32)),
        piles,
        words,
        sets,
        out,
    )
    return out


def outcome(backend: Backend, deals: npt.NDArray[np.uint8], reached: Array, scoring: Rules) -> Outcome:
    """The optima of the deals from `reached`, the array that `best_bonus` gave."""
    out = [backend.empty(len(deals), np.int32) for _ in range(3)]
    backend.launch(
        PROGRAM,
        "outcome",
        len(deals),
        backend.asarray(deals),
        backend.asarray(np.array([scoring.values[card] for card in NAMES], np.int32)),
        reached.shape[1] - 1,
        reached,
        *out,
    )
    return Outcome(*(backend.to_host(array) for array in out))
