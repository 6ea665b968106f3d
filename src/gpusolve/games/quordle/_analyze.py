"""A finished game, judged guess by guess."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gpusolve.backend import Backend, open_backend
from gpusolve.errors import BadInput
from gpusolve.games.quordle import joint
from gpusolve.games.quordle.ratings import Rating, rank_guesses, rate_guess
from gpusolve.games.quordle.rules import Turn, check_max_guesses, turns_of
from gpusolve.games.quordle.sharing import hidden_and_made
from gpusolve.games.quordle.variant import Variant, check_hidden, check_made, check_variant
from gpusolve.notebook import as_html, as_text, columns_of

VALUES = ("guess", "cost", "solves", "bits", "mean")
"""What is compared of the guess that was made and of the best one."""


@dataclass(frozen=True)
class Judgement:
    """A guess of a finished game, beside the best one.

    Attributes
    ----------
    made : Rating
        The guess that was made.
    best : Rating
        The guess that `joint` would have made in its place.
    left : list of int
        Number of words that fitted each board before the guess; 0 for a solved board.
    """

    made: Rating
    best: Rating
    left: list[int]

    _repr_html_ = as_html
    __repr__ = as_text


class Analysis(list[Judgement]):
    """A finished game: the judgement of each guess. A notebook draws it.

    Parameters
    ----------
    judgements : iterable of Judgement
        One for each guess.
    hidden : list of str
        The hidden words, one for each board.
    turns : list of Turn
        The guesses with the patterns of all boards.
    left : list of int
        Number of words that fit each board after the last guess; 0 for a solved board.
    """

    _repr_html_ = as_html

    def __init__(self, judgements: Iterable[Judgement], hidden: list[str], turns: list[Turn], left: list[int]) -> None:
        super().__init__(judgements)
        self.hidden, self.turns, self.left = hidden, turns, left

    def columns(self) -> dict[str, list[Any]]:
        """Return the judgements as columns, for ``pandas.DataFrame`` and ``polars.DataFrame``.

        Returns
        -------
        dict of str to list
            ``guess``, ``cost``, ``solves``, ``bits`` and ``mean`` of each guess, and the same of the ``best_guess``.
        """
        made = columns_of([judgement.made for judgement in self], *VALUES)
        best = columns_of([judgement.best for judgement in self], *VALUES)
        return made | {f"best_{name}": values for name, values in best.items()}


def analyze(
    hidden: Sequence[str],
    made: Sequence[str],
    *,
    variant: Variant | None = None,
    max_guesses: int | None = None,
    backend: Backend | None = None,
) -> Analysis:
    """Rate each guess of a finished game, beside the guess that `joint` would have made.

    Parameters
    ----------
    hidden : sequence of str
        The hidden words, one for each board; or the text that Quordle shares, if all boards are solved.
    made : sequence of str
        The guesses in order.
    variant : Variant, optional
        The word lists and the scoring. By default those of the original game.
    max_guesses : int, optional
        Number of guesses that the game allowed. By default boards + 5.
    backend : Backend, optional
        The device. By default the one that ``GPUSOLVE_DEVICE`` names.

    Returns
    -------
    Analysis
        A list of one judgement for each guess. Costs are in bits, less what a solved board counts for each board that
        is solved.

    Raises
    ------
    BadInput
        For words that are not in the lists, and for a guess after the last board is solved.

    Examples
    --------
    >>> [judgement.best.guess for judgement in analyze(["crane", "trace"], ["carle", "crane", "trace"])]
    ['carle', 'angst', 'brace']
    """
    variant = check_variant(variant)
    hidden, made = hidden_and_made(hidden, made)
    words, guesses = check_hidden(hidden, variant), check_made(made, variant)
    answers = [variant.answers.place[word] for word in words]
    max_guesses = check_max_guesses(max_guesses, len(words))
    backend = open_backend(backend)
    tables = joint.prepare(backend, variant)
    codes = backend.to_host(tables.codes)
    fitting = [np.arange(len(variant.answers)) for _ in words]
    judgements = []
    for number, guess in enumerate(guesses, 1):
        unsolved = [fit for fit in fitting if len(fit)]
        if not unsolved:
            raise BadInput(f"guess {number}, {guess}: expected no guess after the last board is solved")
        left, is_first = max_guesses - number + 1, number == 1
        best = rank_guesses(backend, unsolved, variant=variant, tables=tables, guesses_left=left, is_first=is_first)[0]
        rating = rate_guess(
            backend, guess, unsolved, variant=variant, tables=tables, guesses_left=left, is_first=is_first
        )
        judgements.append(Judgement(rating, best, [len(fit) for fit in fitting]))
        column = codes[:, variant.dictionary.place[guess]]
        fitting = [
            fit[:0] if not len(fit) or guess == word else fit[column[fit] == column[answer]]
            for fit, answer, word in zip(fitting, answers, words, strict=True)
        ]
    return Analysis(judgements, words, turns_of(words, guesses, variant.scoring), [len(fit) for fit in fitting])
