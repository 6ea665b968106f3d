"""The policy playouts against a slow version of it, by weights and by a learned value."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import pytest

from games.tetris.oracle import PUBLISHED, slow_least, some_boards, some_value
from gpusolve.backend import Backend, open_backend
from gpusolve.errors import BadInput
from gpusolve.games.tetris import Player, evaluate, kernels
from gpusolve.games.tetris.players import playouts
from gpusolve.games.tetris.players.playing import choose
from gpusolve.games.tetris.players.policy import Policy
from gpusolve.games.tetris.players.weights import load_weights
from gpusolve.games.tetris.rules import board as rules, features, reachability, sources
from gpusolve.games.tetris.rules.features import DECISIVE
from gpusolve.games.tetris.rules.losses import stakes
from gpusolve.games.tetris.variant import Variant

CPU = open_backend("cpu:1")
LEVEL = 19
CLOCK = Variant("30hz", "nes")
Ranked: TypeAlias = list[tuple[int, rules.State, rules.Board, int]]
"""Every placement with its value, its state, the board after it and the lines then; the least value first."""


def by_weights(board: rules.Board, piece: int, lines: int) -> Ranked:
    fixed = features.fixed_point(PUBLISHED)[0]
    ranked: list[tuple[int, int, rules.State, rules.Board, int]] = []
    for number, state in enumerate(reachability.placements(board, piece, CLOCK.reach, LEVEL)):
        after, cleared, _ = rules.place(board, piece, state)
        worth = features.value(fixed, board, piece, state) - DECISIVE * (cleared == 4)
        ranked.append((worth, number, state, after, lines + cleared))
    return [(worth, state, after, then) for worth, _, state, after, then in sorted(ranked, key=lambda row: row[:2])]


Ranks: TypeAlias = Callable[[rules.Board, int, int], Ranked]


def lost_over(
    ranked: Ranks,
    cost: Callable[[int, int], int],
    end: Callable[[int], int],
    after: rules.Board,
    lines: tuple[int, int],
    pieces: list[int],
) -> int:
    """Return what a placement and the pieces after it lose; `lines` are those before and after the placement."""

    def planned(here: rules.Board, piece: int, following: int, gone: int) -> tuple[int, rules.Board, int] | None:
        """Return what both pieces lose by two-piece play, the board after the first one and the lines then."""
        best = None
        for _, _, after, then in ranked(here, piece, gone)[: playouts.KEPT]:
            second = ranked(after, following, then)
            lost = cost(gone, then) + (second[0][0] if second else end(then))
            if best is None or lost < best[0]:
                best = lost, after, then
        return best

    lost, then = cost(*lines), lines[1]
    for step in range(len(pieces) - 1):
        best = planned(after, pieces[step], pieces[step + 1], then)
        if best is None:
            return lost + end(then)
        if step == len(pieces) - 2:
            return lost + best[0]
        lost += cost(then, best[2])
        after, then = best[1:]
    raise AssertionError


def slow_choice(
    ranked: Ranks,
    cost: Callable[[int, int], int],
    end: Callable[[int], int],
    board: rules.Board,
    known: tuple[int, int],
    lines: int,
    drawn: list[list[int]],
) -> rules.State:
    """Return the placement from which the least is lost over all the sequences."""
    tried = ranked(board, known[0], lines)[:2]
    worths = [
        sum(lost_over(ranked, cost, end, after, (lines, then), [known[1], *sequence]) for sequence in drawn)
        for _, _, after, then in tried
    ]
    return tried[worths.index(min(worths))][1]


@pytest.mark.parametrize("kind", ["weights", "value"])
def test_the_choice_is_the_oracles(backend: Backend, kind: str) -> None:
    learned, at_stake = some_value(11), stakes(19, 230)
    boards, pieces, following = some_boards(8, 3), [0, 3, 5], [2, 6, 1]
    lines = np.array([0, 60, 100], np.int32)
    player: Player = learned if kind == "value" else load_weights(PUBLISHED)
    placements, chosen = choose(
        player,
        kernels.columns_of(boards),
        pieces,
        following=following,
        levels=LEVEL,
        lines=lines,
        policy=Policy("playouts", (2, 3, 2)),
        variant=CLOCK,
        backend=backend,
    )
    drawn = playouts.sequences(CLOCK.source, 3, 2)

    def by_value(board: rules.Board, piece: int, gone: int) -> Ranked:
        return slow_least(learned, board, piece, gone, CLOCK)

    for i, board in enumerate(boards):
        followed_by = drawn[following[i]].tolist()
        if kind == "value":
            expected = slow_choice(
                by_value,
                lambda gone, then: int(at_stake.lost[gone, then - gone]),
                lambda gone: int(at_stake.future[gone]),
                board,
                (pieces[i], following[i]),
                int(lines[i]),
                followed_by,
            )
        else:
            expected = slow_choice(
                by_weights,
                lambda gone, then: -DECISIVE * (then - gone == 4),
                lambda gone: DECISIVE,
                board,
                (pieces[i], following[i]),
                int(lines[i]),
                followed_by,
            )
        assert kernels.state_of(pieces[i], int(placements.placements[i, chosen[i]])) == expected


def test_with_a_delay_the_plan_is_chosen_by_the_expectation(backend: Backend) -> None:
    """Each placement is played out with each of the seven pieces; then the plan with the least expectation is taken."""
    learned, variant = some_value(12), Variant("30hz", "nes", delay_ms=300)
    policy, board, piece, following = Policy("playouts", (3, 2, 2)), some_boards(8, 3)[1], 3, 6
    at_stake, drawn = stakes(19, 230), playouts.sequences("nes", 2, 2)
    placements, chosen = choose(
        learned,
        kernels.columns_of(board[None]),
        [piece],
        following=following,
        levels=LEVEL,
        lines=40,
        policy=policy,
        variant=variant,
        backend=backend,
    )

    def by_value(here: rules.Board, other: int, gone: int) -> Ranked:
        return slow_least(learned, here, other, gone, CLOCK)

    worths = {}
    for _, state, after, then in by_value(board, piece, 40)[:3]:
        worths[state] = [
            sum(
                lost_over(
                    by_value,
                    lambda gone, then: int(at_stake.lost[gone, then - gone]),
                    lambda gone: int(at_stake.future[gone]),
                    after,
                    (40, then),
                    [other, *sequence],
                )
                for sequence in drawn[other].tolist()
            )
            // 2
            for other in range(7)
        ]
    chances = sources.transitions("nes")[piece].tolist()
    best, choice = None, None
    for left in reachability.plans(board, piece, "30hz", LEVEL, delay=variant.delay):
        tried = [worths[state] for state in left if state in worths]
        if not tried:
            continue
        expected = sum(chance * min(column) for chance, column in zip(chances, zip(*tried, strict=True), strict=True))
        if best is None or expected < best:
            best, choice = expected, min(worth[following] for worth in tried)
    assert worths[kernels.state_of(piece, int(placements.placements[0, chosen[0]]))][following] == choice


@pytest.mark.parametrize("source", sources.SOURCES)
def test_every_piece_comes_as_often_as_its_chance_says(source: str) -> None:
    chances, drawn = sources.transitions(source), playouts.sequences(source, 60, 3)
    for piece in range(7):
        counts = np.bincount(drawn[piece, :, 0], minlength=7)
        assert (np.abs(counts - 60 * chances[piece] / chances[piece].sum()) <= 1).all()
    assert len({tuple(sequence) for sequence in drawn[0].tolist()}) > 30
    assert np.array_equal(drawn, playouts.sequences(source, 60, 3))


def test_whole_games_are_the_same_on_all_cores() -> None:
    variant = Variant("30hz", "nes", max_lines=6)
    scores = [
        evaluate(
            player, count=3, policy="playouts", breadths=(2, 4, 2), variant=variant, seed=5, backend=backend
        ).scores.tolist()
        for player in ("published", "learned")
        for backend in (CPU, open_backend("cpu:2"))
    ]
    assert scores[0] == scores[1] != scores[2] == scores[3]


@pytest.mark.parametrize(
    ("breadths", "message"),
    [
        ((4, 16), "placements, sequences and pieces"),
        ((4, 1001, 4), "breadths: sequences"),
        ((4, 16, 51), "breadths: pieces"),
        ((0, 16, 4), "breadths: placements 0"),
        ((352, 1000, 4), "at most 200,000 boards"),
        ("4,16,", "placements, sequences and pieces"),
    ],
)
def test_invalid_breadths_are_refused(breadths: Any, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        evaluate("published", count=1, policy="playouts", breadths=breadths, backend=CPU)
