"""Strategies that share their parts: made for small games, and checked by the plain program."""

from __future__ import annotations

import numpy as np
import pytest

from games.wordle.census.test_first_words import position_of
from gpusolve.games.wordle.analysis import certificates
from gpusolve.games.wordle.census import strategies as module
from gpusolve.games.wordle.census.first_words import Census
from gpusolve.games.wordle.census.strategies import Strategies
from gpusolve.games.wordle.wordlist import word_list

LIST = list(word_list("wordle-guesses"))
WORDS = sorted({*LIST[::60], *(word for word in LIST if word.endswith("atch"))})


def made_for(words: list[int], strategies: Strategies) -> None:
    """Add what first words need, which must be able to solve every answer."""
    patterns = strategies.census.position.patterns
    for word in words:
        for code in strategies.open_cells(word):
            answers = np.flatnonzero(patterns[:, word] == code)
            known = strategies.known(answers)
            strategies.add(known if known >= 0 else strategies.census.second(answers), answers)
        assert not strategies.open_cells(word)


@pytest.mark.parametrize("whole", [0, 200])
def test_strategies_hold_and_can_be_continued(whole: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """With `whole` 0 no whole cell is tried, so every cell is hard."""
    monkeypatch.setattr(module, "WHOLE", whole)
    position = position_of(WORDS, WORDS)
    census = Census(position, within=6)
    census.patience = len(WORDS)
    verdicts = {word: census.decide(word) for word in range(len(WORDS))}
    solving = [word for word, verdict in verdicts.items() if verdict is not None and verdict.paths is not None]
    assert len(solving) > 5
    strategies, patterns = Strategies(census), certificates.patterns_of(WORDS)
    made_for(solving[::9], strategies)
    arrays = strategies.arrays(range(len(WORDS)))
    assert {*solving[::9]} <= {*arrays["first"].tolist()} <= {*solving}
    assert certificates.check_strategies(patterns, arrays) == arrays["first"].tolist()
    assert any(strategies.whole.values()) if whole else len(strategies.hard) > 0

    again = Strategies(census)
    again.restore(arrays)
    kept = again.arrays(arrays["first"].tolist())
    assert certificates.check_strategies(patterns, kept) == arrays["first"].tolist()
    made_for(solving[::5], again)
    assert certificates.check_strategies(patterns, again.arrays(solving[::5])) == solving[::5]
