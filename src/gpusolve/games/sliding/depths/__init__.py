"""How many positions of a board are how far from the goal: complete breadth-first searches."""
