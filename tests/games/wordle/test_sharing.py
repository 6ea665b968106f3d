"""Texts that Wordle shares, in Python and on the command line."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable, Sequence

import pytest

from gpusolve.backend import open_backend
from gpusolve.errors import BadInput
from gpusolve.games.wordle import analyze, explain, remaining, rules, solve, suggest
from gpusolve.games.wordle.sharing import parse_history, read_share
from gpusolve.testing.plugin import Done

CPU = open_backend("cpu")
TURNS = [("salet", 165), ("draft", 183), ("chart", 242)]
WORDS = ["salet", "draft", "chart"]
DARK = "⬛🟨⬛⬛🟩\n⬛🟨🟩⬛🟩\n🟩🟩🟩🟩🟩"
LIGHT = DARK.replace("⬛", "⬜")
CONTRAST = LIGHT.replace("🟨", "🟦").replace("🟩", "🟧")
VARIATION = DARK.replace("⬛", "⬛\ufe0f")
TITLE = "Wordle 1,234 3/6"
SHARED = f"{TITLE}*\n\n{DARK}"


@pytest.mark.parametrize("rows", [DARK, LIGHT, CONTRAST, VARIATION, DARK.replace("\n", "\r\n")])
@pytest.mark.parametrize("title", [f"{TITLE}\n\n", f"{TITLE}*\n\n", "Wordle 1.234 3/6\n", "#Wordle1234 3/6\n", ""])
def test_a_pasted_text_gives_the_patterns(title: str, rows: str) -> None:
    assert parse_history([title + rows, *WORDS]) == TURNS
    assert parse_history([*WORDS, f"  {title}{rows}\n\nhttps://www.nytimes.com/games/wordle\n"]) == TURNS
    assert parse_history([*(title + rows).split(), *WORDS]) == TURNS


def test_a_text_with_the_guesses_beside_the_squares_is_complete() -> None:
    rows = "\n".join(f"{word} {row}" for word, row in zip(WORDS, DARK.splitlines(), strict=True))
    assert parse_history([f"{TITLE}\n{rows}"]) == TURNS


def test_the_star_means_hard_mode() -> None:
    for title, hard in ((f"{TITLE}*", True), (TITLE, False), ("", False)):
        share = read_share([f"{title}\n{DARK}"])
        assert share is not None
        assert share.hard == hard


@pytest.mark.parametrize(
    ("items", "message"),
    [
        ([SHARED], "3 rows of squares and 0 guesses: expected the guess of each row"),
        ([SHARED, "salet"], "3 rows of squares and 1 guesses"),
        ([SHARED, *WORDS, "apart"], "3 rows of squares and 4 guesses"),
        ([SHARED, "salet:-y--g", "draft", "chart"], "salet:-y--g: expected a guess alone"),
        ([SHARED, "sale", "draft", "chart"], "'sale': expected a guess of 5 letters"),
        ([SHARED.replace("3/6", "4/6"), *WORDS], "4/6\\*: 3 rows of squares, expected 4"),
        ([SHARED.replace("3/6", "X/6"), *WORDS], "X/6\\*: 3 rows of squares, expected 6"),
        ([DARK.replace("\n", " ", 1), *WORDS], "several patterns in a row"),
        ([f"{DARK}🟩", *WORDS], "'🟩': expected a guess"),
    ],
)
def test_texts_that_are_refused(items: list[str], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        parse_history(items)


def test_a_turn_with_squares_is_not_a_shared_text() -> None:
    assert read_share(["salet:⬛🟨⬛⬛🟩"]) is None
    assert parse_history(["salet:⬛🟦⬛⬛🟧", "draft:-yg-g"]) == TURNS[:2]


def test_every_call_that_takes_a_history_takes_a_shared_text() -> None:
    begun = [LIGHT[:11], "salet", "draft"]
    turns = ["salet:-y--g", "draft:-yg-g"]
    assert suggest(begun, backend=CPU).answers[:] == suggest(turns, backend=CPU).answers[:]
    assert remaining(begun, backend=CPU)[:] == ["apart", "chart", "quart"]
    assert explain(begun, backend=CPU) == explain(turns, backend=CPU)
    assert solve(begun, backend=CPU).total == solve(turns, backend=CPU).total
    assert analyze([SHARED, *WORDS], backend=CPU).moves == analyze(WORDS, backend=CPU).moves


def test_every_command_that_takes_a_history_takes_a_shared_text(run: Callable[..., Done]) -> None:
    for command in ("suggest", "explain", "solve"):
        done = run("wordle", command, LIGHT[:11], "salet", "draft", "--device", "cpu", "--json", "--quiet")
        assert [turn["pattern"] for turn in json.loads(done.out)["history"]] == ["-y--g", "-yg-g"]
    done = run("wordle", "analyze", SHARED, *WORDS, "--device", "cpu", "--json")
    assert [move["pattern"] for move in json.loads(done.out)["moves"]] == ["-y--g", "-yg-g", "ggggg"]
    assert "the result has the star of hard mode; --mode hard judges by its rules" in done.err
    done = run("wordle", "analyze", SHARED, "--device", "cpu", "--json")
    assert (done.code, "3 rows of squares and 0 guesses" in done.err) == (2, True)


def test_the_command_reads_the_text_from_stdin(run: Callable[..., Done], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(SHARED))
    done = run("wordle", "analyze", "-", *WORDS, "--device", "cpu", "--json", "--quiet")
    assert json.loads(done.out)["answer"] == "chart"


def entered(monkeypatch: pytest.MonkeyPatch, lines: Sequence[str]) -> None:
    waiting = iter(lines)
    monkeypatch.setattr("builtins.input", lambda prompt: next(waiting))


def test_the_command_asks_for_the_guesses(run: Callable[..., Done], monkeypatch: pytest.MonkeyPatch) -> None:
    entered(monkeypatch, ["salet", "dra", "DRAFT", "chart"])
    done = run("wordle", "analyze", SHARED, "--device", "cpu", "--quiet")
    assert "'dra' is not a word" in done.out
    assert "chart:ggggg  6 words, 3 likely -> solved" in done.out


def test_a_shared_text_can_be_pasted_into_the_dialogue(
    run: Callable[..., Done], monkeypatch: pytest.MonkeyPatch
) -> None:
    entered(monkeypatch, [*SHARED.splitlines(), *WORDS])
    done = run("wordle", "play", "--device", "cpu", "--quiet")
    assert done.out.endswith("solved in 3\n")
    entered(monkeypatch, ["Wordle 1,234 2/6", *LIGHT.splitlines()[:2], "salet", "draft", ""])
    done = run("wordle", "play", "--device", "cpu", "--quiet")
    assert "6 answers left: apart chart quart (33 % each), 3 others" in done.out
    assert rules.SOLVED == 242


@pytest.mark.parametrize("word", ["1" * 1_000_000, "a" + "." * 1_000_000, "daily" + " " * 1_000_000 + "x"])
def test_a_long_word_is_read_once_not_from_each_of_its_letters(word: str) -> None:
    """Otherwise this takes hours."""
    with pytest.raises(BadInput, match="expected a guess of 5 letters"):
        read_share([f"{DARK}\n🟩🟩🟩🟩🟩 {word}x", *WORDS])
