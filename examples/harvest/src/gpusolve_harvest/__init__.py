"""Harvest: walk over a field and reap as much as you can.

>>> from gpusolve_harvest import solve
>>> solution = solve("131/925/347", steps=4, width=100)
>>> solution.reaped, solution.path
(24, 'drrd')
"""

from gpusolve.games import names

__getattr__, __dir__, __all__ = names.attach(__name__, __file__)
