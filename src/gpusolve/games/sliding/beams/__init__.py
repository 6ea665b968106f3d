"""Good solutions of boards of any size up to 7x7, by a beam over small pattern databases."""
