"""Cores: small sets of answers that cannot be solved within a number of turns, and the guesses that leave one together.

A guess fails in a state if it leaves a core together in one of its cells, and if the core cannot be solved within the
turns after the guess. So a state fails if the cores inside it rule out every guess, and the answers of these cores are
then a core for one turn more. A smaller core lies in more states, and more guesses leave it together, so cores are
shrunk before they are kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from gpusolve.backend.intrinsics.columns import WIDTH
from gpusolve.games.wordle.cpu.proof.cores import cover, find_inside, find_together, leave_out
from gpusolve.games.wordle.cpu.proof.memory import Bytes

Bits: TypeAlias = npt.NDArray[np.uint64]
Numbers: TypeAlias = npt.NDArray[np.int64]
EVERY = ~np.uint64(0)
"""The bits of 64 guesses."""


class Cores:
    """The cores for one number of turns, in the order in which they were found.

    Parameters
    ----------
    patterns : ndarray of uint8, shape (answers, columns)
        The pattern of each guess against each answer; the number of columns is a multiple of 64.
    guesses : int
        Number of guesses; the columns after them are padding.
    """

    def __init__(self, patterns: Bytes, guesses: int) -> None:
        self.count = 0
        answers, columns = patterns.shape
        self._flat, self._columns = patterns.reshape(-1), columns
        self._padding = np.packbits(np.arange(columns) >= guesses, bitorder="little").view(np.uint64)
        self._present = np.zeros(answers, np.bool_)
        self._members = np.zeros(1 << 10, np.int64)
        self._at = np.zeros(1 << 6, np.int64)
        self._masks = np.zeros((1 << 6, columns // WIDTH), np.uint64)

    def __len__(self) -> int:
        return self.count

    def __iter__(self) -> Iterator[Numbers]:
        return (self[number] for number in range(self.count))

    def __getitem__(self, number: int) -> Numbers:
        if not 0 <= number < self.count:
            raise IndexError(number)
        return self._members[self._at[number] : self._at[number + 1]]

    def add(self, core: Numbers) -> int:
        """Keep a core, which are the indices of two or more answers; return its number."""
        begin = int(self._at[self.count])
        while begin + len(core) > len(self._members):
            self._members = np.concatenate((self._members, np.zeros_like(self._members)))
        if self.count + 1 == len(self._at):
            self._at = np.concatenate((self._at, np.zeros_like(self._at)))
            self._masks = np.concatenate((self._masks, np.zeros_like(self._masks)))
        self._members[begin : begin + len(core)] = core
        self._at[self.count + 1] = begin + len(core)
        find_together(self._flat, self._columns, core, self._masks[self.count])
        self.count += 1
        return self.count - 1

    def together(self, number: int) -> Bits:
        """Return a bit for each guess: whether it leaves all answers of a core in one cell."""
        mask: Bits = self._masks[number]
        return mask

    def failing(self, guess: int) -> Numbers:
        """Return the numbers of the cores that a guess leaves together."""
        column = self._masks[: self.count, guess // WIDTH] >> np.uint64(guess % WIDTH)
        return np.flatnonzero(column & np.uint64(1))

    def inside(self, members: npt.NDArray[np.intp]) -> Numbers:
        """Return the numbers of the cores that a set of answers contains."""
        self._present[:] = False
        self._present[members] = True
        found, at = np.empty(self.count, np.int64), self._at[: self.count + 1]
        return found[: find_inside(self._members, at[:-1], at[1:], self._present, found)]

    def ruled_out(self, numbers: Numbers) -> Bits:
        """Return a bit for each guess: whether it leaves one of some cores together. The bits of padding are set."""
        mask: Bits = np.bitwise_or.reduce(self._masks[numbers], axis=0, initial=np.uint64(0))
        return mask | self._padding

    def weigh(self, numbers: Numbers) -> npt.NDArray[np.float64]:
        """Return the weight of each answer in some cores; the answers of each core share a weight of 1."""
        lengths = (self._at[1:] - self._at[:-1])[numbers]
        weights = np.bincount(self._joined(numbers), np.repeat(1 / lengths, lengths), len(self._present))
        return weights.astype(np.float64)

    def merged(self, numbers: Numbers) -> Numbers | None:
        """Return a few answers that contain enough of some cores to rule out every guess; None if all are too few.

        No single answer can be left out of them, as far as these cores show. First the greedy algorithm for set cover
        chooses cores: those that rule out the most guesses for each new answer. Then answers are left out.
        """
        masks = self._masks[numbers]
        answers, places = np.unique(self._joined(numbers), return_inverse=True)
        lengths = (self._at[1:] - self._at[:-1])[numbers]
        has = np.zeros((len(numbers), len(answers)), np.bool_)
        has[np.repeat(np.arange(len(numbers)), lengths), places] = True
        within = np.zeros(len(answers), np.bool_)
        if not cover(masks, has, ~self._padding, within):
            return None
        leave_out(masks, has, self._padding, within)
        return answers[within]

    def _joined(self, numbers: Numbers) -> Numbers:
        """Return the answers of some cores, one core after the other."""
        return np.concatenate([self._members[:0], *(self[number] for number in numbers.tolist())])
