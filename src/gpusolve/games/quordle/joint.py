"""The player `joint`: what it knows before a game begins, and games played with it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Array, Backend
from gpusolve.games.quordle.kernels import ALIGN, CELLS, NO_PATTERN, PROGRAM, Games
from gpusolve.games.quordle.rules import (
    FINALISTS,
    FINE,
    GLIMPSES,
    MOST_AHEAD,
    MOST_FITS,
    NEAR,
    PLAYOUTS,
    POOL,
    TRIED,
)
from gpusolve.games.quordle.variant import Variant
from gpusolve.games.wordle import kernels as wordle

ONE = 1 << 12
"""A bit of information in the costs."""
SOLVE = ONE * 5 // 2
"""What a board's being solved counts: two and a half bits, found by playing."""
CAREFUL = ONE * 5 // 4
"""What it counts with fewer than SPARE guesses to spare: then to know is worth more than to be fast."""
SPARE = 3
OPENERS = ("carle", "trace", "slate", "salet")
"""First guesses that were compared over whole games, the best first; the best that a dictionary has is taken."""


@dataclass(frozen=True, eq=False)
class Joint:
    """What every judgement reads; the arrays live on the device.

    `codes`, uint8 (answers, columns): the pattern of each guess for an answer; `own`, int32 (answers,): which guess an
    answer is; `nlogn`, int32: n log2 n in units of ONE. `opener`: the first guess; `guesses`: how many there are.
    """

    opener: int
    guesses: int
    codes: Array
    own: Array
    nlogn: Array


@dataclass(frozen=True, eq=False)
class Opening:
    """What follows from the first guess: `costs`, int32 (243, columns), of each second one, by a board's first pattern.

    `members`, `starts`, `sizes`: the answers by their first pattern. `among`, uint8 (answers, answers): the patterns of
    the answers by one another, for games played out; `joint`: all else.
    """

    joint: Joint
    among: Array
    costs: Array
    members: Array
    starts: Array
    sizes: Array


