"""The modes that restrict guesses (hard and ultra-hard), as one table for the search.

Whether a word may be guessed after a guess and its pattern depends only on the pattern that the guess would get if the
word were hidden. In hard mode every green must be green there, too, and at least as many of each letter must be green
or yellow. In ultra-hard mode the pattern must be the same. It matters which letters of the guess are equal, but not
which letters they are, so 52 shapes cover all words.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from gpusolve.games.wordle.kernels import Letters
from gpusolve.games.wordle.rules import LETTERS, SOLVED, Mode, Scoring

CELLS = SOLVED + 1


def shapes_of(words: Letters) -> tuple[npt.NDArray[np.uint8], Letters]:
    """Return the shape of each word, uint8 (words,), and the shapes, uint8 (shapes, 5).

    A shape gives, for each position, the first position that has the same letter.
    """
    first = (words[:, :, None] == words[:, None, :]).argmax(axis=2).astype(np.uint8)
    number = first.astype(np.int64) @ words.shape[1] ** np.arange(words.shape[1])[::-1]  # rows take longer to sort
    _, index, which = np.unique(number, return_index=True, return_inverse=True)
    return which.reshape(-1).astype(np.uint8), first[index]


def fitting(shapes: Letters, mode: Mode, scoring: Scoring) -> npt.NDArray[np.uint8]:
    """Return which patterns the next guess may get: uint8 (shapes, 243, 243).

    Element [shape, seen, got] is 1 if a word may be guessed after the pattern `seen` of a guess of this shape, where
    `got` is the pattern that the guess would get if that word were hidden.

    >>> from gpusolve.games.wordle.rules import parse_pattern
    >>> fits = fitting(np.array([[0, 1, 2, 3, 4]], np.uint8), "hard", "wordle")
    >>> seen = parse_pattern("gy---")
    >>> [int(fits[0, seen, parse_pattern(got)]) for got in ("gg---", "gy--y", "yg---", "g-yyy")]
    [1, 1, 0, 0]
    """
    if mode == "ultra-hard":
        return np.broadcast_to(np.eye(CELLS, dtype=np.uint8), (len(shapes), CELLS, CELLS)).copy()
    marks = np.arange(CELLS)[:, None] // 3 ** np.arange(LETTERS) % 3
    green, coloured = marks == 2, marks > 0
    fits = np.ones((len(shapes), CELLS, CELLS), np.bool_)
    for i in range(LETTERS):
        fits &= ~green[None, :, None, i] | green[None, None, :, i]
    for s, shape in enumerate(shapes):
        for letter in np.unique(shape):
            count = coloured[:, shape == letter].sum(axis=1)
            if scoring == "presence":  # yellows do not reveal how often a letter occurs
                count = np.minimum(count, 1)
            fits[s] &= count[:, None] <= count[None, :]
    return fits.astype(np.uint8)
