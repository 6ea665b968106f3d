from ._census import census as census
from ._check import check as check
from ._hand import hand as hand
from ._solve import solve as solve
from .cards import parse_cards as parse_cards
from .deals import Deal as Deal, deal as deal, parse_deal as parse_deal
from .spellings import spell as spell
from .variant import Rules as Rules, parse_bonus as parse_bonus, parse_values as parse_values
