from ._analyze import Analysis as Analysis, Judgement as Judgement, analyze as analyze
from ._play import Game as Game, play as play
from ._simulate import Outcome as Outcome, Simulation as Simulation, simulate as simulate
from ._suggest import Suggestions as Suggestions, suggest as suggest
from .ratings import Rating as Rating
from .rules import Turn as Turn
from .variant import Variant as Variant
