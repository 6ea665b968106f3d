"""The mean score at the console's clock against the time for a piece, by how far the learned value looks ahead.

    PYTHONPATH=src python benchmarks/tetris_strength.py PICTURE.png [> benchmarks/results/tetris-strength.md]

30 Hz, the console's own pieces, start level 19, 230 lines; processor time of one thread.
"""

from __future__ import annotations

import sys
import time
from math import log10
from pathlib import Path

from gpusolve import plot
from gpusolve.backend import open_backend
from gpusolve.games import tetris
from gpusolve.games.tetris.kernels import Settings
from harness import heading

ONE = open_backend("cpu:1")
CLOCK = Settings("30hz", "nes")
PLAYED: list[tuple[str, str, tuple[int, ...] | None, int]] = [
    ("learned", "greedy", None, 1000),
    ("learned", "branching", (2,), 400),
    ("learned", "branching", (4,), 400),
    ("learned", "two-piece", None, 400),
    ("learned", "branching", (2, 2), 200),
    ("learned", "branching", (4, 2), 150),
    ("learned", "branching", (8, 4), 100),
    ("learned", "branching", (16, 8), 40),
    ("30hz", "greedy", None, 1000),
    ("30hz", "two-piece", None, 400),
    ("30hz", "branching", (2, 2, 2), 60),
]
"""Weights, policy, breadths, games: as `gpusolve tetris evaluate` has them."""
SEED = 31337


def main(picture: Path) -> None:
    """Measures all, prints a table and draws the curves."""
    print(heading("Tetris: strength against time", ONE))
    print("| weights | policy | breadths | games | mean | ended early % | ms/piece |")
    print("|---|---|---|---:|---:|---:|---:|")
    curve: list[tuple[float, float]] = []
    for weights, policy, breadths, games in PLAYED:
        tetris.evaluate(weights, games=1, policy=policy, breadths=breadths, settings=CLOCK, seed=1, backend=ONE)
        begin = time.process_time()
        found = tetris.evaluate(
            weights, games=games, policy=policy, breadths=breadths, settings=CLOCK, seed=SEED, backend=ONE
        )
        ms = 1000 * (time.process_time() - begin) / found.pieces
        early = 100 * float((found.games.lines[0] < CLOCK.max_lines).mean())
        wide = "" if breadths is None else ", ".join(map(str, breadths))
        print(
            f"| {weights} | {policy} | {wide} | {games:,} | {found.score.mean:,.0f} ± {found.score.error:,.0f} | "
            f"{early:.1f} | {ms:.3g} |",
            flush=True,
        )
        if weights == "learned":
            curve.append((log10(ms), found.score.mean))
    times, means = zip(*sorted(curve), strict=True)
    title, label = "Tetris, 30 Hz: mean score of the learned value", "log10 of ms/piece, one thread"
    plot.save_lines(picture, times, {"learned": means}, title, label, "mean score")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
