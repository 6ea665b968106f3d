"""Tables of sliding tiles whose builds are killed or meet a full disk, and files of them that are damaged."""

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

import pytest

from faults.kills import CODES, ENVIRONMENT, wait_until_ready
from gpusolve import files, store
from gpusolve.games.sliding import build, catalogue, parse_board, solve, tables
from gpusolve.games.sliding.index import load_index

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals and limits of a POSIX system")

SETS = "1,2,4,5,8/3,6,7,9,10,11"
BUILD = ["build", "--rows", "3", "--columns", "4", "--partition", SETS, "--samples", "9", "--seed", "1"]
BUILD += ["--device", "cpu", "--quiet", "--json"]
BOARD = "0 2 10 6 / 3 7 8 9 / 1 5 4 11"
LENGTH = 32


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files of a build that nothing came between, by name."""
    with pytest.MonkeyPatch.context() as patch:
        place = tmp_path_factory.mktemp("whole")
        patch.setenv("GPUSOLVE_TABLES", str(place))
        forget()
        build(3, 4, SETS, samples=1)
        return content(place)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the tables are to go."""
    monkeypatch.setenv("GPUSOLVE_TABLES", str(tmp_path / "tables"))
    forget()
    return tmp_path / "tables"


def forget() -> None:
    """As in another process: no table is loaded."""
    catalogue.forget()
    load_index.cache_clear()


def content(place: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in place.glob(f"*{store.SUFFIX}")}


def start(words: list[str], place: Path, shell: str = "") -> subprocess.Popen[str]:
    """A command of sliding tiles in a process of its own, behind a line of the shell."""
    command = " ".join(f"'{word}'" for word in (sys.executable, "-m", "gpusolve", "sliding", *words))
    return subprocess.Popen(
        ["bash", "-c", f"{shell}\nexec {command}"],
        env=ENVIRONMENT | {"GPUSOLVE_TABLES": str(place)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize("number", CODES)
def test_a_build_that_is_killed_is_made_up_for(place: Path, whole: dict[str, bytes], number: signal.Signals) -> None:
    """At moments from the first line of gpusolve on until the last table is written."""
    begin = time.monotonic()
    with start(BUILD, place) as process:
        assert process.communicate(timeout=120)[1] == ""
    seconds = time.monotonic() - begin
    chance = random.Random(int(number))
    for part in (0.3, 0.6, 0.9):
        for path in place.iterdir():
            path.unlink()
        with start(BUILD, place) as process:
            wait_until_ready(process)
            time.sleep(seconds * part * chance.uniform(0.7, 1))
            process.send_signal(number)
            out, err = process.communicate(timeout=120)
        assert process.returncode == CODES[number] or (process.returncode == 0 and out)
        assert err == ""
        assert not [one for one in tables() if one.damaged]
        left = [path for path in place.glob(f".*{files.TEMPORARY}") if number != signal.SIGKILL]
        assert not left
        forget()
        build(3, 4, SETS, samples=1)
        assert content(place) == whole


def test_of_two_builds_at_once_one_makes_the_tables(place: Path, whole: dict[str, bytes]) -> None:
    processes = [start(BUILD, place) for _ in range(2)]
    ends = [json.loads(process.communicate(timeout=120)[0]) for process in processes]
    assert [process.returncode for process in processes] == [0, 0]
    assert ends[0]["mean"] == ends[1]["mean"]
    assert [one["damaged"] for end in ends for one in end["tables"]] == [None] * 4
    assert content(place) == whole


def test_on_a_full_disk_a_board_is_solved_and_a_build_is_told(place: Path) -> None:
    """No file may have more than 60 KiB: the index and one of the tables have."""
    full = "ulimit -f 60"
    with start(["solve", BOARD, "--partition", SETS, "--device", "cpu", "--quiet", "--json"], place, full) as process:
        out, err = process.communicate(timeout=120)
    assert (process.returncode, json.loads(out)["length"]) == (0, LENGTH)
    assert all(line.startswith("gpusolve: note: ") for line in err.splitlines())
    assert "cannot be written: File too large; the table is made again next time" in err
    with start(BUILD, place, full) as process:
        out, err = process.communicate(timeout=120)
    assert (process.returncode, out) == (2, "")
    told = err.splitlines()[-1]
    assert told.startswith(f"gpusolve: table {place}/sliding-3x4-")
    assert told.endswith("cannot be written: File too large")
    assert not list(place.glob(f".*{files.TEMPORARY}"))
    assert not [one for one in tables() if one.damaged]


def halved(content: bytes) -> bytes:
    return content[: len(content) // 2]


def flipped(content: bytes) -> bytes:
    """One bit of the first array."""
    return content[: store.PAGE] + bytes([content[store.PAGE] ^ 4]) + content[store.PAGE + 1 :]


@pytest.mark.parametrize("damage", [halved, flipped, lambda content: b"", lambda content: content[:-1]])
def test_a_damaged_table_is_told_and_never_used(
    place: Path, whole: dict[str, bytes], damage: Callable[[bytes], bytes]
) -> None:
    build(3, 4, SETS, samples=1)
    for name, kept in whole.items():
        (place / name).write_bytes(damage(kept))
    assert len([one for one in tables() if one.damaged]) == len(whole)
    forget()
    assert solve(parse_board(BOARD), SETS).least == LENGTH
    assert whole.items() <= content(place).items()
    assert not [one for one in tables() if one.damaged]


def test_a_table_of_another_pattern_is_never_used(place: Path, whole: dict[str, bytes]) -> None:
    """Whole, but under the name of another."""
    build(3, 4, SETS, samples=1)
    first, second = sorted(name for name in whole if "index" not in name)
    (place / first).write_bytes(whole[second])
    forget()
    assert solve(parse_board(BOARD), SETS).least == LENGTH
    assert whole.items() <= content(place).items()
