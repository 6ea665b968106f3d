"""The next slide if letters of the queue are hidden: against trying everything, and samples against exact answers."""

from __future__ import annotations

import random

import pytest

from games.queuedle.oracle import CPU
from gpusolve.errors import BadInput
from gpusolve.games.queuedle import rules
from gpusolve.games.queuedle._suggest import suggest
from gpusolve.games.queuedle.positions import Moves, Position, move_text
from gpusolve.games.queuedle.puzzles import Puzzle

WORDS = ["tea", "eat", "ate", "seat", "ton", "not", "net", "ten", "dot", "sad", "ads", "toad"]


def best_from(position: Position) -> int:
    following = [best_from(rules.slide(position, move)) for move in rules.legal_moves(position)]
    return max(rules.score(position.grid, WORDS), *following, 0)


def worth(position: Position, move: int, hidden: int) -> float:
    """Return the expected score after a slide, by trying all letters and all ways to go on."""
    ends = [*rules.TILES] if hidden else [""]
    known = {
        end: best_from(rules.slide(Position(position.grid, position.queue + end, position.moves), move))
        for end in set(ends)
    }
    return sum(known[end] for end in ends) / len(ends)


def drawn_puzzle(seed: int, queue: int) -> Puzzle:
    chance = random.Random(seed)
    grid = tuple("".join(chance.choices("teasond", k=4)) for _ in range(4))
    return Puzzle(grid, "".join(chance.choices("teasond", k=queue)))


@pytest.mark.parametrize("hidden", [0, 1])
@pytest.mark.parametrize("seed", range(5))
def test_expected_scores_are_those_of_trying_everything(seed: int, hidden: int) -> None:
    puzzle = drawn_puzzle(seed, 2)
    position = rules.replay(puzzle.start, [seed])[-1]
    found = suggest(puzzle, moves=[seed], hidden=hidden, dictionary=WORDS, backend=CPU)
    assert (found.exact, found.samples, found.seed, found.position) == (True, 0, None, position)
    expected = {move_text(move): worth(position, move, hidden) for move in rules.legal_moves(position)}
    expected[""] = rules.score(position.grid, WORDS)
    assert {slide.move: slide.expected for slide in found.slides} == pytest.approx(expected)
    scores = [slide.expected for slide in found.slides]
    assert scores == sorted(scores, reverse=True)


def test_samples_of_one_letter_agree_with_the_exact_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """If all letters are known after the slide, the mean over samples has no bias."""
    puzzle = drawn_puzzle(3, 1)
    exact = suggest(puzzle, hidden=1, dictionary=WORDS, backend=CPU)
    monkeypatch.setattr("gpusolve.games.queuedle._suggest.MOST_EXACT", 0)
    sampled = suggest(puzzle, hidden=1, samples=300, width=1000, seed=2, dictionary=WORDS, backend=CPU)
    assert (exact.exact, sampled.exact, sampled.samples, sampled.seed) == (True, False, 300, 2)
    means = {slide.move: slide for slide in sampled.slides}
    for slide in exact.slides:
        assert abs(means[slide.move].expected - slide.expected) <= 4.5 * means[slide.move].error + 1e-9


def test_a_long_queue_takes_samples_that_can_be_repeated() -> None:
    given = ("fndoi/eedgr/aadqs/oeilx/eyatg", "aikiu")
    first, again = (suggest(given, moves="d5", hidden=5, samples=3, width=20, seed=1, backend=CPU) for _ in range(2))
    assert first == again
    assert not first.exact
    assert len(first.slides) == 20  # 19 slides, and the end
    assert first.position.queue == "ikiu"
    assert first.slides[0].error > 0


@pytest.mark.parametrize(
    ("queue", "moves", "hidden", "message"),
    [
        ("", "", 5, "queue: no letter is known: expected at least the next one"),
        ("ea", "u1 u1", 5, "queue: no letter is known"),
        ("ea", "u1 d1", 5, "move 2, d1: move 1 slid this line the other way"),
        ("ea", "", 30, "hidden 30: expected at most 29 after this queue"),
        ("ea", "", -1, "hidden -1: expected a whole number, 0 to 30"),
    ],
)
def test_impossible_questions_are_bad_input(queue: str, moves: str, hidden: int, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        suggest(f"tsea/enop/adis/ttre {queue}", moves=moves, hidden=hidden, backend=CPU)


def test_slides_are_given_as_text_or_numbers() -> None:
    ways: list[str | list[int] | Moves] = ["u1", Moves([2]), [2]]
    assert len({repr(suggest("tsea/enop/adis/ttre eat", moves=way, hidden=0, backend=CPU).slides) for way in ways}) == 1


def test_letters_that_the_site_does_not_show_are_hidden_by_default() -> None:
    short, whole = "abc/def/ghi jklmn", "abc/def/ghi jklmnopqrstuvwx"
    assert suggest(short, samples=2, width=1, seed=1, dictionary=WORDS, backend=CPU).hidden == 10
    assert suggest(whole, samples=2, width=1, seed=1, dictionary=WORDS, backend=CPU).hidden == 0
