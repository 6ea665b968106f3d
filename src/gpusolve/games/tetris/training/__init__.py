"""Training: weights by particle swarm, and a value from its own games."""
