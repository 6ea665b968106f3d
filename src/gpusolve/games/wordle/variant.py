"""The variant of Wordle that is played: word lists, mode and scoring."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt

from gpusolve import checks
from gpusolve.errors import BadInput
from gpusolve.games.wordle.rules import LETTERS, MODES, SCORINGS, Mode, Scoring, letters_of, parse_word
from gpusolve.games.wordle.weights.weights import Weights, WeightsSource, load_weights, scaled
from gpusolve.games.wordle.wordlist import WordList, both, digraphs_of, used_digraphs, word_list
from gpusolve.lists import public
from gpusolve.options import Options
from gpusolve.result import HIDDEN, Result, reported
from gpusolve.wordlists import Words

ANSWERS = "wordle-answers"
"""The published list of answers."""


@dataclass(frozen=True, repr=False)
class Variant(Result, Options):
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
    weights : Weights, optional
        How likely the answers are, an integer for each in their order. By default all are equally likely.
    any_answer : bool
        Whether the answers were left open, as `Variant.load` does by default: advice then counts on every word that may
        be guessed, each with its chance, and everything else on `answers`.

    Raises
    ------
    BadInput
        If the mode or the scoring is unknown, an answer is not among the guesses, or the number of weights is wrong.
    TypeError
        If an argument has another type.

    Examples
    --------
    >>> Variant.load(answers=["crane", "trace"], mode="hard").answers[:]
    ['crane', 'trace']
    """

    guesses: WordList = field(metadata=HIDDEN)
    answers: WordList = field(metadata=HIDDEN)
    _: KW_ONLY
    mode: Mode = "easy"
    scoring: Scoring = "wordle"
    guess_hidden_only: bool = False
    weights: Weights | None = field(default=None, metadata=HIDDEN)
    any_answer: bool = field(default=False, compare=False, metadata=HIDDEN)

    @reported
    def guess_list(self) -> str:
        """The name of the list of words that can be guessed."""
        return self.guesses.name

    @reported
    def answer_list(self) -> str:
        """The name of the list of words that can be hidden."""
        return self.answers.name

    @reported
    def weight_list(self) -> str | None:
        """The name of the list of weights; None if all answers are equally likely."""
        return None if self.weights is None else self.weights.name

    @reported
    def exact_weights(self) -> bool | None:
        """Whether the weights are used exactly, without rounding; None without weights."""
        return None if self.weights is None else self.weights.exact

    def __post_init__(self) -> None:
        checks.check_type("guess_hidden_only", self.guess_hidden_only, bool)
        checks.check_choice("mode", self.mode, MODES)
        checks.check_choice("scoring", self.scoring, SCORINGS)
        check_lists(self.guesses, self.answers, self.weights)

    @classmethod
    def load(
        cls,
        guesses: Words | None = None,
        answers: Words | None = None,
        *,
        mode: Mode = "easy",
        scoring: Scoring = "wordle",
        guess_hidden_only: bool = False,
        weights: WeightsSource | None = None,
        length: int | None = None,
    ) -> Variant:
        """Load word lists and return the variant with them. Without arguments it is the original game.

        Parameters
        ----------
        guesses : str, Path or iterable of str, optional
            Words that can be guessed, of 2 to 12 letters: a list's name, or a file with one word per line; of a
            dictionary such as /usr/share/dict/words, other words are left out, with a note. By default those of the
            game for a public list of answers, otherwise wordle-guesses and the answers, or only the answers if they are
            not five letters a-z. Guesses have the digraphs of the answers, unless their own first line declares others.
        answers : str, Path or iterable of str, optional
            Words that can be hidden: a list's name, or a file with one word per line. By default the words of
            `weights`; else wordle-answers, the list of 2021, but advice on a game counts on every guess, with its
            chance to be an answer today.
        mode : {"easy", "hard", "ultra-hard"}
            Allowed guesses. ``hard``: words with all revealed letters; ``ultra-hard``: words that are consistent with
            every pattern.
        scoring : {"wordle", "presence"}
            Rules of the patterns. ``presence``: every letter that occurs in the answer and is not green is yellow.
        guess_hidden_only : bool, default False
            Guess only words that can still be the answer.
        weights : str, Path, mapping or sequence, optional
            How likely the answers are: a file with a word and its weight on each line, separated by a tab, a comma or
            spaces, such as ``gpusolve wordle words`` writes. By default all are equally likely. In Python also a
            mapping from words to weights, or the weights of the answers in their order. Weights are used exactly, as
            integers in the same proportions, unless the sum of these integers is above 2^30: then they are scaled to
            that sum and rounded.
        length : int, optional
            Number of letters of the words, 2 to 12; the other words of a list are left out. By default that of the
            patterns of a history with lists of your own, else the one that more than half of the words have (those that
            can be guessed, if they are given), else five.

        Returns
        -------
        Variant
            The variant.

        Raises
        ------
        BadInput
            As for `Variant`; if words cannot be read (see `WordList`); and if a weight is missing,
            negative or not finite, a word has two of them, or all are 0.

        Examples
        --------
        >>> variant = Variant.load(weights={"crane": 3, "trace": 0.5})
        >>> variant.answers[:], variant.weights.values
        (['crane', 'trace'], (30, 5))
        """
        given, hidden, paired = load_lists(guesses, answers, weights, length=length)
        words = guesses_for(hidden, weighed_only=answers is None) if given is None else given
        return cls(
            words,
            hidden,
            mode=mode,
            scoring=scoring,
            guess_hidden_only=guess_hidden_only,
            weights=paired,
            any_answer=answers is None and weights is None,
        )

    @property
    def length(self) -> int:
        """The number of letters of the words."""
        return self.answers.length

    @property
    def digraphs(self) -> tuple[str, ...]:
        """The letters that are written with two or three characters."""
        return self.guesses.digraphs

    @cached_property
    def answer_guesses(self) -> npt.NDArray[np.intp]:
        """The index of each answer among the guesses, intp, shape (answers,)."""
        return np.array([self.guesses.place[word] for word in self.answers])

    def weights_of(self, words: WordList) -> npt.NDArray[np.int64] | None:
        """Return the weights of some of the answers, int64 (words,); None without weights.

        If all of them have the weight 0, they get equal weights.
        """
        if self.weights is None:
            return None
        chosen = self.weights.array[[self.answers.place[word] for word in words]]
        return chosen if chosen.any() else np.ones_like(chosen)


