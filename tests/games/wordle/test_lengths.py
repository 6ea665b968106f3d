"""Words of other lengths and alphabets: patterns, partitions, lists, and whole games."""

from __future__ import annotations

import random
import warnings
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from gpusolve.backend import Backend
from gpusolve.errors import BadInput, WordsLeftOut
from gpusolve.games.quordle.variant import Variant as QuordleVariant
from gpusolve.games.wordle import Variant, analyze, explain, kernels, partition_table, play, rules, simulate, suggest
from gpusolve.games.wordle.wordlist import WordList, encode, word_list
from gpusolve.testing.plugin import Done

LENGTHS = [2, 4, 5, 6, 8, 10, 11, 12]
ALPHABETS = {"latin": "abc", "other": "éöaяψא", "marks": ["q\u0308", "q", "ψ"]}
GERMAN = ["würden", "können", "müssen", "bleibe", "bleibt", "blüten", "brüder", "brüten", "bürger", "bürste"]
GERMAN += ["bänder", "bücher", "bäcker", "wärmer", "würfel"]
GREEK = ["λόγος", "μέρος", "χώρος", "κόσμο"]


def some_words(length: int, alphabet: str, number: int, seed: int) -> list[str]:
    """Return different random words."""
    draw = random.Random(seed)
    return sorted({"".join(draw.choices(ALPHABETS[alphabet], k=length)) for _ in range(number)})


@pytest.mark.parametrize("alphabet", ALPHABETS)
@pytest.mark.parametrize("length", LENGTHS)
def test_patterns_and_partitions_are_those_of_the_rules(backend: Backend, length: int, alphabet: str) -> None:
    words = some_words(length, alphabet, 40, length)
    answers, terms = encode(words), kernels.terms_of(encode(words[::3]))
    for scoring in rules.SCORINGS:
        expected = [[rules.mark(guess, answer, scoring) for answer in words] for guess in words[::3]]
        matrix = kernels.pattern_matrix(backend, terms, answers, scoring=scoring)
        assert matrix.tolist() == expected
        assert matrix.dtype.itemsize == (1 if length <= 5 else 2 if length <= 10 else 4)
    subsets = [np.arange(len(words)), np.array([1, 0]), np.arange(len(words) // 2)]
    partition = kernels.partition(backend, terms, answers, subsets)
    nlogn = kernels.nlogn_table(len(words))
    for s, subset in enumerate(subsets):
        for g, guess in enumerate(words[::3]):
            hidden = [words[i] for i in subset]
            sizes = [*Counter(rules.mark(guess, answer, "wordle") for answer in hidden).values()]
            found = (partition.patterns, partition.largest, partition.sum_squares, partition.sum_nlogn)
            measures = (len(sizes), max(sizes), sum(n * n for n in sizes), nlogn[sizes].sum())
            assert tuple(int(values[s, g]) for values in found) == measures
            assert partition.contains[s, g] == (guess in hidden)
    best = kernels.choose(backend, terms, answers, subsets, measure="expected")
    costs = 2 * partition.sum_squares + 1 - partition.contains
    assert best.tolist() == costs.argmin(axis=1).tolist()


def test_all_terms_of_the_longest_words(backend: Backend) -> None:
    for length in (10, 12):
        words = ["abcdefghijkl"[:length], "lkjihgfedcba"[-length:], "a" * length]
        matrix = kernels.pattern_matrix(backend, kernels.terms_of(encode(words)), encode(words))
        assert matrix.tolist() == [[rules.mark(a, b, "wordle") for b in words] for a in words]
        assert matrix.diagonal().tolist() == [rules.solved_code(length)] * 3


@pytest.mark.parametrize("answers", [some_words(3, "latin", 60, 1), some_words(6, "other", 60, 2), GERMAN])
def test_games_and_advice(backend: Backend, answers: list[str]) -> None:
    variant = Variant.load(answers=answers)
    table = suggest([], variant, backend=backend)
    assert table.totals  # all guesses are compared, so the best first guess is exact
    turns = [len(play(answer, variant, backend=backend)) for answer in variant.answers]
    assert sum(turns) == min(table.totals.values())
    assert max(turns) <= len(answers)
    game = analyze([variant.answers[0], variant.answers[-1]], variant, backend=backend)
    assert game.solved
    assert all(move.exact for move in game.moves)
    assert explain([], variant, backend=backend).total == sum(turns)
    assert simulate(variant, backend=backend).turns.sum() >= sum(turns)
    assert partition_table(answers=answers, backend=backend).guesses == variant.guesses


def test_the_exact_total_is_that_of_trying_everything(backend: Backend) -> None:
    words = some_words(6, "latin", 9, 3)

    def least(members: tuple[str, ...]) -> int:
        if len(members) <= 2:
            return 2 * len(members) - 1
        totals = []
        for guess in words:
            cells: dict[int, list[str]] = {}
            for answer in members:
                cells.setdefault(rules.mark(guess, answer, "wordle"), []).append(answer)
            if len(cells) > 1:
                rest = (least(tuple(cell)) for code, cell in cells.items() if not rules.solves(guess, code))
                totals.append(len(members) + sum(rest))
        return min(totals)

    table = suggest([], Variant.load(answers=words), backend=backend)
    assert min(table.totals.values()) == least(tuple(words))


def test_weights_of_longer_words(backend: Backend) -> None:
    words = some_words(6, "other", 25, 4)
    weights = {word: i + 1 for i, word in enumerate(words)}
    variant = Variant.load(weights=weights)
    table = suggest([], variant, backend=backend)
    turns = {word: len(play(word, variant, backend=backend)) for word in words}
    assert sum(weights[word] * turns[word] for word in words) == min(table.totals.values())


@pytest.mark.parametrize("mode", ["hard", "ultra-hard"])
def test_modes_with_longer_words(backend: Backend, mode: rules.Mode) -> None:
    words = some_words(6, "other", 60, 5)
    variant = Variant.load(answers=words, mode=mode)
    for answer in words[::9]:
        history: list[tuple[str, int]] = []
        for turn in play(answer, variant, backend=backend):
            assert rules.allowed(turn.guess, history, mode)
            history.append((turn.guess, turn.pattern))
        assert history[-1][0] == answer


def test_notations_of_patterns_and_folding() -> None:
    turns: rules.Turns = ["würden:-y--gg", ("WU\u0308RDEN", "xyxxgg"), ("würden", "⬛🟨⬛⬛🟩🟩"), ("würden", "010022")]
    assert len({rules.parse_turn(turn) for turn in turns}) == 1
    assert rules.joined_turns(["würden", "-y--gg", "tee", "-g-"]) == ["würden:-y--gg", "tee:-g-"]
    assert rules.parse_word("STRAẞE", None) == "strasse"
    assert rules.parse_word("ΛΌΓΟΣ", None) == rules.parse_word("λόγος", None)
    marks = rules.pattern_text(rules.pattern("bürger", "würfel"), 6)
    squares = marks.translate(str.maketrans("-yg", "⬛🟨🟩"))
    shared = f"Wordle 12 2/6\n\n{squares}\n🟩🟩🟩🟩🟩🟩"
    assert suggest([shared, "bürger", "würfel"], Variant.load(answers=GERMAN)).solved


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["straße", "strasse"], "number 2: 'strasse' is in number 1 already, spelled 'straße'"),
        (["caf\u00e9s", "cafe\u0301s"], "is in number 1 already"),
        (["würden", "würde"], "number 1: 'würden' has 6 letters: expected 5"),
        (["würde", "w1rde"], "number 2: 'w1rde' is not a word"),
        (["abcdefghijklm"] * 2, "has 13 letters"),
        ([chr(0x4E00 + i) + chr(0x5000 + i) for i in range(40)], "80 different letters: expected at most 64"),
        (["ab", "a"], "expected 5"),
    ],
)
def test_lists_that_are_refused(words: list[str], message: str) -> None:
    with pytest.raises(BadInput) as error:
        WordList(words)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_different_lengths_are_refused_in_one_line() -> None:
    with pytest.raises(BadInput, match="number 1: 'können' has 6 letters: expected 5"):
        Variant.load("wordle-guesses", ["können"])
    with pytest.raises(BadInput, match="answers of 6 letters, but guesses of 5: expected the same length"):
        Variant(word_list("wordle-guesses"), word_list(GERMAN))
    with pytest.raises(BadInput, match="'würde' is not a word: expected 6 letters"):
        suggest(["würde:-----"], Variant.load(answers=GERMAN))


