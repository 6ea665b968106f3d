"""Words that are not accepted, and those that were probably meant."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gpusolve.errors import BadInput
from gpusolve.games.wordle.rules import parse_word
from gpusolve.games.wordle.variant import Variant
from gpusolve.games.wordle.weights.chances import are_known, is_published, size_of
from gpusolve.games.wordle.wordlist import WordList

MEANT = 3
"""Number of words that a message names at most."""


def nearest(word: str, words: WordList) -> list[str]:
    """Return up to `MEANT` words that differ from a word by one letter, or by two neighbours that are exchanged.

    The likeliest come first.

    >>> from gpusolve.games.wordle.wordlist import word_list
    >>> nearest("crnae", word_list("wordle-guesses")), nearest("zzzzz", word_list("wordle-guesses"))
    (['crane'], [])
    """
    swapped = {word[:i] + word[i + 1] + word[i] + word[i + 2 :] for i in range(len(word) - 1)}
    near = [
        each
        for each in words
        if each in swapped or (len(each) == len(word) and sum(a != b for a, b in zip(each, word, strict=True)) == 1)
    ]
    near.sort(key=lambda each: (each not in swapped, not is_published(each), size_of(each), each))
    return near[:MEANT]


def not_accepted(word: str, words: WordList, kind: str = "guesses") -> str:
    """Return what is wrong with a word that is not in a list, and which words could be meant.

    For words that are not a mere slip, there are newer lists of the English game.

    >>> from gpusolve.games.wordle.wordlist import word_list
    >>> not_accepted("crnae", word_list("wordle-guesses"))
    'not among the 12,972 guesses: did you mean crane?'
    >>> not_accepted("zzzzz", word_list("wordle-guesses"))
    'not among the 12,972 guesses; `gpusolve lists` shows newer lists'
    """
    near = nearest(word, words)
    slip = bool(near) and sorted(near[0]) == sorted(word)
    meant = f": did you mean {' or '.join(near)}?" if near else ""
    newer = f"{'' if near else ';'} `gpusolve lists` shows newer lists" if are_known(words) and not slip else ""
    return f"not among the {len(words):,} {kind}{meant}{newer}"


def unknown_words(guesses: Iterable[str], words: WordList) -> Iterator[str]:
    """Yield what is wrong with each guess that is not in a list."""
    for guess in dict.fromkeys(guesses):
        if guess not in words:
            yield f"{guess}: {not_accepted(guess, words)}"


def check_guess(word: str, variant: Variant, place: str = "guess") -> str:
    """Return a guess in lower case. Raises BadInput unless it may be guessed; `place` is what the message calls it."""
    guess = parse_word(word, variant.length, variant.digraphs)
    if guess not in variant.guesses:
        raise BadInput(f"{place} '{guess}': {not_accepted(guess, variant.guesses)}")
    return guess


def check_first(first: str | None, variant: Variant) -> str | None:
    """Return the first guess in lower case, or None if it is None. Raises BadInput unless it is among the guesses."""
    return None if first is None else check_guess(first, variant, "first guess")
