"""The modes in which a guess must fit what has been seen, as one table for the search.

Whether a word may be guessed after a guess and its pattern depends on no more than the pattern that this guess would
get if the word were hidden: greens must be greens there, too, and of each letter as many must be green or yellow. In
ultra-hard mode it must be the same pattern. Which letters of the guess are equal matters, not which they are, so that
52 shapes do for all words.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from gpusolve.games.wordle.kernels import Letters
from gpusolve.games.wordle.rules import LETTERS, SOLVED, Mode, Scoring

CELLS = SOLVED + 1


def shapes_of(words: Letters) -> tuple[npt.NDArray[np.uint8], Letters]:
    """Which shape each word has, uint8 (words,), and the shapes: where each letter stands first, uint8 (shapes, 5)."""
    first = (words[:, :, None] == words[:, None, :]).argmax(axis=2).astype(np.uint8)
    shapes, which = np.unique(first, axis=0, return_inverse=True)
    return which.reshape(-1).astype(np.uint8), shapes


def fitting(shapes: Letters, mode: Mode, scoring: Scoring) -> npt.NDArray[np.uint8]:
    """[shape, seen, got]: whether a word that would give the pattern `got` may be guessed after `seen`, uint8.

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
            if scoring == "presence":  # yellows do not count there
                count = np.minimum(count, 1)
            fits[s] &= count[:, None] <= count[None, :]
    return fits.astype(np.uint8)