def test_of_a_list_of_many_lengths_words_of_one_length_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_text("\n".join([*GREEK, *GERMAN]), encoding="utf-8")
    with pytest.warns(WordsLeftOut, match=f"{len(GERMAN)} words; left out {len(GREEK)} of another length"):
        words = word_list(path)
    assert (words.length, len(words)) == (6, len(GERMAN))


def test_answers_have_the_length_of_the_guesses_or_the_one_that_is_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_text("\n".join(["tea", "ate", "eat", "crane", "bananas"]), encoding="utf-8")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", WordsLeftOut)
        assert Variant.load(answers=path).answers[:] == ["ate", "eat", "tea"]
        assert Variant.load("wordle-guesses", path).answers[:] == ["crane"]
        assert Variant.load(["crane", "slate"], path).answers[:] == ["crane"]
        assert Variant.load(path, path, length=7).guesses[:] == ["bananas"]
        assert Variant.load(answers=path, length=5).guesses.name == "wordle-guesses"
        assert QuordleVariant.load(path, length=7).guesses[:] == ["bananas"]
    with pytest.raises(BadInput, match="length 6: wordle-answers has words of 5 letters"):
        Variant.load(length=6)
    with pytest.raises(BadInput, match="length 13: expected a whole number, 2 to 12"):
        Variant.load(answers=path, length=13)


def test_guesses_of_a_length_are_counted_with_the_digraphs_of_the_answers(tmp_path: Path) -> None:
    answers, guesses = tmp_path / "answers", tmp_path / "guesses"
    answers.write_text("# digraphs: sz\nszép\nvész\n", encoding="utf-8")
    guesses.write_text("szép\nvész\nmese\n", encoding="utf-8")
    with pytest.warns(WordsLeftOut, match="guesses: 2 words; left out 1 of another length"):
        variant = Variant.load(guesses, answers)
    assert (variant.length, variant.guesses[:]) == (3, ["szép", "vész"])


def test_a_page_with_marks_and_right_to_left_letters(tmp_path: Path, run: Callable[..., Done]) -> None:
    for words in (["שלוםא", "מלכהא", "שבתהא"], ["q\u0308abcd", "qabcd", "abcq\u0308d"], GREEK):
        answers = tmp_path / "words"
        answers.write_text("\n".join(words), encoding="utf-8")
        page = tmp_path / "page.html"
        command = ("wordle", "analyze", words[1], words[0], "--answers", str(answers), "--html", str(page))
        assert run(*command, "--device", "cpu", "--quiet").code == 0
        text = page.read_text(encoding="utf-8")
        letters = rules.letters_of(rules.fold(words[0]))
        assert all(f">{letter}</" in text for letter in letters)
        assert text.count('dir="auto"') >= 2
