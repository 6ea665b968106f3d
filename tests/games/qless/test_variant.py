"""Which words count."""

from __future__ import annotations

from pathlib import Path

import pytest

from gpusolve.errors import BadInput
from gpusolve.games.qless import Variant
from gpusolve.lists import public


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
