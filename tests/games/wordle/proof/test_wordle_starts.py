"""The totals of many first words that `benchmarks/wordle_starts.py` finds."""

from __future__ import annotations

import hashlib
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

    found = set[str]()
    for number, (guesses, answers, _) in enumerate(games(4)):
        path, position, oracle = tmp_path / f"{number}.csv", position_of(guesses, answers, mode), Oracle(guesses, mode)
        wordle_starts.find(position, mode, path, end=0)
        assert path.read_text() == "first_word,easy,hard\n"
        other: Mode = "easy" if mode == "hard" else "hard"
        wordle_starts.write(path, other, {guesses[0]: "12"})
        wordle_starts.find(position, mode, path, end=math.inf)
        assert wordle_starts.read(path, other) == {guesses[0]: "12"}
        totals = wordle_starts.read(path, mode)
        assert list(totals) == sorted(guesses)
        for word, found_total in totals.items():
            total = oracle.total(answers, within=GUESSES, first=word)
            assert found_total == (str(total) if total < NEVER else wordle_starts.NONE)
        found.update(totals.values())
    assert len(found) > 3


def test_the_report_names_every_disagreement_with_a_published_table(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    import wordle_starts

    path, published = tmp_path / "totals.csv", tmp_path / "published.csv"
    wordle_starts.write(path, "easy", {"b": "1234", "a": "1000"})
    wordle_starts.write(path, "hard", {"a": wordle_starts.NONE, "b": "1300"})
    published.write_text("word,easy,hard\na,1001,\nb,1234,\nc,7,8\n")
    wordle_starts.report(path, ["b", "a"], published)
    digest = hashlib.sha256(b"first_word,easy,hard\na,1000,none\nb,1234,1300\n").hexdigest()
    assert capsys.readouterr().out.splitlines() == [
        "easy: 2 of 2, 1,000 to 1,234, on average 1,117.0; none: 0",
        "hard: 2 of 2, 1,300 to 1,300, on average 1,300.0; none: 1",
        f"SHA-256 {digest}",
        "easy: 1 of 2 as published, 1 not",
        "  a: 1000, published 1001",
        "hard: 1 of 2 as published, 1 not",
        "  b: 1300, published none",
    ]
    wordle_starts.report(path, ["a", "b", "c"], None)
    assert "SHA-256" not in capsys.readouterr().out
