"""Sliding tiles: optimal solutions of the 8-, 15- and 24-puzzle, of any board up to 25 cells.

>>> from gpusolve.games.sliding import parse_board, verify
>>> verify(parse_board("1 2 5 / 3 4 0"), "ULL").solves
True
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
