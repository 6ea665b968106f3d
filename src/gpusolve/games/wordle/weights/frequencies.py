"""Weights of words that follow from how often people write them, by the package `wordfreq`.

The editors of a game choose words that many people know. Among those words, a frequent one is as likely to be chosen
as a rare one. So the weight of a word is the chance that it is in a list of answers, and not its frequency. This is a
logistic function of its Zipf frequency (the logarithm to base 10 of its number in a billion words; `wordfreq` has
it with two decimals). The function was fitted to the 2,309 answers of 2022 among the 12,972 words that could be
guessed. Forms such as plurals and the past tense are often frequent, but seldom answers; in English they are
recognized by their endings and get a small part of the weight. `benchmarks/results/wordle-weights.md` has the
measurements.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from types import ModuleType

from gpusolve.errors import BadInput
from gpusolve.games.wordle import rules
from gpusolve.installation import install_command

MIDDLE = 2.95
"""The Zipf frequency of the words of which every second one is an answer."""
STEEPNESS = 2.32
"""The odds of being an answer grow by the factor e^STEEPNESS from one Zipf frequency to the next."""
WHOLE = 10_000
"""The weight of a word that is certainly an answer; all weights are rounded to integers and are at least 1."""
FORM = 100
"""A form of another word has one part in FORM of the weight."""
NEAR = 1.0
"""A word is a form of another one if that is not rarer by more than this in Zipf frequency."""
ENDINGS = {"en": (("s", ("ss",)), ("es", ()), ("ed", ()), ("d", ()))}
"""For a language: the endings of forms, each with longer endings that are something else."""


def frequent_words(
    language: str, length: int, digraphs: rules.Digraphs, keep: Callable[[str], bool]
) -> dict[str, float]:
    """Return the words of a length that `keep` accepts, with their Zipf frequencies, the most frequent first.

    The words have letters only, of which some are `digraphs`, and are folded (`rules.fold`). Raises BadInput if the
    package `wordfreq` is missing or does not know the language.
    """
    wordfreq = _package()
    languages = wordfreq.available_languages("best")
    if language not in languages:
        raise BadInput(f"language {language[:20]}: expected one of {', '.join(sorted(languages))}")
    found: dict[str, float] = {}
    try:
        for token in wordfreq.iter_wordlist(language, wordlist="best"):
            word = rules.spelled(rules.fold(token), digraphs)
            if rules.is_word(word) and rules.length_of(word) == length and word not in found and keep(word):
                found[word] = wordfreq.zipf_frequency(token, language)
    except ImportError as error:  # Chinese, Japanese and Korean are divided into words by other packages
        package = "wordfreq[cjk]"
        raise BadInput(f"language {language}: needs more packages: pip install '{package}' ({error})") from None
    return found


def weight_of(word: str, zipf: float, language: str) -> int:
    """Return the weight of a word of this Zipf frequency, 1 to WHOLE."""
    chance = 1 / (1 + math.exp(-STEEPNESS * (zipf - MIDDLE)))
    return max(1, round(WHOLE * chance / (FORM if _is_form(word, zipf, language) else 1)))


def _is_form(word: str, zipf: float, language: str) -> bool:
    """Return whether a word is another word with an ending, such as a plural."""
    wordfreq = _package()
    for ending, others in ENDINGS.get(language, ()):
        if word.endswith(ending) and not word.endswith(others):
            stem = word.removesuffix(ending)
            if ending == "d" and not stem.endswith("e"):
                continue
            if wordfreq.zipf_frequency(stem, language) >= zipf - NEAR:
                return True
    return False


def _package() -> ModuleType:
    """Return the package `wordfreq`. Raises BadInput if it is missing."""
    try:
        import wordfreq
    except ImportError as error:
        raise BadInput(f"words: needs the package wordfreq: {install_command('wordfreq')} ({error})") from None
    return wordfreq
