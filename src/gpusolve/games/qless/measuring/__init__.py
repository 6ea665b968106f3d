"""How hard rolls are, and a census of all rolls."""
