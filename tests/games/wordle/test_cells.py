"""The cells of a guess."""

from __future__ import annotations

from gpusolve.backend import open_backend
from gpusolve.games.wordle import cells, rules
from gpusolve.games.wordle.wordlist import word_list


def test_cells_hold_every_answer_once() -> None:
    by_pattern = cells("salet", backend=open_backend("cpu")).by_pattern
    assert sorted(word for words in by_pattern.values() for word in words) == word_list("wordle-answers")[:]
    assert (len(by_pattern), max(map(len, by_pattern.values()))) == (148, 221)
    assert all(rules.pattern("salet", word) == code for code, words in by_pattern.items() for word in words)
