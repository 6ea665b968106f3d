"""The learned value: kernels against the plain reading of it, play, training, and its file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from games.tetris.oracle import some_boards
from gpusolve.backend import Backend, open_backend
from gpusolve.errors import BadInput
from gpusolve.games.tetris import (
    kernels,
    playing,
    reachability,
    rules,
    sources,
    turns,
    value,
    value_play,
    value_training,
)
from gpusolve.games.tetris.kernels import Settings
from gpusolve.games.tetris.value import LearnedValue
from gpusolve.games.tetris.value_training import ValueSettings
from gpusolve.games.tetris.weights import load_evaluation

CPU = open_backend("cpu:1")
SMALL = ValueSettings(iterations=4, games=6, opening=0.25, greedy=0.5)
SHORT = Settings("30hz", "nes", max_lines=12)


def some_value(seed: int) -> LearnedValue:
    """Numbers that differ nearly everywhere, so that a wrong place is a wrong loss."""
    random = np.random.default_rng(seed)
    tables = random.integers(-2000, 2000, value.SIZE).astype(np.int16)
    return LearnedValue("random", "", tables, random.integers(0, 300_000, value.ENDGAME).astype(np.int32))


def slow_least(
    learned: LearnedValue, board: rules.Board, piece: int, lines: int, settings: Settings
) -> list[tuple[int, rules.State, rules.Board, int]]:
    """Every placement: what it loses, where it is, the board after it, the lines then; the least first."""
    at_stake = value.stakes(settings.start_level, settings.max_lines)
    level = rules.level_at(lines, settings.start_level)
    found = []
    for number, state in enumerate(reachability.placements(board, piece, settings.reach, level)):
        after, cleared, _ = rules.place(board, piece, state)
        then = min(lines + cleared, settings.max_lines)
        lost = int(at_stake.lost[lines, cleared]) + value.loss(learned, after, then, at_stake)
        found.append((lost, number, state, after, then))
    return [(lost, state, after, then) for lost, _, state, after, then in sorted(found, key=lambda one: one[:2])]


@pytest.mark.parametrize("reach", ["free", "30hz"])
def test_least_losses_are_the_oracles(backend: Backend, reach: str) -> None:
    learned, settings = some_value(1), Settings(reach, max_lines=230)
    boards = [*some_boards(5, 24), rules.parse_board("#########.\n" * 4), np.zeros((22, 10), np.uint8)]
    random = np.random.default_rng(2)
    pieces = random.integers(0, 7, len(boards)).astype(np.int32)
    pieces[-2] = 0
    lines = random.choice([0, 57, 131, 219, 226, 229], len(boards)).astype(np.int32)
    table = value_play.Table(backend, learned, settings)
    columns = backend.asarray(kernels.columns_of(boards))
    found = table.least(columns, backend.asarray(pieces), backend.asarray(lines), 3).on_host(backend)
    assert found.values is not None
    for i, board in enumerate(boards):
        expected = slow_least(learned, board, int(pieces[i]), int(lines[i]), settings)
        kept = expected[:3]
        assert found.values[i, : len(kept)].tolist() == [lost for lost, *_ in kept]
        chosen = [kernels.state_of(int(pieces[i]), int(p)) for p in found.placements[i, : len(kept)]]
        assert chosen == [state for _, state, *_ in kept]
        assert (kernels.columns_of([after for _, _, after, _ in kept]) == found.after[i, : len(kept)]).all()


def slow_choice(learned: LearnedValue, board: rules.Board, pair: list[int], lines: int, settings: Settings) -> Any:
    """Expectimax over two known pieces and a third one: (2, 2)."""
    chances, future = sources.transitions(settings.source), value.stakes(19, settings.max_lines).future
    at_stake = value.stakes(settings.start_level, settings.max_lines)

    def best(board: rules.Board, piece: int, lines: int) -> int:
        if lines >= settings.max_lines:
            return 0
        found = slow_least(learned, board, piece, lines, settings)
        return found[0][0] if found else int(future[lines])

    def expected(board: rules.Board, previous: int, lines: int) -> int:
        return int(sum(int(chances[previous, piece]) * best(board, piece, lines) for piece in range(7)))

    def second(board: rules.Board, lines: int) -> int:
        whole = int(chances[0].sum())
        if lines >= settings.max_lines:
            return 0
        found = slow_least(learned, board, pair[1], lines, settings)[:2]
        lost = [int(at_stake.lost[lines, then - lines]) * whole for *_, then in found]
        then = [expected(after, pair[1], lines) for *_, after, lines in found]
        return min(map(sum, zip(lost, then, strict=True)), default=int(future[lines]) * whole)

    whole = int(chances[0].sum())
    worths = [
        (int(at_stake.lost[lines, then - lines]) * whole + second(after, then), state)
        for _, state, after, then in slow_least(learned, board, pair[0], lines, settings)[:2]
    ]
    return min(worths, key=lambda one: one[0])[1]


def test_the_expectation_over_a_third_piece_is_the_oracles(backend: Backend) -> None:
    learned, settings = some_value(3), Settings("30hz", "nes", max_lines=230)
    boards = some_boards(8, 3)
    pieces, following = np.array([0, 3, 5], np.int32), np.array([2, 6, 1], np.int32)
    lines = np.array([0, 120, 224], np.int32)
    search = value_play.Search(backend, learned, (2, 2), settings)
    given = (kernels.columns_of(boards), pieces, following, np.zeros(3, np.int32), lines)
    found, chosen = search.choose(turns.Now(*map(backend.asarray, given)))
    placements, ranks = backend.to_host(found.placements), backend.to_host(chosen)
    for i, board in enumerate(boards):
        if not slow_least(learned, board, int(pieces[i]), int(lines[i]), settings):
            continue
        pair = [int(pieces[i]), int(following[i])]
        expected = slow_choice(learned, board, pair, int(lines[i]), settings)
        assert kernels.state_of(pair[0], int(placements[i, ranks[i]])) == expected


@pytest.mark.parametrize("policy", ["greedy", "two-piece"])
def test_games_are_the_same_however_many_are_played_at_once(policy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    learned = value.untrained()
    together = playing.play(CPU, learned, 5, 7, 0, policy, None, SHORT)
    traces = [playing.trace(CPU, learned, 7, game, policy, None, SHORT) for game in range(5)]
    monkeypatch.setattr(value_play, "games_at_once", lambda *_: 2)
    apart = playing.play(open_backend("cpu:2"), learned, 5, 7, 0, policy, None, SHORT)
    assert together.scores.tolist() == apart.scores.tolist()
    assert together.pieces[0].tolist() == [len(trace) for trace in traces]


def train(settings: ValueSettings = SMALL, backend: Backend = CPU, **others: Any) -> value_training.ValueRun:
    return value_training.train_value(settings, SHORT, others.pop("seed", 3), backend=backend, **others)


def same(a: LearnedValue, b: LearnedValue) -> bool:
    return np.array_equal(a.tables, b.tables) and np.array_equal(a.endgame, b.endgame)


def test_training_depends_on_the_seed_alone() -> None:
    once = train()
    assert same(once.value, train(backend=open_backend("cpu:2")).value)
    assert not same(once.value, train(seed=4).value)
    assert once.value.tables.any()


def test_a_resumed_training_is_the_same_to_the_bit(tmp_path: Path) -> None:
    whole = train()
    for stop in (1, 3):
        seen = 0

        def kill(iteration: value_training.ValueIteration, stop: int = stop) -> None:
            if iteration.iteration == stop:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            train(progress=kill, checkpoint=tmp_path / "run")
        resumed = train(seed=None, resume=tmp_path / "run")
        assert (resumed.iterations, resumed.seed, seen) == (4, 3, 0)
        assert same(whole.value, resumed.value)
    with pytest.raises(BadInput, match="games"):
        train(replace(SMALL, games=7), resume=tmp_path / "run")


@pytest.mark.parametrize("play", [value_training._by_one, value_training._by_two])
def test_the_error_falls_where_games_are_learnt_from_again(play: Any) -> None:
    learner = value_training.Learner({})
    state = turns.Round(CPU, range(20), 5, SHORT)
    records, results = play(value_play.Table(CPU, learner.value, SHORT), state)
    assert (results[:, 2] > 0).all()
    errors = [learner.learn(records, 0.9, 0.1, SHORT, False) for _ in range(6)]
    assert errors[-1] < 0.9 * errors[0]


def test_a_value_file(tmp_path: Path) -> None:
    learned = some_value(4)
    path = tmp_path / "some.value"
    value.save_value(path, learned)
    found = load_evaluation(path)
    assert isinstance(found, LearnedValue)
    assert same(found, learned)
    assert found.name == "random"
    content = bytearray(path.read_bytes())
    content[-5000] ^= 1
    path.write_bytes(content)
    with pytest.raises(BadInput, match="damaged"):
        value.load_value(path)
    with pytest.raises(BadInput, match="no such file"):
        value.load_value(tmp_path / "none.value")


@pytest.mark.parametrize(("name", "bad"), [("iterations", 0), ("games", 0), ("opening", -1), ("trace", 2), ("rate", 0)])
def test_what_cannot_be_trained(name: str, bad: Any) -> None:
    with pytest.raises(BadInput, match=name):
        train(replace(SMALL, **{name: bad}))
