"""The search for optimal solutions: iterative deepening over pattern databases, in jobs of paths."""
