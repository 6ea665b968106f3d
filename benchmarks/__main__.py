"""Run the benchmarks of every game on a CPU and print one table. For a GPU, see gpu.py.

python benchmarks [--device cpu[:threads]] [GAME ...] [> benchmarks/results/....md]
"""

from __future__ import annotations

import argparse
from importlib import import_module
from pathlib import Path

from gpusolve.backend import open_backend
from gpusolve.errors import GpusolveError
from harness import heading, table

GAMES = sorted(path.stem for path in Path(__file__).parent.glob("*.py") if "\ndef rows(" in path.read_text())

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--device", default="cpu")
parser.add_argument("games", nargs="*", metavar="GAME", help=f"one or more of {', '.join(GAMES)} (default: all)")
arguments = parser.parse_args()
if unknown := set(arguments.games) - set(GAMES):
    parser.error(f"no such benchmark: {', '.join(sorted(unknown))}; there are {', '.join(GAMES)}")
try:
    backend = open_backend(arguments.device)
except GpusolveError as error:
    parser.error(str(error))
print(heading("Benchmarks", backend))
print(table([row for game in arguments.games or GAMES for row in import_module(game).rows(backend)]))
