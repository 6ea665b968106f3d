"""Unusual machines: a full disk, no home, a read-only package, little memory, invalid settings."""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

import pytest

import gpusolve
from faults.kills import ENVIRONMENT
from gpusolve.runs import checkpoint

pytestmark = pytest.mark.skipif(os.name != "posix", reason="mounts, limits and folders of a POSIX system")

HAND = ["quiddler", "hand", "qu i t er a l", "--device", "cpu", "--quiet", "--json"]
CENSUS = ["quiddler", "census", "--seed", "1", "--device", "cpu", "--json", "--quiet"]


Done: TypeAlias = "subprocess.CompletedProcess[str]"


def run(*words: str, before: str = "", limit: int | None = None, **environment: str) -> Done:
    """Run a command in a separate process, after the shell commands `before`."""
    command = " ".join(f"'{word}'" for word in (sys.executable, "-m", "gpusolve", *words))
    return subprocess.run(
        ["bash", "-c", f"{before}\n{command}"],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        preexec_fn=None if limit is None else lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)),
        env=ENVIRONMENT | environment,
    )


@cache
def can_mount() -> bool:
    return not subprocess.run(["unshare", "-m", "true"], capture_output=True, check=False).returncode


def mounted(words: list[str], before: str, **environment: str) -> Done:
    """Run a command in a separate mount namespace, after the shell commands `before`."""
    if not shutil.which("unshare") or not can_mount():
        pytest.skip("file systems cannot be mounted: that needs root")
    command = " ".join(f"'{word}'" for word in (sys.executable, "-m", "gpusolve", *words))
    return subprocess.run(
        ["unshare", "-m", "bash", "-ec", f"{before}\n{command}"],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env=ENVIRONMENT | environment,
    )


def test_a_full_disk_leaves_the_checkpoint_as_it_was(tmp_path: Path) -> None:
    """The results of 100 deals fit on the disk, those of 20,000 do not."""
    kept = tmp_path / "kept"
    done = mounted(
        [*CENSUS, "--count", "20000", "--resume", str(tmp_path / "disk" / "run")],
        f"mkdir {tmp_path}/disk\nmount -t tmpfs -o size=12k tmpfs {tmp_path}/disk\n"
        f"trap 'cp -a {tmp_path}/disk/. {kept}' EXIT\n"
        f"'{sys.executable}' -m gpusolve {' '.join(CENSUS)} --count 100 --checkpoint {tmp_path}/disk/run >/dev/null",
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"gpusolve: checkpoint {tmp_path}/disk/run: cannot be written: No space left on device\n"
    assert [path.name for path in kept.iterdir()] == ["run"]
    assert 100 <= len(checkpoint.load(kept / "run", "quiddler.census")[1].values["best"]) < 20_000


@pytest.mark.thorough
def test_a_package_and_a_home_that_cannot_be_written(tmp_path: Path) -> None:
    """Kernels are compiled each time, with one note, and the result is the same."""
    source = Path(gpusolve.__file__).parents[2]
    for name in ("src", "kernels", "wordlists"):
        shutil.copytree(source / name, tmp_path / "copy" / name, ignore=shutil.ignore_patterns("__pycache__"))
    read_only = f"mount --bind {tmp_path}/copy {tmp_path}/copy; mount -o remount,ro,bind {tmp_path}/copy"
    nowhere = {name: "/dev/null/none" for name in ("HOME", "XDG_CACHE_HOME")}
    nowhere |= {"NUMBA_CACHE_DIR": "", "GPUSOLVE_MACHINE_CODE": ""}
    words = ["wordle", "pattern", "crane", "there"]
    train = "tetris train --particles 2 --iterations 1 --games 1 --policy greedy --finals 0 --seed 1"
    expected = "crane:-y--g\n"
    done = mounted(words, read_only, PYTHONPATH=f"{tmp_path}/copy/src", **nowhere)
    assert (done.returncode, done.stdout, done.stderr) == (0, expected, "")
    done = mounted(
        [*train.split(), "--quiet", "--device", "cpu", "--out", f"{tmp_path}/weights"],
        read_only,
        PYTHONPATH=f"{tmp_path}/copy/src",
        **nowhere,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("gpusolve: note: there is no writable folder for compiled kernels")


def test_a_deleted_working_folder(tmp_path: Path) -> None:
    before = f"mkdir {tmp_path}/gone; cd {tmp_path}/gone; rmdir {tmp_path}/gone"
    for words in (HAND, (*CENSUS, "--count", "10", "--checkpoint", "run")):
        done = run(*words, before=before)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr == "gpusolve: the working folder cannot be used: No such file or directory\n"


@pytest.mark.parametrize("threads", ["0", "x", "-1", "1.5", "", "٣", "99999999999999999999"])
def test_an_invalid_number_of_threads(threads: str) -> None:
    done = run(*HAND, NUMBA_NUM_THREADS=threads)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"gpusolve: NUMBA_NUM_THREADS {threads}: expected a whole number, 1 to 9,999\n"


@pytest.mark.parametrize("name", ["NUMBA_DISABLE_JIT", "NUMBA_OPT", "NUMBA_BOUNDSCHECK"])
def test_an_invalid_setting_of_numba_is_a_note(name: str) -> None:
    setting: dict[str, Any] = {name: "rubbish"}
    done = run(*HAND, **setting)
    assert (done.returncode, done.stderr.count("\n")) == (0, 1)
    assert done.stderr.startswith(f"gpusolve: note: Environment variable '{name}' ")


@pytest.mark.parametrize("features", ["rubbish", "+avx2\n", "x" * 5000])
def test_invalid_features_of_the_processor(features: str) -> None:
    done = run(*HAND, NUMBA_CPU_FEATURES=features)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("gpusolve: NUMBA_CPU_FEATURES ")
    assert done.stderr.count("\n") == 1


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["GPUSOLVE_TABLES", "XDG_CACHE_HOME", "HOME"])
def test_a_folder_of_tables_whose_name_is_too_long(name: str) -> None:
    """There are no tables, a build fails, and a board is solved with tables that stay in memory."""
    folder: dict[str, Any] = {"GPUSOLVE_TABLES": "", "XDG_CACHE_HOME": "", name: "/" + "x" * 5000}
    done = run("sliding", "tables", "--json", **folder)
    assert (done.returncode, done.stderr, json.loads(done.stdout)["tables"]) == (0, "", [])
    done = run("sliding", "build", "--rows", "3", "--columns", "3", "--device", "cpu", "--quiet", **folder)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.endswith("cannot be written: File name too long\n")
    done = run("sliding", "solve", "1 0 2 / 3 4 5 / 6 7 8", "--device", "cpu", "--quiet", "--json", **folder)
    assert (done.returncode, json.loads(done.stdout)["moves"]) == (0, "L")
    assert all(line.startswith("gpusolve: note: table ") for line in done.stderr.splitlines())


@pytest.mark.parametrize("device", ["x" * 5000, "\x1b[31m"])
def test_an_invalid_device(device: str) -> None:
    done = run("quiddler", "hand", "qu i t er a l", GPUSOLVE_DEVICE=device)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "\x1b" not in done.stderr


def test_little_memory() -> None:
    done = run("wordle", "pattern", "crane", "there", limit=256 << 20)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "gpusolve: not enough memory: 1,024 MiB are needed, but the limit is 256 MiB (ulimit -v)\n"
    done = run(*CENSUS, "--count", "500000000", limit=2 << 30)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(("gpusolve: not enough memory: Unable to allocate 1.86 GiB", "gpusolve: count 500,"))
    assert done.stderr.count("\n") == 1
