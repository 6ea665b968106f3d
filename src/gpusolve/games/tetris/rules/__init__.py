"""The rules of NES Tetris in plain Python: the oracle of the tests."""
