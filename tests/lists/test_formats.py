"""Files with a word per line, with ratings, and with a JSON list."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from gpusolve.errors import BadInput, WordsLeftOut
from gpusolve.games.qless import Variant
from gpusolve.games.wordle.wordlist import WordList
from gpusolve.lists.formats import count_words, lines_of, ratings_in
from gpusolve.wordlists import load_ratings, load_words

WORDS = st.lists(st.text("abcé", min_size=1, max_size=5), min_size=1, max_size=9, unique=True)


@given(WORDS, st.sampled_from([",", " , ", ";", "\t", "  "]), st.booleans())
def test_ratings_are_left_out_and_kept_apart(words: list[str], separator: str, named: bool) -> None:
    rows = [f"{word}{separator}{number / 2}" for number, word in enumerate(words)]
    text = "\n".join(["word,rating"] * named + rows)
    assert lines_of(text, "x") == ("line", [""] * named + words)
    assert ratings_in(text) == {word: number / 2 for number, word in enumerate(words)}


@given(WORDS)
def test_a_plain_list_and_a_json_list_stay_as_they_are(words: list[str]) -> None:
    assert lines_of("\n".join(words), "x") == ("line", words)
    assert lines_of(json.dumps(words, indent=1), "x") == ("item", words)


def test_every_game_reads_both_forms(tmp_path: Path) -> None:
    (tmp_path / "rated.csv").write_text("Word,Rating\nTea,3\neat,4.5\nate,-1e1\n")
    (tmp_path / "list.json").write_text('\ufeff[ "Tea",\n"eat", "ate"]', encoding="utf-8")
    for name in ("rated.csv", "list.json"):
        assert load_words(tmp_path / name) == ["ate", "eat", "tea"]
        assert sorted(Variant(tmp_path / name).anagrams.words) == ["ate", "eat", "tea"]
        assert WordList(tmp_path / name)[:] == ["ate", "eat", "tea"]
    assert load_ratings(tmp_path / "rated.csv") == {"tea": 3, "eat": 4.5, "ate": -10}
    assert load_ratings(tmp_path / "list.json") == {}


def test_a_line_without_a_rating_stays_a_word(tmp_path: Path) -> None:
    file = tmp_path / "words"
    file.write_text("tea,3\neat\nate,good\n")
    with pytest.warns(WordsLeftOut, match="2 words; left out 1 with other characters than letters, first 'ate,good'"):
        assert load_words(file) == ["eat", "tea"]


def test_words_of_a_json_list_that_do_not_fit_are_left_out_with_their_place(tmp_path: Path) -> None:
    file = tmp_path / "words.json"
    file.write_text('["crane", "no", "x1", "crane"]')
    with pytest.warns(
        WordsLeftOut, match="left out 1 of another length, 1 with .*, 1 that occur again, first 'no' in item 2"
    ):
        assert WordList(file, length=5)[:] == ["crane"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('["crane", 3]', "item 2: expected a word in quotes, not 3"),
        ('["crane", "sla', "not JSON: "),
        ("[]", "no words there"),
        ('["1"]', "item 1: '1' is not a word"),
    ],
)
def test_a_json_list_with_a_fault_is_refused(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "words.json"
    file.write_text(text)
    with pytest.raises(BadInput) as error:
        load_words(file)
    assert message in str(error.value)
    assert str(file) in str(error.value)


def test_words_are_counted_in_any_alphabet() -> None:
    assert count_words("szép\nvész\nSzép\n# digraphs: sz\n".encode(), "x") == 2
    for content, message in ((b"\xff", "x: not a UTF-8 text file"), (b"1\n2", "x: no words there")):
        with pytest.raises(BadInput, match=message):
            count_words(content, "x")
