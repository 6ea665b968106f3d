from ._check import ScoredGame as ScoredGame, ScoredPosition as ScoredPosition, check as check, replay as replay
from ._daily import daily as daily
from ._solve import solve as solve
from ._suggest import NextSlide as NextSlide, Suggestion as Suggestion, suggest as suggest
from .positions import FoundWord as FoundWord, Position as Position
from .puzzles import Puzzle as Puzzle
from .rules import score as score
from .search.searches import Solution as Solution, Solver as Solver
