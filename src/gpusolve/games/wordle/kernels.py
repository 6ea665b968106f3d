"""Batches of patterns and partitions, computed on a device."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Array, Backend, Program, in_batches
from gpusolve.games.wordle.cpu import lengths
from gpusolve.games.wordle.rules import LETTERS, MEASURES, Measure, Scoring
from gpusolve.resources import kernels_dir
from gpusolve.result import Result

PROGRAM = Program(kernels_dir() / "wordle.cu", "gpusolve.games.wordle.cpu")
ALIGN = 16
"""Columns that a thread of the device reads at once."""
NLOGN_ONE = 2.0**32
"""The number 1 in the fixed-point format of n log2 n, which has 32 fractional bits."""
PARTITION_BYTES = 25
"""Bytes of the results of the kernel `partition` for each guess and subset."""

PAD = 26
"""The letter that fills up words of fewer than five letters."""
CHUNK = 1 << 24
"""Number of patterns of longer words that are computed at a time."""
MOST_LETTERS = 255
"""Upper limit of the numbers of different letters in a call."""

Letters: TypeAlias = npt.NDArray[np.integer[Any]]
"""Words as letters, shape (n, length): 0..25 in uint8, or other letters as `wordlist.encode` numbers them in int64."""
Codes: TypeAlias = npt.NDArray[np.unsignedinteger[Any]]
"""Patterns: uint8 for words of up to five letters, uint16 for up to ten, uint32 for more."""


@dataclass(frozen=True, eq=False)
class Terms:
    """Guesses in the form that the kernels read.

    A term is a letter and the set of positions where a guess has it. Term 0 is empty.
    """

    guesses: npt.NDArray[np.int32]
    """The terms of each guess, shape (n, length), at least five."""
    letters: Letters
    """The letter of each term."""
    masks: npt.NDArray[np.unsignedinteger[Any]]
    """The positions of each term, a bit for each: uint8 for up to five letters, else uint16."""
    length: int = LETTERS
    """The number of letters of each guess."""

    @property
    def is_long(self) -> bool:
        """Whether the guesses have more than five letters."""
        return self.length > LETTERS


@dataclass(frozen=True, eq=False, repr=False)
class Partition(Result):
    """Measures of how each guess splits each subset of the answers.

    All are integers, so that every device computes the same; entropy and expected size are derived from them.

    Attributes
    ----------
    sizes : ndarray of int32, shape (subsets,)
        Number of answers of each subset.
    patterns : ndarray of int32, shape (subsets, guesses)
        Number of different patterns, which is the number of cells.
    largest : ndarray of int32, shape (subsets, guesses)
        Answers in the largest cell.
    sum_squares : ndarray of int64, shape (subsets, guesses)
        Sum of the squared sizes of the cells.
    sum_nlogn : ndarray of int64, shape (subsets, guesses)
        Sum of n log2 n over the sizes n of the cells, times 2^32.
    contains : ndarray of bool, shape (subsets, guesses)
        Whether the guess is in the subset.
    """

    sizes: npt.NDArray[np.int32]
    patterns: npt.NDArray[np.int32]
    largest: npt.NDArray[np.int32]
    sum_squares: npt.NDArray[np.int64]
    sum_nlogn: npt.NDArray[np.int64]
    contains: npt.NDArray[np.bool_]

    @property
    def masses(self) -> npt.NDArray[np.integer[Any]]:
        """The number of answers of each subset, or their weight, shape (subsets,)."""
        return self.sizes

    @property
    def now(self) -> npt.NDArray[Any]:
        """The number, or the weight, of the answers that the guess itself finds, shape (subsets, guesses)."""
        return self.contains

    @property
    def next(self) -> npt.NDArray[np.integer[Any]]:
        """The largest number, or weight, of answers that this guess or the one after it can find."""
        return self.patterns

    @property
    def bit(self) -> float:
        """One bit of entropy for an answer (of weight 1), in the unit of `sum_nlogn`."""
        return NLOGN_ONE

    @property
    def entropy(self) -> npt.NDArray[np.float64]:
        """The expected information of the pattern in bits, log2 N - (sum of n log2 n) / N, float64."""
        sizes = self.sizes[:, None].astype(np.float64)
        return np.log2(sizes) - self.sum_nlogn / (NLOGN_ONE * sizes)

    @property
    def expected(self) -> npt.NDArray[np.float64]:
        """The expected number of remaining answers, (sum of n^2) / N, float64."""
        return self.sum_squares / self.masses[:, None]

    def __repr__(self) -> str:
        subsets, guesses = self.patterns.shape
        return f"<Partition of {subsets:,} subset{'s' * (subsets != 1)} of the answers by {guesses:,} guesses>"


def pattern_matrix(backend: Backend, guesses: Terms, answers: Letters, *, scoring: Scoring = "wordle") -> Codes:
    """Return the pattern of every guess against every answer: shape (guesses, answers), on the host.

    For a batch of subsets of the answers, pass the words of one subset after the other as `answers`. All guesses are
    one batch, unless there is no room for their patterns.
    """
    guess_terms, terms = prepare(backend, guesses, answers, scoring=scoring)
    kernel = _for_length("patterns", guesses.length)

    def rows(batch: range) -> Codes:
        found = backend.launch(PROGRAM, kernel, len(batch), guess_terms[batch.start : batch.stop], terms)
        return np.asarray(backend.to_host(found)[:, : len(answers)])

    parts = list(in_batches(range(len(guess_terms)), lambda: len(guess_terms), rows))
    codes = parts[0] if len(parts) == 1 else np.concatenate(parts)
    if guesses.length < LETTERS:
        codes = codes - np.uint8(3**LETTERS - 3**guesses.length)  # the letters that fill up are green
    return codes


def numbered(rows: npt.NDArray[Any]) -> Codes:
    """Return the numbers of each row as numbers from 0, in the same order, in the smallest type that holds them."""
    numbers = [np.unique(row, return_inverse=True)[1] for row in rows]
    return np.array(numbers, np.min_scalar_type(max(int(row.max()) for row in numbers)))


def partition(
    backend: Backend,
    guesses: Terms,
    answers: Letters,
    subsets: Sequence[npt.NDArray[np.integer[Any]]] | None = None,
    *,
    scoring: Scoring = "wordle",
) -> Partition:
    """Measure how each guess splits each subset of the answers.

    `subsets` are arrays of indices into `answers`; None means one subset with all answers. No array of the size
    guesses x answers is stored: the terms take about 350 bytes for each answer of each subset, and the results take
    PARTITION_BYTES for each guess and subset. Raises ValueError for an empty subset.
    """
    subsets = [np.arange(len(answers))] if subsets is None else subsets
    if guesses.is_long:
        return _long_partition(backend, guesses, answers, subsets, scoring)
    sizes, arrays = _partition(backend, guesses, answers, subsets, scoring)
    shape = len(subsets), len(guesses.guesses)
    patterns, largest, sum_squares, sum_nlogn, contains = (backend.to_host(array).reshape(shape) for array in arrays)
    return Partition(sizes, patterns, largest, sum_squares, sum_nlogn, contains.astype(np.bool_))


def choose(
    backend: Backend,
    guesses: Terms,
    answers: Letters,
    subsets: Sequence[npt.NDArray[np.integer[Any]]],
    *,
    measure: Measure,
    scoring: Scoring = "wordle",
    allowed: npt.NDArray[np.bool_] | None = None,
    contained: bool = False,
) -> npt.NDArray[np.int32]:
    """Return the best guess for each subset by a measure, int32 (subsets,): the first with the least `tables.costs`.

    `allowed`, bool (subsets, guesses), says which guesses may be made in which subset (None: all); with `contained`,
    only guesses that are in the subset may be made. The result is 0 for a subset where no guess may be made. The
    results of the kernel `partition` stay on the device. Raises ValueError for an empty subset.
    """
    if guesses.is_long:
        found = _long_partition(backend, guesses, answers, subsets, scoring)
        measures = found.patterns, found.largest, found.sum_squares, found.sum_nlogn, found.contains.view(np.uint8)
        backend = backend.host
        arrays: Sequence[Array] = [np.ascontiguousarray(values).reshape(-1) for values in measures]
    else:
        _, arrays = _partition(backend, guesses, answers, subsets, scoring)
    words = 0 if allowed is None else -(-allowed.shape[1] // 32)
    bits = np.zeros((len(subsets), words * 4), np.uint8)
    if allowed is not None:
        packed = np.packbits(allowed, axis=1, bitorder="little")
        bits[:, : packed.shape[1]] = packed
    best = backend.launch(
        PROGRAM, "choose", len(subsets), *arrays, len(guesses.guesses), MEASURES.index(measure),
        backend.asarray(bits.view(np.uint32)), int(contained),
    )  # fmt: skip
    return backend.to_host(best)


def _long_partition(
    backend: Backend,
    guesses: Terms,
    answers: Letters,
    subsets: Sequence[npt.NDArray[np.integer[Any]]],
    scoring: Scoring,
) -> Partition:
    """Return what `partition` does for words of more than five letters: the device computes their patterns only."""
    sizes = np.array([len(subset) for subset in subsets], np.int32)
    if not sizes.all():
        raise ValueError("partition of an empty subset of the answers")
    shape = len(subsets), len(guesses.guesses)
    out = [np.zeros(shape, dtype) for dtype in (np.int32, np.int32, np.int64, np.int64, np.bool_)]
    members, nlogn = np.concatenate(subsets).astype(np.int64), nlogn_table(int(sizes.max()))
    step = max(1, CHUNK // len(answers))
    for begin in range(0, shape[1], step):
        chunk = replace(guesses, guesses=guesses.guesses[begin : begin + step])
        matrix = np.ascontiguousarray(pattern_matrix(backend, chunk, answers, scoring=scoring))
        lengths.measure(matrix, members, sizes, 3**guesses.length, nlogn, begin, *out)
    return Partition(sizes, *out)


def _partition(
    backend: Backend,
    guesses: Terms,
    answers: Letters,
    subsets: Sequence[npt.NDArray[np.integer[Any]]],
    scoring: Scoring,
) -> tuple[npt.NDArray[np.int32], Sequence[Array]]:
    """Return the sizes of the subsets, and the kernel's result arrays on the device, one row of guesses per subset."""
    sizes = np.array([len(subset) for subset in subsets], np.int32)
    if not sizes.all():
        raise ValueError("partition of an empty subset of the answers")
    starts = np.cumsum(_aligned(sizes), dtype=np.int64) - _aligned(sizes)
    members = np.concatenate(subsets)
    columns = np.repeat(starts - (np.cumsum(sizes) - sizes), sizes) + np.arange(len(members))

    guess_terms, terms = prepare(backend, guesses, answers[members], columns=columns, scoring=scoring)
    given = map(backend.asarray, (starts.astype(np.int32), sizes, nlogn_table(int(sizes.max()))))
    return sizes, backend.launch(PROGRAM, "partition", len(subsets) * len(guess_terms), guess_terms, terms, *given)


