"""The words that each board can hide: those of the answers, or for some boards all that can be guessed.

The published game does not follow the list of answers any more, but its words can still be guessed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Backend
from gpusolve.games.quordle import joint
from gpusolve.games.quordle.kernels import JointTables
from gpusolve.games.quordle.variant import Variant
from gpusolve.games.wordle.kernels import Codes
from gpusolve.games.wordle.rules import LETTERS, History, mark


@dataclass(frozen=True, eq=False)
class Lists:
    """The tables of the words that boards can hide.

    Attributes
    ----------
    variant : Variant
        The variant, whose answers are all words that a board can hide.
    tables : JointTables
        Its tables.
    codes : ndarray of uint8 or uint16, shape (answers, columns)
        The pattern of each guess against each of these words, on the host, as `kernels.numbered_patterns` numbers it.
    listed : ndarray of intp
        Those of these words that are in the list of answers.
    """

    variant: Variant
    tables: JointTables
    codes: Codes
    listed: npt.NDArray[np.intp]

    @classmethod
    def prepare(cls, backend: Backend, variant: Variant, *, widened: bool) -> Lists:
        """Return the tables of the answers, or of all words that can be guessed.

        Words that are in no list share a small part of the weight, if the answers have weights (`Weights.spread`).
        """
        whole = variant
        if widened:
            weights = variant.weights and variant.weights.spread(variant.answers, variant.guesses)
            whole = replace(variant, answers=variant.guesses, weights=weights)
        tables = joint.prepare(backend, whole)
        listed = np.array([whole.answers.place[word] for word in variant.answers])
        return cls(whole, tables, backend.to_host(tables.codes), listed)

    def fitting(self, history: History, *, widened: bool) -> npt.NDArray[np.intp]:
        """Return the words that a board with these patterns can hide: of the list, or of all words if `widened`."""
        fit = np.arange(len(self.variant.answers)) if widened else self.listed
        for guess, code in history:
            column = self.codes[fit, self.variant.guesses.place[guess]]
            if self.variant.length <= LETTERS:
                fit = fit[column == code + 3**LETTERS - 3**self.variant.length]
                continue
            # Patterns of longer words are numbered, so the first word with each number stands for all of them.
            numbers, first = np.unique(column, return_index=True)
            marks = [mark(guess, self.variant.answers[int(word)], self.variant.scoring) for word in fit[first]]
            fit = fit[np.isin(column, numbers[np.array(marks) == code])]
        return fit

    def words(self, fit: Sequence[int] | npt.NDArray[np.intp]) -> list[str]:
        """Return these words."""
        return [self.variant.answers[int(place)] for place in fit]
