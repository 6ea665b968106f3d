"""Quordle: compare strategies, play strongly, get help in a game on several boards that share their guesses.

>>> from gpusolve.games.quordle import play
>>> play(["hello", "world", "paper", "value"]).guesses
['carle', 'swith', 'hello', 'world', 'gummy', 'value', 'baker', 'paper']
"""

from gpusolve.games import names

__getattr__, __dir__, __all__ = names.attach(__name__, __file__)
