"""Wordle against an adversary that hides no word: the game known as Absurdle."""
