"""The best strategy of a game of Wordle, proven."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from gpusolve.backend import Backend
from gpusolve.games.wordle import rules
from gpusolve.games.wordle.rules import Turns
from gpusolve.games.wordle.solver import after
from gpusolve.games.wordle.variant import Variant, check_variant

Objective = Literal["mean", "worst"]


class Tree(NamedTuple):
    """A strategy: a guess, as an index into the variant's guesses, and what follows each pattern but five greens.

    A single answer that is left is a tree, too: its guess, and no cells.
    """

    guess: int
    cells: dict[int, Tree]


@dataclass(frozen=True, eq=False)
class Solution:
    """`total`: guesses of the strategy `tree` over all answers that remain; `proven`: whether no other has fewer."""

    total: int
    worst: int
    proven: bool
    tree: Tree


def solve(history: Turns = (), variant: Variant | None = None, backend: Backend | None = None) -> Solution:
    """The strategy with the fewest guesses over all answers that remain after `history`.

    >>> solution = solve(["salet:-y--g", "draft:-yg-g"], Variant.load(guess_hidden_only=True))
    >>> solution.total, solution.worst
    (6, 3)
    """
    variant = check_variant(variant)
    turns = rules.parse_history(history)
    table = after(turns, variant, backend=backend)
    return _solve(tuple(table.answers), turns, variant, backend)


def _solve(answers: tuple[str, ...], history: rules.History, variant: Variant, backend: Backend | None) -> Solution:
    best: Solution | None = None
    for guess in after(history, variant, backend=backend).guesses:
        cells: dict[int, list[str]] = {}
        for answer in answers:
            cells.setdefault(rules.pattern(guess, answer, variant.scoring), []).append(answer)
        solved = cells.pop(rules.SOLVED, [])
        if len(cells) == 1 and not solved:
            continue
        total, worst, tree = len(answers), 1, Tree(variant.guesses.place[guess], {})
        for code, cell in sorted(cells.items()):
            if best is not None and total + 2 * len(cell) - 1 >= best.total:
                break
            found = _solve(tuple(cell), [*history, (guess, code)], variant, backend)
            total, worst = total + found.total, max(worst, found.worst + 1)
            tree.cells[code] = found.tree
        else:
            if best is None or total < best.total:
                best = Solution(total, worst, True, tree)
    assert best is not None
    return best
