"""Q-less: every crossword that twelve letters make, how hard a roll is, and a census of all rolls of the dice.

>>> from gpusolve.games.qless import solve
>>> found = solve("cddeeimprtwx")
>>> len(found), found[0].words
(2046, ('pew', 'met', 'rid', 'mix', 'crewed'))
"""

from typing import TYPE_CHECKING

from gpusolve.games import lazily

if TYPE_CHECKING:
    from gpusolve.games.qless.difficulty import generate, rate
    from gpusolve.games.qless.distribution import census
    from gpusolve.games.qless.hints import check, hint, unsolvable
    from gpusolve.games.qless.polyominoes import shapes
    from gpusolve.games.qless.rolls import roll
    from gpusolve.games.qless.solver import count, counts, solve
    from gpusolve.games.qless.variant import Variant

__all__ = [
    "Variant",
    "census",
    "check",
    "count",
    "counts",
    "generate",
    "hint",
    "rate",
    "roll",
    "shapes",
    "solve",
    "unsolvable",
]

MODULES = ("rolls", "polyominoes", "variant", "solver", "hints", "difficulty", "distribution")
__getattr__ = lazily(__name__, __all__, MODULES)
