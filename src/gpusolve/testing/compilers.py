"""The C++ compiler of the emulation: g++ or clang++ if one is installed, otherwise the one in the wheel ``ziglang``."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

_GCC_ONLY = ("-fno-gnu-unique", "-fno-reorder-blocks")
_WITHOUT_LIBRARIES = ["-nostdlib", "-Wl,-z,undefs", "-fno-sanitize=undefined"]
"""ziglang would compile the C library first, for seconds. The process has it, and the C++ library is not used."""


@dataclass(frozen=True)
class Compiler:
    """A C++ compiler: its command, its name for messages, and whether it is clang (on macOS, ``g++`` is)."""

    command: tuple[str, ...]
    name: str
    clang: bool

    def compile(self, source: str | Path, language: str, flags: list[str]) -> str:
        """Compile a text, and return the compiler's messages.

        Parameters
        ----------
        source : str or Path
            The text, which the compiler reads from stdin, or the file that contains it.
        language : str
            ``c++``, ``c++-header`` or ``assembler``.
        flags : list of str
            Options, of which those that only g++ knows are left out if the compiler is clang.

        Raises
        ------
        RuntimeError
            If the compiler refuses the text; the message contains its output.
        """
        known = [flag for flag in flags if not (self.clang and flag in _GCC_ONLY)]
        if self.clang and "-shared" in flags:
            known += _WITHOUT_LIBRARIES if "ziglang" in self.command and sys.platform == "linux" else ["-nostdlib++"]
        command = [*self.command, *known, "-x", language, str(source) if isinstance(source, Path) else "-"]
        given = None if isinstance(source, Path) else source
        done = subprocess.run(command, input=given, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"{self.name} refuses the kernels:\n{done.stderr}")
        return done.stderr


def find_compiler() -> Compiler | None:
    """Return the compiler that ``GPUSOLVE_CXX`` names, or else g++, clang++ or ziglang, or None if all are missing."""
    if chosen := shlex.split(os.environ.get("GPUSOLVE_CXX", "")):
        return _examined(tuple(chosen)) if shutil.which(chosen[0]) else None
    for name in ("g++", "clang++"):
        if shutil.which(name) and (found := _examined((name,))):
            return found
    if find_spec("ziglang"):
        return Compiler((sys.executable, "-m", "ziglang", "c++"), "ziglang", clang=True)
    return None


MISSING = "no C++ compiler is found: expected g++, clang++ or `pip install ziglang`"
"""What to say if `find_compiler` returns None."""


@cache
def _examined(command: tuple[str, ...]) -> Compiler | None:
    """Ask a compiler who it is. On macOS, /usr/bin/g++ exists without the developer tools and fails."""
    done = subprocess.run([*command, "--version"], capture_output=True, text=True, check=False)
    if done.returncode:
        return None
    return Compiler(command, command[0], clang="clang" in done.stdout.lower() or "zig" in command)
