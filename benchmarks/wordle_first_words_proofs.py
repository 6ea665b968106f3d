"""Make the proofs which first words solve every one of 12,972 answers within six guesses, and which do not.

    nice -n 19 python benchmarks/wordle_first_words_proofs.py

The verdicts are those of results/wordle-first-words.json. The proofs are written to the file that `gpusolve wordle
verify --all` checks; `analysis/certificates.py` describes it. The run can be stopped at any time, and the same line
continues it: results/wordle-first-words-proofs.table has the sets of answers that were learned.

Each first word that fails leaves answers together that cannot be solved within five guesses: a core, or with more than
a hundred answers, the whole cell. These are proved with sets that cannot be solved within four guesses, those first for
which the fewest guesses are not ruled out yet. Then the sets get proofs (`census/refutations.py`).

    nice -n 19 python benchmarks/wordle_first_words_proofs.py --strategies

adds strategies of first words that solve every answer (`census/strategies.py`). What one first word needs is there for
the next ones.
"""

from __future__ import annotations

import argparse
import random
import signal
import sys
from collections import deque
from pathlib import Path

import numpy as np

from gpusolve import clock
from gpusolve.backend import open_backend
from gpusolve.games.wordle.analysis import certificates
from gpusolve.games.wordle.census.cores import Cores, Numbers
from gpusolve.games.wordle.census.first_words import Census
from gpusolve.games.wordle.census.refutations import Cell, Refutations, choose
from gpusolve.games.wordle.census.strategies import Strategies
from gpusolve.games.wordle.proof.position import Position
from gpusolve.runs import store
from wordle_first_words import RESULTS, SEED, WITHIN, Results, open_position, read_cores, write_cores

LARGE = 100
"""With more answers than this, the whole cell takes the place of a core."""
PATIENCE = 100
"""Number of second guesses that are tried for a cell before another one comes first."""
SAVE_EVERY = 60.0  # seconds
WRITE_EVERY = 1200.0  # seconds; writing the strategies of thousands of words takes minutes


