"""Endgames: sets of answers that agree in all positions but one. Many games are lost there."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from gpusolve import checks
from gpusolve.games.wordle.rules import letters_of
from gpusolve.games.wordle.wordlist import word_list
from gpusolve.result import ROWS, Result, reported
from gpusolve.wordlists import Words


@dataclass(frozen=True)
class Set:
    """Answers that agree in all positions but one."""

    template: str
    words: list[str]


@dataclass(frozen=True, repr=False)
class Endgames(Result, schema="wordle.endgames/2"):
    """The sets of answers that agree in all positions but one.

    Attributes
    ----------
    sets : list of Set
        The common letters, such as ``.atch``, and the answers. The largest set comes first; ties are in alphabetical
        order.
    least : int
        Minimum number of answers of a set.
    """

    sets: list[Set] = field(metadata=ROWS)
    least: int

    @reported
    def count(self) -> int:
        """Number of sets."""
        return len(self.sets)

    def columns(self) -> dict[str, list[str]]:
        """Return the sets as columns, for ``pandas.DataFrame`` and ``polars.DataFrame``.

        Returns
        -------
        dict of str to list
            The ``template``, and the ``words`` with spaces between them.
        """
        return {
            "template": [each.template for each in self.sets],
            "words": [" ".join(each.words) for each in self.sets],
        }


def endgames(*, answers: Words = "wordle-answers", length: int | None = None, least: int = 4) -> Endgames:
    """Find sets of answers that differ in a single position.

    Parameters
    ----------
    answers : str, Path or iterable of str
        Words that can be hidden: a list's name, or a file with one word per line.
    length : int, optional
        Number of letters of the words, 2 to 12; the other words of a list are left out. By default the one that more
        than half of the words have, else five.
    least : int, default 4
        Minimum number of answers in a set, 2 to 26.

    Returns
    -------
    Endgames
        The sets, the largest first.

    Raises
    ------
    BadInput
        If `least` is not from 2 to 26, or the words cannot be read.

    Examples
    --------
    ``gpusolve wordle endgames``

    >>> endgames(answers=["batch", "catch", "crate", "hatch", "patch"], least=3).sets[0]
    Set(template='.atch', words=['batch', 'catch', 'hatch', 'patch'])
    """
    least = checks.check_integer("least", least, 2, 26)
    sets: dict[str, list[str]] = defaultdict(list)
    for word in word_list(answers, length=length):
        letters = letters_of(word)
        for i in range(len(letters)):
            sets["".join([*letters[:i], ".", *letters[i + 1 :]])].append(word)
    large = [Set(template, words) for template, words in sets.items() if len(words) >= least]
    return Endgames(sorted(large, key=lambda each: (-len(each.words), each.template)), least)
