"""The shipped word lists, and users' word lists."""

from __future__ import annotations

import hashlib
import json
import os
import re
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from gpusolve.errors import BadInput, WordsLeftOut
from gpusolve.games.wordle.variant import Variant
from gpusolve.games.wordle.wordlist import WordList
from gpusolve.resources import wordlists_dir
from gpusolve.testing.plugin import Done
from gpusolve.wordlists import load_words, shipped

# The published MD5 of each sorted list, with a newline after each word.
PUBLISHED = {
    "wordle-answers": (2315, "9f0fa6b82e31d1f588779c85e254a1f4"),
    "wordle-guesses": (12972, "f71d8126770fa761c906f571ca04b981"),
    "wordle-2022-02-answers": (2309, "50ac626f794994bc93eda077718c26c8"),
    "wordle-2022-02-guesses": (12947, "e243faafc47e71338cd1577f959b721a"),
}


def test_every_file_is_listed_in_sources_with_its_count_and_hash() -> None:
    assert {f"{words.name}.txt" for words in shipped()} == {path.name for path in wordlists_dir().glob("*.txt")}
    for words in shipped():
        assert words.is_intact(), words.name
        lines = words.path.read_text(encoding="ascii").split("\n")
        assert lines.pop() == ""
        assert len(lines) == words.count
        assert lines == sorted(set(lines))
        assert load_words(words.name) == lines


def test_the_sizes_of_words_are_as_sources_says() -> None:
    text = (wordlists_dir() / "scowl-5-sizes.tsv").read_bytes()
    lines = text.decode("ascii").splitlines()
    sources = (wordlists_dir() / "SOURCES.md").read_text(encoding="utf-8")
    assert f"`scowl-5-sizes.tsv` ({len(lines):,} lines, SHA-256 `{hashlib.sha256(text).hexdigest()}`)" in sources
    sizes = {word: int(size) for word, size in (line.split("\t") for line in lines)}
    assert [*sizes] == sorted(sizes)
    assert {word for word, size in sizes.items() if size <= 35} >= {w for w in load_words("scowl-35") if len(w) == 5}
    assert set(sizes.values()) == {10, 20, 35, 40, 50, 55, 60, 70, 80}


@pytest.mark.parametrize("name", PUBLISHED)
def test_the_wordle_lists_have_the_published_hashes(name: str) -> None:
    words = load_words(name, length=5)
    assert (len(words), hashlib.md5(("\n".join(words) + "\n").encode()).hexdigest()) == PUBLISHED[name]


def test_the_guesses_that_are_not_answers_have_the_published_hash() -> None:
    others = sorted(set(load_words("wordle-guesses")) - set(load_words("wordle-answers")))
    assert hashlib.md5(("\n".join(others) + "\n").encode()).hexdigest() == "7c5a80919675b799f131970161c6c262"


def test_scowl_contains_no_unit_symbols() -> None:
    words = load_words("scowl-70")
    assert not [word for word in words if len(word) < 2 or (len(word) == 2 and not re.search("[aeiouy]", word))]
    assert not set(["lm", "ln", "lx", "mb", "kb", "cs", "ks", "ss", "mf", "csc", "dkl"]) & set(words)
    assert {"hmm", "nth", "psst", "ox", "by"} <= set(words)


def test_a_list_that_was_changed_is_not_intact(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "wordle-answers.txt").write_text("salet\n")
    monkeypatch.setattr("gpusolve.wordlists.wordlists_dir", lambda: tmp_path)
    (tmp_path / "SOURCES.md").write_bytes((wordlists_dir() / "SOURCES.md").read_bytes())
    assert not any(words.is_intact() for words in shipped())


