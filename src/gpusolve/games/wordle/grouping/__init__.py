"""What answers have in common: groups and endgames that are hard to tell apart, and how often each letter occurs."""
