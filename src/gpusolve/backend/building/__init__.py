"""Build the libraries of twins (see `gpusolve.backend.library`): Numba compiles them, and a linker makes libraries."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

from gpusolve.backend import library, sources
from gpusolve.backend.ahead import Job, compile_side_by_side, entries
from gpusolve.backend.building import linking
from gpusolve.backend.levels import Level


def build(folder: Path, chosen: Sequence[Level], lists: Sequence[Path], done: Callable[[str], None]) -> None:
    """Build the libraries of all lists for each level.

    ``done(name)`` is called for each function, also if it was there already. Raises RuntimeError if one
    cannot be compiled or linked.
    """
    parts: dict[str, dict[str, list[str]]] = {}
    for file in lists:
        for function, signature in entries(file):
            signatures = parts.setdefault(library.part_of(function), {}).setdefault(function, [])
            signatures += [signature] if signature not in signatures else []
    jobs = []
    # The longest first, so that none is left at the end: long lists of arguments belong to long functions.
    for part, functions in sorted(parts.items(), key=lambda part: -len(str(part[1]))):
        for level in chosen:
            about = library.about_library(level, functions)
            if library.is_saved(library.library_file(folder, level, part), about):
                for function in (function for function, signatures in functions.items() for _ in signatures):
                    done(function)
            else:
                words = (str(folder), level.name, part, *map(str, lists))
                jobs.append(
                    Job("gpusolve.backend.building.objects", words, level.variables | {"GPUSOLVE_MACHINE_CODE": ""})
                )
    compile_side_by_side(jobs, os.cpu_count() or 1, done)


def build_caller(folder: Path, machine: str) -> None:
    """Build the library that calls twins, for a kind of processor, unless it is there. Raises as `build`."""
    about = {"machine": machine, "made by": sources.builder_digest()}
    if not library.is_saved(folder / library.CALLER, about):
        library.save(folder / library.CALLER, linking.caller(machine), about)