def prepare(
    backend: Backend,
    guesses: Terms,
    answers: Letters,
    *,
    columns: npt.NDArray[np.integer[Any]] | None = None,
    scoring: Scoring = "wordle",
) -> tuple[Array, Array]:
    """Compute the inputs of the kernels on the device.

    Return the terms of each guess, int32 (guesses, length, at least 5), and the rows of the terms, (terms, width). The
    answer answers[i] is in column columns[i] (None: i).
    """
    length = guesses.length
    if answers.shape[1] != length:
        raise ValueError(f"answers of {answers.shape[1]} letters, but guesses of {length}")
    columns = np.arange(len(answers)) if columns is None else columns
    width = int(_aligned(columns[-1] + 1))
    letters, answers = _dense(guesses.letters, _filled(answers))
    by_position = np.zeros((answers.shape[1], width), np.uint8)
    by_position[:, columns] = answers.T
    given = map(backend.asarray, (letters, guesses.masks, by_position))
    kernel = _for_length("terms", length)
    terms = backend.launch(PROGRAM, kernel, len(letters), *given, int(scoring == "presence"))
    return backend.asarray(guesses.guesses), terms


def _for_length(kernel: str, length: int) -> str:
    """Return the name of the kernel for words of this length: their patterns have 8, 16 or 32 bits."""
    return kernel if length <= LETTERS else f"{kernel}_16" if length <= 10 else f"{kernel}_32"


