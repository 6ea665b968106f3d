"""Queuedle: slide letters into a grid so that it holds many words.

>>> from gpusolve.games.queuedle import moves_text, parse_puzzle, solve
>>> puzzle = parse_puzzle("fndoi/eedgr/aadqs/oeilx/eyatg", "aikiu")
>>> found = solve(puzzle, ["dog", "dogs", "aged", "tea", "eat"], strategy="beam", width=1000)
>>> found.score, moves_text(found.moves)
(10, 'l1 d2 r4 d3 u5')
"""

from typing import TYPE_CHECKING

from gpusolve.games import lazily

if TYPE_CHECKING:
    from gpusolve.games.queuedle.puzzles import DailyPuzzle, ScoredPosition, check, daily, load_puzzle
    from gpusolve.games.queuedle.rules import Puzzle, moves_text, parse_moves, parse_puzzle, replay, score
    from gpusolve.games.queuedle.searches import Solution, Solver
    from gpusolve.games.queuedle.solver import solve

__all__ = [
    "DailyPuzzle",
    "Puzzle",
    "ScoredPosition",
    "Solution",
    "Solver",
    "check",
    "daily",
    "load_puzzle",
    "moves_text",
    "parse_moves",
    "parse_puzzle",
    "replay",
    "score",
    "solve",
]

__getattr__ = lazily(__name__, __all__, ("rules", "puzzles", "searches", "solver"))
