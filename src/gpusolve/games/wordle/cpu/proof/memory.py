"""What a search reads, and the memory of the thread that it runs on."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gpusolve.backend.intrinsics.columns import WIDTH
from gpusolve.games.wordle.cpu.proof.needs import Needs

CELLS = 243
SOLVED = 242
LEVELS = 101
"""Number of levels of the stack of frames: one for each of the 98 guesses of the largest limit, frame 0, and scratch.

Every guess below a state leaves fewer answers than it has, and a state with as many guesses left as answers needs no
more of them. So only a search without a limit could go deeper.
"""
FREE = 99
"""The number of turns that means "without a limit"."""

Bytes = npt.NDArray[np.uint8]
Numbers = npt.NDArray[np.int64]
Keys = npt.NDArray[np.uint64]


class Table(NamedTuple):
    """The inputs of a search. All threads share them and write only to `memo`."""

    patterns: Bytes
    """Frame 0, flattened: row h for answer h has `stride` bytes, padded with zeros after the last guess."""
    stride: int
    """Bytes of a row, a multiple of WIDTH."""
    own: Numbers
    """The column of each answer."""
    noise: Keys
    """A random number for each answer; the key of a set is the sum of its answers' numbers."""
    guess_noise: Keys
    """A random number for each possible number of turns, up to FREE, then one for each guess."""
    estimate: Numbers
    """Estimated cost of a cell of each size, times 100; guesses are tried in the order of their estimates."""
    memo: Keys
    """The transposition table (`memo`)."""
    stop: Bytes
    """(1,): nonzero asks every thread to stop."""
    width: int
    """Maximum number of guesses tried in each state (beam width); 0: all that a proof needs."""
    hidden_only: bool
    """Whether only the remaining answers may be guessed."""
    restricted: bool
    """Whether the legal guesses depend on the guesses before."""
    full: Bytes
    """The pattern of every guess against every guess, (guesses, guesses); (0, 0) if guesses are not restricted.

    If words do not have five letters: what the guess of each column contains (`needs`), as bytes.
    """
    shapes: Bytes
    """The shape of each guess, which says which of its letters are equal (`restrictions`)."""
    fits: Bytes
    """For a shape and the pattern seen: the patterns that the next guess may get there (`restrictions`).

    No rows if words do not have five letters.
    """
    needs: Needs
    """What the guess of each column contains, in hard mode (`needs`); else no rows."""


class Work(NamedTuple):
    """The memory of one thread: stacks, and scratch arrays for each level."""

    tables: Bytes
    """Stack: the patterns of the frames from frame 1 on."""
    guesses: Numbers
    """Stack: the guess of each column of each frame."""
    rows: Numbers
    """Stack: the rows of the states that are being searched."""
    hidden: Numbers
    """Stack: the answer of each row of each frame."""
    open: Bytes
    """The columns of frame 0 that may be guessed in the first state, where guesses are restricted."""
    starts: Numbers
    """Where each row of the state at each level begins in the frame's table."""
    counts: Bytes
    """The number of patterns that each column of the frame at each level has on the state."""
    order: Numbers
    """The columns in the order in which they are tried."""
    alive: Keys
    """Bits: the columns that no column chosen so far refines."""
    left: Numbers
    """With `right`: pairs of rows, as where they begin, on which columns are compared."""
    right: Numbers
    cells: Numbers
    """Numbers for each cell of a column, or for each pattern; SIZES to UNTIL name the rows."""
    keys: Keys
    """The key of each cell of a column."""
    frame: Numbers
    """For each frame: where it begins in `tables`, bytes of a row, columns, where it begins in `guesses`, `hidden`."""
    outcome: Numbers
    """Number of states met, of states searched and of guesses tried so far; the best guess of the last result; LIMIT.

    `solvability` is interrupted when the number of states met reaches that in the row LIMIT.
    """


class State(NamedTuple):
    """A set of answers that is searched: work.rows[first : first + size] of the frame at `level`."""

    level: int
    first: int
    size: int
    key: np.uint64
    """The sum of the noise of its answers."""


class Via(NamedTuple):
    """The previous guess and its pattern, where guesses are restricted; -1 and -1 if there is none."""

    guess: int
    code: int


class Top(NamedTuple):
    """How far the stacks `tables`, `guesses`, `rows` and `hidden` are filled; the last two grow together."""

    tables: int
    guesses: int
    rows: int


OFFSET, STRIDE, COLUMNS, GUESSES, HIDDEN = range(5)
MET, SEARCHED, TRIED, GUESS, LIMIT = range(5)
NO_LIMIT = 1 << 62
"""Stands for no limit on the number of states."""
SIZES, BEGINS, ORDER, LAST, LOWS, UNTIL = range(6)
"""Rows of `Work.cells`: the sizes of a guess's cells, where each begins in `rows`, their order; scratch; lower bounds
on their costs; how many columns of the frame come before those with k patterns or fewer (`choose_columns`)."""


def new_work(answers: int, stride: int, largest: int) -> Work:
    """Return the memory for a search that starts from states of up to `largest` of the answers."""
    n = largest + WIDTH
    work = Work(
        tables=np.zeros(2 * n * (stride + n) + (8 << 20), np.uint8),
        guesses=np.zeros(9 * (stride + n), np.int64),
        rows=np.zeros(answers + 16 * n, np.int64),
        hidden=np.zeros(answers + 16 * n, np.int64),
        open=np.ones(stride, np.uint8),
        starts=np.zeros((LEVELS, n), np.int64),
        counts=np.zeros((LEVELS, stride + n), np.uint8),
        order=np.zeros((LEVELS, stride + n), np.int64),
        alive=np.zeros((LEVELS, (stride + n) // WIDTH + 1), np.uint64),
        left=np.zeros((LEVELS, n), np.int64),
        right=np.zeros((LEVELS, n), np.int64),
        cells=np.zeros((LEVELS, 6, 256), np.int64),
        keys=np.zeros((LEVELS, 256), np.uint64),
        frame=np.zeros((LEVELS, 5), np.int64),
        outcome=np.zeros(5, np.int64),
    )
    work.outcome[LIMIT] = NO_LIMIT
    work.frame[0] = 0, stride, stride, 0, 0
    work.hidden[:answers] = np.arange(answers)
    work.guesses[:stride] = np.arange(stride)
    return work
