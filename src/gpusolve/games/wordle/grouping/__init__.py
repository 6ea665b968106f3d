"""Groups of answers that are hard to tell apart."""
