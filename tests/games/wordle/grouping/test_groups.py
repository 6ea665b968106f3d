"""Groups that cannot always be solved in time: against trying every group, and against published numbers."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from itertools import combinations
from math import comb
from pathlib import Path

import numpy as np
import pytest

from games.wordle.grouping.oracle import similar_words, similar_words_of, solvable
from gpusolve.backend import Backend, open_backend
from gpusolve.errors import BadInput
from gpusolve.games.wordle import groups, rules
from gpusolve.games.wordle.grouping import _groups
from gpusolve.games.wordle.grouping._groups import KIND, Groups, _Search, _Stage
from gpusolve.games.wordle.grouping.kernels import Separation
from gpusolve.games.wordle.kernels import pattern_matrix
from gpusolve.games.wordle.wordlist import word_list
from gpusolve.runs import checkpoint as checkpoints
from gpusolve.runs.run import Run

CPU = open_backend("cpu")


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("size", "within"), [(3, 2), (4, 2), (5, 2), (3, 3), (4, 3), (5, 3), (6, 3), (6, 4)])
def test_groups_are_those_of_trying_every_group(backend: Backend, seed: int, size: int, within: int) -> None:
    answers, guesses = similar_words(seed)
    expected = [list(group) for group in combinations(answers, size) if not solvable(group, within, guesses)]
    assert groups(answers=answers, size=size, max_guesses=within, guesses=guesses, backend=backend).groups == expected


@pytest.mark.parametrize(("size", "within"), [(3, 2), (4, 2), (5, 2), (3, 3), (5, 3)])
@pytest.mark.parametrize(
    ("length", "alphabet"),
    [(2, "abcdefgh"), (3, "αβγδεζηθ"), (6, "abcdefgh"), (8, ["שָׁ", "ש", "בּ", "ב", *"לדרכ"]), (12, "äöabcdef")],
)
def test_groups_of_words_of_other_lengths(
    backend: Backend, length: int, alphabet: Sequence[str], size: int, within: int
) -> None:
    answers, guesses = (word_list(words)[:] for words in similar_words_of(length, alphabet))
    expected = [list(group) for group in combinations(answers, size) if not solvable(group, within, guesses)]
    assert expected or (size, within) != (4, 2)
    assert groups(answers=answers, size=size, max_guesses=within, guesses=guesses, backend=backend).groups == expected


@pytest.mark.thorough
def test_groups_where_a_guess_has_more_patterns_than_a_byte_can_number() -> None:
    """Any four random words can be told apart; four others only by themselves, which do not tell the rest apart."""
    draw = random.Random(9)
    words = sorted({"".join(draw.choices("abcdefghij", k=9)) for _ in range(400)})
    close = ["klmnopqr" + letter for letter in "stuv"]
    patterns = ({rules.mark(guess, word, "wordle") for word in words} for guess in words[:50])
    assert max(map(len, patterns)) > 256
    result = groups(answers=[*words, *close], size=4, guesses=[*words, *close], backend=CPU)
    n = len(words)
    assert len(result) == comb(4, 4) + comb(4, 3) * n + comb(4, 2) * comb(n, 2)
    found = {tuple(group) for group in result.groups[::1000]}
    for group in [*list(found)[:10], *(tuple(sorted([*words[i : i + 3], close[0]])) for i in range(0, 60, 3))]:
        assert (group in found) != solvable(group, 2, [*words, *close])


def test_the_random_words_have_such_groups() -> None:
    words = [similar_words(seed) for seed in range(4)]
    counts = [len(groups(answers=answers, size=4, guesses=guesses, backend=CPU)) for answers, guesses in words]
    assert max(counts) > 10


def test_any_three_answers_can_be_told_apart_at_once() -> None:
    assert len(groups(backend=CPU)) == 0


@pytest.mark.slow
def test_published_groups_of_four() -> None:
    result = groups(size=4, backend=CPU)
    assert (len(result), result.complete) == (13, True)
    assert ["batch", "catch", "hatch", "patch"] in result.groups


@pytest.mark.thorough
def test_no_guess_tells_apart_the_recorded_groups_of_all_words() -> None:
    """The search that found the groups took hours. So this test does not repeat it, but checks each group."""
    file = Path(__file__).parents[4] / "benchmarks" / "results" / "wordle-any4-in2.csv"
    found = [line.split(",") for line in file.read_text().splitlines()[1:]]
    assert len(found) == len({tuple(group) for group in found}) == 11_423  # as published
    assert all(len(set(group)) == 4 and group == sorted(group) for group in found)
    guesses, words = word_list("wordle-guesses"), word_list(sorted({word for group in found for word in group}))
    assert all(word in guesses for word in words)
    patterns = pattern_matrix(CPU, guesses.terms, words.letters, scoring="wordle").T
    for group in found:
        ordered = np.sort(patterns[[words.place[word] for word in group]], axis=0)
        assert (ordered[1:] == ordered[:-1]).any(axis=0).all(), group


@pytest.mark.slow
def test_any_six_answers_can_be_solved_within_three() -> None:
    assert len(groups(size=6, max_guesses=3, backend=CPU)) == 0


def test_a_stopped_search_continues_from_its_checkpoint(tmp_path: Path) -> None:
    file, words = tmp_path / "groups", word_list("wordle-answers")[::3]
    whole = groups(answers=words, guesses=words, backend=CPU)
    stopped = groups(answers=words, guesses=words, time_limit=0, checkpoint=file, backend=CPU)
    assert not stopped.complete
    resumed = groups(answers=words, guesses=words, resume=file, backend=CPU)
    assert (resumed.complete, resumed.groups) == (True, whole.groups)
    with pytest.raises(BadInput, match="made with size 3, not with 4"):
        groups(answers=words, size=4, guesses=words, resume=file, backend=CPU)


@pytest.mark.parametrize(("size", "within"), [(5, 2), (6, 3)])
def test_larger_groups_keep_the_time_limit(size: int, within: int) -> None:
    groups(answers=["crane", "trace"], size=size, max_guesses=within, backend=CPU)  # compiles the kernels
    begin = time.monotonic()
    result = groups(size=size, max_guesses=within, time_limit=0.5, backend=CPU)
    assert not result.complete
    assert time.monotonic() - begin < 20  # one pair of words alone takes minutes for groups of five


@pytest.mark.parametrize(("size", "within"), [(5, 2), (5, 3), (6, 4)])
def test_the_groups_are_the_same_after_many_stops(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int, within: int
) -> None:
    class Limited(Run):
        """A run whose time is up after a few questions for it, more of them in every session."""

        asked, most = 0, 0

        @property
        def time_left(self) -> float:
            Limited.asked += 1
            return float(Limited.most - Limited.asked)

    answers, guesses = similar_words(0)
    whole = groups(answers=answers, size=size, max_guesses=within, guesses=guesses, backend=CPU)
    monkeypatch.setattr(_groups, "Run", Limited)
    file, sessions, result = tmp_path / "groups", 0, None
    while result is None or not result.complete:
        Limited.asked, Limited.most = 0, 4 + 3 * sessions
        resume = file if sessions else None
        result = groups(
            answers=answers, size=size, max_guesses=within, guesses=guesses, checkpoint=file, resume=resume, backend=CPU
        )
        sessions += 1
    assert (result.groups, sessions > 1) == (whole.groups, True)


@pytest.mark.parametrize("at_once", [1, 5, 1000])
def test_a_step_continues_in_the_middle_of_a_pair(at_once: int) -> None:
    answers, guesses = similar_words(0)
    separation = Separation.of(CPU, word_list(guesses), word_list(answers))
    search = _Search(separation, _Stage(5, 2))
    search._most, search.batch = at_once, 4
    parts = list(search.step(0, 0))
    assert len({part.triples for part in parts}) >= {1: 4, 5: 2, 1000: 1}[at_once]
    whole = {tuple(group) for part in parts for group in part.members.tolist()}
    assert whole
    for i, part in enumerate(parts[:-1]):
        before = {tuple(group) for earlier in parts[: i + 1] for group in earlier.members.tolist()}
        search.batch = 4 - part.done
        after = {tuple(group) for later in search.step(part.done, part.triples) for group in later.members.tolist()}
        assert before | after == whole
        assert sum(len(later.members) for later in search.step(part.done, part.triples)) <= len(whole)


def test_a_checkpoint_with_a_wrong_field_is_refused(tmp_path: Path) -> None:
    file, words = tmp_path / "groups", word_list("wordle-answers")[::30]
    groups(answers=words, guesses=words, checkpoint=file, backend=CPU)
    settings, state = checkpoints.load(file, KIND)
    for name, value, message in (
        ("size", 9, "size 9: expected a whole number, 2 to 3"),
        ("done", -1, "done -1: expected a whole number"),
        ("triples", -1, "triples -1: expected a whole number"),
        ("cores_done", 1, "cores_done 1: expected at most 0, the number of cores"),
        ("members", np.zeros((1, 2), np.int32), "members array of int32"),
        ("cores", np.zeros((1, 0), np.int32), "expected a search on the way to groups of 3 within 2"),
        ("cores", np.full((1, 2), 1000, np.int32), "cores array of int32, .*: expected no element above 77"),
        ("size", 2, "members array of int32|expected a search on the way to groups of 3 within 2"),
    ):
        checkpoints.save(file, KIND, dict(settings.values), {**state.values, name: value})
        with pytest.raises(BadInput, match=f"checkpoint .*groups: damaged: .*({message})"):
            groups(answers=words, guesses=words, resume=file, backend=CPU)


@pytest.mark.parametrize("seed", range(2))
def test_smaller_groups_are_found_first_and_kept_in_the_checkpoint(tmp_path: Path, seed: int) -> None:
    class Stopped(Exception):
        """Stops the search from within."""

    def stop(done: int, pairs: int) -> None:
        raise Stopped

    file, (answers, guesses) = tmp_path / "groups", similar_words(seed)
    whole = groups(answers=answers, size=6, max_guesses=4, guesses=guesses, backend=CPU)
    result: Groups | None = None
    sessions = 0
    while result is None:
        try:
            resume = file if sessions else None
            result = groups(
                answers=answers,
                size=6,
                max_guesses=4,
                guesses=guesses,
                checkpoint=file,
                resume=resume,
                progress=stop,
                backend=CPU,
            )
        except Stopped:
            sessions += 1
    assert result.groups == whole.groups
    assert sessions > 1


@pytest.mark.parametrize(("size", "within"), [(1, 2), (7, 2), (3, 1), (3, 7)])
def test_sizes_out_of_range_are_refused(size: int, within: int) -> None:
    with pytest.raises(BadInput, match="expected a whole number"):
        groups(size=size, max_guesses=within, backend=CPU)
