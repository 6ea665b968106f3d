"""The difficulty of rolls, and a census of all rolls of the dice."""
