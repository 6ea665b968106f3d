"""The larger solitaire: 48 cards in eight columns."""
