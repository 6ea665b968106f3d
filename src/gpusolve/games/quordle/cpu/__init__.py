"""The Numba twins of ``kernels/quordle.cu``: same names, same arguments, same results to the bit.

The ``.cu`` file explains the idea and the layout. `simple` has the kernels that draw games and play the simple
strategies, `costs` has the kernels that judge guesses, `joint` plays whole games by these costs, and `playouts` looks
ahead.
"""

from gpusolve.games.quordle.cpu.costs import costs, openings
from gpusolve.games.quordle.cpu.joint import joint
from gpusolve.games.quordle.cpu.playouts import playouts
from gpusolve.games.quordle.cpu.simple import deals, games

# The kernels for words of more than five letters; Numba compiles a function for each type of the patterns.
costs_16, games_16, joint_16, openings_16, playouts_16 = costs, games, joint, openings, playouts

__all__ = [
    "costs",
    "costs_16",
    "deals",
    "games",
    "games_16",
    "joint",
    "joint_16",
    "openings",
    "openings_16",
    "playouts",
    "playouts_16",
]
