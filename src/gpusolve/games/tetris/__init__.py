"""NES Tetris: whole games by the thousand, weights by particle swarm, play, suggestions.

>>> from gpusolve.games.tetris import evaluate
>>> played = evaluate("published", games=3, seed=1, policy="greedy")
>>> played.scores.tolist()
[1066420, 795360, 896300]
"""

from typing import TYPE_CHECKING

from gpusolve.games import lazily

if TYPE_CHECKING:
    from gpusolve.games.tetris.evaluation import Comparison, Evaluation, evaluate
    from gpusolve.games.tetris.matches import Match, match
    from gpusolve.games.tetris.recording import Recording, play, replay
    from gpusolve.games.tetris.settings import Settings
    from gpusolve.games.tetris.suggestions import Suggestion, suggest
    from gpusolve.games.tetris.training import Training, TrainingSettings, train
    from gpusolve.games.tetris.weights import Weights, load_weights, save_weights

__all__ = [
    "Comparison",
    "Evaluation",
    "Match",
    "Recording",
    "Settings",
    "Suggestion",
    "Training",
    "TrainingSettings",
    "Weights",
    "evaluate",
    "load_weights",
    "match",
    "play",
    "replay",
    "save_weights",
    "suggest",
    "train",
]

_ROOMS = ("weights", "recording", "evaluation", "matches", "suggestions", "training", "settings")
__getattr__ = lazily(__name__, __all__, _ROOMS)
