"""The exact search: against trying everything, and against what is published."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from games.wordle.oracle import NEVER, Oracle, depths
from gpusolve.backend import Backend, open_backend
from gpusolve.errors import BadInput, NoSolution
from gpusolve.games.wordle import rules
from gpusolve.games.wordle.history import after
from gpusolve.games.wordle.proof import _solve as exact
from gpusolve.games.wordle.proof.position import Position
from gpusolve.games.wordle.proof.starts import Progress
from gpusolve.games.wordle.rules import Mode, Objective, Scoring
from gpusolve.games.wordle.variant import Variant
from gpusolve.games.wordle.words import word_list

GUESSES, ANSWERS = word_list("wordle-guesses"), word_list("wordle-answers")
CPU = open_backend("cpu")


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.text("abcd", min_size=5, max_size=5), min_size=1, max_size=14, unique=True),
    st.integers(1, 9),
    st.sampled_from(rules.MODES),
    st.sampled_from(rules.SCORINGS),
    st.booleans(),
    st.integers(1, 6),
    st.booleans(),
)
def test_totals_are_those_of_trying_everything(
    words: list[str], count: int, mode: Mode, scoring: Scoring, hidden_only: bool, within: int, with_start: bool
) -> None:
    words, answers = sorted(words), sorted(words[:count])
    start = words[0] if with_start and (not hidden_only or words[0] in answers) else None
    oracle = Oracle(words, mode, scoring, hidden_only)
    expected = oracle.total(answers, within=within, first=start)
    variant = Variant.load(words, answers, mode=mode, scoring=scoring, guess_hidden_only=hidden_only)

    def solve() -> exact.Solution:
        return exact.solve([], variant, within=within, start=start, memory=1, backend=CPU)

    if expected == NEVER:
        with pytest.raises(NoSolution, match=f"within {within} guess"):
            solve()
        return
    solution = solve()
    found = depths(solution.tree, oracle, answers)
    assert (solution.total, solution.proven) == (expected, True)
    assert [found[answer] for answer in answers] == solution.turns.tolist()
    assert sum(found.values()) == expected
    assert max(found.values()) == solution.worst <= within


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.text("abcd", min_size=5, max_size=5), min_size=1, max_size=14, unique=True),
    st.integers(1, 9),
    st.sampled_from(rules.MODES),
    st.sampled_from(rules.SCORINGS),
    st.booleans(),
    st.booleans(),
)
def test_worst_cases_are_those_of_trying_everything(
    words: list[str], count: int, mode: Mode, scoring: Scoring, hidden_only: bool, with_start: bool
) -> None:
    words, answers = sorted(words), sorted(words[:count])
    start = answers[-1] if with_start else None
    oracle = Oracle(words, mode, scoring, hidden_only)
    variant = Variant.load(words, answers, mode=mode, scoring=scoring, guess_hidden_only=hidden_only)
    solution = exact.solve([], variant, "worst", start=start, memory=1, backend=CPU)
    found = depths(solution.tree, oracle, answers)
    assert solution.proven
    assert max(found.values()) == solution.worst == oracle.worst(answers, first=start)
    first_words = None if start else "all"
    least = exact.solve([], variant, "worst-mean", start=start, first_words=first_words, memory=1, backend=CPU)
    found = depths(least.tree, oracle, answers)
    assert least.proven
    assert max(found.values()) == least.worst == solution.worst
    assert sum(found.values()) == least.total == oracle.total(answers, within=solution.worst, first=start)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("mode", "scoring"), [("easy", "wordle"), ("hard", "wordle"), ("hard", "presence")])
def test_what_one_search_learns_holds_in_the_next(mode: Mode, scoring: Scoring, seed: int) -> None:
    chance = random.Random(seed)
    answers = sorted(first + end for first in "abcdefgh" for end in chance.sample(["oooo", "eeee", "oeoe"], 1))
    guesses = sorted({*answers, *("".join(chance.choices("abcdefghoe", k=5)) for _ in range(5))})
    oracle, variant = Oracle(guesses, mode, scoring), Variant.load(guesses, answers, mode=mode, scoring=scoring)
    position = Position(after((), variant, "patterns", CPU), variant, memory=1, backend=CPU)
    verdicts = []
    for _ in range(120):
        members, turns = sorted(chance.sample(range(8), chance.randint(3, 8))), chance.randint(2, 5)
        verdicts.append(position.solvable(np.array(members), turns)[0])
        assert verdicts[-1] == (oracle.total([answers[i] for i in members], within=turns) < NEVER)
        position.search.memo[:] = 0  # only the lessons are kept
    assert set(verdicts) == {False, True}


def test_a_worst_case_is_resumed_cell_by_cell(tmp_path: Path) -> None:
    file, seen = tmp_path / "run", []

    def solve(**more: Any) -> exact.Solution:
        return exact.solve([], objective="worst", start="crane", memory=64, backend=CPU, **more)

    class Stopped(Exception):
        """Stops the search from within."""

    def stop(progress: Progress) -> None:
        seen.append(progress.done)
        if progress.done > 3:
            raise Stopped

    with pytest.raises(Stopped):
        solve(checkpoint=file, progress=stop)
    whole, resumed = solve(), solve(resume=file, progress=lambda progress: seen.append(progress.done))
    assert max(seen) > 4
    assert (resumed.starts, resumed.proven) == (whole.starts, whole.proven) == ([("crane", 5)], True)


@pytest.mark.parametrize(
    ("mode", "start", "total", "worst"),
    [("easy", "salet", 7920, 5), ("hard", "salet", 8122, 6), ("hard", "least", 8127, 6)],
)
def test_totals_that_are_published(mode: Mode, start: str, total: int, worst: int) -> None:
    solution = exact.solve([], Variant.load(mode=mode), start=start, backend=CPU)
    assert (solution.total, solution.proven) == (total, True)
    assert solution.worst == worst
    play(solution, mode)


def play(solution: exact.Solution, mode: Mode) -> None:
    """Plays a strategy against some answers, by the rules."""
    for i in range(0, len(solution.answers), 7):
        tree, answer = solution.tree, solution.answers[i]
        history: list[tuple[str, int]] = []
        while (guess := solution.guesses[tree.guess]) != answer:
            assert rules.allowed(guess, history, mode)
            history.append((guess, rules.pattern(guess, answer)))
            tree = tree.cells[history[-1][1]]
        assert len(history) + 1 == solution.turns[i]


def test_the_answers_of_2022() -> None:
    variant = Variant.load("wordle-guesses", "wordle-2022-02-answers")
    assert exact.solve([], variant, start="salet", backend=CPU).total == 7897


def test_the_best_of_some_starts() -> None:
    solution = exact.solve([], first_words=["salet", "slate", "qajaq"], best=2, backend=CPU)
    assert solution.starts == [("salet", 7920), ("slate", 7928)]
    assert (solution.compared, solution.proven, solution.complete) == (3, True, True)


def test_the_worst_case() -> None:
    solution = exact.solve([], objective="worst", within=5, start="crane", backend=CPU)
    assert (solution.starts, solution.worst, solution.proven) == ([("crane", 5)], 5, True)
    play(solution, "easy")
    with pytest.raises(NoSolution, match="no strategy finds all 2,315 answers within 4 guesses"):
        exact.solve([], objective="worst", within=4, first_words=["salet", "crane"], backend=CPU)


FEW = Variant.load(sorted({*GUESSES[::20], *ANSWERS[::23]}), ANSWERS[::23])


def test_a_run_that_is_resumed_ends_as_any_other(tmp_path: Path) -> None:
    whole = exact.solve([], FEW, first_words="all", best=3, backend=CPU)
    file = tmp_path / "run"
    part = exact.solve([], FEW, first_words="all", best=3, time_limit=0.0, checkpoint=file, backend=CPU)
    assert (part.complete, part.proven) == (False, False)
    part = exact.solve([], FEW, first_words="all", best=3, time_limit=0.5, resume=file, backend=CPU)
    solution = exact.solve([], FEW, first_words="all", best=3, resume=file, backend=CPU)
    assert (solution.starts, solution.total, solution.proven) == (whole.starts, whole.total, True)


@pytest.mark.parametrize(("objective", "more"), [("mean", {"best": 3}), ("worst", {}), ("worst-mean", {"best": 2})])
@pytest.mark.parametrize("start", [None, FEW.answers[0]])
def test_workers_change_nothing(objective: Objective, more: dict[str, int], start: str | None) -> None:
    chosen: dict[str, Any] = {"first_words": "top 40", **more} if start is None else {"start": start}
    alone, together = (
        exact.solve([], FEW, objective, **chosen, memory=8, workers=workers, backend=CPU) for workers in (1, 2)
    )
    assert together.starts == alone.starts
    assert (together.worst, together.complete, together.proven) == (alone.worst, True, True)
    assert objective == "worst" or together.total == alone.total
    assert together.states > 0


@pytest.mark.parametrize("limit", [0.0, 0.3])
@pytest.mark.parametrize("start", [None, FEW.answers[0]])
def test_the_worst_case_and_then_the_mean_is_resumed(tmp_path: Path, start: str | None, limit: float) -> None:
    chosen: dict[str, Any] = {"first_words": "top 40"} if start is None else {"start": start}
    file = tmp_path / "run"
    whole = exact.solve([], FEW, "worst-mean", **chosen, backend=CPU)
    exact.solve([], FEW, "worst-mean", **chosen, time_limit=limit, checkpoint=file, backend=CPU)
    part = exact.solve([], FEW, "worst-mean", **chosen, time_limit=limit, resume=file, backend=CPU)
    resumed = exact.solve([], FEW, "worst-mean", **chosen, resume=file, backend=CPU)
    assert part.total >= whole.total
    assert (resumed.starts, resumed.total, resumed.worst, resumed.proven) == (
        whole.starts,
        whole.total,
        whole.worst,
        True,
    )


def test_a_checkpoint_that_does_not_fit_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "run"
    exact.solve([], FEW, first_words="all", checkpoint=file, backend=CPU)
    other = Variant.load(FEW.guesses, ANSWERS[::46])
    with pytest.raises(BadInput, match="made with answers"):
        exact.solve([], other, first_words="all", resume=file, backend=CPU)
    with pytest.raises(BadInput, match="made with within 6, not with 5"):
        exact.solve([], FEW, within=5, first_words="all", resume=file, backend=CPU)
    content = file.read_bytes()
    for damaged in (content[:-9], content[:200] + b"x" + content[201:], b""):
        file.write_bytes(damaged)
        with pytest.raises(BadInput, match=r"checkpoint .*run: damaged"):
            exact.solve([], FEW, first_words="all", resume=file, backend=CPU)


def test_when_time_is_up_there_is_a_strategy() -> None:
    solution = exact.solve([], start="salet", time_limit=0.0, backend=CPU)
    assert (solution.complete, solution.proven, solution.guess) == (False, False, "salet")
    assert 7920 <= solution.total < 8000
    play(solution, "easy")


def test_a_narrow_search_is_near_and_not_proven() -> None:
    solution = exact.solve([], start="salet", width=5, backend=CPU)
    assert (solution.complete, solution.proven) == (True, False)
    assert 7920 <= solution.total < 7930


def test_what_cannot_be_solved() -> None:
    with pytest.raises(BadInput, match="start 'zzzzz': not among the 12,972 guesses that may be made"):
        exact.solve([], start="zzzzz", backend=CPU)
    with pytest.raises(BadInput, match="the last guess has solved the game"):
        exact.solve(["crane:ggggg"], backend=CPU)
    with pytest.raises(BadInput, match="start salet: expected either this or first words"):
        exact.solve([], start="salet", first_words="all", backend=CPU)
    with pytest.raises(BadInput, match="objective worst: expected no best"):
        exact.solve([], objective="worst", best=3, backend=CPU)
    with pytest.raises(BadInput, match="objective worst-mean: expected no width"):
        exact.solve([], objective="worst-mean", width=3, backend=CPU)


def test_a_device_with_bounds_proves_the_same(backend: Backend) -> None:
    small = Variant.load(sorted({*FEW.guesses[::9], *FEW.answers[::5]}), FEW.answers[::5])
    found = exact.solve([], small, first_words="all", best=2, backend=backend)
    assert found.starts == exact.solve([], small, first_words="all", best=2, backend=CPU).starts
