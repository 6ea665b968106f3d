from ._check import Verdict as Verdict, check as check
from ._count import Count as Count, count as count, counts as counts
from ._hint import Hint as Hint, hint as hint
from ._roll import roll as roll
from ._shapes import Shapes as Shapes, Slot as Slot, shapes as shapes
from ._solve import Solutions as Solutions, solve as solve
from ._unsolvable import Part as Part, Unsolvable as Unsolvable, unsolvable as unsolvable
from .larger._arrange import Arrangement as Arrangement, arrange as arrange
from .larger.variant import BANANAGRAMS as BANANAGRAMS, Free as Free
from .measuring._census import Census as Census, census as census
from .measuring._generate import Generated as Generated, generate as generate
from .measuring._rate import Rating as Rating, rate as rate
from .rolls import Roll as Roll
from .rules import Grid as Grid
from .variant import Variant as Variant
