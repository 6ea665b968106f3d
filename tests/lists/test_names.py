"""A list that the user keeps: its name is taken wherever that of a shipped list is."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path

import pytest

from gpusolve.errors import BadInput
from gpusolve.games import qless, queuedle, quordle, wordle
from gpusolve.games.quiddler import spell
from gpusolve.lists import kept
from gpusolve.lists.public import BY_NAME
from gpusolve.testing.plugin import Done
from gpusolve.wordlists import load_words, shipped

pytestmark = pytest.mark.usefixtures("folder")
Run = Callable[..., Done]


def test_every_game_takes_the_name() -> None:
    kept.keep("mine", b"crane\ntrace\nlate\n")
    assert load_words("mine") == ["crane", "late", "trace"]
    assert sorted(qless.Variant("mine").anagrams.words) == ["crane", "late", "trace"]
    assert spell("mine").words == ["crane", "late", "trace"]
    assert queuedle.daily("2025-05-31", zone="UTC", dictionary="mine").puzzle_dictionary == "mine"
    for load in (wordle.Variant.load, quordle.Variant.load):
        kept.keep("mine", b"late\ncrane\ntrace\n")  # another file, which is read again
        with pytest.warns(UserWarning, match="mine: 2 words; left out 1 of another length"):
            variant = load(answers="mine", guesses="mine")
        assert (variant.answer_list, variant.answers[:]) == ("mine", ["crane", "trace"])


def test_a_list_that_was_replaced_is_read_again() -> None:
    for words in (["crane"], ["crane", "trace"]):
        kept.keep("mine", "\n".join(words).encode())
        assert load_words("mine") == words
        assert wordle.Variant.load(answers="mine", guesses="mine").answers[:] == words
        assert sorted(qless.Variant("mine").anagrams.words) == words
        assert spell("mine").words == words
    kept.remove("mine")
    with pytest.raises(BadInput, match="mine: no such file"):
        load_words("mine")


def test_a_kept_list_can_have_digraphs_and_any_letters() -> None:
    kept.keep("hu", "# digraphs: sz zs\nszép\nvész\nzsír\n".encode())
    variant = wordle.Variant.load(answers="hu", guesses="hu")
    assert (variant.length, variant.digraphs) == (3, ("sz", "zs"))


def test_a_shipped_list_is_not_hidden_by_a_file() -> None:
    kept.keep("wordle-answers", b"crane\n")
    assert len(load_words("wordle-answers")) == 2315


def test_a_variant_takes_its_words_to_a_worker() -> None:
    kept.keep("mine", b"tea\neat\n")
    variant = qless.Variant("mine")
    assert len(variant.anagrams.words) == 2
    sent = pickle.dumps(variant)
    kept.remove("mine")
    assert sorted(pickle.loads(sent).anagrams.words) == ["eat", "tea"]


def test_the_first_words_of_a_search_can_be_a_list_unless_its_name_is_a_word(run: Run) -> None:
    kept.keep("starts", b"crane\n")
    kept.keep("trace", b"crane\n")
    words = ["wordle", "solve", "--guesses", "few", "--answers", "few", "--json", "--device", "cpu:1"]
    kept.keep("few", b"crane\ntrace\nslate\n")
    assert '"guess": "crane"' in run(*words, "--first", "starts").out
    assert '"guess": "trace"' in run(*words, "--first", "trace").out


def test_names_that_are_near(run: Run, folder: Path) -> None:
    kept.keep("mine", b"crane\n")
    with pytest.raises(BadInput, match=r"or one of yours: mine: did you mean mine\?"):
        load_words("mines")
    with pytest.raises(BadInput, match=r": did you mean wordle-2023-07-answers or "):
        load_words("wordle-2023-07-answer")
    with pytest.raises(BadInput, match="enable: not on this machine: gpusolve lists get enable"):
        load_words("enable")
    done = run("wordle", "letters", "--answers", "wordle-2023-07-answers")
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert done.err.endswith("not on this machine: gpusolve lists get wordle-2023-07-answers\n")


def test_a_public_list_that_has_changed_is_not_used() -> None:
    kept.keep("enable", b"aa\n")
    with pytest.raises(BadInput, match="has changed since it was downloaded: gpusolve lists get enable"):
        load_words("enable")
    assert not kept.is_intact("enable")


def test_without_a_home_folder_there_are_no_lists(monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere(*_: object, **__: object) -> None:
        raise RuntimeError

    monkeypatch.delenv("GPUSOLVE_LISTS")
    monkeypatch.setattr("platformdirs.user_data_path", nowhere)
    assert kept.names() == []
    assert kept.version("mine") is None
    with pytest.raises(BadInput, match="set GPUSOLVE_LISTS"):
        kept.keep("mine", b"crane\n")


def test_the_names_of_public_lists_are_free_and_can_be_names() -> None:
    assert not {*BY_NAME} & {each.name for each in shipped()}
    for each in BY_NAME.values():
        assert kept.NAME.fullmatch(each.name)
        assert {*each.needs} <= {*BY_NAME}
        assert (len(each.sha256), len(each.commit)) == (64, 40)
