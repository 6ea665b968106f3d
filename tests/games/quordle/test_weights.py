"""Weights of Quordle's answers on every device, against the rules in plain Python, and equal weights against none."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from gpusolve.backend import Backend, open_backend
from gpusolve.errors import BadInput
from gpusolve.games import quordle
from gpusolve.games.quordle import Variant, joint, kernels, rules
from gpusolve.games.wordle.rules import Scoring, pattern
from gpusolve.games.wordle.weights.chances import chances, covering
from gpusolve.games.wordle.weights.weights import Weights
from gpusolve.games.wordle.wordlist import WordList, word_list
from gpusolve.output import page as pages
from gpusolve.testing.plugin import Run

CPU = open_backend("cpu")
SOME = WordList(word_list("wordle-answers")[::20])
WIDER = WordList([*SOME, *word_list("wordle-guesses")[5::200][:40]])


def weights_for(words: WordList, seed: int) -> Weights:
    """Return weights of very different sizes, of which some are 0 and some are equal."""
    random = np.random.default_rng(seed)
    values = np.where(random.random(len(words)) < 0.2, 0, 1 + 10 ** random.uniform(0, 5, len(words)))
    return Weights(tuple(np.where(random.random(len(words)) < 0.3, 7, values).astype(int).tolist()))


def masses_by_word(variant: Variant) -> dict[str, int]:
    masses = joint.masses_of(variant)
    assert masses is not None
    return dict(zip(variant.answers, masses.tolist(), strict=True))


@pytest.mark.parametrize(("boards", "answers"), [(1, 2), (4, 12), (4, 2315), (32, 60)])
def test_deals_are_those_of_the_rules(backend: Backend, boards: int, answers: int) -> None:
    weights = np.array(weights_for(WordList(word_list("wordle-answers")[:answers]), answers).values)
    hidden = kernels.deals(
        backend, 2**64 - 1, first=2**32 - 3, count=6, boards=boards, answers=answers, weights=weights
    )
    expected = [rules.deal(2**64 - 1, 2**32 - 3 + i, boards, answers, weights.tolist()) for i in range(6)]
    assert backend.to_host(hidden).tolist() == expected
    assert weights[np.array(expected)].all()


def test_words_are_drawn_by_weight() -> None:
    weights = np.array([1, 0, 5, 2, 2], np.int64)
    hidden = kernels.deals(CPU, 1, first=0, count=20_000, boards=1, answers=5, weights=weights)
    assert np.abs(np.bincount(hidden[:, 0], minlength=5) / 20_000 - weights / 10).max() < 0.01


@pytest.mark.parametrize("scoring", ["wordle", "presence"])
@pytest.mark.parametrize("seed", [1, 2])
def test_costs_are_those_of_the_rules(backend: Backend, seed: int, scoring: Scoring) -> None:
    variant = Variant(SOME, WIDER, scoring=scoring, weights=weights_for(SOME, seed))
    tables, masses = joint.prepare(backend, variant), masses_by_word(variant)
    assert tables.weighted
    unlikely = [place for place, word in enumerate(SOME) if not masses[word]]
    fits = [np.arange(len(SOME)), np.arange(7, 60, 11), np.array(unlikely[:4]), np.array([3])]
    words = [[SOME[place] for place in fit] for fit in fits]
    expected = [
        rules.joint_cost(guess, words, one=joint.ONE, solve=joint.SOLVE, scoring=scoring, masses=masses)
        for guess in WIDER
    ]
    assert joint.costs(backend, fits, 9, tables).tolist() == expected
    opening = kernels.openings(backend, tables)
    first, starts = backend.to_host(tables.codes)[:, tables.opener], backend.to_host(opening.costs)
    for code in np.unique(first):
        words = [[SOME[place] for place in np.flatnonzero(first == code)]]
        for guess in (0, 17, len(WIDER) - 1):
            cost = rules.joint_cost(WIDER[guess], words, one=joint.ONE, solve=0, scoring=scoring, masses=masses)
            assert starts[code, guess] == cost


@pytest.mark.parametrize(
    ("boards", "max_guesses", "scoring"), [(1, 6, "wordle"), (4, 9, "wordle"), (4, 9, "presence"), (3, 4, "wordle")]
)
def test_joint_plays_by_its_rules(backend: Backend, boards: int, max_guesses: int, scoring: Scoring) -> None:
    variant = Variant(SOME, WIDER, scoring=scoring, weights=weights_for(SOME, 3))
    tables, masses = joint.prepare(backend, variant), masses_by_word(variant)
    weights = variant.unequal_weights
    hidden = backend.to_host(
        kernels.deals(backend, 3, first=0, count=4, boards=boards, answers=len(SOME), weights=weights)
    )
    unlikely = [place for place, word in enumerate(SOME) if not masses[word]]
    hidden = np.concatenate([hidden, np.array([unlikely[:boards]], np.uint16)])
    games = joint.play(backend, hidden, kernels.openings(backend, tables), max_guesses)
    lookaheads = 0
    for row, made, turns in zip(hidden, games.guessed, games.turns, strict=True):
        fitting, solved = [np.arange(len(SOME)) for _ in row], [0] * boards
        for turn, word in enumerate(made):
            fits = [fit for fit, done in zip(fitting, solved, strict=True) if not done]
            if not fits:
                assert word == kernels.NO_WORD
                continue
            if turn:
                left = max_guesses - turn
                expected = rules.joint_guess(
                    WIDER,
                    [[SOME[place] for place in fit] for fit in fits],
                    one=joint.ONE,
                    solve=joint.worth_of_solving(len(fits), left),
                    scoring=scoring,
                    masses=masses,
                )
                if joint.looks_ahead(fits, left):
                    costs = joint.costs(backend, fits, left, tables)
                    outlooks = joint.look_ahead(backend, fits, costs, tables, guesses_left=left)
                    expected = WIDER[next(iter(outlooks))]
                    lookaheads += 1
                assert WIDER[word] == expected
            for board, answer in enumerate(row):
                if not solved[board]:
                    code = pattern(WIDER[word], SOME[answer], scoring=scoring)
                    same = [pattern(WIDER[word], SOME[place], scoring=scoring) == code for place in fitting[board]]
                    fitting[board] = fitting[board][same]
                    solved[board] = turn + 1 if WIDER[word] == SOME[answer] else 0
        assert turns.tolist() == solved
    assert (lookaheads > 0) == (max_guesses > boards + 1)


@pytest.mark.parametrize("sizes", [(2, 2), (3, 5, 2), (7, 9, 4, 12), (40,), (2, 60, 3, 3)])
def test_playouts_are_those_of_the_rules(backend: Backend, sizes: tuple[int, ...]) -> None:
    answers = WordList(word_list("wordle-answers")[::15])
    dictionary = WordList([*answers, *word_list("wordle-guesses")[7::400]])
    variant = Variant(answers, dictionary, weights=weights_for(answers, len(sizes)))
    tables, masses = joint.prepare(backend, variant), masses_by_word(variant)
    places = np.random.default_rng(len(sizes)).permutation(len(answers))
    boards = [np.sort(places[sum(sizes[:i]) : sum(sizes[: i + 1])]) for i in range(len(sizes))]
    words = [[answers[place] for place in board] for board in boards]
    pool = joint.playout_pool(joint.costs(backend, boards, 9, tables))
    tried = np.array([pool[0], pool[-1], tables.guesses - 1], np.uint16)
    lengths = kernels.playouts(backend, boards, tables, pool=pool, tried=tried, count=8, solve=joint.SOLVE)
    for guess, row in zip(tried, lengths, strict=True):
        for k, made in enumerate(row):
            hidden = hidden_words(boards, words, masses, k)
            assert made == rules.joint_playout(
                dictionary[guess],
                [answers[place] for place in hidden],
                words,
                pool=[dictionary[place] for place in pool],
                one=joint.ONE,
                solve=joint.SOLVE,
                scoring="wordle",
                masses=masses,
            )


def hidden_words(
    boards: list[npt.NDArray[np.intp]], words: list[list[str]], masses: Mapping[str, int], k: int
) -> list[int]:
    weights = [rules.masses_on(listed, masses) for listed in words]
    return rules.joint_hidden_weighed([board.tolist() for board in boards], weights, k, 8)


def test_few_sets_of_hidden_words_have_their_shares_of_the_playouts() -> None:
    weights = [[9, 1], [1, 0, 3]]
    played = [tuple(rules.joint_hidden_weighed([[0, 1], [0, 1, 2]], weights, k, 300)) for k in range(300)]
    for first in (0, 1):
        for second in (0, 1, 2):
            expected = 300 * weights[0][first] / 10 * weights[1][second] / 4
            assert abs(played.count((first, second)) - expected) <= 1


@pytest.mark.parametrize("weight", [1, 12, 0.25])
def test_equal_weights_give_the_results_without_weights(weight: float) -> None:
    plain, equal = Variant.load(SOME), Variant.load(SOME, weights=dict.fromkeys(SOME, weight))
    runs = [
        quordle.simulate(variant, count=60, boards=3, max_guesses=6, seed=4, backend=CPU) for variant in (plain, equal)
    ]
    assert (runs[0].pairs == runs[1].pairs).all()
    assert runs[0].lost == runs[1].lost
    history = [f"{SOME[40]}:-----,----y"]
    advice = [quordle.suggest(history, variant=variant, backend=CPU) for variant in (plain, equal)]
    assert advice[0].rows == advice[1].rows
    assert any(row.chance is not None for row in advice[0].rows)


def test_masses_have_the_proportions_of_the_weights() -> None:
    def masses(weights: list[int]) -> list[int] | None:
        found = joint.masses_of(Variant.load(SOME, weights=weights))
        return None if found is None else found.tolist()

    assert masses([10, 30, 0, *[20] * (len(SOME) - 3)]) == [1, 3, 0, *[2] * (len(SOME) - 3)]
    assert masses([5] * len(SOME)) is None
    large = masses([1, 0, *[10**6 + i for i in range(len(SOME) - 2)]])
    assert large is not None
    assert large[:2] == [1, 0]
    assert 65_000 < sum(large) < 1 << 16


def test_the_likelier_word_is_guessed_first() -> None:
    words = ["fight", "light", "might", "night", "right", "sight"]
    for likely in words:
        weights = {word: 50 if word == likely else 1 for word in words}
        variant = Variant.load([*words, "eight"], weights=weights | {"eight": 1})
        best = quordle.suggest(["eight:-gggg"], variant=variant, backend=CPU).rows[0]
        assert best.guess == likely
        assert best.solves == pytest.approx(50 / 55)
        assert best.bits == pytest.approx(-50 / 55 * np.log2(50 / 55) - 5 / 55 * np.log2(5 / 55), abs=0.001)
        assert best.cost == pytest.approx(5 / 55 * np.log2(5) - 2.5 * 50 / 55, abs=0.001)


def test_a_word_of_weight_0_can_be_hidden_from_a_player() -> None:
    weights = {word: float(word != SOME[3]) for word in SOME}
    game = quordle.play([SOME[3], SOME[4]], variant=Variant.load(SOME, weights=weights), backend=CPU)
    assert game.won


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("crane 1\ntrace -1\n", "line 2: weight -1: expected a number that is not negative"),
        ("crane 1\ntrace nan\n", "line 2: weight nan: expected a finite number"),
        ("crane 1\ntrace inf\n", "line 2: weight inf: expected a finite number"),
        ("crane 0\ntrace 0\n", "all weights are 0: expected at least one that is positive"),
        ("crane 1\n", "none for 1 of the 2 answers, for example 'trace': expected one for each"),
        ("crane 1\ntrace 1\nCRANE 2\n", "line 3: 'CRANE' has a weight already"),
        ("crane\n", "line 1: 'crane': expected a word and its weight, such as crane,12"),
    ],
)
@pytest.mark.parametrize("command", ["suggest", "play crane", "analyze crane,trace crane", "simulate --count 1"])
def test_bad_weights_are_one_line(run: Run, tmp_path: Path, command: str, text: str, message: str) -> None:
    (tmp_path / "weights.txt").write_text(text)
    (tmp_path / "answers.txt").write_text("crane\ntrace\n")
    files = ("--answers", str(tmp_path / "answers.txt"), "--weights", str(tmp_path / "weights.txt"))
    result = run("quordle", *command.split(), *files)
    assert result.code == 2
    assert message in result.err
    assert len(result.err.splitlines()) == 1


def test_more_boards_than_likely_words_are_refused() -> None:
    variant = Variant.load(weights={"crane": 1, "trace": 0, "grace": 2})
    with pytest.raises(BadInput, match="boards 3: only 2 words have a positive weight: expected one for each board"):
        quordle.simulate(variant, count=1, boards=3, backend=CPU)


def test_results_name_the_list_of_weights(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "likely.txt"
    path.write_text("".join(f"{word} {1 + i % 3}\n" for i, word in enumerate(SOME)))
    commands = (
        f"suggest {SOME[40]}:-----,----y",
        f"play {SOME[3]} {SOME[9]} --seed 1",
        f"analyze {SOME[3]},{SOME[9]} {SOME[3]} {SOME[9]}",
        "simulate --count 20 --boards 2 --seed 1",
    )
    for command in commands:
        shown = json.loads(run("quordle", *command.split(), "--weights", str(path), "--json").out)
        assert (shown["weight_list"], shown["answer_list"], shown["exact_weights"]) == (str(path), str(path), True)
    page = tmp_path / "page.html"
    run("quordle", *commands[2].split(), "--weights", str(path), "--html", str(page))
    assert "likely.txt" in page.read_text()
    variant = Variant.load(weights=path)
    assert "likely.txt" in pages.drawn(variant.drawing())


def test_a_checkpoint_of_other_weights_is_refused(tmp_path: Path) -> None:
    path, seeds = tmp_path / "run.checkpoint", {"count": 20, "boards": 2, "seed": 1, "backend": CPU}
    one, other = ({word: 1 + (i + k) % 3 for i, word in enumerate(SOME)} for k in (0, 1))
    begun = quordle.simulate(Variant.load(SOME, weights=one), checkpoint=path, **seeds)  # type: ignore[arg-type]
    resumed = quordle.simulate(Variant.load(SOME, weights=one), resume=path, **seeds)  # type: ignore[arg-type]
    assert (resumed.pairs == begun.pairs).all()
    for variant in (Variant.load(SOME, weights=other), Variant.load(SOME)):
        with pytest.raises(BadInput, match="weights"):
            quordle.simulate(variant, resume=path, **seeds)  # type: ignore[arg-type]


@pytest.mark.thorough
def test_whole_games_play_likely_words_that_are_not_cheap() -> None:
    guesses = word_list("wordle-guesses")
    weights = chances(guesses)
    kept = covering(weights.array)
    variant = Variant(guesses.take(kept), guesses, weights=Weights(tuple(weights.array[kept].tolist())))
    tables = joint.prepare(CPU, variant)
    hidden = kernels.deals(
        CPU, 1, first=0, count=60, boards=4, answers=int(kept.sum()), weights=variant.unequal_weights
    )
    games = joint.play(CPU, hidden, kernels.openings(CPU, tables), 9)
    likely = 0
    for row, made in zip(CPU.to_host(hidden), games.guessed, strict=True):
        boards = [np.arange(int(kept.sum())) for _ in row]
        for turn, guess in enumerate(made[made != kernels.NO_WORD]):
            open_boards = [fit for fit in boards if len(fit)]
            if turn and joint.looks_ahead(open_boards, 9 - turn):
                costs = joint.costs(CPU, open_boards, 9 - turn, tables)
                outlooks = joint.look_ahead(CPU, open_boards, costs, tables, guesses_left=9 - turn)
                assert guess == next(iter(outlooks))
                likely += guess not in joint.playout_pool(costs)[: rules.TRIED]
            codes = tables.codes[:, guess]
            boards = [
                fit[:0] if codes[word] == kernels.SOLVED else fit[codes[fit] == codes[word]]
                for fit, word in zip(boards, row, strict=True)
            ]
    assert likely > 0
