from __future__ import annotations

import numpy as np

from gpusolve.games import quiddler
from gpusolve.output import page
from gpusolve.result import Result
from output.pages import quiddler_plan

LETTER = '<td class="letter">{}</td>'


def drawn(result: Result) -> str:
    return page.drawn(result.drawing())


def test_each_step_shows_the_table_when_the_word_is_played() -> None:
    plan = quiddler_plan()
    deal, *steps, end = drawn(plan).split("<article")[1:]
    assert all(LETTER.format(card) in deal for card in plan.deal.tops)
    assert len(steps) == len(plan.steps)
    total = 0
    for step, shown in zip(plan.steps, steps, strict=True):
        total += step.points + step.bonus
        assert f"<dt>together</dt><dd>{total}</dd>" in shown
        assert shown.count("green") == 2 * len(step.cards)  # on the table, and as the word
        assert shown.count("entered") == len(step.moves)
    assert "<dd>none</dd>" in end
    assert f"<dt>score</dt><dd>{plan.score}</dd>" in end


def test_a_verdict_says_what_is_illegal() -> None:
    shown = drawn(quiddler.check("nu zzz", "nwu(th)ryyi acjounbi"))
    assert "not legal: word 2, &#39;zzz&#39;: not in the dictionary" in shown


def test_hands_deals_and_censuses() -> None:
    assert drawn(quiddler.deal(1)).count("<td") == 3 * 8
    melds = quiddler.Melds(["quit"], [["qu", "i", "t"]], ["a"], None, 10)
    assert "(qu)it" in drawn(quiddler.BestMelds(["qu", "i", "t", "a"], melds, melds, melds))
    census = quiddler.Census(1, np.array([101, 108, 92], np.int32), np.array([101, 0, 92], np.int32), 1.0, True)
    assert '<th scope="row">100 to 109</th>' in drawn(census)
    assert census.columns()["number"].tolist() == [0, 1, 2]


def test_the_page_of_a_solution_says_how_good_its_plan_is() -> None:
    solution = quiddler.solve("nwu(th)ryyi acjounbi")
    shown = drawn(solution)
    assert "proven optimal" in shown
    assert all(" ".join(plan.words) in shown for plan in solution.plans[1:])
