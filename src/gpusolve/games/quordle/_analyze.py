"""A finished game, judged guess by guess."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gpusolve.backend import Backend, open_backend
from gpusolve.errors import BadInput
from gpusolve.games.quordle import joint
from gpusolve.games.quordle.ratings import Rating, rank_guesses, rate_guess
from gpusolve.games.quordle.rules import check_max_guesses
from gpusolve.games.quordle.variant import Variant, check_hidden, check_made, check_variant


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


def analyze(
    hidden: Sequence[str],
    made: Sequence[str],
    *,
    variant: Variant | None = None,
    max_guesses: int | None = None,
    backend: Backend | None = None,
) -> list[Judgement]:
    """Rate each guess of a finished game, beside the guess that `joint` would have made.

    Parameters
    ----------
    hidden : sequence of str
        The hidden words, one for each board.
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
    list of Judgement
        One for each guess. Costs are in bits, less what a solved board counts for each board that is solved.

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
    return judgements
