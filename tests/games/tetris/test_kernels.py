"""The kernels of Tetris on every device: against the oracle, and against what others have published."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gpusolve.backend import Backend, open_backend
from gpusolve.games.tetris import kernels, rules
from gpusolve.games.tetris.kernels import Settings
from gpusolve.games.tetris.weights import load_weights

PUBLISHED = load_weights("published").values
# A test runs on a device that the fixture opened once; nothing of it changes from one example to the next.
examples = settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
some_seed = st.integers(0, 2**32 - 1)


def some_boards(seed: int, count: int) -> list[rules.Board]:
    """Piles of any height and density, many with overhangs and pockets, some up to the spawn."""
    random = np.random.default_rng(seed)
    boards = []
    for _ in range(count):
        board = np.zeros((rules.ROWS, rules.COLUMNS), np.uint8)
        height = random.integers(0, 21)
        board[rules.ROWS - height :] = random.random((height, rules.COLUMNS)) < random.uniform(0.3, 0.95)
        board[board.all(axis=1)] = 0
        boards.append(board)
    return boards


@cache
def oracle_game(weights: tuple[float, ...], *arguments: Any) -> list[rules.Turn]:
    """The same for every device, and slow."""
    return rules.play(rules.fixed_point(weights)[0], *arguments)


def states(found: kernels.Found, i: int, piece: int) -> list[rules.State]:
    return [kernels.state_of(piece, int(placement)) for placement in found.placements[i, : found.counts[i]]]


def test_boards_as_columns() -> None:
    boards = some_boards(1, 5)
    columns = kernels.columns_of(boards)
    assert columns.shape == (5, 10)
    assert all(np.array_equal(kernels.board_of(columns[i]), board) for i, board in enumerate(boards))


@examples
@given(some_seed, st.sampled_from(rules.REACHES), st.integers(0, 30))
def test_placements_and_features_are_the_oracles(backend: Backend, seed: int, reach: str, level: int) -> None:
    boards = some_boards(seed, 6)
    pieces = np.random.default_rng(seed).integers(0, 7, len(boards))
    found = kernels.placements(backend, kernels.columns_of(boards), pieces, level, reach)
    for i, (board, piece) in enumerate(zip(boards, pieces.tolist(), strict=True)):
        expected = rules.placements(board, piece, reach, level)
        assert states(found, i, piece) == expected
        after = [rules.place(board, piece, state) for state in expected]
        count = len(expected)
        if not count:
            continue
        assert np.array_equal(found.after[i, :count], kernels.columns_of([board for board, _, _ in after]))
        assert found.cleared[i, :count].tolist() == [cleared for _, cleared, _ in after]
        lowest = [row for _, _, row in after]
        features = kernels.features(backend, found.after[i, :count], found.cleared[i, :count], lowest)
        assert features.tolist() == [rules.features(*one) for one in after]


@examples
@given(some_seed, st.integers(1, 6))
def test_best_is_the_oracles(backend: Backend, seed: int, most: int) -> None:
    boards = some_boards(seed, 3)
    boards.append(rules.parse_board("#########.\n" * 4))
    random = np.random.default_rng(seed)
    pieces = np.append(random.integers(0, 7, 3), 0)
    weights = random.normal(size=17) * 10
    fixed, _ = rules.fixed_point(weights.tolist())
    found = kernels.best(backend, weights, kernels.columns_of(boards), pieces, most=most)
    assert found.values is not None
    for i, (board, piece) in enumerate(zip(boards, pieces.tolist(), strict=True)):
        worths = []
        for number, state in enumerate(rules.placements(board, piece)):
            tetris = rules.place(board, piece, state)[1] == 4
            worths.append((rules.value(fixed, board, piece, state) - tetris * rules.DECISIVE, number, state))
        worths.sort()
        expected = worths[:most]
        assert found.counts[i] == len(worths)
        assert found.values[i, : len(expected)].tolist() == [worth for worth, _, _ in expected]
        chosen = [kernels.state_of(piece, int(p)) for p in found.placements[i, : len(expected)]]
        assert chosen == [state for _, _, state in expected]


@pytest.mark.parametrize("source", rules.SOURCES)
@pytest.mark.parametrize("reach", rules.REACHES)
def test_greedy_games_are_the_oracles(backend: Backend, reach: str, source: str) -> None:
    chosen = Settings(reach, source, 18, 6)
    found = kernels.play(backend, PUBLISHED, 2, 7, 5, "greedy", chosen)
    for i in range(2):
        turns = oracle_game(PUBLISHED, "greedy", 7, 5 + i, source, 18, 6, reach)
        assert (found.scores[0, i], found.lines[0, i]) == (turns[-1].score, turns[-1].lines)
        assert (found.pieces[0, i], found.tetrises[0, i]) == (len(turns), sum(turn.cleared == 4 for turn in turns))
    traced = kernels.trace(backend, PUBLISHED, 7, 5, "greedy", chosen)
    turns = oracle_game(PUBLISHED, "greedy", 7, 5, source, 18, 6, reach)
    assert [kernels.state_of(turn.piece, p) for turn, p in zip(turns, traced, strict=True)] == [t.state for t in turns]


@pytest.mark.parametrize(("reach", "source"), [("free", "uniform8"), ("free", "nes"), ("30hz", "uniform8")])
def test_two_piece_games_are_the_oracles(backend: Backend, reach: str, source: str) -> None:
    chosen = Settings(reach, source, 19, 2)
    traced = kernels.trace(backend, PUBLISHED, 11, 2, "two-piece", chosen)
    turns = oracle_game(PUBLISHED, "two-piece", 11, 2, source, 19, 2, reach)
    assert [kernels.state_of(turn.piece, p) for turn, p in zip(turns, traced, strict=True)] == [t.state for t in turns]
    found = kernels.play(backend, PUBLISHED, 1, 11, 2, "two-piece", chosen)
    assert (found.scores[0, 0], found.pieces[0, 0]) == (turns[-1].score, len(turns))


@pytest.mark.parametrize("policy", rules.POLICIES)
def test_bad_weights_lose_soon_and_alike(backend: Backend, policy: str) -> None:
    """Games that end at the top: the spawn is half blocked, the next piece has nowhere to go."""
    weights = tuple(-w for w in PUBLISHED)
    found = kernels.play(backend, weights, 3, 1, 0, policy)
    for game in range(3):
        turns = oracle_game(weights, policy, 1, game)
        assert (found.scores[0, game], found.pieces[0, game]) == (turns[-1].score, len(turns))


def test_a_batch_is_weights_times_games(backend: Backend) -> None:
    chosen = Settings(max_lines=4)
    weights = np.stack([PUBLISHED, np.linspace(-3, 5, 17), np.ones(17)])
    together = kernels.play(backend, weights, 3, 5, 0, "greedy", chosen)
    assert together.scores.shape == (3, 3)
    for row, one in enumerate(weights):
        alone = kernels.play(backend, one, 1, 5, 2, "greedy", chosen)
        assert together.pieces[row, 2] == alone.pieces[0, 0]
        assert together.scores[row, 2] == alone.scores[0, 0]


def test_published_boards(published_boards: list[dict[str, Any]]) -> None:
    backend = open_backend("cpu")
    cases = published_boards
    columns = kernels.columns_of([case["board"] for case in cases])
    pieces = [case["piece"] for case in cases]
    found = kernels.placements(backend, columns, pieces)
    greedy = kernels.best(backend, PUBLISHED, columns, pieces)
    for i, case in enumerate(cases):
        piece = case["piece"]
        expected = {placed: move["features"] for placed, move in case["moves"].items()}
        here = states(found, i, piece)
        lowest = [max(row for row, _ in rules.cells_of(piece, state)) for state in here]
        features = kernels.features(backend, found.after[i, : len(here)], found.cleared[i, : len(here)], lowest)
        assert {
            rules.cells_of(piece, state): row for state, row in zip(here, features.tolist(), strict=True)
        } == expected
        best = kernels.state_of(piece, int(greedy.placements[i, 0]))
        assert rules.cells_of(piece, best) == case["best_1piece"]


@pytest.mark.parametrize("seed", [-5, 2**40])
def test_any_integer_is_a_seed(backend: Backend, seed: int) -> None:
    found = kernels.play(backend, PUBLISHED, 1, seed, 0, "greedy", Settings(max_lines=1))
    assert found.pieces[0, 0] == len(oracle_game(PUBLISHED, "greedy", seed, 0, "uniform8", 19, 1))


@pytest.mark.slow
@pytest.mark.parametrize(("policy", "mean", "error"), [("greedy", 783_670, 5_590), ("two-piece", 1_053_015, 9_700)])
def test_published_results_come_out(policy: str, mean: float, error: float) -> None:
    scores = kernels.play(open_backend("cpu"), PUBLISHED, 1000, 2026, 0, policy).scores[0]
    ours = scores.std(ddof=1) / len(scores) ** 0.5
    # On 10,000 and 3,000 games: 776,209 and 1,074,896, that is 1.2 and 2.3 errors of the published figures away.
    assert abs(scores.mean() - mean) < 3 * (ours**2 + error**2) ** 0.5
