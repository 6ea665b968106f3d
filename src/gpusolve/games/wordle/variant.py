"""Which Wordle is played."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from gpusolve import checks
from gpusolve.errors import BadInput
from gpusolve.games.wordle.rules import MODES, SCORINGS, Mode, Scoring, check_choice
from gpusolve.games.wordle.words import WordList, word_list
from gpusolve.wordlists import Words


@dataclass(frozen=True)
class Variant:
    """What may be guessed, what may be hidden, and by which rules; whoever has one knows that it is sound.

    `mode`: what a guess must fit (`rules.allowed`); `scoring`: what patterns mean (`rules.pattern`);
    `guess_hidden_only`: only answers that remain are guessed. Raises BadInput for another mode or scoring, and if some
    answer may not be guessed: such a game cannot be won. Raises TypeError for words that are no WordList: `load` makes
    them.

    >>> Variant.load(answers=["crane", "trace"], mode="hard").answers[:]
    ['crane', 'trace']
    """

    guesses: WordList
    answers: WordList
    mode: Mode = "easy"
    scoring: Scoring = "wordle"
    guess_hidden_only: bool = False

    def __post_init__(self) -> None:
        for name, kind in (("guesses", WordList), ("answers", WordList), ("guess_hidden_only", bool)):
            checks.check_type(name, getattr(self, name), kind)
        check_choice("mode", self.mode, MODES)
        check_choice("scoring", self.scoring, SCORINGS)
        missing = [word for word in self.answers if word not in self.guesses]
        if missing:
            raise BadInput(
                f"{len(missing):,} answers cannot be guessed, '{missing[0]}' for one: expected all among the guesses"
            )

    @classmethod
    def load(
        cls,
        guesses: Words = "wordle-guesses",
        answers: Words = "wordle-answers",
        mode: Mode = "easy",
        scoring: Scoring = "wordle",
        guess_hidden_only: bool = False,
    ) -> Variant:
        """The variant with these words: each a shipped list's name, a file, or the words; without any the original.

        Raises BadInput, too, where words cannot be read or are not five letters a-z.
        """
        return cls(word_list(guesses), word_list(answers), mode, scoring, guess_hidden_only)

    @cached_property
    def answer_guesses(self) -> npt.NDArray[np.intp]:
        """Which of the guesses each answer is, intp (answers,)."""
        return np.array([self.guesses.place[word] for word in self.answers])


def check_variant(variant: Variant | None) -> Variant:
    """The variant, or the original where there is none. Raises TypeError for anything else."""
    if variant is None:
        return Variant.load()
    checks.check_type("variant", variant, Variant)
    return variant
