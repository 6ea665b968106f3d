"""A game of a few words, and the exact cost of its guesses by trying everything."""

from __future__ import annotations

from gpusolve.games.wordle import Variant, rules

WORDS = ["abbot", "abort", "about", "adapt", "craft", "draft", "giant", "grant", "graft", "trait"]
VARIANT = Variant.load(WORDS, WORDS)


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
