"""Pages of Q-less, and pictures of its results for notebooks."""
