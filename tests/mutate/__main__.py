"""Plant faults in a copy of the checkout, and list those that the nearest tests do not notice.

    PYTHONPATH=tests python -m mutate [--count 100] [--seed 1] [--only 'src/gpusolve/output/*'] [--files 4] [--list]

`make mutate` runs it. Faults are planted in plain Python code; kernels and their twins are compared with each other by
other tests. A fault is noticed if a test fails with it and passes without it, or no test ends for `SILENCE` seconds. It
survives if the nearest tests pass, or notice nothing in `--seconds`.

A seed chooses the same faults as long as their lines stay. The verdicts are kept in build/mutate.json: a second run
tries only the faults that survived or that are new, so that it can be interrupted, and repeated after tests were added.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import re
import resource
import selectors
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fnmatch import fnmatch
from itertools import islice
from pathlib import Path

from gpusolve.backend import caches
from mutate.nearest import Sources
from mutate.planting import Fault, faults_of, is_real

ROOT = Path(__file__).parents[2]
KEPT = ROOT / "build" / "mutate.json"
SILENCE = 300
"""Seconds without the end of a test after which the tests are taken to run for ever."""
COMPILERS = ("counting", "emulated", "headers", "nvrtc", "profiling")
"""The folders of the user's cache from which a copy starts."""
MEMORY = 12 << 30
"""Bytes of address space of a test process."""
NOTICED, ENDLESS, SURVIVED, UNTESTED = "noticed", "endless", "survived", "untested"


def main() -> int:
    options = read_options()
    sources = Sources.read(ROOT)
    faults = choose(sources, options.only, options.seed, options.count)
    if options.list:
        for fault in faults:
            print(fault.diff((ROOT / fault.path).read_bytes()))
        return 0
    verdicts: dict[str, str] = json.loads(KEPT.read_text()) if KEPT.exists() and not options.fresh else {}
    with tempfile.TemporaryDirectory(prefix="gpusolve-mutate-") as folder:
        copy = Copy(Path(folder), sources)
        for number, fault in enumerate(faults, 1):
            if verdicts.get(fault.name) not in (NOTICED, ENDLESS):
                began = time.monotonic()
                verdicts[fault.name], reason = copy.judge(fault, options.files, options.seconds)
                keep(verdicts)
                took = f"{time.monotonic() - began:.0f} s"
                print(f"{number}/{len(faults)} {verdicts[fault.name]} in {took}: {fault.name}{reason}", flush=True)
    found = [verdicts[fault.name] for fault in faults]
    survivors = [fault for fault in faults if verdicts[fault.name] in (SURVIVED, UNTESTED)]
    for fault in survivors:
        print(f"\n{fault.diff((ROOT / fault.path).read_bytes())}")
    print(f"\n{len(faults)} faults:", ", ".join(f"{found.count(each)} {each}" for each in dict.fromkeys(found)))
    return bool(survivors)


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="mutate", description=__doc__.partition("\n")[0])
    parser.add_argument("--count", type=int, default=100, help="number of faults")
    parser.add_argument("--seed", type=int, default=1, help="chooses the faults")
    parser.add_argument("--only", default="*", help="pattern of the files in which faults are planted")
    parser.add_argument("--files", type=int, default=4, help="number of files with tests that try to notice a fault")
    parser.add_argument("--seconds", type=float, default=600, help="time for the tests of a fault to notice it")
    parser.add_argument("--fresh", action="store_true", help="forget the verdicts of earlier runs")
    parser.add_argument("--list", action="store_true", help="show the faults and end")
    return parser.parse_args()


def choose(sources: Sources, only: str, seed: int, count: int) -> list[Fault]:
    """Return the faults that a seed chooses."""
    faults: list[Fault] = []
    for module in sources.plain:
        path = sources.files[module].relative_to(ROOT).as_posix()
        if fnmatch(path, only):
            faults += faults_of(path, sources.files[module].read_bytes())
    ranked = sorted(faults, key=lambda fault: fault.rank(seed))
    return list(islice((fault for fault in ranked if is_real(fault, (ROOT / fault.path).read_bytes())), count))


def keep(verdicts: dict[str, str]) -> None:
    """Write the verdicts, so that a run that is interrupted loses nothing."""
    KEPT.parent.mkdir(exist_ok=True)
    new = KEPT.with_suffix(".new")
    new.write_text(json.dumps(verdicts, indent=1, ensure_ascii=False))
    new.replace(KEPT)


