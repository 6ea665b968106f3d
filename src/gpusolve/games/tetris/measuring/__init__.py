"""Measuring: players over many games, against each other and against published results."""
