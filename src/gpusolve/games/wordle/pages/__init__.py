"""Pages of Wordle, and pictures of its results for notebooks."""
