"""How the search of a path ends, and what it counts."""

DONE, PAUSED, FOUND = 0, 1, 2
"""Completely, when its budget was spent, or at a goal."""
DEPTH, EXPANDED, GENERATED, NEAREST = range(4)
"""The counters of a search that one thread makes: the moves on its path, its nodes, and the next bound."""
NEW = 255
"""Stands for the moves left of a node that has not been expanded."""
