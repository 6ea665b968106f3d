"""Sliding tiles: optimal solutions of boards up to 25 cells, and good ones of boards up to 7x7.

>>> from gpusolve.games.sliding import verify
>>> verify("1 2 5 / 3 4 0", "ULL").solves
True
"""

from gpusolve.games import names

__getattr__, __dir__, __all__ = names.attach(__name__, __file__)
