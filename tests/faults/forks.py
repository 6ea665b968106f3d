"""Run every game in this process and then in a fork of it, which has this process's memory but none of its threads.

    python tests/faults/forks.py [--patience 60]

prints, for each game, whether the fork gave the same result in time.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
from collections.abc import Callable

from gpusolve.backend import Backend
from gpusolve.backend.cpu import CpuBackend
from gpusolve.games import qless, queuedle, quiddler, quordle, sliding, tetris, wordle
from gpusolve.games.sliding.databases.catalogue import partition_of
from gpusolve.games.sliding.databases.database import build_database

ROW = sliding.Board.parse("1 0 2 / 3 4 5 / 6 7 8")
GAMES: dict[str, Callable[[Backend], object]] = {
    "qless": lambda backend: qless.count("aeinrst", backend=backend).solutions,
    "queuedle": lambda backend: queuedle.solve("tsea/enop/adis/ttre etaoinsh", states=20_000, backend=backend).score,
    "quiddler": lambda backend: quiddler.census(count=20, seed=1, backend=backend).best.tolist(),
    "quordle": lambda backend: quordle.simulate(count=50, seed=1, backend=backend).solved.tolist(),
    "sliding": lambda backend: (
        build_database(partition_of(3, 3).patterns[0], backend).counts.tolist(),
        sliding.solve(ROW, backend=backend).moves,
    ),
    "tetris": lambda backend: tetris.evaluate(
        count=20, policy="greedy", variant=tetris.Variant(max_lines=5), seed=1, backend=backend
    ).scores.tolist(),
    "wordle": lambda backend: str(wordle.suggest([], backend=backend)),
}
"""A call of each game that has enough work for several threads."""


def answers_in_a_fork(game: str, patience: float) -> bool:
    """Return whether a fork of this process gives the result that this process gave, within `patience` seconds."""
    backend = CpuBackend(2)
    expected = GAMES[game](backend)
    assert backend._started, f"{game}: one thread was enough"
    backend._quick.clear()  # the fork uses threads, too
    receiver, sender = multiprocessing.Pipe(duplex=False)
    fork = multiprocessing.get_context("fork").Process(target=lambda: sender.send(GAMES[game](backend)))
    fork.start()
    try:
        return receiver.poll(patience) and bool(receiver.recv() == expected)
    finally:
        fork.kill()
        fork.join()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--patience", type=float, default=60)
    given = parser.parse_args()
    found = {game: answers_in_a_fork(game, given.patience) for game in GAMES}
    for game, answered in found.items():
        print(f"{game}: {'the same result' if answered else 'no result, or another one'}")
    sys.exit(not all(found.values()))
