"""NES Tetris: train players, evaluate them over thousands of games, watch games and rank placements.

>>> from gpusolve.games.tetris import evaluate
>>> played = evaluate("published", count=3, seed=1, policy="greedy")
>>> played.scores.tolist()
[1066420, 795360, 896300]
"""

from gpusolve.games import names

__getattr__, __dir__, __all__ = names.attach(__name__, __file__)
