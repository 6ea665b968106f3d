"""The Numba twins of ``kernels/qless.cu``: same names, same arguments, same results to the bit.

The idea and the layout of the data are described there. `candidates` has the kernels that find the words of a roll,
`filling` the kernel that fills shapes with them.
"""

from gpusolve.games.qless.cpu.candidates import candidates, gather
from gpusolve.games.qless.cpu.filling import fill

__all__ = ["candidates", "fill", "gather"]
