"""The textbooks' heuristics without pattern databases: their tables, a plain IDA* over them, and their comparison."""
