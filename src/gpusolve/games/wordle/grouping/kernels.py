"""Batches of groups of words: what can be told apart, by a sample of the guesses and by all of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Array, Backend
from gpusolve.games.wordle import kernels
from gpusolve.games.wordle.kernels import PROGRAM
from gpusolve.games.wordle.rules import SOLVED, Scoring
from gpusolve.games.wordle.words import WordList

COUNTED = 255  # guesses of the sample that make the closeness: as many as a byte counts
SAMPLE = 768
OF_EACH_LETTER, OF_TWO_LETTERS = 2, 2
"""Guesses of the sample that hold a letter, or two at once: so words are told apart that differ in rare ones."""
MOST_WORDS = 6
"""Words of a group."""


@dataclass(frozen=True, eq=False)
class Separation:
    """What the kernels read to tell words apart. A group is a row of indices of words, int32, on the device.

    `sample` (uint8, words x guesses of the sample), `by_word` (uint8, words x all guesses): patterns. `counted`: of the
    sample so many guesses make the `closeness` (uint8, words x words), the number of them that do not tell two words
    apart. `cell_rows` (int32, sample x
    243), `cell_sizes` (the same) and `cells` (uint64, rows x words / 64): each cell of the sample, its words as bits.
    """

    backend: Backend
    sample: Array
    by_word: Array
    counted: int
    closeness: Array
    cell_rows: Array
    cell_sizes: Array
    cells: Array

    @classmethod
    def of(cls, backend: Backend, guesses: WordList, answers: WordList, scoring: Scoring = "wordle") -> Separation:
        """For groups of `answers` and all `guesses`. It takes words x (words + 2 x guesses) bytes."""
        words = len(answers)
        squares = kernels.partition(backend, guesses.terms, answers.letters, scoring=scoring).sum_squares[0]
        matrix = kernels.pattern_matrix(backend, guesses.terms, answers.letters, scoring)
        order = choose_order(guesses, squares)
        matrix = matrix[order]
        sample, counted = matrix[:SAMPLE], min(COUNTED, len(guesses))
        closeness = backend.empty((words, words), np.uint8)
        backend.launch(PROGRAM, "closeness", words, backend.asarray(matrix[:counted]), counted, words, closeness)
        cells = (backend.asarray(array) for array in _cells(sample))
        by_sample, by_word = (backend.asarray(np.ascontiguousarray(array.T)) for array in (sample, matrix))
        return cls(backend, by_sample, by_word, counted, closeness, *cells)

    @property
    def words(self) -> int:
        """Words that groups are made of."""
        return int(self.closeness.shape[0])

    def pairs(self, least: int) -> npt.NDArray[np.int32]:
        """The pairs of words with at least so much closeness, the closest first: int32 (pairs, 2), on the host."""
        closeness = self.backend.to_host(self.closeness)
        found = [np.flatnonzero(row[i + 1 :] >= least) + i + 1 for i, row in enumerate(closeness)]
        a = np.repeat(np.arange(self.words, dtype=np.int32), [len(some) for some in found])
        b = np.concatenate(found).astype(np.int32)
        order = np.argsort(~closeness[a, b], kind="stable")
        return np.ascontiguousarray(np.stack([a, b], axis=1)[order])

    def extended(self, groups: Array, least: int) -> tuple[npt.NDArray[np.int32], Any]:
        """How many words each group may be extended by, on the host, and a function that gives the larger groups.

        `least`: the closeness that the larger group must have. The function takes a slice of the groups.
        """
        return self._found("extend", groups, (self.closeness, self.words, least))

    def confused(self, groups: Array, least: int) -> tuple[npt.NDArray[np.int32], Any]:
        """The same, but only words that no guess of the sample tells from a group's words and those apart."""
        some = (self.sample, int(self.sample.shape[1]), self.cell_rows, self.cell_sizes, self.cells)
        return self._found("candidates", groups, (self.closeness, self.words, least, *some))

    def grown(self, core: npt.NDArray[np.int32], size: int, together: int) -> Array:
        """Groups of `size` words that hold the core's, in any order: at least all that no guess parts enough.

        That is, every guess leaves so many of their words together.
        """
        found = list(_grown(self.backend.to_host(self.by_word), core, size, together, -1))
        return self.backend.asarray(np.concatenate([np.empty((0, size), np.int32), *found]))

    def turns(self, groups: Array) -> npt.NDArray[np.uint8]:
        """Within how many guesses, of all there are, each group can always be solved: uint8 (groups,), on the host."""
        count, size = groups.shape
        out = self.backend.empty(count, np.uint8)
        guesses = int(self.by_word.shape[1])
        self.backend.launch(PROGRAM, "turns", count, groups, size, self.by_word, guesses, self.words, out)
        return self.backend.to_host(out)

    def _found(self, kernel: str, groups: Array, some: tuple[Any, ...]) -> tuple[npt.NDArray[np.int32], Any]:
        backend, (total, size) = self.backend, groups.shape
        nothing = backend.empty((0, size + 1), np.int32)

        def launch(part: Array, starts: npt.NDArray[np.int64], out: Array) -> Array:
            counts = backend.empty(len(part), np.int32)
            backend.launch(PROGRAM, kernel, len(part), part, size, *some, backend.asarray(starts), counts, out)
            return counts

        counts = backend.to_host(launch(groups, np.full(total, -1), nothing))

        def larger(part: Any) -> Array:
            ends = np.cumsum(counts[part], dtype=np.int64)
            out = backend.empty((int(ends[-1]) if len(ends) else 0, size + 1), np.int32)
            launch(groups[backend.asarray(part)], ends - counts[part], out)
            return out

        return counts, larger


