"""The letters of the words, and how often the answers have each of them at each position."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gpusolve.games.wordle.rules import is_right_to_left, letters_of
from gpusolve.games.wordle.variant import Variant
from gpusolve.games.wordle.weights.weights import WeightsSource
from gpusolve.result import Rows
from gpusolve.wordlists import Words


@dataclass(frozen=True)
class Letter:
    """A letter, and the number of answers that have it at the first position, the second, and so on."""

    letter: str
    counts: list[int]


@dataclass(frozen=True, repr=False)
class Letters(Rows[Letter], schema="wordle.letters/2"):
    """The letters of the words, in the order of their code points.

    Attributes
    ----------
    letters : list of Letter
        The letters. One that only guesses have has zeros.
    length : int
        Number of letters of the words.
    digraphs : tuple of str
        The letters that are written with two or three characters.
    answers, guesses : int
        Numbers of words that can be hidden and guessed.
    right_to_left : bool
        Whether most answers are written from right to left.
    """

    letters: list[Letter]
    length: int
    digraphs: tuple[str, ...]
    answers: int
    guesses: int
    right_to_left: bool

    def columns(self) -> dict[str, list[Any]]:
        """Return the letters as columns, for ``pandas.DataFrame`` and ``polars.DataFrame``.

        Returns
        -------
        dict of str to list
            The ``letter``, and the number of answers with it at ``position 1``, ``position 2`` and so on.
        """
        counts = {f"position {i + 1}": [each.counts[i] for each in self.letters] for i in range(self.length)}
        return {"letter": [each.letter for each in self.letters], **counts}


def letters(
    *,
    guesses: Words | None = None,
    answers: Words | None = None,
    length: int | None = None,
    weights: WeightsSource | None = None,
) -> Letters:
    """Count the letters of the answers.

    The table has the number of answers with each letter at each position.

    Parameters
    ----------
    guesses : str, Path or iterable of str, optional
        Words that can be guessed: a list's name, or a file with one word per line. By default wordle-guesses and
        the answers, or only the answers if they are not five letters a-z.
    answers : str, Path or iterable of str, optional
        Words that can be hidden: a list's name, or a file with one word per line. By default wordle-answers, or
        the words of `weights`.
    length : int, optional
        Number of letters of the words, 2 to 12; the other words of a list are left out. By default the one that more
        than half of the words have, else five.
    weights : str, Path, mapping or sequence, optional
        File with a word and its weight on each line, such as ``gpusolve wordle words`` writes; each word counts once.

    Returns
    -------
    Letters
        The letters in the order of their code points.

    Raises
    ------
    BadInput
        As for `Variant.load`.

    Examples
    --------
    ``gpusolve wordle letters``

    >>> letters(answers=["szép", "vész"])[-1]
    Letter(letter='é', counts=[0, 1, 1, 0])
    """
    variant = Variant.load(guesses, answers, weights=weights, length=length)
    found = {letter for word in variant.guesses for letter in letters_of(word)}
    counts = {letter: [0] * variant.length for letter in sorted(found)}
    for word in variant.answers:
        for i, letter in enumerate(letters_of(word)):
            counts[letter][i] += 1
    from_right = sum(map(is_right_to_left, variant.answers))
    return Letters(
        letters=[Letter(letter, numbers) for letter, numbers in counts.items()],
        length=variant.length,
        digraphs=variant.digraphs,
        answers=len(variant.answers),
        guesses=len(variant.guesses),
        right_to_left=2 * from_right > len(variant.answers),
    )
