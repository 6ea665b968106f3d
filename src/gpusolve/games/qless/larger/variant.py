"""Which words and rules grids of up to 144 tiles have."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass

from gpusolve.checks import check_integer
from gpusolve.games.qless.rules import MAX_LETTERS, SHORTEST
from gpusolve.games.qless.variant import Variant
from gpusolve.options import Options
from gpusolve.wordlists import Words


@dataclass(frozen=True, eq=False, repr=False)
class Free(Variant, Options):
    """The rules of Bananagrams: words of two letters and more, on a grid of any size.

    Parameters
    ----------
    dictionary : str, Path or iterable of str, default "scowl-70"
        Valid words: the name of a list, or a file with one word per line. Of the public list ``qless``, words rated 3
        or more count, and words that it does not rate if they are in ``scowl-70``.
    min_length : int, default 2
        Minimum length of a word, 2 to 14. Shorter words of the dictionary are ignored, and so are words of more than 14
        letters.
    no_repeats : bool, default False
        Use each word at most once in a grid.
    ban : str, Path or iterable of str, optional
        File with words that must not be used.
    common : bool, default False
        Use only everyday words: those of the dictionary that are also in the list ``scowl-35``; of the public list
        ``qless``, also those rated 5 or more, and no others that it rates.

    Raises
    ------
    BadInput
        If `min_length` is out of range. Words are read when they are needed first, and can raise it then.

    Examples
    --------
    >>> Free(["tea", "at", "ate"]).anagrams
    <Anagrams: 3 words, 2 classes>
    """

    dictionary: Words = "scowl-70"
    _: KW_ONLY
    min_length: int = SHORTEST
    no_repeats: bool = False
    ban: Words | None = None
    common: bool = False

    def _check_length(self) -> None:
        check_integer("min_length", self.min_length, SHORTEST, MAX_LETTERS)


BANANAGRAMS = Free()
"""The rules of Bananagrams, with the shipped words."""
