"""TopSpin(16,4) here and in HOG2, in one run: a pattern database of six numbers, IDA* and A* from the same rings.

    git clone https://github.com/nathansttt/hog2.git
    python benchmarks/search_hog2.py hog2 [--device cpu:1]

HOG2 is compiled with g++ into a temporary folder. Both run in turn. The seconds are those of the processor, summed over
threads, so that other work on the machine changes them little.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np

from gpusolve.backend import open_backend
from gpusolve.search.a_star import a_star
from gpusolve.search.bidirectional import bidirectional
from gpusolve.search.deepening import ida_star
from gpusolve.search.permutations.database import build_database
from gpusolve.search.permutations.puzzle import PermutationPuzzle
from harness import heading
from search import PLACES, scrambled, turns

SOURCES = ("utils/NBitArray", "utils/MR1Permutation", "utils/FPUtil", "utils/GLUtil", "utils/Colors", "utils/Timer",
           "graph/Graph", "gui/STUB/GL/gl", "gui/STUB/GL/glut")  # fmt: skip
FOLDERS = ("generic", "search", "environments", "utils", "algorithms", "graph", "graphalgorithms", "gui", "shared",
           "envutil", "abstraction", "simulation", "gui/STUB", "gui/STUB/GL", "mapalgorithms", "grids",
           "abstractionalgorithms")  # fmt: skip
KEPT = 6

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("hog2", type=Path, help="folder of HOG2")
parser.add_argument("--device", default="cpu:1")
parser.add_argument("--depth", type=int, default=16, help="random turns from the goal")
parser.add_argument("--rings", type=int, default=5)
arguments = parser.parse_args()
backend = open_backend(arguments.device)
rings = [scrambled(seed, arguments.depth) for seed in range(arguments.rings)]
found: dict[str, dict[str, list[tuple[int, int, int, float]]]] = defaultdict(lambda: defaultdict(list))

with tempfile.TemporaryDirectory() as folder:
    program = Path(folder) / "hog2"
    sources = [Path(__file__).with_suffix(".cpp"), *(arguments.hog2 / f"{name}.cpp" for name in SOURCES)]
    includes = [f"-I{arguments.hog2 / name}" for name in FOLDERS]
    options = ["-std=c++17", "-O3", "-march=native", "-flto", "-w", "-DNO_OPENGL", "-pthread"]
    subprocess.run(["g++", *options, *includes, *sources, "-o", program], check=True)
    given = [str(int(number)) for ring in rings for number in np.argsort(ring)]
    printed = subprocess.run([program, "1", *given], check=True, capture_output=True, text=True).stdout
for what, *numbers in re.findall(r"RESULT (\S+) (\d+) (\d+) (\d+) \S+ (\S+)", printed):
    found[what]["HOG2"].append((int(numbers[0]), int(numbers[1]), int(numbers[2]), float(numbers[3])))

build_database(turns(), range(2), backend=backend)  # compiles
begin = time.process_time()
database = build_database(turns(), range(KEPT), backend=backend)
size = len(database.table)
found["database"]["gpusolve"].append((0, size, size, time.process_time() - begin))
searches: dict[str, Any] = {"IDA*": ida_star, "A*": a_star, "BAE*": bidirectional}
for name, search in searches.items():
    search(PermutationPuzzle(turns(), scrambled(0, 4), databases=[database], backend=backend))
    for ring in rings:
        begin = time.process_time()
        solution = search(PermutationPuzzle(turns(), ring, databases=[database], backend=backend))
        counts = solution.cost, solution.expanded, solution.generated
        found[name]["gpusolve"].append((*counts, time.process_time() - begin))

print(heading("Heuristic search: gpusolve beside HOG2", backend))
print(f"TopSpin({PLACES},4): {len(rings)} rings {arguments.depth} random turns from the goal, {KEPT} numbers in one")
print("pattern database. The seconds are those of the processor.\n")
print("| | program | lengths | expanded | generated | seconds | generated per second |")
print("|---|---|---|---|---|---|---|")
for what, programs in found.items():
    for name, runs in programs.items():
        lengths = ", ".join(str(run[0]) for run in runs) if what != "database" else ""
        expanded, generated, seconds = (sum(run[i] for run in runs) for i in (1, 2, 3))
        rate = f"{generated / seconds:,.0f}"
        print(f"| {what} | {name} | {lengths} | {expanded:,} | {generated:,} | {seconds:.2f} | {rate} |")
