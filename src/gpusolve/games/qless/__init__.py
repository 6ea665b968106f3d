"""Q-less: every crossword of twelve letters, how hard a roll is, and which rolls of the dice have no solution.

>>> from gpusolve.games.qless import solve
>>> solutions = solve("cddeeimprtwx")
>>> len(solutions), solutions[0].words
(2046, ('pew', 'met', 'rid', 'mix', 'ceded'))
"""

from gpusolve.games import names

__getattr__, __dir__, __all__ = names.attach(__name__, __file__)