@dataclass
class Copy:
    """A copy of the checkout, in which tests run; nothing is ever changed in the checkout itself."""

    folder: Path
    sources: Sources
    broken: set[str] = field(default_factory=set)
    """Tests that fail without a fault, for instance because they need the repository."""
    sound: set[str] = field(default_factory=set)
    """Tests that pass without a fault."""

    def __post_init__(self) -> None:
        listed = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=ROOT,
            capture_output=True,
            check=True,
        )
        files = [ROOT / os.fsdecode(name) for name in listed.stdout.split(b"\0") if name]
        files += [*ROOT.glob("src/**/__pycache__/*"), *ROOT.glob("tests/**/__pycache__/*")]  # compiled kernels as well
        for file in files:
            if file.is_file():
                target = self.tree / file.relative_to(ROOT)
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(file, target)
        for name in COMPILERS:
            if (caches.home() / name).exists():
                shutil.copytree((caches.home() / name), self.cache / "gpusolve" / name)
        self._compiled_into = self.sources.compiled_into()
        self._changes = 0
        self._environment = {
            **{name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"},
            "PYTHONPATH": os.pathsep.join((str(self.tree / "src"), str(self.tree / "tests"))),
            "PYTHONUNBUFFERED": "1",
            "XDG_CACHE_HOME": str(self.cache),
            "HOME": str(self.home),
            "TMPDIR": str(self.home),
        }

    @property
    def tree(self) -> Path:
        return self.folder / "tree"

    @property
    def cache(self) -> Path:
        """What compilers have made of kernels, under names that depend on the content."""
        return self.folder / "cache"

    @property
    def home(self) -> Path:
        """The home folder of the tests, so that they leave the user's alone."""
        return self.folder / "home"

    def judge(self, fault: Fault, most: int, seconds: float) -> tuple[str, str]:
        """Return the verdict on a fault, and the reason as text."""
        module = next(name for name, file in self.sources.files.items() if file == ROOT / fault.path)
        tests = [str(file) for file in self.sources.nearest(module, most)]
        if not tests:
            return UNTESTED, ""
        # What the fault compiles must not stay in the caches of the copy.
        compiles = module in self._compiled_into or module.startswith("gpusolve.testing.")
        scratch = self.folder / "scratch" if compiles else None
        file = self.tree / fault.path
        if scratch:
            shutil.copytree(self.cache, scratch, dirs_exist_ok=True)
        try:
            while True:
                file.write_bytes(fault.apply((ROOT / fault.path).read_bytes()))
                self._changes += 1  # seconds: Python knows by the time of a file that its bytecode is stale
                os.utime(file, (self._changes, self._changes))
                ended = self._run([fault.path, *tests], scratch, seconds)
                shutil.copy2(ROOT / fault.path, file)
                if ended is None:
                    return ENDLESS, ""
                if not ended:
                    return SURVIVED, f"\n    {' '.join(tests)}"
                if ended <= self.sound or self._run(sorted(ended), scratch) == set():
                    self.sound |= ended
                    return NOTICED, f"\n    {' '.join(ended)}"
                if ended <= self.broken:
                    raise RuntimeError(f"{ended} fails without a fault")
                self.broken |= ended
        finally:
            shutil.copy2(ROOT / fault.path, file)
            if scratch:
                shutil.rmtree(scratch, ignore_errors=True)

    def _run(self, tests: Sequence[str], scratch: Path | None, seconds: float = math.inf) -> set[str] | None:
        """Run tests until one fails or the time is over, and return its name in a set; None if a test does not end."""
        self.home.mkdir(exist_ok=True)
        environment = self._environment | (
            {"NUMBA_CACHE_DIR": str(scratch / "numba"), "XDG_CACHE_HOME": str(scratch)} if scratch else {}
        )
        words = [*("-x", "-v", "-p", "no:cacheprovider", "-p", "no:xdist"), "-m", "not slow and not thorough"]
        words += [f"--deselect={name}" for name in self.broken]
        if not any("::" in name for name in tests) and len(tests) == 1:  # the file could not even be imported
            words.append("--collect-only")
        with subprocess.Popen(
            [sys.executable, "-m", "pytest", *words, *tests],
            cwd=self.tree,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY)),
        ) as process:
            try:
                output = b"".join(_until_silence(process, seconds))
                code = 0 if process.poll() is None else process.returncode
            except TimeoutError:
                return None
            finally:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
        shutil.rmtree(self.home, ignore_errors=True)
        if code in (0, 5):  # 5: no test was selected
            return set()
        text = output.decode(errors="replace")
        failed = re.findall(r"^(.+?) (?:FAILED|ERROR) +\[ *\d+%\]$", text, re.MULTILINE)
        failed += re.findall(r"^ERROR (\S+)", text, re.MULTILINE)  # a file that cannot be imported
        return set(failed[:1]) or {tests[0]}


def _until_silence(process: subprocess.Popen[bytes], seconds: float) -> Iterator[bytes]:
    """Yield what a process writes, until it ends or the time is over. Raises TimeoutError if it is silent for long."""
    assert process.stdout is not None
    end = time.monotonic() + seconds
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        while time.monotonic() < end:
            if not selector.select(SILENCE):
                raise TimeoutError
            if not (part := os.read(process.stdout.fileno(), 1 << 16)):
                process.wait()
                return
            yield part


if __name__ == "__main__":
    os.nice(10)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the copy is removed
    with suppress(KeyboardInterrupt):
        sys.exit(main())
    sys.exit(130)
