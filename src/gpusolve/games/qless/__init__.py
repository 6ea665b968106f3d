"""Q-less: every crossword that twelve letters make, how hard a roll is, and a census of all rolls of the dice.

>>> from gpusolve.games.qless import solve
>>> found = solve("cddeeimprtwx")
>>> len(found), found[0].words
(2046, ('pew', 'met', 'rid', 'mix', 'ceded'))
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
