"""How a field is solved: by a beam over walkers."""

from __future__ import annotations

from dataclasses import dataclass

from gpusolve.backend import Backend, open_backend
from gpusolve.errors import BadInput
from gpusolve.search.beam import beam
from gpusolve.search.space import Progress
from gpusolve_harvest.kernels import Walkers
from gpusolve_harvest.rules import DIRECTIONS, parse_field

BYTES_PER_WALKER = 64
"""What a walker takes while its moves are looked at."""


@dataclass(frozen=True)
class Solution:
    """The best walk found. `proven`: the beam left nothing out, so no walk reaps more."""

    reaped: int
    path: str
    walkers: int
    proven: bool
    seconds: float


def solve(
    field: str,
    steps: int = 20,
    width: int = 10_000,
    progress: Progress = lambda generated, best: None,
    backend: Backend | None = None,
) -> Solution:
    """The best walk of at most `steps` steps that a beam of `width` walkers finds. Raises BadInput for a bad field.

    >>> solve("13/92", steps=2).path
    'dr'
    """
    if not 0 <= steps < 64:
        raise BadInput(f"steps {steps}: expected 0 to 63")
    if width < 1:
        raise BadInput(f"width {width}: expected at least 1")
    backend = backend or open_backend()
    space = Walkers(backend, parse_field(field), steps)
    found = beam(space, width, backend.batch(BYTES_PER_WALKER), progress=progress)
    path = "".join(DIRECTIONS[move] for move in found.moves)
    return Solution(found.value, path, found.generated, found.exhaustive, found.seconds)
