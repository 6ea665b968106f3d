"""The lessons run without a GPU; the check of each exercise fails on its first kernel and passes on the solution."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from gpusolve.testing import lessons
from gpusolve.testing.emulated import EmulatedBackend
from gpusolve.testing.lessons import Checked, check, program, timed
from gpusolve.testing.tools import need_emulation

LESSONS = sorted((Path(__file__).parents[2] / "docs" / "lessons").glob("[0-9]*.md"))
_CELL = re.compile(r"^```\{code-cell\} ipython3\n(?::tags: \[([^\]]*)\]\n\n)?(.*?)^```$", re.MULTILINE | re.DOTALL)

TWICE = """
#include "common.cuh"

extern "C" __global__ void twice(int first, int last, const int* __restrict__ in /*[last]*/,
                                 int* __restrict__ out /*[last]*/) {
    EACH_ITEM(item, 1) out[item] = 2 * in[item];
}
"""
NUMBERS = np.arange(64, dtype=np.int32)


@dataclass(frozen=True)
class Cell:
    tags: tuple[str, ...]
    code: str


def cells(file: Path) -> list[Cell]:
    found = _CELL.findall(file.read_text(encoding="utf-8"))
    return [Cell(tuple(tags.split(", ")) if tags else (), code) for tags, code in found]


@dataclass(frozen=True)
class Run:
    """What the tagged cells of a lesson said, and the arguments of the call that checks each exercise."""

    file: Path
    outcomes: list[tuple[str, list[bool]]]
    exercises: list[tuple[tuple[Any, ...], dict[str, Any]]]


def _is_fault(answer: Checked) -> bool:
    """Return whether a launch ended at a wrong index or barrier, as the lesson about faults wants."""
    return "which has" in answer.faults[0] or "not all threads reach the same barrier" in answer.faults[0]


@pytest.fixture(scope="module", params=LESSONS, ids=lambda file: file.stem)
def run(request: pytest.FixtureRequest) -> Run:
    need_emulation()
    answers: list[Checked] = []
    found = Run(request.param, [], [])
    calls: list[tuple[tuple[Any, ...], dict[str, Any]]] = []

    def seen(*given: Any, **named: Any) -> Checked:
        answers.append(check(*given, **named))
        calls.append((given, named))
        return answers[-1]

    names: dict[str, Any] = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lessons, "check", seen)
        for cell in cells(found.file):
            answers.clear()
            calls.clear()
            exec(compile(cell.code, found.file.name, "exec"), names)
            found.outcomes.extend(
                (tag, [one.passed for one in answers]) for tag in cell.tags if tag in ("check", "solution")
            )
            assert all(answer.profile or _is_fault(answer) for answer in answers)  # each of them compiles
            if "check" in cell.tags:
                found.exercises.extend(calls)
    return found


@pytest.mark.thorough
def test_a_lesson(run: Run) -> None:
    """Three exercises; the first kernel of each gives the right or a wrong result, but does not pass."""
    assert run.outcomes == [("check", [False]), ("solution", [True])] * 3


@pytest.mark.thorough
def test_a_solution_that_ignores_its_input(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A solution that knows the shown answers by heart fails on other data; arrays have a reason in their cell."""
    arrays = 0
    for given, named in run.exercises:
        expected = named["expected"]
        if not callable(expected):
            arrays += 1
            continue
        known = np.array(expected(*given[3:])).reshape(-1)

        def by_heart(*launch: Any, known: np.ndarray = known, **options: Any) -> Any:
            launch[-1].reshape(-1)[:] = known[: launch[-1].size]
            return SimpleNamespace(races=(), faults=(), lanes=32.0, **dict.fromkeys(lessons.LIMITS, 0))

        monkeypatch.setattr(lessons, "profile", by_heart)
        for seed in range(5):
            (fault,) = check(*given, **named, seed=seed).faults
            assert re.match(r"With \d+(,\d+)* other items, element ", fault), (given[1], fault)
    assert arrays == run.file.read_text(encoding="utf-8").count("# An array, not a function: ")


def test_the_form_of_lessons() -> None:
    """Every code cell is one that the test runs, and a notebook knows its language."""
    for file in LESSONS:
        text = file.read_text(encoding="utf-8")
        assert len(cells(file)) == text.count("```{code-cell}")
        assert text.count("```{code-cell}") + text.count("\n```text\n") == text.count("\n```\n")  # and drawings
        assert text.startswith("---\njupytext:\n")


def test_what_a_check_complains_about() -> None:
    need_emulation()
    given = NUMBERS, np.zeros(64, np.int32)
    assert check(TWICE, "twice", 64, *given, expected=2 * NUMBERS, most={"sectors": 16}, lanes=32).passed
    wrong = check(TWICE, "twice", 64, *given, expected=2 * NUMBERS + 1, most={"sectors": 15}, lanes=33)
    assert str(wrong) == (
        "Not yet:\n- Element 0 of the result is 0, and 1 was expected.\n- sectors: 16, and at most 15 are needed.\n"
        "- active lanes: 32.0 of 32, and at least 33 are possible."
    )
    racing = check(TWICE.replace("out[item]", "out[item / 2]"), "twice", 64, *given, expected=2 * NUMBERS)
    assert racing.faults[1].startswith(
        "There is a race on out[0] in global memory: thread 0 writes it in lesson.cu:5 and"
    )
    ignoring = TWICE.replace("2 * in[item]", "2 * int(item)")
    by_numbers = check(ignoring, "twice", 64, *given, expected=lambda numbers, out: 2 * numbers, seed=1)
    assert by_numbers.faults[0].startswith("With ")
    assert "other items, element 0 of the result is 0, and" in by_numbers.faults[0]
    assert check(TWICE, "twice", 64, *given, expected=lambda numbers, out: 2 * numbers).passed
    broken = check(TWICE.replace("2 *", "two *"), "twice", 64, *given, expected=2 * NUMBERS)
    assert "lesson.cu:5:" in broken.faults[0]
    assert "two" in broken.faults[0]
    assert given[1].sum() == 0  # the learner's array is as it was
    with pytest.raises(ValueError, match="most: time: expected some of instructions"):
        check(TWICE, "twice", 64, *given, expected=NUMBERS, most={"time": 1})


def test_timing() -> None:
    need_emulation()
    given = NUMBERS, np.zeros(64, np.int32)
    assert timed(program(TWICE), "twice", 64, *given, backend=EmulatedBackend()).endswith("CUDA emulated on the CPU")
