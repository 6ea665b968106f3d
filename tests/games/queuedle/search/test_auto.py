"""The strategy ``auto``: its plan, its budget, and its checkpoints."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from games.queuedle.oracle import checked, outcome
from gpusolve.errors import BadInput
from gpusolve.games.queuedle.positions import Moves
from gpusolve.games.queuedle.search import auto
from gpusolve.games.queuedle.search.auto import beams_in_rounds
from gpusolve.games.queuedle.search.searches import Solution, Solver
from gpusolve.runs import checkpoint
from recorded import recorded


def test_the_plan_grows_and_changes_in_turns() -> None:
    plans = [auto.plan_round(3, number) for number in range(200)]
    widths = [plan.width for plan in plans]
    assert widths == sorted(widths)
    assert (widths[0], widths[1], widths[-1]) == (auto.FIRST_WIDTH, auto.SECOND_WIDTH, auto.WIDEST)
    assert [plan.turn for plan in plans[:10]] == [1, 0, 0, 0, 0, 1, 1, 1, 1, 2]
    assert [plan.prefix > 0 for plan in plans[:6]] == [False, False, True, True, True, False]
    assert [plan.from_turn for plan in plans[:6]] == [False, False, True, True, False, False]
    salts = {plan.turn: plan.salt for plan in plans if plan.by_score}
    assert list(salts) == list(range(1, 50, 3))
    assert len(set(salts.values())) == len(salts)
    assert {plan.salt for plan in plans if not plan.by_score} == {0} == {salts[1]}
    assert plans == [auto.plan_round(3, number) for number in range(200)]
    assert plans != [auto.plan_round(4, number) for number in range(200)]
    assert max(auto.plan_round(3, number, 500).width for number in range(200)) == 500


def run_auto(solver: Solver, states: int, seed: int = 3, **options: Any) -> Solution:
    return checked(solver, beams_in_rounds(solver, states=states, seed=seed, **options))


def test_a_larger_budget_continues_where_a_smaller_one_ends(long: Solver, tmp_path: Path) -> None:
    file = tmp_path / "auto.ckpt"
    reports: list[tuple[int, int]] = []
    better: list[tuple[int, Moves]] = []
    whole = run_auto(
        long,
        12_000_000,
        improved=lambda *board: better.append(board),
        progress=lambda *so_far: reports.append(so_far),
    )
    assert (whole.complete, whole.proven, whole.seed) == (True, False, 3)
    assert whole.generated >= 12_000_000
    assert reports == sorted(reports)
    assert reports[-1] == (whole.generated, whole.score)
    assert better[-1] == (whole.score, whole.moves)
    assert [score for score, _ in better] == sorted({score for score, _ in better})
    assert outcome(whole) == recorded("queuedle/auto", lambda: outcome(whole))
    for states in (1, 500_000, 6_000_000):
        part = run_auto(long, states, checkpoint=file)
        assert (part.complete, part.generated >= states) == (True, True)
        assert part.rounds <= whole.rounds
        assert part.score == [best for generated, best in reports if generated <= part.generated][-1]
        again = run_auto(long, 12_000_000, resume=file)
        assert (outcome(again), again.rounds) == (outcome(whole), whole.rounds)
        assert again.seconds > part.seconds
    assert run_auto(long, 5_000_000, resume=file).generated == whole.generated  # its budget was already used up
    with pytest.raises(BadInput, match="made with seed 3, not with 4"):
        run_auto(long, 12_000_000, seed=4, resume=file)


class Stop(BaseException):
    """An exception like those that signals raise, at any point of a run."""


def test_a_run_stopped_anywhere_resumes_to_the_same_result(long: Solver, tmp_path: Path) -> None:
    file = tmp_path / "auto.ckpt"
    whole = run_auto(long, 12_000_000)
    random, stops = np.random.default_rng(5), 0

    def stop(generated: int, best: int) -> None:
        if random.random() < 0.04:
            raise Stop

    options: dict[str, Any] = {"checkpoint": file}
    while True:
        try:
            solution = run_auto(long, 12_000_000, progress=stop, **options)
            break
        except Stop:
            stops, options = stops + 1, {"resume": file}
    assert stops
    assert (outcome(solution), solution.rounds) == (outcome(whole), whole.rounds)


def test_a_round_cut_by_the_time_limit_is_done_again(long: Solver, tmp_path: Path) -> None:
    file = tmp_path / "auto.ckpt"
    whole = run_auto(long, 12_000_000)
    first = checked(long, beams_in_rounds(long, states=None, seed=3, time_limit=0.0, checkpoint=file))
    assert (first.rounds, first.complete) == (1, False)
    # Each resume makes at least one round.
    second = checked(long, beams_in_rounds(long, states=None, time_limit=0.0, resume=file))
    assert (second.rounds, second.complete, second.seed) == (2, False, 3)
    assert second.score >= first.score
    cut = checked(long, beams_in_rounds(long, states=12_000_000, time_limit=0.15, resume=file))
    assert cut.rounds >= 3
    assert cut.complete == (cut.rounds == whole.rounds)
    assert outcome(run_auto(long, 12_000_000, resume=file)) == outcome(whole)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"score": 1000}, r"score 1000: expected \d+, the score that its moves give"),
        ({"moves": [99]}, r"moves\[0\] 99: expected a whole number, 0 to 15"),
        ({"turn_score": 1}, r"turn_score 1: expected \d+, the score that its moves give"),
        ({"turn_moves": None}, "turn_moves None: expected a list"),
        ({"moves": "l1"}, "moves l1: expected a list"),
        ({"moves": None}, "moves None: expected a list"),
        ({"moves": [0, 1]}, "move 2, r1: move 1 slid this line the other way"),
        ({"rounds": -1}, "rounds -1: expected a whole number"),
        ({"rounds": "x"}, "rounds x: expected a whole number"),
        ({"generated": 1.5}, "generated 1.5: expected a whole number"),
        ({"proven": 1}, "proven 1: expected true or false"),
        ({"rounds": 0}, "rounds 0: expected at least 1, because the run has a score"),
    ],
    ids=str,
)
def test_a_damaged_checkpoint_is_refused(wrong: dict[str, Any], message: str, long: Solver, tmp_path: Path) -> None:
    file = tmp_path / "auto.ckpt"
    run_auto(long, 1, checkpoint=file)
    settings, state = checkpoint.load(file, "queuedle.auto")
    checkpoint.save(file, "queuedle.auto", dict(settings.values), {**state.values, **wrong})
    with pytest.raises(BadInput, match=f"checkpoint .*auto.ckpt: damaged: {message}"):
        run_auto(long, 100, resume=file)


def test_a_checkpoint_without_a_field_is_refused(long: Solver, tmp_path: Path) -> None:
    file = tmp_path / "auto.ckpt"
    run_auto(long, 1, checkpoint=file)
    settings, state = checkpoint.load(file, "queuedle.auto")
    checkpoint.save(file, "queuedle.auto", dict(settings.values), {"seconds": state.values["seconds"]})
    with pytest.raises(BadInput, match="damaged: it has no score"):
        run_auto(long, 100, resume=file)


def test_a_proven_result_is_not_searched_for_again(small: Solver, tmp_path: Path) -> None:
    file = tmp_path / "auto.ckpt"
    first = beams_in_rounds(small, seed=3, checkpoint=file)
    second = beams_in_rounds(small, resume=file)
    assert (first.proven, outcome(second), second.rounds, second.proven) == (True, outcome(first), first.rounds, True)
