"""Answers that agree in all places but one: where a game is lost."""

from __future__ import annotations

from collections import defaultdict

from gpusolve import checks
from gpusolve.games.wordle.words import word_list
from gpusolve.wordlists import Words


def endgames(least: int = 4, answers: Words = "wordle-answers") -> dict[str, list[str]]:
    """The sets of at least `least` answers that agree in four places: ``.atch`` -> the words, the largest set first.

    >>> endgames(3, ["batch", "catch", "crate", "hatch", "patch"])
    {'.atch': ['batch', 'catch', 'hatch', 'patch']}
    """
    checks.check_integer("least", least, 2, 26)
    sets: dict[str, list[str]] = defaultdict(list)
    for word in word_list(answers):
        for i in range(len(word)):
            sets[f"{word[:i]}.{word[i + 1 :]}"].append(word)
    found = {place: words for place, words in sets.items() if len(words) >= least}
    return dict(sorted(found.items(), key=lambda some: (-len(some[1]), some[0])))
