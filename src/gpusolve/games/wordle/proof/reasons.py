"""Why a state cannot be solved in so many turns: few of its answers, found while its guesses fail one after another."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gpusolve.backend.bits import popcount, trailing_zeros
from gpusolve.backend.columns import WIDTH, distinct, same
from gpusolve.backend.compiled import compiled
from gpusolve.games.wordle.proof.frames import COLUMNS, GUESSES, LEVELS, Keys, Numbers
from gpusolve.games.wordle.proof.lessons import (
    BLAMED,
    CAUSES,
    MASKS,
    REASON,
    STATES,
    Lessons,
    Places,
    blame,
    no_lessons,
)
from gpusolve.games.wordle.proof.needs import Needs, is_within, meets
from gpusolve.games.wordle.rules import LETTERS

Heat = npt.NDArray[np.float64]


class Reasons(NamedTuple):
    """What one thread works with besides its stacks, where it asks why a state fails; scratch for each level."""

    lessons: Lessons
    shut: Keys
    """Columns that may not be guessed in the state at each level."""
    dead: Keys
    """Those, and the ones that failed there."""
    answers: Places
    """The answers of the state at each level."""
    place: Numbers
    """Where the row of each answer begins, in the frame that a state at each level forbids guesses of."""
    need: Needs
    """What a guess must hold in the state at each level."""
    heat: Heat
    """How much each answer of the state at each level had to do with the failure of guesses."""
    sums: Heat
    """Scratch, all 0: of each cell."""


def new_reasons(answers: int, stride: int, largest: int, lessons: Lessons | None = None) -> Reasons:
    """Room for reasons where `frames.new_work` has room for states, and what was learnt before."""
    n = largest + WIDTH
    return Reasons(
        lessons=no_lessons(answers) if lessons is None else lessons,
        shut=np.zeros((LEVELS, (stride + n) // WIDTH + 1), np.uint64),
        dead=np.zeros((LEVELS, (stride + n) // WIDTH + 1), np.uint64),
        answers=np.zeros((LEVELS, n), np.int32),
        place=np.zeros((LEVELS, answers), np.int64),
        need=np.zeros((LEVELS, LETTERS), np.uint64),
        heat=np.zeros((LEVELS, n)),
        sums=np.zeros(256),
    )


@compiled
def shut_out(table, work, reasons, level, need):
    """reasons.shut[level]: the columns of the frame, as bits, that lack what is needed; gives the number of blocks."""
    columns, shut = work.frame[level, COLUMNS], reasons.shut[level]
    ids, blocks = work.guesses[work.frame[level, GUESSES] :], (columns + WIDTH - 1) // WIDTH
    shut[:blocks] = 0
    if columns % WIDTH:
        shut[blocks - 1] = ~np.uint64(0) << np.uint64(columns % WIDTH)
    if len(table.needs):
        for column in range(columns):
            if not meets(table.needs, ids[column], need):
                shut[column // WIDTH] |= np.uint64(1) << np.uint64(column % WIDTH)
    return blocks


@compiled
def forbid(table, work, reasons, patterns, level, place, need, blocks, dead, causes):
    """The reason of a failure becomes one more cause: no guess of the frame may leave it together. Gives their number.

    Of these guesses, which all meet `need`, only those fail that meet what the reason needs. `place` tells where the
    rows of its answers begin. If there is no room for it, the number is -1 from then on.
    """
    lessons, left, right = reasons.lessons, work.left[level], work.right[level]
    size, mask_at, blamed_at = lessons.count[REASON], lessons.count[MASKS], lessons.count[BLAMED]
    ids, shut = work.guesses[work.frame[level, GUESSES] :], reasons.shut[level]
    for i in range(size - 1):
        left[i], right[i] = place[lessons.reason[i]], place[lessons.reason[i + 1]]
    room = causes >= 0 and max(mask_at + blocks, blamed_at + size + 1) <= CAUSES
    all_meet = is_within(lessons.need, need)
    for b in range(blocks):
        mask: Any = same(patterns, left, right, size - 1, b * WIDTH, ~shut[b])
        if not all_meet:
            asked = mask
            while asked:
                bit = asked & (~asked + np.uint64(1))
                asked ^= bit
                if not meets(table.needs, ids[b * WIDTH + trailing_zeros(bit)], lessons.need):
                    mask ^= bit
        if room:
            lessons.masks[mask_at + b] = mask
        dead[b] |= mask
    if not room:
        return -1
    lessons.blamed[blamed_at] = size
    lessons.blamed[blamed_at + 1 : blamed_at + 1 + size] = lessons.reason[:size]
    lessons.count[MASKS], lessons.count[BLAMED] = mask_at + blocks, blamed_at + size + 1
    return causes + 1


@compiled
def join(work, reasons, level, answers, need, causes, blocks):
    """The reason why a state fails: the answers of few causes that together forbid all columns, chosen greedily."""
    lessons = reasons.lessons
    if causes < 0:
        blame(lessons, answers, need)
        return
    lessons.count[STATES] += 1
    state, masks = lessons.count[STATES], lessons.masks[lessons.count[MASKS] :]
    left, missing, size = ~reasons.shut[level, :blocks], 0, 0
    for b in range(blocks):
        missing += popcount(left[b])
    while missing > 0:
        best, best_at, most, fewest = 0, 0, 0, 1
        at = lessons.count[BLAMED]
        for cause in range(causes):
            gain, new = 0, 1
            for b in range(blocks):
                gain += popcount(left[b] & masks[cause * blocks + b])
            for i in range(at + 1, at + 1 + lessons.blamed[at]):
                new += lessons.present[lessons.blamed[i]] != state
            if gain * fewest > most * new:
                best, best_at, most, fewest = cause, at, gain, new
            at += 1 + lessons.blamed[at]
        if most == 0:  # cannot be: every column has its cause
            blame(lessons, answers, need)
            return
        missing -= most
        for b in range(blocks):
            left[b] &= ~masks[best * blocks + b]
        for i in range(best_at + 1, best_at + 1 + lessons.blamed[best_at]):
            answer = lessons.blamed[i]
            if lessons.present[answer] != state:
                lessons.present[answer] = state
                lessons.reason[size] = answer
                size += 1
    lessons.count[REASON] = size
    lessons.need[:] = need


@compiled
def blame_few(table, work, reasons, patterns, level, starts, answers, need):
    """The reason why no guess tells a state apart: some of its answers of which none can be left out.

    Neither can anything of what a guess needs, beyond what all columns of the frame meet.
    """
    kept, lessons, size = work.left[LEVELS - 1], reasons.lessons, len(answers)
    reason = lessons.reason
    for j in range(size):
        kept[j] = starts[j]
        reason[j] = answers[j]
    m = 3
    while m < size and telling(table, work, patterns, level, kept, m, need) >= 0:
        m += 1
    j = 0
    while j < m:
        m -= 1
        kept[j], kept[m] = kept[m], kept[j]
        reason[j], reason[m] = reason[m], reason[j]
        if telling(table, work, patterns, level, kept, m, need) >= 0:
            kept[j], kept[m] = kept[m], kept[j]
            reason[j], reason[m] = reason[m], reason[j]
            m += 1
            j += 1
    lessons.count[REASON] = m
    lessons.need[:] = need
    for i in range(LETTERS):
        extra = need[i] if level == 0 else need[i] & ~reasons.need[level - 1, i]
        while extra:
            bit = extra & (~extra + np.uint64(1))
            extra ^= bit
            lessons.need[i] ^= bit
            if telling(table, work, patterns, level, kept, m, lessons.need) >= 0:
                lessons.need[i] ^= bit


@compiled
def telling(table, work, patterns, level, starts, size, need):
    """A column that tells all of some rows apart and meets what is needed, or -1."""
    scratch, ids = work.counts[LEVELS - 1], work.guesses[work.frame[level, GUESSES] :]
    for column in range(0, work.frame[level, COLUMNS], WIDTH):
        if distinct(patterns, starts, size, column, scratch) == size:
            for x in range(WIDTH):
                if scratch[x] == size and (len(table.needs) == 0 or meets(table.needs, ids[column + x], need)):
                    return column + x
    return -1
