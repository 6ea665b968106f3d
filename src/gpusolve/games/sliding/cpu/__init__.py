"""The Numba twins of ``kernels/sliding.cu``: same names, same arguments, same results to the bit.

The idea and the layout are explained there. `databases` has the kernels that build a pattern database, `heights` the
kernel that reads heights from it, `search` the depth-first search, `beams` the kernels of a beam, and `planes` those of
breadth-first search over all positions.
"""

from gpusolve.games.sliding.cpu.beams import rank, take
from gpusolve.games.sliding.cpu.databases import settle, spread, unfold
from gpusolve.games.sliding.cpu.heights import measure
from gpusolve.games.sliding.cpu.planes import carry, sift, turn
from gpusolve.games.sliding.cpu.search import search
from gpusolve.games.sliding.cpu.slides import slide, widen

__all__ = ["carry", "measure", "rank", "search", "settle", "sift", "slide", "spread", "take", "turn", "unfold", "widen"]
