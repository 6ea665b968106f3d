"""Measure what the first use of every command costs: cold, with empty caches, and warm, when run again.

python benchmarks/first_use.py [--python PYTHON] [--most N] [--transcript] [--again] [COMMAND ...]

PYTHON is the interpreter of an environment with gpusolve: a checkout's .venv, or one with an installed wheel. A COMMAND
is the beginning of commands, such as "wordle" or "wordle suggest"; --most N measures only the N most important ones.
The results are written to benchmarks/results/first-use.md, with a table for the checkout and one for the wheel, and
kept in first-use.json beside it. So a run that was stopped continues where it ended, unless the code of gpusolve has
changed since; --again measures everything again. The section "Before" of first-use.md stays as it is.

The table shows processor time (user and system, of all threads and processes) and wall-clock time in seconds, next to a
Typer app that only imports NumPy. With --transcript it also runs what a newcomer types in the first minute of
each game, in a terminal of 70 columns and with empty caches, and records what appears.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness import processor

RESULTS = Path(__file__).parent / "results"
USES = """
wordle suggest salet:-y--g
wordle play crane
wordle partition-table --top 5
wordle analyze crane moist badly
quordle suggest carle:-y---,----y,-----,y---- aunty:y----,--y--,-----,-g---
quordle play hello world paper value
queuedle solve 2025-06-01 --states 1000000 --seed 1
quiddler solve 'n w u th r y y i / a c j o u n b i'
qless solve cddeeimprtwx --max-solutions 3
sliding solve '8 6 7 / 2 5 4 / 3 0 1'
tetris play --seed 5 --max-lines 20 --out game.json
tetris suggest '####...###/####..####/#########.' I T
wordle solve salet:-y--g --out tree.json
wordle explain salet:-y--g
quordle analyze hello,world,paper,value carle world hello paper value
queuedle daily 2025-06-01
queuedle check 'r2 l4 d1' 2025-06-01
quiddler hand 'qu i t er a l'
quiddler check 'nu ja bi icy unworthy' 'n w u th r y y i / a c j o u n b i'
qless count cddeeimprtwx
qless arrange aaddeeegiiilnnoorrstt --seed 1
queuedle suggest 'tsea/enop/adis/ttre ea' --hidden 1
quiddler suggest 'a t n / ? o e'
quiddler columns 't a / e / n (qu) / i t'
quiddler turn 'qu i t' --top e --seed 1
quiddler simulate --cards 3 --count 2 --seed 1
qless hint cddeeimprtwx --words 2
qless rate bbcefklnnpux
qless check '..c./.pew/..d./.met/rid./.x..'
sliding compare '8 6 7 / 2 5 4 / 3 0 1'
sliding verify '1 2 5 / 3 4 0' ULL
sliding show '1 2 5 / 3 4 0' ULL
sliding build --rows 3 --columns 3
sliding census --rows 3 --columns 3
tetris evaluate --count 4 --max-lines 20
tetris match game.json --max-lines 20
tetris replay game.json --html game.html
tetris review game.json --playouts 20
wordle words --top 4000 --out weights.tsv
wordle simulate --first salet
wordle cells salet
wordle verify tree.json
wordle pattern eerie there
wordle groups
wordle endgames
wordle letters
wordle beat-adversary salet:-y--g
wordle outlast-adversary salet:-y--g --mode hard
quordle simulate --count 200 --seed 1
quiddler deal --seed 1
quiddler census --count 100 --seed 1
qless roll --seed 1
qless shapes --letters 7 --top 3
qless unsolvable fgjlmmnnnoot
qless generate --seed 1
qless census --count 1000 --seed 1
sliding scramble --rows 4 --columns 4 --seed 1
sliding tables
sliding automaton --depth 8
tetris train --particles 6 --iterations 2 --games 10 --policy greedy --finals 20 --out weights.json
tetris train-value --iterations 4 --games 10 --opening 0.25 --max-lines 20
tetris average-values tournament-30hz tournament-20hz
tetris join-values 0=tournament-30hz 19=tournament-15hz
"""
"""The plain use of every command, the most important ones first. Some read a file that an earlier one writes."""
FIRST_MINUTE = {
    "wordle": ["suggest", "suggest salet -y--g", "play crane", "analyze crane moist badly"],
    "quordle": [
        "suggest",
        "play hello world paper value",
        "analyze hello world paper value carle world hello paper value",
    ],
    "queuedle": ["daily 2025-06-01", "solve 2025-06-01 --time-limit 5", "check 'r2 l4 d1' 2025-06-01"],
    "quiddler": ["deal --seed 1", "solve 'n w u th r y y i / a c j o u n b i'", "hand 'qu i t er a l'"],
    "qless": ["roll --seed 1", "solve cddeeimprtwx", "rate cddeeimprtwx", "hint cddeeimprtwx"],
    "sliding": ["solve 867254301", "compare 867254301", "solve 6 12 1 11 14 5 10 0 4 7 9 8 15 3 13 2"],
    "tetris": [
        "suggest '####...###/####..####/#########.' I T",
        "play --seed 5 --max-lines 10 --speed 100",
        "evaluate --count 20",
    ],
}
"""What a newcomer types in the first minute of each game."""
FOREIGN = ("PYTHONPATH", "NUMBA_CPU_NAME", "PYTHONDONTWRITEBYTECODE")
"""Settings of the environment that would change what is measured: other code, or imports compiled again each time."""
LINES = 12
"""Lines of output that a transcript shows of each command, half of them from its end."""
COLUMNS = 70
APP = """
import typer, numpy
app = typer.Typer()
@app.command()
def main() -> None: print(numpy.__version__)
app()
"""
BEFORE = "\n## Before\n"
BASE = "an app with Typer and NumPy"
SHORT = ("wordle suggest salet", "sliding solve", "qless count", "quiddler solve")
"""Commands whose work is short: they take little more than the app."""
MOST_COLD, MOST_SHORT = 0.2, 0.2
"""The goals: wall seconds of a cold run more than a warm one, and of a warm run of SHORT more than the app."""
ABOUT = """
import json, sys, platform, gpusolve
from pathlib import Path
from gpusolve.runs.worker import fingerprint
folder = Path(gpusolve.__file__).parent
shipped = sorted(path.name for path in (folder / "machine_code").glob("*") if path.is_dir())
kind = "wheel" if "site-packages" in str(folder) else "checkout"
libraries = f"Python {platform.python_version()}"
print(json.dumps({
    "kind": kind, "version": gpusolve.__version__, "shipped": shipped, "libraries": libraries,
    "code": fingerprint(["gpusolve"])["code of gpusolve"],
}))
"""


@dataclass(frozen=True)
class Cost:
    """What a process needed, in seconds: of processors, and by the clock."""

    processor: float
    wall: float


def environment(caches: Path) -> dict[str, str]:
    """Return the environment of a command that keeps everything in the folder `caches`."""
    own = {"NUMBA_CACHE_DIR": "numba", "XDG_CACHE_HOME": "home", "GPUSOLVE_TABLES": "tables"}
    found = {name: value for name, value in os.environ.items() if name not in FOREIGN}
    return found | {name: str(caches / place) for name, place in own.items()} | {"GPUSOLVE_DEVICE": "cpu"}


def run(command: list[str], folder: Path, caches: Path) -> Cost:
    """Run a command with all caches in one folder, and return what it cost. Ends this script if it fails."""
    begin = time.perf_counter()
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(command, cwd=folder, env=environment(caches), stdout=log, stderr=log)
        _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - begin
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{shlex.join(command)}: exit code {process.returncode}: {(folder / 'log').read_text()}")
    return Cost(usage.ru_utime + usage.ru_stime, seconds)


def measure(command: list[str], folder: Path) -> tuple[Cost, Cost]:
    """Return the costs of a command with empty caches, and of running it again."""
    with tempfile.TemporaryDirectory() as caches:
        return run(command, folder, Path(caches)), run(command, folder, Path(caches))


def transcript(python: str, game: str, folder: Path) -> str:
    """Run the first minute of a game with empty caches, and return what a user sees, with the seconds it took."""
    lines: list[str] = []
    with tempfile.TemporaryDirectory() as caches:
        for words in FIRST_MINUTE[game]:
            first, seconds, shown = watched([python, "-m", "gpusolve", game, *shlex.split(words)], folder, Path(caches))
            if len(shown) > LINES:
                shown[LINES // 2 : -LINES // 2] = ["..."]
            about = f"{seconds:.1f} s" + (f", the first line after {first:.1f} s" if first is not None else "")
            lines += [f"$ gpusolve {game} {words}    # {about}", *shown, ""]
    return "\n".join(lines).rstrip()


def watched(command: list[str], folder: Path, caches: Path) -> tuple[float | None, float, list[str]]:
    """Run a command in a terminal; return the seconds to its first output and to its end, and the lines it left."""
    import fcntl
    import pty
    import struct
    import termios

    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, COLUMNS, 0, 0))
    own = environment(caches) | {"TERM": "xterm", "NO_COLOR": "1"}
    begin = time.perf_counter()
    process = subprocess.Popen(
        command, cwd=folder, env=own, stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs, start_new_session=True
    )
    os.close(theirs)
    first, written = None, bytearray()
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:  # the terminal is closed
            part = b""
        if not part:
            break
        first = time.perf_counter() - begin if first is None else first
        written += part
    process.wait()
    os.close(ours)
    return first, time.perf_counter() - begin, screen(written.decode("utf-8", "replace"))


def screen(written: str) -> list[str]:
    r"""Return the lines that remain on a screen, given what was written to it.

    >>> screen("0:01 working\r            \rdone\r\nframe 1\r\n\x1b[1Aframe 2\r\n")
    ['done', 'frame 2']
    """
    lines, row, column = [""], 0, 0
    for part in re.findall(r"\x1b\[[0-9;?]*[A-Za-z]|\r|\n|[^\x1b\r\n]+", written):
        if part == "\n":
            row += 1
            lines += [""] * (row == len(lines))
        elif part == "\r":
            column = 0
        elif part.endswith("A") and part.startswith("\x1b"):
            row = max(0, row - int(part[2:-1] or 1))
        elif part.endswith("K") and part.startswith("\x1b"):
            lines[row] = ""
        elif not part.startswith("\x1b"):
            lines[row] = lines[row][:column].ljust(column) + part + lines[row][column + len(part) :]
            column += len(part)
    return [line.rstrip() for line in lines if line.strip()]


def report(found: dict[str, Any], before: str = "") -> str:
    """Return the Markdown text of all results, followed by the section `before`."""
    lines = [
        "# The first use of every command",
        "",
        "Seconds of processors (user and system) and of the clock, with empty caches (cold) and when run again (warm).",
        f"The goals: cold takes at most {MOST_COLD:g} s longer than warm, and a warm",
        f"{', '.join(f'`{name}`' for name in SHORT)} at most {MOST_SHORT:g} s longer than {BASE}.",
        "`python benchmarks/first_use.py` measures it.",
    ]
    for kind in ("wheel", "checkout"):
        if kind in found:
            lines += ["", *table(kind, found[kind])]
    for kind in ("wheel", "checkout"):
        for game, text in found.get(kind, {}).get("transcripts", {}).items():
            lines += ["", f"## The first minute of {game}, {name_of(kind, found[kind])}", "", "```text", text, "```"]
    return "\n".join(lines) + "\n" + before


def name_of(kind: str, part: dict[str, Any]) -> str:
    """Return how gpusolve was installed, in words."""
    place = "in a checkout" if kind == "checkout" else "from a wheel"
    shipped = part["about"]["shipped"]
    return f"{place} with libraries for {', '.join(shipped)}" if shipped else f"{place} without libraries"


def table(kind: str, part: dict[str, Any]) -> list[str]:
    """Return the table of a checkout or a wheel, with the commands in the order of USES."""
    about, rows = part["about"], part["rows"]
    lines = [
        f"## All commands, {name_of(kind, part)}",
        "",
        f"{about['processor']}, {about['cores']} cores, {about['libraries']}.",
        "",
        "| command | cold, processor | warm, processor | cold, wall | warm, wall | cold - warm | warm - app |",
        "|---|---|---|---|---|---|---|",
    ]
    missed, app = 0, rows[BASE][1][1]
    for use in (BASE, *uses()):
        if use not in rows:
            continue
        cold, warm = (Cost(*values) for values in rows[use])
        more, above = cold.wall - warm.wall, warm.wall - app
        marks = use != BASE and more > MOST_COLD, use.startswith(SHORT) and above > MOST_SHORT
        missed += any(marks)
        shown = [f"**{each:.2f}**" if mark else f"{each:.2f}" for each, mark in zip((more, above), marks, strict=True)]
        name = use if use == BASE else f"`{use}`"
        times = (cold.processor, warm.processor, cold.wall, warm.wall)
        lines.append(f"| {name} | {' | '.join(f'{each:.2f}' for each in times)} | {' | '.join(shown)} |")
    count = len(rows) - (BASE in rows)
    return [*lines, "", f"{count - missed} of {count} commands meet the goals."]


def uses() -> list[str]:
    """Return the plain use of every command."""
    return [use for use in USES.split("\n") if use]


def main() -> None:
    """Measure what has not been measured yet, and write the results after each command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--most", type=int, default=len(uses()), metavar="N")
    parser.add_argument("--transcript", action="store_true")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--out", type=Path, default=RESULTS / "first-use.md", metavar="FILE")
    parser.add_argument("commands", nargs="*", metavar="COMMAND")
    arguments = parser.parse_args()
    out: Path = arguments.out
    kept = out.with_suffix(".json")
    found: dict[str, Any] = json.loads(kept.read_text(encoding="utf-8")) if kept.exists() else {}

    def write() -> None:
        kept.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        before = out.read_text(encoding="utf-8").partition(BEFORE)[2] if out.exists() else ""
        out.write_text(report(found, BEFORE + before if before else ""), encoding="utf-8")

    python = os.path.abspath(arguments.python)  # not resolved: the link is in the virtual environment
    # Some commands read a file that an earlier command, perhaps of an earlier run, has written.
    folder = Path(tempfile.gettempdir(), f"gpusolve-first-use-{os.getuid()}")
    folder.mkdir(exist_ok=True)
    asked = subprocess.run([python, "-c", ABOUT], cwd=folder, capture_output=True, text=True, check=True)
    about = json.loads(asked.stdout) | {"processor": processor(), "cores": os.cpu_count()}
    kind = about["kind"]
    if arguments.again or found.get(kind, {}).get("about") != about:
        found[kind] = {"about": about, "rows": {}, "transcripts": {}}
    rows, texts = found[kind]["rows"], found[kind]["transcripts"]
    if BASE not in rows:
        rows[BASE] = [(cost.processor, cost.wall) for cost in measure([python, "-c", APP], folder)]
    for use in uses()[: arguments.most]:
        if use.startswith(tuple(arguments.commands) or "") and use not in rows:
            costs = measure([python, "-m", "gpusolve", *shlex.split(use)], folder)
            rows[use] = [(cost.processor, cost.wall) for cost in costs]
            print(f"{costs[0].processor:6.2f} {costs[1].processor:6.2f}  {use}", flush=True)
            write()
    for game in FIRST_MINUTE if arguments.transcript else ():
        if game.startswith(tuple(word.split()[0] for word in arguments.commands) or "") and game not in texts:
            texts[game] = transcript(python, game, folder)
            print(texts[game], flush=True)
            write()
    write()


if __name__ == "__main__":
    main()
