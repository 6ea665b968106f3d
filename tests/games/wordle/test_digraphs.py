"""Letters that are written with two or three characters: lists, typed guesses, results, files and pages."""

from __future__ import annotations

import json
import pickle
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gpusolve.backend import Backend
from gpusolve.errors import BadInput
from gpusolve.games import quordle, wordle
from gpusolve.games.wordle import Variant, rules
from gpusolve.games.wordle.history import remaining
from gpusolve.games.wordle.rules import Word, letters_of, spelled
from gpusolve.games.wordle.wordlist import WordList, encode, word_list
from gpusolve.testing.plugin import Done

DECLARED = "# digraphs: cs dz dzs gy ly ny sz ty zs"
HUNGARIAN = ["szép", "vész", "dzsem", "kéz", "hegy", "szél", "lyuk", "nyúl", "csík", "szék", "zsír", "nyár", "gyík"]
SINGLE = {"dzs": "ж", "dz": "ц", "sz": "ш", "zs": "ч"}
"""A letter of one character for each digraph: a list that is written with them is the same game."""


@pytest.fixture
def hungarian(tmp_path: Path) -> Path:
    """A word list in a file, in upper and lower case."""
    path = tmp_path / "hu.txt"
    path.write_text("\n".join([DECLARED, *HUNGARIAN[:5], *map(str.upper, HUNGARIAN[5:])]), encoding="utf-8")
    return path


def written(length: int, number: int, seed: int, letters: tuple[str, ...] = ("d", "s", "z", "a", *SINGLE)) -> WordList:
    """Return random words of letters that are read back as these letters."""
    draw, found = random.Random(seed), dict[str, str]()
    while len(found) < number:
        chosen = draw.choices(letters, k=length)
        text = "".join(chosen)
        if letters_of(spelled(text, [*SINGLE])) == chosen:
            found[text] = text
    return WordList(found, digraphs=[*SINGLE])


def single(word: str) -> str:
    """Return a word with a letter of one character for each digraph."""
    return "".join(SINGLE.get(letter, letter) for letter in letters_of(word))


@pytest.mark.parametrize(
    ("text", "letters"),
    [
        ("dzsessz", "dzs e s sz"),
        ("szsz", "sz sz"),
        ("zsz", "zs z"),
        ("sdz", "s dz"),
        ("almas", "a l m a s"),
        ("ödz", "ö dz"),
    ],
)
def test_the_longest_digraph_is_taken_from_left_to_right(text: str, letters: str) -> None:
    word = spelled(text, ("dz", "dzs", "sz", "zs"))
    assert letters_of(word) == letters.split()
    assert word == text
    assert rules.length_of(word) == len(letters.split())
    copied = pickle.loads(pickle.dumps(word))
    assert (copied, letters_of(copied)) == (word, letters_of(word))
    assert json.dumps(word) == json.dumps(text)


def test_a_list_and_what_is_made_of_it(hungarian: Path) -> None:
    words = word_list(hungarian)
    assert words[:] == sorted(HUNGARIAN)
    assert (words.length, words.digraphs) == (3, ("cs", "dz", "dzs", "gy", "ly", "ny", "sz", "ty", "zs"))
    same = WordList(HUNGARIAN, digraphs=DECLARED.split()[2:])
    assert (same, same.digest) == (words, words.digest)
    assert (words.letters == encode(words)).all()
    selected = WordList([word for word in words if "z" in word])
    assert selected.digraphs == ("dzs", "sz", "zs")
    assert Variant.load(words, selected).digraphs == words.digraphs
    assert letters_of(words.take(words.letters[:, 0] == words.letters[0, 0])[0]) == ["cs", "í", "k"]
    assert remaining(["szék:gg-"], words)[:] == ["szél", "szép"]
    assert WordList(["szsz", "zszs"], digraphs=["sz", "zs"]) != WordList(["szsz", "zszs"])
    assert WordList(["szszz"], digraphs=["sz"]).digest != WordList(["szszz"], digraphs=["zs"]).digest


