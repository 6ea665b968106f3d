"""Branching: the published choices, and a plain recursive expectimax beside the batched one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gpusolve.backend import open_backend
from gpusolve.errors import BadInput
from gpusolve.games.tetris import branching, kernels, rules
from gpusolve.games.tetris.kernels import Settings
from gpusolve.games.tetris.weights import load_weights

PUBLISHED = load_weights("published").values
FIXED, _ = rules.fixed_point(PUBLISHED)
CPU = open_backend("cpu")


def ranked(board: rules.Board, piece: int) -> list[tuple[int, int, rules.State]]:
    """(evaluation, number, placement), the least first."""
    found = []
    for number, state in enumerate(rules.placements(board, piece)):
        tetris = rules.place(board, piece, state)[1] == 4
        found.append((rules.value(FIXED, board, piece, state) - tetris * rules.DECISIVE, number, state))
    return sorted(found)


def value(board: rules.Board, piece: int, depth: int, tetrises: int, breadths: tuple[int, ...]) -> int:
    """V(b, s, d, t) as it is written, times 56^d."""
    moves = ranked(board, piece)
    if not moves:
        return rules.DECISIVE * int(56**depth)
    if depth == 0:
        offset = rules.DECISIVE if rules.place(board, piece, moves[0][2])[1] == 4 else 0
        return moves[0][0] + offset - rules.DECISIVE * tetrises
    worths: list[int] = []
    for _, _, state in moves[: breadths[-depth]]:
        after, cleared, _ = rules.place(board, piece, state)
        scored = tetrises + (cleared == 4)
        worths.append(sum((2 if s == piece else 9) * value(after, s, depth - 1, scored, breadths) for s in range(7)))
        if cleared == 4:
            break
    return min(worths)


def choice(board: rules.Board, piece: int, following: int, breadths: tuple[int, ...]) -> rules.State:
    moves = ranked(board, piece)
    if rules.place(board, piece, moves[0][2])[1] == 4:
        return moves[0][2]
    worths = []
    for rank, (_, _, state) in enumerate(moves[: breadths[0]]):
        after, _, _ = rules.place(board, piece, state)
        worths.append((value(after, following, len(breadths) - 1, 0, breadths), rank, state))
    return min(worths)[2]


def test_published_boards(published_boards: list[dict[str, Any]]) -> None:
    for case in published_boards:
        found = branching.choose(
            CPU,
            PUBLISHED,
            kernels.columns_of([case["board"]]),
            np.array([case["piece"]]),
            np.array([case["next"]]),
            np.array([case["level"]]),
        )
        state = kernels.state_of(case["piece"], int(found[0]))
        assert rules.cells_of(case["piece"], state) == case["best_branching_top3_top5_depth2"]


@pytest.mark.parametrize("breadths", [(3,), (3, 2)])
@pytest.mark.parametrize("pile", ["#########.\n" * 3, "#########.\n" * 4, "##.#.#.##.\n" * 8, "#.#.#.#.#.\n" * 18])
def test_choices_are_those_of_plain_recursion(pile: str, breadths: tuple[int, ...]) -> None:
    board = rules.parse_board(pile)
    for piece, following in ((0, 3), (3, 0), (5, 6)):
        found = branching.choose(
            CPU,
            PUBLISHED,
            kernels.columns_of([board]),
            np.array([piece]),
            np.array([following]),
            np.array([19]),
            breadths,
        )
        if not rules.placements(board, piece):
            assert found[0] == -1
        else:
            assert kernels.state_of(piece, int(found[0])) == choice(board, piece, following, breadths)


def test_games_are_played_to_their_end() -> None:
    settings = Settings(max_lines=4)
    games, traces = branching.play(CPU, PUBLISHED, 3, 5, 1, (2, 2), settings)
    for i in range(3):
        board, lines, score = np.zeros((rules.ROWS, rules.COLUMNS), np.uint8), 0, 0
        for piece, placement in zip(rules.pieces(5, 1 + i), traces[i], strict=False):
            board, cleared, _ = rules.place(board, piece, kernels.state_of(piece, placement))
            lines += cleared
            score += rules.points(cleared, lines)
        assert (games.scores[0, i], games.lines[0, i], games.pieces[0, i]) == (score, lines, len(traces[i]))
        assert lines >= 4


@pytest.mark.parametrize("breadths", [(), (0,), (3, 5, 5, 5), (3, -1)])
def test_breadths_that_are_none(breadths: tuple[int, ...]) -> None:
    with pytest.raises(BadInput, match="one to three numbers"):
        branching.check(breadths)
