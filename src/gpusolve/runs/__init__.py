"""Long runs: the clock, the seed, checkpoints, tables that are kept, and workers that share the work."""
