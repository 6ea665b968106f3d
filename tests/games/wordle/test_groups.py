"""Groups that cannot be told apart in time: against every group tried one by one, and against what is published."""

from __future__ import annotations

import random
from functools import cache
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from gpusolve.backend import Backend, open_backend
from gpusolve.errors import BadInput
from gpusolve.games.wordle import endgames, groups, rules
from gpusolve.games.wordle.grouping.kernels import Separation
from gpusolve.games.wordle.words import WordList, word_list

CPU = open_backend("cpu")
pattern = cache(rules.pattern)


def solvable(group: tuple[str, ...], within: int, guesses: list[str]) -> bool:
    """Whether a group can always be solved within so many guesses: every first guess is tried."""
    if len(group) == 1:
        return within > 0
    if within < 2:
        return False
    for guess in guesses:
        cells: dict[int, list[str]] = {}
        for word in group:
            cells.setdefault(pattern(guess, word), []).append(word)
        if all(solvable(tuple(cell), within - 1, guesses) for cell in cells.values()):
            return True
    return False


def some_words(seed: int) -> tuple[list[str], list[str]]:
    """Words that are hard to tell apart, and a few more that may be guessed."""
    chance = random.Random(seed)
    ends = [chance.choice(["oooo", "eeee", "oeoe"]) for _ in range(3)]
    answers = {chance.choice("abcdefghijk") + chance.choice(ends) for _ in range(10)}
    others = {"".join(chance.choices("abcdefgh", k=5)) for _ in range(chance.choice([0, 0, 3]))}
    return sorted(answers), sorted(answers | others)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("size", "within"), [(3, 2), (4, 2), (5, 2), (3, 3), (4, 3), (5, 3), (6, 3), (6, 4)])
def test_groups_are_those_that_trying_all_finds(backend: Backend, seed: int, size: int, within: int) -> None:
    answers, guesses = some_words(seed)
    expected = [list(some) for some in combinations(answers, size) if not solvable(some, within, guesses)]
    assert groups(size, within, guesses, answers, backend=backend).words == expected


def test_there_are_such_groups() -> None:
    found = [len(groups(4, 2, *some_words(seed)[::-1], backend=CPU)) for seed in range(4)]
    assert max(found) > 10


def test_turns_are_those_that_trying_all_finds(backend: Backend) -> None:
    for seed in range(3):
        answers, guesses = some_words(seed)
        separation = Separation.of(backend, WordList(guesses), WordList(answers))
        for size in (2, 3, 4, 6):
            some = list(combinations(range(len(answers)), size))[:40]
            found = separation.turns(backend.asarray(np.array(some, np.int32)))
            for group, turns in zip(some, found.tolist(), strict=True):
                words = tuple(answers[i] for i in group)
                assert solvable(words, turns, guesses)
                assert not solvable(words, turns - 1, guesses)


def test_the_kernels_on_the_real_words(backend: Backend) -> None:
    answers, guesses = word_list("wordle-answers")[::29], word_list("wordle-guesses")[::40]
    separation = Separation.of(backend, WordList(sorted({*answers, *guesses})), WordList(answers))
    pairs = separation.pairs(100)
    counts, larger = separation.extended(backend.asarray(pairs), 150)
    triples = backend.to_host(larger(np.arange(len(pairs))))
    assert len(triples) == counts.sum() > 100
    closeness = backend.to_host(separation.closeness).astype(int)
    triangles = {
        trio
        for trio in combinations(range(len(answers)), 3)
        if sum(closeness[a, b] for a, b in combinations(trio, 2)) >= 150
    }
    assert {tuple(sorted(trio)) for trio in triples.tolist()} <= triangles
    assert len(np.unique(np.sort(triples, axis=1), axis=0)) == len(triples)  # each is made in one way
    counts, larger = separation.confused(backend.asarray(triples), 255)
    found = {tuple(some) for some in backend.to_host(larger(np.flatnonzero(counts))).tolist()}
    _, everything = separation.extended(backend.asarray(triples), 255)
    sample = backend.to_host(separation.sample)
    expected = {
        tuple(some)
        for some in backend.to_host(everything(np.arange(len(triples)))).tolist()
        if not any(len(set(column)) == 4 for column in sample[some].T.tolist())
    }
    assert found == expected


def test_any_three_answers_can_be_told_apart_at_once() -> None:
    assert len(groups(3, 2, backend=CPU)) == 0


@pytest.mark.slow
def test_published_groups_of_four() -> None:
    found = groups(4, 2, backend=CPU)
    assert (len(found), found.complete) == (13, True)
    assert ["batch", "catch", "hatch", "patch"] in found.words


@pytest.mark.slow
def test_any_six_answers_can_be_solved_within_three() -> None:
    assert len(groups(6, 3, backend=CPU)) == 0


def test_published_endgames() -> None:
    assert (len(endgames()), len(endgames(answers="wordle-guesses"))) == (98, 2276)
    assert ".arks" in endgames(answers="wordle-guesses")
    assert next(iter(endgames().items()))[0] == ".ight"


def test_a_search_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    file, words = tmp_path / "groups", word_list("wordle-answers")[::3]
    whole = groups(3, 2, words, words, backend=CPU)
    stopped = groups(3, 2, words, words, time_limit=0, checkpoint=file, backend=CPU)
    assert not stopped.complete
    resumed = groups(3, 2, words, words, resume=file, backend=CPU)
    assert (resumed.complete, resumed.words) == (True, whole.words)
    with pytest.raises(BadInput, match="made with size 3, not with 4"):
        groups(4, 2, words, words, resume=file, backend=CPU)


@pytest.mark.parametrize("seed", range(2))
def test_smaller_groups_are_found_first_and_kept(tmp_path: Path, seed: int) -> None:
    class Stopped(Exception):
        """Stops the search from within."""

    def stop(done: int, pairs: int) -> None:
        raise Stopped

    file, (answers, guesses) = tmp_path / "groups", some_words(seed)
    whole = groups(6, 4, guesses, answers, backend=CPU)
    found, sittings = None, 0
    while found is None:
        try:
            resume = file if sittings else None
            found = groups(6, 4, guesses, answers, progress=stop, checkpoint=file, resume=resume, backend=CPU)
        except Stopped:
            sittings += 1
    assert found.words == whole.words
    assert sittings > 1


@pytest.mark.parametrize(("size", "within"), [(1, 2), (7, 2), (3, 1), (3, 7)])
def test_sizes_that_are_refused(size: int, within: int) -> None:
    with pytest.raises(BadInput, match="expected a whole number"):
        groups(size, within, backend=CPU)
