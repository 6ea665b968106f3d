"""Tetris: the mean score at the console's clock against the time per piece, by how far a player looks ahead.

    PYTHONPATH=src python benchmarks/tetris_strength.py PICTURE.png [> benchmarks/results/tetris-strength.md]

All games are played at 30 Hz with the console's own pieces, from level 19 to 230 lines. Times are processor times on
one thread.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from gpusolve.backend import open_backend
from gpusolve.games import tetris
from gpusolve.games.tetris.players.policy import PolicyName
from harness import heading

ONE = open_backend("cpu:1")
CLOCK = tetris.Variant("30hz", "nes")
PLAYED: list[tuple[str, PolicyName, tuple[int, ...] | None, int]] = [
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
"""Player, policy, breadths and games of `gpusolve tetris evaluate`."""
SEED = 31337
OTHERS = {
    "StackRabbit, two pieces": 1_268_468,
    "StackRabbit, 7 playouts": 1_342_327,
    "StackRabbit, 49 playouts (13 ms)": 1_392_000,
}
"""Mean scores of another player at this clock, measured elsewhere over 120, 40 and 8 games."""


def main(picture: Path) -> None:
    """Measure all players, print a table and draw the curves."""
    print(heading("Tetris: strength against time", ONE))
    print("| player | policy | breadths | games | mean | ended early % | ms/piece |")
    print("|---|---|---|---:|---:|---:|---:|")
    curves: dict[str, list[tuple[float, float, float]]] = {}
    for player, policy, breadths, games in PLAYED:
        tetris.evaluate(player, count=1, policy=policy, breadths=breadths, variant=CLOCK, seed=1, backend=ONE)
        begin = time.process_time()
        evaluation = tetris.evaluate(
            player, count=games, policy=policy, breadths=breadths, variant=CLOCK, seed=SEED, backend=ONE
        )
        ms = 1000 * (time.process_time() - begin) / evaluation.pieces
        early = 100 * float((evaluation.games.lines[0] < CLOCK.max_lines).mean())
        wide = "" if breadths is None else ", ".join(map(str, breadths))
        print(
            f"| {player} | {policy} | {wide} | {games:,} | "
            f"{evaluation.score.mean:,.0f} ± {evaluation.score.error:,.0f} | {early:.1f} | {ms:.3g} |",
            flush=True,
        )
        name = f"{player}, playouts" if policy == "playouts" else player
        curves.setdefault(name, []).append((ms, evaluation.score.mean, evaluation.score.error))
    draw(picture, curves)


def draw(picture: Path, curves: dict[str, list[tuple[float, float, float]]]) -> None:
    """Plot the means with their standard errors over the time, on a logarithmic axis, and the other player's means."""
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
