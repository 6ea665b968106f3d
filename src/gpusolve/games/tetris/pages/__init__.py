"""Pages of Tetris, and pictures of its results for notebooks."""
