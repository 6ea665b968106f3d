"""The adversary on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gpusolve.games.wordle import beat_adversary, rules
from gpusolve.testing.plugin import Run

FEW = "--guesses {words} --answers {words}"
WORDS = ("crane", "trace", "slump", "grape", "grace")


@pytest.fixture(autouse=True)
def cpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPUSOLVE_DEVICE", "cpu")


@pytest.fixture
def few(tmp_path: Path) -> list[str]:
    file = tmp_path / "words"
    file.write_text("\n".join(WORDS))
    return FEW.format(words=file).split()


def test_the_fewest_guesses_are_printed_with_their_proof(run: Run, few: list[str]) -> None:
    shortest = rules.shortest_duel(sorted(WORDS), sorted(WORDS))
    done = run("wordle", "beat-adversary", *few)
    assert done.out.endswith(f"{len(shortest)} guesses against the adversary; proven to be the fewest\n")
    found = json.loads(run("wordle", "beat-adversary", "--json", "-q", *few).out)
    assert (found["guesses"], found["at_least"], found["proven"]) == (len(shortest), len(shortest), True)
    assert found["turns"][-1] == {"guess": found["turns"][-1]["guess"], "pattern": "ggggg", "remaining": 1}


def test_one_can_guess_oneself(run: Run, few: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    entries = iter(["slump", "crane", "undo", "zzzzz", "crane", "trace", "grape", "grace"])
    monkeypatch.setattr("builtins.input", lambda prompt: next(entries))
    done = run("wordle", "play", "--adversary", "--yourself", *few)
    assert done.code == 0
    assert "slump:-----" in done.out
    assert "'zzzzz': not among the 5 guesses" in done.out
    assert done.out.endswith("solved in 5\n") or done.out.endswith("solved in 4\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("play crane --adversary", "answer: expected a hidden word, or the adversary, which hides none"),
        ("play --yourself", "--yourself: expected --adversary as well"),
        ("play --adversary --yourself --json", "--yourself: expected --adversary as well and no --json"),
        ("beat-adversary --first zzzzz", "first guess 'zzzzz': not among the 5 guesses"),
    ],
)
def test_bad_input_gives_one_line(run: Run, few: list[str], arguments: str, message: str) -> None:
    done = run("wordle", *arguments.split(), *few)
    assert done.code == 2
    (line,) = [line for line in done.err.splitlines() if not line.startswith("device: ")]
    assert message in line


def test_a_duel_draws_itself() -> None:
    assert "proven" in beat_adversary(["salet:-y--g"])._repr_html_()
