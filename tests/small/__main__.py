"""Compare what commands call proven, complete, all or exact with brute force, in random small cases.

    PYTHONPATH=tests python -m small [--minutes 3] [--seed 1] [--game GAME ...] [--only COMMAND] [--first N] [--cases N]

prints, for each command, how many cases were tried, and each fault with the call that reproduces it. `--minutes` is
the time for all commands together; to compile kernels and to build tables does not count. Case number N of a command
depends only on the seed and N.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Sequence

from small.cases import Check, run, text_of
from small.checks import checks


def report(chosen: Sequence[Check], *, seed: int, seconds: float, first: int, most: int) -> int:
    """Print the results; return 1 if there is a fault."""
    cases = wrong = 0
    for check in chosen:
        done = run(check, seed=seed, first=first, most=most, seconds=seconds)
        cases, wrong = cases + done.cases, wrong + len(done.found)
        print(f"{check.command}: {done.cases:,} cases in {done.seconds:.0f} s, {len(done.found)} faults", flush=True)
        for found in done.found:
            for line in text_of(found, check, seed):
                print(f"    {line}", flush=True)
    print(f"cases: {cases:,} for {len(chosen)} commands, wrong: {wrong:,}")
    return int(wrong > 0)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutes", type=float, default=3, help="time for all commands together")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--game", nargs="*", default=[], help="games to try; by default all")
    parser.add_argument("--only", default="", help="commands whose names contain this text")
    parser.add_argument("--first", type=int, default=0, help="number of the first case")
    parser.add_argument("--cases", type=int, default=1 << 60, help="largest number of cases of each command")
    given = parser.parse_args()
    found = [
        each
        for each in checks()
        if given.only in each.command and (not given.game or each.command.partition(" ")[0] in given.game)
    ]
    if not found:
        parser.error("no such command")
    seconds = 60 * given.minutes / len(found)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["GPUSOLVE_TABLES"] = folder
        code = report(found, seed=given.seed, seconds=seconds, first=given.first, most=given.cases)
    sys.exit(code)
