"""Quordle: several boards, one guess for all: strategies compared, a strong player, help in a game.

>>> from gpusolve.games.quordle import play
>>> play(["hello", "world", "paper", "value"]).guesses
['carle', 'swith', 'hello', 'world', 'gummy', 'value', 'baker', 'paper']
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
