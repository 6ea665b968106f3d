"""The totals of many first words that `benchmarks/wordle_starts.py` finds."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from games.wordle.census.test_first_words import games, position_of
from games.wordle.oracle import NEVER, Oracle
from gpusolve.games.wordle.rules import GUESSES, Mode

ROOT = Path(__file__).parents[4]


@pytest.mark.parametrize("mode", ["easy", "hard"])
def test_the_totals_of_all_first_words_are_those_of_trying_every_strategy(
    mode: Mode, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A run that was stopped before its first word goes on with the lines of another mode."""
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    import wordle_starts

    found = set()
    for number, (guesses, answers, _) in enumerate(games(4)):
        path, position, oracle = tmp_path / f"{number}.csv", position_of(guesses, answers, mode), Oracle(guesses, mode)
        wordle_starts.find(position, mode, path, end=0)
        assert path.read_text() == "first_word,easy,hard\n"
        other = "easy" if mode == "hard" else "hard"
        line = {"first_word": guesses[0], "easy": "", "hard": ""} | {other: "12"}
        wordle_starts.write(path, {guesses[0]: line})
        wordle_starts.find(position, mode, path, end=math.inf)
        totals = wordle_starts.read(path)
        assert sorted(totals) == sorted(guesses)
        assert totals[guesses[0]][other] == "12"
        assert {line[other] for word, line in totals.items() if word != guesses[0]} == {""}
        for word, line in totals.items():
            total = oracle.total(answers, within=GUESSES, first=word)
            assert line[mode] == (str(total) if total < NEVER else wordle_starts.NONE)
            found.add(line[mode])
    assert len(found) > 3


def test_lines_are_sorted_by_their_totals_in_easy_mode(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    import wordle_starts

    lines = [("c", "9", ""), ("a", "10", "9"), ("b", "10", "9"), ("e", "10", ""), ("f", wordle_starts.NONE, "7")]
    totals = {word: {"first_word": word, "easy": easy, "hard": hard} for word, easy, hard in reversed(lines)}
    wordle_starts.write(tmp_path / "totals.csv", totals)
    assert list(wordle_starts.read(tmp_path / "totals.csv")) == [word for word, _, _ in lines]
