"""The Numba twins of ``kernels/quordle.cu``: same names, same arguments, same results to the bit.

The ``.cu`` file explains the idea and the layout. `simple` has the kernels that draw games and play the simple
strategies, `costs` has the kernels that judge guesses, `joint` plays whole games by these costs, and `playouts` looks
ahead.
"""

from gpusolve.games.quordle.cpu.costs import costs, openings
from gpusolve.games.quordle.cpu.joint import joint
from gpusolve.games.quordle.cpu.playouts import playouts
from gpusolve.games.quordle.cpu.simple import deals, games

__all__ = ["costs", "deals", "games", "joint", "openings", "playouts"]
