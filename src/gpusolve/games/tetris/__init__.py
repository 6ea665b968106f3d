"""NES Tetris: whole games by the thousand, weights by particle swarm, play, suggestions.

>>> from gpusolve.games.tetris import evaluate, load_weights
>>> played = evaluate(load_weights("published").values, games=3, seed=1, policy="greedy")
>>> played.scores.tolist()
[1066420, 795360, 896300]
"""

from typing import TYPE_CHECKING

from gpusolve.games import lazily

if TYPE_CHECKING:
    from gpusolve.games.tetris.kernels import Settings
    from gpusolve.games.tetris.solver import Comparison, evaluate, suggest
    from gpusolve.games.tetris.train import Plan, choose
    from gpusolve.games.tetris.weights import load_weights, save_weights

__all__ = ["Comparison", "Plan", "Settings", "choose", "evaluate", "load_weights", "save_weights", "suggest"]

__getattr__ = lazily(__name__, __all__, ("kernels", "solver", "train", "weights"))
