"""Quiddler: solitaire solved to the proven optimum, the best words of a hand, a census of random deals.

>>> from gpusolve.games.quiddler import parse_deal, solve
>>> solution = solve(parse_deal("a n i l f g n u / u d y a h d q x"))
>>> solution.score, solution.plans[0].words
(94, ['flung', 'qi', 'dux', 'dhyana'])
"""

from typing import TYPE_CHECKING

from gpusolve.games import lazily

if TYPE_CHECKING:
    from gpusolve.games.quiddler.census import take_census
    from gpusolve.games.quiddler.check import check_plan
    from gpusolve.games.quiddler.hand import best_words
    from gpusolve.games.quiddler.rules import Deal, Rules, parse_cards, parse_deal, random_deal
    from gpusolve.games.quiddler.solver import dictionary, solve

__all__ = [
    "Deal",
    "Rules",
    "best_words",
    "check_plan",
    "dictionary",
    "parse_cards",
    "parse_deal",
    "random_deal",
    "solve",
    "take_census",
]

__getattr__ = lazily(__name__, __all__, ("rules", "solver", "check", "hand", "census"))
