from ._scramble import scramble as scramble
from ._solve import solve as solve
from ._verify import show as show, verify as verify
from .automata._automaton import Automaton as Automaton, automaton as automaton
from .boards import Board as Board, load_boards as load_boards, parse_board as parse_board, parse_boards as parse_boards
from .databases._tables import build as build, tables as tables
from .published import instances as instances
from .rules import parse_moves as parse_moves, replay as replay, tiles_moved as tiles_moved
from .search.solution import Solution as Solution
