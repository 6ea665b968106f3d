"""The player `joint`: it judges every guess over all boards at once, and looks ahead by playouts while that pays."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Array, Backend
from gpusolve.games.quordle import kernels
from gpusolve.games.quordle.kernels import Boards, Games, JointTables, OpeningTables
from gpusolve.games.quordle.rules import (
    FINALISTS,
    FINE,
    GLIMPSES,
    LIKELY,
    MOST_AHEAD,
    MOST_FITS,
    NEAR,
    PLAYOUTS,
    POOL,
    TRIED,
)
from gpusolve.games.quordle.variant import Variant
from gpusolve.games.wordle.kernels import partition
from gpusolve.games.wordle.weights.partitions import weighted_partition

ONE = 1 << 12
"""One bit of information, in the unit of the costs."""
SOLVE = ONE * 5 // 2
"""What a solved board counts: two and a half bits, the best value in whole games."""
CAREFUL = ONE * 5 // 4
"""What it counts with fewer than SPARE guesses to spare: then information is worth more than speed."""
SPARE = 3
MOST_MASS = (1 << 16) - 1
"""Largest sum of the weights by which `joint` judges: kernels look n log2 n of them up in a table."""
MOST_KEPT = 1 << 26
"""Largest number of patterns in tables that are kept for the next call."""
OPENERS = ("carle", "trace", "slate", "salet")
"""First guesses that were compared over whole games, best first. The best that a dictionary has is used."""


class Outlook(NamedTuple):
    """What playouts say about a guess."""

    mean: float
    """Mean number of guesses until the end of the game."""
    chance: float
    """The share of the playouts that end within the guesses left."""


def prepare(backend: Backend, variant: Variant) -> JointTables:
    """Return the tables of a variant: about 30 MB for the original words. Those of the latest variants are kept."""
    is_small = len(variant.answers) * len(variant.guesses) <= MOST_KEPT
    return (_kept if is_small else _prepare)(cast(Any, backend), variant)


def _prepare(backend: Backend, variant: Variant) -> JointTables:
    answers, dictionary = variant.answers, variant.guesses
    codes = kernels.padded(kernels.numbered_patterns(backend, dictionary, answers, variant.scoring))
    own = np.array([dictionary.place[word] for word in answers], np.int32)
    masses = masses_of(variant)
    if masses is None:
        masses, unit, weighted = np.ones(len(answers), np.uint16), ONE, False
    else:
        unit, weighted = ONE // 2, True
    n = np.arange(max(len(answers), int(masses.sum(dtype=np.int64))) + 1)
    nlogn = np.rint(unit * n * np.log2(np.maximum(n, 1))).astype(np.int32)
    on_device = (backend.asarray(array) for array in (codes, own, masses, nlogn))
    return JointTables(_opener(backend, variant), len(dictionary), weighted, *on_device)


def masses_of(variant: Variant) -> npt.NDArray[np.uint16] | None:
    """Return the weights by which `joint` judges, uint16 (answers,); None if all answers count the same.

    They are the weights of the answers without their common divisor. If the sum of these is above MOST_MASS, they are
    scaled down and rounded to the nearest integer; a positive weight stays positive.
    """
    weights = variant.unequal_weights
    if weights is None:
        return None
    masses = weights // np.gcd.reduce(weights)
    total = int(masses.sum())
    if total > MOST_MASS:
        positive = masses > 0
        # Each positive weight can gain 1 by rounding.
        most = MOST_MASS - int(positive.sum())
        masses = np.maximum((2 * masses * most + total) // (2 * total), positive)
    return None if (masses == masses[0]).all() else masses.astype(np.uint16)


_kept = lru_cache(maxsize=2)(_prepare)  # making them takes longer than rating all guesses


def _opener(backend: Backend, variant: Variant) -> int:
    """Return the first guess: one of OPENERS, or else the word with the highest entropy."""
    for word in OPENERS:
        if word in variant.guesses:
            return variant.guesses.place[word]
    words, weights = (variant.guesses.terms, variant.answers.letters), variant.unequal_weights
    if weights is None:
        cells = partition(backend, *words, scoring=variant.scoring)
    else:
        cells = weighted_partition(backend, *words, weights, scoring=variant.scoring)
    return int(cells.sum_nlogn[0].argmin())


def play(backend: Backend, hidden: npt.NDArray[np.uint16] | Array, opening: OpeningTables, max_guesses: int) -> Games:
    """Play games with these hidden words, (games, boards) indices into the answers."""
    return kernels.joint_games(
        backend, hidden, opening, max_guesses=max_guesses, solve=SOLVE, careful=CAREFUL, spare=SPARE
    )


def worth_of_solving(boards: int, guesses_left: int) -> int:
    """Return what a solved board counts with this number of unsolved boards and of guesses left."""
    return CAREFUL if guesses_left - boards < SPARE else SOLVE


def costs(backend: Backend, boards: Boards, guesses_left: int, tables: JointTables) -> npt.NDArray[np.int32]:
    """Return the cost of every guess, int32 (guesses,). Expects at least one unsolved board."""
    return kernels.costs(backend, boards, tables, worth_of_solving(len(boards), guesses_left))


def looks_ahead(boards: Boards, guesses_left: int) -> bool:
    """Return whether `joint` looks ahead here: few boards with few words, no word known, and guesses to spare."""
    sizes = [len(fit) for fit in boards]
    few = len(boards) <= MOST_AHEAD and max(sizes) <= MOST_FITS
    return few and min(sizes) > 1 and worth_of_solving(len(boards), guesses_left) == SOLVE


def look_ahead(
    backend: Backend,
    boards: Boards,
    costs: npt.NDArray[np.int32],
    tables: JointTables,
    *,
    guesses_left: int,
    also: Sequence[int] = (),
) -> dict[int, Outlook]:
    """Return guess -> what playouts say about it, the lowest mean first.

    Played out are the finalists, the likely words (see `likeliest`), and the guesses in `also`.
    Without these, the first is the choice of `joint`. All guesses are played out against the same hidden words: all
    sets of hidden words if there are at most PLAYOUTS of them and they are equally likely. `costs` has the cost of
    every guess.
    """
    pool = playout_pool(costs)
    ways = PLAYOUTS if tables.weighted else min(math.prod(len(fit) for fit in boards), PLAYOUTS)
    glimpses = kernels.playouts(
        backend, boards, tables, pool=pool, tried=pool[:TRIED], count=min(ways, GLIMPSES), solve=SOLVE
    )
    finalists = np.sort(np.argsort(glimpses.sum(axis=1, dtype=np.int64), kind="stable")[:FINALISTS])
    chosen = [*pool[finalists].tolist(), *likeliest(backend, boards, costs, tables), *also]
    tried = np.array([*dict.fromkeys(chosen)], np.uint16)
    lengths = kernels.playouts(backend, boards, tables, pool=pool, tried=tried, count=ways, solve=SOLVE)
    means, chances = lengths.mean(axis=1), (lengths <= guesses_left).mean(axis=1)
    return {int(tried[i]): Outlook(float(means[i]), float(chances[i])) for i in np.argsort(means, kind="stable")}


def likeliest(backend: Backend, boards: Boards, costs: npt.NDArray[np.int32], tables: JointTables) -> list[int]:
    """Return the likeliest word of each board whose chance there is at least 1 / LIKELY, as guesses.

    Equally likely words are compared by cost; ties go to the first guess. There are none without weights.
    """
    if not tables.weighted:
        return []
    own, masses, likely = backend.to_host(tables.own), backend.to_host(tables.masses).astype(np.int64), list[int]()
    for fit in boards:
        guesses, mass = own[fit], masses[fit] if masses[fit].any() else np.ones(len(fit), np.int64)
        best = np.lexsort((guesses, costs[guesses], -mass))[0]
        likely += [int(guesses[best])] * bool(mass[best] * LIKELY >= mass.sum())
    return likely


def playout_pool(costs: npt.NDArray[np.int32]) -> npt.NDArray[np.uint16]:
    """Return the guesses with which games are played out, by cost in steps; ties go to the first guess."""
    steps = (costs - costs.min()) >> FINE
    return np.argsort(steps, kind="stable")[: min(POOL, int((steps < NEAR).sum()))].astype(np.uint16)


def best_guess(boards: Boards, costs: npt.NDArray[np.int32], own: npt.NDArray[np.int32]) -> int:
    """Return the guess of `joint` without looking ahead: the cheapest known word, or else the cheapest of all words.

    Ties go to the first guess.
    """
    known = sorted({int(own[fit[0]]) for fit in boards if len(fit) == 1})
    return min(known, key=lambda guess: costs[guess]) if known else int(costs.argmin())
