"""Moves, and the two slow solvers against published facts and each other."""

from __future__ import annotations

from collections import Counter

import pytest

from gpusolve.errors import BadInput
from gpusolve.games.sliding import rules
from gpusolve.games.sliding._scramble import scramble
from gpusolve.games.sliding._verify import verify
from gpusolve.games.sliding.boards import Board


def test_distances_of_the_8_puzzle() -> None:
    """There are 181,440 boards, and the two farthest are 31 moves away (Reinefeld 1993)."""
    by_distance = Counter(rules.distances(3, 3).values())
    assert by_distance.total() == 181_440
    assert (max(by_distance), by_distance[31]) == (31, 2)
    assert [by_distance[n] for n in range(8)] == [1, 2, 4, 8, 16, 20, 39, 62]


@pytest.mark.parametrize(("rows", "columns", "farthest"), [(2, 2, 6), (2, 3, 21), (3, 2, 21), (2, 4, 36)])
def test_the_greatest_distance_of_a_size(rows: int, columns: int, farthest: int) -> None:
    assert max(rules.distances(rows, columns).values()) == farthest


@pytest.mark.parametrize("goal", ["blank-first", "blank-last"])
def test_the_deepening_search_finds_the_distances(goal: str) -> None:
    distances = rules.distances(3, 3, goal=goal)
    for board in scramble(rows=3, columns=3, goal=goal, moves=16, count=20, seed=3):
        solution = rules.shortest(board)
        assert len(solution) == distances[board.tiles] >= rules.manhattan(board)
        assert verify(board, solution).solves
        assert rules.solves(board, solution)


def test_moves_can_be_directions_or_tiles() -> None:
    board = Board.parse("1 2 3 / 4 0 5 / 6 7 8")
    assert rules.parse_moves(board, "u l,d R") == rules.parse_moves(board, "2 1 4, 2") == "ULDR"
    assert rules.tiles_moved(board, "ULDR") == [2, 1, 4, 2]
    assert rules.parse_moves(board, "") == ""
    assert str(rules.replay(board, "ULDR")[-1]) == "4 1 3 / 2 0 5 / 6 7 8"
    assert rules.legal_moves(board) == "UDLR"


@pytest.mark.parametrize(
    ("moves", "message"),
    [
        ("UU", "move 2, U: the blank is at the edge"),
        ("UX", "move 1, 'UX': expected U, D, L, R, or a tile, 1 to 8"),
        ("2 8", "move 2: tile 8 is not beside the blank"),
        ("0", "move 1, '0': expected"),
        ("2 9", "move 2, '9': expected"),
        ("U" * 10_001, "10,001 moves: expected at most 10,000"),
    ],
)
def test_moves_that_cannot_be_read_or_made(moves: str, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        rules.parse_moves(Board.parse("1 2 3 / 4 0 5 / 6 7 8"), moves)


@pytest.mark.parametrize("moves", ["UL", "UUL", "RULL", "ULLU", "ULX", "ull"])
def test_moves_that_do_not_solve_a_board(moves: str) -> None:
    board = Board.parse("1 2 5 / 3 4 0")
    assert rules.solves(board, "ULL")
    assert not rules.solves(board, moves)
