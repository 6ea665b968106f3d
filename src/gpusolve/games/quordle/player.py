"""The player `joint`: what it knows before a game begins, and games played with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Array, Backend
from gpusolve.games.quordle.kernels import ALIGN, CELLS, NO_PATTERN, PROGRAM, Games
from gpusolve.games.quordle.variant import Variant
from gpusolve.games.wordle import kernels as wordle

ONE = 1 << 12
"""A bit of information in the costs."""
SOLVE = 2 * ONE
"""What a board's being solved counts: two bits, found by playing."""
OPENERS = ("carle", "trace", "slate", "salet")
"""First guesses that were compared over whole games, the best first; the best that a dictionary has is taken."""
LARGEST = 255
"""Words that a board may have left after the first guess for the row-by-row form: ranks are bytes."""


@dataclass(frozen=True, eq=False)
class Joint:
    """What the kernel reads; the arrays live on the device.

    `codes`, uint8 (answers, columns): the pattern of each guess for an answer; `own`: which guess each answer is;
    `opening`, int32 (243, columns): what each second guess costs for a board, by its first pattern; `members`,
    `starts`, `sizes`: the answers by their first pattern; `nlogn`: n log2 n in units of ONE.
    """

    opener: int
    guesses: int
    codes: Array
    own: Array
    opening: Array
    members: Array
    starts: Array
    sizes: Array
    nlogn: Array


@lru_cache(2)
def prepare(backend: Backend, variant: Variant) -> Joint:
    """What `joint` knows of a variant before a game begins: some tens of MB, made in a second and kept."""
    answers, dictionary = variant.answers, variant.dictionary
    width = -(-len(dictionary) // ALIGN) * ALIGN
    host = np.full((len(answers), width), NO_PATTERN, np.uint8)
    host[:, : len(dictionary)] = wordle.pattern_matrix(backend, dictionary.terms, answers.letters, variant.scoring).T
    opener = _opener(backend, variant)
    first = host[:, opener]
    members = np.argsort(first, kind="stable").astype(np.uint16)
    sizes = np.bincount(first, minlength=CELLS)[:CELLS].astype(np.int32)
    starts = (np.cumsum(sizes) - sizes).astype(np.int32)
    n = np.arange(len(answers) + 1)
    nlogn = np.rint(ONE * n * np.log2(np.maximum(n, 1))).astype(np.int32)
    codes, nlogn_there = backend.asarray(host), backend.asarray(nlogn)
    cells = [backend.asarray(array) for array in (members, starts, sizes)]
    opening = backend.empty((CELLS, width), np.int32)
    backend.launch(
        PROGRAM, "openings", CELLS * len(dictionary), codes, width, len(dictionary), *cells, nlogn_there, opening
    )
    own = np.array([dictionary.place[word] for word in answers], np.int32)
    return Joint(opener, len(dictionary), codes, backend.asarray(own), opening, *cells, nlogn_there)


def _opener(backend: Backend, variant: Variant) -> int:
    """The first guess: one that was found by playing, else the one that tells most."""
    for word in OPENERS:
        if word in variant.dictionary:
            return variant.dictionary.place[word]
    found = wordle.partition(backend, variant.dictionary.terms, variant.answers.letters, scoring=variant.scoring)
    return int(found.sum_nlogn[0].argmin())


def play(backend: Backend, hidden: npt.NDArray[np.uint16] | Array, joint: Joint, guesses: int) -> Games:
    """Games with these hidden words, (games, boards) places among the answers, played to their end."""
    count, boards = hidden.shape
    answers, columns = joint.codes.shape
    turns, guessed = backend.empty((count, boards), np.uint8), backend.empty((count, guesses), np.uint16)
    backend.launch(
        PROGRAM,
        "joint",
        count,
        joint.codes,
        columns,
        joint.guesses,
        joint.own,
        answers,
        joint.opener,
        joint.opening,
        joint.members,
        joint.starts,
        joint.sizes,
        joint.nlogn,
        SOLVE,
        backend.asarray(hidden),
        boards,
        guesses,
        turns,
        guessed,
        backend.empty((count, boards * answers), np.uint16),
    )
    return Games(backend.to_host(turns), backend.to_host(guessed))


def costs(backend: Backend, boards: Sequence[npt.NDArray[np.integer[Any]]], joint: Joint) -> npt.NDArray[np.int32]:
    """What each guess costs, int32 (guesses,), where these answers fit the unsolved boards, each at least one."""
    counts = np.array([len(fit) for fit in boards], np.int32)
    out = backend.empty(joint.guesses, np.int32)
    backend.launch(
        PROGRAM,
        "costs",
        joint.guesses,
        joint.codes,
        joint.codes.shape[1],
        backend.asarray(np.concatenate(boards).astype(np.uint16)),
        backend.asarray((np.cumsum(counts) - counts).astype(np.int32)),
        backend.asarray(counts),
        len(boards),
        joint.own,
        joint.nlogn,
        SOLVE,
        out,
    )
    return backend.to_host(out)


def best(
    boards: Sequence[npt.NDArray[np.integer[Any]]], costs: npt.NDArray[np.int32], own: npt.NDArray[np.int32]
) -> int:
    """The guess that `joint` makes: of known words the one of least cost, else of all; of equals the first."""
    known = sorted({int(own[fit[0]]) for fit in boards if len(fit) == 1})
    return min(known, key=lambda guess: costs[guess]) if known else int(costs.argmin())
