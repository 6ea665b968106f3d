"""Find out whether any of 12,972 first words solves every one of 12,972 answers within six guesses in hard mode.

    nice -n 19 python benchmarks/wordle_first_words_hard.py

The results are written to results/wordle-first-words-hard.json from time to time. The run can be stopped at any
time, and the same line continues it. The file contains:

cores
    Sets of answers that cannot be solved within five guesses if these guesses must contain some letters: at the places
    of `greens`, and all those of `letters` somewhere.
fails
    For each first word that fails, the number of a core. The word contains the letters that the core's guesses must
    contain, and it gets the same pattern for all of the core's answers.
solves
    First words that solve every answer, as far as the search knows. No strategy is kept: `wordle solve --first WORD`
    finds one.

    python benchmarks/wordle_first_words_hard.py --verify

proves every core again, without what was learned before, and plays every first word that fails against its core.
"""

from __future__ import annotations

import argparse
import json
import signal
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from gpusolve import clock, files
from gpusolve.backend import Backend, open_backend
from gpusolve.games.wordle import rules
from gpusolve.games.wordle.census.hard_mode import Core, HardCensus
from gpusolve.games.wordle.cpu.proof.memory import NO_LIMIT
from gpusolve.games.wordle.cpu.proof.needs import Needs
from gpusolve.games.wordle.history import after
from gpusolve.games.wordle.proof.position import Position
from gpusolve.games.wordle.variant import Variant
from wordle_first_words import MEMORY, open_position

RESULTS = Path(__file__).parent / "results" / "wordle-first-words-hard.json"
WITHIN = 6
LIMITS = ((30, 15), (300, 50), (3_000, 243), (100_000, 243), (NO_LIMIT, 243))
"""States for a cell of a first word, and number of cells, the tightest ones: words that take long are decided last."""
SAVE_EVERY = 30.0  # seconds
ALPHABET, ANY = "abcdefghijklmnopqrstuvwxyz", "."


@dataclass
class Results:
    """What is known so far; the parts are those of the file."""

    cores: list[dict[str, str]] = field(default_factory=list)
    fails: dict[str, int] = field(default_factory=dict)
    solves: list[str] = field(default_factory=list)

    @classmethod
    def read(cls, path: Path) -> Results:
        """Return the results of a file; none if there is no file."""
        return cls(**json.loads(path.read_text(encoding="utf-8"))) if path.exists() else cls()

    def write(self, path: Path) -> None:
        """Write the results with a line for each core and each word that fails."""
        cores = '"cores": [\n' + ",\n".join(json.dumps(core) for core in self.cores) + "\n]"
        fails = '"fails": {\n' + ",\n".join(f'"{word}": {core}' for word, core in sorted(self.fails.items())) + "\n}"
        files.write(path, f'{{\n{cores},\n{fails},\n"solves": {json.dumps(sorted(self.solves))}\n}}\n', "results")


def main() -> int:
    """Decide the words that are not decided yet. Return the exit code: 1 if a core is not confirmed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--results", type=Path, default=RESULTS, help="file of the results")
    parser.add_argument("--verify", action="store_true", help="prove the cores again")
    parser.add_argument("--device", default="cpu:1", help="device, such as cpu:1")
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # SIGTERM ends it as Ctrl-C does
    results, backend = Results.read(arguments.results), open_backend(arguments.device)
    if arguments.verify:
        return verify(results, backend)
    try:
        decide(results, open_position(backend, "hard"), arguments.results)
    except KeyboardInterrupt:
        return 130
    return 0


def decide(results: Results, position: Position, path: Path) -> None:
    """Decide first words one after the other, and write the results from time to time and at the end."""
    census, guesses = HardCensus(position, within=WITHIN), position.guesses
    for core in results.cores:
        census.keep(core_of(core, position))
    begin = saved = clock.now()
    order = np.random.default_rng(0).permutation(len(guesses)).tolist()
    try:
        for states, most in LIMITS:
            for word in order:
                if guesses[word] in results.fails or guesses[word] in results.solves:
                    continue
                verdict = census.decide(word, states=states, most=most)
                if verdict:
                    results.solves.append(guesses[word])
                elif verdict is False:
                    results.cores += [text_of(core, position) for core in census.cores[len(results.cores) :]]
                    failed = np.flatnonzero(census.failed >= 0).tolist()
                    results.fails |= {guesses[guess]: int(census.failed[guess]) for guess in failed}
                if clock.now() > saved + SAVE_EVERY:
                    saved = clock.now()
                    results.write(path)
                    print(
                        f"{summary(results, len(guesses))}; {states:,} states for a cell; {saved - begin:,.0f} s",
                        flush=True,
                    )
    finally:
        results.write(path)
        print(summary(results, len(guesses)))


def summary(results: Results, words: int) -> str:
    """Return how many words are decided."""
    left = words - len(results.fails) - len(results.solves)
    return (
        f"{len(results.fails):,} words fail by {len(results.cores):,} cores, "
        f"{len(results.solves):,} solve every answer, {left:,} are left"
    )


def text_of(core: Core, position: Position) -> dict[str, str]:
    """Return a core as words and letters."""
    greens, counts = [ANY] * len(core.need), Counter[str]()
    for column, facts in enumerate(core.need.tolist()):
        for letter, name in enumerate(ALPHABET):
            if facts >> letter & 1:
                greens[column] = name
            if facts >> len(ALPHABET) + letter & 1:
                counts[name] = column + 1  # which includes that there are fewer
    answers = " ".join(position.answers[i] for i in core.answers)
    return {"answers": answers, "greens": "".join(greens), "letters": "".join(sorted(counts.elements()))}


def core_of(core: dict[str, str], position: Position) -> Core:
    """Return the core that `text_of` has described."""
    need: Needs = np.zeros(position.search.needs.shape[1], np.uint64)
    for column, letter in enumerate(core["greens"]):
        if letter != ANY:
            need[column] |= np.uint64(1 << ALPHABET.index(letter))
    for letter, count in Counter(core["letters"]).items():
        need[:count] |= np.uint64(1 << len(ALPHABET) + ALPHABET.index(letter))
    return Core(np.array([position.answers.place[answer] for answer in core["answers"].split()]), need)


def contains(word: str, core: dict[str, str]) -> bool:
    """Return whether a word contains what the guesses of a core must contain."""
    places = zip(word, core["greens"], strict=True)
    return all(green in (letter, ANY) for letter, green in places) and Counter(core["letters"]) <= Counter(word)


def verify(results: Results, backend: Backend) -> int:
    """Prove every core again, and play each word that fails against its core. Return 1 at the first fault.

    Each core gets a new search, whose guesses are the words that contain what the core needs.
    """
    words = Variant.load(answers="wordle-guesses").guesses
    for number, core in enumerate(results.cores):
        answers, legal = core["answers"].split(), [word for word in words if contains(word, core)]
        variant = Variant.load(legal, answers, mode="hard")
        position = Position(after((), variant, "patterns", backend), variant, memory=MEMORY, backend=backend)
        if position.solvable(np.arange(len(answers)), turns=WITHIN - 1)[0]:
            print(f"core {number} can be solved: {core}", file=sys.stderr)
            return 1
    print(f"{len(results.cores):,} cores confirmed")
    for word, number in results.fails.items():
        core = results.cores[number]
        answers = core["answers"].split()
        right = len({rules.mark(word, answer, "wordle") for answer in answers}) == 1
        right &= all(contains(each, core) for each in (word, *answers))
        if not right:
            print(f"{word} does not fail by core {number}", file=sys.stderr)
            return 1
    print(summary(results, len(words)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
