"""Measuring players: over many games, against another player's results, and by playouts from a board."""
