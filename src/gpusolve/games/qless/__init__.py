"""Q-less: every crossword that twelve letters make, how hard a roll is, and a census of all rolls of the dice.

>>> from gpusolve.games.qless import solve
>>> found = solve("cddeeimprtwx")
>>> len(found)
2179
"""

from typing import TYPE_CHECKING

from gpusolve.games import lazily

if TYPE_CHECKING:
    from gpusolve.games.qless.rolls import roll
    from gpusolve.games.qless.solver import count, counts, solve
    from gpusolve.games.qless.variant import Variant

__all__ = ["Variant", "count", "counts", "roll", "solve"]

MODULES = ("rolls", "variant", "solver")
__getattr__ = lazily(__name__, __all__, MODULES)
