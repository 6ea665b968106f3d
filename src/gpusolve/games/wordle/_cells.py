"""The cells of a guess: the answers, grouped by the pattern that the guess gets."""

from __future__ import annotations

from dataclasses import dataclass, field

from gpusolve import checks
from gpusolve.backend import Backend, open_backend
from gpusolve.games.wordle import kernels, rules
from gpusolve.games.wordle.rules import Scoring
from gpusolve.games.wordle.wordlist import encode, word_list
from gpusolve.result import HIDDEN, Result, reported
from gpusolve.wordlists import Words


@dataclass(frozen=True)
class Part:
    """The answers that give a pattern."""

    pattern: str
    words: list[str]


@dataclass(frozen=True, repr=False)
class Cells(Result, schema="wordle.cells/2"):
    """The answers, grouped by the pattern that a guess gets.

    Attributes
    ----------
    guess : str
        The guess.
    scoring : {"wordle", "presence"}
        The rules of the patterns.
    by_pattern : dict of int to list of str
        Pattern -> the answers that give it. The largest cell comes first.
    """

    guess: str
    scoring: Scoring
    by_pattern: dict[int, list[str]] = field(metadata=HIDDEN)

    @reported
    def answers(self) -> int:
        """Number of answers."""
        return sum(map(len, self.by_pattern.values()))

    @reported
    def cells(self) -> list[Part]:
        """The cells, the largest first, with their patterns as text."""
        length = rules.length_of(self.guess)
        return [Part(rules.pattern_text(code, length), words) for code, words in self.by_pattern.items()]


def cells(
    guess: str,
    *,
    answers: Words = "wordle-answers",
    length: int | None = None,
    scoring: Scoring = "wordle",
    backend: Backend | None = None,
) -> Cells:
    """Group the answers by the pattern that a guess gets.

    The largest cell is shown first.

    Parameters
    ----------
    guess : str
        The guess: a word, or any letters, as long as the answers.
    answers : str, Path or iterable of str
        Words that can be hidden: a list's name, or a file with one word per line.
    length : int, optional
        Number of letters of the words, 2 to 12; the other words of a list are left out. By default the one that more
        than half of the words have, else five.
    scoring : {"wordle", "presence"}
        Rules of the patterns. ``presence``: every letter that occurs in the answer and is not green is yellow.
    backend : Backend, optional
        The device. By default the one that ``GPUSOLVE_DEVICE`` names, or else ``auto``.

    Returns
    -------
    Cells
        The answers by their patterns.

    Raises
    ------
    BadInput
        If the guess and the answers differ in length, the answers cannot be read, or the scoring is unknown.

    Examples
    --------
    ``gpusolve wordle cells salet``

    >>> table = cells("salet", answers=["crane", "salet", "slate"])
    >>> {cell.pattern: cell.words for cell in table.cells}
    {'-y-y-': ['crane'], 'gyyyy': ['slate'], 'ggggg': ['salet']}
    """
    hidden = word_list(answers, length=length)
    guess = rules.parse_word(guess, hidden.length, hidden.digraphs)
    terms = kernels.terms_of(encode([guess]))
    checks.check_choice("scoring", scoring, rules.SCORINGS)
    row = kernels.pattern_matrix(open_backend(backend), terms, hidden.letters, scoring=scoring)[0]
    by_pattern: dict[int, list[str]] = {}
    for code, word in zip(row.tolist(), hidden, strict=True):
        by_pattern.setdefault(code, []).append(word)
    return Cells(guess, scoring, dict(sorted(by_pattern.items(), key=lambda cell: (-len(cell[1]), cell[0]))))
