"""Sliding tiles: optimal solutions of the 8-, 15- and 24-puzzle, of any board up to 25 cells.

>>> from gpusolve.games.sliding import parse_board, verify
>>> verify(parse_board("1 2 5 / 3 4 0"), "ULL").solves
True
"""

from typing import TYPE_CHECKING

from gpusolve.games import lazily

if TYPE_CHECKING:
    from gpusolve.games.sliding.automata import Automaton, automaton
    from gpusolve.games.sliding.boards import Board, load_boards, parse_board, parse_boards
    from gpusolve.games.sliding.inventory import build, tables
    from gpusolve.games.sliding.published import instances
    from gpusolve.games.sliding.rules import parse_moves, replay, tiles_moved
    from gpusolve.games.sliding.scrambles import scramble
    from gpusolve.games.sliding.solution import Solution
    from gpusolve.games.sliding.solver import solve
    from gpusolve.games.sliding.verdicts import show, verify

__all__ = [
    "Automaton",
    "Board",
    "Solution",
    "automaton",
    "build",
    "instances",
    "load_boards",
    "parse_board",
    "parse_boards",
    "parse_moves",
    "replay",
    "scramble",
    "show",
    "solve",
    "tables",
    "tiles_moved",
    "verify",
]

MODULES = ("boards", "rules", "scrambles", "published", "verdicts", "automata", "inventory", "solution", "solver")
__getattr__ = lazily(__name__, __all__, MODULES)