@pytest.mark.parametrize(
    ("declaration", "fault"),
    [
        ("# digraphs:", "line 1: no digraphs there: expected some, such as # digraphs: dz dzs sz"),
        ("# digraphs: sz s", "'s' is not a digraph: expected two or three letters, such as sz"),
        ("# digraphs: s z", "'s' is not a digraph"),
        ("# digraphs: s2", "'s2' is not a digraph"),
        ("# digraphs: dzsz", "'dzsz' is not a digraph"),
        ("# digraphs: sz SZ", "the digraph 'SZ' occurs twice: expected each once"),
        ("# digraphs:sz", ""),
        ("#Digraphs : SZ", ""),
    ],
)
def test_declarations(tmp_path: Path, declaration: str, fault: str) -> None:
    for name, line in (("words", "szép"), ("weights", "szép\t3")):
        path = tmp_path / name
        path.write_text(f"{declaration}\n{line}\n", encoding="utf-8")
        if not fault:
            assert (WordList(path) if name == "words" else Variant.load(weights=path)).length == 3
            continue
        with pytest.raises(BadInput, match=name) as error:
            WordList(path) if name == "words" else Variant.load(weights=path)
        assert fault in str(error.value)
        assert "\n" not in str(error.value)


def test_a_declaration_alone_is_no_list(tmp_path: Path) -> None:
    path = tmp_path / "words"
    path.write_text("# digraphs: sz\n\n", encoding="utf-8")
    with pytest.raises(BadInput, match="no words there: expected at least one"):
        WordList(path)
    with pytest.raises(BadInput, match="no weights there"):
        Variant.load(weights=path)


def test_digraphs_that_a_caller_gives_wrongly() -> None:
    with pytest.raises(BadInput, match="'d z' is not a digraph"):
        WordList(["dz"], digraphs=["d z"])
    with pytest.raises(TypeError, match="digraph"):
        WordList(["dz"], digraphs=[3])  # type: ignore[list-item]


def test_a_list_has_at_most_64_letters_with_its_digraphs() -> None:
    singles = [chr(ord("а") + i) for i in range(32)] + [chr(ord("a") + i) for i in range(26)]
    words = ["".join(pair) for pair in zip(singles[::2], singles[1::2], strict=True)]
    pairs = ["bd", "bf", "bh", "bj", "bl", "bn", "bp"]
    fits = [*words, *(first + second for first, second in zip(pairs[::2], pairs[1:6:2], strict=False))]
    assert WordList(fits, digraphs=pairs).length == 2
    with pytest.raises(BadInput, match="65 different letters: expected at most 64"):
        WordList([*fits, "bpa"], digraphs=pairs)


def test_answers_and_guesses_have_the_same_digraphs(hungarian: Path) -> None:
    assert Variant.load(HUNGARIAN, hungarian).digraphs == word_list(hungarian).digraphs  # guesses take them over
    with pytest.raises(BadInput, match="'szs' is s zs among the answers, but sz s among the guesses"):
        Variant(WordList(["szs"], digraphs=["sz"]), WordList(["szs"], digraphs=["zs"]))


def test_patterns_and_totals_are_those_of_the_game_with_single_letters(backend: Backend) -> None:
    for length, number in ((3, 40), (6, 40)):
        words = written(length, number, length)
        plain = WordList([single(word) for word in words])
        for mode in rules.MODES:
            totals = []
            for answers in (words, plain):
                solution = wordle.solve(
                    [], Variant.load(answers=answers, mode=mode), max_guesses=20, memory=1, backend=backend
                )
                totals.append((solution.total, solution.worst))
            assert totals[0] == totals[1], (length, mode)
        for guess in words[::5]:
            for answer in words[::3]:
                assert rules.pattern(guess, answer) == rules.pattern(single(guess), single(answer))
        for guess in (words[0], words[7]):
            found = wordle.cells(guess, answers=words, backend=backend).by_pattern
            expected = wordle.cells(single(guess), answers=plain, backend=backend).by_pattern
            assert {code: sorted(map(single, cell)) for code, cell in found.items()} == {
                code: sorted(cell) for code, cell in expected.items()
            }


