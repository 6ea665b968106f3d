"""Find the exact total of guesses of every first word of a pair of lists, the most promising first.

    PYTHONPATH=src nice -n 19 python benchmarks/wordle_starts.py [--mode hard]

The original lists have 2,315 answers and 12,972 guesses, and a game has six guesses. `--guesses` and `--answers` name
other lists, and `--results` then says where their totals are kept. The first words come in the order of an estimate,
because bad ones take longest. Every total is that of a strategy that was played against all answers by the rules.

The file of the results has a line for each first word whose total is known in easy or in hard mode, sorted by word.
NONE means that no strategy finds all answers within six guesses. Every half minute the file is written. The run can be
stopped at any time, and the same line continues it; runs in both modes may share a file.

At the end, the number of totals is printed, and the SHA-256 of a complete table. `--published FILE` compares it with
another table of the same form, in which an empty field stands for NONE. `--time-limit 0` only prints.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
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

Totals: TypeAlias = dict[str, str]
"""The total of each first word that is known, in one mode."""


class Found(NamedTuple):
    """The total of a first word, as the file has it."""

    word: str
    total: str


def main() -> int:
    """Find totals until all are known or the run is stopped, and report them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mode", choices=MODES, default="easy", help="allowed guesses")
    parser.add_argument("--guesses", default="wordle-guesses", help="list of the first words: a name or a file")
    parser.add_argument("--answers", default="wordle-answers", help="list of the answers: a name or a file")
    parser.add_argument("--results", type=Path, default=RESULTS, help="file of the results")
    parser.add_argument("--published", type=Path, help="table to compare the results with")
    parser.add_argument("--time-limit", type=float, default=float("inf"), help="stop after this many seconds")
    parser.add_argument("--device", default="cpu:1", help="device, such as cpu:1")
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # SIGTERM ends it as Ctrl-C does
    variant = Variant.load(arguments.guesses, arguments.answers, mode=arguments.mode)
    stopped = False
    try:
        if arguments.time_limit > 0:
            position = open_position(open_backend(arguments.device), variant)
            find(position, arguments.mode, arguments.results, clock.now() + arguments.time_limit)
    except KeyboardInterrupt:
        stopped = True
    report(arguments.results, variant.guesses[:], arguments.published)
    return 130 * stopped


def open_position(backend: Backend, variant: Variant) -> Position:
    """Return the position before the first guess of a game."""
    return Position(after((), variant, "patterns", backend), variant, memory=MEMORY, backend=backend)


def read(path: Path, mode: str) -> Totals:
    """Return the known totals of a file in one mode; none if there is no file."""
    if not path.exists():
        return {}
    lines = csv.DictReader(io.StringIO(path.read_text(encoding="utf-8")))
    return {line[WORD]: line[mode] for line in lines if line[mode]}


def write(path: Path, mode: str, found: Totals) -> None:
    """Add totals to the file, which a run in the other mode may have changed."""
    known = {kind: read(path, kind) for kind in MODES}
    known[mode].update(found)
    files.write(path, table(known, sorted(set().union(*known.values()))), "results")


def table(known: dict[str, Totals], words: list[str]) -> str:
    """Return the lines of some first words."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow((WORD, *MODES))
    writer.writerows((word, *(known[mode].get(word, "") for mode in MODES)) for word in words)
    return text.getvalue()


def report(path: Path, words: list[str], published: Path | None) -> None:
    """Print how many totals are known, the digest of a complete table, and what a published table says otherwise."""
    known = {mode: read(path, mode) for mode in MODES}
    for mode, totals in known.items():
        values = sorted(int(total) for total in totals.values() if total != NONE)
        if values:
            span = f"{values[0]:,} to {values[-1]:,}, on average {sum(values) / len(values):,.1f}"
            print(f"{mode}: {len(totals):,} of {len(words):,}, {span}; {NONE}: {len(totals) - len(values):,}")
    if all(len(totals) == len(words) for totals in known.values()):
        print(f"SHA-256 {hashlib.sha256(table(known, sorted(words)).encode()).hexdigest()}")
    if published is None:
        return
    lines = csv.reader(io.StringIO(published.read_text(encoding="utf-8")))
    next(lines)
    others = {word: dict(zip(MODES, totals, strict=True)) for word, *totals in lines}
    for mode, totals in known.items():
        both = [word for word in totals if word in others]
        differ = [word for word in both if totals[word] != (others[word][mode] or NONE)]
        print(f"{mode}: {len(both) - len(differ):,} of {len(both):,} as published, {len(differ):,} not")
        for word in differ:
            print(f"  {word}: {totals[word]}, published {others[word][mode] or NONE}")


def find(position: Position, mode: Mode, path: Path, end: float) -> None:
    """Find the totals that the file does not have yet; write them from time to time and at the end."""
    found, saved = read(path, mode), clock.now()
    words = [word for word in estimated(position) if word not in found]
    try:
        jobs = (partial(total_of, position, word) for word in words)
        for word, total in position.each(jobs, lambda: clock.now() < end):
            found[word] = total
            if clock.now() > saved + SAVE_EVERY:
                write(path, mode, found)
                saved = clock.now()
                print(f"{len(found):,} of {len(position.guesses):,}: {word} {total}", flush=True)
    finally:
        write(path, mode, found)


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