def _grown(
    patterns: npt.NDArray[np.uint8], core: npt.NDArray[np.int32], size: int, together: int, after: int
) -> Iterator[npt.NDArray[np.int32]]:
    """The same, but only words beyond `after` are added, in ascending order."""
    rows, added = patterns[core], size - len(core)
    cells = (rows[:, None] == rows).sum(axis=1)
    largest = cells.max(axis=0)
    words = np.setdiff1d(np.arange(after + 1, len(patterns), dtype=np.int32), core)
    if (largest + added < together).any():
        return
    for g in np.flatnonzero(largest + added == together):  # all that are added must be in the largest cell, or in one
        words = words[np.isin(patterns[words, g], rows[cells[:, g] == largest[g], g])]
        if not len(words):
            return
    if added == 1:
        yield np.concatenate([np.broadcast_to(core, (len(words), len(core))), words[:, None]], axis=1)
        return
    for word in words:
        yield from _grown(patterns, np.append(core, word), size, together, int(word))


def choose_order(guesses: WordList, squares: npt.NDArray[np.int64]) -> npt.NDArray[np.intp]:
    """All guesses by the sum of squares of their cells, but first those that are counted, then those of the sample.

    Of these some hold each letter, or each two letters.
    """
    order = np.argsort(squares, kind="stable")
    holds = (guesses.letters[order][:, :, None] == np.arange(26)).any(axis=1)
    both = (holds[:, :, None] & holds[:, None, :]).reshape(len(order), -1)
    rank = np.full(len(order), 2)
    for number, size, some, most in ((1, SAMPLE, both, OF_TWO_LETTERS), (0, COUNTED, holds, OF_EACH_LETTER)):
        wanted = ((some.cumsum(axis=0, dtype=np.int16) <= most) & some).any(axis=1)
        rank[np.argsort(~wanted, kind="stable")[:size]] = number
    return np.asarray(order[np.argsort(rank, kind="stable")])


def _cells(
    sample: npt.NDArray[np.uint8],
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32], npt.NDArray[np.uint64]]:
    """The row of each cell, its words' number, and the rows of bits."""
    words = sample.shape[1]
    cell_rows, cell_sizes = np.zeros((2, len(sample), SOLVED + 1), np.int32)
    rows, count = [], 0
    for guess, patterns in enumerate(sample):
        codes, sizes = np.unique(patterns, return_counts=True)
        cell_sizes[guess, codes] = sizes
        cell_rows[guess, codes] = count + np.arange(len(codes))
        count += len(codes)
        bits = np.zeros((len(codes), (words + 63) // 64 * 64), np.uint8)
        bits[:, :words] = patterns == codes[:, None]
        rows.append(np.packbits(bits, axis=1, bitorder="little").view(np.uint64))
    return cell_rows, cell_sizes, np.ascontiguousarray(np.concatenate(rows))
