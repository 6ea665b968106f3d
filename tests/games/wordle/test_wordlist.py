"""Word lists in all their forms."""

from __future__ import annotations

import numpy as np

from gpusolve.games.wordle.wordlist import WordList, encode, word_list


def test_a_word_list_in_all_its_forms() -> None:
    words = WordList(["salet", "Crane", "abbey", "trace"])
    assert (words[:], len(words), words[-1]) == (["abbey", "crane", "salet", "trace"], 4, "trace")
    assert words.place == {"abbey": 0, "crane": 1, "salet": 2, "trace": 3}
    assert ("crane" in words, "CRANE" in words, "stare" in words) == (True, False, False)
    assert words.digest == WordList(["trace", "salet", "crane", "abbey"]).digest != word_list("wordle-answers").digest
    selected = words.take(np.array([True, False, True, False]))
    assert (selected[:], selected.letters.tolist()) == (["abbey", "salet"], encode(["abbey", "salet"]).tolist())
    assert selected == WordList(["abbey", "salet"])
    assert words.take(np.ones(4, np.bool_)) is words
    assert word_list("wordle-answers") is word_list("wordle-answers")  # a shipped list is loaded once
