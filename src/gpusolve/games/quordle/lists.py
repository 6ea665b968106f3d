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
from gpusolve.games.wordle.history import consistent_mask
from gpusolve.games.wordle.kernels import Codes
from gpusolve.games.wordle.rules import CHANCES, History
from gpusolve.games.wordle.weights.chances import covering, likeliest


@dataclass(frozen=True, eq=False)
class Left:
    """The words that remain on each board.

    Attributes
    ----------
    variant : Variant
        The variant, whose answers are all words that a board can hide.
    masks : list of ndarray of bool, shape (answers,)
        For each board which of these words fit its patterns.
    widened : list of int
        The boards that no listed answer fits, from 0, so that all words that can be guessed count as possible.
    """

    variant: Variant
    masks: list[npt.NDArray[np.bool_]]
    widened: list[int]

    def words(self, board: int) -> list[str]:
        """Return the words that a board can hide, the likeliest first."""
        words = self.variant.answers.take(self.masks[board])
        weights = None if self.variant.weights is None else self.variant.weights.array[self.masks[board]]
        return [words[i] for i in likeliest(words, weights).tolist()]

    def unlisted(self, board: int, listed: frozenset[str]) -> float:
        """Return the chance that a board hides a word that is not listed."""
        mask, weights = self.masks[board], self.variant.weights
        masses = np.ones(int(mask.sum())) if weights is None else weights.array[mask]
        outside = [word not in listed for word in self.variant.answers.take(mask)]
        return float(masses[outside].sum() / masses.sum())


def left_after(
    backend: Backend, variant: Variant, histories: Sequence[History], *, unlisted: Sequence[int] = ()
) -> Left:
    """Return the words that remain on boards with these patterns.

    A board that no answer fits, or that is `unlisted`, can hide every word that can be guessed. If the answers have
    weights, words that are in no list then share a small part of the weight (`Weights.spread`).
    """
    answers, scoring = variant.answers, variant.scoring
    masks = [consistent_mask(backend, answers.letters, history, scoring) for history in histories]
    widened = [board for board, mask in enumerate(masks) if board in unlisted or not mask.any()]
    if not widened or answers == variant.guesses:
        return Left(variant, masks, [])
    weights = variant.weights and variant.weights.spread(answers, variant.guesses)
    places = np.array([variant.guesses.place[word] for word in answers])
    for board, history in enumerate(histories):
        mask = np.zeros(len(variant.guesses), np.bool_)
        mask[places] = masks[board]
        if board in widened:
            mask = consistent_mask(backend, variant.guesses.letters, history, scoring)
        masks[board] = mask
    return Left(replace(variant, answers=variant.guesses, weights=weights), masks, widened)


@dataclass(frozen=True, eq=False)
class Lists:
    """The tables of the words that boards can hide.

    Attributes
    ----------
    variant : Variant
        The variant, whose answers are the words that a board can hide and by which guesses are judged.
    tables : JointTables
        Its tables.
    codes : ndarray of uint8 or uint16, shape (answers, columns)
        The pattern of each guess against each of these words, on the host, as `kernels.numbered_patterns` numbers it.
    fitting : list of ndarray of intp
        For each board the words that it can hide, as indices into these answers.
    """

    variant: Variant
    tables: JointTables
    codes: Codes
    fitting: list[npt.NDArray[np.intp]]

    @classmethod
    def prepare(cls, backend: Backend, left: Left, *, also: Sequence[str] = ()) -> Lists:
        """Return the tables of all answers; of words that have chances, those of the likeliest on any board.

        With chances, a board has only the words that `covering` chooses: so a word that is almost certain counts as
        known, and games can be played out. Words in `also` have tables in any case.
        """
        words, weights, masks = left.variant.answers, left.variant.weights, left.masks
        kept = np.ones(len(words), np.bool_)
        if weights is not None and weights.name == CHANCES:
            masks = [covering(np.where(mask, weights.array, 0)) for mask in masks]
            kept = np.logical_or.reduce(masks)
        kept[[words.place[word] for word in also]] = True
        judged = left.variant
        if weights is not None and not kept.all():
            weights = replace(weights, values=tuple(weights.array[kept].tolist()))
            judged = replace(judged, answers=words.take(kept), weights=weights)
        tables = joint.prepare(backend, judged)
        fitting = [np.flatnonzero(mask[kept]) for mask in masks]
        return cls(judged, tables, backend.to_host(tables.codes), fitting)
