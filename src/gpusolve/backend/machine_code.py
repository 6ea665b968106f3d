"""Machine code that a wheel contains, so that a fresh installation does not compile it.

There is one zip file for each processor level (see `levels`). It contains an entry for each function and list of
argument types, as Numba keeps it in its own cache. Its ``about.json`` names everything that the code depends on: the
versions of Numba, LLVM and Python, Numba's settings, and the digest of each module's sources. Code that does not
match, or is damaged, is never used; the function is compiled instead. Machine code only depends on the processor, so
Numba's settings for the host program stay as they are.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import pickle
import sys
import zipfile
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import llvmlite
import numba
import numba.core.codegen
from llvmlite.binding import get_process_triple

from gpusolve.backend.levels import Level, suitable

config: Any = numba.core.config
codegen: Any = numba.core.codegen

SCHEMA = "gpusolve.machine-code/1"
ABOUT = "about.json"
SETTINGS = ("OPT", "LOOP_VECTORIZE", "SLP_VECTORIZE", "BOUNDSCHECK", "DEBUGINFO_DEFAULT", "USING_SVML")
"""Numba's settings that change the machine code."""
DAMAGES = (OSError, ValueError, KeyError, TypeError, zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError)
"""What reading a damaged file raises."""


@dataclass(frozen=True)
class MachineCode:
    """The machine code of one level, and the digest of the sources of each module in it."""

    level: Level
    digests: Mapping[str, str]
    archive: zipfile.ZipFile

    def has(self, function: str, signature: str, digest: str) -> bool:
        """Return whether it contains a function, compiled from sources with this digest for these argument types."""
        module = function.partition(":")[0]
        return self.digests.get(module) == digest and entry(function, signature) in self.archive.NameToInfo

    def load(self, function: str, signature: str, digest: str) -> Any:
        """Return what Numba kept of a function, or None if it is missing, damaged or of other sources."""
        if not self.has(function, signature, digest):
            return None
        try:
            return pickle.loads(self.archive.read(entry(function, signature)))
        except (zipfile.BadZipFile, zlib.error, EOFError):
            return None


def folder() -> Path | None:
    """Return the folder of the shipped code: the package's, or ``GPUSOLVE_MACHINE_CODE``; None if that is empty."""
    chosen = os.environ.get("GPUSOLVE_MACHINE_CODE")
    if chosen is None:
        return Path(__file__).resolve().parents[1] / "machine_code"
    return Path(chosen) if chosen else None


@cache
def shipped() -> MachineCode | None:
    """Return the shipped code of the highest level that this machine has; None if there is none that can be used."""
    place = folder()
    if place is None or config.CPU_NAME is not None or config.CPU_FEATURES is not None:
        return None
    for level in suitable(codegen.get_host_cpu_features()):
        if (found := open_file(place / f"{level.name}.zip", level)) is not None:
            return found
    return None


def refused() -> str:
    """Return why the shipped code is not used although there is some for this machine's processor; "" otherwise."""
    place = folder()
    if place is None or shipped() is not None:
        return ""
    files = [place / f"{level.name}.zip" for level in suitable(codegen.get_host_cpu_features())]
    if not any(file.exists() for file in files):
        return ""
    if config.CPU_NAME is not None or config.CPU_FEATURES is not None:
        return "NUMBA_CPU_NAME or NUMBA_CPU_FEATURES is set"
    for file in files:
        try:
            made_by = json.loads(zipfile.ZipFile(file).read(ABOUT))["made by"]
            different = [
                f"{name} {made_by[name]}, not {now}" for name, now in versions().items() if made_by[name] != now
            ]
        except DAMAGES:
            continue
        if different:
            return f"made by {', '.join(different)}"
    return "damaged"


def open_file(path: Path, level: Level) -> MachineCode | None:
    """Read the machine code of a level; None if the file is missing, damaged, or of other versions or settings."""
    try:
        archive = zipfile.ZipFile(io.BytesIO(path.read_bytes()))  # in memory: a file would not survive a fork
        about = json.loads(archive.read(ABOUT))
        matches = about["schema"] == SCHEMA and about["level"] == level.name and about["made by"] == versions()
        return MachineCode(level, dict(about["digests"]), archive) if matches else None
    except DAMAGES:
        return None


def versions() -> dict[str, str]:
    """Return everything but the sources and the processor that machine code depends on."""
    found = {
        "numba": numba.__version__,
        "llvmlite": llvmlite.__version__,
        "python": str(sys.implementation.cache_tag),
        "triple": get_process_triple(),
    }
    return found | {name: str(getattr(config, name, None)) for name in SETTINGS}


def entry(function: str, signature: str) -> str:
    """Return the name of a function's entry in the zip file."""
    return f"{function}/{hashlib.sha256(signature.encode()).hexdigest()[:24]}"


def pack(path: Path, level: Level, parts: Iterable[Path]) -> None:
    """Write the machine code of a level from the folders that `ahead` has filled."""
    entries: dict[str, bytes] = {}
    digests: dict[str, str] = {}
    for part in parts:
        digests |= json.loads((part / "digests.json").read_text(encoding="utf-8"))
        for file in part.rglob("*.code"):
            entries[file.relative_to(part).with_suffix("").as_posix()] = file.read_bytes()
    about = {"schema": SCHEMA, "level": level.name, "made by": versions(), "digests": digests}
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        archive.writestr(zipfile.ZipInfo(ABOUT), json.dumps(about))
        for name, code in sorted(entries.items()):
            about_entry = zipfile.ZipInfo(name)  # without a date: the same code makes the same file
            about_entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(about_entry, code)
