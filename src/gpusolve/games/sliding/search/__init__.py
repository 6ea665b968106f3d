"""The search: iterative deepening, cut into jobs."""
