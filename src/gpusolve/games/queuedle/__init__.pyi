from ._check import check as check
from ._daily import daily as daily
from ._solve import solve as solve
from .puzzles import (
    DailyPuzzle as DailyPuzzle,
    ScoredGame as ScoredGame,
    ScoredPosition as ScoredPosition,
    load_puzzle as load_puzzle,
)
from .rules import (
    FoundWord as FoundWord,
    Position as Position,
    Puzzle as Puzzle,
    moves_text as moves_text,
    parse_moves as parse_moves,
    parse_puzzle as parse_puzzle,
    replay as replay,
    score as score,
)
from .searches import Solution as Solution, Solver as Solver