def test_other_questions_have_the_answers_of_the_game_with_single_letters(backend: Backend) -> None:
    words = written(4, 25, 1)
    plain = WordList([single(word) for word in words])
    games = [Variant.load(answers=answers) for answers in (words, plain)]
    assert len({len(wordle.beat_adversary([], game, backend=backend).turns) for game in games}) == 1
    groups = [wordle.groups(answers=game.answers, size=3, guesses=game.guesses, backend=backend) for game in games]
    assert len({len(found) for found in groups}) == 1
    sizes = [sorted(len(each.words) for each in wordle.endgames(answers=game.answers).sets) for game in games]
    assert sizes[0] == sizes[1]
    first = [wordle.explain([], game, guess=game.answers[0], backend=backend).total for game in games[:1]]
    assert first == [wordle.explain([], games[1], guess=single(words[0]), backend=backend).total]
    played = wordle.play(words[3], games[0], backend=backend)
    assert played.turns[-1].guess == words[3]


def test_hard_guesses_and_contradictions_count_a_digraph_as_a_letter() -> None:
    szép, vész, zsír = (spelled(word, ("sz", "zs")) for word in ("szép", "vész", "zsír"))
    assert rules.allowed(vész, [(szép, rules.parse_pattern("yy-", 3))], "hard")
    assert not rules.allowed(zsír, [(szép, rules.parse_pattern("y--", 3))], "hard")
    assert rules.revealed(szép, rules.parse_pattern("gy-", 3)) == ({0: "sz"}, {"sz": 1, "é": 1})
    assert not rules.possible([(szép, rules.parse_pattern("ggy", 3))])


def test_weights_in_files_and_mappings(tmp_path: Path, hungarian: Path) -> None:
    path = tmp_path / "weights.tsv"
    lines = [f"{word}\t{number}" for number, word in enumerate(HUNGARIAN, 1)]
    path.write_text("\n".join([DECLARED, *lines]), encoding="utf-8")
    alone = Variant.load(weights=path)
    path.write_text("\n".join(lines), encoding="utf-8")
    beside = Variant.load(answers=hungarian, weights=path)
    mapped = Variant.load(weights={word: HUNGARIAN.index(word) + 1 for word in word_list(hungarian)})
    assert alone.answers == beside.answers == mapped.answers
    assert alone.weights is not None
    assert beside.weights is not None
    assert mapped.weights is not None
    assert alone.weights.values == beside.weights.values == mapped.weights.values


def test_commands(tmp_path: Path, hungarian: Path, run: Callable[..., Done]) -> None:
    lists = ("--answers", str(hungarian), "--device", "cpu", "--quiet")

    def found(*words: str) -> Any:
        done = run("wordle", *words, *lists, "--json")
        assert done.code == 0, done.err
        return json.loads(done.out)

    assert found("suggest", "SZÉK", "gg-")["remaining"] == ["szél", "szép"]
    assert found("suggest", "szék:gg-", "szél", "gg-")["remaining"] == ["szép"]
    shared = found("suggest", "Szóle 12 2/6\n\n🟩🟩⬛\n🟩🟩🟩", "szék", "szép")
    assert shared["solved"]
    assert found("explain", "szék", "gg-")["answers"] == 2
    assert [turn["guess"] for turn in found("play", "dzsem")["turns"]][-1] == "dzsem"
    assert len(found("simulate", "--first", "szék")["worst"])
    tree = tmp_path / "tree.json"
    total = found("solve", "--out", str(tree))["total"]
    done = run("wordle", "verify", str(tree), "--answers", str(hungarian), "--json")
    assert json.loads(done.out)["total"] == total
    assert run("wordle", "play", "szép", "--strategy", str(tree), *lists).code == 0
    page = tmp_path / "page.html"
    found("analyze", "szék", "dzsem", "szép", "--html", str(page))
    text = page.read_text(encoding="utf-8")
    assert '<span class="tile grey digraph">dzs</span>' in text
    assert '<span class="tile green digraph">sz</span>' in text
    cells = run("wordle", "cells", "szép", "--answers", str(hungarian), "--device", "cpu")
    assert "gg-         2  szék szél" in cells.out
    table = run("wordle", "partition-table", "--words", "szép,zsír", *lists, "--json")
    assert {row["guess"] for row in json.loads(table.out)["rows"]} == {"szép", "zsír"}
    wrong = run("wordle", "suggest", "szé", "gg-", *lists)
    assert wrong.code == 2
    assert "'szé' is not a word: expected 3 letters, of which cs dz dzs gy ly ny sz ty zs are one each" in wrong.err


