"""Finished games, guesses and strategies, judged."""