def needed_by(answers: WordList) -> str | None:
    """Return the name of the list of guesses that belongs to a public list of answers; None for other answers."""
    known = public.BY_NAME.get(answers.name)
    return known.needs[0] if known is not None and known.needs else None


def guesses_for(answers: WordList, *, weighed_only: bool = False) -> WordList:
    """Return the guesses that a public list of answers needs, else the original ones, together with these answers.

    They are only the answers if these are not five letters a-z. Answers that stand in a file of weights alone are not
    added, because one that cannot be guessed is probably misspelt.
    """
    original = answers.length == LETTERS and answers.letters.dtype == np.uint8 and not answers.digraphs
    if not original:
        return answers
    guesses = word_list(needed_by(answers) or "wordle-guesses")
    return guesses if weighed_only or guesses.place.keys() >= answers.place.keys() else both(guesses, answers)


def load_lists(
    guesses: Words | None, answers: Words | None, weights: WeightsSource | None, *, length: int | None = None
) -> tuple[WordList | None, WordList, Weights | None]:
    """Return the guesses if there are any, the answers, and their weights if there are any.

    The parameters are as for `Variant.load`. The guesses have the digraphs of the answers, and the answers the length
    of the guesses.
    """
    if answers is not None and not isinstance(answers, str | Path | WordList):
        answers = [*answers]
    weighed = None if weights is None else load_weights(weights)
    named = weighed if isinstance(weighed, dict) else {}
    given = None
    if guesses is not None:
        digraphs = used_digraphs(named) if answers is None else digraphs_of(answers)
        given = word_list(guesses, length=length, digraphs=digraphs)
        length = given.length
    if answers is None and not named and length not in (None, LETTERS):
        raise BadInput(f"length {length}: {ANSWERS} has words of {LETTERS} letters: expected other answers as well")
    name = str(weights) if isinstance(weights, str | Path) else ""
    if answers is None and named:
        hidden = WordList(named, length=length, name=f"weights {name}" if name else "")
        hidden.name = name
    else:
        hidden = word_list(ANSWERS if answers is None else answers, length=length)
    if weighed is None:
        return given, hidden, None
    if isinstance(weighed, dict):
        missing = [word for word in hidden if word not in weighed]
        if missing:
            place = f"weights {name}" if name else "weights"
            few = f"{len(missing):,} of the {len(hidden):,} answers"
            raise BadInput(f"{place}: none for {few}, for example '{missing[0]}': expected one for each")
        return given, hidden, scaled([weighed[word] for word in hidden], name)
    order = hidden[:]
    if isinstance(answers, list):
        order = [parse_word(word, hidden.length, hidden.digraphs) for word in answers]
    if len(weighed) != len(order):
        raise BadInput(f"weights: {len(weighed):,} numbers: expected one for each of the {len(order):,} answers")
    by_word = dict(zip(order, weighed, strict=True))
    return given, hidden, scaled([by_word[word] for word in hidden])


def check_lists(guesses: WordList, answers: WordList, weights: Weights | None) -> None:
    """Raise an error unless all answers are among the guesses, with the same letters, and each of them has a weight.

    Raises TypeError for values of other types, and else BadInput.
    """
    checks.check_type("guesses", guesses, WordList)
    checks.check_type("answers", answers, WordList)
    checks.check_type("weights", weights, (Weights, type(None)))
    if guesses.length != answers.length:
        raise BadInput(
            f"answers of {answers.length} letters, but guesses of {guesses.length}: expected the same length"
        )
    missing = [word for word in answers if word not in guesses.place]
    if missing:
        raise BadInput(
            f"{len(missing):,} of the answers cannot be guessed, for example '{missing[0]}': "
            "expected all of them among the guesses"
        )
    check_same_letters(answers, guesses)
    if weights is not None and len(weights.values) != len(answers):
        raise BadInput(f"{len(weights.values):,} weights: expected one for each of {len(answers):,} answers")


def check_same_letters(answers: WordList, guesses: WordList) -> None:
    """Raise BadInput unless each answer, which is among the guesses, has the same letters there."""
    if answers.digraphs == guesses.digraphs:
        return
    for word in answers:
        here, there = (" ".join(letters_of(found)) for found in (word, guesses[guesses.place[word]]))
        if here != there:
            raise BadInput(f"'{word}' is {here} among the answers, but {there} among the guesses: expected one of them")


def check_variant(variant: Variant | None) -> Variant:
    """Return the variant, or the original game for None. Raises TypeError for anything else."""
    if variant is None:
        return Variant.load()
    checks.check_type("variant", variant, Variant)
    return variant
