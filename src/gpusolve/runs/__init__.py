"""Long runs: their clock and seed, checkpoints, kept tables, and workers that share the work."""
