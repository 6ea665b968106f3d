"""Draws the README's pictures: each is what a command prints on a terminal, as SVG. Run by `make pictures`."""

from __future__ import annotations

import io
import os
import shlex
import subprocess
import sys
from pathlib import Path

from rich.console import Console
from rich.text import Text

WIDTH = 112  # columns

PICTURES = {
    "quiddler": ["quiddler solve 'nwu(th)ryyi acjounbi' --quiet"],
    "wordle": ["wordle play crane --quiet", "wordle suggest salet:-y--g --mode hard --top 5 --quiet"],
}

# Rich's own frame loads a font from a web site; this one takes what the reader has.
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
    """Runs the commands as on a terminal with colours and writes docs/<name>.svg."""
    screen = Console(record=True, width=WIDTH, file=io.StringIO(), color_system="truecolor", legacy_windows=False)
    environment = os.environ | {"FORCE_COLOR": "1", "COLUMNS": str(WIDTH), "TERM": "xterm-256color"}
    for command in commands:
        done = subprocess.run(
            [sys.executable, "-m", "gpusolve", *shlex.split(command)], capture_output=True, check=True, env=environment
        )
        screen.print(Text(f"$ gpusolve {command}", "bold cyan"))
        screen.print(Text.from_ansi(done.stdout.decode()))
    path = Path(__file__).with_name(f"{name}.svg")
    path.write_text(screen.export_svg(code_format=FRAME, unique_id=name), encoding="utf-8")
    print(path)


for name, commands in PICTURES.items():
    draw(name, commands)
