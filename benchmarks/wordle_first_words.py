"""Find out which of the 12,972 first words can solve every one of 12,972 answers within six guesses; this takes hours.

    nice -n 19 python benchmarks/wordle_first_words.py

Every half minute the results are written to results/wordle-first-words.json. The run can be stopped at any time, and
the same line continues it. The words come in an order that is random but always the same; words that take long are
decided last. The file contains:

cores
    Sets of answers that cannot be solved within five guesses.
fails
    For each first word that fails, the number of a core that it leaves together in one cell.
solves
    For each first word that solves every answer, the number of guesses over all answers and the SHA-256 of the
    strategy, which was played by the rules: a line for each answer with the guesses that find it.
second_guesses
    How many cells each second guess has solved; a run that is continued tries these first.

Until all words are decided, results/wordle-first-words.table has what was learned on the way: sets of answers that
cannot be solved within four guesses. A run that is continued reads them, too; no result depends on them, as --verify
shows.

    python benchmarks/wordle_first_words.py --verify

plays every first word that fails against its core, and proves the cores again by the search of `wordle solve`, the
smallest ones first. Those with more than a hundred answers take hours; --time-limit ends it sooner.
"""

from __future__ import annotations

import argparse
import json
import random
import signal
import sys
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from gpusolve import clock, files
from gpusolve.backend import Backend, open_backend
from gpusolve.fields import Fields
from gpusolve.games.wordle import rules
from gpusolve.games.wordle.census.cores import Cores
from gpusolve.games.wordle.census.first_words import Census
from gpusolve.games.wordle.census.replay import digest, replay
from gpusolve.games.wordle.history import after
from gpusolve.games.wordle.proof.position import Position
from gpusolve.games.wordle.rules import Mode
from gpusolve.games.wordle.variant import Variant
from gpusolve.runs import store

RESULTS = Path(__file__).parent / "results" / "wordle-first-words.json"
WITHIN = 6
SEED = 28
COUNT = 12_972
MEMORY = 512  # MiB
SAVE_EVERY = 30.0  # seconds


@dataclass
class Results:
    """What is known so far; the parts are those of the file. The answers of a core are separated by spaces."""

    cores: list[str] = field(default_factory=list)
    fails: dict[str, int] = field(default_factory=dict)
    solves: dict[str, list[Any]] = field(default_factory=dict)
    second_guesses: dict[str, int] = field(default_factory=dict)

    @classmethod
    def read(cls, path: Path) -> Results:
        """Return the results of a file; none if there is no file."""
        return cls(**json.loads(path.read_text(encoding="utf-8"))) if path.exists() else cls()

    def write(self, path: Path) -> None:
        """Write the results with a line for each core and each word."""
        parts = ['"cores": [\n' + ",\n".join(json.dumps(core) for core in self.cores) + "\n]"]
        for name, table in (("fails", self.fails), ("solves", self.solves), ("second_guesses", self.second_guesses)):
            lines = (f'"{word}": {json.dumps(value)}' for word, value in sorted(table.items()))
            parts.append(f'"{name}": {{\n' + ",\n".join(lines) + "\n}")
        files.write(path, "{\n" + ",\n".join(parts) + "\n}\n", "results")

    def __str__(self) -> str:
        left = COUNT - len(self.fails) - len(self.solves)
        return (
            f"{len(self.solves):,} words solve every answer, {len(self.fails):,} fail, {left:,} are left; "
            f"{len(self.cores):,} cores"
        )


