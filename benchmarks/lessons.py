"""Time the cells of the lessons.

python benchmarks/lessons.py [lesson ...]

Each lesson runs in a process of its own. For the figures of a new environment, use one without a C++ compiler but the
wheel `ziglang`, and an empty cache (`XDG_CACHE_HOME`).
"""

from __future__ import annotations

import re
import subprocess
import sys
import time
from pathlib import Path

LESSONS = Path(__file__).parents[1] / "docs" / "lessons"
CELL = re.compile(r"^```\{code-cell\} ipython3\n(?::tags: \[[^\]]*\]\n\n)?(.*?)^```$", re.MULTILINE | re.DOTALL)


def run(file: Path) -> None:
    """Run the cells of a lesson one after another, and print a row of the table on stderr."""
    names: dict[str, object] = {}
    seconds = []
    for code in CELL.findall(file.read_text(encoding="utf-8")):
        begin = time.perf_counter()
        exec(compile(code, file.name, "exec"), names)
        seconds.append(time.perf_counter() - begin)
    print(f"| {file.stem} | {len(seconds)} | {sum(seconds):.0f} s | {max(seconds):.1f} s |", file=sys.stderr)


def main() -> None:
    """Run the lessons that are named, or all."""
    if sys.argv[1:2] == ["--one"]:
        run(Path(sys.argv[2]))
        return
    files = [file for file in sorted(LESSONS.glob("[0-9]*.md")) if not sys.argv[1:] or file.stem in sys.argv[1:]]
    print("| lesson | cells | in all | the longest cell |\n|---|---|---|---|", file=sys.stderr, flush=True)
    for file in files:
        subprocess.run([sys.executable, __file__, "--one", str(file)], check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    main()
