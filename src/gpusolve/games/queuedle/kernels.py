"""Batches of boards and lines on a device: the functions that launch the kernels."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Array, Backend, Program
from gpusolve.games.queuedle.puzzles import Puzzle
from gpusolve.games.queuedle.rules import SHORTEST, usable
from gpusolve.resources import kernels_dir

PROGRAM = Program(kernels_dir() / "queuedle.cu", "gpusolve.games.queuedle.cpu")
ALPHABET = 26
SLIDES_BIT = 24
"""The lowest bit of the number of slides made, in the last word of a state."""
NOISE_LEVELS = 16
"""A key is 1 + NOISE_LEVELS * value + noise."""
MOST_ENDINGS = 6
"""Number of slides that `Boards.finish` tries, at most."""


def encode_line(letters: str) -> int:
    """Return the number of a line, by which the tables are indexed.

    >>> encode_line("abc")
    28
    """
    number = 0
    for letter in letters:
        number = number * ALPHABET + ord(letter) - ord("a")
    return number


def encode(puzzle: Puzzle) -> npt.NDArray[np.uint32]:
    """Return the state before the first slide, uint32 (n + 1, 1): the rows, then directions and slides made, all 0."""
    return np.array([[encode_line(row)] for row in puzzle.grid] + [[0]], np.uint32)


def line_scores(backend: Backend, words: Collection[str], size: int) -> Array:
    """Return the score of each of the 26^size lines, uint8, on the device: 457 KB, 12 MB or 309 MB.

    Raises BadInput if no word has 3 to `size` letters.
    """
    fitting = usable(words, size)
    shorter, inner = (backend.asarray(np.zeros(ALPHABET**letters, np.uint8)) for letters in (2, 1))
    for letters in range(SHORTEST, size + 1):
        host = np.zeros(ALPHABET**letters, np.uint8)
        host[[encode_line(word) for word in fitting if len(word) == letters]] = letters
        out = backend.asarray(host)
        backend.launch(PROGRAM, "line_scores", len(shorter), shorter, inner, out)
        shorter, inner = out, shorter
    return shorter


@dataclass(frozen=True)
class PuzzleLines:
    """The lines that the letters of a puzzle can form, numbered in base `count`, and their batch functions.

    Lines with any other letter never stand on the puzzle's board, and with 18 of 26 letters there are six times fewer
    lines of five letters.
    """

    backend: Backend
    size: int
    """Letters of a line."""
    count: int
    """Different letters of the puzzle."""
    weights: Array
    """The weight of each of these letters, float32 (count,)."""
    alphabet: Array
    """These letters as numbers 0 to 25, uint8 (count,)."""
    prefixes: Array
    """The number in base 26 of each line without its last letter, int32 (parts,)."""

    @classmethod
    def of(cls, backend: Backend, weights: npt.NDArray[np.float32], size: int) -> PuzzleLines:
        """Return the lines of `size` letters that have a weight; `weights` are float32 (26,)."""
        used = np.flatnonzero(weights).astype(np.int32)
        prefixes = np.zeros(1, np.int32)
        for _ in range(size - 1):
            prefixes = (prefixes[:, None] * np.int32(ALPHABET) + used).reshape(-1)
        alphabet = backend.asarray(used.astype(np.uint8))
        return cls(backend, size, len(used), backend.asarray(weights[used]), alphabet, backend.asarray(prefixes))

    @property
    def parts(self) -> int:
        """Number of these lines without their last letter."""
        return len(self.prefixes)

    def select(self, table: Array) -> Array:
        """Return the entries of a table over all 26^size lines for these lines, float32 (count * parts,)."""
        columns = self.alphabet.astype(np.int32)
        return table.reshape(-1, ALPHABET)[self.prefixes][:, columns].astype(np.float32).reshape(-1)

    def power_means(self, worth: Array, means: Array) -> None:
        """Write to `means`, float32 (size, parts), the power mean over the letters that can stand at each place."""
        given = (worth, self.weights, self.count, self.parts, means.reshape(-1))
        self.backend.launch(PROGRAM, "power_means", self.size * self.parts, *given)

    def approach(self, worth: Array, means: Array, *, pace: float, unit: int) -> Array:
        """Move `worth` the fraction `pace` of the way to the mean of `means` over the places, and return it as a table.

        The table is uint8 (26^size,), in steps of 1 / `unit`, and 0 for all other lines.
        """
        table = self.backend.xp.zeros(ALPHABET**self.size, np.uint8)
        self.backend.launch(
            PROGRAM, "approach", self.parts, means, np.float32(pace), np.float32(unit), self.prefixes, self.alphabet,
            worth, table,
        )  # fmt: skip
        return table


@dataclass(frozen=True)
class Boards:
    """The batch functions of one puzzle on one device. States are uint32 (n + 1, count), as `encode` lays them out."""

    backend: Backend
    size: int
    """Rows of the grid."""
    queue: Array
    """The letters 0 to 25 of the queue, uint8 (queue_length + 1,), on the device; the last element is unused."""
    queue_length: int

    @classmethod
    def of(cls, backend: Backend, puzzle: Puzzle) -> Boards:
        """Return the batch functions for a puzzle's grid size and queue."""
        letters = np.frombuffer(puzzle.queue.encode(), np.uint8) - ord("a")
        queue = backend.asarray(np.append(letters, np.uint8(0)))  # never an empty array
        return cls(backend, puzzle.size, queue, len(letters))

    @property
    def moves(self) -> int:
        """Number of slides of a board, legal or not."""
        return 4 * self.size

    def totals(self, states: Array, table: Array) -> Array:
        """Return the sum of the table over the lines of each state, int32 (count,). A table of scores gives scores."""
        return self.backend.launch(PROGRAM, "totals", states.shape[1], states, table)

    def slide(self, states: Array, parents: Array, moves: Array) -> Array:
        """Return the states after the slides `moves` (uint16) of the states numbered `parents` (int32)."""
        count = len(parents)
        return self.backend.launch(PROGRAM, "slide", count, states, self.queue, parents, moves, count)

    def expand(self, states: Array, first: int, last: int, *, table: Array, salt: int = 0) -> Array:
        """Return the keys of all slides of the states `first` to `last` - 1, uint16 (last - first, 4 n).

        A key is 0 for an illegal slide, otherwise 1 + NOISE_LEVELS * (the sum of the table over the child's lines) +
        noise. The noise is 0 to 15, depends on the parent, the move and `salt` (an odd uint32), and is 0 for salt 0.
        """
        keys = self.backend.launch(PROGRAM, "expand", last - first, states, first, table, self.queue, salt)
        return keys.reshape(-1, self.moves)

    def finish(self, states: Array, table: Array, moves: int) -> tuple[Array, Array]:
        """Return the best value that up to `moves` more slides reach from each state (int64), and the slides (int64).

        All sequences are tried. `moves` must not exceed MOST_ENDINGS or the rest of the queue. `decode_ending` decodes
        the slides.
        """
        best = self.backend.launch(PROGRAM, "finish", states.shape[1], states, table, self.queue, moves)
        return (best >> np.uint64(32)).astype(np.int64), (~best & np.uint64(0xFFFFFFFF)).astype(np.int64)


def decode_ending(sequence: int, moves: int) -> list[int]:
    """Return the slides of a sequence that `Boards.finish` gave for `moves`.

    >>> decode_ending(4 << 5, 2)
    [3]
    """
    fields = [sequence >> 5 * (moves - 1 - k) & 31 for k in range(moves)]
    return [field - 1 for field in fields if field]
