"""All positions of small boards by their depth, against published counts and plain breadth-first search."""

from __future__ import annotations

from collections import Counter
from types import SimpleNamespace
from typing import cast

import pytest

from gpusolve.backend import Backend, open_backend
from gpusolve.errors import BadInput, Exit
from gpusolve.games.sliding import Board, census, rules, solve
from gpusolve.games.sliding.search.solution import METRICS, Metric

PUBLISHED = {
    (2, 3, "blank-first"): "1 2 3 5 6 7 10 12 12 16 23 25 28 39 44 40 29 21 18 12 6 1",  # A090034
    (2, 4, "blank-first"): (  # A090035
        "1 2 3 6 10 14 19 28 42 61 85 119 161 215 293 396 506 632 788 985 1194 1414 1664 1884 1999 1958 1770 1463 1076 "
        "667 361 190 88 39 19 7 1"
    ),
    (3, 3, "blank-first"): (  # A089473
        "1 2 4 8 16 20 39 62 116 152 286 396 748 1024 1893 2512 4485 5638 9529 10878 16993 17110 23952 20224 24047 "
        "15578 14560 6274 3910 760 221 2"
    ),
    (3, 3, "1 0 2 / 3 4 5 / 6 7 8"): (  # A089483
        "1 3 5 10 14 28 42 80 108 202 278 524 726 1348 1804 3283 4193 7322 8596 13930 14713 21721 19827 25132 18197 "
        "18978 9929 7359 2081 878 126 2"
    ),
    (3, 3, "spiral"): (  # A089474: the blank in the centre
        "1 4 8 8 16 32 60 72 136 200 376 512 964 1296 2368 3084 5482 6736 11132 12208 18612 18444 24968 19632 22289 "
        "13600 11842 4340 2398 472 148"
    ),
    (2, 5, "blank-last"): (  # A090036
        "1 2 3 6 11 19 30 44 68 112 176 271 411 602 851 1232 1783 2530 3567 4996 6838 9279 12463 16597 21848 28227 "
        "35682 44464 54597 65966 78433 91725 104896 116966 126335 131998 133107 128720 119332 106335 91545 75742 60119 "
        "45840 33422 23223 15140 9094 5073 2605 1224 528 225 75 20 2"
    ),
    (3, 4, "blank-first"): (  # A090166
        "1 2 4 9 20 37 63 122 232 431 781 1392 2494 4442 7854 13899 24215 41802 71167 119888 198363 323206 515778 "
        "811000 1248011 1885279 2782396 4009722 5621354 7647872 10065800 12760413 15570786 18171606 20299876 21587248 "
        "21841159 20906905 18899357 16058335 12772603 9515217 6583181 4242753 2503873 1350268 643245 270303 92311 "
        "27116 5390 1115 86 18"
    ),
}
"""Sequences of the On-Line Encyclopedia of Integer Sequences, oeis.org."""


@pytest.mark.parametrize(("rows", "columns", "goal"), PUBLISHED)
def test_counts_are_the_published_ones(rows: int, columns: int, goal: str) -> None:
    found = census(rows=rows, columns=columns, goal=goal)
    assert " ".join(map(str, found.counts)) == PUBLISHED[rows, columns, goal]
    assert found.complete
    assert found.exit_code == Exit.DONE


@pytest.mark.thorough
def test_published_radii() -> None:
    """OEIS A151944 has those of single tiles; A090167 begins with these counts."""
    found = census(rows=2, columns=6)
    assert found.counts[:20] == [
        1, 2, 3, 6, 11, 20, 36, 60, 95, 155, 258, 426, 688, 1106, 1723, 2615, 3901, 5885, 8851, 13205,
    ]  # fmt: skip
    assert found.depth == 80
    assert census(rows=4, columns=3, metric="multi-tile").depth == 33


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize(
    ("rows", "columns", "goal"),
    [
        (2, 2, "blank-first"),
        (2, 3, "snake"),
        (3, 2, "1 2 / 0 3 / 4 5"),
        (2, 4, "columns"),
        (4, 2, "4 1 / 0 2 / 3 6 / 5 7"),
    ],
)
def test_counts_and_the_hardest_boards_are_those_of_plain_search(
    backend: Backend, rows: int, columns: int, goal: str, metric: Metric
) -> None:
    found = census(rows=rows, columns=columns, goal=goal, metric=metric, hardest=1000, backend=backend)
    plain = (rules.distances if metric == "single-tile" else rules.slide_distances)(rows, columns, goal=goal)
    counts = Counter(plain.values())
    assert found.counts == [counts[depth] for depth in range(len(counts))]
    hardest = sorted(tiles for tiles, depth in plain.items() if depth == found.depth)
    assert [Board.parse(board, goal=goal).tiles for board in found.hardest] == hardest


@pytest.mark.parametrize("metric", METRICS)
def test_devices_agree_where_bits_words_and_groups_move(backend: Backend, metric: Metric) -> None:
    """The first levels of a board of nine cells; complete searches take too long in the emulation."""
    goal = "1 2 3 / 4 0 5 / 6 7 8"
    found, other = (
        census(goal=goal, metric=metric, hardest=1000, backend=device) for device in (backend, open_backend("cpu"))
    )
    assert (found.counts, found.hardest) == (other.counts, other.hardest)


def test_the_hardest_boards_take_the_greatest_depth() -> None:
    found = census(metric="multi-tile", hardest=5)
    assert [solve(board, goal="blank-first", metric="multi-tile").length for board in found.hardest] == [found.depth]


def test_a_time_limit_leaves_complete_depths() -> None:
    found = census(time_limit=0)
    assert (found.counts, found.complete, found.exit_code) == ([1], False, Exit.STOPPED)
    assert found.hardest == ["0 1 2 / 3 4 5 / 6 7 8"]


def test_letters_are_those_of_the_goal() -> None:
    found = census(rows=2, columns=2, goal="_A/BC")
    assert (found.depth, found.hardest) == (6, ["C B / A _"])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rows": 3, "columns": 5}, "3x5 is 15 cells: expected at most 14"),
        ({"goal": "1 1 1 / 2 2 2 / 3 3 0"}, "expected tiles that are all different"),
        ({"hardest": 0}, "hardest 0: expected a whole number, 1 to 1,000"),
        ({"goal": "0 1 / 2 3"}, "2x2, expected 3x3"),
    ],
)
def test_bad_input(options: dict[str, object], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        census(**options)  # type: ignore[arg-type]


def test_too_little_memory_is_told_before_it_is_taken() -> None:
    device = cast("Backend", SimpleNamespace(name="cpu", free_memory=10**8, launch=None))
    with pytest.raises(BadInput, match=r"2x7 needs 12\.4 GiB of memory, but 0\.1 GiB are free on cpu"):
        census(rows=2, columns=7, metric="multi-tile", backend=device)
