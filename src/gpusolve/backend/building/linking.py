"""The compiler and the linker for libraries: those of the package ziglang, which needs nothing else on any machine."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

NATIVE = Path(__file__).with_name("native")
"""The folder of the C sources."""
MOST_WORDS = 128
"""The words of a result for which the caller has room."""
FLAGS = ("-c", "-O2", "-fPIC", "-fno-sanitize=all", "-fvisibility=hidden", f"-I{NATIVE}", f"-DRESULTS={MOST_WORDS}")


def library(tables: str, objects: Sequence[Path], place: Path, machine: str) -> bytes:
    """Return a library of twins, given a C text with its tables, and the object files that it refers to.

    `machine` is the kind of processor (see `levels.Level`). Files are written to the folder `place`. Raises
    RuntimeError with what the compiler or the linker says.
    """
    (place / "tables.c").write_text(tables, encoding="utf-8")
    target = f"--target={machine}-linux-gnu"
    shown = [compiled(place / "tables.c", place / "tables.o", target, "-fvisibility=default")]
    return linked([*shown, compiled(NATIVE / "runtime.c", place / "runtime.o", target), *objects], place)


def caller(machine: str) -> bytes:
    """Return the library that calls twins from Python. Raises RuntimeError as `library` does."""
    with TemporaryDirectory() as folder:
        place = Path(folder)
        target = f"--target={machine}-linux-gnu"
        return linked([compiled(NATIVE / "caller.c", place / "caller.o", target, "-fvisibility=default")], place)


def compiled(source: Path, to: Path, *flags: str) -> Path:
    """Compile a C file, and return the path of the object file."""
    zig(to.parent, "cc", *FLAGS, *flags, "-o", str(to), str(source))
    return to


def linked(objects: Sequence[Path], place: Path) -> bytes:
    """Link object files to a shared library and return it.

    It names no other library: what it needs of C's library, and the caller of Python, is part of every Python process.
    """
    to = place / "linked"
    zig(place, "ld.lld", "-shared", "--strip-all", "-z", "relro", "-o", str(to), *map(str, objects))
    return to.read_bytes()


def zig(place: Path, *words: str) -> None:
    """Run a tool of ziglang, which keeps what it needs in a folder of `place`."""
    environment = os.environ | {"ZIG_GLOBAL_CACHE_DIR": str(place / "zig"), "ZIG_LOCAL_CACHE_DIR": str(place / "zig")}
    command = [sys.executable, "-m", "ziglang", *words]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"ziglang {words[0]}: {done.stderr.strip() or 'failed'}")
