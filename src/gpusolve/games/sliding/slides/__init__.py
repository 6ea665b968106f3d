"""Optimal solutions in the multi-tile metric, in which sliding several tiles of a line at once is one move."""
