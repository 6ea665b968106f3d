"""Batches of groups of words: which of them guesses tell apart, by a sample of the guesses and by all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Array, Backend
from gpusolve.games.wordle import kernels
from gpusolve.games.wordle.cpu import groups as twins
from gpusolve.games.wordle.kernels import PROGRAM, Codes
from gpusolve.games.wordle.rules import SOLVED, Scoring
from gpusolve.games.wordle.wordlist import WordList

COUNTED = 255
"""Number of guesses of the sample that make the closeness, which fits in a byte."""
SAMPLE = 768
"""Number of guesses of the sample."""
OF_EACH_LETTER, OF_TWO_LETTERS = 2, 2
"""Minimum number of guesses of the sample with each letter, and with each pair of letters.

They tell words apart that differ in rare letters.
"""
MOST_WORDS = 6
"""Maximum number of words of a group."""


@dataclass(frozen=True, eq=False)
class Separation:
    """The arrays on the device from which kernels find out which words guesses tell apart.

    A group is a row of indices of words, int32, on the device.

    Attributes
    ----------
    backend : Backend
        The device.
    sample : array of uint8, shape (words, guesses of the sample)
        The patterns of the sample. If a guess has more than 243, those with equal remainders are taken for one, so that
        it tells fewer words apart than it does. That makes the search for groups a little slower, and not wrong.
    by_word : array, shape (words, guesses)
        The patterns of all guesses, which are numbered if words have more than five letters: uint8, or a larger type if
        a guess has more than 256.
    counted : int
        Number of guesses of the sample that make the closeness.
    closeness : array of uint8, shape (words, words)
        Number of these guesses that do not tell two words apart.
    cell_rows : array of int32, shape (guesses of the sample, 243)
        The row of `cells` for each pattern of each guess.
    cell_sizes : array of int32, shape (guesses of the sample, 243)
        Number of words of each cell.
    cells : array of uint64, shape (rows, words / 64)
        The words of each cell, as bits.
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
        """Make the arrays for groups of `answers` and all `guesses`: about words x (words + 2 x guesses) bytes.

        A pattern takes two bytes or more if a guess has more than 256.
        """
        words = len(answers)
        squares = kernels.partition(backend, guesses.terms, answers.letters, scoring=scoring).sum_squares[0]
        matrix = kernels.pattern_matrix(backend, guesses.terms, answers.letters, scoring=scoring)
        order = choose_order(guesses, squares)
        matrix = matrix[order]
        if guesses.terms.is_long:
            matrix = kernels.numbered(matrix)
        counted = min(COUNTED, len(guesses))
        sample = (matrix[:SAMPLE] % (SOLVED + 1)).astype(np.uint8, copy=False)  # few words get an equal remainder
        closeness = backend.launch(PROGRAM, "closeness", words, backend.asarray(sample[:counted]))
        cells = (backend.asarray(array) for array in _cells(sample))
        by_sample, by_word = (backend.asarray(np.ascontiguousarray(array.T)) for array in (sample, matrix))
        return cls(backend, by_sample, by_word, counted, closeness, *cells)

    @property
    def words(self) -> int:
        """Number of words that groups are made of."""
        return int(self.closeness.shape[0])

    def pairs(self, least: int) -> npt.NDArray[np.int32]:
        """Return the pairs with a closeness of at least `least`, the closest first: int32 (pairs, 2), on the host."""
        closeness = self.backend.to_host(self.closeness)
        partners = [np.flatnonzero(row[i + 1 :] >= least) + i + 1 for i, row in enumerate(closeness)]
        a = np.repeat(np.arange(self.words, dtype=np.int32), [len(words) for words in partners])
        b = np.concatenate(partners).astype(np.int32)
        order = np.argsort(~closeness[a, b], kind="stable")
        return np.ascontiguousarray(np.stack([a, b], axis=1)[order])

    def extended(self, groups: Array, least: int) -> tuple[npt.NDArray[np.int32], Any]:
        """Extend each group by one word so that its closeness is at least `least`.

        Return the number of such words for each group, on the host, and a function that makes the larger groups. The
        function takes the indices of the groups to extend.
        """
        return self._extended("extend", groups, (self.closeness, least))

    def confused(self, groups: Array, least: int) -> tuple[npt.NDArray[np.int32], Any]:
        """Extend each group, as `extended` does, but only to groups that no guess of the sample tells apart."""
        cells = (self.sample, self.cell_rows, self.cell_sizes, self.cells)
        return self._extended("candidates", groups, (self.closeness, least, *cells))

    def supersets(
        self, core: npt.NDArray[np.int32], size: int, together: int, stop: Callable[[], bool] = lambda: False
    ) -> Array:
        """Return the groups of `size` words that contain a core, where every guess leaves `together` words together.

        Their words are in any order, and other groups that contain the core may be among them. `stop` is asked from
        time to time whether the groups so far are enough.
        """
        parts = [np.empty((0, size), np.int32)]
        for part in _supersets(self.backend.to_host(self.by_word), core, size=size, together=together):
            if len(part):
                parts.append(part)
            if stop():
                break
        return self.backend.asarray(np.concatenate(parts))

    def turns(self, groups: Array) -> npt.NDArray[np.uint8]:
        """Return within how many guesses each group can always be solved, uint8 (groups,), on the host."""
        count, size = groups.shape
        if self.by_word.dtype != np.uint8:  # the kernel reads bytes
            found, host = np.empty(count, np.uint8), self.backend.to_host
            twins.turns(0, count, host(groups), size, host(self.by_word), self.by_word.shape[1], self.words, found)
            return found
        return self.backend.to_host(self.backend.launch(PROGRAM, "turns", count, groups, self.by_word))

    def _extended(self, kernel: str, groups: Array, inputs: tuple[Any, ...]) -> tuple[npt.NDArray[np.int32], Any]:
        """Run a kernel that extends groups: once to count the larger groups, and again to write those asked for."""
        backend, (total, size) = self.backend, groups.shape
        nothing = backend.empty((0, size + 1), np.int32)

        def launch(part: Array, starts: npt.NDArray[np.int64], out: Array) -> Array:
            return backend.launch(PROGRAM, kernel, len(part), part, *inputs, backend.asarray(starts), out)

        counts = backend.to_host(launch(groups, np.full(total, -1), nothing))

        def larger(part: Any) -> Array:
            ends = np.cumsum(counts[part], dtype=np.int64)
            out = backend.empty((int(ends[-1]) if len(ends) else 0, size + 1), np.int32)
            launch(groups[backend.asarray(part)], ends - counts[part], out)
            return out

        return counts, larger


