"""The letters of the words: against counts by hand, in all alphabets, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gpusolve.errors import BadInput
from gpusolve.games.wordle import Letters, letters
from gpusolve.games.wordle.rules import is_right_to_left
from gpusolve.testing.plugin import Done

LISTS = {
    "de.txt": "können\nwürden\nwerden\n",
    "hu.txt": "# digraphs: dzs sz zs\nszép\nvész\nkéz\n",
    "el.txt": "ΛΌΓΟΣ\nχρόνος\nκόσμος\nκαιρός\n",
    "he.txt": "שלום\nילדה\n",
}


def counts_of(table: Letters) -> dict[str, list[int]]:
    """Return the counts of each letter."""
    return {row.letter: row.counts for row in table.letters}


def test_counts_are_those_of_the_original_answers() -> None:
    counts = counts_of(letters())
    assert [*counts] == [*"abcdefghijklmnopqrstuvwxyz"]
    assert [sum(numbers[i] for numbers in counts.values()) for i in range(5)] == [2315] * 5
    assert (counts["s"][0], counts["e"][4]) == (366, 424)


def test_a_letter_that_only_guesses_have_is_listed() -> None:
    counts = counts_of(letters(guesses=["crane", "trace", "glyph"], answers=["crane", "trace"]))
    assert counts["y"] == [0] * 5
    assert counts["c"] == [1, 0, 0, 1, 0]
    assert counts_of(letters(weights={"crane": 3, "trace": 1}))["c"] == [1, 0, 0, 1, 0]


@pytest.mark.parametrize(
    ("name", "length", "digraphs", "right_to_left", "some"),
    [
        ("de.txt", 6, [], False, {"ö": [0, 1, 0, 0, 0, 0], "n": [0, 0, 1, 1, 0, 3]}),
        ("hu.txt", 3, ["dzs", "sz", "zs"], False, {"sz": [1, 0, 1], "é": [0, 3, 0], "z": [0, 0, 1]}),
        ("he.txt", 4, [], True, {"ש": [1, 0, 0, 0], "ם": [0, 0, 0, 1]}),
    ],
)
def test_the_command_says_what_a_board_needs(
    tmp_path: Path,
    run: Callable[..., Done],
    name: str,
    length: int,
    digraphs: list[str],
    right_to_left: bool,
    some: dict[str, list[int]],
) -> None:
    path = tmp_path / name
    path.write_text(LISTS[name], encoding="utf-8")
    done = run("wordle", "letters", "--answers", str(path), "--json")
    assert done.code == 0, done.err
    found: dict[str, Any] = json.loads(done.out)
    assert (found["length"], found["digraphs"], found["right_to_left"]) == (length, digraphs, right_to_left)
    counts = {row["letter"]: row["counts"] for row in found["letters"]}
    assert counts | some == counts
    assert counts == counts_of(letters(answers=path))
    table = run("wordle", "letters", "--answers", str(path), "--csv", str(tmp_path / "table.csv")).out
    assert f"answers of {length} letters" in table
    lines = (tmp_path / "table.csv").read_text(encoding="utf-8").splitlines()
    assert len(lines) == len(counts) + 1
    assert lines[0] == ",".join(["letter", *(f"position {i}" for i in range(1, length + 1))])


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--answers", "missing.txt"), "missing.txt: no such file: expected a file or a shipped list"),
        (("--answers", "de.txt", "--guesses", "wordle-guesses"), "has 6 letters: expected 5"),
        (("--answers", "de.txt", "--weights", "he.txt"), "line 1"),
    ],
)
def test_wrong_lists_are_refused_in_one_line(
    tmp_path: Path,
    run: Callable[..., Done],
    monkeypatch: pytest.MonkeyPatch,
    words: tuple[str, ...],
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in LISTS.items():
        tmp_path.joinpath(name).write_text(text, encoding="utf-8")
    done = run("wordle", "letters", *words, "--json")
    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert done.err.count("\n") == 1


def test_the_direction_of_a_word() -> None:
    assert [is_right_to_left(word) for word in ("شكرا", "שלום", "λόγος", "слово", "salet")] == [True] * 2 + [False] * 3


def test_a_list_is_refused_in_python() -> None:
    with pytest.raises(BadInput, match="'würden' has 6 letters: expected 5"):
        letters(guesses=["crane"], answers=["würden"])
