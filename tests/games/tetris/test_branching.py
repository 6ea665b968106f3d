"""Branching beside a plain recursive expectimax, live and recorded."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

from games.tetris import oracle
from games.tetris.oracle import PUBLISHED
from gpusolve.backend import Backend, open_backend
from gpusolve.errors import BadInput
from gpusolve.games.tetris import kernels
from gpusolve.games.tetris.players import branching
from gpusolve.games.tetris.rules import board as rules, reachability
from gpusolve.games.tetris.variant import Settings
from recorded import recorded

CPU = open_backend("cpu")
PILES = ["#########.\n" * 3, "#########.\n" * 4, "##.#.#.##.\n" * 8, "#.#.#.#.#.\n" * 18]
PIECES = ((0, 3), (3, 0), (5, 6))


def chosen(board: rules.Board, piece: int, following: int, breadths: tuple[int, ...]) -> rules.State | None:
    found, rank = branching.choose(
        PUBLISHED,
        kernels.columns_of([board]),
        np.array([piece]),
        np.array([following]),
        np.array([19]),
        breadths,
        backend=CPU,
    )
    return kernels.state_of(piece, int(found.placements[0, rank[0]])) if found.counts[0] else None


def test_boards_of_our_own() -> None:
    for case in oracle.cases():
        state = chosen(case.board, case.piece, case.following, case.breadths)
        assert state is not None
        assert rules.cells_of(case.piece, state) == case.branching


def expected(pile: str, breadths: tuple[int, ...]) -> list[rules.State | None]:
    """What plain recursion takes, None where the piece has nowhere to go."""
    board = rules.parse_board(pile)
    return [
        oracle.expectimax(board, piece, following, breadths) if reachability.placements(board, piece) else None
        for piece, following in PIECES
    ]


@cache
def deeper() -> list[list[rules.State | None]]:
    """The same with the next piece in view, which takes long, for every pile."""
    found = recorded("tetris/expectimax", lambda: [expected(pile, (3, 2)) for pile in PILES])
    return [[state and tuple(state) for state in states] for states in found]


@pytest.mark.parametrize("number", range(len(PILES)))
def test_choices_are_those_of_plain_recursion(number: int) -> None:
    board = rules.parse_board(PILES[number])
    assert [chosen(board, *pieces, (3,)) for pieces in PIECES] == expected(PILES[number], (3,))
    assert [chosen(board, *pieces, (3, 2)) for pieces in PIECES] == deeper()[number]


def test_games_are_those_of_plain_recursion() -> None:
    """The recorded games are played by `oracle.expectimax` and the rules alone."""
    settings = Settings(max_lines=4)
    games, traces = branching.play(PUBLISHED, 3, 5, 1, oracle.BREADTHS, settings, backend=CPU)
    for i, key in enumerate(oracle.BRANCHING):
        turns = oracle.games()[key]
        assert [kernels.state_of(turn.piece, placement) for turn, placement in zip(turns, traces[i], strict=True)] == [
            turn.state for turn in turns
        ]
        assert (games.scores[0, i], games.lines[0, i]) == (turns[-1].score, turns[-1].lines)
        assert (games.pieces[0, i], games.tetrises[0, i]) == (len(turns), sum(turn.cleared == 4 for turn in turns))


@pytest.mark.parametrize(("reach", "source"), [("free", "uniform8"), ("30hz", "nes")])
def test_every_device_plays_the_same_games(backend: Backend, reach: str, source: str) -> None:
    """Through each level of the tree, whatever the batch."""
    settings = Settings(reach, source, max_lines=1)
    found, traces = branching.play(PUBLISHED, 3, 5, 1, (2, 1, 2), settings, backend=backend)
    plain = [branching.play(PUBLISHED, 1, 5, game, (2, 1, 2), settings, backend=CPU) for game in (1, 2, 3)]
    assert traces == [trace[0] for _, trace in plain]
    for name in ("scores", "lines", "pieces", "tetrises"):
        assert getattr(found, name).tolist() == [[int(getattr(one, name)[0, 0]) for one, _ in plain]]


def test_progress_counts_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(branching, "games_at_once", lambda *given: 20)
    seen: list[int] = []
    branching.play(PUBLISHED, 50, 5, 1, (1,), Settings(max_lines=1), seen.append, CPU)
    assert seen == sorted(seen)
    assert seen[-1] == 50


@pytest.mark.parametrize("breadths", [(), (0,), (3, 5, 5, 5), (3, -1), (3.0,), (353,), (100, 100, 5), "3,5", None])
def test_breadths_that_are_none(breadths: Any) -> None:
    with pytest.raises(BadInput, match="breadth"):
        branching.check(breadths)
