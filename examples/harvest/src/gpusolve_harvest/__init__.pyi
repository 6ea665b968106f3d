from ._solve import Solution as Solution, solve as solve
from .rules import parse_field as parse_field, replay as replay
