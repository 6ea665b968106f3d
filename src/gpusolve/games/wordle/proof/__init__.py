"""The exact search: the best strategy from any position, proven."""
