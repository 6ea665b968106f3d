"""The published branching on the published piece lists: 150 games of the program with 22 rows.

The published (score, lines) pairs are read from ``../shared/data/tetris_published.csv`` next to the checkout, if it is
there.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from games.tetris.oracle import PUBLISHED
from gpusolve.backend import open_backend
from gpusolve.games.tetris.players.player import policy_of
from gpusolve.games.tetris.players.playing import play_lists
from gpusolve.games.tetris.players.weights import load_weights
from gpusolve.games.tetris.rules import board as rules, reachability

PAIRS = Path(__file__).parents[5] / "shared" / "data" / "tetris_published.csv"
SEED, GAMES = 205, 150


def published_lists() -> list[list[int]]:
    """Return the program's pieces: `uniform8` by two Mersenne twisters, continuing from the last piece of each list.

    The second draws from 0..6 as Boost does: the quotient by a seventh of 2^32, drawn again where it is 7.
    """
    words, others = (twister(SEED + i) for i in range(2))
    lists, last = [], 7
    for _ in range(GAMES):
        pieces: list[int] = []
        for _ in range(50 + 575 + 1200):
            piece = next(words) >> 29
            if piece in (last, 7):
                piece = next(word // 613_566_756 for word in others if word < 7 * 613_566_756)
            pieces.append(piece)
            last = piece
        lists.append(pieces)
    return lists


def twister(seed: int) -> Iterator[int]:
    random = np.random.RandomState(seed)
    while True:
        yield from random.randint(0, 2**32, 4096, dtype=np.uint32).tolist()


def test_the_lists_are_those_of_the_program() -> None:
    """The first word of the twister seeded with 5489 is 3499211612, as its authors say."""
    assert next(twister(5489)) == 3_499_211_612
    lists = published_lists()
    assert [len(lists), len(lists[0])] == [150, 1825]
    pairs = Counter((a, b) for pieces in lists for a, b in pairwise(pieces))
    for piece in range(7):
        following = sum(pairs[piece, other] for other in range(7))
        assert pairs[piece, piece] / following == pytest.approx(2 / 56, abs=0.005)


@pytest.mark.parametrize("piece", range(7))
def test_presses_come_to_the_spawn_first_and_to_every_state_once(piece: int) -> None:
    order = reachability.press_order(piece)
    assert list(order.values()) == list(range(len(order)))
    assert next(iter(order)) == rules.spawn_state(piece)
    empty = np.zeros((rules.ROWS, rules.COLUMNS), np.uint8)
    steps = {state: len(path) for state, path in reachability.free_paths(empty, piece).items()}
    assert order.keys() == steps.keys()
    assert [steps[state] for state in order] == sorted(steps.values())


@pytest.mark.slow
def test_the_published_games_come_out() -> None:
    """144 of the 150 pairs equal the published ones, with ties by presses; the means differ by 1,474 of 1,199,353."""
    player = load_weights(PUBLISHED)
    policy = policy_of(player, "branching", ties="presses")
    games, _ = play_lists(open_backend("cpu"), player, published_lists(), policy=policy)
    scores = games.scores[0]
    assert scores.mean() == pytest.approx(1_199_353, abs=2_000)
    assert 100 * (scores >= rules.MAXOUT).mean() == pytest.approx(96.0)
    if not PAIRS.exists():
        return
    with PAIRS.open() as file:
        theirs = Counter((int(row["score"]), int(row["lines"])) for row in csv.DictReader(file))
    ours = Counter(zip(scores.tolist(), games.lines[0].tolist(), strict=True))
    assert (ours & theirs).total() >= 144
