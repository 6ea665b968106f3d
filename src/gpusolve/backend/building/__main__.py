"""Build the libraries of twins, in all processes that the machine has room for.

``python -m gpusolve.backend.building FOLDER LEVELS [LIST...]`` writes a library for each level and part of the
package, with the functions in all lists (see `gpusolve.backend.ahead`), by default those of the package. A library
that is there already, with these functions and from today's sources, stays. LEVELS are separated by commas: ``native``
is the highest one of this machine, ``all`` are those of this architecture, which the processor of this machine need
not have. A level of another architecture, such as ``arm64``, can be built, too. A line shows what is being built.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from gpusolve.backend import library
from gpusolve.backend.ahead import entries, shipped
from gpusolve.backend.building import build, build_caller
from gpusolve.backend.levels import EVERY, levels


def main(folder: str, chosen: str, *lists: str) -> None:
    """Run the module's command line. Ends with a message if a level is unknown."""
    names = {level.name: level for level in EVERY}
    asked = [word for word in chosen.split(",") if word]
    if unknown := set(asked) - set(names) - {"all", "native"}:
        sys.exit(f"level {', '.join(sorted(unknown))}: expected all, native, or {', '.join(names)}")
    own = [level.name for level in levels()]
    if not asked:
        return
    if sys.platform != "linux" or not own:
        print("no libraries: they are built under Linux, for x86-64 and ARM 64; a kernel is compiled at its first use")
        return
    if "native" in asked:
        build_caller(Path(folder), levels()[0].machine)
        os.environ["GPUSOLVE_MACHINE_CODE"] = folder  # to ask the processor
        if not (usable := library.usable()):
            sys.exit("native: this processor has none of the levels")
        asked.append(usable[0].name)
    expanded = [name for word in asked if word != "native" for name in (own if word == "all" else [word])]
    levels_of = [names[name] for name in dict.fromkeys(expanded)]
    if len(machines := {level.machine for level in levels_of}) > 1:
        sys.exit(f"levels {', '.join(level.name for level in levels_of)}: expected one kind of processor")
    build_caller(Path(folder), *machines)
    files = [Path(file) for file in lists] or shipped()
    total = len(levels_of) * len({entry for file in files for entry in entries(file)})
    ended, begin, on_terminal = 0, time.monotonic(), sys.stdout.isatty()

    def show(name: str) -> None:
        nonlocal ended
        ended += 1
        line = f"compiled {ended} of {total} kernels in {time.monotonic() - begin:.0f} s: {library.part_of(name)}"
        if on_terminal or ended == total:
            print(f"\r{line:<78}" if on_terminal else line, end="" if on_terminal else "\n", flush=True)

    build(Path(folder), levels_of, files, show)
    if on_terminal:
        print()


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except RuntimeError as error:
        sys.exit(str(error))
