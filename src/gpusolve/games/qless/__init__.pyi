from ._hint import check as check, hint as hint, unsolvable as unsolvable
from ._shapes import shapes as shapes
from ._solve import count as count, counts as counts, solve as solve
from .measuring._census import census as census
from .measuring._rate import generate as generate, rate as rate
from .rolls import roll as roll
from .variant import Variant as Variant
