"""Pages of Quiddler, and pictures of its results for notebooks."""
