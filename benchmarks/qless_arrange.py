"""How long `qless arrange` takes for hands of Bananagrams, and the same hands and words for another program.

    PYTHONPATH=src python benchmarks/qless_arrange.py [--out FOLDER] [--times FILE]

`--out` writes the words of each list, and all hands, as another program needs them: one per line, in capitals.
`--times` has what it took for these hands, in their order: on each line the tiles, `ok` if it found a crossword, and
milliseconds.
"""

from __future__ import annotations

import argparse
import random
import time
from pathlib import Path
from statistics import mean, median

from gpusolve.games.qless import BANANAGRAMS, Free, arrange

BAG = "13a3b3c6d18e3f4g3h12i2j2k5l3m8n11o3p2q9r6s9t6u3v3w2x3y2z"
HANDS = {10: 20, 15: 20, 21: 20, 35: 20, 60: 20, 72: 20, 100: 20, 144: 5}
"""Tiles -> number of hands."""
COMPACT = (21, 60, 144)
SECONDS = 5.0


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--times", type=Path)
    options = parser.parse_args()
    every, chance = arrange(BAG, seed=1).tiles, random.Random(1)
    hands = [(count, "".join(chance.sample(every, count))) for count in HANDS for _ in range(HANDS[count])]
    if options.out:
        for name, variant in (("words", BANANAGRAMS), ("common", Free(common=True))):
            (options.out / name).write_text("\n".join(variant.anagrams.words).upper())
        (options.out / "hands").write_text("\n".join(tiles for _, tiles in hands).upper())
        return
    ours = []
    for _, tiles in hands:
        begin = time.perf_counter()
        found = arrange(tiles, seed=1)
        ours.append((found.grid is not None, 1000 * (time.perf_counter() - begin)))
    theirs = [line.split() for line in options.times.read_text().splitlines()] if options.times else []
    others = [(row[1] == "ok", float(row[2])) for row in theirs]
    print("| tiles | found | mean, ms | median | largest | other program: found | mean, ms | median | largest |")
    print(f"|---|{'---:|' * 8}")
    for count in HANDS:
        rows = [
            _row([each[i] for i, (size, _) in enumerate(hands) if size == count]) for each in (ours, others) if each
        ]
        print(f"| {count} | {' | '.join(rows)} |")
    print(f"\n| tiles | rows and columns, first | compact, {SECONDS:g} s |\n|---|---:|---:|")
    for count in COMPACT:
        tiles = next(tiles for size, tiles in hands if size == count)
        first, compact = arrange(tiles, seed=1), arrange(tiles, compact=True, tries=10**6, seed=1, time_limit=SECONDS)
        print(f"| {count} | {first.rows} x {first.columns} | {compact.rows} x {compact.columns} |")


def _row(times: list[tuple[bool, float]]) -> str:
    numbers = [milliseconds for _, milliseconds in times]
    found = sum(each for each, _ in times)
    return f"{found} of {len(times)} | {mean(numbers):.1f} | {median(numbers):.1f} | {max(numbers):.1f}"


if __name__ == "__main__":
    main()
