"""Pages of Quordle, and pictures of its results for notebooks."""
