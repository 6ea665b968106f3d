from ._cells import Cells as Cells, cells as cells
from ._partition_table import partition_table as partition_table
from ._pattern import Marked as Marked, pattern as pattern
from ._play import Game as Game, PlayedTurn as PlayedTurn, play as play
from ._simulate import Simulation as Simulation, simulate as simulate
from ._suggest import suggest as suggest
from .adversary._beat_adversary import Duel as Duel, beat_adversary as beat_adversary
from .adversary._outlast_adversary import LongDuel as LongDuel, outlast_adversary as outlast_adversary
from .analysis._analyze import Analysis as Analysis, analyze as analyze
from .analysis._explain import Cell as Cell, Explanation as Explanation, explain as explain
from .analysis._verify import Verified as Verified, verify as verify
from .analysis.first_words import FirstWords as FirstWords, verify_first_words as verify_first_words
from .analysis.moves import Alternative as Alternative, Move as Move
from .analysis.strategies import Tree as Tree
from .grouping._endgames import Endgames as Endgames, endgames as endgames
from .grouping._groups import Groups as Groups, groups as groups
from .grouping._letters import Letters as Letters, letters as letters
from .history import remaining as remaining
from .kernels import Partition as Partition
from .proof._solve import Solution as Solution, solve as solve
from .proof.starts import Progress as Progress, Start as Start
from .rules import parse_pattern as parse_pattern, pattern_text as pattern_text
from .tables import PartitionTable as PartitionTable, Suggestions as Suggestions
from .variant import Variant as Variant
from .weights._words import WeightedWords as WeightedWords, words as words
from .weights.weights import Weights as Weights
from .wordlist import WordList as WordList
