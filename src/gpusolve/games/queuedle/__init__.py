"""Queuedle: slide letters into a grid so that it holds many words.

>>> from gpusolve.games.queuedle import moves_text, parse_puzzle, solve
>>> puzzle = parse_puzzle("fndoi/eedgr/aadqs/oeilx/eyatg", "aikiu")
>>> found = solve(puzzle, ["dog", "dogs", "aged", "tea", "eat"], strategy="beam", width=1000)
>>> found.score, moves_text(found.moves)
(10, 'l1 d2 r4 d3 u5')
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
