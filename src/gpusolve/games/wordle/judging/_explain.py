"""Why a guess is good: its cells, what is best in each, and what that costs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gpusolve.backend import Backend, open_backend
from gpusolve.errors import BadInput
from gpusolve.games.wordle import rules
from gpusolve.games.wordle._suggest import after, fitting
from gpusolve.games.wordle.proof.descent import FREE
from gpusolve.games.wordle.proof.values import WIDTH, best_totals, valued
from gpusolve.games.wordle.rules import SOLVED, Turns
from gpusolve.games.wordle.variant import Variant, check_variant


@dataclass(frozen=True)
class Cell:
    """What a pattern leaves: the answers, the best guess there, and the fewest guesses over all of them."""

    pattern: int
    words: list[str]
    guess: str
    total: int


@dataclass(frozen=True)
class Explanation:
    """A guess, its cells, the largest first, and the fewest guesses over all `answers`, itself included.

    `exact`: whether they are; else they are those of the best strategy known. `best`: the best guesses, with their
    totals, where they are known. `widened`: no listed answer fits, so every guess might be one.
    """

    guess: str
    answers: int
    total: int
    cells: list[Cell]
    best: dict[str, int]
    exact: bool
    widened: bool

    @property
    def mean(self) -> float:
        """Guesses per answer."""
        return self.total / self.answers


def explain(
    history: Turns = (), guess: str | None = None, variant: Variant | None = None, backend: Backend | None = None
) -> Explanation:
    """What follows a guess (None: the best one) after `history`, pattern by pattern.

    Raises BadInput and NoSolution as `suggest` does, and BadInput for a guess that may not be made.

    >>> found = explain(["salet:-y--g", "draft:-yg-g"])
    >>> found.guess, found.total, [(rules.pattern_text(cell.pattern), cell.guess) for cell in found.cells]
    ('apart', 6, [('--ggg', 'chart')])
    """
    turns, backend = rules.parse_history(history), open_backend(backend)
    if turns and turns[-1][1] == SOLVED:
        raise BadInput("the last guess has solved the game: expected a history that leaves something to find")
    given = check_variant(variant)
    played = fitting(turns, given, backend)
    table = after(turns, played, "patterns", backend)
    position = valued(table, played, backend)
    best = best_totals(position, 1, FREE) if position.exact else {}
    if guess is not None:
        guess = rules.parse_word(guess)
        if guess not in position.guesses:
            raise BadInput(f"guess '{guess}': not among the {len(position.guesses):,} that may be guessed")
        chosen = position.guesses.place[guess]
    elif best:
        chosen = min(best, key=lambda i: (best[i], not table.partition.contains[0, i], i))
    else:
        chosen = min(table.ranking("patterns")[:WIDTH].tolist(), key=position.cost_after)
    cells = []
    for code, members in position.cells(chosen, np.arange(len(position.answers))).items():
        total, following = position.cost(
            members, via=(chosen, code), allowed=position.allowed_after(None, chosen, code)
        )
        words = [position.answers[i] for i in members]
        cells.append(Cell(code, words, position.guesses[following], total))
    cells.sort(key=lambda cell: (-len(cell.words), cell.pattern))
    return Explanation(
        position.guesses[chosen],
        len(position.answers),
        len(position.answers) + sum(cell.total for cell in cells),
        cells,
        {position.guesses[i]: total for i, total in best.items() if total == min(best.values())},
        position.exact,
        played is not given,
    )
