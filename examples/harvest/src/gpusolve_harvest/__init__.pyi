from .rules import parse_field as parse_field, replay as replay
from .solver import Solution as Solution, solve as solve
