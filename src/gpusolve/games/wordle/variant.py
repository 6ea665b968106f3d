"""The variant of Wordle that is played: word lists, mode and scoring."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from gpusolve import checks
from gpusolve.errors import BadInput
from gpusolve.games.wordle.rules import MODES, SCORINGS, Mode, Scoring, parse_word
from gpusolve.games.wordle.words import WordList, word_list
from gpusolve.wordlists import Words


@dataclass(frozen=True)
class Variant:
    """The rules of a game: which words may be guessed and hidden, in which mode, and with which scoring.

    A variant is checked when it is made. `Variant.load` makes one from files or the names of shipped lists.

    Parameters
    ----------
    guesses : WordList
        Words that may be guessed.
    answers : WordList
        Words that may be hidden. All of them are among the guesses: otherwise some games could not be won.
    mode : {"easy", "hard", "ultra-hard"}
        ``easy``: every guess is allowed. ``hard``: guesses use all revealed letters. ``ultra-hard``: guesses are
        consistent with every pattern seen.
    scoring : {"wordle", "presence"}
        How a guess is marked; see `pattern`.
    guess_hidden_only : bool
        Whether only answers that remain may be guessed.

    Raises
    ------
    BadInput
        If the mode or the scoring is unknown, or an answer is not among the guesses.
    TypeError
        If an argument has another type.

    Examples
    --------
    >>> Variant.load(answers=["crane", "trace"], mode="hard").answers[:]
    ['crane', 'trace']
    """

    guesses: WordList
    answers: WordList
    _: KW_ONLY
    mode: Mode = "easy"
    scoring: Scoring = "wordle"
    guess_hidden_only: bool = False

    def __post_init__(self) -> None:
        for name, kind in (("guesses", WordList), ("answers", WordList), ("guess_hidden_only", bool)):
            checks.check_type(name, getattr(self, name), kind)
        checks.check_choice("mode", self.mode, MODES)
        checks.check_choice("scoring", self.scoring, SCORINGS)
        missing = [word for word in self.answers if word not in self.guesses]
        if missing:
            raise BadInput(
                f"{len(missing):,} of the answers cannot be guessed, for example '{missing[0]}': "
                "expected all of them among the guesses"
            )

    @classmethod
    def load(
        cls,
        guesses: Words = "wordle-guesses",
        answers: Words = "wordle-answers",
        *,
        mode: Mode = "easy",
        scoring: Scoring = "wordle",
        guess_hidden_only: bool = False,
    ) -> Variant:
        """Load word lists and return the variant with them. Without arguments it is the original game.

        Parameters
        ----------
        guesses, answers : str, Path or iterable of str
            The name of a shipped list, a text file with one word per line, or the words.
        mode, scoring, guess_hidden_only
            The rules, as for `Variant`.

        Returns
        -------
        Variant
            The variant.

        Raises
        ------
        BadInput
            As for `Variant`, and if words cannot be read or do not have five letters a-z.
        """
        return cls(
            word_list(guesses), word_list(answers), mode=mode, scoring=scoring, guess_hidden_only=guess_hidden_only
        )

    @cached_property
    def answer_guesses(self) -> npt.NDArray[np.intp]:
        """The index of each answer among the guesses, intp, shape (answers,)."""
        return np.array([self.guesses.place[word] for word in self.answers])


def check_variant(variant: Variant | None) -> Variant:
    """Return the variant, or the original game for None. Raises TypeError for anything else."""
    if variant is None:
        return Variant.load()
    checks.check_type("variant", variant, Variant)
    return variant


def check_first(first: str | None, variant: Variant) -> str | None:
    """Return the first guess in lower case, or None if it is None. Raises BadInput unless it is among the guesses."""
    if first is None:
        return None
    first = parse_word(first)
    if first not in variant.guesses:
        raise BadInput(f"first guess '{first}': not among the {len(variant.guesses):,} guesses")
    return first
