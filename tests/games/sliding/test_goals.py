"""Any goal: all small boards are compared with breadth-first search from it."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from gpusolve.games.sliding import Board, rules, scramble, solve
from gpusolve.games.sliding.boards import is_solvable
from gpusolve.games.sliding.databases.catalogue import partition_for
from gpusolve.games.sliding.goals import GOALS, Layout, symmetries

PICTURES = ["1 1 1 / 2 0 2 / 3 3 2", "1 2 1 / 2 1 2 / 1 2 0", "0 1 2 / 2 1 1", "1 1 2 2 / 1 0 2 2"]
PLACED = ["1 2 3 / 8 0 4 / 7 6 5", "1 0 2 / 3 4 5", "4 3 / 1 0 / 2 5", "1 2 3 4 / 5 0 6 7"]


@pytest.fixture(autouse=True)
def tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPUSOLVE_TABLES", str(tmp_path))


def test_the_goals_that_have_names() -> None:
    def solved(goal: str) -> str:
        board = Board(3, 4, (*range(12),), goal)
        return str(Board(3, 4, board.solved))

    assert solved("columns") == "1 4 7 10 / 2 5 8 11 / 3 6 9 0"
    assert solved("snake") == "1 2 3 4 / 8 7 6 5 / 9 10 11 0"
    assert solved("spiral") == "1 2 3 4 / 10 11 0 5 / 9 8 7 6"


@pytest.mark.parametrize("goal", [*GOALS, *PLACED, *PICTURES])
def test_solutions_to_any_goal_are_optimal(goal: str) -> None:
    shape = Board.parse(goal, goal=goal) if goal not in GOALS else Board(2, 3, (0, 1, 2, 3, 4, 5), goal)
    tiles = rules.distances(shape.rows, shape.columns, goal=goal)
    slides = rules.slide_distances(shape.rows, shape.columns, goal=goal)
    for chosen in random.Random(goal).sample(list(tiles), 4):
        board = Board(shape.rows, shape.columns, chosen, goal)
        for solution in (solve(board), solve(board, heuristic="manhattan"), solve(board, all_solutions=True)):
            assert (solution.length, solution.proven) == (tiles[chosen], True)
            assert all(rules.solves(board, moves) for moves in solution.solutions)
        solution = solve(board, metric="multi-tile")
        assert (solution.length, solution.proven) == (slides[chosen], True)
        found = solve(board, strategy="beam", width=1000)
        assert found.moves is not None
        assert rules.solves(board, found.moves)
        assert found.lower_bound <= tiles[chosen] <= len(found.moves)


@pytest.mark.parametrize("goal", PLACED)
def test_a_board_is_solvable_if_moves_from_any_goal_reach_it(goal: str) -> None:
    shape = Board.parse(goal, goal=goal)
    reached = rules.distances(shape.rows, shape.columns, goal=goal)
    for board in scramble(rows=shape.rows, columns=shape.columns, count=30, seed=3):
        for other in (board.tiles, (*board.tiles[1:], board.tiles[0])):
            assert is_solvable(Board(shape.rows, shape.columns, other, goal)) == (other in reached)


def test_a_puzzle_is_the_same_when_it_is_turned_and_renamed() -> None:
    """The usual goals and the goals in the other corners have the same searches, to the node."""
    board = scramble(rows=4, columns=4, moves=40, seed=2)[0]
    first = solve(board)
    for turned in list(symmetries(4, 4))[1:4]:
        tiles, goal = [0] * 16, [0] * 16
        for cell, tile in enumerate(board.tiles):
            tiles[turned[cell]], goal[turned[cell]] = tile, cell
        other = solve(
            Board(4, 4, tuple(tiles), " / ".join(" ".join(map(str, goal[at : at + 4])) for at in (0, 4, 8, 12)))
        )
        assert (other.length, other.expanded) == (first.length, first.expanded)


def test_the_layout_says_what_tables_depend_on() -> None:
    assert Board.parse("1 2 3 / 4 5 6 / 7 0 8", goal="blank-last").layout == Layout(3, 3)
    assert Board.parse("1 2 3 / 4 5 6 / 7 0 8", goal="spiral").layout == Layout(3, 3, 4)
    assert Board.parse("1 2 3 / 4 5 6 / 7 0 8", goal="1 2 3 / 4 5 6 / 8 0 7").layout == Layout(3, 3, 1)
    board = Board.parse("1 1 1 / 2 0 2 / 3 3 2")
    assert board.layout == Layout(3, 3, 0, ((1, 2, 3), (4, 5, 6), (7, 8)))
    partition = partition_for(board)
    assert all(any(set(kind) <= set(tiles) for tiles in partition.sets) for kind in board.layout.alike)


def test_a_picture_in_two_colours_is_solved_without_databases() -> None:
    """Eight tiles are more than a database has room for, so the sum of distances takes their place."""
    board = Board.parse("1 2 1 2 / 2 1 2 1 / 1 2 0 2 / 2 1 2 1", goal="1 1 1 1 / 1 1 1 2 / 2 2 2 2 / 2 2 2 0")
    solution = solve(board, bound=4)
    assert (solution.moves, solution.complete) == (None, True)
    near = Board.parse("1 1 1 1 / 1 1 2 1 / 2 2 2 2 / 2 0 2 2", goal=board.goal)
    found = solve(near)
    assert found.proven
    assert rules.solves(near, found.moves or "")
