"""A finished game, judged guess by guess."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from gpusolve.backend import Backend, open_backend
from gpusolve.checks import check_choice
from gpusolve.errors import BadInput
from gpusolve.games.quordle.lists import Lists
from gpusolve.games.quordle.ratings import Rating, rank_guesses, rate_guess
from gpusolve.games.quordle.rules import MODES, Mode, Turn, check_max_guesses, turns_of
from gpusolve.games.quordle.sharing import hidden_and_made
from gpusolve.games.quordle.variant import Variant, check_hidden, check_made, check_variant
from gpusolve.notebook import as_html, as_text, columns_of

VALUES = ("guess", "cost", "solves", "bits", "mean", "chance")
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
    widened : sequence of int
        The boards, counted from 1, whose hidden words are not among the answers, so that all words that can be guessed
        count as possible there.
    variant : Variant, optional
        The words by which the game is judged, and their weights if they have any. The lists have names:
        ``variant.answers.name``.
    """

    _repr_html_ = as_html

    def __init__(
        self,
        judgements: Iterable[Judgement],
        hidden: list[str],
        turns: list[Turn],
        left: list[int],
        widened: Sequence[int] = (),
        variant: Variant | None = None,
    ) -> None:
        super().__init__(judgements)
        self.hidden, self.turns, self.left, self.widened = hidden, turns, left, list(widened)
        self.variant = variant

    def columns(self) -> dict[str, list[Any]]:
        """Return the judgements as columns, for ``pandas.DataFrame`` and ``polars.DataFrame``.

        Returns
        -------
        dict of str to list
            ``guess``, ``cost``, ``solves``, ``bits``, ``mean`` and ``chance`` of each guess, and the same of the
            ``best_guess``.
        """
        made = columns_of([judgement.made for judgement in self], *VALUES)
        best = columns_of([judgement.best for judgement in self], *VALUES)
        return made | {f"best_{name}": values for name, values in best.items()}


def analyze(
    hidden: Sequence[str],
    made: Sequence[str],
    *,
    variant: Variant | None = None,
    mode: Mode = "classic",
    given: Sequence[str] = (),
    max_guesses: int | None = None,
    backend: Backend | None = None,
) -> Analysis:
    """Rate each guess of a finished game, beside the guess that `joint` would have made.

    Parameters
    ----------
    hidden : sequence of str
        The hidden words, one for each board; or the text that Quordle shares, if all boards are solved. If a word is
        not among the answers, all words that can be guessed count as possible on its board.
    made : sequence of str
        The guesses in order.
    variant : Variant, optional
        The word lists and the scoring. By default those of the original game.
    mode : {"classic", "sequence"}
        ``sequence``: a board opens when the boards before it are solved. Guesses are rated over the open board.
    given : sequence of str
        The guesses that the game made at the start (Rescue). They are not judged.
    max_guesses : int, optional
        Number of guesses that the game allowed, with those given. By default boards + 5, or boards + 6 in sequence.
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
    check_choice("mode", mode, MODES)
    hidden, made = hidden_and_made(hidden, made, variant.digraphs, variant.length)
    words, guesses = check_hidden(hidden, variant, listed=False), check_made([*given, *made], variant)
    max_guesses = check_max_guesses(max_guesses, len(words), mode)
    backend = open_backend(backend)
    unlisted = [board for board, word in enumerate(words) if word not in variant.answers]
    lists = Lists.prepare(backend, variant, widened=bool(unlisted))
    tables, answers = lists.tables, [lists.variant.answers.place[word] for word in words]
    fitting = [lists.fitting([], widened=board in unlisted) for board in range(len(words))]
    judgements = []
    for number, guess in enumerate(guesses, 1):
        unsolved = [fit for fit in fitting if len(fit)]
        if not unsolved:
            raise BadInput(f"guess {number}, {guess}: expected no guess after the last board is solved")
        left, is_first = max_guesses - number + 1, number == 1
        if mode == "sequence":
            opened = next(board for board, fit in enumerate(fitting, 1) if len(fit))
            left, unsolved = left - (len(words) - opened), unsolved[:1]
        if number > len(given):
            best = rank_guesses(
                backend, unsolved, variant=lists.variant, tables=tables, guesses_left=left, is_first=is_first
            )[0]
            rating = rate_guess(
                backend, guess, unsolved, variant=lists.variant, tables=tables, guesses_left=left, is_first=is_first
            )
            judgements.append(Judgement(rating, best, [len(fit) for fit in fitting]))
        column = lists.codes[:, variant.dictionary.place[guess]]
        fitting = [
            fit[:0] if not len(fit) or guess == word else fit[column[fit] == column[answer]]
            for fit, answer, word in zip(fitting, answers, words, strict=True)
        ]
    return Analysis(
        judgements,
        words,
        turns_of(words, guesses, variant.scoring, mode),
        [len(fit) for fit in fitting],
        [board + 1 for board in unlisted],
        variant,
    )
