from ._analyze import Analysis as Analysis, Judgement as Judgement, analyze as analyze
from ._play import play as play
from ._simulate import Simulation as Simulation, simulate as simulate
from ._suggest import Suggestions as Suggestions, suggest as suggest
from .ratings import Rating as Rating
from .rules import Game as Game, Turn as Turn
from .variant import Variant as Variant
