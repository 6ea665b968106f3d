"""Batches of boards: what the solver asks the device for."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Array, Backend, Program
from gpusolve.games.queuedle.rules import SHORTEST, Puzzle, usable
from gpusolve.resources import kernels_dir

PROGRAM = Program(kernels_dir() / "queuedle.cu", "gpusolve.games.queuedle.cpu")
ALPHABET = 26
SLIDES_BIT = 24
"""The bit of a state's last word from which the slides made are counted."""
NOISE_LEVELS = 16
"""A key is 1 + NOISE_LEVELS * value + noise."""
MOST_ENDINGS = 6
"""Slides that `Boards.finish` tries out."""


def encode_line(letters: str) -> int:
    """A line as the number that the tables have it under.

    >>> encode_line("abc")
    28
    """
    number = 0
    for letter in letters:
        number = number * ALPHABET + ord(letter) - ord("a")
    return number


def encode(puzzle: Puzzle) -> npt.NDArray[np.uint32]:
    """The state before the first slide: uint32 (n + 1, 1), rows and then directions and slides made, all 0."""
    return np.array([[encode_line(row)] for row in puzzle.grid] + [[0]], np.uint32)


def line_scores(backend: Backend, words: Collection[str], size: int) -> Array:
    """The score of each of the 26^size lines, uint8, on the device: 457 KB, 12 MB or 309 MB.

    Raises BadInput if no word has 3..size letters.
    """
    fitting = usable(words, size)
    shorter, inner = (backend.asarray(np.zeros(ALPHABET**letters, np.uint8)) for letters in (2, 1))
    for letters in range(SHORTEST, size + 1):
        host = np.zeros(ALPHABET**letters, np.uint8)
        host[[encode_line(word) for word in fitting if len(word) == letters]] = letters
        out = backend.asarray(host)
        parts = ALPHABET ** (letters - 2)
        backend.launch(PROGRAM, "line_scores", ALPHABET * parts, shorter, inner, parts, out)
        shorter, inner = out, shorter
    return shorter


@dataclass(frozen=True)
class Boards:
    """The batch functions of one puzzle on one device. States are uint32 (n + 1, count), as `encode` has them."""

    backend: Backend
    size: int
    queue: Array
    """uint8 on the device, letters 0..25."""
    queue_length: int

    @classmethod
    def of(cls, backend: Backend, puzzle: Puzzle) -> Boards:
        """The batch functions for a puzzle's grid size and queue."""
        letters = np.frombuffer(puzzle.queue.encode(), np.uint8) - ord("a")
        queue = backend.asarray(np.append(letters, np.uint8(0)))  # never an empty array
        return cls(backend, puzzle.size, queue, len(letters))

    @property
    def moves(self) -> int:
        """Slides of a board, allowed or not."""
        return 4 * self.size

    def totals(self, states: Array, table: Array) -> Array:
        """The sum of the table over the lines of each state, int32 (count,): its score with a table of scores."""
        count = states.shape[1]
        out = self.backend.empty(count, np.int32)
        self.backend.launch(PROGRAM, "totals", count, states, count, self.size, table, out)
        return out

    def slide(self, states: Array, parents: Array, moves: Array) -> Array:
        """The states after the slides `moves` (uint16) of the states `parents` (int32)."""
        count = len(parents)
        out = self.backend.empty((self.size + 1, count), np.uint32)
        self.backend.launch(
            PROGRAM, "slide", count, states, states.shape[1], self.size, self.queue, parents, moves, out, count
        )
        return out

    def expand(self, states: Array, first: int, last: int, table: Array, salt: int = 0) -> Array:
        """The keys of all slides of the states first..last-1, uint16 (last - first, 4 n).

        A key is 0 where the slide is not allowed, else 1 + NOISE_LEVELS * (the table's sum over the child's lines) + a
        noise of 0..15 that depends on the parent, the move and `salt`, an odd uint32; 0 for salt 0.
        """
        count = last - first
        out = self.backend.empty((count, self.moves), np.uint16)
        self.backend.launch(
            PROGRAM,
            "expand",
            count,
            states,
            states.shape[1],
            first,
            self.size,
            table,
            self.queue,
            self.queue_length,
            salt,
            out.reshape(-1),
        )
        return out

    def finish(self, states: Array, table: Array, moves: int) -> tuple[Array, Array]:
        """What at most `moves` more slides make of each state, by all of them: best value (int64) and sequence (int64).

        `moves` is no more than what the queue holds after the slides made, and at most MOST_ENDINGS; `finishing` reads
        a sequence.
        """
        count = states.shape[1]
        best = self.backend.empty(count, np.uint64)
        self.backend.launch(PROGRAM, "finish", count, states, count, self.size, table, self.queue, moves, best)
        return (best >> np.uint64(32)).astype(np.int64), (~best & np.uint64(0xFFFFFFFF)).astype(np.int64)


def finishing(sequence: int, moves: int) -> list[int]:
    """The slides of a sequence that `finish` gave for `moves`.

    >>> finishing(4 << 5, 2)
    [3]
    """
    fields = [sequence >> 5 * (moves - 1 - k) & 31 for k in range(moves)]
    return [field - 1 for field in fields if field]
