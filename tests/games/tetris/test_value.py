"""The learned value: kernels against the plain reading of it, play, and its file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from games.tetris.oracle import some_boards
from gpusolve.backend import Backend, open_backend
from gpusolve.errors import BadInput
from gpusolve.games.tetris import kernels, suggest
from gpusolve.games.tetris.players import playing, turns, value, value_play
from gpusolve.games.tetris.players.value import LearnedValue
from gpusolve.games.tetris.players.weights import load_evaluation
from gpusolve.games.tetris.rules import board as rules, reachability, sources
from gpusolve.games.tetris.variant import Settings

CPU = open_backend("cpu:1")
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
    levels = np.array([rules.level_at(number, settings.start_level) for number in lines], np.int32)
    there = [backend.asarray(one) for one in (pieces, levels, lines)]
    found = table.least(columns, there[0], there[1], there[2], 3).on_host(backend)
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
    levels = np.array([rules.level_at(number, settings.start_level) for number in lines], np.int32)
    search = value_play.Search(backend, learned, (2, 2), settings)
    given = (kernels.columns_of(boards), pieces, following, levels, lines)
    found, chosen = search.choose(turns.Now(*map(backend.asarray, given)))
    placements, ranks = backend.to_host(found.placements), backend.to_host(chosen)
    for i, board in enumerate(boards):
        if not slow_least(learned, board, int(pieces[i]), int(lines[i]), settings):
            continue
        pair = [int(pieces[i]), int(following[i])]
        expected = slow_choice(learned, board, pair, int(lines[i]), settings)
        assert kernels.state_of(pair[0], int(placements[i, ranks[i]])) == expected


def test_the_choice_with_a_delay_is_the_oracles(backend: Backend) -> None:
    """The plan from which the least is to be expected, then the best placement that it leaves."""
    learned, settings = some_value(4), Settings("30hz", "nes", delay_ms=300)
    at_stake, chances = value.stakes(19, 230), sources.transitions("nes").tolist()
    boards = some_boards(12, 3)
    pieces, following = np.array([1, 3, 5], np.int32), np.array([2, 6, 1], np.int32)
    lines, levels = np.array([0, 40, 90], np.int32), np.full(3, 19, np.int32)
    given = (kernels.columns_of(boards), pieces, following, levels, lines)
    found, chosen = value_play.Search(backend, learned, (40,), settings).choose(
        turns.Now(*(backend.asarray(one) for one in given))
    )
    placements, ranks = backend.to_host(found.placements), backend.to_host(chosen)
    for i, board in enumerate(boards):
        piece, gone = int(pieces[i]), int(lines[i])
        worths = {}
        for _, state, after, then in slow_least(learned, board, piece, gone, settings):
            seconds = [slow_least(learned, after, other, then, settings) for other in range(7)]
            left = [second[0][0] if second else int(at_stake.future[then]) for second in seconds]
            worths[state] = [int(at_stake.lost[gone, then - gone]) + least for least in left]
        expected = {
            plan: sum(c * min(worths[state][other] for state in plan) for other, c in enumerate(chances[piece]))
            for plan in map(frozenset, reachability.plans(board, piece, "30hz", 19, delay=settings.delay))
        }
        best = min(expected.values())
        leasts = {min(worths[state][following[i]] for state in plan) for plan in expected if expected[plan] == best}
        assert worths[kernels.state_of(piece, int(placements[i, ranks[i]]))][following[i]] in leasts


@pytest.mark.parametrize(("piece", "following", "lines"), [(4, None, 0), (2, 0, 0), (0, 5, 137), (6, 1, 227)])
def test_a_suggestion_tells_what_is_about_to_be_lost(
    backend: Backend, piece: int, following: int | None, lines: int
) -> None:
    learned, settings = some_value(5), Settings("30hz", max_lines=230)
    at_stake, board = value.stakes(19, 230), some_boards(9, 1)[0]
    expected: dict[rules.State, float] = {}
    chances = sources.transitions("uniform8")[piece] if following is None else np.ones(1, np.int64)
    for _, state, after, then in slow_least(learned, board, piece, lines, settings):
        leasts = []
        for other in range(7) if following is None else [following]:
            second = slow_least(learned, after, other, then, settings) if then < 230 else []
            leasts.append(second[0][0] if second else int(at_stake.future[then]))
        expected[state] = int(at_stake.lost[lines, then - lines]) + int(chances @ leasts) / int(chances.sum())
    found = suggest(board, piece, following, learned, lines=lines, reach="30hz", playouts=4, backend=backend)
    assert {one.state: one.value for one in found} == expected
    assert [one.value for one in found] == sorted(expected.values())
    assert all(one.prospect is not None for one in found[:5])


def test_a_level_tells_the_lines() -> None:
    learned, board = some_value(5), "#########./" * 3
    by_level = suggest(board, "T", "I", learned, level=20, playouts=0, backend=CPU)
    by_lines = suggest(board, "T", "I", learned, lines=140, playouts=0, backend=CPU)
    assert by_level == by_lines != suggest(board, "T", "I", learned, playouts=0, backend=CPU)
    with pytest.raises(BadInput, match="level 20: expected without lines"):
        suggest(board, "T", "I", learned, level=20, lines=140, backend=CPU)
    with pytest.raises(BadInput, match="lines 140: expected only where pieces"):
        suggest(board, "T", "I", "published", lines=140, backend=CPU)


@pytest.mark.parametrize("policy", ["greedy", "two-piece"])
def test_games_are_the_same_however_many_are_played_at_once(policy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    learned = value.untrained()
    together = playing.play(CPU, learned, 5, 7, 0, policy, None, SHORT)
    traces = [playing.trace(CPU, learned, 7, game, policy, None, SHORT) for game in range(5)]
    monkeypatch.setattr(value_play, "games_at_once", lambda *_: 2)
    apart = playing.play(open_backend("cpu:2"), learned, 5, 7, 0, policy, None, SHORT)
    assert together.scores.tolist() == apart.scores.tolist()
    assert together.pieces[0].tolist() == [len(trace) for trace in traces]


def same(a: LearnedValue, b: LearnedValue) -> bool:
    return np.array_equal(a.tables, b.tables) and np.array_equal(a.endgame, b.endgame)


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
