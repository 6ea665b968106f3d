from ._play import Suggestions as Suggestions, analyze as analyze, play as play, suggest as suggest
from ._simulate import Simulation as Simulation, simulate as simulate
from .variant import Variant as Variant
