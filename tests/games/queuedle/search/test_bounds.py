"""Upper bounds: no game exceeds them, which small puzzles show by all their games."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from games.queuedle.oracle import CPU, PUBLISHED, SMALL, WORDS, best_score
from gpusolve.games.queuedle import rules
from gpusolve.games.queuedle.kernels import encode_line, line_scores
from gpusolve.games.queuedle.positions import Position
from gpusolve.games.queuedle.puzzles import Puzzle
from gpusolve.games.queuedle.search import bounds
from gpusolve.games.queuedle.search.searches import Solver


@st.composite
def puzzles(draw: st.DrawFn) -> tuple[Puzzle, list[str]]:
    """Return a small puzzle, and words of its letters."""
    size = draw(st.sampled_from([3, 3, 4]))
    letters = draw(st.sampled_from(["ab", "aet", "aeinst"]))
    text = draw(st.text(letters, min_size=size * size + 1, max_size=size * size + 6 - size))
    grid = tuple(text[i : i + size] for i in range(0, size * size, size))
    words = draw(st.lists(st.text(letters, min_size=3, max_size=size), min_size=1, max_size=20, unique=True))
    return Puzzle(grid, text[size * size :]), words


@settings(max_examples=30)
@given(puzzles())
def test_no_game_exceeds_the_bound(drawn: tuple[Puzzle, list[str]]) -> None:
    puzzle, words = drawn
    scores = line_scores(CPU, words, puzzle.size)
    assert best_score(puzzle, frozenset(words)) <= bounds.upper_bound(puzzle.start, scores)


@settings(max_examples=30)
@given(puzzles(), st.data())
def test_no_line_exceeds_its_own_bound_after_any_slides(drawn: tuple[Puzzle, list[str]], data: st.DataObject) -> None:
    puzzle, words = drawn
    scores, start = line_scores(CPU, words, puzzle.size), puzzle.start
    tables = [bounds.widen(table, start) for table in bounds.line_bounds(bounds.select(scores, start), start)]
    positions = [start]
    while positions[-1].queue:
        positions.append(rules.slide(positions[-1], data.draw(st.sampled_from(rules.legal_moves(positions[-1])))))
    for before in positions:
        if len(before.queue) < len(tables):
            for number, line in enumerate(rules.lines(before.grid)):
                most = tables[len(before.queue)][encode_line(line)]
                for after in positions[positions.index(before) :]:
                    assert scores[encode_line(rules.lines(after.grid)[number])] <= most


def test_with_one_slide_to_come_the_bounds_of_lines_are_exact() -> None:
    """Each line gets the best of itself, of one letter changed, and of a slide with the letter that enters."""
    start = Position(("tae", "xxx", "ooo"), "a")
    scores = line_scores(CPU, ["eta", "axe"], 3)
    table = bounds.widen(bounds.line_bounds(bounds.select(scores, start), start)[1], start)
    assert [int(table[encode_line(line)]) for line in ("eta", "etx", "xet", "xxe", "oet", "ooo")] == [3, 3, 3, 3, 3, 0]
    assert int(table[encode_line("txe")]) == 3
    assert int(table[encode_line("xot")]) == 0  # two letters away, also by a slide


def test_the_relaxations_follow_one_another() -> None:
    start, scores = PUBLISHED.start, Solver(PUBLISHED, dictionary=WORDS, backend=CPU).scores
    lines = bounds.select(scores, start)
    alone, free, agreed = 10 * int(lines.max()), *(bounds.free_bound(lines, start, agree=on) for on in (False, True))
    assert 81 <= agreed < free < alone  # 81 points were found on this board
    assert bounds.upper_bound(start, scores) == agreed


def test_a_letter_is_used_as_often_as_it_is_there() -> None:
    """Six copies of a word need six copies of its letters, for three rows and three columns that share cells."""
    words = ["aba"]
    scores = line_scores(CPU, words, 3)
    once = Puzzle.parse("aba/xyz/xyz")
    assert bounds.upper_bound(once.start, scores) == 3  # two a, one b: one row; the columns get none of their own
    assert Solver(once, dictionary=words, backend=CPU).bound == 3


@pytest.mark.parametrize("grid", ["xyz/xyz/xyz abc", "tsea/enop/adis/ttre eat"])
def test_without_words_nothing_can_be_scored(grid: str) -> None:
    solver = Solver(Puzzle.parse(grid), dictionary=["qqq"], backend=CPU)
    solution = solver.beam(width=1)
    assert (solution.score, solution.bound, solution.proven) == (0, 0, True)


def test_the_bound_after_slides_is_that_of_the_position() -> None:
    solver = Solver(SMALL, moves=[0, 3], dictionary=WORDS, backend=CPU)
    position = rules.replay(SMALL.start, [0, 3])[-1]
    assert solver.bound == bounds.upper_bound(position, np.asarray(solver.scores))
    assert solver.beam(width=100).bound == solver.beam(width=100).score
