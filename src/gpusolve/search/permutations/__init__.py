"""Permutation puzzles that are described by a table of moves, and pattern databases for them."""
