"""Solve word games and puzzles with a GPU, and well without one."""
