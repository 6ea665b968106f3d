"""The exact search, which one thread runs at a time: it has no CUDA twin."""