def _supersets(
    patterns: Codes, core: npt.NDArray[np.int32], *, size: int, together: int, after: int = -1
) -> Iterator[npt.NDArray[np.int32]]:
    """Yield the groups as `Separation.supersets` does; only words beyond `after` are added, in ascending order.

    Where no group is possible, an empty part is yielded, so that the search can be stopped there.
    """
    nothing = np.empty((0, size), np.int32)
    rows, added = patterns[core], size - len(core)
    cells = (rows[:, None] == rows).sum(axis=1)
    largest = cells.max(axis=0)
    words = np.setdiff1d(np.arange(after + 1, len(patterns), dtype=np.int32), core)
    if (largest + added < together).any():
        yield nothing
        return
    for g in np.flatnonzero(largest + added == together):  # every added word must be in a cell of the largest size
        words = words[np.isin(patterns[words, g], rows[cells[:, g] == largest[g], g])]
        if not len(words):
            yield nothing
            return
    if added == 1:
        yield np.concatenate([np.broadcast_to(core, (len(words), len(core))), words[:, None]], axis=1)
        return
    for word in words:
        yield from _supersets(patterns, np.append(core, word), size=size, together=together, after=int(word))


def choose_order(guesses: WordList, squares: npt.NDArray[np.int64]) -> npt.NDArray[np.intp]:
    """Return all guesses, those counted for the closeness first, then the rest of the sample, then the others.

    Each part is sorted by the sum of squares of the guesses' cells. The counted guesses have OF_EACH_LETTER guesses
    with each letter, and the sample OF_TWO_LETTERS with each pair of letters.
    """
    order, letters = np.argsort(squares, kind="stable"), guesses.letters
    alphabet = np.arange(26) if letters.dtype == np.uint8 else np.unique(letters)
    has_letter = (letters[order][:, :, None] == alphabet).any(axis=1)
    has_both = (has_letter[:, :, None] & has_letter[:, None, :]).reshape(len(order), -1)
    rank = np.full(len(order), 2)
    for number, size, has, most in ((1, SAMPLE, has_both, OF_TWO_LETTERS), (0, COUNTED, has_letter, OF_EACH_LETTER)):
        required = ((has.cumsum(axis=0, dtype=np.int16) <= most) & has).any(axis=1)
        rank[np.argsort(~required, kind="stable")[:size]] = number
    return np.asarray(order[np.argsort(rank, kind="stable")])


def _cells(
    sample: npt.NDArray[np.uint8],
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32], npt.NDArray[np.uint64]]:
    """Return the row of each cell, its number of words, and the rows of bits."""
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
