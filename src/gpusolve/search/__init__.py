"""Searches over batches of states. They know no game: a game gives them a space of states (see `space`).

Take up to three coins of 1 or 5 so that the remainder of their sum by 7 is as large as possible:

>>> import numpy as np
>>> from gpusolve.backend import open_backend
>>> from gpusolve.search.beam import beam
>>> COINS = np.array([1, 5], np.uint32)
>>> class Coins:
...     backend = open_backend("cpu")
...     root = np.zeros((2, 1), np.uint32)  # the sum, and the number of coins taken
...
...     def expand(self, states, first, last):
...         total, taken = states[:, first:last]
...         keys = 1 + total[:, None] + COINS
...         keys[taken == 3] = 0
...         return keys.astype(np.uint16)
...
...     def make(self, states, parents, moves):
...         total, taken = states[:, parents]
...         return np.stack([total + COINS[moves], taken + np.uint32(1)])
...
...     def value(self, states):
...         return (states[0] % 7).astype(np.int32)
...
...     def identity(self, states):
...         return states.astype(np.uint64)
>>> result = beam(Coins(), width=100, batch=100)
>>> result.value, result.moves, result.exhaustive
(6, [0, 1], True)
"""
