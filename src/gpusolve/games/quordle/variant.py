"""Which Quordle is played, and the words that can be hidden and guessed in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gpusolve.checks import check_choice, check_integer, check_type
from gpusolve.errors import BadInput
from gpusolve.games.quordle.kernels import MOST_WORDS
from gpusolve.games.quordle.rules import PLAYERS, Player, check_boards, parse_hidden
from gpusolve.games.wordle.rules import LETTERS, SCORINGS, Scoring, parse_word
from gpusolve.games.wordle.wordlist import WordList, word_list
from gpusolve.notebook import as_html, as_text
from gpusolve.wordlists import Words


@dataclass(frozen=True)
class Variant:
    """The word lists, the scoring, and how the boards of the simple strategies propose words.

    Use `load` to make one from the names of shipped lists, from files, or from words.

    Parameters
    ----------
    answers : WordList
        The words that can be hidden. Every board of a simple strategy walks through this list.
    dictionary : WordList
        The words that can be guessed by `joint` and by people; it must contain the answers.
    player : {"consistent", "article"}
        How a board of a simple strategy chooses its proposal: the first word that is consistent with its patterns, or
        the first that fits them by the article's rules.
    scoring : {"wordle", "presence"}
        What the patterns mean; see `gpusolve.games.wordle.rules.pattern`.

    Raises
    ------
    BadInput
        For an unknown player or scoring, for answers that cannot be guessed, and for more than 65,534 words.
    TypeError
        For words that are not a WordList.

    Examples
    --------
    >>> len(Variant.load().answers), Variant.load(answers="quordle-article", player="article").player
    (2315, 'article')
    """

    answers: WordList
    dictionary: WordList
    player: Player = "consistent"
    scoring: Scoring = "wordle"

    _repr_html_ = as_html
    __repr__ = as_text

    def __post_init__(self) -> None:
        for name in ("answers", "dictionary"):
            check_type(name, getattr(self, name), WordList)
            check_integer(f"words of the {name}", len(getattr(self, name)), 1, MOST_WORDS)
        check_choice("player", self.player, PLAYERS)
        check_choice("scoring", self.scoring, SCORINGS)
        missing = [word for word in self.answers if word not in self.dictionary]
        if missing:
            number = f"{len(missing):,} answer{'s' * (len(missing) != 1)}"
            raise BadInput(f"{number} cannot be guessed, such as '{missing[0]}': expected all in the dictionary")

    @classmethod
    def load(
        cls,
        answers: Words = "wordle-answers",
        dictionary: Words | None = None,
        *,
        player: Player = "consistent",
        scoring: Scoring = "wordle",
    ) -> Variant:
        """Make a variant from word lists.

        Parameters
        ----------
        answers : str, path or iterable of str
            The words that can be hidden: the name of a shipped list, a file, or the words.
        dictionary : str, path or iterable of str, optional
            The words that can be guessed. By default Wordle's own guesses if the answers are Wordle's, and otherwise
            the answers.
        player : {"consistent", "article"}
            How a board of a simple strategy chooses its proposal.
        scoring : {"wordle", "presence"}
            What the patterns mean.

        Returns
        -------
        Variant

        Raises
        ------
        BadInput
            For words that cannot be read or that do not have five letters a-z, and as for `Variant`.

        Examples
        --------
        >>> Variant.load(["crane", "trace"]).dictionary[:]
        ['crane', 'trace']
        """
        hidden = word_list(answers, length=LETTERS)
        if dictionary is None:
            dictionary = "wordle-guesses" if answers == "wordle-answers" else answers
        return cls(hidden, word_list(dictionary, length=LETTERS), player, scoring)


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
        raise BadInput(f"boards {boards}: only {number} words can be hidden: expected one for each board")
    return variant


def check_hidden(hidden: Sequence[str], variant: Variant, *, listed: bool = True) -> list[str]:
    """Return the hidden words of a game in lower case.

    Raises BadInput as `rules.parse_hidden` does, and for a word that is not among the answers; if words need not be
    `listed`, for one that cannot be guessed.
    """
    words = parse_hidden(hidden)
    for board, word in enumerate(words, 1):
        if word not in variant.answers:
            if listed:
                raise BadInput(f"board {board}: {word}: not among the {len(variant.answers):,} answers")
            if word not in variant.dictionary:
                number = len(variant.dictionary)
                raise BadInput(f"board {board}: {word}: not among the {number:,} words of the dictionary")
    return words


def check_made(made: Sequence[str], variant: Variant) -> list[str]:
    """Return the guesses of a game in lower case. Raises BadInput for a word that cannot be guessed."""
    guesses = [parse_word(word) for word in made]
    for number, guess in enumerate(guesses, 1):
        if guess not in variant.dictionary:
            raise BadInput(
                f"guess {number}, {guess}: not among the {len(variant.dictionary):,} words of the dictionary"
            )
    return guesses
