"""Find the exact total of guesses of every first word of the original lists, the most promising first.

    PYTHONPATH=src nice -n 19 python benchmarks/wordle_starts.py [--mode hard]

The lists have 2,315 answers and 12,972 guesses, and a game has six guesses. The first words come in the order of an
estimate, because bad ones take longest. Every total is that of a strategy that was played against all answers by the
rules.

results/wordle-starts.csv has a line for each first word whose total is known in easy or in hard mode, the least totals
first. NONE means that no strategy finds all answers within six guesses. Every half minute the file is written. The run
can be stopped at any time, and the same line continues it.
"""

from __future__ import annotations

import argparse
import csv
import io
import signal
import sys
from functools import partial
from pathlib import Path
from typing import NamedTuple, TypeAlias

import numpy as np

from gpusolve import clock, files
from gpusolve.backend import Backend, open_backend
from gpusolve.errors import WrongSolution
from gpusolve.games.wordle.history import after
from gpusolve.games.wordle.proof._solve import replayed, strategy_of
from gpusolve.games.wordle.proof.position import Position
from gpusolve.games.wordle.rules import GUESSES, Mode
from gpusolve.games.wordle.variant import Variant

RESULTS = Path(__file__).parent / "results" / "wordle-starts.csv"
WORD, MODES = "first_word", ("easy", "hard")
NONE = "none"
MEMORY = 2048  # MiB
SAVE_EVERY = 30.0  # seconds

Totals: TypeAlias = dict[str, dict[str, str]]
"""The lines of the file by first word; "" stands for a total that is not known yet."""


class Found(NamedTuple):
    """The total of a first word, as the file has it."""

    word: str
    total: str


def main() -> int:
    """Find totals until the run is stopped."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mode", choices=MODES, default="easy", help="allowed guesses")
    parser.add_argument("--results", type=Path, default=RESULTS, help="file of the results")
    parser.add_argument("--time-limit", type=float, default=float("inf"), help="stop after this many seconds")
    parser.add_argument("--device", default="cpu:1", help="device, such as cpu:1")
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # SIGTERM ends it as Ctrl-C does
    position = open_position(open_backend(arguments.device), arguments.mode)
    try:
        find(position, arguments.mode, arguments.results, clock.now() + arguments.time_limit)
    except KeyboardInterrupt:
        return 130
    return 0


def open_position(backend: Backend, mode: Mode) -> Position:
    """Return the position before the first guess of the original game."""
    variant = Variant.load(mode=mode)
    return Position(after((), variant, "patterns", backend), variant, memory=MEMORY, backend=backend)


def read(path: Path) -> Totals:
    """Return the lines of the file; none if there is no file."""
    if not path.exists():
        return {}
    return {line[WORD]: line for line in csv.DictReader(io.StringIO(path.read_text(encoding="utf-8")))}


def write(path: Path, totals: Totals) -> None:
    """Write the lines, the first words with the least totals first."""

    def rank(line: dict[str, str]) -> tuple[int, int, str]:
        easy, hard = (int(line[mode]) if line[mode].isdigit() else sys.maxsize for mode in MODES)
        return easy, hard, line[WORD]

    lines, text = sorted(totals.values(), key=rank), io.StringIO()
    writer = csv.DictWriter(text, (WORD, *MODES), lineterminator="\n")
    writer.writeheader()
    writer.writerows(lines)
    files.write(path, text.getvalue(), "results")


def find(position: Position, mode: Mode, path: Path, end: float) -> None:
    """Find the totals that the file does not have yet; write them from time to time and at the end."""
    totals, saved = read(path), clock.now()
    words = [word for word in estimated(position) if not totals.get(word, {}).get(mode)]
    known = len(position.guesses) - len(words)
    try:
        jobs = (partial(total_of, position, word) for word in words)
        for done, (word, total) in enumerate(position.each(jobs, lambda: clock.now() < end), known + 1):
            line = totals.setdefault(word, {WORD: word} | dict.fromkeys(MODES, ""))
            line[mode] = total
            if clock.now() > saved + SAVE_EVERY:
                write(path, totals)
                saved = clock.now()
                print(f"{done:,} of {len(position.guesses):,}: {word} {total}", flush=True)
    finally:
        write(path, totals)


def estimated(position: Position) -> list[str]:
    """Return the first words in the order of an estimate of their totals, from the sizes of their cells alone."""
    costs = position.search.estimate
    cells = [np.bincount(codes, minlength=position.n_cells) for codes in position.patterns.T[: len(position.guesses)]]
    order = np.argsort([costs[sizes].sum() for sizes in cells], kind="stable")
    return [position.guesses[i] for i in order]


def total_of(position: Position, word: str) -> Found:
    """Return the exact total of a first word, after its strategy was played against all answers."""
    total = position.cost_after(position.guesses.place[word], GUESSES)
    if total >= position.never:
        return Found(word, NONE)
    everything = np.arange(len(position.answers))
    tree = strategy_of(position, everything, turns=GUESSES, objective="mean", first=word)
    reached = int(replayed(position, (), tree, GUESSES).sum())
    if reached != total:
        raise WrongSolution(f"the strategy that begins with {word} takes {reached:,}, not {total:,}")
    return Found(word, str(total))


if __name__ == "__main__":
    sys.exit(main())
