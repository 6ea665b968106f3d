"""The player `joint` on every device, against its rules in plain Python."""

from __future__ import annotations

import numpy as np
import pytest

from gpusolve.backend import Backend
from gpusolve.games.quordle import joint, kernels, rules
from gpusolve.games.quordle.variant import Variant
from gpusolve.games.wordle.rules import Scoring, pattern
from gpusolve.games.wordle.wordlist import WordList, word_list

SOME = WordList(word_list("wordle-answers")[::20])


@pytest.mark.parametrize(
    ("boards", "max_guesses", "scoring"), [(1, 6, "wordle"), (4, 9, "wordle"), (4, 9, "presence"), (3, 4, "wordle")]
)
def test_joint_plays_by_its_rules(backend: Backend, boards: int, max_guesses: int, scoring: Scoring) -> None:
    answers, dictionary = SOME, WordList([*SOME, *word_list("wordle-guesses")[5::200][:40]])
    variant = Variant(answers, dictionary, scoring=scoring)
    tables = joint.prepare(backend, variant)
    hidden = kernels.deals(backend, 3, first=0, count=4, boards=boards, answers=len(answers))
    games = joint.play(backend, hidden, kernels.openings(backend, tables), max_guesses)
    lookaheads = 0
    for row, made, turns in zip(backend.to_host(hidden), games.guessed, games.turns, strict=True):
        fitting = [list(answers) for _ in row]
        expected = [0] * boards
        for turn, word in enumerate(made):
            open_boards = [words for words, done in zip(fitting, expected, strict=True) if not done]
            if not open_boards:
                assert word == kernels.NO_WORD
                continue
            guess = dictionary[word]
            if turn:
                left = max_guesses - turn
                worth = joint.worth_of_solving(len(open_boards), left)
                expected_guess = rules.joint_guess(dictionary, open_boards, one=joint.ONE, solve=worth, scoring=scoring)
                fits = [np.array([answers.place[word] for word in words]) for words in open_boards]
                if joint.looks_ahead(fits, left):
                    costs = joint.costs(backend, fits, left, tables)
                    outlooks = joint.look_ahead(backend, fits, costs, tables, guesses_left=left)
                    expected_guess = dictionary[next(iter(outlooks))]
                    lookaheads += 1
                assert guess == expected_guess
            for board, answer in enumerate(row):
                code = pattern(guess, answers[answer], scoring=scoring)
                if not expected[board]:
                    fitting[board] = [word for word in fitting[board] if pattern(guess, word, scoring=scoring) == code]
                    expected[board] = turn + 1 if guess == answers[answer] else 0
        assert turns.tolist() == expected
    assert (lookaheads > 0) == (max_guesses > boards + 1)


@pytest.mark.parametrize("sizes", [(2, 2), (3, 5, 2), (7, 9, 4, 12), (40,), (2, 60, 3, 3)])
@pytest.mark.parametrize("scoring", ["wordle", "presence"])
def test_playouts_are_those_of_the_rules(backend: Backend, sizes: tuple[int, ...], scoring: Scoring) -> None:
    answers = WordList(word_list("wordle-answers")[::15])
    dictionary = WordList([*answers, *word_list("wordle-guesses")[7::400]])
    tables = joint.prepare(backend, Variant(answers, dictionary, scoring=scoring))
    places = np.random.default_rng(len(sizes)).permutation(len(answers))
    boards = [np.sort(places[sum(sizes[:i]) : sum(sizes[: i + 1])]) for i in range(len(sizes))]
    words = [[answers[place] for place in board] for board in boards]
    costs = joint.costs(backend, boards, 9, tables)
    pool = joint.playout_pool(costs)
    assert pool.tolist() == rules.joint_pool(costs.tolist())
    tried = np.array([pool[0], pool[-1], tables.guesses - 1], np.uint16)
    games = min(8, int(np.prod(sizes)))
    lengths = kernels.playouts(backend, boards, tables, pool=pool, tried=tried, count=games, solve=joint.SOLVE)
    for guess, row in zip(tried, lengths, strict=True):
        for k, made in enumerate(row):
            hidden = rules.joint_hidden([board.tolist() for board in boards], k, games)
            assert made == rules.joint_playout(
                dictionary[guess],
                [answers[place] for place in hidden],
                words,
                pool=[dictionary[place] for place in pool],
                one=joint.ONE,
                solve=joint.SOLVE,
                scoring=scoring,
            )


def test_boards_with_the_same_words_cost_the_same_each(backend: Backend) -> None:
    tables = joint.prepare(backend, Variant(SOME, SOME))
    some, others = np.arange(0, 30), np.arange(20, 27)
    together = kernels.costs(backend, [some, others, some, some], tables, joint.SOLVE)
    alone, other = (kernels.costs(backend, [fit], tables, joint.SOLVE) for fit in (some, others))
    assert (together == 3 * alone + other).all()
    assert together.dtype == np.int32
