"""Draw the README's pictures, or those of some games: commands on a terminal, as SVG. `make pictures` runs this."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

from rich.console import Console
from rich.text import Text

WIDTH = 80  # columns: on a phone, a picture of more cannot be read

MOVES = "r2 l4 d1 r2 l4 l4 r3 l4 u4 r2 l1 d1 r2"  # found by `queuedle solve --seed 1`: 119 points
TILES = "6 12 1 11 / 14 5 10 0 / 4 7 9 8 / 15 3 13 2"
SLIDES = "LDLULDRUULDDRURDDLLURRDLLUURURDDRDLLURRU"  # the first of the 56 moves that solve it
BOARD = "#........./##......##/###.#####./#########."

PICTURES = {
    "qless": ["gpusolve qless solve cddeeimprtwx --top 14 --quiet", "gpusolve qless unsolvable fgjlmmnnnoot --quiet"],
    "queuedle": [
        "gpusolve queuedle daily 2025-06-01 --zone Europe/London",
        f"gpusolve queuedle check '{MOVES}' 2025-06-01 --zone Europe/London | tail -15",
    ],
    "quiddler": ["gpusolve quiddler solve 'nwu(th)ryyi acjounbi' --quiet"],
    "quordle": [
        "gpusolve quordle play hello world paper value --quiet",
        "gpusolve quordle suggest carle:-y---,----y,-----,y---- aunty:y----,--y--,-----,-g--- --top 4 --quiet",
    ],
    "sliding": [
        f"gpusolve sliding solve '{TILES}' --quiet",
        f"gpusolve sliding show '{TILES}' {SLIDES}",
    ],
    "tetris": [
        "gpusolve tetris play --seed 3 --quiet | tail -21",
        f"gpusolve tetris suggest '{BOARD}' T I --quiet | tail -15",
    ],
    "wordle": ["gpusolve wordle play crane --quiet", "gpusolve wordle suggest salet:-y--g --mode hard --top 5 --quiet"],
}

# Rich's own frame loads a font from a web site; this one uses the reader's fonts.
FRAME = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">
<style>
.{unique_id}-matrix {{ font-family: ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace;
  font-size: {char_height}px; line-height: {line_height}px; }}
{styles}
</style>
<defs>{lines}</defs>
<rect fill="#1b1d1f" width="{width}" height="{height}" rx="8"/>
<g transform="translate({terminal_x}, {terminal_y})">{backgrounds}<g class="{unique_id}-matrix">{matrix}</g></g>
</svg>
"""


def draw(name: str, commands: list[str]) -> None:
    """Run the commands as on a terminal with colours and write docs/<name>.svg."""
    screen = Console(record=True, width=WIDTH, file=io.StringIO(), color_system="truecolor", legacy_windows=False)
    environment = os.environ | {"FORCE_COLOR": "1", "COLUMNS": str(WIDTH), "TERM": "xterm-256color"}
    for command in commands:
        run = command.replace("gpusolve", f"{sys.executable} -m gpusolve", 1)
        done = subprocess.run(run, shell=True, capture_output=True, check=True, env=environment)
        screen.print(Text(f"$ {command}", "bold cyan"))
        screen.print(Text.from_ansi(done.stdout.decode()))
    path = Path(__file__).with_name(f"{name}.svg")
    path.write_text(screen.export_svg(code_format=FRAME, unique_id=name), encoding="utf-8")
    print(path)


for name in sys.argv[1:] or PICTURES:
    draw(name, PICTURES[name])
