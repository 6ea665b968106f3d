"""Answers that a server keeps: for how long, and how many."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

pytest.importorskip("starlette")

from gpusolve.files import state_of
from gpusolve.serve.app import Kept


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Return a list whose only element is the time that the server sees."""
    now = [1000.0]
    monkeypatch.setattr("gpusolve.serve.app.time.monotonic", lambda: now[0])
    return now


def test_an_answer_is_kept_for_a_time(clock: list[float]) -> None:
    kept = Kept(room=1000, seconds=60)
    kept.put("request", b"answer", {})
    clock[0] += 59
    assert kept.get("request") == b"answer"
    clock[0] += 1
    assert kept.get("request") is None
    kept.put("request", b"another", {})
    assert kept.get("request") == b"another"
    assert kept.get("unknown") is None


def test_the_oldest_answers_make_room(clock: list[float]) -> None:
    kept = Kept(room=20, seconds=60)
    for name in "abc":
        kept.put(name, bytes(6), {})
    assert [kept.get(name) is None for name in "abc"] == [True, False, False]
    kept.put("b", bytes(6), {})  # now it is the newest one
    kept.put("d", bytes(6), {})
    assert [kept.get(name) is None for name in "bcd"] == [False, True, False]
    kept.put("e", bytes(40), {})
    assert [kept.get(name) is None for name in "bcde"] == [True] * 4


def test_an_answer_is_kept_until_a_file_changes(clock: list[float], tmp_path: Path) -> None:
    kept, file, missing = Kept(room=1000, seconds=60), tmp_path / "words.txt", tmp_path / "later.txt"
    file.write_text("crane")
    kept.put("request", b"answer", {file: state_of(file), missing: state_of(missing)})
    assert kept.get("request") == b"answer"
    missing.write_text("trace")
    assert kept.get("request") is None
    missing.unlink()
    assert kept.get("request") == b"answer"
    file.write_text("crane\ntrace")
    assert kept.get("request") is None
    file.write_text("crane")
    kept.put("request", b"answer", {file: state_of(file)})
    before = file.stat()
    file.write_text("trace")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))  # the same size, and the same time of the last writing
    assert kept.get("request") is None
