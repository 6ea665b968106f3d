"""A finished game, judged guess by guess."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from gpusolve.backend import Backend, open_backend
from gpusolve.checks import check_choice, words_of
from gpusolve.errors import BadInput
from gpusolve.games.quordle.lists import Lists, left_after
from gpusolve.games.quordle.ratings import Rating, judge_guess
from gpusolve.games.quordle.rules import MODES, Mode, Turn, check_boards, check_max_guesses, turns_of
from gpusolve.games.quordle.sharing import hidden_and_made, read_shared
from gpusolve.games.quordle.variant import Variant, check_hidden, check_made, check_variant
from gpusolve.games.wordle.weights.chances import likely
from gpusolve.reprs import columns_of
from gpusolve.result import FLAT, Result, Rows

VALUES = ("guess", "cost", "solves", "bits", "mean", "chance")
"""What is compared of the guess that was made and of the best one."""


@dataclass(frozen=True, repr=False)
class Judgement(Result):
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


@dataclass(frozen=True, repr=False)
class Analysis(Rows[Judgement], schema="quordle.analyze/2"):
    """A finished game: the judgement of each guess.

    Attributes
    ----------
    rows : list of Judgement
        One for each guess.
    hidden : list of str
        The hidden words, one for each board.
    mode : {"classic", "sequence"}
        When boards opened.
    given : list of str
        The guesses that the game made at the start.
    turns : list of Turn
        The guesses with the patterns of all boards, also those given.
    left : list of int
        Number of words that fit each board after the last guess; 0 for a solved board.
    widened : list of int
        The boards, counted from 1, whose hidden words are not among the answers, so that all words that can be guessed
        count as possible there.
    variant : Variant
        The words by which the game is judged, and their weights if they have any.
    """

    rows: list[Judgement]
    hidden: list[str]
    mode: Mode
    given: list[str]
    turns: list[Turn]
    left: list[int]
    widened: list[int]
    variant: Variant = field(repr=False, metadata=FLAT)

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
    hidden: Sequence[str] | str,
    made: Sequence[str] | str = (),
    *,
    boards: int | None = None,
    mode: Mode = "classic",
    given: Sequence[str] | str = (),
    max_guesses: int | None = None,
    variant: Variant | None = None,
    backend: Backend | None = None,
) -> Analysis:
    """Judge a finished game: the value of each guess, and the best guess.

    Parameters
    ----------
    hidden : str or sequence of str
        The hidden words, separated by commas, such as ``hello,world,tests,value``, or the first words, as many as
        `boards`; or the text that Quordle shares, pasted in quotes, if all boards are solved. If a word is not among
        the answers, all words that can be guessed count as possible on its board.
    made : str or sequence of str
        The guesses in order. The command asks for those of a shared text.
    boards : int, optional
        Number of hidden words, 1 to 32, if they are not separated by commas. By default 4.
    mode : {"classic", "sequence"}
        When boards open. ``classic``: all at the start; ``sequence``: each when the boards before it are solved.
        Guesses are judged over the open board.
    given : str or sequence of str
        Guesses that the game made at the start (Rescue), separated by commas, such as ``crane,moist``. They are not
        judged. By default none.
    max_guesses : int, optional
        Number of guesses after which the game is lost, with those given, up to 64. By default the number of boards +
        5, or + 6 in sequence.
    variant : Variant, optional
        The word lists and the scoring. By default those of the original game.
    backend : Backend, optional
        The device. By default the one that ``GPUSOLVE_DEVICE`` names, or else ``auto``.

    Returns
    -------
    Analysis
        A judgement of each guess. Costs are in bits, less what a solved board counts for each board that
        is solved.

    Raises
    ------
    BadInput
        For words that are not in the lists, and for a guess after the last board is solved.

    Examples
    --------
    ``gpusolve quordle analyze hello,world,paper,value carle world hello paper value``

    >>> [judgement.best.guess for judgement in analyze(["crane", "trace"], ["carle", "crane", "trace"])]
    ['carle', 'vants', 'brace']
    """
    variant = likely(check_variant(variant))
    check_choice("mode", mode, MODES)
    hidden, made = _divided(hidden, words_of(made), boards, variant)
    begun = check_made(words_of(given), variant)
    words, guesses = check_hidden(hidden, variant, listed=False), [*begun, *check_made(made, variant)]
    max_guesses = check_max_guesses(max_guesses, len(words), mode)
    backend = open_backend(backend)
    unlisted = [board for board, word in enumerate(words) if word not in variant.answers]
    lists = Lists.prepare(backend, left_after(backend, variant, [[]] * len(words), unlisted=unlisted), also=words)
    tables, answers = lists.tables, [lists.variant.answers.place[word] for word in words]
    fitting = lists.fitting
    judgements = []
    for number, guess in enumerate(guesses, 1):
        unsolved = [fit for fit in fitting if len(fit)]
        if not unsolved:
            raise BadInput(f"guess {number}, {guess}: expected no guess after the last board is solved")
        left, is_first = max_guesses - number + 1, number == 1
        if mode == "sequence":
            opened = next(board for board, fit in enumerate(fitting, 1) if len(fit))
            left, unsolved = left - (len(words) - opened), unsolved[:1]
        if number > len(begun):
            rated, best = judge_guess(
                backend, guess, unsolved, variant=lists.variant, tables=tables, guesses_left=left, is_first=is_first
            )
            judgements.append(Judgement(rated, best, [len(fit) for fit in fitting]))
        column = lists.codes[:, variant.guesses.place[guess]]
        fitting = [
            fit[:0] if not len(fit) or guess == word else fit[column[fit] == column[answer]]
            for fit, answer, word in zip(fitting, answers, words, strict=True)
        ]
    return Analysis(
        rows=judgements,
        hidden=words,
        mode=mode,
        given=begun,
        turns=turns_of(words, guesses, variant.scoring, mode),
        left=[len(fit) for fit in fitting],
        widened=[board + 1 for board in unlisted],
        variant=variant,
    )


def _divided(
    hidden: Sequence[str] | str, made: Sequence[str], boards: int | None, variant: Variant
) -> tuple[Sequence[str], Sequence[str]]:
    """Return the hidden words and the guesses, which a shared text and a text without commas have together.

    Raises BadInput if there are no guesses.
    """
    if read_shared([hidden, *made] if isinstance(hidden, str) else [*hidden, *made], variant.length, variant.digraphs):
        texts = [hidden] if isinstance(hidden, str) else hidden
        return hidden_and_made(texts, made, variant.digraphs, variant.length)
    if not isinstance(hidden, str):
        return hidden, made
    if "," in hidden:
        if boards is not None:
            raise BadInput("boards: expected only if the hidden words are not separated by commas")
        words = hidden.split(",")
    else:
        number = 4 if boards is None else boards
        check_boards(number)
        every = [*hidden.split(), *made]
        words, made = every[:number], every[number:]
    if not made:
        expected = "the hidden words and the guesses, such as hello,world,paper,value carle world hello"
        raise BadInput(f"{' '.join(words)}: no guesses after the hidden words: expected {expected}")
    return words, made
