"""The mean score at the console's clock against the time for a piece, by how far the learned value looks ahead.

    PYTHONPATH=src python benchmarks/tetris_strength.py PICTURE.png [> benchmarks/results/tetris-strength.md]

30 Hz, the console's own pieces, start level 19, 230 lines; processor time of one thread.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from gpusolve.backend import open_backend
from gpusolve.games import tetris
from gpusolve.games.tetris.variant import Settings
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
    ("learned", "branching", (16, 8), 100),
    ("learned", "branching", (32, 24), 24),
    ("learned", "playouts", (4, 16, 4), 60),
    ("learned", "playouts", (5, 49, 6), 16),
    ("30hz", "greedy", None, 1000),
    ("30hz", "two-piece", None, 400),
    ("30hz", "branching", (2, 2, 2), 60),
]
"""Weights, policy, breadths, games: as `gpusolve tetris evaluate` has them."""
SEED = 31337
OTHERS = {
    "StackRabbit, two pieces": 1_268_468,
    "StackRabbit, 7 playouts": 1_342_327,
    "StackRabbit, 49 playouts (13 ms)": 1_392_000,
}
"""Means of another player at this clock, measured elsewhere: 120, 40 and 8 games."""


def main(picture: Path) -> None:
    """Measures all, prints a table and draws the curves."""
    print(heading("Tetris: strength against time", ONE))
    print("| weights | policy | breadths | games | mean | ended early % | ms/piece |")
    print("|---|---|---|---:|---:|---:|---:|")
    curves: dict[str, list[tuple[float, float, float]]] = {}
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
        name = f"{weights}, playouts" if policy == "playouts" else weights
        curves.setdefault(name, []).append((ms, found.score.mean, found.score.error))
    draw(picture, curves)


def draw(picture: Path, curves: dict[str, list[tuple[float, float, float]]]) -> None:
    """The means with their standard errors over the time, which is logarithmic, and what others make."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 4.5), layout="constrained")
    axes = figure.add_subplot()
    for name, points in curves.items():
        times, means, errors = zip(*sorted(points), strict=True)
        axes.errorbar(times, means, errors, label=name, marker="o", markersize=3)
    for (name, mean), style in zip(OTHERS.items(), (":", "-.", "--"), strict=True):
        axes.axhline(mean, color="tab:gray", linestyle=style, linewidth=1, label=name)
    axes.set(xscale="log", title="Tetris at 30 Hz", xlabel="ms per piece, one thread", ylabel="mean score")
    axes.set_ylim(bottom=1_000_000)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, fontsize="small")
    figure.savefig(picture, dpi=150)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
