"""The GPU backend without a GPU: its unchanged host code runs on the stand-in for CuPy, with emulated kernels."""

from __future__ import annotations

from typing import Any

from gpusolve.backend.cuda import BLOCK, CudaBackend
from gpusolve.backend.kernel import Kernel
from gpusolve.backend.program import Program
from gpusolve.testing.profiling.watching import find_races
from gpusolve.testing.stand_in import Machine, StandIn, installed


class EmulatedBackend(CudaBackend):
    """The unchanged `CudaBackend`, under another name, on a machine of the stand-in with one GPU.

    A kernel's error (a deadlock, a trap, a failed assertion) raises RuntimeError.

    Parameters
    ----------
    reverse : bool, optional
        Whether to run threads and blocks from the highest to the lowest; by default whether
        ``GPUSOLVE_EMULATE_ORDER=reverse`` is set.
    sanitize : bool, optional
        Whether to compile with AddressSanitizer and UndefinedBehaviorSanitizer; by default whether
        ``GPUSOLVE_SANITIZE=1`` is set.
    ahead : bool, optional
        Whether to look for missing barriers: lanes run ahead of votes and shuffles (`emulation.run`). By default
        whether ``GPUSOLVE_EMULATE_ORDER=ahead`` is set.
    races : bool, default False
        Whether each launch looks for races, and raises RuntimeError if it finds some.

    Examples
    --------
    >>> EmulatedBackend().empty(3, "uint8").tolist()  # bytes that no kernel has written
    [165, 165, 165]
    """

    def __init__(
        self,
        *,
        reverse: bool | None = None,
        sanitize: bool | None = None,
        ahead: bool | None = None,
        races: bool = False,
    ) -> None:
        self.machine = Machine(reverse=reverse, sanitize=sanitize, ahead=ahead)
        self.machine.find_races = find_races if races else None
        with installed(StandIn(self.machine)):
            super().__init__()
        self.name, self.about = "emulated", "CUDA emulated on the CPU"

    def run_range(self, program: Program, kernel: Kernel, first: int, last: int, arguments: tuple[Any, ...]) -> None:
        """Run a kernel on the items first to last - 1 without checking its arrays: for tests of the sanitizers."""
        numbers = zip(kernel.parameters, (first, last, *arguments), strict=True)
        typed = [value if parameter.is_array else parameter.dtype.type(value) for parameter, value in numbers]
        self._function(program, kernel.name)((-(-(last - first) * kernel.threads // BLOCK),), (BLOCK,), tuple(typed))
