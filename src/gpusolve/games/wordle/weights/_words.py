"""Lists of words with weights, made from how often people write them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from gpusolve import checks, files
from gpusolve.errors import NoSolution
from gpusolve.games.wordle.rules import LENGTHS, LETTERS, checked_digraphs, digraphs_of
from gpusolve.games.wordle.weights.frequencies import frequent_words, weight_of
from gpusolve.games.wordle.wordlist import word_list
from gpusolve.result import HIDDEN, Result, reported
from gpusolve.wordlists import Words

TOP = 4_000


class WeightedWord(NamedTuple):
    """A word, its weight and its Zipf frequency."""

    word: str
    weight: int
    zipf: float


@dataclass(frozen=True, repr=False)
class WeightedWords(Result, schema="wordle.words/2"):
    """Words with their weights.

    Attributes
    ----------
    language : str
        The language, such as ``en``.
    length : int
        Number of letters of each word.
    weights : dict of str to int
        Word -> weight, the most frequent word first.
    zipf : dict of str to float
        Word -> Zipf frequency: the logarithm to base 10 of its number in a billion words.
    digraphs : tuple of str
        The letters that are written with two or three characters.
    """

    language: str
    length: int
    weights: dict[str, int] = field(repr=False, metadata=HIDDEN)
    zipf: dict[str, float] = field(repr=False, metadata=HIDDEN)
    digraphs: tuple[str, ...] = ()

    @reported
    def weight(self) -> int:
        """The sum of the weights."""
        return sum(self.weights.values())

    @reported
    def words(self) -> list[WeightedWord]:
        """The words, the most frequent one first."""
        return [WeightedWord(word, weight, self.zipf[word]) for word, weight in self.weights.items()]

    def columns(self) -> dict[str, list[Any]]:
        """Return the words as columns, for ``pandas.DataFrame`` and ``polars.DataFrame``.

        Returns
        -------
        dict of str to list
            ``word``, ``weight`` and ``zipf``, the most frequent word first.
        """
        return {"word": [*self.weights], "weight": [*self.weights.values()], "zipf": [*self.zipf.values()]}

    def text(self) -> str:
        """Return the words as the lines of a file that ``--weights`` reads: word, tab, weight."""
        declaration = f"# digraphs: {' '.join(self.digraphs)}\n" if self.digraphs else ""
        about = (
            f"# {len(self.weights):,} words of {self.length} letters, language {self.language}; weights by wordfreq\n"
        )
        return declaration + about + "".join(f"{word}\t{weight}\n" for word, weight in self.weights.items())

    def save(self, out: Path | None = None) -> None:
        """Write the words to a file that ``--weights`` reads. Raises BadInput if it cannot be written.

        Parameters
        ----------
        out : Path, optional
            Write the list to this file, which ``--weights`` reads.
        """
        if out is not None:
            files.write(out, self.text(), "words")


def words(
    *,
    language: str = "en",
    length: int = LETTERS,
    top: int = TOP,
    guesses: Words | None = None,
    digraphs: str | Sequence[str] = (),
) -> WeightedWords:
    """List frequent words of a language with weights.

    The list is for the option ``--weights`` of other commands. The weight of a word is the chance that a list of
    answers has it, times 10,000: a logistic function of its frequency, which is 5,000 for a word that occurs 0.9 times
    in a million. English plurals and past tenses get a hundredth of that. It needs the package ``wordfreq``:
    ``pip install 'gpusolve[wordfreq]'``.

    Parameters
    ----------
    language : str, default "en"
        Language of the words, such as ``en``, ``de`` or ``pt``.
    length : int, default 5
        Number of letters of each word, 2 to 12.
    top : int, default 4000
        Number of words, the most frequent ones.
    guesses : str, Path or iterable of str, optional
        Take only words of this list: a list's name, or a file with one word per line. By default wordle-guesses
        for English words of five letters, else all words, names included.
    digraphs : str or sequence of str
        Letters that the language writes with two or three characters, such as ``dz dzs sz``. By default none.

    Returns
    -------
    WeightedWords
        The words and their weights.

    Raises
    ------
    BadInput
        If the package is missing, the language is unknown to it, a digraph is not two or three letters, or the words of
        the list cannot be read.
    NoSolution
        If there is no such word.

    References
    ----------
    Robyn Speer, wordfreq (v3.0), https://doi.org/10.5281/zenodo.7199437

    Examples
    --------
    ``gpusolve wordle words --top 4000 --out answers.tsv``

    >>> words(top=3).weights  # doctest: +SKIP
    {'about': 9997, 'their': 9996, 'there': 9996}
    """
    checks.check_type("language", language, str)
    length = checks.check_integer("length", length, LENGTHS[0], LENGTHS[-1])
    top = checks.check_integer("top", top, 1, 1 << 20)
    given = checked_digraphs(digraphs_of(digraphs), "digraphs")
    if guesses is None and language == "en" and length == LETTERS and not given:
        guesses = "wordle-guesses"
    listed = None if guesses is None else word_list(guesses, length=length, digraphs=given)
    letters = given if listed is None else listed.digraphs
    found = frequent_words(language, length, letters, lambda word: listed is None or word in listed)
    if not found:
        raise NoSolution(f"wordfreq has no word of {length} letters in the language {language} that is in the list")
    chosen = dict([*found.items()][:top])
    return WeightedWords(
        language, length, {word: weight_of(word, z, language) for word, z in chosen.items()}, chosen, letters
    )
