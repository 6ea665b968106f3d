"""Solutions by beams: legal by the rules, short where that is known, and the same on every device."""

from __future__ import annotations

import numpy as np
import pytest

from gpusolve.backend import Backend, open_backend
from gpusolve.errors import BadInput
from gpusolve.games.sliding import Board, scramble, solve
from gpusolve.games.sliding.beams.kernels import BoardSpace, encode
from gpusolve.games.sliding.beams.tables import Tables
from gpusolve.games.sliding.cpu.beams import HEIGHT_BIT, MOST_HEIGHT
from gpusolve.games.sliding.goals import Layout
from gpusolve.games.sliding.kernels import neighbours
from gpusolve.games.sliding.rules import distances, manhattan, solves
from gpusolve.search.beam import Beam

SLIGHTLY_MIXED = Board(6, 6, (1, 7, 2, 3, 4, 5, 6, 0, *range(8, 36)))


@pytest.mark.parametrize("goal", [0, 4])
def test_the_heights_of_children_are_those_of_the_boards(backend: Backend, goal: int) -> None:
    lookups = Tables(backend).lookups(Layout(3, 3, goal))
    tiles = [3, 1, 2, 0, 4, 5, 6, 7, 8]
    root, _ = encode(lookups, tiles)
    space = BoardSpace(lookups, root, 100)
    beam = Beam(space)
    for level in range(1, 5):
        assert beam.advance(width=1000, batch=7)
        for number, state in enumerate(backend.to_host(beam.states).T):
            board = [*tiles]
            blank = board.index(0)
            for move in beam.path(level, number):
                to = int(neighbours(3, 3)[blank, move])
                board[blank], board[to], blank = board[to], 0, to
            packed, height = encode(lookups, board)
            assert state[:-1].tolist() == backend.to_host(packed)[:-1, 0].tolist()
            mask = np.uint64(2 ** int(HEIGHT_BIT) * (int(MOST_HEIGHT) + 1) - 1)
            assert state[-1] & mask == backend.to_host(packed)[-1, 0] & mask
            assert height >= int(state[-1] >> HEIGHT_BIT & MOST_HEIGHT)


def test_a_bound_removes_exactly_the_moves_beyond_it(backend: Backend) -> None:
    lookups = Tables(backend).lookups(Layout(3, 3))
    root, height = encode(lookups, [1, 2, 0, 3, 4, 5, 6, 7, 8])
    keys = [backend.to_host(BoardSpace(lookups, root, bound).expand(root, 0, 1))[0] for bound in (1, 2, 100)]
    assert height == 2
    assert [np.count_nonzero(each) for each in keys] == [0, 1, 2]


def test_ties_are_broken_by_the_salt(backend: Backend) -> None:
    lookups = Tables(backend).lookups(Layout(3, 3))
    root, _ = encode(lookups, [1, 2, 5, 3, 0, 4, 6, 7, 8])
    keys = [backend.to_host(BoardSpace(lookups, root, 100, salt).expand(root, 0, 1))[0].tolist() for salt in range(9)]
    reference = Tables(open_backend("cpu")).lookups(Layout(3, 3))
    root, _ = encode(reference, [1, 2, 5, 3, 0, 4, 6, 7, 8])
    assert keys == [BoardSpace(reference, root, 100, salt).expand(root, 0, 1)[0].tolist() for salt in range(9)]
    assert len(set(map(tuple, keys))) > 1


@pytest.mark.parametrize(("rows", "columns"), [(2, 3), (3, 2), (2, 2)])
def test_small_boards_are_solved_optimally(rows: int, columns: int) -> None:
    for goal in ("blank-first", "blank-last"):
        for tiles, distance in list(distances(rows, columns, goal=goal).items())[::29]:
            solution = solve(Board(rows, columns, tiles, goal), strategy="beam", width=1000)
            assert (solution.length, solution.proven) == (distance, True)


@pytest.mark.parametrize("size", [(4, 4), (3, 7), (6, 6)])
def test_a_solution_is_legal_and_at_least_as_long_as_its_lower_bound(size: tuple[int, int]) -> None:
    board = scramble(rows=size[0], columns=size[1], seed=1, moves=60)[0]
    solution = solve(board, strategy="beam", width=50)
    assert solution.moves is not None
    assert solves(board, solution.moves)
    assert manhattan(board) <= solution.lower_bound <= len(solution.moves)
    assert solution.complete
    assert solution.expanded > 0


def test_the_other_goal_and_the_seed() -> None:
    board = scramble(rows=6, columns=6, seed=4, moves=40)[0]
    turned = board.turned()
    first, again = (solve(turned, width=30, seed=seed) for seed in (1, 1))
    assert first.moves == again.moves
    assert solves(turned, first.moves or "")


def test_auto_takes_the_beam_for_large_boards_only() -> None:
    assert solve(SLIGHTLY_MIXED, width=10).moves == "UL"
    with pytest.raises(BadInput, match="6x6 is 36 cells: expected at most 25, or the strategy beam"):
        solve(SLIGHTLY_MIXED, strategy="deepening")
    with pytest.raises(BadInput, match="weight: expected only with strategy deepening"):
        solve(SLIGHTLY_MIXED, weight=2)
    with pytest.raises(BadInput, match="width: expected only with strategy beam"):
        solve(Board(2, 2, (3, 1, 2, 0)), width=5)


def test_a_bound_that_is_too_small_has_no_solution_and_a_proof() -> None:
    solution = solve(SLIGHTLY_MIXED, bound=1)
    assert (solution.moves, solution.lower_bound, solution.complete) == (None, 2, True)


def test_a_time_limit_stops_the_search() -> None:
    board = scramble(rows=6, columns=6, seed=2)[0]
    solution = solve(board, width=100_000, time_limit=0)
    assert (solution.moves, solution.complete) == (None, False)
    assert solution.lower_bound >= manhattan(board)
