"""The player `joint` on every device, against its rule in plain Python."""

from __future__ import annotations

import numpy as np
import pytest

from gpusolve.backend import Backend, open_backend
from gpusolve.games.quordle import kernels, player, rules
from gpusolve.games.quordle.cpu.costs import _add_costs
from gpusolve.games.quordle.variant import Variant
from gpusolve.games.wordle.rules import Scoring, pattern
from gpusolve.games.wordle.words import WordList, word_list

SOME = WordList(word_list("wordle-answers")[::20])


@pytest.mark.parametrize(
    ("boards", "guesses", "scoring"), [(1, 6, "wordle"), (4, 9, "wordle"), (4, 9, "presence"), (3, 4, "wordle")]
)
def test_joint_plays_by_its_rule(backend: Backend, boards: int, guesses: int, scoring: Scoring) -> None:
    answers, dictionary = SOME, WordList([*SOME, *word_list("wordle-guesses")[5::200][:40]])
    variant = Variant(answers, dictionary, scoring=scoring)
    joint = player.prepare(backend, variant)
    hidden = kernels.deals(backend, 3, 0, 4, boards, len(answers))
    found = player.play(backend, hidden, player.prepare_opening(backend, joint), guesses)
    looked = 0
    for row, made, turns in zip(backend.to_host(hidden), found.guessed, found.turns, strict=True):
        fitting = [list(answers) for _ in row]
        expected = [0] * boards
        for turn, place in enumerate(made):
            open_boards = [words for words, done in zip(fitting, expected, strict=True) if not done]
            if not open_boards:
                assert place == kernels.NO_WORD
                continue
            guess = dictionary[place]
            if turn:
                left = guesses - turn
                expected_guess = rules.joint_guess(
                    dictionary, open_boards, player.ONE, player.worth(len(open_boards), left), scoring
                )
                fits = [np.array([answers.place[word] for word in words]) for words in open_boards]
                if player.looks_ahead(fits, left):
                    costs = player.costs(backend, fits, left, joint)
                    expected_guess = dictionary[next(iter(player.ahead(backend, fits, costs, joint)))]
                    looked += 1
                assert guess == expected_guess
            for board, answer in enumerate(row):
                code = pattern(guess, answers[answer], scoring=scoring)
                if not expected[board]:
                    fitting[board] = [word for word in fitting[board] if pattern(guess, word, scoring=scoring) == code]
                    expected[board] = turn + 1 if guess == answers[answer] else 0
        assert turns.tolist() == expected
    assert (looked > 0) == (guesses > boards + 1)


@pytest.mark.parametrize("count", [2, 3, 70, 255, 256, 400])
def test_costs_of_every_size(count: int) -> None:
    """The forms that count in bytes and in cells give the same."""
    backend = open_backend("cpu")
    joint = player.prepare(backend, Variant.load(word_list("wordle-answers")[: 5 * count : 5]))
    fit = np.arange(count)
    found = np.zeros(joint.codes.shape[1], np.int32)
    _add_costs(joint.codes, fit, joint.nlogn, joint.guesses, found, np.empty_like(found))
    found[joint.own] -= player.SOLVE // count
    assert (found[: joint.guesses] == player.costs(backend, [fit], 9, joint)).all()


@pytest.mark.parametrize("sizes", [(2, 2), (3, 5, 2), (7, 9, 4, 12), (40,), (2, 60, 3, 3)])
@pytest.mark.parametrize("scoring", ["wordle", "presence"])
def test_playouts_are_those_of_the_rules(backend: Backend, sizes: tuple[int, ...], scoring: Scoring) -> None:
    answers = WordList(word_list("wordle-answers")[::15])
    dictionary = WordList([*answers, *word_list("wordle-guesses")[7::400]])
    joint = player.prepare(backend, Variant(answers, dictionary, scoring=scoring))
    places = np.random.default_rng(len(sizes)).permutation(len(answers))
    boards = [np.sort(places[sum(sizes[:i]) : sum(sizes[: i + 1])]) for i in range(len(sizes))]
    words = [[answers[place] for place in board] for board in boards]
    costs = player.costs(backend, boards, 9, joint)
    pool = player.nearest(costs)
    assert pool.tolist() == rules.joint_pool(costs.tolist())
    tried = np.array([pool[0], pool[-1], joint.guesses - 1], np.uint16)
    games = min(8, int(np.prod(sizes)))
    found = player.played_out(backend, boards, pool, tried, games, joint)
    for guess, row in zip(tried, found, strict=True):
        for k, made in enumerate(row):
            hidden = rules.joint_hidden([board.tolist() for board in boards], k, games)
            assert made == rules.joint_playout(
                dictionary[guess],
                [answers[place] for place in hidden],
                words,
                [dictionary[place] for place in pool],
                player.ONE,
                player.SOLVE,
                scoring,
            )
