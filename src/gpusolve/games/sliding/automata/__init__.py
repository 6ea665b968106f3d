"""The automaton of forbidden moves, which keeps a depth-first search from reaching the same board twice."""
