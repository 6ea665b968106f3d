"""Pages of Queuedle, and pictures of its results for notebooks."""
