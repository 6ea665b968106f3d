"""Compile machine code to be shipped, in all processes that the machine has room for.

``python -m gpusolve.backend.shipping FOLDER LEVEL... LIST...`` writes ``LEVEL.zip`` (see `machine_code`) for each
level, with the functions in all lists (see `ahead`). The level ``all`` stands for all levels of this architecture; the
processor of this machine need not have them.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from gpusolve.backend.ahead import Job, compile_side_by_side
from gpusolve.backend.levels import Level, levels
from gpusolve.backend.machine_code import pack


def ship(folder: Path, chosen: Sequence[Level], lists: Sequence[Path], done: Callable[[str], None]) -> None:
    """Compile the functions of all lists for each level, and write the zip files. ``done(name)`` as in `ahead`."""
    with TemporaryDirectory() as place:
        parts = {level: [Path(place, level.name, file.parent.name) for file in lists] for level in chosen}
        for out in (out for level in chosen for out in parts[level]):
            out.mkdir(parents=True)
        jobs = [Job(file, parts[level][i], level) for i, file in enumerate(lists) for level in chosen]
        jobs.sort(key=lambda job: -job.file.stat().st_size)  # the longest first, so that none is left at the end
        compile_side_by_side(jobs, os.cpu_count() or 1, done)
        for level in chosen:
            pack(folder / f"{level.name}.zip", level, parts[level])


def main(folder: str, *words: str) -> None:
    """Run the module's command line. Ends with a message if a word is neither a level nor a list."""
    names = {level.name: level for level in levels()}
    asked = [word for word in words if not word.endswith(".txt")]
    if unknown := set(asked) - set(names) - {"all"}:
        sys.exit(f"level {', '.join(sorted(unknown))}: expected all, or {', '.join(names)}")
    chosen = list(names.values()) if "all" in asked else [names[name] for name in dict.fromkeys(asked)]
    ship(
        Path(folder),
        chosen,
        [Path(word) for word in words if word.endswith(".txt")],
        lambda name: print(name, flush=True),
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
