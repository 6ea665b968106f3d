"""Endgames: sets of answers that agree in all positions but one. Many games are lost there."""

from __future__ import annotations

from collections import defaultdict

from gpusolve import checks
from gpusolve.games.wordle.rules import letters_of
from gpusolve.games.wordle.wordlist import word_list
from gpusolve.wordlists import Words


def endgames(answers: Words = "wordle-answers", *, least: int = 4) -> dict[str, list[str]]:
    """Find the sets of answers that agree in all positions but one.

    Parameters
    ----------
    answers : str, Path or iterable of str
        The name of a shipped list, a text file with one word per line, or the words.
    least : int
        Minimum number of answers of a set.

    Returns
    -------
    dict of str to list of str
        The common letters, such as ``.atch`` -> the answers. The largest set comes first; ties are in alphabetical
        order.

    Raises
    ------
    BadInput
        If `least` is not from 2 to 26, or the words cannot be read.

    Examples
    --------
    >>> endgames(["batch", "catch", "crate", "hatch", "patch"], least=3)
    {'.atch': ['batch', 'catch', 'hatch', 'patch']}
    """
    checks.check_integer("least", least, 2, 26)
    sets: dict[str, list[str]] = defaultdict(list)
    for word in word_list(answers):
        letters = letters_of(word)
        for i in range(len(letters)):
            sets["".join([*letters[:i], ".", *letters[i + 1 :]])].append(word)
    large = {common: words for common, words in sets.items() if len(words) >= least}
    return dict(sorted(large.items(), key=lambda item: (-len(item[1]), item[0])))
