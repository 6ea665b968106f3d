"""Every command gives the same result on every device. New games are included automatically."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from gpusolve.backend import Backend
from gpusolve.backend.cpu import CpuBackend
from gpusolve.games import find_games
from gpusolve.games.qless import shapes
from gpusolve.testing import commands
from gpusolve.testing.plugin import Done
from gpusolve.wordlists import load_words

SMALLER = {
    "qless census": "--count 100 --seed 1",
    "qless generate": "--difficulty saturday --seed 1 --dictionary dictionary.txt --order order.txt",
    "qless rate": "acghllnoprst --dictionary dictionary.txt --order order.txt",
    "queuedle solve": "tsea/enop/adis/ttre eatns --states 90000 --seed 1",
    "quiddler census": "--count 6 --seed 1",
    "quiddler turn": "'qu i t' --top e --samples 20 --seed 1",
    "quordle analyze": "aback,aloft aback aloft --answers answers.txt",
    "quordle play": "aback aloft --answers answers.txt --seed 1",
    "quordle simulate": "--count 12 --boards 3 --answers answers.txt --seed 1",
    "quordle suggest": "aback:y----,----- --answers answers.txt",
    "sliding build": "--rows 4 --columns 4 --seed 1",
    "tetris train": "--particles 3 --iterations 2 --games 2 --policy greedy --finals 2 --seed 1",
    "tetris train-value": "--iterations 2 --games 2 --opening 0.5 --max-lines 4 --seed 1",
    "tetris evaluate": "two-piece --compare published --count 2 --seed 1",
    "wordle analyze": "afoot aback --guesses guesses.txt --answers answers.txt",
    "wordle explain": "--guesses guesses.txt --answers answers.txt",
    "wordle groups": "--guesses guesses.txt --answers answers.txt",
    "wordle partition-table": "--top 5 --guesses guesses.txt --answers answers.txt",
    "wordle simulate": "--guesses guesses.txt --answers answers.txt",
    "wordle solve": "--guesses guesses.txt --answers answers.txt",
}
"""Smaller versions of examples that take long in the emulation."""
NEEDS = {"tetris train": "pyswarms"}
"""Packages that a command needs and that may be missing on a machine with a GPU."""
OF_THE_RUN = re.compile(r"device|(.*_per_|compile_|build_)?seconds?")
"""Fields that differ between runs."""


def with_device(game: str) -> list[commands.Command]:
    return [command for command in commands.of_game(game) if "device" in command.parameters]


@pytest.mark.parametrize("game", [game for game in find_games() if with_device(game)])
def test_every_command_gives_the_same_result_on_every_device(
    game: str, backend: Backend, run: Callable[..., Done], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gpusolve.backend._cuda", lambda index, share: backend)
    other = "cpu:1" if isinstance(backend, CpuBackend) else "cuda"
    assert outcomes(game, other, run, tmp_path / "other", monkeypatch) == outcomes(
        game, "cpu", run, tmp_path / "cpu", monkeypatch
    )
    if missing := [
        f"{command}: no {NEEDS[command]}" for command in NEEDS if command.startswith(game) and lacks(command)
    ]:
        pytest.skip(f"all other commands give the same results; {', '.join(missing)}")


def lacks(command: str) -> bool:
    return command in NEEDS and find_spec(NEEDS[command]) is None


def outcomes(
    game: str, device: str, run: Callable[..., Done], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> dict[str, list[Any]]:
    """Run each command with ``--json`` and return the output. Those that write files come first."""
    folder.mkdir()
    monkeypatch.chdir(folder)
    for name, source, step in (
        ("guesses", "wordle-answers", 30),
        ("answers", "wordle-answers", 60),
        ("dictionary", "scowl-35", 8),
    ):
        (folder / f"{name}.txt").write_text("\n".join(load_words(source)[::step]))
    shapes().save(folder / "order.txt")
    found = {}
    for command in sorted(with_device(game), key=lambda each: "out" not in each.parameters):
        if lacks(str(command)):
            continue
        words = command.examples[0]
        if str(command) in SMALLER:
            words = [game, command.name, *shlex.split(SMALLER[str(command)])]
        done = run(*words, *(word for word in ["--json", "--quiet", "--device", device] if word not in words))
        assert done.code == 0, f"{command}: {done.err}"
        found[str(command)] = [_comparable(json.loads(line)) for line in done.out.splitlines()]
    return found


def _comparable(value: Any) -> Any:
    if isinstance(value, dict):
        of_a_file = {"used"} if "path" in value else set()  # when a table was last used
        return {
            name: _comparable(part)
            for name, part in value.items()
            if name not in of_a_file and not OF_THE_RUN.fullmatch(name)
        }
    return [_comparable(part) for part in value] if isinstance(value, list) else value
