"""The dialogue that helps through a game, with a game in which a number is guessed."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from gpusolve.errors import BadInput
from gpusolve.games.wordle.rules import parse_word
from gpusolve.output import dialogue

HIGHEST = 9


class GuessNumber:
    """Guess a number from 0 to 9. A turn is a guess and its pattern: ``low``, ``high`` or ``right``."""

    introduction = "Enter low, high or right."

    def advise(self, turns: Sequence[tuple[int, str]]) -> tuple[str, str] | None:
        if turns and turns[-1][1] == "right":
            return None
        low = max((guess + 1 for guess, pattern in turns if pattern == "low"), default=0)
        high = min((guess - 1 for guess, pattern in turns if pattern == "high"), default=HIGHEST)
        if low > high:
            raise BadInput("no number is left")
        return f"{len(turns) + 1}. {(low + high) // 2}: ", str((low + high) // 2)

    def parse(self, entry: str, turns: Sequence[tuple[int, str]]) -> tuple[int, str]:
        guess, _, pattern = entry.partition(":")
        if pattern not in ("low", "high", "right"):
            raise BadInput(f"'{pattern}': expected low, high or right")
        return int(guess), pattern

    def shared(self, title: str) -> list[tuple[int, str]] | None:
        return [(int(line), "low") for line in dialogue.read_lines(2, str.isdigit)] if title == "shared" else None


@pytest.fixture
def prompts(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    """Return a function that runs the dialogue with given entries and returns its prompts."""

    def run(*entries: str) -> list[str]:
        shown: list[str] = []
        waiting = iter(entries)

        def enter(prompt: str) -> str:
            shown.append(prompt)
            try:
                return next(waiting)
            except StopIteration:
                raise EOFError from None

        monkeypatch.setattr("builtins.input", enter)
        dialogue.help_through(GuessNumber())
        return shown

    return run


def test_the_dialogue_ends_when_the_game_is_over(prompts: Callable[..., list[str]]) -> None:
    assert prompts("low", "High", "right", "low") == ["1. 4: ", "2. 7: ", "3. 5: "]


def test_another_guess_can_be_entered_with_its_pattern(prompts: Callable[..., list[str]]) -> None:
    assert prompts("7:low", "right") == ["1. 4: ", "2. 8: "]


def test_undo_takes_back_the_last_guess(prompts: Callable[..., list[str]]) -> None:
    assert prompts("undo", "low", "undo", "high", "") == ["1. 4: ", "1. 4: ", "2. 7: ", "1. 4: ", "2. 1: "]


def test_an_entry_that_is_wrong_is_asked_for_again(
    prompts: Callable[..., list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    assert prompts("lower") == ["1. 4: ", "1. 4: "]
    assert "'lower': expected low, high or right" in capsys.readouterr().out


def test_a_guess_that_contradicts_the_others_is_undone(
    prompts: Callable[..., list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    assert prompts("low", "4:high") == ["1. 4: ", "2. 7: ", "2. 7: "]
    assert "no number is left: the last guess is undone" in capsys.readouterr().out


def test_an_error_before_the_first_guess_is_raised() -> None:
    class NoNumber(GuessNumber):
        def advise(self, turns: Sequence[tuple[int, str]]) -> tuple[str, str] | None:
            raise BadInput("no number at all")

    with pytest.raises(BadInput, match="no number at all"):
        dialogue.help_through(NoNumber())


def test_what_is_typed_cannot_drive_the_terminal(
    prompts: Callable[..., list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    prompts("\x1b[31mlow", "\ud800")
    out = capsys.readouterr().out
    assert r"'\x1b[31mlow': expected low, high or right" in out
    assert r"'\ud800': expected" in out
    assert "\x1b" not in out


def test_a_shared_text_gives_all_its_turns(prompts: Callable[..., list[str]]) -> None:
    assert prompts("shared", "4", "7", "right")[-1] == "3. 8: "


def test_a_guess_is_asked_again_until_it_is_right(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    entries = iter(["salet", "no", "craft"])
    monkeypatch.setattr("builtins.input", lambda prompt: next(entries))
    assert dialogue.ask_guesses(["-y--g", "ggggg"], parse_word) == ["salet", "craft"]
    assert "'no' is not a word" in capsys.readouterr().out

    def end(prompt: str) -> str:
        raise EOFError

    monkeypatch.setattr("builtins.input", end)
    with pytest.raises(BadInput, match="row 1, -y--g: expected its guess"):
        dialogue.ask_guesses(["-y--g"], parse_word)


def test_advice_is_not_shown_again_after_a_wrong_entry(monkeypatch: pytest.MonkeyPatch) -> None:
    class Counting(GuessNumber):
        shown = 0

        def advise(self, turns: Sequence[tuple[int, str]]) -> tuple[str, str] | None:
            self.shown += 1
            return super().advise(turns)

    entries = iter(["wrong", "lower", "low", "undo", ""])
    monkeypatch.setattr("builtins.input", lambda prompt: next(entries))
    adviser = Counting()
    dialogue.help_through(adviser)
    assert adviser.shown == 3  # at the start, after "low", and after "undo"
