"""The Numba twins of ``kernels/sliding.cu``: same names, same arguments, same results to the bit.

The idea and the layout are told there. `databases` has the kernels that build a table, `heights` the one that reads
whole heights off it, `search` the depth-first search.
"""

from gpusolve.games.sliding.cpu.databases import settle, spread, unfold
from gpusolve.games.sliding.cpu.heights import measure
from gpusolve.games.sliding.cpu.search import search

__all__ = ["measure", "search", "settle", "spread", "unfold"]
