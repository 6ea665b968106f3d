"""Pages of sliding tiles, and pictures of its results for notebooks."""
