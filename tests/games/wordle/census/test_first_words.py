"""Which first words solve every answer, against every strategy of small games."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from games.wordle.oracle import NEVER, Oracle
from gpusolve.backend import open_backend
from gpusolve.errors import BadInput, WrongSolution
from gpusolve.games.wordle.census import first_words, solved
from gpusolve.games.wordle.census.cores import Cores
from gpusolve.games.wordle.census.first_words import Census
from gpusolve.games.wordle.census.replay import digest, replay
from gpusolve.games.wordle.history import after
from gpusolve.games.wordle.proof.position import Position
from gpusolve.games.wordle.rules import Mode
from gpusolve.games.wordle.variant import Variant

CPU = open_backend("cpu")
ROOT = Path(__file__).parents[4]


def games(count: int) -> Iterator[tuple[list[str], list[str], int]]:
    """Yield the guesses, the answers and the limit of small games; a first word solves some of them, but not all."""
    chance = random.Random(5)
    for _ in range(count):
        answers = sorted(first + chance.choice(["oooo", "eeee", "oeoe"]) for first in "abcdefghij")
        guesses = sorted({*answers, *("".join(chance.choices("abcdefghijoe", k=5)) for _ in range(8))})
        yield guesses, answers, chance.randint(3, 6)


def position_of(guesses: list[str], answers: list[str], mode: Mode = "easy") -> Position:
    variant = Variant.load(guesses, answers, mode=mode)
    return Position(after((), variant, "patterns", CPU), variant, memory=1, backend=CPU)


def census_of(position: Position, *, within: int) -> Census:
    """Return a census that leaves no first word undecided."""
    census = Census(position, within=within)
    census.patience = len(position.guesses)
    return census


@pytest.mark.parametrize("hot", [2, 100])
def test_verdicts_equal_brute_force(hot: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solved, "HOT", hot)  # with 2, cells of five answers are solved lazily
    monkeypatch.setattr(solved, "LEAST", hot)
    verdicts = []
    for guesses, answers, within in games(20):
        oracle, position = Oracle(guesses), position_of(guesses, answers)
        census = census_of(position, within=within)
        order = random.Random(within).sample(range(len(guesses)), len(guesses))
        for word in order:
            verdict = census.decide(word)
            assert verdict is not None
            verdicts.append(verdict.paths is not None)
            assert verdicts[-1] == (oracle.total(answers, within=within, first=guesses[word]) < NEVER)
            if verdict.paths is None:
                assert census.failed()[word] >= 0
            else:
                assert verdict.core == -1
                assert replay(position, verdict.paths).max() <= within
        for number, core in enumerate(census.outer):
            assert oracle.total([answers[i] for i in core], within=within - 1) == NEVER
            assert len(census.outer.inside(core)) > 0
            assert set(np.flatnonzero(census.failed() == number)) <= {
                word for word in order if len(set(position.patterns[core, word])) == 1
            }
        for core in census.inner:
            assert oracle.total([answers[i] for i in core], within=within - 2) == NEVER
    assert set(verdicts) == {False, True}


@pytest.mark.parametrize("large", [4, 500])
def test_each_pattern_of_a_first_word_is_decided_as_by_brute_force(large: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(first_words, "LARGE", large)  # with 4, most cells are decided as a whole
    monkeypatch.setattr(first_words, "FEWEST", 3)
    found = set()
    for guesses, answers, within in games(12):
        oracle, position = Oracle(guesses), position_of(guesses, answers)
        census = Census(position, within=within)
        for word in random.Random(within).sample(range(len(guesses)), len(guesses)):
            cells = position.cells(word, np.arange(len(answers)))
            expected = {
                code: oracle.total([answers[i] for i in cell], within=within - 1) < NEVER
                for code, cell in cells.items()
            }
            assert {code: census.solves(word, code) for code in cells} == expected
            assert census.solves(word) == all(expected.values())
            found |= set(expected.values())
    assert found == {False, True}


def test_a_word_that_takes_long_can_be_decided_later() -> None:
    postponed = 0
    for guesses, answers, within in games(20):
        patient, census = (census_of(position_of(guesses, answers), within=within) for _ in range(2))
        census.patience = 0
        for word in range(len(guesses)):
            expected, verdict = patient.decide(word), census.decide(word)
            assert expected is not None
            if verdict is None:
                postponed += 1
            else:
                assert (verdict.core < 0) == (expected.core < 0)
    assert postponed


def test_a_wrong_strategy_is_refused() -> None:
    guesses, answers, _ = next(games(1))
    position = position_of(guesses, answers)
    census = Census(position, within=9)
    verdict = census.decide(0)
    assert verdict is not None
    paths = verdict.paths
    assert paths is not None
    assert digest(position, paths) != digest(position, paths[::-1])
    late = paths.copy()
    late[late >= 0] = paths[0, 0]
    with pytest.raises(WrongSolution, match="does not find"):
        replay(position, late)
    longest = int((paths >= 0).sum(axis=1).argmax())
    other = paths.copy()
    other[longest, 0] = (paths[longest, 0] + 1) % len(guesses)
    with pytest.raises(WrongSolution, match="after the same patterns"):
        replay(position, other)


def test_only_easy_mode() -> None:
    guesses, answers, _ = next(games(1))
    with pytest.raises(BadInput, match="expected easy mode"):
        Census(position_of(guesses, answers, "hard"), within=4)


def test_a_continued_run_knows_the_sets_that_cannot_be_solved(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    from wordle_first_words import Results, decide, read_cores, write_cores

    guesses, answers, _ = next(games(1))
    position, path, about = position_of(guesses, answers), tmp_path / "sets.table", {"kind": "test"}
    for sets in ([], [[0, 3], [1, 2, 9]]):
        before, after_it = (Cores(position.patterns, len(guesses)) for _ in range(2))
        for core in sets:
            before.add(np.array(core))
        write_cores(path, about, before)
        read_cores(path, about, after_it, len(answers))
        assert [core.tolist() for core in after_it] == sets
        assert [after_it.together(i).tolist() for i in range(len(sets))] == [
            before.together(i).tolist() for i in range(len(sets))
        ]
    with pytest.raises(BadInput, match="members"):
        read_cores(path, about, after_it, 9)
    with pytest.raises(BadInput, match="describes"):
        read_cores(path, {"kind": "other"}, after_it, len(answers))
    for words in (guesses[:3], guesses[2:5], None):  # a run that is stopped and continued
        decide(Results.read(tmp_path / "run.json"), position, words, tmp_path / "run.json", math.inf)
        assert (tmp_path / "run.table").exists() == (words is not None)
    results = Results.read(tmp_path / "run.json")
    assert sorted({*results.solves, *results.fails}) == guesses


def test_a_word_that_fails_keeps_its_shortest_core(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    from wordle_first_words import Results, keep_shortest

    guesses, answers, _ = next(games(1))
    position = position_of(guesses, answers)
    cells = position.cells(0, np.arange(len(answers))).values()
    cell = max(cells, key=len)
    apart = np.array([cell[0], next(other[0] for other in cells if other is not cell)])
    assert len(cell) >= 3
    cores = Cores(position.patterns, len(guesses))
    for core in (cell, apart, cell[:2]):
        cores.add(core)
    results = Results(cores=["the cell", "apart", "two of it"], fails={guesses[0]: 0})
    keep_shortest(results, cores, {guesses[0]: 0})
    assert (results.cores, results.fails) == (["two of it"], {guesses[0]: 0})
