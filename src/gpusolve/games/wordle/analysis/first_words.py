"""Which first words solve every answer within six guesses: the shipped proofs, checked by the plain program."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from gpusolve.errors import BadInput
from gpusolve.games.wordle.analysis import certificates
from gpusolve.games.wordle.wordlist import word_list
from gpusolve.result import HIDDEN, Result, reported

LIST, WITHIN = "wordle-guesses", 6
"""The words that can be guessed and hidden, and the number of guesses."""


@dataclass(frozen=True, repr=False)
class FirstWords(Result, schema="wordle.first-words/1"):
    """What the proofs in a file show about first words, after each of them was checked.

    Attributes
    ----------
    words : int
        Number of words; all of them can be guessed and hidden.
    within : int
        The number of guesses within which every answer is to be found.
    solves : list of str
        The first words with a checked strategy that finds every answer.
    fails : list of str
        The first words with a checked proof that no strategy finds every answer.
    nogoods : int
        Number of checked sets of answers that cannot be solved.
    guesses : int
        Number of second and third guesses of all strategies, each with the guesses after it.
    """

    words: int
    within: int
    solves: list[str] = field(metadata=HIDDEN)
    fails: list[str] = field(metadata=HIDDEN)
    nogoods: int
    guesses: int

    @reported
    def solved(self) -> int:
        """Number of first words with a checked strategy."""
        return len(self.solves)

    @reported
    def failed(self) -> int:
        """Number of first words with a checked refutation."""
        return len(self.fails)

    @reported
    def unproven(self) -> int:
        """Number of first words about which the file proves nothing."""
        return self.words - len(self.solves) - len(self.fails)

    def __repr__(self) -> str:
        return f"<FirstWords: {self.solved:,} solve every answer, {self.failed:,} fail, {self.unproven:,} unproven>"


def verify_first_words(
    proofs: Path | None = None, *, progress: Callable[[float], None] = lambda part: None
) -> FirstWords:
    """Check the proofs which first words solve every one of the 12,972 answers within six guesses.

    The program that checks them (`analysis.certificates`) has its own patterns and nothing of the search.

    Parameters
    ----------
    proofs : Path, optional
        A file of proofs. By default the one that is shipped.
    progress : callable, optional
        Called with the part of the file that was checked, from 0 to 1.

    Returns
    -------
    FirstWords
        The first words with a proof.

    Raises
    ------
    BadInput
        If the file is damaged, or at the first part that proves nothing.
    """
    path = certificates.SHIPPED if proofs is None else proofs
    arrays = certificates.read_proofs(path)
    words = list(word_list(LIST))
    patterns = certificates.patterns_of(words)
    checked, total = count(1), certificates.parts(arrays)

    def tick() -> None:
        progress(next(checked) / total)

    try:
        fails = certificates.check_refutations(patterns, arrays, WITHIN, tick)
        solves = certificates.check_strategies(patterns, arrays, tick)
    except BadInput as error:
        raise BadInput(f"proofs {path}: {error}") from None
    if both := sorted({*fails} & {*solves}):
        raise BadInput(f"proofs {path}: '{words[both[0]]}' both solves every answer and fails")
    return FirstWords(
        len(words),
        WITHIN,
        [words[i] for i in solves],
        [words[i] for i in fails],
        sum(len(arrays[f"lengths_{turns}"]) for turns in range(2, WITHIN)),
        len(arrays["second"]) + len(arrays["third"]),
    )
