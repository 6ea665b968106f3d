"""Games that go on after some slides: the best board and the points lost, against trying everything."""

from __future__ import annotations

import random
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from games.queuedle.oracle import CPU, LONG
from gpusolve.errors import BadInput
from gpusolve.games.queuedle import rules
from gpusolve.games.queuedle._solve import solve
from gpusolve.games.queuedle.positions import Moves, Position
from gpusolve.games.queuedle.puzzles import Puzzle

WORDS = ["tea", "eat", "ate", "seat", "teas", "ton", "not", "net", "ten", "tend", "dot", "sad", "ads", "toad"]


def best_from(position: Position) -> int:
    """Return the best score of all ways to go on."""
    following = [best_from(rules.slide(position, move)) for move in rules.legal_moves(position)]
    return max(rules.score(position.grid, WORDS), *following, 0)


def game(seed: int) -> tuple[Puzzle, list[int]]:
    """Return a puzzle with a short queue, and some legal slides."""
    chance = random.Random(seed)
    grid = tuple("".join(chance.choices("teasond", k=4)) for _ in range(4))
    puzzle = Puzzle(grid, "".join(chance.choices("teasond", k=3)))
    position = puzzle.start
    for _ in range(1 + seed % 3):
        position = rules.slide(position, chance.choice(rules.legal_moves(position)))
    return puzzle, [*position.moves]


@pytest.mark.parametrize("seed", range(10))
def test_the_best_way_to_go_on_is_that_of_trying_everything(seed: int) -> None:
    puzzle, moves = game(seed)
    worth = [best_from(position) for position in rules.replay(puzzle.start, moves)]
    ways: list[dict[str, Any]] = [{"strategy": "beam"}, {"strategy": "best-first"}, {"seed": 1}, {"restarts": 2}]
    for way in ways:
        found = solve(puzzle, moves=moves, dictionary=WORDS, backend=CPU, **way)
        assert (found.score, found.proven) == (worth[-1], True)
        assert found.moves[: len(moves)] == tuple(moves)
        assert (found.lost, found.lost_proven) == ([before - after for before, after in pairwise(worth)], True)
        text = solve(puzzle, moves=str(Moves(moves)), dictionary=WORDS, backend=CPU, **way)
        assert text.game == found.game


def test_every_round_begins_with_the_slides_made() -> None:
    found = solve(LONG, moves="l1 u2 r3", states=3_000_000, seed=1, backend=CPU)
    assert found.rounds > 3
    assert str(found.moves).startswith("l1 u2 r3 ")
    assert len(found.lost) == 3
    assert min(found.lost) >= 0
    assert not found.lost_proven
    assert solve(LONG, moves="l1 u2 r3", states=6_000_000, seed=1, backend=CPU).score >= found.score


def test_a_run_is_resumed_after_the_same_slides_only(tmp_path: Path) -> None:
    file = tmp_path / "state"
    whole = solve(LONG, moves="l1 u2", states=1_500_000, seed=1, backend=CPU)
    solve(LONG, moves="l1 u2", states=400_000, seed=1, checkpoint=file, backend=CPU)
    again = solve(LONG, moves="l1 u2", states=1_500_000, resume=file, backend=CPU)
    assert (again.score, again.moves, again.rounds) == (whole.score, whole.moves, whole.rounds)
    for moves in ("", "l1", "l1 u3"):
        with pytest.raises(BadInput, match="moves"):
            solve(LONG, moves=moves, resume=file, backend=CPU)


def test_after_the_last_slide_the_board_is_the_best() -> None:
    puzzle = Puzzle.parse("tsea/enop/adis/ttre eat")
    found = solve(puzzle, moves="r2 u1 l1", dictionary=WORDS, backend=CPU)
    assert (str(found.moves), found.proven) == ("r2 u1 l1", True)
    assert found.score == rules.score(rules.replay(puzzle.start, found.moves)[-1].grid, WORDS)


@pytest.mark.parametrize(
    ("moves", "message"),
    [
        ("r2 l2", "move 2, l2: move 1 slid this line the other way"),
        ("r2 u1 l1 l3", "move 4, l3: the queue is empty after 3 moves"),
        ("r5", "move 1, 'r5': expected one of l r u d and a line 1..4"),
    ],
)
def test_an_illegal_slide_is_bad_input(moves: str, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        solve("tsea/enop/adis/ttre eat", moves=moves, backend=CPU)
