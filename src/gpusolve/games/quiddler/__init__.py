"""Quiddler: solitaire solved to the proven optimum, the best words of a hand, a census of random deals.

>>> from gpusolve.games.quiddler import parse_deal, solve
>>> solution = solve(parse_deal("a n i l f g n u / u d y a h d q x"))
>>> solution.score, solution.plans[0].words
(94, ['flung', 'qi', 'dux', 'dhyana'])
"""

from typing import TYPE_CHECKING

from gpusolve.games import lazily

if TYPE_CHECKING:
    from gpusolve.games.quiddler.cards import parse_cards
    from gpusolve.games.quiddler.deals import Deal, deal, parse_deal
    from gpusolve.games.quiddler.distribution import census
    from gpusolve.games.quiddler.hands import hand
    from gpusolve.games.quiddler.scoring import Rules, parse_bonus, parse_values
    from gpusolve.games.quiddler.solver import solve
    from gpusolve.games.quiddler.spellings import spell
    from gpusolve.games.quiddler.verdicts import check

__all__ = [
    "Deal",
    "Rules",
    "census",
    "check",
    "deal",
    "hand",
    "parse_bonus",
    "parse_cards",
    "parse_deal",
    "parse_values",
    "solve",
    "spell",
]

MODULES = ("cards", "deals", "scoring", "spellings", "solver", "verdicts", "hands", "distribution")
__getattr__ = lazily(__name__, __all__, MODULES)
