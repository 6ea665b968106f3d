"""Queuedle: slide letters into a grid so that it holds many words.

>>> from gpusolve.games.queuedle import solve
>>> words = ["dog", "dogs", "aged", "tea", "eat"]
>>> solution = solve("fndoi/eedgr/aadqs/oeilx/eyatg aikiu", dictionary=words, strategy="beam", width=1000)
>>> solution.score, str(solution.moves)
(10, 'l1 d2 r4 d3 u5')
"""

from gpusolve.games import names

__getattr__, __dir__, __all__ = names.attach(__name__, __file__)