@pytest.mark.parametrize(
    "text", ["CRANE\nsalet\n", "\ufeffsalet\r\ncrane\r\n", "salet\n\n  Crane  \n\n", "salet\ncrane"]
)
def test_case_blank_lines_line_endings_and_a_byte_order_mark_do_not_matter(tmp_path: Path, text: str) -> None:
    (tmp_path / "words").write_text(text, encoding="utf-8", newline="")
    assert load_words(tmp_path / "words", length=5) == ["crane", "salet"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "no words there: expected at least one"),
        (b"\n\n", "no words there"),
        (b"\ncr4ne\n", "line 2: 'cr4ne' is not a word: expected letters a-z only"),
        (b"crane raise\nab", "line 1: 'crane raise' is not a word"),
        (b"\ncranes\n", "line 2: 'cranes' has 6 letters: expected 5"),
        ("café\n".encode(), "line 1: 'café' is not a word"),
        ("salet\ncafé\n".encode("latin-1"), "not a UTF-8 text file"),
        (b"x" * 1000, "line 1: 'xxxxxxxxxxxxxxxxxxxxxxxx...' has 1000 letters"),
        (b"\0\0\0", "is not a word"),
    ],
)
def test_a_file_in_which_no_word_fits_is_refused(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "words.txt"
    path.write_bytes(content)
    with pytest.raises(BadInput) as error:
        load_words(path, length=5)
    assert message in str(error.value)
    assert str(path) in str(error.value)


def test_the_error_for_a_missing_file_names_the_shipped_lists(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="expected a file or a shipped list: wordle-answers, wordle-guesses"):
        load_words(tmp_path / "none.txt")
    with pytest.raises(BadInput, match="it is a folder: expected a file or a list's name"):
        load_words(tmp_path)


@settings(max_examples=300)
@given(st.lists(st.text("abAB\u212a1\n ", max_size=3), max_size=6), st.sampled_from([None, 2]))
def test_lines_checked_at_once_give_the_same_as_lines_checked_in_turn(lines: list[str], length: int | None) -> None:
    """A blank line keeps `load_words` from checking all lines at once."""

    def outcome(lines: list[str]) -> list[str] | str:
        try:
            return load_words(lines, length=length)
        except BadInput as error:
            return str(error)

    assert outcome(lines) == outcome([*lines, " "])


def test_the_kelvin_sign_is_not_a_letter() -> None:
    with pytest.raises(BadInput, match="number 1: '\u212aing' is not a word"):
        load_words(["\u212aing"])


DICTIONARY = ["crane", "Salet", "salet", "cafés", "a", "it's", "cranes", *(f"{c}ax" for c in "bflmprstw")]


def test_of_a_dictionary_the_words_that_fit_are_kept_and_the_others_counted(tmp_path: Path) -> None:
    path = tmp_path / "words"
    path.write_text("\n".join(DICTIONARY), encoding="utf-8")
    message = (
        r"words: 2 words; left out 11 of another length, 2 with other characters than letters, 1 that occur again, "
        r"first 'salet' in line 3; 1 with capitals were read in lower case$"
    )
    with pytest.warns(WordsLeftOut, match=message):
        assert load_words(path, length=5) == ["crane", "salet"]
    with pytest.raises(
        BadInput, match="number 3: 'salet' is in number 2 already"
    ):  # who calls from Python can repair it
        load_words(DICTIONARY, length=5)
    path.write_text("ab\n" * 40, encoding="utf-8")
    with pytest.raises(BadInput, match="line 1: 'ab' has 2 letters: expected 5"):
        load_words(path, length=5)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names on this system")
def test_words_are_read_from_a_pipe(tmp_path: Path) -> None:
    """Once: after that they are gone."""
    readers: list[Callable[[Path], list[str]]] = [
        lambda pipe: WordList(pipe)[:],
        lambda pipe: Variant.load(["crane", "slate"], pipe).answers[:],
    ]
    for read in readers:
        os.mkfifo(pipe := tmp_path / "pipe")
        writer = threading.Thread(target=pipe.write_text, args=("crane\nslate\n",))
        writer.start()
        assert read(pipe) == ["crane", "slate"]
        writer.join()
        pipe.unlink()


def test_a_few_lines_that_do_not_fit_are_left_out_as_well(tmp_path: Path) -> None:
    path = tmp_path / "words"
    path.write_text("crane slate to bananas Cafés about".replace(" ", "\n"), encoding="utf-8")
    with pytest.warns(WordsLeftOut, match="4 words; left out 2 of another length, first 'to' in line 3; 1 with cap"):
        assert WordList(path)[:] == ["about", "cafés", "crane", "slate"]
    with pytest.warns(WordsLeftOut, match="1 word; left out 5 of another length, first 'crane' in line 1"):
        assert WordList(path, length=7)[:] == ["bananas"]
    with pytest.warns(WordsLeftOut, match="3 words; left out 2 of another length, 1 with other char"):
        assert load_words(path, length=5) == ["about", "crane", "slate"]


def test_a_command_shows_the_words_left_out_as_a_note(tmp_path: Path, run: Callable[..., Done]) -> None:
    path = tmp_path / "words"
    path.write_text("\n".join(DICTIONARY), encoding="utf-8")
    command = ("wordle", "suggest", "--answers", str(path), "--length", "5", "--device", "cpu", "--json")
    done = run(*command)
    assert done.err.startswith(f"{path}: 3 words; left out 11 of another length, ")
    assert json.loads(done.out)["remaining"] == ["cafés", "crane", "salet"]
    assert run(*command, "--quiet").err == ""
