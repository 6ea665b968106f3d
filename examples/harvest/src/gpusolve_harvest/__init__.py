"""Harvest: walk over a field and reap as much as you can.

>>> from gpusolve_harvest import solve
>>> found = solve("131/925/347", steps=4, width=100)
>>> found.reaped, found.path
(24, 'drrd')
"""

from typing import TYPE_CHECKING

from gpusolve.games import lazily

if TYPE_CHECKING:
    from gpusolve_harvest.rules import parse_field, replay
    from gpusolve_harvest.solver import Solution, solve

__all__ = ["Solution", "parse_field", "replay", "solve"]

__getattr__ = lazily(__name__, __all__, ("rules", "solver"))
