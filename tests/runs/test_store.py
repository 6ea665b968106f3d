"""Tables in the cache folder are kept, mapped, and never used if damaged."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gpusolve import files
from gpusolve.errors import BadInput
from gpusolve.runs import store

ABOUT = {"game": "none", "cells": [4, 4], "version": 1}


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GPUSOLVE_TABLES", str(tmp_path / "tables"))
    return tmp_path / "tables"


def arrays() -> store.Arrays:
    return {
        "bytes": np.arange(100_003, dtype=np.uint8),
        "pairs": np.arange(6, dtype=np.int32).reshape(3, 2),
        "none": np.empty((0, 4), np.uint16),
        "one": np.array(2.5),
    }


def never() -> store.Arrays:
    raise AssertionError("the table is built again")


def test_a_built_table_is_loaded_the_next_time(place: Path) -> None:
    first = store.made("a", ABOUT, arrays)
    second = store.made("a", ABOUT, never)
    for found in (first, second):
        assert found.keys() == arrays().keys()
        for name, array in arrays().items():
            assert found[name].dtype == array.dtype
            assert np.array_equal(found[name], array)
            assert not found[name].flags.writeable
    assert store.paths() == [place / "a.table"]
    assert store.open_table(place / "a.table").size == sum(array.nbytes for array in arrays().values())


def test_any_flipped_bit_in_a_table_is_detected(place: Path) -> None:
    store.made("a", ABOUT, arrays)
    whole = (place / "a.table").read_bytes()
    used = len(whole) - 3 * store.PAGE  # the last arrays are followed by padding
    chance = np.random.default_rng(1)
    header = whole.index(b"\n") + 1
    text = len(whole[:header].rstrip())
    places = [*chance.integers(0, text, 60), *chance.integers(header, header + 100_003, 60), used + store.PAGE]
    for at in places:
        broken = bytearray(whole)
        broken[at] ^= 1 << int(chance.integers(8))
        (place / "a.table").write_bytes(broken)
        with pytest.raises(BadInput, match=r"damaged|cannot be read"):
            store.open_table(place / "a.table")
    assert np.array_equal(store.made("a", ABOUT, arrays)["bytes"], arrays()["bytes"])
    assert (place / "a.table").read_bytes() == whole


@pytest.mark.parametrize("length", [0, 1, 100, store.PAGE, store.PAGE + 1, 50_000])
def test_a_truncated_table_is_built_again(place: Path, length: int) -> None:
    store.made("a", ABOUT, arrays)
    whole = (place / "a.table").read_bytes()
    (place / "a.table").write_bytes(whole[:length])
    with pytest.raises(BadInput, match="table"):
        store.open_table(place / "a.table")
    store.made("a", ABOUT, arrays)
    assert (place / "a.table").read_bytes() == whole


def test_a_foreign_table_is_built_again(place: Path) -> None:
    store.made("a", ABOUT | {"version": 2}, lambda: {"other": np.zeros(3)})
    with pytest.raises(BadInput, match="expected"):
        store.open_table(place / "a.table", ABOUT)
    assert store.made("a", ABOUT, arrays).keys() == arrays().keys()


def forged(path: Path, **changes: Any) -> None:
    """Change what the header says about the array `bytes`, and compute the header's digest again."""
    whole = path.read_bytes()
    header = json.loads(whole[: store.PAGE])
    del header["sha256"]
    header["arrays"]["bytes"] |= changes
    line = json.dumps(header | {"sha256": store._digest(header)}).encode()
    path.write_bytes(line.ljust(store.PAGE - 1) + b"\n" + whole[store.PAGE :])


