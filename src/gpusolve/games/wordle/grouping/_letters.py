"""The letters of the words, and how often the answers have each of them at each position."""

from __future__ import annotations

from gpusolve.games.wordle.rules import letters_of
from gpusolve.games.wordle.variant import Variant
from gpusolve.games.wordle.weights.weights import WeightsSource
from gpusolve.wordlists import Words


def letters(
    guesses: Words | None = None, answers: Words | None = None, *, weights: WeightsSource | None = None
) -> dict[str, list[int]]:
    """Count how many of the answers have each letter at each position.

    Parameters
    ----------
    guesses, answers : str, Path or iterable of str
        The name of a shipped list, a text file with one word per line, or the words; by default as for `Variant.load`.
    weights : str, Path, mapping or sequence, optional
        How likely the answers are, as for `Variant.load`. Without `answers`, the words that have weights are the
        answers. Each of them counts once.

    Returns
    -------
    dict of str to list of int
        Letter -> the number of answers that have it at the first position, the second, and so on. A letter that only
        guesses have has zeros. The letters are in the order of their code points.

    Raises
    ------
    BadInput
        As for `Variant.load`.

    Examples
    --------
    >>> letters(answers=["szép", "vész"])["z"], letters(answers=["szép", "vész"])["é"]
    ([0, 1, 0, 1], [0, 1, 1, 0])
    """
    variant = Variant.load(guesses, answers, weights=weights)
    found = {letter for word in variant.guesses for letter in letters_of(word)}
    counts = {letter: [0] * variant.length for letter in sorted(found)}
    for word in variant.answers:
        for i, letter in enumerate(letters_of(word)):
            counts[letter][i] += 1
    return counts
