"""A game of a few words, the exact cost of its guesses by trying everything, and strategies in files."""

from __future__ import annotations

from pathlib import Path

from gpusolve.games.wordle import Solution, Variant, rules
from gpusolve.games.wordle.analysis.strategies import reply_of
from gpusolve.games.wordle.analysis.trees import save_tree

WORDS = ["abbot", "abort", "about", "adapt", "craft", "draft", "giant", "grant", "graft", "trait"]
VARIANT = Variant.load(WORDS, WORDS)
ANSWERS = ["abbot", "abort", "about", "adapt", "craft", "draft", "giant", "trait"]
"""The answers of a game with all guesses."""


def least_total(answers: list[str], guess: str | None = None) -> int:
    """Return the fewest guesses over all answers, by trying everything; with `guess`, after this next guess."""
    best = 10**9
    for word in WORDS if guess is None else [guess]:
        cells: dict[int, list[str]] = {}
        for answer in answers:
            cells.setdefault(rules.pattern(word, answer), []).append(answer)
        cells.pop(rules.SOLVED, None)
        if guess is None and list(cells.values()) == [answers]:
            continue
        best = min(best, len(answers) + sum(least_total(cell) for cell in cells.values()))
    return best


def save_solution(path: Path, solution: Solution, variant: Variant) -> Path:
    """Write the strategy of a solution to a tree file and return its path."""
    save_tree(path, reply_of(solution.tree, variant.guesses), variant, total=solution.total)
    return path
