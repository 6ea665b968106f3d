"""The Numba twins of ``kernels/quordle.cu``: same names, same arguments, same results to the bit.

The idea and the layout are told there. `simple` has the kernels that draw games and play the simple strategies, `costs`
those that judge guesses, `joint` the one that plays whole games by them, `ahead` what looks ahead.
"""

from gpusolve.games.quordle.cpu.ahead import playouts
from gpusolve.games.quordle.cpu.costs import costs, openings
from gpusolve.games.quordle.cpu.joint import joint
from gpusolve.games.quordle.cpu.simple import deals, games

__all__ = ["costs", "deals", "games", "joint", "openings", "playouts"]
