"""Players: what chooses a placement, by weights or by a learned value, with or without looking ahead."""
