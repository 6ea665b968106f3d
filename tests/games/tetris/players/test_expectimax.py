"""Branching against a plain recursive expectimax, live and recorded."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from games.tetris import oracle
from games.tetris.oracle import PUBLISHED
from gpusolve.backend import Backend, open_backend
from gpusolve.errors import BadInput
from gpusolve.games.tetris import kernels
from gpusolve.games.tetris.players import weights as weights_module
from gpusolve.games.tetris.players.kernels import RESULTS
from gpusolve.games.tetris.players.player import policy_of
from gpusolve.games.tetris.players.playing import choose, play_turns
from gpusolve.games.tetris.players.policy import Policy, checked_breadths
from gpusolve.games.tetris.players.value import load_value
from gpusolve.games.tetris.players.weights import load_weights
from gpusolve.games.tetris.rules import board as rules, reachability
from gpusolve.games.tetris.rules.sources import Source
from gpusolve.games.tetris.variant import Variant
from recorded import recorded

CPU = open_backend("cpu")
PLAYER = load_weights(PUBLISHED)
PILES = ["#########.\n" * 3, "#########.\n" * 4, "##.#.#.##.\n" * 8, "#.#.#.#.#.\n" * 18]
PIECES = ((0, 3), (3, 0), (5, 6))


def chosen(board: rules.Board, piece: int, following: int, breadths: tuple[int, ...]) -> rules.State | None:
    placements, rank = choose(
        PLAYER,
        kernels.columns_of([board]),
        [piece],
        following=[following],
        levels=[19],
        policy=Policy("branching", breadths),
        backend=CPU,
    )
    return kernels.state_of(piece, int(placements.placements[0, rank[0]])) if placements.counts[0] else None


def test_choices_on_recorded_boards() -> None:
    for case in oracle.cases():
        state = chosen(case.board, case.piece, case.following, case.breadths)
        assert state is not None
        assert rules.cells_of(case.piece, state) == case.branching


def expected(pile: str, breadths: tuple[int, ...]) -> list[rules.State | None]:
    """Return the choices of plain recursion, None where the piece has no placement."""
    board = rules.parse_board(pile)
    return [
        oracle.expectimax(board, piece, following, breadths) if reachability.placements(board, piece) else None
        for piece, following in PIECES
    ]


@cache
def deeper() -> list[list[rules.State | None]]:
    """Return the recorded choices with one more piece in view, for every pile; computing them takes long."""
    piles = recorded("tetris/expectimax", lambda: [expected(pile, (3, 2)) for pile in PILES])
    return [[state and tuple(state) for state in states] for states in piles]


@pytest.mark.parametrize("number", range(len(PILES)))
def test_choices_are_those_of_plain_recursion(number: int) -> None:
    board = rules.parse_board(PILES[number])
    assert [chosen(board, *pieces, (3,)) for pieces in PIECES] == expected(PILES[number], (3,))
    assert [chosen(board, *pieces, (3, 2)) for pieces in PIECES] == deeper()[number]


def test_games_are_those_of_plain_recursion() -> None:
    """The recorded games are played by `oracle.expectimax` and the rules alone."""
    policy, variant = Policy("branching", oracle.BREADTHS), Variant(max_lines=4)
    games, traces = play_turns(CPU, PLAYER, range(1, 4), seed=5, policy=policy, variant=variant)
    for i, key in enumerate(oracle.BRANCHING):
        turns = oracle.games()[key]
        assert [kernels.state_of(turn.piece, placement) for turn, placement in zip(turns, traces[i], strict=True)] == [
            turn.state for turn in turns
        ]
        assert (games.scores[0, i], games.lines[0, i]) == (turns[-1].score, turns[-1].lines)
        assert (games.pieces[0, i], games.tetrises[0, i]) == (len(turns), sum(turn.cleared == 4 for turn in turns))


@pytest.mark.parametrize(("reach", "source"), [("free", "uniform8"), ("30hz", "nes")])
def test_every_device_plays_the_same_games(backend: Backend, reach: str, source: Source) -> None:
    """The search passes through each level of the tree, and the size of a batch changes nothing."""
    policy, variant = Policy("branching", (2, 1, 2)), Variant(reach, source, max_lines=1)
    games, traces = play_turns(backend, PLAYER, range(1, 4), seed=5, policy=policy, variant=variant)
    alone = [
        play_turns(CPU, PLAYER, range(game, game + 1), seed=5, policy=policy, variant=variant) for game in (1, 2, 3)
    ]
    assert traces == [trace[0] for _, trace in alone]
    for name in RESULTS:
        assert getattr(games, name).tolist() == [[int(getattr(game, name)[0, 0]) for game, _ in alone]]


def test_progress_counts_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weights_module, "BYTES_PER_BOARD", 1 << 20)
    seen: list[int] = []
    policy, variant = Policy("branching", (1,)), Variant(max_lines=1)
    play_turns(CPU, PLAYER, range(1, 51), seed=5, policy=policy, variant=variant, progress=seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == 50


@pytest.mark.parametrize("in_points", [False, True])
@pytest.mark.parametrize("breadths", [(), (0,), (3, 5, 5, 5, 5), (3, -1), (3.0,), (353,), (100, 100, 5), "3,5,", None])
def test_invalid_breadths_are_refused(breadths: Any, in_points: bool) -> None:
    with pytest.raises(BadInput, match="breadth"):
        checked_breadths("branching", breadths, in_points=in_points)


def test_four_breadths_are_for_learned_values() -> None:
    """By weights, a tetris weighs so much that one more level of chance would not fit 64 bits."""
    assert policy_of(load_value("learned"), "branching", breadths=(8, 4, 3, 2)).breadths == (8, 4, 3, 2)
    with pytest.raises(BadInput, match="expected 1 to 3 numbers"):
        policy_of(PLAYER, "branching", breadths=(8, 4, 3, 2))


def test_a_policy_has_the_players_default_breadths() -> None:
    assert policy_of(PLAYER, "branching").breadths == (3, 5, 5)
    assert policy_of(load_value("learned"), "branching").breadths == (8, 4)
    assert policy_of(PLAYER, "playouts").breadths == policy_of(load_value("learned"), "playouts").breadths == (4, 16, 4)
    assert policy_of(PLAYER, "two-piece") == Policy("two-piece", (), "number")
    assert policy_of(load_value("learned"), "branching", breadths=(2, 2, 2)).breadths == (2, 2, 2)