@pytest.mark.parametrize(
    "changes",
    [
        {"dtype": "|O"},
        {"dtype": "<i4"},
        {"dtype": "<f8", "shape": [10**17]},
        {"dtype": "i4,i4"},
        {"dtype": "x" * 5000},
        {"dtype": 7},
        {"dtype": None},
        {"shape": [100_100]},
        {"shape": [-1]},
        {"shape": [-1, -100_003]},
        {"shape": [2**40, 2**40]},
        {"shape": [10**30]},
        {"shape": [1.5]},
        {"shape": [True]},
        {"shape": [1] * 50},
        {"shape": "100003"},
        {"shape": None},
        {"offset": 0},
        {"offset": -4096},
        {"offset": 4097},
        {"offset": 10**30},
        {"offset": 1.5},
        {"offset": "4096"},
        {"sum": "0"},
        {"sum": None},
    ],
    ids=str,
)
def test_a_forged_header_is_refused(place: Path, changes: dict[str, Any]) -> None:
    store.made("a", ABOUT, arrays)
    forged(place / "a.table")
    store.open_table(place / "a.table", ABOUT)
    forged(place / "a.table", **changes)
    with pytest.raises(BadInput, match=f"^table {place}/a.table: damaged"):
        store.open_table(place / "a.table")
    assert np.array_equal(store.made("a", ABOUT, arrays)["bytes"], arrays()["bytes"])


