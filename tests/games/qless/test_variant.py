"""Which words count."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gpusolve.errors import BadInput
from gpusolve.games.qless import Variant, hint
from gpusolve.lists import public
from gpusolve.testing.plugin import Done


def test_the_sites_list_counts_by_its_ratings_and_leaves_the_rest_to_the_shipped_lists(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(public, "BY_NAME", {})  # so that the file need not be the real one
    monkeypatch.setenv("GPUSOLVE_LISTS", str(tmp_path))
    (tmp_path / "qless.txt").write_text("word,rating\ntea,6\neat,5\nqzx,4\nate,4\nzzz,3\nthe,2\nqwerty,0\nand,1\n")
    words, common = set(Variant("qless").anagrams), set(Variant("qless", common=True).anagrams)
    assert {"tea", "eat", "qzx", "ate", "zzz"} <= words
    assert not {"the", "and", "qwerty"} & words
    assert {"tea", "eat"} <= common
    assert not {"qzx", "ate", "zzz", "the", "and", "qwerty"} & common
    rated = {"tea", "eat", "qzx", "ate", "zzz", "the", "and", "qwerty"}
    assert words - rated == set(Variant("scowl-70").anagrams) - rated
    assert common - rated == set(Variant("scowl-35").anagrams) - rated


def test_everyday_words_are_those_of_the_dictionary_in_the_list_of_everyday_words() -> None:
    variant = Variant(["tea", "qzx"], no_repeats=True)
    assert variant.everyday.anagrams.words == ["tea"]
    assert variant.everyday.no_repeats
    assert variant.everyday.everyday is variant.everyday
    with pytest.raises(BadInput, match="the dictionary has no everyday word"):
        _ = Variant(["qzx"]).everyday.anagrams


def test_words_are_doubtful_unless_every_dictionary_has_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(public, "BY_NAME", {})
    monkeypatch.setenv("GPUSOLVE_LISTS", str(tmp_path))
    words = ["tea", "the", "pec", "eta", "pec", "zzz"]
    assert Variant().doubtful(words) == ["eta", "pec", "zzz"]
    (tmp_path / "qless.txt").write_text("pec,4\nthe,2\nzzz,3\n")
    assert Variant().doubtful(words) == ["eta", "the"]
    (tmp_path / "qless.txt").unlink()
    assert Variant().doubtful(words) == ["eta", "pec", "zzz"]


def test_a_hint_is_of_everyday_words_if_they_solve_the_roll() -> None:
    assert hint("aet", variant=Variant(["eta", "tea", "ate"])).words in (["tea"], ["ate"])
    found = hint("aet", variant=Variant(["eta", "tae"]))
    assert found.words == found.doubtful
    assert found.words[0] in ("eta", "tae")


def test_what_is_doubtful_is_marked(run: Callable[..., Done], tmp_path: Path) -> None:
    (tmp_path / "words").write_text("eta\n")
    done = run("qless", "check", "eta", "--dictionary", str(tmp_path / "words"))
    assert done.out.splitlines()[-1] == "a solution: eta*"
    assert "* only in some dictionaries" in done.err
    done = run("qless", "solve", "aet", "--dictionary", str(tmp_path / "words"))
    assert "only in some dictionaries: eta" in done.err
