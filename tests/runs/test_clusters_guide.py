"""The commands for TLS in docs/clusters.md work, and then nothing but encrypted ports is open to other machines."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

GUIDE = Path(__file__).parents[2] / "docs" / "clusters.md"
PATIENCE = 60.0


def commands(program: str) -> list[list[str]]:
    """Return the words of the commands of a program in the section on security."""
    section = GUIDE.read_text(encoding="utf-8").split("## Security")[1].split("\n## ")[0].replace("\\\n", " ")
    return [shlex.split(line) for line in re.findall(rf"^    ({program} .*)$", section, re.MULTILINE)]


def test_the_commands_keep_the_web_pages_on_their_machine() -> None:
    started = commands("dask")
    assert [words[1] for words in started] == ["scheduler", "worker"]
    for words in started:
        assert "--tls-ca-file" in words
        assert words[words.index("--dashboard-address") + 1].startswith("127.0.0.1:")


@contextmanager
def started(folder: Path, words: list[str]) -> Iterator[subprocess.Popen[bytes]]:
    with (folder / f"{words[0]}.log").open("wb") as log:
        process = subprocess.Popen([sys.executable, "-m", "dask", *words], cwd=folder, stdout=log, stderr=log)
    try:
        yield process
    finally:
        process.terminate()
        process.wait()


def listening(root: int) -> set[tuple[str, int]]:
    """Return the addresses and ports on which a process and its children accept connections, as `ss` reports them."""
    family = {root}
    table = subprocess.run(["ps", "-e", "-o", "pid=,ppid="], capture_output=True, text=True, check=True).stdout
    pairs = [tuple(map(int, line.split())) for line in table.splitlines()]
    while new := {child for child, parent in pairs if parent in family} - family:
        family |= new
    lines = subprocess.run(["ss", "-Hltnp"], capture_output=True, text=True, check=True).stdout.splitlines()
    places = [line.split()[3].rpartition(":") for line in lines if {*map(int, re.findall(r"pid=(\d+)", line))} & family]
    return {(address, int(port)) for address, _, port in places}


def speaks_http(port: int) -> bool:
    """Return whether a port answers in clear."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=5):
            return True
    except urllib.error.HTTPError:
        return True
    except OSError:
        return False


@pytest.mark.thorough
@pytest.mark.skipif(os.name != "posix" or not all(map(shutil.which, ("openssl", "ss", "ps"))), reason="openssl, ss, ps")
def test_no_port_that_others_can_reach_answers_in_clear(tmp_path: Path) -> None:
    pytest.importorskip("distributed", reason="Dask is not installed: pip install 'gpusolve[cluster]'")
    for words in commands("openssl"):
        subprocess.run(words, cwd=tmp_path, check=True, capture_output=True)
    scheduler, worker = (words[1:] for words in commands("dask"))
    scheduler[scheduler.index("--port") + 1] = "0"  # others may use the usual ports
    scheduler[scheduler.index("--dashboard-address") + 1] = "127.0.0.1:0"
    scheduler += ["--scheduler-file", "scheduler.json"]
    with started(tmp_path, scheduler) as first:
        file, end = tmp_path / "scheduler.json", time.monotonic() + PATIENCE
        while not file.exists():
            assert time.monotonic() < end, (tmp_path / "scheduler.log").read_text()
            time.sleep(0.1)
        worker[1] = json.loads(file.read_text())["address"]
        assert worker[1].startswith("tls://")
        with started(tmp_path, worker) as second:
            while "Registered to" not in (tmp_path / "worker.log").read_text():
                assert time.monotonic() < end, (tmp_path / "worker.log").read_text()
                time.sleep(0.1)
            for process in (first, second):
                places = listening(process.pid)
                local = {port for address, port in places if address == "127.0.0.1"}
                reachable = {port for address, port in places if address != "127.0.0.1"}
                assert reachable
                assert any(map(speaks_http, local))
                assert not any(map(speaks_http, reachable))
