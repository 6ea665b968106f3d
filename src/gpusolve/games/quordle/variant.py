"""Which Quordle is played."""

from __future__ import annotations

from dataclasses import dataclass

from gpusolve import checks
from gpusolve.errors import BadInput
from gpusolve.games.quordle import kernels
from gpusolve.games.quordle.rules import PLAYERS, Player, check_boards
from gpusolve.games.wordle.rules import SCORINGS, Scoring
from gpusolve.games.wordle.words import WordList, word_list
from gpusolve.wordlists import Words


@dataclass(frozen=True)
class Variant:
    """What may be hidden, what may be guessed, and how the boards of the simple strategies propose words.

    `answers`: what may be hidden, and the list that every board walks; `dictionary`: what may be guessed. `player`:
    by which rules a board walks; `scoring`: what patterns mean. Raises BadInput for another player or scoring, for
    answers that may not be guessed and for more words than a game can tell apart; TypeError for words that are no
    WordList: `load` makes them.

    >>> len(Variant.load().answers), Variant.load(answers="quordle-article", player="article").player
    (2315, 'article')
    """

    answers: WordList
    dictionary: WordList
    player: Player = "consistent"
    scoring: Scoring = "wordle"

    def __post_init__(self) -> None:
        for name in ("answers", "dictionary"):
            checks.check_type(name, getattr(self, name), WordList)
            checks.check_integer(f"words of the {name}", len(getattr(self, name)), 1, kernels.MOST_WORDS)
        checks.check_choice("player", self.player, PLAYERS)
        checks.check_choice("scoring", self.scoring, SCORINGS)
        missing = [word for word in self.answers if word not in self.dictionary]
        if missing:
            raise BadInput(
                f"{len(missing):,} answers cannot be guessed, '{missing[0]}' for one: expected all in the dictionary"
            )

    @classmethod
    def load(
        cls,
        answers: Words = "wordle-answers",
        dictionary: Words | None = None,
        player: Player = "consistent",
        scoring: Scoring = "wordle",
    ) -> Variant:
        """The variant with these words, each a shipped list's name, a file, or the words.

        `dictionary`, None: with the answers of Wordle its own guesses, else the answers alone. Raises BadInput, too,
        where words cannot be read or are not five letters a-z.
        """
        hidden = word_list(answers)
        if dictionary is None:
            dictionary = "wordle-guesses" if answers == "wordle-answers" else answers
        return cls(hidden, word_list(dictionary), player, scoring)


def check_variant(variant: Variant | None, boards: int = 1) -> Variant:
    """The variant, or the original where there is none. Raises TypeError for anything else.

    Raises BadInput for a number of boards that no game has, and for more of them than words may be hidden.
    """
    check_boards(boards)
    if variant is None:
        variant = Variant.load()
    checks.check_type("variant", variant, Variant)
    if len(variant.answers) < boards:
        raise BadInput(f"boards {boards}: only {len(variant.answers)} words may be hidden: expected one for each board")
    return variant
