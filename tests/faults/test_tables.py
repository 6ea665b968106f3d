"""Tables of sliding tiles: builds that are killed or run out of disk space, and damaged files.

Each command is a separate process, so it has no table in memory yet.
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
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Return the files of an uninterrupted build by name."""
    place = tmp_path_factory.mktemp("whole")
    done(BUILD, place)
    return content(place)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Return the folder of the tables."""
    return tmp_path / "tables"


def content(place: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in place.glob(f"*{store.SUFFIX}")}


def start(words: list[str], place: Path, shell: str = "") -> subprocess.Popen[str]:
    """Start a command of sliding tiles, after the shell commands `shell`."""
    command = " ".join(f"'{word}'" for word in (sys.executable, "-m", "gpusolve", "sliding", *words))
    return subprocess.Popen(
        ["bash", "-c", f"{shell}\nexec {command}"],
        env=ENVIRONMENT | {"GPUSOLVE_TABLES": str(place)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def done(words: list[str], place: Path) -> dict[str, Any]:
    """Run a command that must succeed with nothing on stderr, and return its JSON."""
    with start(words, place) as process:
        out, err = process.communicate(timeout=120)
    assert (process.returncode, err) == (0, "")
    found: dict[str, Any] = json.loads(out)
    return found


def damaged(place: Path) -> list[str]:
    """Return the names of the files that `sliding tables` reports as damaged."""
    return [Path(table["path"]).name for table in done(["tables", "--json"], place)["tables"] if table["damaged"]]


@pytest.mark.parametrize("number", CODES)
def test_a_killed_build_is_completed_later(place: Path, whole: dict[str, bytes], number: signal.Signals) -> None:
    """It is killed at random moments between its start and the writing of the last table."""
    begin = time.monotonic()
    done(BUILD, place)
    seconds = time.monotonic() - begin
    chance = random.Random(int(number))
    for part in (0.4, 0.9):
        for path in place.iterdir():
            path.unlink()
        with start(BUILD, place) as process:
            wait_until_ready(process)
            time.sleep(seconds * part * chance.uniform(0.7, 1))
            process.send_signal(number)
            out, err = process.communicate(timeout=120)
        assert process.returncode == CODES[number] or (process.returncode == 0 and out)
        assert err == ""
        assert not damaged(place)
        assert number == signal.SIGKILL or not list(place.glob(f".*{files.TEMPORARY}"))
        done(BUILD, place)
        assert content(place) == whole


def test_of_two_simultaneous_builds_one_makes_the_tables(place: Path, whole: dict[str, bytes]) -> None:
    processes = [start(BUILD, place) for _ in range(2)]
    ends = [json.loads(process.communicate(timeout=120)[0]) for process in processes]
    assert [process.returncode for process in processes] == [0, 0]
    assert ends[0]["mean"] == ends[1]["mean"]
    assert content(place) == whole


def test_on_a_full_disk_a_board_is_solved_and_a_build_fails(place: Path) -> None:
    """The full disk is a limit of 60 KiB for each file."""
    full = "ulimit -f 60"
    with start(SOLVE, place, full) as process:
        out, err = process.communicate(timeout=120)
    assert (process.returncode, json.loads(out)["length"]) == (0, LENGTH)
    assert all(line.startswith("gpusolve: note: ") for line in err.splitlines())
    assert "cannot be written: File too large; the table will be built again next time" in err
    with start(BUILD, place, full) as process:
        out, err = process.communicate(timeout=120)
    assert (process.returncode, out) == (2, "")
    message = err.splitlines()[-1]
    assert message.startswith(f"gpusolve: table {place}/sliding-3x4-")
    assert message.endswith("cannot be written: File too large")
    assert not list(place.glob(f".*{files.TEMPORARY}"))
    assert not damaged(place)


def halved(content: bytes) -> bytes:
    return content[: len(content) // 2]


def flipped(content: bytes) -> bytes:
    """Flip a bit of the first array."""
    return content[: store.PAGE] + bytes([content[store.PAGE] ^ 4]) + content[store.PAGE + 1 :]


def emptied(content: bytes) -> bytes:
    return b""


@pytest.mark.parametrize("damage", [halved, flipped, emptied])
def test_a_damaged_table_is_reported_and_never_used(
    place: Path, whole: dict[str, bytes], damage: Callable[[bytes], bytes]
) -> None:
    place.mkdir()
    for name, kept in whole.items():
        (place / name).write_bytes(damage(kept))
    assert damaged(place) == sorted(whole)
    assert done(SOLVE, place)["length"] == LENGTH
    assert whole.items() <= content(place).items()
    assert not damaged(place)


def test_a_table_of_other_sets_is_never_used(place: Path, whole: dict[str, bytes]) -> None:
    """Its files are intact, but have the names of the expected files."""
    done([OTHERS if word == SETS else word for word in BUILD], place)
    others = [kept for name, kept in content(place).items() if name not in whole]
    expected = [name for name in whole if name not in content(place)]
    assert others
    for name, kept in zip(expected, others * len(expected), strict=False):
        (place / name).write_bytes(kept)
    assert done(SOLVE, place)["length"] == LENGTH
    assert whole.items() <= content(place).items()
