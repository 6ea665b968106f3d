"""Why a state cannot be solved within a number of turns: a few of its answers, collected while its guesses fail."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gpusolve.backend.compiled import compiled, inlined
from gpusolve.backend.intrinsics.bits import popcount, trailing_zeros
from gpusolve.backend.intrinsics.columns import WIDTH, distinct, same
from gpusolve.games.wordle.cpu.proof.frames import patterns_at
from gpusolve.games.wordle.cpu.proof.memory import COLUMNS, GUESSES, LEVELS, Keys, Numbers
from gpusolve.games.wordle.cpu.proof.needs import Needs, is_within, meets
from gpusolve.games.wordle.cpu.proof.nogoods import (
    BLAMED,
    CAUSES,
    MASKS,
    REASON,
    STATES,
    Indices,
    Nogoods,
    empty_nogoods,
    learn,
    recall_reason,
    set_reason,
)

Heat = npt.NDArray[np.float64]


class Reasons(NamedTuple):
    """The memory of one thread, besides its stacks, for explaining why states fail; arrays for each level."""

    nogoods: Nogoods
    excluded: Keys
    """Bits: the columns of its frame that may not be guessed, or are useless, in the state at each level.

    A state and the state above it can have the same frame, but they exclude different columns.
    """
    ruled_out: Keys
    """Bits: the excluded columns and the columns that have failed in the state at each level."""
    answers: Indices
    """The answers of the state at each level."""
    row_starts: Numbers
    """Where the row of each answer begins in the frame whose columns the state at each level rules out."""
    need: Needs
    """What a guess must contain in the state at each level."""
    heat: Heat
    """How often each answer of the state at each level was a reason for failure; recent failures weigh more."""
    sums: Heat
    """Scratch, all 0: the heat of each cell."""


class Failing(NamedTuple):
    """The guesses of a state while they fail: the columns of a frame, of which more and more are ruled out."""

    level: int
    """The level of the frame."""
    row_starts: Numbers
    """Where the row of each answer begins."""
    need: Needs
    """What all guesses contain."""
    excluded: Keys
    """Bits: the columns that are no guesses of the state; see `Reasons`."""
    ruled_out: Keys
    """Bits: the excluded columns, and those that have failed."""
    blocks: int
    """Number of blocks of WIDTH columns."""


def new_reasons(answers: int, stride: int, largest: int, facts: int, nogoods: Nogoods | None = None) -> Reasons:
    """Return the memory for reasons that fits that of `new_work`, with the nogoods learnt so far.

    `facts` is the number of columns of `needs_of`.
    """
    n = largest + WIDTH
    return Reasons(
        nogoods=empty_nogoods(answers, facts) if nogoods is None else nogoods,
        excluded=np.zeros((LEVELS, (stride + n) // WIDTH + 1), np.uint64),
        ruled_out=np.zeros((LEVELS, (stride + n) // WIDTH + 1), np.uint64),
        answers=np.zeros((LEVELS, n), np.int32),
        row_starts=np.zeros((LEVELS, answers), np.int64),
        need=np.zeros((LEVELS, facts), np.uint64),
        heat=np.zeros((LEVELS, n)),
        sums=np.zeros(256),
    )


@inlined
def exclude_padding(excluded, columns):
    """Set `excluded` to the columns after the last one of a frame; return the number of blocks."""
    blocks = (columns + WIDTH - 1) // WIDTH
    excluded[:blocks] = 0
    if columns % WIDTH:
        excluded[blocks - 1] = ~np.uint64(0) << np.uint64(columns % WIDTH)
    return blocks


@compiled
def exclude_columns(table, work, excluded, level, need):
    """Set `excluded` to the columns of frame `level` that lack what is needed; return the number of blocks."""
    columns = work.frame[level, COLUMNS]
    ids, blocks = work.guesses[work.frame[level, GUESSES] :], exclude_padding(excluded, columns)
    if len(table.needs):
        for column in range(columns):
            if not meets(table.needs, ids[column], need):
                excluded[column // WIDTH] |= np.uint64(1) << np.uint64(column % WIDTH)
    return blocks


@compiled
def add_contained(table, work, nogoods, failing, count):
    """Add the nogoods that a state contains, for one turn less than it has, as causes; return the number of causes."""
    causes = 0
    for x in range(count):
        recall_reason(nogoods, nogoods.contained[x])
        causes = add_cause(table, work, nogoods, failing, causes)
    return causes


@compiled
def add_cause(table, work, nogoods, failing, causes):
    """Add the reason of the last failure to the causes, and rule out every column that leaves its answers together.

    All columns that are not excluded contain `failing.need`; the columns ruled out also contain what the reason needs.
    Return the number of causes, or -1 once there was no room for one of them.
    """
    left, right, blocks = work.left[failing.level], work.right[failing.level], failing.blocks
    size, mask_at, blamed_at = nogoods.count[REASON], nogoods.count[MASKS], nogoods.count[BLAMED]
    patterns, ids = patterns_at(table, work, failing.level), work.guesses[work.frame[failing.level, GUESSES] :]
    for i in range(size - 1):
        left[i], right[i] = failing.row_starts[nogoods.reason[i]], failing.row_starts[nogoods.reason[i + 1]]
    room = causes >= 0 and max(mask_at + blocks, blamed_at + size + 1) <= CAUSES
    all_meet = is_within(nogoods.need, failing.need)
    for b in range(blocks):
        mask: Any = same(patterns, left, right, size - 1, b * WIDTH, ~failing.excluded[b])
        if not all_meet:
            asked = mask
            while asked:
                bit = asked & (~asked + np.uint64(1))
                asked ^= bit
                if not meets(table.needs, ids[b * WIDTH + trailing_zeros(bit)], nogoods.need):
                    mask ^= bit
        if room:
            nogoods.masks[mask_at + b] = mask
        failing.ruled_out[b] |= mask
    if not room:
        return -1
    nogoods.blamed[blamed_at] = size
    nogoods.blamed[blamed_at + 1 : blamed_at + 1 + size] = nogoods.reason[:size]
    nogoods.count[MASKS], nogoods.count[BLAMED] = mask_at + blocks, blamed_at + size + 1
    return causes + 1


@compiled
def merge_causes(nogoods, failing, answers, causes):
    """Set the reason of the failure to the answers of a few causes that together rule out all columns not excluded.

    The causes are chosen by the greedy algorithm for set cover: the most columns for each new answer.
    """
    if causes < 0:
        set_reason(nogoods, answers, failing.need)
        return
    nogoods.count[STATES] += 1
    state, masks, blocks = nogoods.count[STATES], nogoods.masks[nogoods.count[MASKS] :], failing.blocks
    left, missing, size = ~failing.excluded[:blocks], 0, 0
    for b in range(blocks):
        missing += popcount(left[b])
    while missing > 0:
        best, best_at, most, fewest = 0, 0, 0, 1
        at = nogoods.count[BLAMED]
        for cause in range(causes):
            gain, new = 0, 1
            for b in range(blocks):
                gain += popcount(left[b] & masks[cause * blocks + b])
            for i in range(at + 1, at + 1 + nogoods.blamed[at]):
                new += nogoods.present[nogoods.blamed[i]] != state
            if gain * fewest > most * new:
                best, best_at, most, fewest = cause, at, gain, new
            at += 1 + nogoods.blamed[at]
        if most == 0:  # cannot happen: every column has a cause
            set_reason(nogoods, answers, failing.need)
            return
        missing -= most
        for b in range(blocks):
            left[b] &= ~masks[best * blocks + b]
        for i in range(best_at + 1, best_at + 1 + nogoods.blamed[best_at]):
            answer = nogoods.blamed[i]
            if nogoods.present[answer] != state:
                nogoods.present[answer] = state
                nogoods.reason[size] = answer
                size += 1
    nogoods.count[REASON] = size
    nogoods.need[:] = failing.need


@compiled
def distinguish(table, work, reasons, level, starts, answers, need):
    """Return a column that tells all answers apart; if there is none, learn a reason and return -1."""
    column = distinguishing_column(table, work, level, starts, len(answers), need)
    if column < 0:
        _shrink_reason(table, work, reasons, level, starts, answers, need)
        learn(reasons.nogoods, 2)
    return column


@compiled
def _shrink_reason(table, work, reasons, level, starts, answers, need):
    """Set the reason why no guess tells the answers of a state apart to a minimal subset of them.

    None of its answers can be left out, nor anything that the guess must contain beyond what all columns contain.
    """
    kept, nogoods, size = work.left[LEVELS - 1], reasons.nogoods, len(answers)
    reason = nogoods.reason
    for j in range(size):
        kept[j] = starts[j]
        reason[j] = answers[j]
    m = 3
    while m < size and distinguishing_column(table, work, level, kept, m, need) >= 0:
        m += 1
    j = 0
    while j < m:
        m -= 1
        kept[j], kept[m] = kept[m], kept[j]
        reason[j], reason[m] = reason[m], reason[j]
        if distinguishing_column(table, work, level, kept, m, need) >= 0:
            kept[j], kept[m] = kept[m], kept[j]
            reason[j], reason[m] = reason[m], reason[j]
            m += 1
            j += 1
    nogoods.count[REASON] = m
    nogoods.need[:] = need
    for i in range(len(need)):
        extra = need[i] if level == 0 else need[i] & ~reasons.need[level - 1, i]
        while extra:
            bit = extra & (~extra + np.uint64(1))
            extra ^= bit
            nogoods.need[i] ^= bit
            if distinguishing_column(table, work, level, kept, m, nogoods.need) >= 0:
                nogoods.need[i] ^= bit


@compiled
def distinguishing_column(table, work, level, starts, size, need):
    """Return a column that has different patterns on all the rows and contains what is needed, or -1."""
    patterns, ids = patterns_at(table, work, level), work.guesses[work.frame[level, GUESSES] :]
    scratch = work.counts[LEVELS - 1]
    for column in range(0, work.frame[level, COLUMNS], WIDTH):
        if distinct(patterns, starts, size, column, scratch) == size:
            for x in range(WIDTH):
                if scratch[x] == size and (len(table.needs) == 0 or meets(table.needs, ids[column + x], need)):
                    return column + x
    return -1
