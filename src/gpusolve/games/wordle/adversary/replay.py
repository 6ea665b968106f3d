"""A game against the adversary, played by the rules."""

from __future__ import annotations

from gpusolve.errors import WrongSolution
from gpusolve.games.wordle import rules
from gpusolve.games.wordle._play import PlayedTurn
from gpusolve.games.wordle.rules import History
from gpusolve.games.wordle.variant import Variant


def replayed(line: list[str], history: History, variant: Variant) -> list[PlayedTurn]:
    """Play a line against the adversary by the rules. Raises WrongSolution unless it is legal and wins."""
    played, past = [], list(history)
    left = [word for word in variant.answers if rules.consistent(word, past, variant.scoring)]
    for guess in line:
        legal = rules.allowed(guess, past, variant.mode, variant.scoring)
        if not legal or (variant.guess_hidden_only and guess not in left):
            raise WrongSolution(f"the search has returned a line with {guess}, which may not be guessed")
        code = rules.reply(guess, left, scoring=variant.scoring)
        played.append(PlayedTurn(guess, code, len(left)))
        past.append((guess, code))
        left = [word for word in left if rules.mark(guess, word, variant.scoring) == code]
    if [rules.solves(turn.guess, turn.pattern) for turn in played] != [False] * (len(line) - 1) + [True]:
        raise WrongSolution("the search has returned a line that does not win")
    return played
