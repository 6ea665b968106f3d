"""The kernels of Tetris on every device, compared with the slow rules and with their recorded results."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from games.tetris import oracle
from games.tetris.oracle import PUBLISHED, some_boards
from gpusolve.backend import Backend, open_backend
from gpusolve.games.tetris import kernels
from gpusolve.games.tetris.players.kernels import play, trace
from gpusolve.games.tetris.players.weights import load_weights
from gpusolve.games.tetris.rules import features as slow, policies, reachability, sources
from gpusolve.games.tetris.rules.board import COLUMNS, ROWS, State, cells_of, level_at, parse_board, place
from gpusolve.games.tetris.variant import Variant

# The fixture opens a device once per test; no example changes its state.
examples = settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
some_seed = st.integers(0, 2**32 - 1)


def states(ranked: kernels.Placements, i: int, piece: int) -> list[State]:
    return [kernels.state_of(piece, int(placement)) for placement in ranked.placements[i, : ranked.counts[i]]]


def test_boards_can_be_converted_to_columns_and_back() -> None:
    boards = some_boards(1, 5)
    columns = kernels.columns_of(boards)
    assert columns.shape == (5, 10)
    assert all(np.array_equal(kernels.board_of(columns[i]), board) for i, board in enumerate(boards))


@examples
@given(some_seed, st.sampled_from(reachability.REACHES), st.integers(0, 30))
def test_placements_and_features_agree_with_the_rules(backend: Backend, seed: int, reach: str, level: int) -> None:
    boards = some_boards(seed, 1 if reach == "das" else 6)  # the rules of das take long
    pieces = np.random.default_rng(seed).integers(0, 7, len(boards))
    ranked = kernels.placements(backend, kernels.columns_of(boards), pieces, levels=level, reach=reach)
    for i, (board, piece) in enumerate(zip(boards, pieces.tolist(), strict=True)):
        expected = reachability.placements(board, piece, reach, level)
        assert states(ranked, i, piece) == expected
        after = [place(board, piece, state) for state in expected]
        count = len(expected)
        if not count:
            continue
        assert np.array_equal(ranked.after[i, :count], kernels.columns_of([board for board, _, _ in after]))
        assert ranked.cleared[i, :count].tolist() == [cleared for _, cleared, _ in after]
        lowest = [row for _, _, row in after]
        features = kernels.features(backend, ranked.after[i, :count], ranked.cleared[i, :count], lowest)
        assert features.tolist() == [slow.features(*one) for one in after]


@examples
@given(some_seed, st.integers(1, 6))
def test_best_agrees_with_the_rules(backend: Backend, seed: int, most: int) -> None:
    boards = some_boards(seed, 3)
    boards.append(parse_board("#########.\n" * 4))
    random = np.random.default_rng(seed)
    pieces = np.append(random.integers(0, 7, 3), 0)
    weights = random.normal(size=17) * 10
    fixed, _ = slow.fixed_point(weights.tolist())
    ranked = kernels.best(backend, weights, kernels.columns_of(boards), pieces, most=most)
    assert ranked.values is not None
    for i, (board, piece) in enumerate(zip(boards, pieces.tolist(), strict=True)):
        worths = []
        for number, state in enumerate(reachability.placements(board, piece)):
            tetris = place(board, piece, state)[1] == 4
            worths.append((slow.value(fixed, board, piece, state) - tetris * slow.DECISIVE, number, state))
        worths.sort()
        expected = worths[:most]
        assert ranked.counts[i] == len(worths)
        assert ranked.values[i, : len(expected)].tolist() == [worth for worth, _, _ in expected]
        chosen = [kernels.state_of(piece, int(p)) for p in ranked.placements[i, : len(expected)]]
        assert chosen == [state for _, _, state in expected]


def check_games(backend: Backend, keys: list[oracle.Key], weights: tuple[float, ...] = PUBLISHED) -> None:
    """Play consecutive games with the same parameters and compare them with the recorded ones."""
    policy, seed, first, source, start_level, max_lines, reach, _ = keys[0]
    variant = Variant(reach, source, start_level, max_lines)
    played = play(backend, weights, len(keys), seed=seed, first_game=first, policy=policy, variant=variant)
    for i, key in enumerate(keys):
        turns = oracle.games()[key]
        assert (played.scores[0, i], played.lines[0, i]) == (turns[-1].score, turns[-1].lines)
        assert (played.pieces[0, i], played.tetrises[0, i]) == (len(turns), sum(turn.cleared == 4 for turn in turns))
    turns = oracle.games()[keys[0]]
    traced = trace(backend, weights, seed=seed, game=first, policy=policy, variant=variant)
    assert [kernels.state_of(turn.piece, p) for turn, p in zip(turns, traced, strict=True)] == [t.state for t in turns]


@pytest.mark.parametrize("number", range(0, len(oracle.GREEDY), 2))
def test_greedy_games_are_the_recorded_ones(backend: Backend, number: int) -> None:
    check_games(backend, oracle.GREEDY[number : number + 2])


@pytest.mark.parametrize("key", oracle.TWO_PIECE)
def test_two_piece_games_are_the_recorded_ones(backend: Backend, key: oracle.Key) -> None:
    check_games(backend, [key])


@pytest.mark.parametrize("policy", policies.POLICIES)
def test_bad_weights_lose_early_in_the_same_way(backend: Backend, policy: str) -> None:
    """These games top out: the spawn is half blocked, and the next piece has no room."""
    check_games(backend, [key for key in oracle.LOST if key[0] == policy], oracle.BAD)


@pytest.mark.parametrize("key", oracle.SEEDS)
def test_any_integer_is_a_seed(backend: Backend, key: oracle.Key) -> None:
    check_games(backend, [key])


def test_every_row_of_weights_plays_every_game(backend: Backend) -> None:
    variant = Variant(max_lines=4)
    weights = np.stack([PUBLISHED, np.linspace(-3, 5, 17), np.ones(17)])
    together = play(backend, weights, 3, seed=5, policy="greedy", variant=variant)
    assert together.scores.shape == (3, 3)
    for row, values in enumerate(weights):
        alone = play(backend, values, 1, seed=5, first_game=2, policy="greedy", variant=variant)
        assert together.pieces[row, 2] == alone.pieces[0, 0]
        assert together.scores[row, 2] == alone.scores[0, 0]


def test_placements_and_features_of_the_recorded_boards(backend: Backend) -> None:
    cases = oracle.cases()
    columns = kernels.columns_of([case.board for case in cases])
    pieces = [case.piece for case in cases]
    ranked = kernels.placements(backend, columns, pieces)
    greedy = kernels.best(backend, PUBLISHED, columns, pieces)
    for i, case in enumerate(cases):
        here = states(ranked, i, case.piece)
        cells = [cells_of(case.piece, state) for state in here]
        lowest = [max(row for row, _ in one) for one in cells]
        features = kernels.features(backend, ranked.after[i, : len(here)], ranked.cleared[i, : len(here)], lowest)
        assert dict(zip(cells, features.tolist(), strict=True)) == {key: move[0] for key, move in case.moves.items()}
        best = kernels.state_of(case.piece, int(greedy.placements[i, 0]))
        assert cells_of(case.piece, best) == case.greedy


def test_gravity_stays_the_same_above_level_29(backend: Backend) -> None:
    """Levels go up to 1,006, but the last row of the table of taps serves all levels above, as in the rules."""
    variant = Variant(reach="30hz", max_lines=300)
    placed = trace(backend, load_weights("30hz").values, seed=1, game=23, policy="greedy", variant=variant)
    board, lines, late = np.zeros((ROWS, COLUMNS), np.uint8), 0, 0
    for piece, placement in zip(sources.pieces(1, 23), placed, strict=False):
        state, level = kernels.state_of(piece, placement), level_at(lines)
        if level > 29:
            assert state in reachability.placements(board, piece, "30hz", level)
            late += 1
        board, cleared, _ = place(board, piece, state)
        lines += cleared
    assert lines >= 300
    assert late > 100


@pytest.mark.slow
@pytest.mark.parametrize(("policy", "mean", "error"), [("greedy", 783_670, 5_590), ("two-piece", 1_053_015, 9_700)])
def test_the_published_results_are_reproduced(policy: str, mean: float, error: float) -> None:
    scores = play(open_backend("cpu"), PUBLISHED, 1000, seed=2026, policy=policy).scores[0]
    ours = scores.std(ddof=1) / len(scores) ** 0.5
    # On 10,000 and 3,000 games: 776,209 and 1,074,896, which is 1.2 and 2.3 standard errors from the published figures.
    assert abs(scores.mean() - mean) < 3 * (ours**2 + error**2) ** 0.5
