"""The boards that a value learns from."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from gpusolve.backend import open_backend
from gpusolve.fields import Fields
from gpusolve.games.tetris import Variant, kernels
from gpusolve.games.tetris.players.judge import greedy
from gpusolve.games.tetris.players.turns import Choose, Now, Round
from gpusolve.games.tetris.players.value import untrained
from gpusolve.games.tetris.rules import sources
from gpusolve.games.tetris.rules.board import place
from gpusolve.games.tetris.rules.losses import stakes
from gpusolve.games.tetris.training.episodes import beginner, play_ahead, play_episodes
from gpusolve.games.tetris.training.learner import Learner

CPU = open_backend("cpu:1")
SHORT = Variant("30hz", "nes", max_lines=12)


def test_episodes_are_the_boards_of_the_games() -> None:
    """The rules replay the games: each board, its lines, and the loss with the next placement or without one."""
    at_stake = stakes(SHORT.start_level, SHORT.max_lines)
    learner = Learner(untrained(), SHORT, Fields("checkpoint"))
    judge, made = learner.value.judge(CPU, SHORT), []
    player = beginner(judge, np.random.default_rng(1))

    def choose(now: Now) -> Any:
        placements, chosen = player(now)
        made.append((placements.counts.copy(), placements.placements[np.arange(len(chosen)), chosen]))
        return placements, chosen

    episodes, results = play_episodes(judge, Round(CPU, range(1), seed=5, variant=SHORT), choose)
    board, lines, expected, costs = np.zeros((22, 10), np.uint8), 0, [], []
    for (counts, placements), piece in zip(made, sources.pieces(5, 0, "nes"), strict=False):
        cleared = 0
        if counts[0]:
            board, cleared, _ = place(board, piece, kernels.state_of(piece, int(placements[0])))
        costs.append(int(at_stake.lost[lines, cleared]) if counts[0] else int(at_stake.future[lines]))
        lines += cleared
        if counts[0] and lines < SHORT.max_lines:
            expected.append((board, lines))
    assert lines == results[0, 1]
    assert (kernels.columns_of([board for board, _ in expected]) == episodes.boards).all()
    assert episodes.lines.tolist() == [lines for _, lines in expected]
    assert episodes.costs.tolist() == costs[1:]
    assert episodes.ends.tolist() == [len(expected)]


def test_episodes_of_pairs_are_every_second_board() -> None:
    """The boards after an even number of pieces, each with what the next two pieces lost together."""
    judge = untrained().judge(CPU, SHORT)
    choose = greedy(judge)
    every, results = play_episodes(judge, Round(CPU, range(5), seed=5, variant=SHORT), choose)
    pairs, same = play_episodes(judge, Round(CPU, range(5), seed=5, variant=SHORT), choose, choose)
    assert (results == same).all()
    assert len(set(results[:, 2] % 2)) == 2  # games end after the first and after the second piece of a pair
    begin = of_pairs = 0
    for end, pieces, last in zip(every.ends, results[:, 2], pairs.ends, strict=True):
        boards, costs = every.boards[begin:end], every.costs[begin:end]
        count = len(boards) // 2
        assert count == last - of_pairs
        assert (pairs.boards[of_pairs:last] == boards[1::2]).all()
        together = [int(costs[i] + costs[i + 1 : i + 2].sum()) for i in range(1, len(costs), 2)]
        assert pairs.costs[of_pairs:last].tolist() == together
        assert pieces in (len(boards), len(boards) + 1)
        begin, of_pairs = end, last


def test_pairs_are_placed_by_the_first_player_and_the_second() -> None:
    judge = untrained().judge(CPU, SHORT)
    called: list[int] = []

    def player(number: int) -> Choose:
        def choose(now: Now) -> Any:
            called.append(number)
            return greedy(judge)(now)

        return choose

    play_episodes(judge, Round(CPU, range(1), seed=5, variant=SHORT), player(1), player(2))
    assert called[:4] == [1, 2, 1, 2]


def test_with_a_reaction_time_every_board_is_a_lesson() -> None:
    """Pieces come in pairs only if the next one is known at once."""
    for delay_ms, pieces in ((0, 2), (300, 1)):
        variant = replace(SHORT, delay_ms=delay_ms)
        episodes, results = play_ahead(untrained().judge(CPU, variant), Round(CPU, range(5), seed=5, variant=variant))
        assert np.diff(episodes.ends, prepend=0).tolist() == (results[:, 2] // pieces).tolist()
