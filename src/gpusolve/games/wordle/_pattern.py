"""The pattern that a guess gets for a hidden answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gpusolve.games.wordle import rules
from gpusolve.games.wordle.rules import Scoring
from gpusolve.result import Result


@dataclass(frozen=True, repr=False)
class Marked(Result, schema="wordle.pattern/2"):
    """A guess with its pattern.

    Attributes
    ----------
    guess, answer : str
        The guess, and the hidden word.
    scoring : {"wordle", "presence"}
        The rules of the patterns.
    pattern : str
        The pattern as text, such as ``-y--g``.
    code : int
        The pattern as a number in base 3: the first letter is the least significant digit; grey is 0, yellow 1 and
        green 2.
    """

    guess: str
    answer: str
    scoring: Scoring
    pattern: str
    code: int


def pattern(guess: str, answer: str, *, scoring: Scoring = "wordle", digraphs: str | Sequence[str] = ()) -> Marked:
    """Show the pattern that a guess gets for a hidden answer.

    Parameters
    ----------
    guess : str
        The guess, 2 to 12 letters.
    answer : str
        The hidden word, as long as the guess.
    scoring : {"wordle", "presence"}
        Rules of the patterns. ``presence``: every letter that occurs in the answer and is not green is yellow.
    digraphs : str or sequence of str
        Letters that the language writes with two or three characters, such as ``dz dzs sz``. By default none.

    Returns
    -------
    Marked
        The pattern as text and as a number.

    Raises
    ------
    BadInput
        If either is not a word, they differ in length, a digraph is not two or three letters or occurs twice, or the
        scoring is unknown.

    Examples
    --------
    ``gpusolve wordle pattern eerie there``

    >>> pattern("eerie", "there").pattern, pattern("szép", "vész", digraphs="sz").pattern
    ('y-y-g', 'yg-')
    """
    given = rules.checked_digraphs(rules.digraphs_of(digraphs), "digraphs")
    guess, answer = (rules.parse_word(word, None, given) for word in (guess, answer))
    code = rules.pattern(guess, answer, scoring=scoring, digraphs=given)
    return Marked(guess, answer, scoring, rules.pattern_text(code, rules.length_of(guess)), code)
