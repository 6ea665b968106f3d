"""The table of all guesses: words that are refused."""

from __future__ import annotations

import pytest

from gpusolve.backend import open_backend
from gpusolve.errors import BadInput
from gpusolve.games.wordle import partition_table

CPU = open_backend("cpu")


def test_lists_without_words_and_words_with_digits_are_refused() -> None:
    with pytest.raises(BadInput, match="words: no words there"):
        partition_table(guesses="wordle-guesses", answers=[], backend=CPU)
    with pytest.raises(BadInput, match="'sal3t' is not a word"):
        partition_table(guesses=["sal3t"], backend=CPU)
