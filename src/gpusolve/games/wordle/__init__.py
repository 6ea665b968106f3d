"""Wordle: partition tables, suggestions, greedy play, the exact best strategy.

>>> from gpusolve.games.wordle import partition_table
>>> table = partition_table()
>>> table.best, round(float(table.partition.entropy.max()), 5)
('soare', 5.88596)
"""

from typing import TYPE_CHECKING

from gpusolve.games import lazily

if TYPE_CHECKING:
    from gpusolve.games.wordle.analysis import Analysis, analyze
    from gpusolve.games.wordle.exact import Solution, Tree, solve
    from gpusolve.games.wordle.explanations import Explanation, explain
    from gpusolve.games.wordle.greedy import Simulation, play, simulate
    from gpusolve.games.wordle.lookalikes import endgames
    from gpusolve.games.wordle.rules import parse_pattern, pattern, pattern_text
    from gpusolve.games.wordle.separation import Groups, groups
    from gpusolve.games.wordle.solver import cells, partition_table, remaining, suggest
    from gpusolve.games.wordle.tables import PartitionTable, Suggestions
    from gpusolve.games.wordle.trees import Verified, verify
    from gpusolve.games.wordle.variant import Variant
    from gpusolve.games.wordle.words import WordList

__all__ = [
    "Analysis",
    "Explanation",
    "Groups",
    "PartitionTable",
    "Simulation",
    "Solution",
    "Suggestions",
    "Tree",
    "Variant",
    "Verified",
    "WordList",
    "analyze",
    "cells",
    "endgames",
    "explain",
    "groups",
    "parse_pattern",
    "partition_table",
    "pattern",
    "pattern_text",
    "play",
    "remaining",
    "simulate",
    "solve",
    "suggest",
    "verify",
]

__getattr__ = lazily(
    __name__,
    __all__,
    (
        *("rules", "words", "variant", "tables", "solver", "greedy", "exact"),
        *("analysis", "explanations", "lookalikes", "separation", "trees"),
    ),
)
