"""Sliding tiles: optimal solutions of boards up to 25 cells, and good ones of boards up to 7x7.

>>> from gpusolve.games.sliding import verify
>>> verify("1 2 5 / 3 4 0", "ULL").solves
True
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
