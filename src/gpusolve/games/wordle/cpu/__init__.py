"""The Numba twins of the kernels in ``kernels/wordle.cu``: same names, same arguments, identical results."""

from gpusolve.games.wordle.cpu.groups import (
    candidates as candidates,
    closeness as closeness,
    extend as extend,
    turns as turns,
)
from gpusolve.games.wordle.cpu.lengths import (
    patterns_16 as patterns_16,
    patterns_32 as patterns_32,
    terms_16 as terms_16,
    terms_32 as terms_32,
)
from gpusolve.games.wordle.cpu.partitions import (
    bounds as bounds,
    choose as choose,
    partition as partition,
    patterns as patterns,
    terms as terms,
)
