"""Tables of sliding tiles whose builds are killed or meet a full disk, and files of them that are damaged.

Each command is a process of its own, that has no table in memory yet.
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
    """The files of a build that nothing came between, by name."""
    place = tmp_path_factory.mktemp("whole")
    done(BUILD, place)
    return content(place)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Where the tables are to go."""
    return tmp_path / "tables"


def content(place: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in place.glob(f"*{store.SUFFIX}")}


def start(words: list[str], place: Path, shell: str = "") -> subprocess.Popen[str]:
    """A command of sliding tiles, behind a line of the shell."""
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
    """What a command gave that came to its end without a word on stderr."""
    with start(words, place) as process:
        out, err = process.communicate(timeout=120)
    assert (process.returncode, err) == (0, "")
    found: dict[str, Any] = json.loads(out)
    return found


def damaged(place: Path) -> list[str]:
    """The names of the files that `sliding tables` calls damaged."""
    return [Path(one["path"]).name for one in done(["tables", "--json"], place)["tables"] if one["damaged"]]


@pytest.mark.parametrize("number", CODES)
def test_a_killed_build_is_completed_later(place: Path, whole: dict[str, bytes], number: signal.Signals) -> None:
    """At moments from the first line of gpusolve on until the last table is written."""
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
    """No file may have more than 60 KiB."""
    full = "ulimit -f 60"
    with start(SOLVE, place, full) as process:
        out, err = process.communicate(timeout=120)
    assert (process.returncode, json.loads(out)["length"]) == (0, LENGTH)
    assert all(line.startswith("gpusolve: note: ") for line in err.splitlines())
    assert "cannot be written: File too large; the table will be built again next time" in err
    with start(BUILD, place, full) as process:
        out, err = process.communicate(timeout=120)
    assert (process.returncode, out) == (2, "")
    told = err.splitlines()[-1]
    assert told.startswith(f"gpusolve: table {place}/sliding-3x4-")
    assert told.endswith("cannot be written: File too large")
    assert not list(place.glob(f".*{files.TEMPORARY}"))
    assert not damaged(place)


def halved(content: bytes) -> bytes:
    return content[: len(content) // 2]


def flipped(content: bytes) -> bytes:
    """One bit of the first array."""
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
    """They are whole, but under the names of those that are wanted."""
    done([OTHERS if word == SETS else word for word in BUILD], place)
    others = [kept for name, kept in content(place).items() if name not in whole]
    wanted = [name for name in whole if name not in content(place)]
    assert others
    for name, kept in zip(wanted, others * len(wanted), strict=False):
        (place / name).write_bytes(kept)
    assert done(SOLVE, place)["length"] == LENGTH
    assert whole.items() <= content(place).items()
