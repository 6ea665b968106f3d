"""Plans of the user's own, checked and scored."""

from __future__ import annotations

from collections import Counter

import pytest

from gpusolve.games.quiddler._check import check
from gpusolve.games.quiddler.deals import Deal
from gpusolve.games.quiddler.spellings import Spellings, spell
from gpusolve.games.quiddler.variant import Variant

SECOND = Deal.parse("n w u th r y y i / a c j o u n b i")


@pytest.mark.parametrize(
    ("plan", "played", "broken"),
    [
        ("nu ja bi icy unworthy", 5, None),
        ("NU, ja,bi; icy unwor(th)y", 5, None),
        ("n-u j-a", 2, None),
        ("nu ja xyzzy", 2, "word 3, 'xyzzy': not in the dictionary"),
        ("nu nu nu", 1, "word 2, 'nu': n, u are covered, and there is no empty place to uncover them"),
        ("in in in", 1, "word 2, 'in': n is covered, and there is no empty place to uncover it"),
        ("nu unworthy", 1, "word 2, 'unworthy': u, n, o are covered, and there is no empty place to uncover them"),
        ("bum", 0, "word 1, 'bum': no card m is left"),
        ("unruly", 0, "word 1, 'unruly': no card l is left"),
        ("(th)xu", 0, "word 1, '(th)xu': not in the dictionary"),
    ],
)
def test_a_plan_is_played_as_far_as_it_is_legal(shipped: Spellings, plan: str, played: int, broken: str | None) -> None:
    verdict = check(plan, SECOND, dictionary=shipped)
    assert (len(verdict.plan.steps), verdict.broken) == (played, broken)


def test_the_best_cards_are_used() -> None:
    deal = Deal(("q", "u", "qu", "i"), ("t", "a", "a", "a"))
    words = spell(["qui"])
    assert check("qui", deal, dictionary=words).plan.left == ["t", "a", "a", "a", "qu"]
    assert check("(qu)i", deal, dictionary=words).plan.left == ["t", "a", "a", "a", "q", "u"]
    assert Counter(len(check(plan, deal, dictionary=words).plan.left) for plan in ("qui", "q-u-i")) == {5: 2}


def test_a_word_of_one_card() -> None:
    words = spell(["in", "inn"])
    deal = Deal(("in", "n"), ("a", "a"))
    assert check("in", deal, dictionary=words).broken == "word 1, 'in': no card i is left"
    assert check("(in)", deal, dictionary=words).broken == "word 1, '(in)': a word needs at least 2 cards"
    assert check("(in)", deal, dictionary=spell(["in"], 1), variant=Variant(min_cards=1)).broken is None


@pytest.mark.parametrize(
    ("plan", "broken"),
    [
        ("at no:9-10", None),
        ("at on:10-3", None),
        ("a-t:1-2 o-n:10-9", None),
        ("at no:1-10", "word 2, 'no:1-10': card 1 of the deal is gone"),
        ("at no:9-3", "word 2, 'no:9-3': the cards at 9-3 are n n"),
        ("at nn:9-9", "word 2, 'nn:9-9': it takes card 9 of the deal twice"),
        ("no:9-10", "word 1, 'no:9-10': n, o are covered, and there is no empty place to uncover them"),
        ("no:17-3", "word 1, 'no:17-3': expected the positions of its cards after the colon, 1 to 16, such as :1-3"),
        ("no:", "word 1, 'no:': expected the positions of its cards after the colon, 1 to 16, such as :1-3"),
    ],
)
def test_a_word_can_say_which_cards_it_takes(plan: str, broken: str | None) -> None:
    verdict = check(plan, "a t n e s r i d / n o q z x v u l", dictionary=["at", "no", "on", "nn"])
    assert verdict.broken == broken
    if not broken:
        assert [step.positions for step in verdict.plan.steps] == [
            [int(each) for each in word.split(":")[1].split("-")] if ":" in word else [1, 2] for word in plan.split()
        ]


def test_many_equal_cards_are_no_problem() -> None:
    """Each of these words can take its cards in hundreds of equivalent ways."""
    verdict = check("ee ee ee ee ee ee eee", Deal(("e",) * 8, ("e",) * 8), dictionary=["ee", "eee"])
    assert (verdict.broken, verdict.plan.score, len(verdict.plan.left)) == (None, 28, 1)


def test_words_with_too_many_readings_are_refused() -> None:
    long = "in" * 200
    for words in (["tea"], ["tea", long]):
        assert check(long, SECOND, dictionary=words).broken in (
            f"word 1, '{long}': not in the dictionary",
            f"word 1, '{long}': more than 32 letters",
        )


def test_only_latin_letters_are_put_in_lower_case() -> None:
    assert check("NU", SECOND, dictionary=["nu", "king"]).broken is None
    assert "not in the dictionary" in str(check("\N{KELVIN SIGN}ing", SECOND, dictionary=["nu", "king"]).broken)
