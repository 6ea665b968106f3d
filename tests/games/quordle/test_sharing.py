"""Texts that Quordle shares, in Python and on the command line."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from gpusolve.backend import open_backend
from gpusolve.errors import BadInput
from gpusolve.games.quordle import analyze, suggest
from gpusolve.games.quordle.rules import Turn, turns_of
from gpusolve.games.quordle.sharing import hidden_and_made, shared_turns
from gpusolve.games.wordle.rules import SOLVED, pattern_text
from gpusolve.testing.plugin import Done

CPU = open_backend("cpu")
HIDDEN = ["hello", "world", "paper", "value"]
GUESSES = ["carle", "world", "hello", "shyly", "paper", "value"]
KEYCAP = "\ufe0f\u20e3"


def shared_text(guesses: list[str]) -> str:
    """Write a game as Quordle does: two boards side by side, black rows after a board is solved."""
    turns = turns_of(HIDDEN, guesses, "wordle")
    boards = [[turn.patterns[board] for turn in turns] for board in range(4)]
    lengths = [codes.index(SOLVED) + 1 if SOLVED in codes else 9 for codes in boards]
    marks = [f"{length}{KEYCAP}" if SOLVED in codes else "🟥" for codes, length in zip(boards, lengths, strict=True)]
    text = f"Daily Quordle 1234\n{''.join(marks[:2])}\n{''.join(marks[2:])}\nm-w.com/games/quordle/\n"
    for pair in (0, 2):
        rows = range(min(max(lengths[pair : pair + 2]), len(turns)))
        text += "".join(f"{squares(boards[pair][i])} {squares(boards[pair + 1][i])}\n" for i in rows) + "\n"
    return text


def squares(code: int | None) -> str:
    return "⬛⬛⬛⬛⬛" if code is None else pattern_text(code).translate(str.maketrans("-yg", "⬜🟨🟩"))


TEXT = shared_text(GUESSES)


@pytest.mark.parametrize("text", [TEXT, TEXT.replace("🟨", "🟦").replace("🟩", "🟧"), TEXT[TEXT.index("m-w") :]])
def test_a_pasted_text_gives_the_patterns_of_all_boards(text: str) -> None:
    assert shared_turns([text, *GUESSES]) == turns_of(HIDDEN, GUESSES, "wordle")
    assert hidden_and_made([text], GUESSES) == (HIDDEN, GUESSES)


def test_python_takes_a_pasted_text() -> None:
    turns = turns_of(HIDDEN, GUESSES, "wordle")
    assert suggest([TEXT, *GUESSES], backend=CPU) == suggest(turns, backend=CPU)
    assert analyze([TEXT], GUESSES, backend=CPU) == analyze(HIDDEN, GUESSES, backend=CPU)


def test_the_commands_take_a_pasted_text(run: Callable[..., Done], monkeypatch: pytest.MonkeyPatch) -> None:
    done = run("quordle", "analyze", TEXT, *GUESSES, "--device", "cpu", "--json", "--quiet")
    assert json.loads(done.out)["hidden"] == HIDDEN
    done = run("quordle", "suggest", TEXT, *GUESSES, "--device", "cpu", "--json", "--quiet")
    assert json.loads(done.out)["solved"]
    waiting = iter(GUESSES)
    monkeypatch.setattr("builtins.input", lambda prompt: next(waiting))
    done = run("quordle", "analyze", TEXT, "--device", "cpu", "--quiet")
    assert (done.code, "carle" in done.out) == (0, True)
    waiting = iter([*TEXT.splitlines(), *GUESSES])
    done = run("quordle", "play", "--device", "cpu", "--quiet")
    assert done.out.endswith("solved in 6\n")


def test_a_lost_game_needs_its_hidden_words() -> None:
    lost = shared_text(["carle", "world", "hello", "shyly", "paper", "aback", "abase", "abate", "abbey"])
    guesses = ["carle", "world", "hello", "shyly", "paper", "aback", "abase", "abate", "abbey"]
    turns = shared_turns([lost, *guesses])
    assert turns is not None
    assert isinstance(turns[-1], Turn)
    with pytest.raises(BadInput, match="board 4 is not solved: expected the hidden words"):
        hidden_and_made([lost], guesses)


@pytest.mark.parametrize(
    ("items", "message"),
    [
        ([TEXT, "carle"], "6 rows of squares and 1 guesses"),
        ([*TEXT.split(), *GUESSES], "squares of 1 board: expected several; the shared text has to be in quotes"),
        ([TEXT.replace("🟩🟩🟩🟩🟩", "⬜⬜⬜⬜⬜", 1), *GUESSES], "board 2: 3 rows of squares, expected 6"),
    ],
)
def test_texts_that_are_refused(items: list[str], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        shared_turns(items)
