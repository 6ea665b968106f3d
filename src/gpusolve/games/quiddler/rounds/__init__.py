"""The card game: rounds with three to ten cards, against other players."""
