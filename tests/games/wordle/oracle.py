"""The exact value of small games of Wordle, by trying everything. The oracle of `exact`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from gpusolve.games.wordle import rules
from gpusolve.games.wordle.analysis.strategies import Tree
from gpusolve.games.wordle.rules import History, Mode, Scoring

pattern = cache(rules.pattern)
NEVER = 10**15


class Oracle:
    """Every strategy of a game, without a bound or an order: for some dozen guesses and ten answers or so."""

    def __init__(
        self,
        guesses: Sequence[str],
        mode: Mode = "easy",
        scoring: Scoring = "wordle",
        guess_hidden_only: bool = False,
        weights: Mapping[str, int] | None = None,
    ) -> None:
        self.weights = weights
        self.guesses, self.mode, self.scoring, self.guess_hidden_only = guesses, mode, scoring, guess_hidden_only
        self._total, self._after = cache(self._find_total), cache(self._find_after)

    def total(self, answers: Sequence[str], history: History = (), within: int = 20, first: str | None = None) -> int:
        """The fewest guesses over all `answers`, each found in at most `within`; NEVER where no strategy does that.

        With weights, the guesses for each answer are multiplied by its weight.
        """
        legal = tuple(word for word in self.guesses if rules.allowed(word, history, self.mode, self.scoring))
        return self._total(tuple(answers), legal, within, first)

    def worst(self, answers: Sequence[str], history: History = (), first: str | None = None) -> int:
        """The fewest guesses within which every answer can be found."""
        return next(k for k in range(1, 100) if self.total(answers, history, k, first) < NEVER)

    def _find_after(self, legal: tuple[str, ...], guess: str, code: int) -> tuple[str, ...]:
        """The guesses that are still legal after another turn; the turns before do not matter any more."""
        return tuple(word for word in legal if rules.allowed(word, [(guess, code)], self.mode, self.scoring))

    def _find_total(self, answers: tuple[str, ...], legal: tuple[str, ...], within: int, first: str | None) -> int:
        if not answers:
            return 0
        if within == 0:
            return NEVER
        best = NEVER
        for guess in legal:
            if first not in (None, guess) or (self.guess_hidden_only and guess not in answers):
                continue
            cells = cells_of(guess, answers, self.scoring)
            solved = cells.pop(rules.solved_code(rules.length_of(guess)), [])
            if len(cells) == 1 and not solved and first is None:
                continue  # it tells nothing
            cost = len(answers) if self.weights is None else sum(self.weights[answer] for answer in answers)
            for code, cell in cells.items():
                cost += self._total(tuple(cell), self._after(legal, guess, code), within - 1, None)
            best = min(best, cost, NEVER)
        return best


def cells_of(guess: str, answers: Sequence[str], scoring: Scoring) -> dict[int, list[str]]:
    cells: dict[int, list[str]] = {}
    for answer in answers:
        cells.setdefault(pattern(guess, answer, scoring=scoring), []).append(answer)
    return cells


def depths(tree: Tree, oracle: Oracle, answers: Sequence[str], history: History = ()) -> dict[str, int]:
    """How many guesses a strategy takes for each answer, walked by the rules; an illegal guess is an error."""
    guess = oracle.guesses[tree.guess]
    assert rules.allowed(guess, history, oracle.mode, oracle.scoring)
    assert guess in answers or not oracle.guess_hidden_only
    found: dict[str, int] = {}
    cells = cells_of(guess, answers, oracle.scoring)
    solved = rules.solved_code(rules.length_of(guess))
    assert cells.keys() - {solved} == tree.cells.keys()
    for code, cell in cells.items():
        below = {cell[0]: 0} if code == solved else depths(tree.cells[code], oracle, cell, [*history, (guess, code)])
        found |= {answer: depth + 1 for answer, depth in below.items()}
    return found