def prepare(backend: Backend, variant: Variant) -> Joint:
    """What `joint` knows of a variant: some 30 MB for the original words."""
    answers, dictionary = variant.answers, variant.dictionary
    host = np.full((len(answers), -(-len(dictionary) // ALIGN) * ALIGN), NO_PATTERN, np.uint8)
    patterns = wordle.pattern_matrix(backend, dictionary.terms, answers.letters, variant.scoring)
    host[:, : len(dictionary)] = patterns.T
    own = np.array([dictionary.place[word] for word in answers], np.int32)
    n = np.arange(len(answers) + 1)
    nlogn = np.rint(ONE * n * np.log2(np.maximum(n, 1))).astype(np.int32)
    there = (backend.asarray(array) for array in (host, own, nlogn))
    return Joint(_opener(backend, variant), len(dictionary), *there)


def prepare_opening(backend: Backend, joint: Joint) -> Opening:
    """What `joint` knows of its first guess, for whole games."""
    first = backend.to_host(joint.codes)[:, joint.opener]
    members = np.argsort(first, kind="stable").astype(np.uint16)
    sizes = np.bincount(first, minlength=CELLS).astype(np.int32)
    starts = (np.cumsum(sizes) - sizes).astype(np.int32)
    cells = [backend.asarray(array) for array in (members, starts, sizes)]
    columns = joint.codes.shape[1]
    out = backend.empty((CELLS, columns), np.int32)
    items = CELLS * joint.guesses
    backend.launch(PROGRAM, "openings", items, joint.codes, columns, joint.guesses, *cells, joint.nlogn, out)
    return Opening(joint, backend.xp.take(joint.codes, joint.own, axis=1), out, *cells)


def _opener(backend: Backend, variant: Variant) -> int:
    """The first guess: one that was found by playing, else the one that tells most."""
    for word in OPENERS:
        if word in variant.dictionary:
            return variant.dictionary.place[word]
    found = wordle.partition(backend, variant.dictionary.terms, variant.answers.letters, scoring=variant.scoring)
    return int(found.sum_nlogn[0].argmin())


def play(backend: Backend, hidden: npt.NDArray[np.uint16] | Array, opening: Opening, guesses: int) -> Games:
    """Games with these hidden words, (games, boards) places among the answers, played to their end."""
    joint, (count, boards) = opening.joint, hidden.shape
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
        opening.among,
        answers,
        joint.opener,
        opening.costs,
        opening.members,
        opening.starts,
        opening.sizes,
        joint.nlogn,
        SOLVE,
        CAREFUL,
        SPARE,
        backend.asarray(hidden),
        boards,
        guesses,
        turns,
        guessed,
        backend.empty((count, columns), np.int32),
        backend.empty((count, boards * answers), np.uint16),
    )
    return Games(backend.to_host(turns), backend.to_host(guessed))


def worth(boards: int, left: int) -> int:
    """What a board's being solved counts with so many unsolved boards and guesses left."""
    return CAREFUL if left - boards < SPARE else SOLVE


def costs(
    backend: Backend, boards: Sequence[npt.NDArray[np.integer[Any]]], left: int, joint: Joint
) -> npt.NDArray[np.int32]:
    """What each guess costs, int32 (guesses,), with so many guesses left.

    `boards`: the answers that fit each unsolved board, at least one.
    """
    out = backend.empty(joint.guesses, np.int32)
    backend.launch(
        PROGRAM,
        "costs",
        joint.guesses,
        joint.codes,
        joint.codes.shape[1],
        *_side_by_side(backend, boards),
        len(boards),
        joint.own,
        joint.nlogn,
        worth(len(boards), left),
        out,
    )
    return backend.to_host(out)


def _side_by_side(backend: Backend, boards: Sequence[npt.NDArray[np.integer[Any]]]) -> tuple[Array, Array, Array]:
    """The words of all boards, uint16; where each board's begin, and how many there are, int32 (boards,)."""
    counts = np.array([len(fit) for fit in boards], np.int32)
    starts = (np.cumsum(counts) - counts).astype(np.int32)
    return backend.asarray(np.concatenate(boards).astype(np.uint16)), backend.asarray(starts), backend.asarray(counts)


def looks_ahead(boards: Sequence[npt.NDArray[np.integer[Any]]], left: int) -> bool:
    """Whether `joint` plays games out there: few boards, no word known, and guesses to spare."""
    sizes = [len(fit) for fit in boards]
    few = len(boards) <= MOST_AHEAD and max(sizes) <= MOST_FITS
    return few and min(sizes) > 1 and worth(len(boards), left) == SOLVE


def ahead(
    backend: Backend,
    boards: Sequence[npt.NDArray[np.integer[Any]]],
    costs: npt.NDArray[np.int32],
    joint: Joint,
    also: Sequence[int] = (),
) -> dict[int, float]:
    """How many guesses the game takes from there on with each of some guesses, the one that `joint` makes first.

    Means over games played out against the same hidden words, all sets of them if they are at most PLAYOUTS. `costs`:
    of all guesses. The guesses are those that are played out longest, and `also` these.
    """
    pool = nearest(costs)
    ways = min(math.prod(len(fit) for fit in boards), PLAYOUTS)
    glimpsed = played_out(backend, boards, pool, pool[:TRIED], min(ways, GLIMPSES), joint).sum(axis=1, dtype=np.int64)
    finalists = np.sort(np.argsort(glimpsed, kind="stable")[:FINALISTS])
    tried = np.concatenate([pool[finalists], np.array(also, np.uint16)])
    means = played_out(backend, boards, pool, tried, ways, joint).mean(axis=1)
    first = int(means[: len(finalists)].argmin())
    order = [first, *(i for i in np.argsort(means, kind="stable").tolist() if i != first)]
    return {int(tried[i]): float(means[i]) for i in order}


def nearest(costs: npt.NDArray[np.int32]) -> npt.NDArray[np.uint16]:
    """The guesses that games are played out with, by cost in steps, of equals the first: at most POOL."""
    steps = (costs - costs.min()) >> FINE
    return np.argsort(steps, kind="stable")[: min(POOL, int((steps < NEAR).sum()))].astype(np.uint16)


def played_out(
    backend: Backend,
    boards: Sequence[npt.NDArray[np.integer[Any]]],
    pool: npt.NDArray[np.uint16],
    tried: npt.NDArray[np.uint16],
    playouts: int,
    joint: Joint,
) -> npt.NDArray[np.uint8]:
    """How many guesses games take that begin with each of these, uint8 (tried, playouts)."""
    out = backend.empty((len(tried), playouts), np.uint8)
    backend.launch(
        PROGRAM,
        "playouts",
        out.size,
        joint.codes,
        joint.codes.shape[1],
        *_side_by_side(backend, boards),
        len(boards),
        joint.own,
        joint.nlogn,
        SOLVE,
        backend.asarray(pool),
        len(pool),
        backend.asarray(tried),
        playouts,
        out.reshape(-1),
    )
    return backend.to_host(out)


def best(
    boards: Sequence[npt.NDArray[np.integer[Any]]], costs: npt.NDArray[np.int32], own: npt.NDArray[np.int32]
) -> int:
    """The guess that `joint` makes: of known words the one of least cost, else of all; of equals the first."""
    known = sorted({int(own[fit[0]]) for fit in boards if len(fit) == 1})
    return min(known, key=lambda guess: costs[guess]) if known else int(costs.argmin())
