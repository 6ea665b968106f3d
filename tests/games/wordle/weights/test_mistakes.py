"""Words that are not accepted: the message says which words could be meant."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from gpusolve.games.wordle.weights.mistakes import nearest, not_accepted
from gpusolve.games.wordle.wordlist import WordList, word_list
from gpusolve.testing.plugin import Done

GUESSES = word_list("wordle-guesses")


def test_the_nearest_word_has_one_other_letter_or_two_exchanged() -> None:
    assert nearest("crnae", GUESSES) == ["crane"]
    assert nearest("pilly", GUESSES)[0] == "silly"
    assert nearest("zzzzz", GUESSES) == []
    assert nearest("würde", WordList(["würge", "würfe"])) == ["würfe", "würge"]


def test_newer_lists_are_named_only_for_words_that_they_could_have() -> None:
    newer = "`gpusolve lists` shows newer lists"
    assert not_accepted("crnae", GUESSES) == "not among the 12,972 guesses: did you mean crane?"
    assert not_accepted("gizma", GUESSES) == f"not among the 12,972 guesses: did you mean gizmo? {newer}"
    assert not_accepted("zzzzz", GUESSES) == f"not among the 12,972 guesses; {newer}"
    assert not_accepted("würde", WordList(["würge"])) == "not among the 1 guesses: did you mean würge?"
    assert not_accepted("zzzzz", WordList(["würge"]), "answers") == "not among the 1 answers"


@pytest.mark.parametrize(
    ("command", "place"),
    [
        (("analyze", "crnae", "gizmo"), "guess 'crnae'"),
        (("analyze", "salet", "--answer", "crnae"), "--answer 'crnae'"),
        (("explain", "--guess", "crnae"), "guess 'crnae'"),
        (("play", "crane", "--first", "crnae"), "first guess 'crnae'"),
        (("simulate", "--first", "crnae"), "first guess 'crnae'"),
        (("play", "crnae"), "answer 'crnae'"),
    ],
)
def test_every_command_names_the_word_that_was_meant(
    run: Callable[..., Done], command: tuple[str, ...], place: str
) -> None:
    done = run("wordle", *command)
    assert (done.code, done.out) == (2, "")
    kind = "answers" if command == ("play", "crnae") else "guesses"
    assert done.err.endswith(f"{place}: not among the 12,972 {kind}: did you mean crane?\n")


def test_the_dialogue_with_the_adversary_names_the_word_that_was_meant(
    run: Callable[..., Done], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = iter(["crnae", ""])
    monkeypatch.setattr("builtins.input", lambda prompt: next(lines))
    text = run("wordle", "play", "--adversary", "--yourself").out
    assert ("guess 'crnae'" in text, "first guess" in text, "did you mean crane?" in text) == (True, False, True)


def test_a_guess_of_a_shared_game_is_asked_for_again(run: Callable[..., Done], monkeypatch: pytest.MonkeyPatch) -> None:
    lines = iter(["crnae", "crane", "gizmo"])
    monkeypatch.setattr("builtins.input", lambda prompt: next(lines))
    share = "Wordle 1,500 2/6\n\n\u2b1b\u2b1b\u2b1b\u2b1b\u2b1b\n" + "\U0001f7e9" * 5
    done = run("wordle", "analyze", share)
    assert done.code == 0
    assert "did you mean crane?" in done.out
    assert "solved in 2" in done.out
