"""The automaton that keeps a search from making duplicate operator strings."""
