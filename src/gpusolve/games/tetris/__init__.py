"""NES Tetris: whole games by the thousand, weights by particle swarm, play, suggestions."""
