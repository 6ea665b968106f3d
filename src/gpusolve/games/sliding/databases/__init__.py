"""Pattern databases: how a board's tiles are split among them, how they are built and kept."""
