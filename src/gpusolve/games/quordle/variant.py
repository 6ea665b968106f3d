"""Which Quordle is played, and the words that can be hidden and guessed in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from gpusolve.checks import check_choice, check_integer, check_type
from gpusolve.errors import BadInput
from gpusolve.games.quordle.kernels import MOST_LETTERS, MOST_WORDS
from gpusolve.games.quordle.rules import PLAYERS, Player, check_boards, parse_hidden
from gpusolve.games.wordle.rules import SCORINGS, Scoring, parse_word
from gpusolve.games.wordle.variant import check_lists, guesses_for, load_lists
from gpusolve.games.wordle.weights.mistakes import not_accepted
from gpusolve.games.wordle.weights.weights import Weights, WeightsSource
from gpusolve.games.wordle.wordlist import WordList
from gpusolve.options import Options
from gpusolve.result import HIDDEN, Result, reported
from gpusolve.wordlists import Words


@dataclass(frozen=True, repr=False)
class Variant(Result, Options):
    """The word lists, the scoring, and how the boards of the simple strategies propose words.

    Use `load` to make one from the names of shipped lists, from files, or from words.

    Parameters
    ----------
    answers : WordList
        The words that can be hidden. Every board of a simple strategy walks through this list.
    guesses : WordList
        The words that can be guessed by `joint` and by people; it must contain the answers.
    player : {"consistent", "article"}
        How a board of a simple strategy chooses its proposal: the first word that is consistent with its patterns, or
        the first that fits them by the article's rules.
    scoring : {"wordle", "presence"}
        What the patterns mean; see `gpusolve.games.wordle.rules.pattern`.
    weights : Weights, optional
        How likely the answers are, an integer for each in their order: the chance that a board hides a word is
        proportional to its weight. By default all are equally likely.
    any_answer : bool
        Whether the answers were left open, as `load` does by default: advice then counts on every word that can be
        guessed, each with its chance, and everything else on `answers`.

    Raises
    ------
    BadInput
        For an unknown player or scoring, for answers that cannot be guessed, for more than 65,534 words, for
        words of more than ten letters, and for another number of weights than answers.
    TypeError
        For words that are not a WordList, and for weights that are not Weights.

    Examples
    --------
    >>> len(Variant.load().answers), Variant.load(answers="quordle-article", player="article").player
    (2315, 'article')
    """

    answers: WordList = field(metadata=HIDDEN)
    guesses: WordList = field(metadata=HIDDEN)
    player: Player = "consistent"
    scoring: Scoring = "wordle"
    _: KW_ONLY
    weights: Weights | None = field(default=None, metadata=HIDDEN)
    any_answer: bool = field(default=False, compare=False, metadata=HIDDEN)

    def __post_init__(self) -> None:
        check_lists(self.guesses, self.answers, self.weights)
        for name, words in (("answers", self.answers), ("guesses", self.guesses)):
            check_integer(f"words of the {name}", len(words), 1, MOST_WORDS)
        if self.answers.length > MOST_LETTERS:
            raise BadInput(f"words of {self.answers.length} letters: expected 2 to {MOST_LETTERS}")
        check_choice("player", self.player, PLAYERS)
        check_choice("scoring", self.scoring, SCORINGS)

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

    @classmethod
    def load(
        cls,
        answers: Words | None = None,
        guesses: Words | None = None,
        *,
        player: Player = "consistent",
        scoring: Scoring = "wordle",
        weights: WeightsSource | None = None,
        length: int | None = None,
    ) -> Variant:
        """Make a variant from word lists.

        Parameters
        ----------
        answers : str, path or iterable of str, optional
            Words that can be hidden, of 2 to 10 letters: a list's name, or a file with one word per line; of a
            dictionary such as /usr/share/dict/words, other words are left out, with a note. By default the words of
            `weights`; else wordle-answers, the list of 2021, but advice on a game counts on every word that can be
            guessed, with its chance to be an answer today.
        guesses : str, path or iterable of str, optional
            Words that can be guessed: a list's name, or a file with one word per line. By default those of the game for
            a public list of answers, otherwise wordle-guesses and the answers, or only the answers if they are not five
            letters a-z.
        player : {"consistent", "article"}
            Word that a board proposes to the simple strategies. ``consistent``: the first word that is consistent with
            its patterns; ``article``: the first word that fits them by the rules of the article.
        scoring : {"wordle", "presence"}
            Rules of the patterns. ``presence``: every letter that occurs in the answer and is not green is yellow.
        weights : str, Path, mapping or sequence, optional
            How likely the answers are: a file with a word and its weight on each line, separated by a tab, a comma or
            spaces, such as ``gpusolve wordle words`` writes. Hidden words are drawn by these weights, and `joint`
            judges by integers in the same proportions, rounded where their sum would be 2^16 or more. By default all
            are equally likely.
        length : int, optional
            Number of letters of the words, 2 to 10; the other words of a list are left out. By default the length of
            the guesses that are given, else the one that more than half of the words have, else five.

        Returns
        -------
        Variant

        Raises
        ------
        BadInput
            For words that cannot be read or that do not have 2 to 10 letters; if a weight is missing, negative or not
            finite, a word has two of them, or all are 0; and as for `Variant`.

        Examples
        --------
        >>> len(Variant.load(["crane", "gizmo"]).guesses)
        12972
        >>> variant = Variant.load(weights={"crane": 3, "trace": 0.5})
        >>> variant.answers[:], variant.weights.values, len(variant.guesses)
        (['crane', 'trace'], (30, 5), 12972)
        """
        guessed, hidden, paired = load_lists(guesses, answers, weights, length=length)
        words = guesses_for(hidden, weighed_only=answers is None) if guessed is None else guessed
        any_answer = answers is None and weights is None
        return cls(hidden, words, player, scoring, weights=paired, any_answer=any_answer)

    @property
    def length(self) -> int:
        """The number of letters of the words."""
        return self.answers.length

    @property
    def digraphs(self) -> tuple[str, ...]:
        """The letters that are written with two or three characters."""
        return self.guesses.digraphs

    @cached_property
    def unequal_weights(self) -> npt.NDArray[np.int64] | None:
        """The weights of the answers, int64 (answers,); None if all answers are equally likely."""
        if self.weights is None or len(set(self.weights.values)) == 1:
            return None
        return self.weights.array


def check_variant(variant: Variant | None, boards: int = 1) -> Variant:
    """Return the variant, or the original game for None.

    Raises TypeError for anything else; BadInput for a number of boards that no game has, and for more boards than
    words that can be hidden.
    """
    check_boards(boards)
    if variant is None:
        variant = Variant.load()
    check_type("variant", variant, Variant)
    if len(variant.answers) < boards:
        number = len(variant.answers)
        only = f"{number} word{'s' * (number != 1)}"
        raise BadInput(f"boards {boards}: only {only} can be hidden: expected one for each board")
    return variant


def check_hidden(hidden: Sequence[str], variant: Variant, *, listed: bool = True) -> list[str]:
    """Return the hidden words of a game in lower case.

    Raises BadInput as `rules.parse_hidden` does, and for a word that is not among the answers; if words need not be
    `listed`, for one that cannot be guessed.
    """
    words = parse_hidden(hidden, variant.digraphs, variant.length)
    for board, word in enumerate(words, 1):
        if word not in variant.answers:
            if listed:
                raise BadInput(f"board {board}: {word}: {not_accepted(word, variant.answers, 'answers')}")
            if word not in variant.guesses:
                raise BadInput(f"board {board}: {word}: {not_accepted(word, variant.guesses)}")
    return words


def check_made(made: Sequence[str], variant: Variant) -> list[str]:
    """Return the guesses of a game in lower case. Raises BadInput for a word that cannot be guessed."""
    guesses = [parse_word(word, variant.length, variant.digraphs) for word in made]
    for number, guess in enumerate(guesses, 1):
        if guess not in variant.guesses:
            raise BadInput(f"guess {number}, {guess}: {not_accepted(guess, variant.guesses)}")
    return guesses
