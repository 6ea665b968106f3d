"""Which first words solve every answer within a number of guesses."""
