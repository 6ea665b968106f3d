"""Frontiers over batches. They know no game: a game gives batch functions."""
