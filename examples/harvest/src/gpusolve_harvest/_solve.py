"""The command ``solve``: the best walk over a field, by a beam search."""

from __future__ import annotations

from dataclasses import dataclass

from gpusolve.backend import Backend, open_backend
from gpusolve.checks import check_integer
from gpusolve.result import Result
from gpusolve.search.beam import beam
from gpusolve.search.space import Progress
from gpusolve_harvest.kernels import Walkers
from gpusolve_harvest.rules import DIRECTIONS, LARGEST, parse_field

MOST_WIDTH = 10_000_000
BYTES_PER_WALKER = 64
"""Memory for each walker while its moves are examined."""


@dataclass(frozen=True, repr=False)
class Solution(Result, schema="harvest.solve/2"):
    """The best walk that a search came upon, and statistics of the search.

    Attributes
    ----------
    field : str
        The rows of digits.
    steps : int
        Number of steps allowed.
    reaped : int
        The sum of the digits reaped.
    path : str
        The steps of the walk, each l, r, u or d.
    walkers : int
        Number of walks examined.
    proven : bool
        Whether the search left nothing out, so that no walk reaps more.
    seconds : float
        Duration of the search.
    """

    field: str
    steps: int
    reaped: int
    path: str
    walkers: int
    proven: bool
    seconds: float


def solve(
    field: str,
    *,
    steps: int = 20,
    width: int = 10_000,
    progress: Progress = lambda generated, best: None,
    backend: Backend | None = None,
) -> Solution:
    """Search for the walk that reaps the most.

    Parameters
    ----------
    field : str
        The rows of digits, as ``131/925/347``.
    steps : int, default 20
        Number of steps allowed, 0 to 63.
    width : int, default 10,000
        Number of walkers kept after each step (the beam width).
    progress : callable, optional
        Called with the number of walkers so far and the largest sum so far, after each step.
    backend : Backend, optional
        The device. By default the one that ``GPUSOLVE_DEVICE`` names, or else ``auto``.

    Returns
    -------
    Solution

    Raises
    ------
    BadInput
        For an invalid field and for numbers out of range.

    Examples
    --------
    ``gpusolve harvest solve 131/925/347 --steps 4``

    >>> solve("13/92", steps=2).path
    'dr'
    """
    check_integer("steps", steps, 0, LARGEST * LARGEST - 1)
    check_integer("width", width, 1, MOST_WIDTH)
    device = open_backend(backend)
    space = Walkers(device, parse_field(field), steps)
    result = beam(space, width=width, batch=device.batch(BYTES_PER_WALKER), progress=progress)
    path = "".join(DIRECTIONS[move] for move in result.moves)
    return Solution(field, steps, result.value, path, result.generated, result.exhaustive, result.seconds)
