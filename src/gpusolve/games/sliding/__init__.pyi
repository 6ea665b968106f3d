from ._scramble import Scrambled as Scrambled, scramble as scramble
from ._show import Animation as Animation, show as show
from ._solve import solve as solve
from ._verify import Verdict as Verdict, verify as verify
from .automata._automaton import Automaton as Automaton, automaton as automaton
from .boards import Board as Board, load_boards as load_boards
from .databases._build import Built as Built, build as build
from .databases._tables import TableFile as TableFile, Tables as Tables, tables as tables
from .databases.catalogue import open_databases as open_databases
from .databases.lookups import Databases as Databases
from .depths._census import Census as Census, census as census
from .heuristics._compare import Comparison as Comparison, Comparisons as Comparisons, compare as compare
from .rules import parse_moves as parse_moves, replay as replay, tiles_moved as tiles_moved
from .search.solution import Bound as Bound, Solution as Solution, Status as Status
