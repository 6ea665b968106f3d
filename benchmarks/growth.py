"""How the cost of each game's main job grows with its size, in processor time of one thread.

    PYTHONPATH=src python benchmarks/growth.py PICTURE.png [> benchmarks/results/growth.md]

The exponent is the slope between the two largest sizes, of time against size on logarithmic scales, since smaller ones
spend most of their time on what any size takes.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from math import log
from pathlib import Path
from typing import Any

from gpusolve import plot
from gpusolve.backend import open_backend
from gpusolve.games import qless, queuedle, quiddler, quordle, tetris, wordle
from gpusolve.games.qless.rolls import random_rolls, text_of
from gpusolve.wordlists import load_words
from harness import heading

ONE = open_backend("cpu:1")
WORDS = load_words("wordle-guesses")
PUZZLE = queuedle.parse_puzzle("fndoi/eedgr/aadqs/oeilx/eyatg", "aikiueieexuatov")
ROLLS = [text_of(roll) for roll in random_rolls(1, 0, 20)]
JOBS: dict[str, tuple[str, list[int], Callable[[int], Any]]] = {
    "wordle partition-table": (
        "words, which are guesses and answers",
        [1500, 3000, 6000, 12000],
        lambda n: wordle.partition_table(WORDS[:n], WORDS[:n], backend=ONE),
    ),
    "quordle simulate": (
        "boards of 100 games",
        [4, 8, 16, 32],
        lambda n: quordle.simulate(strategy="joint", games=100, boards=n, seed=1, backend=ONE),
    ),
    "queuedle solve": (
        "width of a beam",
        [4000, 16_000, 64_000, 256_000],
        lambda n: queuedle.solve(PUZZLE, strategy="beam", width=n, backend=ONE),
    ),
    "quiddler census": ("deals", [400, 800, 1600, 3200], lambda n: quiddler.census(n, seed=1, backend=ONE)),
    "qless census": ("rolls", [250, 500, 1000, 2000], lambda n: qless.census(n, seed=1, backend=ONE)),
    "qless count": (
        "letters of 20 rolls",
        [6, 8, 10, 12],
        lambda n: [qless.count(roll[:n], backend=ONE) for roll in ROLLS],
    ),
    "tetris evaluate": (
        "games",
        [75, 150, 300, 600],
        lambda n: tetris.evaluate("published", games=n, seed=1, backend=ONE),
    ),
}


def seconds_of(job: Callable[[int], Any], size: int) -> float:
    """Processor time of the second of two calls: the first reads and makes what is kept."""
    job(size)
    begin = time.process_time()
    job(size)
    return time.process_time() - begin


def main(picture: Path) -> None:
    """Measures all, prints the table and draws the picture: time against size, each beside its smallest."""
    print(heading("How cost grows", ONE))
    print("| job | size | seconds | exponent |\n|---|---|---|---|")
    lines = {}
    for name, (what, sizes, job) in JOBS.items():
        seconds = [seconds_of(job, size) for size in sizes]
        slope = log(seconds[-1] / seconds[-2]) / log(sizes[-1] / sizes[-2])
        shown = " | ".join(", ".join(texts) for texts in ([f"{n:,}" for n in sizes], [f"{s:.3g}" for s in seconds]))
        print(f"| {name}, {what} | {shown} | {slope:.2f} |", flush=True)
        lines[name] = [log(one / seconds[0], 2) for one in seconds]
    title, label = "Four sizes of each game's main job (the table says which)", "log2 of the time beside the first"
    plot.save_lines(picture, [1, 2, 3, 4], lines, title, "number of the size", label)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
