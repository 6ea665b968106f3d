"""The exact search: against trying every strategy, and against published results."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from games.wordle.oracle import NEVER, Oracle, depths
from gpusolve.backend import Backend, open_backend
from gpusolve.errors import BadInput, NoSolution, NotFound, WrongSolution
from gpusolve.games.wordle import Solution, rules, solve
from gpusolve.games.wordle.analysis.strategies import Tree
from gpusolve.games.wordle.cpu.proof.equal import NEVER as NEVER_SOLVED
from gpusolve.games.wordle.history import after
from gpusolve.games.wordle.proof import _solve
from gpusolve.games.wordle.proof._solve import KIND, replayed, strategy_of
from gpusolve.games.wordle.proof.position import Position
from gpusolve.games.wordle.proof.starts import Comparer, Comparison, Progress, Start
from gpusolve.games.wordle.rules import Mode, Objective, Scoring
from gpusolve.games.wordle.variant import Variant
from gpusolve.games.wordle.wordlist import word_list
from gpusolve.runs import checkpoint as checkpoints

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
def test_totals_are_those_of_trying_every_strategy(
    words: list[str], count: int, mode: Mode, scoring: Scoring, hidden_only: bool, within: int, with_start: bool
) -> None:
    words, answers = sorted(words), sorted(words[:count])
    start = words[0] if with_start and (not hidden_only or words[0] in answers) else None
    oracle = Oracle(words, mode, scoring, hidden_only)
    expected = oracle.total(answers, within=within, first=start)
    variant = Variant.load(words, answers, mode=mode, scoring=scoring, guess_hidden_only=hidden_only)

    def best() -> Solution:
        return solve([], variant, max_guesses=within, first=start, memory=1, backend=CPU)

    if expected == NEVER:
        with pytest.raises(NoSolution, match=f"within {within} guess"):
            best()
        return
    solution = best()
    turns = depths(solution.tree, oracle, answers)
    assert (solution.total, solution.proven) == (expected, True)
    assert [turns[answer] for answer in answers] == solution.turns.tolist()
    assert sum(turns.values()) == expected
    assert max(turns.values()) == solution.worst <= within


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.text("abcd", min_size=5, max_size=5), min_size=1, max_size=14, unique=True),
    st.integers(1, 9),
    st.sampled_from(rules.MODES),
    st.sampled_from(rules.SCORINGS),
    st.booleans(),
    st.sampled_from(["one", "all", "any"]),
    st.one_of(st.none(), st.integers(1, 6)),
)
def test_worst_cases_are_those_of_trying_every_strategy(
    words: list[str],
    count: int,
    mode: Mode,
    scoring: Scoring,
    hidden_only: bool,
    compared: str,
    most: int | None,
) -> None:
    """The smallest worst case, also with a limit above it, and every first guess that attains it."""
    words, answers = sorted(words), sorted(words[:count])
    start = answers[-1] if compared == "one" else None
    first = start or ("all" if compared == "all" else None)
    oracle = Oracle(words, mode, scoring, hidden_only)
    variant = Variant.load(words, answers, mode=mode, scoring=scoring, guess_hidden_only=hidden_only)

    def best(objective: Objective) -> Solution:
        return solve([], variant, objective=objective, first=first, max_guesses=most, memory=1, backend=CPU)

    worst = oracle.worst(answers, first=start)
    if most is not None and worst > most:
        for objective in ("worst", "worst-mean"):
            with pytest.raises(NoSolution, match=f"within {most} guess"):
                best(objective)
        return
    solution, least = best("worst"), best("worst-mean")
    turns = depths(solution.tree, oracle, answers)
    assert solution.proven
    assert max(turns.values()) == solution.worst == worst
    asked = [start] if start else [word for word in words if not hidden_only or word in answers]
    attain = {word for word in asked if oracle.worst(answers, first=word) == worst}
    assert {each.guess for each in solution.starts} == attain
    assert all(each == Start(each.guess, worst, True) for each in solution.starts)
    turns = depths(least.tree, oracle, answers)
    assert least.proven
    assert max(turns.values()) == least.worst == worst
    assert sum(turns.values()) == least.total == oracle.total(answers, within=worst, first=start)


def test_a_worst_case_is_resumed_cell_by_cell(tmp_path: Path) -> None:
    file, seen = tmp_path / "run", []

    def run(**more: Any) -> Solution:
        return solve(objective="worst", first="crane", memory=64, backend=CPU, **more)

    class Stopped(Exception):
        """Stops the search from within."""

    def stop(progress: Progress) -> None:
        seen.append(progress.done)
        if progress.done > 3:
            raise Stopped

    with pytest.raises(Stopped):
        run(checkpoint=file, progress=stop)
    whole, resumed = run(), run(resume=file, progress=lambda progress: seen.append(progress.done))
    assert max(seen) > 4
    assert (resumed.starts, resumed.proven) == (whole.starts, whole.proven) == ([Start("crane", 5, True)], True)


@pytest.mark.parametrize(
    ("mode", "start", "total", "worst"),
    [("easy", "salet", 7920, 5), ("hard", "salet", 8122, 6), ("hard", "least", 8127, 6)],
)
def test_published_totals(mode: Mode, start: str, total: int, worst: int) -> None:
    solution = solve([], Variant.load(mode=mode), first=start, backend=CPU)
    assert (solution.total, solution.proven) == (total, True)
    assert solution.worst == worst
    play(solution, mode)


def play(solution: Solution, mode: Mode) -> None:
    """Play a strategy against every seventh answer, by the rules."""
    for i in range(0, len(solution.answers), 7):
        tree, answer = solution.tree, solution.answers[i]
        history: list[tuple[str, int]] = []
        while (guess := solution.guesses[tree.guess]) != answer:
            assert rules.allowed(guess, history, mode)
            history.append((guess, rules.pattern(guess, answer)))
            tree = tree.cells[history[-1][1]]
        assert len(history) + 1 == solution.turns[i]


def test_the_published_total_for_the_answers_of_2022() -> None:
    variant = Variant.load("wordle-guesses", "wordle-2022-02-answers")
    assert solve([], variant, first="salet", backend=CPU).total == 7897


def test_the_best_of_several_starts() -> None:
    solution = solve(first=["salet", "slate", "qajaq"], top=2, backend=CPU)
    assert solution.starts == [Start("salet", 7920, True), Start("slate", 7928, True)]
    assert (solution.compared, solution.proven, solution.complete) == (3, True, True)


def test_the_published_worst_case() -> None:
    solution = solve(objective="worst", max_guesses=5, first="crane", backend=CPU)
    assert (solution.starts, solution.worst, solution.proven) == ([Start("crane", 5, True)], 5, True)
    play(solution, "easy")
    with pytest.raises(NoSolution, match="no strategy finds all 2,315 answers within 4 guesses"):
        solve(objective="worst", max_guesses=4, first=["salet", "crane"], backend=CPU)


FEW = Variant.load(sorted({*GUESSES[::20], *ANSWERS[::23]}), ANSWERS[::23])


def test_a_resumed_run_has_the_same_result(tmp_path: Path) -> None:
    whole = solve([], FEW, first="all", top=3, backend=CPU)
    file = tmp_path / "run"
    part = solve([], FEW, first="all", top=3, time_limit=0.0, checkpoint=file, backend=CPU)
    assert (part.complete, part.proven) == (False, False)
    part = solve([], FEW, first="all", top=3, time_limit=0.5, resume=file, backend=CPU)
    solution = solve([], FEW, first="all", top=3, resume=file, backend=CPU)
    assert (solution.starts, solution.total, solution.proven) == (whole.starts, whole.total, True)


@pytest.mark.parametrize(("objective", "more"), [("mean", {"top": 3}), ("worst", {}), ("worst-mean", {"top": 2})])
@pytest.mark.parametrize("start", [None, FEW.answers[0]])
def test_workers_do_not_change_the_result(objective: Objective, more: dict[str, int], start: str | None) -> None:
    chosen: dict[str, Any] = {"first": "top 40", **more} if start is None else {"first": start}
    alone, together = (
        solve([], FEW, objective=objective, **chosen, memory=8, workers=workers, backend=CPU) for workers in (1, 2)
    )
    assert together.starts == alone.starts
    assert (together.worst, together.complete, together.proven) == (alone.worst, True, True)
    assert objective == "worst" or together.total == alone.total
    assert together.states > 0


def test_a_search_for_the_worst_case_over_all_guesses_is_resumed(tmp_path: Path) -> None:
    whole = solve([], FEW, objective="worst", backend=CPU)
    file, sessions = tmp_path / "run", 1
    part = solve([], FEW, objective="worst", time_limit=0.0, checkpoint=file, backend=CPU)
    while not part.complete and sessions < 2000:
        part, sessions = solve([], FEW, objective="worst", time_limit=0.05, resume=file, backend=CPU), sessions + 1
    assert sessions > 2
    assert (part.starts, part.worst, part.proven) == (whole.starts, whole.worst, True)


@pytest.mark.parametrize("limit", [0.0, 0.3])
@pytest.mark.parametrize("start", [None, FEW.answers[0]])
def test_both_stages_of_worst_mean_are_resumed(tmp_path: Path, start: str | None, limit: float) -> None:
    chosen: dict[str, Any] = {"first": "top 40"} if start is None else {"first": start}
    file = tmp_path / "run"
    whole = solve([], FEW, objective="worst-mean", **chosen, backend=CPU)
    solve([], FEW, objective="worst-mean", **chosen, time_limit=limit, checkpoint=file, backend=CPU)
    part = solve([], FEW, objective="worst-mean", **chosen, time_limit=limit, resume=file, backend=CPU)
    resumed = solve([], FEW, objective="worst-mean", **chosen, resume=file, backend=CPU)
    assert part.total >= whole.total
    assert (resumed.starts, resumed.total, resumed.worst, resumed.proven) == (
        whole.starts,
        whole.total,
        whole.worst,
        True,
    )


def test_a_resumed_second_stage_knows_the_guess_of_the_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "run"
    whole = solve([], FEW, objective="worst-mean", first="top 40", checkpoint=file, backend=CPU)
    after = Position.cost_after

    def fails_in_a_hurry(position: Position, *question: int) -> int:
        return after(position, *question) if position.exact else NEVER_SOLVED

    monkeypatch.setattr(Comparer, "rank_by_total", lambda *rest, **more: Comparison([], complete=False))
    monkeypatch.setattr(Position, "cost_after", fails_in_a_hurry)
    part = solve([], FEW, objective="worst-mean", first="top 40", resume=file, backend=CPU)
    assert (part.complete, part.proven, part.worst) == (False, False, whole.worst)


def test_a_checkpoint_of_another_search_or_a_damaged_one_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "run"
    solve([], FEW, first="all", checkpoint=file, backend=CPU)
    other = Variant.load(FEW.guesses, ANSWERS[::46])
    with pytest.raises(BadInput, match="made with another value of answers"):
        solve([], other, first="all", resume=file, backend=CPU)
    with pytest.raises(BadInput, match="made with max_guesses 6, not with 5"):
        solve([], FEW, max_guesses=5, first="all", resume=file, backend=CPU)
    content = file.read_bytes()
    for damaged in (content[:-9], content[:200] + b"x" + content[201:], b""):
        file.write_bytes(damaged)
        with pytest.raises(BadInput, match=r"checkpoint .*run: damaged"):
            solve([], FEW, first="all", resume=file, backend=CPU)


@pytest.mark.parametrize(
    ("objective", "start", "name", "value", "message"),
    [
        ("mean", None, "within", 0, "within 0: expected a whole number, 1 to 6"),
        ("mean", None, "within", 1, "within 1: expected 6, as in the settings"),
        ("mean", None, "done", np.zeros(40, np.bool_), "exact .*: expected true only for first words that are done"),
        ("mean", None, "low", np.zeros(3, np.int64), r"low array of int64, \(3,\): expected an array of int32"),
        ("mean", None, "low", np.full(40, -1, np.int32), "low .*: expected no element below 0"),
        ("mean", None, "keeps_limit", 1 << 20, "keeps_limit 1048576: expected a whole number, -1 to"),
        ("mean", FEW.answers[0], "low", np.zeros(1, np.int32), "low .*: expected an array of int32 and shape"),
        ("worst", None, "turns", 99, "turns 99: expected a whole number, 1 to 98"),
        ("worst", None, "solves", None, "solves None: expected an array of bool"),
        ("worst", FEW.answers[0], "done", None, "done None: expected an array of bool"),
    ],
)
def test_a_checkpoint_with_a_wrong_field_is_refused(
    tmp_path: Path, objective: Objective, start: str | None, name: str, value: Any, message: str
) -> None:
    file = tmp_path / "run"
    chosen: dict[str, Any] = {"first": "top 40"} if start is None else {"first": start}
    solve([], FEW, objective=objective, **chosen, checkpoint=file, backend=CPU)
    saved_settings, state = checkpoints.load(file, KIND)
    checkpoints.save(file, KIND, dict(saved_settings.values), {**state.values, name: value})
    with pytest.raises(BadInput, match=f"checkpoint .*run: damaged: {message}"):
        solve([], FEW, objective=objective, **chosen, resume=file, backend=CPU)


def test_there_is_a_strategy_when_the_time_is_up() -> None:
    solution = solve(first="salet", time_limit=0.0, backend=CPU)
    assert (solution.complete, solution.proven, solution.guess) == (False, False, "salet")
    assert 7920 <= solution.total < 8000
    assert (solution.max_guesses, solution.worst <= 6) == (6, True)
    assert solution.starts == [Start("salet", solution.total, False)]
    play(solution, "easy")


HARD = Variant.load(answers=[*ANSWERS, *[word for word in GUESSES if word not in ANSWERS][::12]], mode="hard")
"""A number of answers with which most strategies need more than six guesses in hard mode."""


def test_no_strategy_beyond_the_limit_is_reported_when_the_time_is_up() -> None:
    with pytest.raises(NotFound, match="no strategy was found yet that finds all 3,204 answers within 6 guesses"):
        solve([], HARD, first="teals", time_limit=0.0, backend=CPU)


def test_another_first_word_is_tried_if_the_first_one_breaks_the_limit() -> None:
    chosen = ["qajaq", "salet"]  # no strategy of the small width finds all answers within 4 guesses after qajaq
    answers = Variant.load(answers=ANSWERS[::12])
    solution = solve([], answers, first=chosen, max_guesses=4, time_limit=0.0, backend=CPU)
    assert (solution.proven, solution.worst <= 4, solution.guess) == (False, True, "salet")


@pytest.mark.parametrize("objective", rules.OBJECTIVES)
def test_the_objective_stays_that_of_the_call_when_the_time_is_up(objective: Objective) -> None:
    solution = solve([], FEW, objective=objective, first=FEW.answers[0], time_limit=0.0, backend=CPU)
    value = solution.worst if objective == "worst" else solution.total
    assert solution.objective == objective
    assert solution.starts == [Start(FEW.answers[0], value, solution.complete)]


def test_a_width_proves_neither_a_total_nor_that_there_is_no_strategy() -> None:
    assert solve([], FEW, first=FEW.answers[0], width=2, backend=CPU).starts[0].proven is False
    with pytest.raises(NotFound, match="with a width of 1, no strategy was found that finds all"):
        solve([], HARD, first="salet", width=1, backend=CPU)


def test_a_wrong_strategy_of_the_search_is_a_fault_and_no_result(monkeypatch: pytest.MonkeyPatch) -> None:
    right = strategy_of

    def wrong(position: Position, *rest: Any, **more: Any) -> Tree:
        tree = right(position, *rest, **more)
        return Tree(tree.guess, {code: Tree(0, {}) for code in tree.cells}) if more.get("first") else tree

    monkeypatch.setattr(_solve, "strategy_of", wrong)
    with pytest.raises(WrongSolution, match=r"the search has returned a wrong strategy: the strategy: no reply to"):
        solve([], FEW, first=FEW.answers[0], backend=CPU)


def test_a_strategy_that_misses_an_answer_is_a_fault() -> None:
    words = ["aaaaa", "bbbbb"]
    variant = Variant.load(words, words)
    position = Position(after((), variant, "patterns", CPU), variant, memory=1, backend=CPU)
    tree = strategy_of(position, np.arange(2), turns=2, objective="mean")
    assert sorted(replayed(position, (), tree, 2).tolist()) == [1, 2]
    with pytest.raises(WrongSolution, match="no reply to"):
        replayed(position, (), Tree(tree.guess, {}), 2)
    with pytest.raises(WrongSolution, match="does not find every answer within 1"):
        replayed(position, (), tree, 1)


def test_a_strategy_that_misses_the_proven_total_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    right = Comparer.total_after

    def wrong(comparer: Comparer, *rest: Any, **more: Any) -> Comparison:
        (start,), complete = right(comparer, *rest, **more)
        return Comparison([replace(start, value=start.value - 1)], complete)

    monkeypatch.setattr(Comparer, "total_after", wrong)
    with pytest.raises(WrongSolution, match="the strategy that begins with"):
        solve([], FEW, first=FEW.answers[0], backend=CPU)


def test_a_narrow_search_is_close_but_not_proven() -> None:
    solution = solve(first="salet", width=5, backend=CPU)
    assert (solution.complete, solution.proven) == (True, False)
    assert 7920 <= solution.total < 7930


def test_wrong_arguments_are_refused() -> None:
    with pytest.raises(BadInput, match="first guess 'zzzzz': not among the 12,972 guesses"):
        solve(first="zzzzz", backend=CPU)
    with pytest.raises(BadInput, match="the last guess has solved the game"):
        solve(["crane:ggggg"], backend=CPU)
    with pytest.raises(BadInput, match="objective worst: expected no top"):
        solve(objective="worst", top=3, backend=CPU)
    with pytest.raises(BadInput, match="objective worst-mean: expected no width"):
        solve(objective="worst-mean", width=3, backend=CPU)


def test_every_device_proves_the_same(backend: Backend) -> None:
    small = Variant.load(sorted({*FEW.guesses[::9], *FEW.answers[::5]}), FEW.answers[::5])
    solution = solve([], small, first="all", top=2, backend=backend)
    assert solution.starts == solve([], small, first="all", top=2, backend=CPU).starts


@pytest.mark.parametrize("objective", ["mean", "worst-mean"])
def test_a_guess_that_is_not_the_only_answer_has_no_total_within_one_guess(objective: Objective) -> None:
    variant = Variant.load(["baca", "bbbb", "caba"], ["baca"])
    found = solve([], variant, objective=objective, max_guesses=1, first="all", top=3, backend=CPU)
    assert found.starts == [Start("baca", 1, True)]
    with pytest.raises(NoSolution, match="no strategy finds all 1 answers within 1 guess"):
        solve([], variant, objective=objective, max_guesses=1, first=["bbbb", "caba"], backend=CPU)
    two = Variant.load(["baca", "bbbb", "caba"], ["baca", "caba"])
    with pytest.raises(NoSolution, match="within 1 guess"):
        solve([], two, objective=objective, max_guesses=1, first=["bbbb", "caba"], backend=CPU)


@pytest.mark.parametrize("kind", [np.int32, np.uint8, np.int64])
def test_integers_of_numpy_are_integers(kind: type[np.integer[Any]]) -> None:
    """Kernels are compiled for some types only: others ended the process."""
    assert solve("salet:-y--g", max_guesses=cast(int, kind(4)), backend=CPU).total == 45