def test_a_table_that_cannot_be_written_stays_in_memory(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise BadInput("table a: cannot be written: No space left on device")

    monkeypatch.setattr(files, "write", full)
    with pytest.warns(RuntimeWarning, match="No space left on device; the table will be built again next time"):
        assert np.array_equal(store.made("a", ABOUT, arrays)["pairs"], arrays()["pairs"])
    assert not store.paths()


def test_a_folder_that_cannot_be_created(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("GPUSOLVE_TABLES", str(tmp_path / "file" / "tables"))
    with pytest.warns(RuntimeWarning, match="cannot be written"):
        assert store.made("a", ABOUT, arrays).keys() == arrays().keys()


def test_a_folder_whose_name_is_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPUSOLVE_TABLES", "x" * 5000)
    assert store.paths() == []
    with pytest.warns(RuntimeWarning, match="cannot be written: File name too long"):
        assert store.made("a", ABOUT, arrays).keys() == arrays().keys()


def test_a_user_without_a_home_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GPUSOLVE_TABLES", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("os.path.expanduser", lambda path: path)
    with pytest.raises(BadInput, match="without a home folder: set GPUSOLVE_TABLES"):
        store.folder()


BUILDER = """
import sys, time
import numpy as np
from pathlib import Path
from gpusolve.runs import store
def make():
    with Path(sys.argv[1]).open("a") as log:
        log.write("made\\n")
    time.sleep(0.5)
    return {"a": np.arange(1000)}
print(store.made("shared", {}, make)["a"].sum())
"""


def test_of_two_processes_one_builds_the_table(tmp_path: Path) -> None:
    log = tmp_path / "log"
    words = [sys.executable, "-c", BUILDER, str(log)]
    processes = [subprocess.Popen(words, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    assert [process.communicate(timeout=60)[0] for process in processes] == ["499500\n"] * 3
    assert log.read_text() == "made\n"


def test_a_killed_builder_does_not_block_the_next(tmp_path: Path) -> None:
    log = tmp_path / "log"
    words = [sys.executable, "-c", BUILDER.replace("0.5", "100"), str(log)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        while not log.exists():
            time.sleep(0.01)
        process.kill()
    assert store.made("shared", {}, lambda: {"a": np.arange(3)})["a"].sum() == 3


def test_a_large_table_is_verified_again_only_if_its_file_has_changed(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "LARGE", 1)
    verified: list[int] = []
    sum_of = store._sum_of
    store.made("a", ABOUT, arrays)

    def counted(raw: Any) -> str:
        verified.append(len(raw))
        return sum_of(raw)

    monkeypatch.setattr(store, "_sum_of", counted)
    first = store.made("a", ABOUT, never)
    assert not verified
    assert np.array_equal(first["bytes"], arrays()["bytes"])
    store.open_table(place / "a.table")  # as `sliding tables` does
    assert verified
    content = bytearray((place / "a.table").read_bytes())
    content[store.PAGE] ^= 1
    files.write(place / "a.table", bytes(content))
    with pytest.raises(AssertionError, match="built again"):
        store.made("a", ABOUT, never)


def kilobytes(count: int) -> store.Arrays:
    return {"a": np.zeros(1000 * count, np.uint8)}


def names() -> list[str]:
    return [path.stem for path in store.paths()]


def at(path: Path, seconds: int) -> None:
    """Set the times at which a table was written and last used, in seconds since 1970."""
    for file in (path, path.with_suffix(store.USED)):
        os.utime(file, (seconds, seconds))


@pytest.fixture
def five(place: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Five tables of about 100 kB, used in the order c, a, e, b, d, which have room exactly."""
    for name in "abcde":
        store.made(name, ABOUT, lambda: kilobytes(100))
    for second, name in enumerate("caebd", 1):
        at(place / f"{name}.table", second)
    monkeypatch.setenv(store.LIMIT, str(sum(path.stat().st_size for path in store.paths()) / 1e9))
    return place


def test_tables_with_room_are_kept(five: Path) -> None:
    (five / "e.table").unlink()
    store.made("e", ABOUT, lambda: kilobytes(100))
    assert names() == [*"abcde"]


def test_the_tables_used_the_longest_time_ago_are_removed(five: Path) -> None:
    store.made("c", ABOUT, never)  # used now
    with pytest.warns(RuntimeWarning, match=rf"^tables took more than .* GB \({store.LIMIT}\); removed: a, e$"):
        assert store.made("f", ABOUT, lambda: kilobytes(150))["a"].sum() == 0
    assert names() == [*"bcdf"]
    assert not list(five.glob("[ae].used"))
    at(five / "f.table", 0)
    with pytest.warns(RuntimeWarning, match="removed: f, b"):  # used before all others
        store.made("g", ABOUT, lambda: kilobytes(300), strict=True)
    assert names() == [*"cdg"]
    with pytest.warns(RuntimeWarning, match="removed: d"):
        assert store.made("a", ABOUT, lambda: kilobytes(100)).keys() == {"a"}  # it is built again


def test_looking_at_tables_is_no_use(five: Path) -> None:
    for path in store.paths():
        store.open_table(path)
        path.read_bytes()
        os.utime(path, (time.time(), path.stat().st_mtime))
    assert sorted("abcde", key=lambda name: store.last_use(five / f"{name}.table")) == [*"caebd"]


def test_the_new_table_is_kept_even_if_it_is_too_large(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(store.LIMIT, "0")
    store.made("a", ABOUT, arrays)
    with pytest.warns(RuntimeWarning, match="removed: a"):
        assert np.array_equal(store.made("b", ABOUT, arrays)["pairs"], arrays()["pairs"])
    assert names() == ["b"]
    assert store.made("b", ABOUT, never).keys() == arrays().keys()


def test_an_open_table_can_be_read_after_it_was_removed(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(store.LIMIT, "0")
    opened = store.made("a", ABOUT, arrays)
    with pytest.warns(RuntimeWarning, match="removed: a"):
        store.made("b", ABOUT, arrays)
    assert np.array_equal(opened["bytes"], arrays()["bytes"])


def test_a_table_that_another_process_removes_at_once_is_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    save = store.save

    def saved(path: Path, *given: Any) -> None:
        save(path, *given)
        path.unlink()

    monkeypatch.setattr(store, "save", saved)
    assert np.array_equal(store.made("a", ABOUT, arrays)["pairs"], arrays()["pairs"])


def test_other_files_are_neither_counted_nor_removed(five: Path) -> None:
    (five / "0.table").write_bytes(bytes(10**6))
    (five / "1.table").mkdir()
    (five / "2.txt").write_text("mine")
    at_first = {path.name for path in five.iterdir()}
    (five / "e.table").unlink()
    store.made("e", ABOUT, lambda: kilobytes(100))
    assert {path.name for path in five.iterdir()} == at_first


@pytest.mark.parametrize("text", ["much", "-1", "nan", "inf", "1e999", "1e300", "20 GB", "x" * 5000])
def test_a_limit_that_is_no_number_is_refused_before_the_work(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    store.made("a", ABOUT, arrays)
    monkeypatch.setenv(store.LIMIT, text)
    for work in (store.most_bytes, lambda: store.made("b", ABOUT, never)):
        with pytest.raises(BadInput, match=f"^{store.LIMIT} {text[:40]}: expected a number of gigabytes"):
            work()
    store.made("a", ABOUT, never)


def test_an_empty_limit_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(store.LIMIT, "")
    assert store.most_bytes() == 20 * 10**9
