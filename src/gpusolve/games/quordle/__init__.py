"""Quordle: several boards, one guess for all: strategies compared, a strong player, help in a game.

>>> from gpusolve.games.quordle import play
>>> play(["hello", "world", "paper", "value"]).guesses
['carle', 'swith', 'hello', 'world', 'gummy', 'value', 'baker', 'paper']
"""

from typing import TYPE_CHECKING

from gpusolve.games import lazily

if TYPE_CHECKING:
    from gpusolve.games.quordle.simulation import Simulation, simulate
    from gpusolve.games.quordle.solver import Suggestions, analyze, play, suggest
    from gpusolve.games.quordle.variant import Variant

__all__ = ["Simulation", "Suggestions", "Variant", "analyze", "play", "simulate", "suggest"]

__getattr__ = lazily(__name__, __all__, ("variant", "solver", "simulation"))
