"""Crosswords of up to 144 tiles, as in Bananagrams."""
