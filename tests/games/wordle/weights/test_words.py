"""Lists of words with weights from their frequencies."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from gpusolve.errors import BadInput, NoSolution
from gpusolve.games.wordle import Variant, words
from gpusolve.games.wordle.weights.frequencies import FORM, WHOLE
from gpusolve.installation import install_command


def test_the_package_is_named_if_it_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "wordfreq", None)
    with pytest.raises(BadInput, match=re.escape(install_command("wordfreq"))):
        words()


class TestWithThePackage:
    """What needs the package wordfreq."""

    @pytest.fixture(autouse=True)
    def _wordfreq(self) -> None:
        pytest.importorskip("wordfreq", reason="pip install 'gpusolve[wordfreq]'")

    @pytest.mark.parametrize(("language", "divider"), [("zh", "jieba"), ("ja", "MeCab"), ("ko", "MeCab")])
    def test_text_without_spaces_needs_packages_that_are_named(
        self, language: str, divider: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setitem(sys.modules, divider, None)
        for module in [name for name in sys.modules if name in ("wordfreq.chinese", "wordfreq.mecab")]:
            monkeypatch.delitem(sys.modules, module)
        with pytest.raises(BadInput, match=rf"language {language}: needs more packages: pip install 'wordfreq\[cjk\]'"):
            words(language=language)

    def test_a_list_can_be_saved_and_played_with(self, tmp_path: Path) -> None:
        listed = words(top=200)
        assert len(listed.weights) == 200
        assert [*listed.zipf.values()] == sorted(listed.zipf.values(), reverse=True)
        listed.save(tmp_path / "en.tsv")
        variant = Variant.load(weights=tmp_path / "en.tsv")
        assert variant.weights is not None
        assert variant.weights.exact
        assert dict(zip(variant.answers, variant.weights.values, strict=True)) == listed.weights

    def test_plurals_and_past_tenses_weigh_little(self) -> None:
        weights = words(guesses=["years", "house", "chaos", "asked", "speed", "using"]).weights
        assert max(weights["years"], weights["asked"]) <= WHOLE / FORM
        assert min(weights["house"], weights["chaos"], weights["speed"]) > WHOLE / 2

    @pytest.mark.thorough
    def test_other_languages_and_lengths(self) -> None:
        assert list(words(language="de", top=2).weights) == ["nicht", "einen"]
        assert list(words(language="ru", length=6, top=1).weights) == ["только"]
        assert "\u00fcber" in words(language="de", length=4, top=50).weights

    def test_what_does_not_exist_is_refused(self) -> None:
        with pytest.raises(BadInput, match="language xx: expected one of ar, "):
            words(language="xx")
        with pytest.raises(NoSolution, match="no word of 12 letters"):
            words(language="en", length=12, guesses=["unlikelyzzzz"])
        for wrong in ({"length": 0}, {"length": 13}, {"top": 0}, {"length": 2.5}):
            with pytest.raises(BadInput, match="expected"):
                words(**wrong)
