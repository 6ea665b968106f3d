"""The Numba twins of ``kernels/sliding.cu``: same names, same arguments, same results to the bit.

The idea and the layout are explained there. `databases` has the kernels that build a pattern database, `heights` the
kernel that reads heights from it, `search` the depth-first search, and `beams` the kernels of a beam.
"""

from gpusolve.games.sliding.cpu.beams import rank, take
from gpusolve.games.sliding.cpu.databases import settle, spread, unfold
from gpusolve.games.sliding.cpu.heights import measure
from gpusolve.games.sliding.cpu.search import search

__all__ = ["measure", "rank", "search", "settle", "spread", "take", "unfold"]
