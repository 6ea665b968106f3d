"""Random boards."""

from __future__ import annotations

import pytest

from gpusolve.errors import BadInput
from gpusolve.games.sliding import rules
from gpusolve.games.sliding._scramble import scramble
from gpusolve.games.sliding.boards import is_solvable
from recorded import recorded


def test_every_solvable_board_has_the_same_probability() -> None:
    boards = scramble(rows=2, columns=3, goal="blank-last", count=3000, seed=7)
    assert boards[:5] == list(scramble(rows=2, columns=3, goal="blank-last", count=5, seed=7))
    assert all(map(is_solvable, boards))
    assert len(set(boards)) == 360  # every solvable board, each about as often
    assert max(boards.count(board) for board in set(boards)) < 25
    assert scramble(rows=4, columns=5, seed=1) != scramble(rows=4, columns=5, seed=2)
    assert len(set(scramble())) == 1


def test_a_walk_of_n_moves_leads_to_a_board_of_at_most_n_moves() -> None:
    distances = rules.distances(3, 3)
    for moves in range(12):
        for board in scramble(rows=3, columns=3, moves=moves, count=20, seed=moves):
            assert distances[board.tiles] <= moves
            assert distances[board.tiles] % 2 == moves % 2
    assert all(distances[board.tiles] == 5 for board in scramble(rows=3, columns=3, moves=5, count=20, seed=1))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"rows": 1}, "rows 1: expected"),
        ({"rows": 5, "columns": 8}, "5x8 is 40 cells: expected at most 25, or at most 7x7"),
        ({"count": 0}, "count 0"),
        ({"moves": -1}, "moves -1"),
        ({"seed": -1}, "seed -1"),
    ],
)
def test_bad_input(arguments: dict[str, int], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        scramble(**arguments)  # type: ignore[arg-type]


def test_the_boards_of_a_seed_never_change() -> None:
    sizes = [(2, 2), (2, 3), (3, 3), (4, 4), (3, 7), (5, 5)]

    def make() -> dict[str, list[str]]:
        return {
            f"{rows}x{columns} {'any' if moves is None else moves}": [
                str(board) for board in scramble(rows=rows, columns=columns, moves=moves, count=5, seed=20260101)
            ]
            for rows, columns in sizes
            for moves in (None, 30)
        }

    assert make() == recorded("sliding/scrambles", make)
