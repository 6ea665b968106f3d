from ._census import Census as Census, census as census
from ._check import Verdict as Verdict, check as check
from ._deal import deal as deal
from ._hand import BestMelds as BestMelds, Melds as Melds, hand as hand
from ._solve import Solution as Solution, solve as solve
from ._suggest import NextPlay as NextPlay, Suggestion as Suggestion, suggest as suggest
from .cards import parse_cards as parse_cards
from .deals import Deal as Deal
from .larger._columns import ColumnPlay as ColumnPlay, ColumnStep as ColumnStep, columns as columns
from .plans import Plan as Plan, Step as Step
from .rounds._simulate import RoundsOfSize as RoundsOfSize, Simulation as Simulation, simulate as simulate
from .rounds._turn import Choice as Choice, TurnAdvice as TurnAdvice, turn as turn
from .spellings import Spellings as Spellings, spell as spell
from .variant import Variant as Variant, parse_bonus as parse_bonus, parse_values as parse_values
