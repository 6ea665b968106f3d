"""Measure how the cost of each game's main job grows with its size: processor time of one thread, and memory.

    PYTHONPATH=src python benchmarks/growth.py PICTURE.png [> benchmarks/results/growth.md]

Each size is measured in a separate process, for its peak memory. The exponent is the slope between the two largest
sizes on logarithmic scales. If the size is a number of letters or moves, in which the work is exponential, it is
the factor between these two. Memory is extrapolated from the two largest sizes; exponential work ends first.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from math import log
from pathlib import Path
from string import ascii_lowercase

from gpusolve.backend import open_backend
from gpusolve.games import qless, queuedle, quiddler, quordle, sliding, tetris, wordle
from gpusolve.games.qless.rolls import random_rolls, text_of
from gpusolve.output import plot
from gpusolve.wordlists import load_words
from harness import heading

ONE = open_backend("cpu:1")
PUZZLE = queuedle.Puzzle.parse("fndoi/eedgr/aadqs/oeilx/eyatg aikiueieexuatov")
FULL = 16 << 10  # MiB
NOISE = 0.02  # memory that grows by less than this fraction does not grow


@dataclass(frozen=True)
class Job:
    """A job and its sizes. With `step`, the work is exponential in the size; otherwise each size doubles."""

    what: str
    sizes: tuple[int, ...]
    run: Callable[[int], object]
    step: str = ""


def doubled(first: int) -> tuple[int, ...]:
    """Return five sizes, each twice the previous one."""
    return tuple(first << i for i in range(5))


def made_up(count: int) -> list[str]:
    """Return this number of made-up words of five letters."""
    chance = random.Random(1)
    return sorted({"".join(chance.choices(ascii_lowercase, k=5)) for _ in range(count)})


def strategy(count: int) -> object:
    """Find the best strategy that starts with salet for this number of Wordle's 2,315 answers."""
    answers = load_words("wordle-answers")
    variant = wordle.Variant.load("wordle-guesses", answers[:: len(answers) // count][:count])
    return wordle.solve(variant=variant, first="salet", memory=256, backend=ONE)


@cache
def fives() -> sliding.Databases:
    """Open the databases of the 15-puzzle's partition 5-5-5."""
    return sliding.open_databases(4, 4, partition="5-5-5", backend=ONE)


@cache
def fifteens() -> list[tuple[sliding.Board, int]]:
    """Return the first ten random 15-puzzles whose solutions need at least 14 moves more than the first bound."""
    boards = sliding.scramble(rows=4, columns=4, seed=1, count=60)
    solutions = [sliding.solve(board, databases=fives()) for board in boards]
    firsts = [solution.bounds[0].bound for solution in solutions]
    lengths = [solution.lower_bound for solution in solutions]
    far = [(board, first) for board, first, length in zip(boards, firsts, lengths, strict=True) if length >= first + 14]
    return far[:10]


ROLLS = [text_of(roll) for roll in random_rolls(1, 0, 20)]
JOBS: dict[str, Job] = {
    "wordle partition-table": Job(
        "made-up words, guesses and answers",
        doubled(3000),
        lambda n: wordle.partition_table(guesses=made_up(n), answers=made_up(n), backend=ONE),
    ),
    "wordle solve": Job("answers, after salet", doubled(144), strategy),
    "quordle simulate, boards": Job(
        "boards of 100 games",
        doubled(2),
        lambda n: quordle.simulate(strategy="joint", count=100, boards=n, seed=1, backend=ONE),
    ),
    "quordle simulate": Job(
        "games", doubled(200), lambda n: quordle.simulate(strategy="joint", count=n, seed=1, backend=ONE)
    ),
    "queuedle solve": Job(
        "width of a beam",
        doubled(64_000),
        lambda n: queuedle.solve(PUZZLE, strategy="beam", width=n, backend=ONE),
    ),
    "quiddler census": Job("deals", doubled(200), lambda n: quiddler.census(count=n, seed=1, backend=ONE)),
    "qless census": Job("rolls", doubled(2000), lambda n: qless.census(count=n, seed=1, backend=ONE)),
    "tetris evaluate": Job("games", doubled(75), lambda n: tetris.evaluate("published", count=n, seed=1, backend=ONE)),
    "qless count": Job(
        "letters of 20 rolls",
        (8, 9, 10, 11, 12),
        lambda n: [qless.count(roll[:n], backend=ONE) for roll in ROLLS],
        "a letter",
    ),
    "sliding solve, 24-puzzle": Job(
        "bound of Korf and Felner's number 1, all bounds up to there",
        (85, 87, 89, 91, 93),
        lambda n: sliding.solve(sliding.load_boards("article")[1], bound=n, backend=ONE),
        "two moves",
    ),
    "sliding solve, 15-puzzle": Job(
        "moves beyond the first bound, ten boards, partition 5-5-5",
        (4, 6, 8, 10, 12),
        lambda n: [sliding.solve(board, databases=fives(), bound=first + n) for board, first in fifteens()],
        "two moves",
    ),
}


def measure(name: str, size: int) -> tuple[float, float]:
    """Return the processor time in seconds and the peak memory in MiB; the smallest size warms up."""
    job = JOBS[name]
    job.run(job.sizes[0])
    begin = time.process_time()
    job.run(size)
    seconds = time.process_time() - begin
    peak = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
    return seconds, int(peak.split()[1]) / 1024


def measured(name: str, size: int) -> tuple[float, float]:
    """Measure a size in a separate process."""
    words = [sys.executable, __file__, "--one", name, str(size)]
    seconds, peak = json.loads(subprocess.run(words, capture_output=True, check=True, text=True).stdout)
    return seconds, peak


def growth(job: Job, seconds: list[float]) -> str:
    """Return how the time grows between the two largest sizes."""
    if job.step:
        return f"{seconds[-1] / seconds[-2]:.2f} times {job.step}"
    return f"size^{log(seconds[-1] / seconds[-2], job.sizes[-1] / job.sizes[-2]):.2f}"


def full(job: Job, peaks: list[float]) -> str:
    """Return the size at which memory is full, if it grows with the size."""
    if job.step or peaks[-1] < (1 + NOISE) * peaks[-2]:
        return "does not grow"
    each = (peaks[-1] - peaks[-2]) / (job.sizes[-1] - job.sizes[-2])
    return f"{job.sizes[-1] + (FULL - peaks[-1]) / each:,.0f}"


def main(picture: Path) -> None:
    """Measure all jobs, print the table and draw two pictures of time against size, relative to the smallest."""
    print(heading("How cost grows", ONE))
    print("| job | size | seconds | grows as | peak memory, MiB | 16 GiB are full at |\n|---|---|---|---|---|---|")
    lines: dict[bool, dict[str, list[float]]] = {False: {}, True: {}}
    for name, job in JOBS.items():
        seconds, peaks = zip(*(measured(name, size) for size in job.sizes), strict=True)
        columns = [f"{n:,}" for n in job.sizes], [f"{s:.3g}" for s in seconds], [f"{mib:,.0f}" for mib in peaks]
        sizes, times, memory = (", ".join(texts) for texts in columns)
        grows = growth(job, list(seconds))
        print(f"| {name}: {job.what} | {sizes} | {times} | {grows} | {memory} | {full(job, list(peaks))} |", flush=True)
        lines[bool(job.step)][name] = [log(one / seconds[0], 2) for one in seconds]
    x, label = [0, 1, 2, 3, 4], "log2 of the time, compared with the first"
    plot.save_lines(picture, x, lines[False], "Time against size", "log2 of the size, beside the first", label)
    steps = picture.with_stem(f"{picture.stem}-steps")
    plot.save_lines(
        steps, x, lines[True], "Time against a size that work is exponential in", "letters, or two moves", label
    )


if __name__ == "__main__":
    if sys.argv[1] == "--one":
        print(json.dumps(measure(sys.argv[2], int(sys.argv[3]))))
    else:
        main(Path(sys.argv[1]))
