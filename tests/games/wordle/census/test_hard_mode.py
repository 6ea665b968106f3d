"""Which first words cannot solve every answer in hard mode, against every strategy of small games."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from games.wordle.census.test_first_words import games, position_of
from games.wordle.oracle import NEVER, Oracle
from gpusolve.errors import BadInput
from gpusolve.games.wordle.census.hard_mode import Core, HardCensus
from gpusolve.games.wordle.proof.needs import contain, needs_of
from gpusolve.games.wordle.wordlist import word_list

ROOT = Path(__file__).parents[4]


@pytest.mark.parametrize(("states", "most"), [(1, 243), (10**9, 1), (10**9, 243)])
def test_verdicts_equal_brute_force(states: int, most: int) -> None:
    verdicts, shared = [], 0
    for guesses, answers, within in games(20):
        oracle, census = Oracle(guesses, "hard"), HardCensus(position_of(guesses, answers, "hard"), within=within)
        order = random.Random(within).sample(range(len(guesses)), len(guesses))
        for word in order:
            shared += census.failed[word] >= 0
            verdict = census.decide(word, states=states, most=most)
            solved = oracle.total(answers, within=within, first=guesses[word]) < NEVER
            assert verdict in (solved, None)
            assert verdict is not None or states == 1 or most == 1
            assert (census.failed[word] >= 0) == (verdict is False)
            verdicts.append(verdict)
        for core in census.cores:
            legal = [word for word, fits in zip(guesses, contain(census.facts, core.need), strict=True) if fits]
            assert Oracle(legal, "hard").total([answers[i] for i in core.answers], within=within - 1) == NEVER
    assert {False, True} <= set(verdicts)
    assert shared


def test_a_core_serves_the_first_words_that_contain_what_it_needs_and_leave_it_together() -> None:
    words = ["abcde", "fbcdg", "hbcdi", "jbcdk", "lbcdm", "bxxxx", "xxxxx", "xxxcx"]
    census = HardCensus(position_of(words, words[:5], "hard"), within=4)
    need = needs_of(word_list(["xbcdx"]).letters)[0] & needs_of(word_list(["ybcdy"]).letters)[0]
    assert census.keep(Core(np.arange(5), need)) == 0
    assert census.failed.tolist() == [-1] * 8  # those that contain -bcd- are answers of the core
    only_c = needs_of(word_list(["xxcxx"]).letters)[0] & needs_of(word_list(["yycyy"]).letters)[0]
    only_c[2] = 0  # a c, wherever it is
    assert census.keep(Core(np.arange(5), only_c)) == 1
    assert [census.position.guesses[word] for word in np.flatnonzero(census.failed == 1)] == ["xxxcx"]


def test_a_core_is_written_as_words_and_letters(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fact that includes others stands for them: a word with two e has one."""
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    from wordle_first_words_hard import contains, core_of, text_of

    words = ["geeks", "keeks", "peeks", "reeks", "grike", "weeks"]
    position = position_of(words, words, "hard")
    facts = position.search.needs[: len(words)]
    need = np.bitwise_and.reduce(facts[[position.guesses.place[word] for word in ("geeks", "weeks", "reeks")]])
    text = text_of(Core(np.array([0, 2]), need), position)
    assert text == {"answers": "geeks keeks", "greens": ".eeks", "letters": "eeks"}
    need[0] &= ~facts[position.guesses.place["grike"], 0]  # also that there is an e at all
    need[[1, 2, 4]] &= np.uint64(~((1 << 26) - 1) % 2**64)  # and the greens but for k
    text = text_of(Core(np.array([0, 2]), need), position)
    assert text == {"answers": "geeks keeks", "greens": "...k.", "letters": "ees"}
    for core in (Core(np.array([0, 2]), need), core_of(text, position)):
        fit = [word for word, fits in zip(position.guesses, contain(facts, core.need), strict=True) if fits]
        assert fit == [word for word in position.guesses if contains(word, text)] == sorted(set(words) - {"grike"})


def test_only_hard_mode_has_this_census() -> None:
    guesses, answers, _ = next(games(1))
    with pytest.raises(BadInput, match="expected hard mode"):
        HardCensus(position_of(guesses, answers), within=4)
