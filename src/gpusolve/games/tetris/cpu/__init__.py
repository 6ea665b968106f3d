"""The Numba twins of ``kernels/tetris.cu``: same names, same arguments, same results to the bit.

The idea and the layout are described there. A GPU gives a warp to a board. Here one thread walks along the rows of a
workspace: row k holds column k of many boards, one board in each lane, and every step is one array operation on all
lanes, which LLVM turns into vector instructions for 8 or 16 boards. Only rare cases are handled lane by lane: boards
with pockets that a straight drop does not reach, and lanes in which a row is full.
"""

from gpusolve.games.tetris.cpu.expectations import expect, worths
from gpusolve.games.tetris.cpu.games import play_greedy, play_two_piece
from gpusolve.games.tetris.cpu.plans import plan, plans
from gpusolve.games.tetris.cpu.ranking import best, least_losses, placements
from gpusolve.games.tetris.cpu.turns import deal, turn
from gpusolve.games.tetris.cpu.values import features

__all__ = [
    "best",
    "deal",
    "expect",
    "features",
    "least_losses",
    "placements",
    "plan",
    "plans",
    "play_greedy",
    "play_two_piece",
    "turn",
    "worths",
]
