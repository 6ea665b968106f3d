"""The searches for the best board: beams in rounds, single beams, best-first search, and what they rank boards by."""
