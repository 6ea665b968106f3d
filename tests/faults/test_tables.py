"""Building the tables of sliding tiles while processes are killed or the disk is full, and damaged files of tables.

Each command runs in a new process.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from faults.kills import CODES, ENVIRONMENT, wait_until_ready
from gpusolve import files
from gpusolve.runs import store

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(os.name != "posix", reason="signals and limits of a POSIX system"),
]

SETS = "1,2,4,5,8/3,6,7,9,10,11"
OTHERS = "1,2,3,5,6,7/4,8,9,10,11"
QUIET = ["--device", "cpu", "--quiet", "--json"]
BUILD = ["build", "--rows", "3", "--columns", "4", "--partition", SETS, "--samples", "9", "--seed", "1", *QUIET]
SOLVE = ["solve", "0 2 10 6 / 3 7 8 9 / 1 5 4 11", "--partition", SETS, *QUIET]
LENGTH = 32


@pytest.fixture(scope="module")
def intact(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files of an undisturbed build, by name."""
    folder = tmp_path_factory.mktemp("intact")
    run(BUILD, folder)
    return content(folder)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of the tables, which does not exist yet."""
    return tmp_path / "tables"


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.glob(f"*{store.SUFFIX}")}


def start(words: list[str], folder: Path, shell: str = "") -> subprocess.Popen[str]:
    """Start a command of sliding tiles, after a line of the shell."""
    command = " ".join(f"'{word}'" for word in (sys.executable, "-m", "gpusolve", "sliding", *words))
    return subprocess.Popen(
        ["bash", "-c", f"{shell}\nexec {command}"],
        env=ENVIRONMENT | {"GPUSOLVE_TABLES": str(folder)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def run(words: list[str], folder: Path) -> dict[str, Any]:
    """Run a command, which must print nothing on stderr, and return its JSON."""
    with start(words, folder) as process:
        out, err = process.communicate(timeout=120)
    assert (process.returncode, err) == (0, "")
    result: dict[str, Any] = json.loads(out)
    return result


def damaged(folder: Path) -> list[str]:
    """Return the names of the files that `sliding tables` reports as damaged."""
    return [Path(table["path"]).name for table in run(["tables", "--json"], folder)["tables"] if table["damaged"]]


@pytest.mark.parametrize("number", CODES)
def test_a_build_that_is_killed_leaves_no_damage_and_can_be_repeated(
    folder: Path, intact: dict[str, bytes], number: signal.Signals
) -> None:
    """The process is killed at random moments, from its first line until the last table is written."""
    begin = time.monotonic()
    run(BUILD, folder)
    seconds = time.monotonic() - begin
    chance = random.Random(int(number))
    for fraction in (0.4, 0.9):
        for path in folder.iterdir():
            path.unlink()
        with start(BUILD, folder) as process:
            wait_until_ready(process)
            time.sleep(seconds * fraction * chance.uniform(0.7, 1))
            process.send_signal(number)
            out, err = process.communicate(timeout=120)
        assert process.returncode == CODES[number] or (process.returncode == 0 and out)
        assert err == ""
        assert not damaged(folder)
        assert number == signal.SIGKILL or not list(folder.glob(f".*{files.TEMPORARY}"))
        run(BUILD, folder)
        assert content(folder) == intact


def test_two_builds_at_once_make_the_tables_once(folder: Path, intact: dict[str, bytes]) -> None:
    processes = [start(BUILD, folder) for _ in range(2)]
    ends = [json.loads(process.communicate(timeout=120)[0]) for process in processes]
    assert [process.returncode for process in processes] == [0, 0]
    assert ends[0]["mean"] == ends[1]["mean"]
    assert content(folder) == intact


def test_on_a_full_disk_a_board_is_solved_and_a_build_fails(folder: Path) -> None:
    """No file can grow beyond 60 KiB."""
    full = "ulimit -f 60"
    with start(SOLVE, folder, full) as process:
        out, err = process.communicate(timeout=120)
    assert (process.returncode, json.loads(out)["length"]) == (0, LENGTH)
    assert all(line.startswith("gpusolve: note: ") for line in err.splitlines())
    assert "cannot be written: File too large; the table will be built again next time" in err
    with start(BUILD, folder, full) as process:
        out, err = process.communicate(timeout=120)
    assert (process.returncode, out) == (2, "")
    message = err.splitlines()[-1]
    assert message.startswith(f"gpusolve: table {folder}/sliding-3x4-")
    assert message.endswith("cannot be written: File too large")
    assert not list(folder.glob(f".*{files.TEMPORARY}"))
    assert not damaged(folder)


def halved(content: bytes) -> bytes:
    return content[: len(content) // 2]


def flipped(content: bytes) -> bytes:
    """Change one bit of the first array."""
    return content[: store.PAGE] + bytes([content[store.PAGE] ^ 4]) + content[store.PAGE + 1 :]


def emptied(content: bytes) -> bytes:
    return b""


@pytest.mark.parametrize("damage", [halved, flipped, emptied])
def test_a_damaged_table_is_reported_and_never_used(
    folder: Path, intact: dict[str, bytes], damage: Callable[[bytes], bytes]
) -> None:
    folder.mkdir()
    for name, data in intact.items():
        (folder / name).write_bytes(damage(data))
    assert damaged(folder) == sorted(intact)
    assert run(SOLVE, folder)["length"] == LENGTH
    assert intact.items() <= content(folder).items()
    assert not damaged(folder)


def test_a_table_of_other_sets_is_never_used(folder: Path, intact: dict[str, bytes]) -> None:
    """The files are intact, but have the names of the tables that are needed."""
    run([OTHERS if word == SETS else word for word in BUILD], folder)
    others = [data for name, data in content(folder).items() if name not in intact]
    needed = [name for name in intact if name not in content(folder)]
    assert others
    for name, data in zip(needed, others * len(needed), strict=False):
        (folder / name).write_bytes(data)
    assert run(SOLVE, folder)["length"] == LENGTH
    assert intact.items() <= content(folder).items()
