"""The Numba twins of the kernels in ``kernels/wordle.cu``: same names, same arguments, identical results."""

from gpusolve.games.wordle.cpu.groups import (
    candidates as candidates,
    closeness as closeness,
    extend as extend,
    turns as turns,
)
from gpusolve.games.wordle.cpu.partitions import (
    bounds as bounds,
    choose as choose,
    partition as partition,
    patterns as patterns,
    terms as terms,
)
