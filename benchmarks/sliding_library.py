"""Choose the databases of libraries: that of `sliding_random.py`, and that of `sliding solve` (`databases/library.py`).

Of the partitions that they serve, two are taken for each board.

    nice -n 19 python benchmarks/sliding_library.py

A choice of databases is good if the best two of the partitions that they serve keep few nodes of samples of random
boards, in the geometric mean. The candidates are the databases of the pairs in results/sliding-partitions.json, of the
partitions that have names, and those that serve the most partitions. One after the other is left out, always the one
that matters least; then, for each small number of databases, exchanges improve choices that begin at random. Building
the candidates takes most of the time.
"""

from __future__ import annotations

import json
import random
import sys
from collections import Counter

import numpy as np
import numpy.typing as npt

from gpusolve.backend import open_backend
from gpusolve.games.sliding import open_databases, scramble
from gpusolve.games.sliding.databases.catalogue import names, partition_of
from gpusolve.games.sliding.databases.tilesets import Pattern, parse_partition, view_of
from sliding_partitions import CELLS, CHOSEN, COLUMNS, ROWS, connected_partitions, count_kept, draw, follow_all
from sliding_random import COUNT, ENOUGH, SAMPLES, SEED

BOARDS = range(3, 483, 8)  # of the random set
COMMON = 24
"""Number of candidates that are there because they serve the most partitions."""
LEAST = 9  # databases of the smallest choice
EXCHANGED = range(7, 12)
"""Numbers of databases for which exchanges are tried."""
TINY = 3.0  # nodes that are added to those kept, so that a sample of which none is kept does not decide alone


def main() -> int:
    """Print how good the best choice of each number of databases is."""
    backend = open_backend("cpu:1")
    small = open_databases(ROWS, COLUMNS, partition="small", backend=backend)
    boards = scramble(rows=ROWS, columns=COLUMNS, count=COUNT, seed=SEED)
    samples = [draw(boards[number], small, enough=ENOUGH, count=SAMPLES) for number in BOARDS]
    partitions = connected_partitions()
    pattern_of = {
        tiles: view_of(ROWS, COLUMNS, tiles, tuple(range(CELLS))).pattern for sets in partitions for tiles in sets
    }
    wanted = _candidates([{pattern_of[tiles] for tiles in sets} for sets in partitions])
    partitions = [sets for sets in partitions if all(pattern_of[tiles] in wanted for tiles in sets)]
    heights = follow_all({tiles for sets in partitions for tiles in sets}, samples, backend)
    counts = [count_kept(sample, partitions, found) for sample, found in zip(samples, heights, strict=True)]
    fractions = np.log([(count + TINY) / len(sample.length) for count, sample in zip(counts, samples, strict=True)])
    needed = [{pattern_of[tiles] for tiles in sets} for sets in partitions]

    def worth(chosen: set[Pattern]) -> float:
        return _mean(chosen, needed, fractions)

    def text(chosen: set[Pattern]) -> str:
        return ", ".join(sorted(str(pattern).removeprefix("5x5-") for pattern in chosen))

    for chosen in _smaller_and_smaller(wanted, needed, fractions):
        print(f"{len(chosen)} databases keep {np.exp(worth(chosen)):.4f} of the nodes: {text(chosen)}", flush=True)
    for most in EXCHANGED:
        chosen = min((_exchanged(most, needed, fractions, seed) for seed in range(6)), key=worth)
        print(f"{len(chosen)} databases, exchanged, keep {np.exp(worth(chosen)):.4f}: {text(chosen)}", flush=True)
    return 0


def _candidates(needed: list[set[Pattern]]) -> set[Pattern]:
    pairs = [parse_partition(ROWS, COLUMNS, choice["partition"]) for choice in json.loads(CHOSEN.read_text())]
    named = [partition_of(ROWS, COLUMNS, name) for name in names(ROWS, COLUMNS)[:2]]
    served = Counter(pattern for patterns in needed for pattern in patterns)
    known = set(served)
    return {pattern for partition in pairs + named for pattern in partition.patterns if pattern in known} | {
        pattern for pattern, _ in served.most_common(COMMON)
    }


def _smaller_and_smaller(
    candidates: set[Pattern], needed: list[set[Pattern]], fractions: npt.NDArray[np.float64]
) -> list[set[Pattern]]:
    """Return the choices of databases, each with one less than the one before."""
    choices = [candidates]
    while len(choices[-1]) > LEAST:
        last = choices[-1]
        without = [last - {pattern} for pattern in sorted(last, key=str)]
        choices.append(min(without, key=lambda chosen: _mean(chosen, needed, fractions)))
    return choices


def _exchanged(most: int, needed: list[set[Pattern]], fractions: npt.NDArray[np.float64], seed: int) -> set[Pattern]:
    """Return a choice of at most `most` databases that no partition improves that takes the place of some of them."""
    chosen: set[Pattern] = set()
    for patterns in random.Random(seed).sample(needed, len(needed)):
        if len(chosen | patterns) <= most:
            chosen |= patterns
    while True:
        best = min(
            (_left(most, chosen, patterns, needed, fractions) for patterns in needed if not patterns <= chosen),
            key=lambda other: _mean(other, needed, fractions),
            default=chosen,
        )
        if _mean(best, needed, fractions) >= _mean(chosen, needed, fractions):
            return chosen
        chosen = best


def _left(
    most: int,
    chosen: set[Pattern],
    added: set[Pattern],
    needed: list[set[Pattern]],
    fractions: npt.NDArray[np.float64],
) -> set[Pattern]:
    """Return a choice with more databases added, and as many others left out as are too many."""
    union = chosen | added
    while len(union) > most:
        without = [union - {pattern} for pattern in sorted(union - added, key=str)]
        union = min(without, key=lambda other: _mean(other, needed, fractions))
    return union


def _mean(chosen: set[Pattern], needed: list[set[Pattern]], fractions: npt.NDArray[np.float64]) -> float:
    """Return the mean logarithm of what the best pair of partitions keeps of each sample."""
    allowed = [number for number, patterns in enumerate(needed) if patterns <= chosen]
    if not allowed:
        return 0.0
    return float(fractions[:, allowed][:, :, allowed].min(axis=(1, 2)).mean())


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit("stopped")
