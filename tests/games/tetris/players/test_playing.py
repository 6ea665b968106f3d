"""Whole games by kernels and by turns, on every device."""

from __future__ import annotations

import numpy as np
import pytest

from games.tetris import oracle
from games.tetris.oracle import PUBLISHED
from gpusolve.backend import Backend, open_backend
from gpusolve.games.tetris import kernels
from gpusolve.games.tetris.players.player import policy_of
from gpusolve.games.tetris.players.playing import play, play_lists, play_rows, trace
from gpusolve.games.tetris.players.policy import POLICIES, Policy, PolicyName
from gpusolve.games.tetris.players.weights import load_weights
from gpusolve.games.tetris.rules import sources
from gpusolve.games.tetris.variant import Variant

CPU = open_backend("cpu")
PLAYER = load_weights(PUBLISHED)
WEIGHTS = np.stack([PUBLISHED, np.linspace(-3, 5, 17)])


@pytest.mark.parametrize("key", oracle.DELAYED)
def test_games_with_a_delay_are_the_oracles(backend: Backend, key: oracle.Key) -> None:
    _, seed, game, source, start_level, max_lines, reach, delay = key
    variant, turns = Variant(reach, source, start_level, max_lines, delay), oracle.delayed()[key]
    placements = trace(backend, PLAYER, seed=seed, game=game, policy=Policy(), variant=variant)
    assert [kernels.state_of(turn.piece, placement) for turn, placement in zip(turns, placements, strict=True)] == [
        turn.state for turn in turns
    ]
    games = play_rows(backend, WEIGHTS, range(game - 1, game + 1), seed=seed, policy=Policy(), variant=variant)
    assert games.scores.shape == (2, 2)
    assert (games.scores[0, 1], games.lines[0, 1], games.pieces[0, 1]) == (turns[-1].score, turns[-1].lines, len(turns))


@pytest.mark.parametrize("name", POLICIES)
def test_games_by_turns_are_those_of_the_kernels(backend: Backend, name: PolicyName) -> None:
    """The pieces of a seed are given as lists; a game with fewer pieces than it needs ends with its list."""
    variant = Variant("30hz", max_lines=2)
    policy = policy_of(PLAYER, name, breadths=(2, 2) if name == "branching" else None)
    games = [list(zip(range(40), sources.pieces(3, game), strict=False)) for game in range(3)]
    lists = [[piece for _, piece in game] for game in games]
    by_turns, traces = play_lists(backend, PLAYER, [*lists, lists[0][:3]], policy=policy, variant=variant)
    plain = play(CPU, PLAYER, range(3), seed=3, policy=policy, variant=variant)
    assert by_turns.results[:, :3].tolist() == plain.results.tolist()
    assert traces[3] == traces[0][:2]
    assert traces[0] == trace(CPU, PLAYER, seed=3, policy=policy, variant=variant)


def test_a_delay_below_half_a_frame_changes_nothing() -> None:
    variants = [Variant("30hz", "nes", max_lines=40, delay_ms=delay) for delay in (0, 8, 300)]
    assert [variant.delay for variant in variants] == [0, 0, 18]
    scores = [
        play(CPU, PLAYER, range(20), seed=5, policy=Policy(), variant=variant).scores.tolist() for variant in variants
    ]
    assert scores[0] == scores[1] != scores[2]
