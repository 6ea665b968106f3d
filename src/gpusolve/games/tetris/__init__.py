"""NES Tetris: whole games by the thousand, weights by particle swarm, play, suggestions.

>>> from gpusolve.backend import open_backend
>>> from gpusolve.games.tetris import evaluate, load_weights
>>> played = evaluate(open_backend("cpu"), load_weights("published").values, games=3, seed=1, policy="greedy")
>>> played.scores.tolist()
[1066420, 795360, 896300]
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gpusolve.games.tetris.kernels import Settings
    from gpusolve.games.tetris.solver import Comparison, evaluate, suggest
    from gpusolve.games.tetris.train import Plan, choose
    from gpusolve.games.tetris.weights import load_weights, save_weights

__all__ = ["Comparison", "Plan", "Settings", "choose", "evaluate", "load_weights", "save_weights", "suggest"]


def __getattr__(name: str) -> Any:  # NumPy is loaded on first use, so that --help stays quick
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    modules = [import_module(f"{__name__}.{module}") for module in ("kernels", "solver", "train", "weights")]
    return next(getattr(module, name) for module in modules if hasattr(module, name))
