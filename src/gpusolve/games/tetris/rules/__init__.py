"""The rules of NES Tetris in plain Python, slow and obvious: the oracle of the tests.

`board` has the pieces, boards and points, `reachability` the placements that presses reach, `features` the evaluation
of a board, `sources` the sequences of pieces, and `policies` the simple players and whole games.
"""
