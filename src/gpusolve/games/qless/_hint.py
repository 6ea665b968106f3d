"""A hint for a roll: words of one of its solutions."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field

from gpusolve import clock
from gpusolve.backend import Backend
from gpusolve.checks import check_integer, check_type
from gpusolve.errors import BadInput, NoSolution
from gpusolve.games.qless._solve import solve
from gpusolve.games.qless.rolls import Roll
from gpusolve.games.qless.rules import MAX_LETTERS
from gpusolve.games.qless.variant import STANDARD, Variant
from gpusolve.result import Result

CONSIDERED = 1000
"""Solutions among which one with few words is chosen."""


@dataclass(frozen=True, repr=False)
class Hint(Result, schema="qless.hint/3"):
    """Words of a solution.

    Attributes
    ----------
    roll : str
        The letters of the roll in alphabetical order.
    words : list of str
        The words that are revealed, the longest first.
    solution_words : int
        Number of words in the solution.
    doubtful : list of str
        Those of the words of the solution that are only in some dictionaries.
    seconds : float
        Time that the search took.
    """

    roll: str
    words: list[str]
    solution_words: int
    doubtful: list[str]
    seconds: float = field(compare=False)


def hint(roll: str | Roll, *, words: int = 1, variant: Variant = STANDARD, backend: Backend | None = None) -> Hint:
    """Reveal one or more words of a solution.

    The solution has only everyday words, which one can play everywhere, if there is such a solution. It is one with the
    fewest words that are only in some dictionaries, and of these with the fewest words, among the first 1,000 that the
    search finds.

    Parameters
    ----------
    roll : str
        The 3 to 14 letters of the roll, such as ``cddeeimprtwx``; spaces and commas are ignored.
    words : int, default 1
        Number of words to reveal, 1 to 14, the longest first.
    variant : Variant, optional
        The words that count, and the rules. By default the standard game.
    backend : Backend, optional
        The device. By default the one that ``GPUSOLVE_DEVICE`` names, or else ``auto``.

    Returns
    -------
    Hint
        The words, and how many words the solution has.

    Raises
    ------
    NoSolution
        If the roll has no solution.
    BadInput
        If `roll` is not a roll, or `words` is out of range.

    Examples
    --------
    ``gpusolve qless hint cddeeimprtwx --words 2``

    >>> hint("cddeeimprtwx").words
    ['pewter']
    """
    begin = clock.now()
    check_type("variant", variant, Variant)
    words = check_integer("words", words, 1, MAX_LETTERS)
    solutions = None
    with suppress(BadInput):  # no word is an everyday word; what else is wrong is said below
        solutions = solve(roll, variant=variant.everyday, max_solutions=CONSIDERED, backend=backend)
    if not solutions:
        solutions = solve(roll, variant=variant, max_solutions=CONSIDERED, backend=backend)
    if not solutions:
        raise NoSolution(
            f"{solutions.roll} has no solution (proven); `gpusolve qless unsolvable` finds which letters to leave out"
        )
    doubtful = set(solutions.doubtful)
    best = min(solutions, key=lambda grid: (len(doubtful.intersection(grid.words)), len(grid.words)))
    longest_first = sorted(best.words, key=lambda word: (-len(word), word))
    return Hint(
        solutions.roll,
        longest_first[:words],
        len(longest_first),
        sorted(doubtful.intersection(best.words)),
        clock.now() - begin,
    )