def main() -> int:
    """Add proofs to the file until all are made or the time is up."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--time-limit", type=float, default=float("inf"), help="stop the search after this many seconds"
    )
    parser.add_argument("--strategies", action="store_true", help="make strategies, not refutations")
    parser.add_argument("--device", default="cpu:1", help="device, such as cpu:1")
    parser.add_argument("--out", type=Path, default=certificates.SHIPPED, help="file of the proofs")
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # SIGTERM ends it as Ctrl-C does
    results, position = Results.read(RESULTS), open_position(open_backend(arguments.device))
    census, table = Census(position, within=WITHIN), RESULTS.with_name("wordle-first-words-proofs" + store.SUFFIX)
    about: store.About = {"kind": "wordle.first-words-proofs", "answers": position.answers.digest}
    if table.exists():
        read_cores(table, about, census.inner, len(position.answers))
    if arguments.strategies:
        return add_strategies(census, results, arguments.time_limit, arguments.out)
    targets = targets_of(results, position)
    try:
        refute(census, [answers for answers, _ in targets.values()], arguments.time_limit, table, about)
    except KeyboardInterrupt:
        pass
    finally:
        write_cores(table, about, census.inner)
    write(arguments.out, prove(position, census.inner, targets, arguments.out))
    return 0


def write(path: Path, arrays: certificates.Arrays) -> None:
    """Write refutations or strategies to a file of proofs, which keeps the others."""
    kept = certificates.read_proofs(path) if path.exists() else {}
    certificates.write_proofs(path, kept | arrays)


def add_strategies(census: Census, results: Results, time_limit: float, path: Path) -> int:
    """Solve first words until the time is up, and write their strategies."""
    position, begin = census.position, clock.now()
    saved = written = begin
    for tried in results.second_guesses:
        census.successes[position.guesses.place[tried]] = 1
    strategies, words = Strategies(census), [position.guesses.place[word] for word in results.solves]
    solved: set[int] = set()
    if path.exists() and "first" in (kept := certificates.read_proofs(path)):
        strategies.restore(kept)
        solved.update(kept["first"].tolist())
    random.Random(SEED).shuffle(words)
    waiting, undecided = deque(word for word in words if word not in solved), 0
    try:
        while waiting and clock.now() - begin < time_limit:
            word = waiting.popleft()
            for code in strategies.open_cells(word):
                answers = np.flatnonzero(position.patterns[:, word] == code)
                guess = strategies.known(answers)
                found = census.find(answers) if guess < 0 else guess
                if found is not None:
                    strategies.add(found, answers)
            undecided = undecided + 1 if strategies.open_cells(word) else 0
            if undecided:
                waiting.append(word)
            else:
                solved.add(word)
            if undecided > len(waiting):  # only such words are left
                census.patience, undecided = census.patience * 4, 0
            if clock.now() > saved + SAVE_EVERY:
                saved = clock.now()
                print(f"{len(solved):,} first words solved, {saved - begin:,.0f} s", flush=True)
            if clock.now() > written + WRITE_EVERY:
                write(path, strategies.arrays(sorted(solved)))
                written = clock.now()
    except KeyboardInterrupt:
        pass
    arrays = strategies.arrays(sorted(solved))
    write(path, arrays)
    print(f"{len(arrays['first']):,} first words solved, {len(arrays['second']):,} second guesses", flush=True)
    return 0


Targets = dict[int, tuple[Numbers, list[Cell]]]
"""For each core its answers, or those of a whole cell with the first words that have such a cell, by pattern."""


def targets_of(results: Results, position: Position) -> Targets:
    """Return what has to be proved for the first words that fail."""
    words: dict[int, list[int]] = {}
    for word, number in results.fails.items():
        words.setdefault(number, []).append(position.guesses.place[word])
    targets: Targets = {}
    for number, core in enumerate(results.cores):
        answers = np.array(sorted(position.answers.place[answer] for answer in core.split()))
        cells: list[Cell] = []
        if len(answers) > LARGE:
            cells = [(word, int(position.patterns[answers[0], word])) for word in words[number]]
            answers = np.flatnonzero(position.patterns[:, cells[0][0]] == cells[0][1])
        targets[number] = answers, cells
    return targets


def refute(census: Census, waiting: list[Numbers], time_limit: float, table: Path, about: store.About) -> None:
    """Show that sets of answers have no second guess, those first that need the fewest new cores."""
    begin = saved = clock.now()
    trials, done = [0] * len(waiting), 0

    def effort(number: int) -> tuple[int, int]:
        """Return how often a set was tried in vain, and the negative number of guesses that are ruled out for it."""
        closed = np.bitwise_count(census.inner.ruled_out(census.inner.inside(waiting[number])))
        return trials[number], -int(closed.sum(dtype=np.int64))

    left = sorted(range(len(waiting)), key=effort)
    while left and clock.now() - begin < time_limit:
        number = left.pop(0)
        if census.refutes(waiting[number], patience=PATIENCE << trials[number]) is None:
            trials[number] += 1
            left.append(number)
        else:
            done += 1
        if done % 20 == 0:
            left.sort(key=effort)
        if clock.now() > saved + SAVE_EVERY:
            saved = clock.now()
            write_cores(table, about, census.inner)
            print(f"{done:,} of {len(waiting):,} sets, {len(census.inner):,} cores, {saved - begin:,.0f} s", flush=True)


def prove(position: Position, inner: Cores, targets: Targets, path: Path) -> certificates.Arrays:
    """Return the proofs of all targets for which the inner cores rule out every guess; those in the file are used."""
    chosen: set[int] = set()
    cores: list[Numbers] = []
    cells: list[Cell] = []
    for answers, whole in sorted(targets.values(), key=lambda target: (len(target[0]), target[1])):
        trial = set(chosen)
        if not choose(inner, inner.inside(answers), trial):
            continue
        chosen = trial
        if not whole:
            cores.append(answers)
        for word, code in whole:
            trial = set(chosen)
            if choose(inner, inner.inside(np.flatnonzero(position.patterns[:, word] == code)), trial):
                chosen = trial
                cells.append((word, code))
    print(f"{len(cores):,} cores and {len(cells):,} cells: {len(chosen):,} sets for four guesses", flush=True)
    proofs = Refutations(position)
    if path.exists() and "lengths_4" in (kept := certificates.read_proofs(path)):
        proofs.restore(kept)
    for done, number in enumerate(sorted(chosen), 1):
        if not len(proofs.sets[4].inside(inner[number])):
            proofs.sets[4].add(proofs.prove(np.sort(inner[number]), 4))
        if done % 500 == 0:
            print(f"{done:,} sets have a proof, with {len(proofs.sets[3]):,} sets for three guesses", flush=True)
    return proofs.arrays(cores, cells)


if __name__ == "__main__":
    sys.exit(main())
