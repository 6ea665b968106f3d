from ._simulate import Simulation as Simulation, play as play, simulate as simulate
from ._suggest import cells as cells, partition_table as partition_table, remaining as remaining, suggest as suggest
from .grouping._endgames import endgames as endgames
from .grouping._groups import Groups as Groups, groups as groups
from .judging._analyze import Analysis as Analysis, analyze as analyze
from .judging._explain import Explanation as Explanation, explain as explain
from .judging._verify import Verified as Verified, verify as verify
from .proof._solve import Solution as Solution, Tree as Tree, solve as solve
from .rules import parse_pattern as parse_pattern, pattern as pattern, pattern_text as pattern_text
from .tables import PartitionTable as PartitionTable, Suggestions as Suggestions
from .variant import Variant as Variant
from .words import WordList as WordList
