"""Queuedle: slide letters into a grid so that it holds many words.

>>> from gpusolve.games.queuedle import Solver, moves_text, parse_puzzle
>>> solver = Solver(parse_puzzle("fndoi/eedgr/aadqs/oeilx/eyatg", "aikiu"), ["dog", "dogs", "aged", "tea", "eat"])
>>> found = solver.beam(width=1000)
>>> found.score, moves_text(found.moves)
(10, 'l1 d2 r4 d3 u5')
"""

from typing import TYPE_CHECKING

from gpusolve.games import lazily

if TYPE_CHECKING:
    from gpusolve.games.queuedle.rules import Puzzle, daily, moves_text, parse_moves, parse_puzzle, replay, score
    from gpusolve.games.queuedle.solver import Solution, Solver

__all__ = [
    "Puzzle",
    "Solution",
    "Solver",
    "daily",
    "moves_text",
    "parse_moves",
    "parse_puzzle",
    "replay",
    "score",
]

__getattr__ = lazily(__name__, __all__, ("rules", "solver"))
