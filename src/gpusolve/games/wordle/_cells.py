"""The cells of a guess: the answers, grouped by the pattern that the guess gets."""

from __future__ import annotations

from gpusolve import checks
from gpusolve.backend import Backend, open_backend
from gpusolve.games.wordle import kernels, rules
from gpusolve.games.wordle.rules import Scoring
from gpusolve.games.wordle.wordlist import encode, word_list
from gpusolve.wordlists import Words


def cells(
    guess: str,
    answers: Words = "wordle-answers",
    *,
    scoring: Scoring = "wordle",
    backend: Backend | None = None,
) -> dict[int, list[str]]:
    """Group the answers by the pattern that a guess gets.

    Parameters
    ----------
    guess : str
        A word, or any letters, as long as the answers.
    answers : str, Path or iterable of str
        The possible answers: the name of a shipped list, a text file with one word per line, or the words.
    scoring : {"wordle", "presence"}
        How the guess is marked; see `pattern`.
    backend : Backend, optional
        The device; by default, the one that ``GPUSOLVE_DEVICE`` names.

    Returns
    -------
    dict of int to list of str
        Pattern -> the answers that give it. The largest cell comes first.

    Raises
    ------
    BadInput
        If the guess and the answers differ in length, the answers cannot be read, or the scoring is unknown.

    Examples
    --------
    >>> table = cells("salet", ["crane", "salet", "slate"])
    >>> {rules.pattern_text(code): words for code, words in table.items()}
    {'-y-y-': ['crane'], 'gyyyy': ['slate'], 'ggggg': ['salet']}
    """
    hidden = word_list(answers)
    terms = kernels.terms_of(encode([rules.parse_word(guess, hidden.length, hidden.digraphs)]))
    checks.check_choice("scoring", scoring, rules.SCORINGS)
    row = kernels.pattern_matrix(open_backend(backend), terms, hidden.letters, scoring=scoring)[0]
    by_pattern: dict[int, list[str]] = {}
    for code, word in zip(row.tolist(), hidden, strict=True):
        by_pattern.setdefault(code, []).append(word)
    return dict(sorted(by_pattern.items(), key=lambda cell: (-len(cell[1]), cell[0])))