def test_a_pattern_with_digraphs(run: Callable[..., Done]) -> None:
    done = run("wordle", "pattern", "SZÉP", "vész", "--digraphs", "sz zs", "--json")
    assert (done.code, json.loads(done.out)["pattern"]) == (0, "yg-")
    assert rules.pattern("szép", "vész", digraphs=["SZ"]) == rules.parse_pattern("yg-", 3)
    for digraphs, fault in (("s", "'s' is not a digraph"), ("sz SZ", "the digraph 'SZ' occurs twice")):
        wrong = run("wordle", "pattern", "szép", "vész", "--digraphs", digraphs)
        assert wrong.code == 2
        assert fault in wrong.err
    with pytest.raises(BadInput, match="expected 3 letters, of which sz are one each"):
        rules.pattern("szép", "szépen", digraphs=["sz"])


def test_a_checkpoint_is_for_a_list_with_its_digraphs(tmp_path: Path, backend: Backend) -> None:
    words = written(3, 30, 9)
    path = tmp_path / "checkpoint"
    wordle.solve([], Variant.load(answers=words), first="top 3", memory=1, checkpoint=path, backend=backend)
    again = wordle.solve([], Variant.load(answers=words), first="top 3", memory=1, resume=path, backend=backend)
    assert again.proven
    fewer = WordList([*words], digraphs=[*SINGLE])
    assert fewer == words


def test_quordle(tmp_path: Path, run: Callable[..., Done]) -> None:
    words = written(5, 30, 3)
    plain = WordList([single(word) for word in words])
    hidden = [words[4], words[17]]
    game = quordle.play(hidden, variant=quordle.Variant.load(words), seed=1)
    assert set(hidden) <= set(game.guesses)
    turn = ":".join((words[0], ",".join(rules.pattern_text(rules.mark(words[0], word, "wordle")) for word in hidden)))
    advice = quordle.suggest([turn], variant=quordle.Variant.load(words))
    other = quordle.suggest([f"{single(words[0])}:{turn.partition(':')[2]}"], variant=quordle.Variant.load(plain))
    assert [sorted(map(single, left)) for left in advice.remaining] == [sorted(left) for left in other.remaining]
    path, page = tmp_path / "words.txt", tmp_path / "page.html"
    path.write_text("\n".join(["# digraphs: dz dzs sz zs", *words]), encoding="utf-8")
    lists = ("--answers", str(path), "--device", "cpu")
    done = run("quordle", "analyze", ",".join(hidden), *game.guesses, *lists, "--html", str(page))
    assert done.code == 0, done.err
    assert "digraph" in page.read_text(encoding="utf-8")
    assert run("quordle", "suggest", *turn.split(":"), *lists).code == 0
    assert run("quordle", "play", ",".join(hidden), *lists).code == 0


def test_words_of_a_language(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("wordfreq")
    found = wordle.words(language="hu", length=4, top=50, digraphs=DECLARED.split()[2:])
    assert {rules.length_of(word) for word in found.weights} == {4}
    assert any(isinstance(word, Word) for word in found.weights)
    assert found.text().startswith("# digraphs: cs dz dzs gy ly ny sz ty zs\n# 50 words of 4 letters")
