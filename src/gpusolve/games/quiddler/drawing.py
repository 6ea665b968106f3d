"""The output of ``gpusolve quiddler``: a deal, the steps of a plan, the words of a hand, the result of a census."""

from __future__ import annotations

from collections.abc import Iterable

from gpusolve.games.quiddler._census import Census
from gpusolve.games.quiddler._deal import deal
from gpusolve.games.quiddler._hand import BestMelds
from gpusolve.games.quiddler._solve import Goal, Solution
from gpusolve.games.quiddler.deals import Deal
from gpusolve.games.quiddler.plans import Plan
from gpusolve.output import report

COLUMNS = ("word", "cards", "from places", "moved before", "turned up", "points", "bonus")
BAR = 40  # characters of the longest bar
BIN = 10  # points that share a bar


def show_solution(solution: Solution, goal: Goal, max_words: int | None, seed: int | None) -> None:
    """Print the deal, the first plan step by step, its score, and the other plans."""
    show_deal(solution.deal)
    first, *others = solution.plans
    show_plan(first)
    report.text(f"{sum_of(first)}, {kind_of(goal, max_words)}" + ("" if seed is None else f"; seed {seed}"))
    plural = "s" * (solution.n_plans != 1)
    reach = "use all cards" if goal == "any" else "reach it" if plural else "reaches it"
    report.text(f"{solution.n_plans:,} plan{plural} {reach}" + (", such as" if others else ""))
    for plan in others:
        report.text(f"  {' '.join(plan.words)}" + (f": {plan.score}" if goal == "any" else ""))


def kind_of(goal: Goal, max_words: int | None) -> str:
    """Return what is known about the score of a plan.

    >>> kind_of("best", 1)
    'proven optimal with at most 1 word'
    """
    kind = {"best": "proven optimal", "all": "proven optimal with all cards used", "any": "all cards used"}[goal]
    return kind + (f" with at most {max_words} word{'s' * (max_words != 1)}" if max_words else "")


def show_deal(deal: Deal) -> None:
    """Print the two rows, each bottom card below its top card."""
    width = [max(len(top), len(bottom)) for top, bottom in zip(deal.tops, deal.bottoms, strict=True)]
    for row in (deal.tops, deal.bottoms):
        report.text(" ".join(card.ljust(n) for card, n in zip(row, width, strict=True)).rstrip())
    report.text()


def show_plan(plan: Plan) -> None:
    """Print the steps as a table."""
    names = plan.deal.cards
    if not plan.steps:
        return
    report.table(
        COLUMNS,
        [
            (
                step.word,
                spelled(names[number] for number in step.cards),
                " ".join(str(place + 1) for place in step.places),
                ", ".join(f"{names[card]} from {source + 1} to {target + 1}" for card, source, target in step.moves),
                " ".join(names[number] for number in step.turned_up),
                step.points,
                step.bonus,
            )
            for step in plan.steps
        ],
    )


def sum_of(plan: Plan) -> str:
    """Return the score as a sum: points used, points left, bonuses."""
    used, bonus = sum(step.points for step in plan.steps), sum(step.bonus for step in plan.steps)
    left = f" - {used + bonus - plan.score} left ({' '.join(plan.deal.cards[n] for n in plan.left)})"
    return f"{plan.score} points = {used} used{left if plan.left else ''} + {bonus} bonus"


def spelled(cards: Iterable[str]) -> str:
    """Return cards as a word, with two-letter cards in brackets."""
    return "".join(card if len(card) == 1 else f"({card})" for card in cards)


def show_hand(best: BestMelds, discard: bool) -> None:
    """Print the words that are best in each way, one row each."""
    rows = {"most points": best.points, "longest word": best.longest, "most words": best.most}
    report.table(
        ["", "words", "cards", "left", *(["discard"] if discard else []), "points"],
        [
            (
                name,
                " ".join(melds.words),
                " ".join(map(spelled, melds.cards)),
                " ".join(melds.left),
                *([melds.discard] if discard else []),
                melds.score,
            )
            for name, melds in rows.items()
        ],
    )


def show_census(census: Census, top: int) -> None:
    """Print the mean, the distribution as bars, and the `top` hardest and richest deals."""
    distribution = census.distribution
    report.text(
        f"{census.deals:,} deals of seed {census.seed}: mean optimum {census.mean:.2f}, "
        f"{min(distribution)} to {max(distribution)}"
    )
    report.text(
        f"some play uses all cards in {census.can_use_all:.2%} of the deals, "
        f"an optimal play does in {census.all_is_best:.2%}"
    )
    bins: dict[int, int] = {}
    for optimum, count in distribution.items():
        bins[optimum // BIN * BIN] = bins.get(optimum // BIN * BIN, 0) + count
    most = max(bins.values())
    report.table(
        ["optimum", "deals", "%", ""],
        [
            (
                f"{low} to {low + BIN - 1}",
                count,
                f"{100 * count / census.deals:.2f}",
                "#" * round(BAR * count / most),
            )
            for low, count in sorted(bins.items())
        ],
    )
    report.table(
        ["", "deal", "optimum", "cards"],
        [
            (name, number, census.best[number], deal(census.seed, number))
            for name, numbers in (("hardest", census.hardest(top)), ("richest", census.richest(top)))
            for number in numbers
        ],
    )
