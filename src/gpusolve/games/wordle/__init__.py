"""Wordle: partition tables, suggestions, greedy play, the exact best strategy.

>>> from gpusolve.games.wordle import partition_table
>>> table = partition_table()
>>> table.best, round(float(table.partition.entropy.max()), 5)
('soare', 5.88596)
"""

from gpusolve.games import names

__getattr__, __dir__, __all__ = names.attach(__name__, __file__)
