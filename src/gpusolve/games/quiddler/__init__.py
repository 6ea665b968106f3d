"""Quiddler: solve solitaire to the proven optimum, find the best words of a hand, take a census of random deals.

>>> from gpusolve.games.quiddler import solve
>>> solution = solve("a n i l f g n u / u d y a h d q x")
>>> solution.score, solution.plans[0].words
(94, ['flung', 'qi', 'dux', 'dhyana'])
"""

from gpusolve.games import names

__getattr__, __dir__, __all__ = names.attach(__name__, __file__)
