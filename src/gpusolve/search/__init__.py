"""Searches over batches. They know no game: a game gives them a space of states (see `space`)."""
