"""Training of players: weights by a particle swarm, and a learned value by temporal differences."""
