"""The backend for GPUs where there is none: its own host code over the stand-in for CuPy, its kernels emulated."""

from __future__ import annotations

from typing import Any

from gpusolve.backend.cuda import BLOCK, CudaBackend
from gpusolve.backend.program import Kernel, Program
from gpusolve.testing.stand_in import Machine, StandIn, installed


class EmulatedBackend(CudaBackend):
    """`CudaBackend` as it is, but for its name, on a machine of the stand-in with one GPU.

    A kernel's errors (a deadlock, a trap, a failed assertion) are RuntimeErrors. ``reverse`` resumes threads and blocks
    from the highest to the lowest; ``sanitize`` compiles with AddressSanitizer and UndefinedBehaviorSanitizer. None: as
    ``GPUSOLVE_EMULATE_ORDER=reverse`` and ``GPUSOLVE_SANITIZE=1`` say.

    >>> EmulatedBackend().empty(3, "uint8").tolist()  # what no kernel has written shows
    [165, 165, 165]
    """

    def __init__(self, *, reverse: bool | None = None, sanitize: bool | None = None) -> None:
        self.machine = Machine(reverse=reverse, sanitize=sanitize)
        with installed(StandIn(self.machine)):
            super().__init__()
        self.name, self.about = "emulated", "CUDA emulated by g++"

    def run_range(self, program: Program, kernel: Kernel, first: int, last: int, arguments: tuple[Any, ...]) -> None:
        """Runs a kernel on items first..last-1, whatever shapes its arrays have: for tests of the sanitizers."""
        numbers = zip(kernel.parameters, (first, last, *arguments), strict=True)
        typed = [value if parameter.is_array else parameter.dtype.type(value) for parameter, value in numbers]
        self._function(program, kernel.name)((-(-(last - first) * kernel.threads // BLOCK),), (BLOCK,), tuple(typed))