def main() -> int:
    """Decide the words that are not decided yet. Return the exit code: 1 if a core is not confirmed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--results", type=Path, default=RESULTS, help="file of the results")
    parser.add_argument("--words", nargs="+", help="decide these first words, by default all")
    parser.add_argument("--time-limit", type=float, default=float("inf"), help="stop after this many seconds")
    parser.add_argument("--verify", action="store_true", help="prove the cores again")
    parser.add_argument("--device", default="cpu:1", help="device, such as cpu:1")
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # SIGTERM ends it as Ctrl-C does
    results, position = Results.read(arguments.results), open_position(open_backend(arguments.device))
    if arguments.verify:
        return verify(results, position, arguments.time_limit)
    try:
        decide(results, position, arguments.words, arguments.results, arguments.time_limit)
    except KeyboardInterrupt:
        return 130
    finally:
        print(results)
    return 0


def open_position(backend: Backend, mode: Mode = "easy") -> Position:
    """Return the position before the first guess, with every guess as a possible answer."""
    variant = Variant.load(answers="wordle-guesses", mode=mode)
    return Position(after((), variant, "patterns", backend), variant, memory=MEMORY, backend=backend)


def decide(results: Results, position: Position, words: list[str] | None, path: Path, time_limit: float) -> None:
    """Decide first words one after the other, and write the results from time to time and at the end."""
    census, place = Census(position, within=WITHIN), position.guesses.place
    for core in results.cores:
        census.outer.add(np.array([position.answers.place[answer] for answer in core.split()]))
    for word, count in results.second_guesses.items():
        census.successes[place[word]] = count
    nogoods, about = path.with_suffix(store.SUFFIX), {"kind": "wordle.first-words", "answers": position.answers.digest}
    if nogoods.exists():
        read_cores(nogoods, about, census.inner, len(position.answers))
    if words is None:
        words = list(position.guesses)
        random.Random(SEED).shuffle(words)
        resume_at = max((i for i, word in enumerate(words) if word in results.solves), default=-1) + 1
        words = words[resume_at:] + words[:resume_at]  # an earlier run left the latter undecided
    begin = saved = clock.now()
    waiting, undecided = deque(words), 0
    try:
        while waiting:
            word = waiting.popleft()
            if word in results.fails or word in results.solves:
                continue
            if clock.now() - begin > time_limit:
                break
            verdict, since = census.decide(place[word]), clock.now()
            if verdict is None:  # later, and if only such words are left, with more patience
                waiting.append(word)
                undecided += 1
                if undecided > len(waiting):
                    census.patience *= 4
                    undecided = 0
                continue
            undecided = 0
            if verdict.paths is not None:
                turns = replay(position, verdict.paths)
                results.solves[word] = [int(turns.sum()), digest(position, verdict.paths)]
            results.cores = [" ".join(position.answers[i] for i in core) for core in census.outer]
            if verdict.core >= 0:
                failed = census.failed()
                results.fails |= {position.guesses[guess]: int(failed[guess]) for guess in np.flatnonzero(failed >= 0)}
            if since > saved + SAVE_EVERY:
                results.write(path)
                write_cores(nogoods, about, census.inner)
                saved = since
                print(f"{results}; {saved - begin:,.0f} s", flush=True)
    finally:
        tried = np.flatnonzero(census.successes).tolist()
        results.second_guesses = {position.guesses[guess]: int(census.successes[guess]) for guess in tried}
        results.write(path)
        if len(results.solves) + len(results.fails) < len(position.guesses):
            write_cores(nogoods, about, census.inner)
        else:
            nogoods.unlink(missing_ok=True)
            keep_shortest(results, census.outer, place)
            results.write(path)


def keep_shortest(results: Results, cores: Cores, place: Mapping[str, int]) -> None:
    """Give each word that fails the shortest core that it leaves together, and drop the cores that no word has then."""
    lengths = np.array([len(core) for core in cores])
    shortest = {word: min(cores.failing(place[word]).tolist(), key=lengths.item) for word in results.fails}
    kept = sorted(set(shortest.values()))
    number = {core: i for i, core in enumerate(kept)}
    results.cores = [results.cores[core] for core in kept]
    results.fails = {word: number[core] for word, core in shortest.items()}


def write_cores(path: Path, about: store.About, cores: Cores) -> None:
    """Save sets of answers."""
    members = np.concatenate([np.zeros(0, np.int16), *cores], dtype=np.int16)
    store.save(path, about, {"members": members, "lengths": np.array([len(core) for core in cores], np.int16)})


def read_cores(path: Path, about: store.About, cores: Cores, answers: int) -> None:
    """Add the sets of answers of a file."""
    found = Fields(f"table {path}", store.open_table(path, about).arrays)
    lengths = found.array("lengths", np.int16, (None,), 2, answers)
    members = found.array("members", np.int16, (int(lengths.sum()),), 0, answers - 1).astype(np.int64)
    for begin, end in pairwise([0, *lengths.cumsum(dtype=np.int64).tolist()]):
        cores.add(members[begin:end])


def verify(results: Results, position: Position, time_limit: float) -> int:
    """Mark each core by the rules for each word that fails, and prove the cores again, the smallest ones first.

    Return 1 at the first fault.
    """
    cores = [core.split() for core in results.cores]
    for word, number in results.fails.items():
        if len({rules.mark(word, answer, position.variant.scoring) for answer in cores[number]}) > 1:
            print(f"{word} does not leave core {number} together", file=sys.stderr)
            return 1
    begin = clock.now()
    for done, number in enumerate(sorted(range(len(cores)), key=lambda number: len(cores[number]))):
        if clock.now() - begin > time_limit:
            break
        members = np.array([position.answers.place[answer] for answer in cores[number]])
        if position.solvable(members, turns=WITHIN - 1)[0]:
            print(f"core {number} can be solved: {results.cores[number]}", file=sys.stderr)
            return 1
        print(f"{done + 1} of {len(cores)} cores confirmed: core {number}, {len(members)} answers", flush=True)
    print(results)
    return 0


if __name__ == "__main__":
    sys.exit(main())
