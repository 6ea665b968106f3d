"""Explained guesses: compared with trying everything."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from games.wordle.analysis.small_game import VARIANT, WORDS, least_total
from gpusolve.backend import open_backend
from gpusolve.games.wordle import Variant, explain, rules
from gpusolve.games.wordle.drawing import COLOURS
from gpusolve.output import page
from gpusolve.testing.plugin import Done

CPU = open_backend("cpu")
LISTED = Variant.load(answers="wordle-answers")


def test_an_explanation_adds_up() -> None:
    explanation = explain(variant=VARIANT, backend=CPU)
    cells = explanation.cells
    assert explanation.total == least_total(WORDS) == explanation.answers + sum(cell.total for cell in cells)
    assert sorted(word for cell in cells for word in cell.words) == sorted(set(WORDS) - {explanation.guess})
    for cell in cells:
        assert cell.total == least_total(cell.words) == least_total(cell.words, cell.guess)
    other = explain(guess="trait", variant=VARIANT, backend=CPU)
    assert (other.total, min(other.best.values())) == (least_total(WORDS, "trait"), least_total(WORDS))


def test_a_famous_first_word_has_its_proven_total() -> None:
    salet, raised = (explain(guess=guess, variant=LISTED, backend=CPU) for guess in ("salet", "raise"))
    assert (salet.proven, salet.exact, salet.total >= 7920) == (7920, False, True)
    assert raised.proven is None
    assert explain(["salet:-y--g"], LISTED, backend=CPU).proven is None
    assert explain(guess="salet", backend=CPU).proven is None


def test_without_a_guess_the_best_of_the_proven_ones_is_explained() -> None:
    assert explain(backend=CPU).guess == "salet"


def test_the_command_prints_equally_good_guesses(run: Callable[..., Done], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPUSOLVE_DEVICE", "cpu")
    done = run("wordle", "explain", "salet:-y--g", "--top", "2", "--answers", "wordle-answers")
    assert "courd: 20 answers, 45 guesses over all of them, mean 2.25000 (exact), " in done.out
    assert "equally good: croup crudo" in done.out


def test_a_page_shows_the_patterns_on_tiles() -> None:
    explanation = explain(["salet:-y--g"], LISTED, backend=CPU)
    html = explanation._repr_html_()
    for cell in explanation.cells:
        assert str(page.part("tiles", *turn(explanation.guess, cell.pattern))) in html


def turn(guess: str, code: int) -> tuple[list[str], list[str]]:
    """Return the letters of a guess and the colours of its pattern."""
    return list(guess), [COLOURS[mark] for mark in rules.pattern_text(code)]