def _dense(letters: Letters, answers: Letters) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]:
    """Return the letters of terms and of answers as bytes: those of the terms by their order, any others as 255."""
    if letters.dtype == answers.dtype == np.uint8:
        return letters.astype(np.uint8, copy=False), answers.astype(np.uint8, copy=False)
    alphabet = np.unique(letters)
    if len(alphabet) > MOST_LETTERS:
        raise ValueError(f"{len(alphabet)} different letters: expected at most {MOST_LETTERS}")
    places = np.searchsorted(alphabet, answers)
    known = alphabet[np.minimum(places, len(alphabet) - 1)] == answers
    return np.searchsorted(alphabet, letters).astype(np.uint8), np.where(known, places, MOST_LETTERS).astype(np.uint8)


def _filled(words: Letters) -> Letters:
    """Return words of fewer than five letters with PAD after them; other words as they are."""
    fill = np.full((len(words), max(0, LETTERS - words.shape[1])), PAD, words.dtype)
    return np.concatenate((words, fill), axis=1) if fill.size else words


def terms_of(guesses: Letters) -> Terms:
    """Return the guesses as terms; the terms are in ascending order of letter, then mask."""
    length, guesses = guesses.shape[1], _filled(guesses)
    bits = guesses.shape[1]
    same = guesses[:, :, None] == guesses[:, None, :]
    masks = same @ (1 << np.arange(bits))
    is_first = ~np.tril(same, -1).any(axis=2)  # a repeated letter makes one term, at its first position
    alphabet, letters = np.unique(np.append(guesses.dtype.type(0), guesses), return_inverse=True)
    keys = np.where(is_first, letters.reshape(-1)[1:].reshape(guesses.shape).astype(np.int64) << bits | masks, 0)
    unique, index = np.unique(np.append(0, keys), return_inverse=True)
    return Terms(
        index.reshape(-1)[1:].reshape(guesses.shape).astype(np.int32),
        alphabet[unique >> bits],
        (unique & (1 << bits) - 1).astype(np.uint8 if length <= LETTERS else np.uint16),
        length,
    )


def nlogn_table(most: int) -> npt.NDArray[np.int64]:
    """Return n log2 n for n = 0..most, in fixed point with 32 fractional bits: int64 (most + 1,)."""
    n = np.arange(most + 1)
    return np.asarray(np.rint(n * np.log2(np.maximum(n, 1)) * NLOGN_ONE), np.int64)


def _aligned(n: Any) -> Any:
    """Round up to a multiple of ALIGN."""
    return (n + ALIGN - 1) // ALIGN * ALIGN
