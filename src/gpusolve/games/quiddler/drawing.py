"""How results look: a deal, the steps of a plan, the words of a hand, the optima of a census."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gpusolve.games.quiddler import rules
from gpusolve.games.quiddler._census import Census
from gpusolve.games.quiddler._check import Verdict
from gpusolve.games.quiddler._hand import BestMelds, Melds
from gpusolve.games.quiddler._solve import Goal, Solution
from gpusolve.games.quiddler._suggest import NextPlay, Suggestion
from gpusolve.games.quiddler.deals import Deal
from gpusolve.games.quiddler.plans import Plan, Step, after
from gpusolve.games.quiddler.rules import Places
from gpusolve.games.quiddler.spellings import Spellings
from gpusolve.output import page, report
from gpusolve.output.parts import Bars, Line, Note, Part, Picture, Table, Title, Verbatim, counted

if TYPE_CHECKING:
    from markupsafe import Markup

TEMPLATE = Path(__file__).with_name("plan.html")
COLUMNS = ("word", "cards", "from places", "moved before", "turned up", "points", "bonus")
BIN = 10  # points that share a bar


def deal(deal: Deal) -> Iterator[Part]:
    """Yield the cards of a deal on one line, and the seed of a random one."""
    yield Picture(_board(deal), (Verbatim(str(deal)),))
    if deal.seed is not None:
        yield Note(f"seed {deal.seed}, deal {deal.number}")


def solution(solution: Solution) -> Iterator[Part]:
    """Yield the deal, the first plan step by step, its score, and the other plans."""
    first, *others = solution.plans
    kind = kind_of(solution.goal, solution.max_words)
    yield Title(f"{counted(solution.score, 'point')}, {kind}")
    yield from _warnings(solution)
    yield _played(first)
    seed = "" if solution.deal.seed is None else f"; seed {solution.deal.seed}"
    yield Line(f"{sum_of(first)}, {kind}{seed}")
    for step, lost in zip(first.steps, solution.lost, strict=False):
        yield Line(f"{step.word} lost {counted(lost, 'point')}" if lost else f"{step.word} lost nothing")
    several = solution.n_plans != 1
    if solution.goal == "any":
        reach = "use all cards" if several else "uses all cards"
    else:
        reach = "reach it" if several else "reaches it"
    yield Line(f"{counted(solution.n_plans, 'plan')} {reach}" + (", such as" if others else ""))
    for plan in others:
        yield Line(f"  {' '.join(plan.words)}" + (f": {plan.score}" if solution.goal == "any" else ""))


def verdict(verdict: Verdict) -> Iterator[Part]:
    """Yield the steps of a plan as far as they are legal, and their score."""
    yield Title(f"{counted(verdict.plan.score, 'point')}, {verdict.broken or 'legal'}")
    yield from _warnings(verdict)
    yield _played(verdict.plan)
    yield Line(f"{sum_of(verdict.plan)}, {'legal' if verdict.legal else 'so far'}")
    if verdict.fault:  # the terminal shows it as the error of the command
        yield Picture(lambda controls: page.part("line", verdict.fault))


def suggestion(suggestion: Suggestion) -> Iterator[Part]:
    """Yield the best next plays with their expected scores."""
    yield Title(f"The next word: {_named(suggestion.plays[0])}")
    yield Verbatim(str(suggestion.deal))
    rows = [
        (_named(play), spelled(play.cards), " ".join(map(str, play.positions)), f"{play.expected:.2f}")
        + (() if suggestion.exact else (f"{play.error:.2f}",))
        for play in suggestion.plays
    ]
    columns = ("word", "cards", "positions", "expected") + (() if suggestion.exact else ("error",))
    yield Table(columns, rows, "the best next plays")
    if suggestion.exact:
        yield Line("expected scores from here on, exact")
    else:
        yield Line(
            "expected scores from here on if the hidden cards are turned up after this play, so more than can be "
            f"reached: means of {suggestion.samples} samples, seed {suggestion.seed}, with their standard errors"
        )


def next_play(play: NextPlay) -> Iterator[Part]:
    """Yield a play with its expected score."""
    yield Line(f"{_named(play)}: {play.expected:.2f}")


def _named(play: NextPlay) -> str:
    """Return a play in words."""
    if play.moved is not None:
        return f"move {play.moved}"
    return play.words[0] if play.words else "end"


def plan(plan: Plan) -> Iterator[Part]:
    """Yield the steps of a plan and its score."""
    yield _played(plan)
    yield Line(sum_of(plan))


def step(step: Step) -> Iterator[Part]:
    """Yield a word with its points."""
    yield Line(f"{step.word}: {_worth(step)}")


def best_melds(best: BestMelds) -> Iterator[Part]:
    """Yield the words that are best in each way, one row each."""
    yield from _warnings(best)
    yield _hands({"most points": best.points, "longest word": best.longest, "most words": best.most})


def melds(melds: Melds) -> Iterator[Part]:
    """Yield the words of a hand as a row."""
    yield _hands({"": melds})


def census(census: Census, *, top: int = 5) -> Iterator[Part]:
    """Yield the mean, the distribution as bars, and the hardest and richest deals.

    Parameters
    ----------
    top : int, default 5
        Number of deals to show of each kind, the hardest and the richest: at most 1,000.
    """
    distribution = census.distribution
    yield Title(f"{counted(census.count, 'deal')} of seed {census.seed}")
    yield Line(
        f"{counted(census.count, 'deal')} of seed {census.seed}: mean optimum {census.mean:.2f}, "
        f"{census.lowest} to {census.highest}"
    )
    yield Line(
        f"some play uses all cards in {census.can_use_all:.2%} of the deals, "
        f"an optimal play does in {census.all_is_best:.2%}"
    )
    bins: dict[int, int] = {}
    for optimum, count in sorted(distribution.items()):
        bins[optimum // BIN * BIN] = bins.get(optimum // BIN * BIN, 0) + count
    rows = [(f"{low} to {low + BIN - 1}", count, f"{100 * count / census.count:.2f}") for low, count in bins.items()]
    yield Bars(("optimum", "deals", "%"), rows, "deals by optimum")
    extremes = {"hardest": census.hardest[:top], "richest": census.richest[:top]}
    yield Table(
        ("", "deal", "optimum", "cards"),
        [(name, each.number, each.best, each.deal) for name, deals in extremes.items() for each in deals],
        "the hardest and the richest deals",
    )
    if not census.complete:
        yield Note(f"stopped at the time limit after {counted(census.count, 'deal')}")


def census_progress(value: Callable[[str], Any], quiet: bool) -> report.Progress:
    """Return the progress bar of a census."""
    return report.Progress("deals solved", value("count"), quiet)


def spellings(spellings: Spellings) -> Iterator[Part]:
    """Yield the numbers of words and of collections of cards."""
    yield Line(repr(spellings))


def kind_of(goal: Goal, max_words: int | None) -> str:
    """Return what is known about the score of a plan.

    >>> kind_of("best", 1)
    'proven optimal with at most 1 word'
    """
    kind = {"best": "proven optimal", "all": "proven optimal with all cards used", "any": "all cards used"}[goal]
    return kind + (f" with at most {counted(max_words, 'word')}" if max_words else "")


def sum_of(plan: Plan) -> str:
    """Return the score as a sum: points used, points left, bonuses."""
    used, bonus = sum(step.points for step in plan.steps), sum(step.bonus for step in plan.steps)
    left = f" - {used + bonus - plan.score} left ({' '.join(plan.left)})"
    return f"{counted(plan.score, 'point')} = {used} used{left if plan.left else ''} + {bonus} bonus"


def spelled(cards: Iterable[str]) -> str:
    """Return cards as a word, with two-letter cards in brackets."""
    return "".join(card if len(card) == 1 else f"({card})" for card in cards)


def _warnings(result: Solution | Verdict | BestMelds) -> Iterator[Note]:
    for line in result.warnings:
        yield Note(f"warning: {line}")


def _hands(ways: dict[str, Melds]) -> Table:
    discard = any(melds.discard for melds in ways.values())
    rows = [
        (
            name,
            " ".join(melds.words),
            " ".join(map(spelled, melds.cards)),
            " ".join(melds.left),
            *[melds.discard or ""] * discard,
            melds.score,
        )
        for name, melds in ways.items()
    ]
    return Table(("", "words", "cards", "left", *["discard"] * discard, "points"), rows, "words of the hand")


def _played(plan: Plan) -> Picture:
    """Return the deal and the steps of a plan: a table in the terminal, a table of cards after each step on a page."""
    rows = [
        (
            step.word,
            spelled(step.cards),
            " ".join(map(str, step.places)),
            ", ".join(f"{moved.card} from {moved.from_place} to {moved.to_place}" for moved in step.moves),
            " ".join(step.turned_up),
            step.points,
            step.bonus,
        )
        for step in plan.steps
    ]
    width = [max(map(len, pile)) for pile in zip(plan.deal.tops, plan.deal.bottoms, strict=True)]
    piles = (
        " ".join(card.ljust(n) for card, n in zip(row, width, strict=True)).rstrip()
        for row in (plan.deal.tops, plan.deal.bottoms)
    )
    return Picture(
        lambda controls: page.fill(TEMPLATE, steps=_steps(plan), controls=controls),
        (*map(Line, piles), Line(), *[Table(COLUMNS, rows)] * bool(rows)),
        scripts=(page.PLAYER, page.STEPS),
        data=lambda: {"unit": "step"},
    )


def _board(deal: Deal) -> Callable[[bool], Markup]:
    places = rules.start(deal)
    return lambda controls: page.part("board", _table(deal, places), _read(deal, places), "quiddler")


def _steps(plan: Plan) -> list[dict[str, Any]]:
    """Return what the template shows: the deal, the table when each word is played, and the cards left."""
    deal, places, total = plan.deal, rules.start(plan.deal), 0
    steps = [_state("Deal", deal, places)]
    for number, step in enumerate(plan.steps, 1):
        opened = places
        for shift in step.shifts:
            opened = rules.move(opened, shift)
        total += step.points + step.bonus
        state = _state(
            f"{number}. {step.word}", deal, opened, used=step.numbers, moved={card for card, _, _ in step.shifts}
        )
        state |= {
            "word": [(card, "green") for card in step.cards],
            "spelled": f"{step.word}, spelled {' '.join(step.cards)}",
            "facts": [("points", _worth(step)), ("together", str(total)), *_changes(step)],
        }
        steps.append(state)
        places = after(places, step)
    facts = [("cards left", " ".join(plan.left) or "none"), ("score", str(plan.score))]
    return [*steps, _state("End", deal, places) | {"facts": facts}]


def _state(
    title: str, deal: Deal, places: Places, used: Collection[int] = (), moved: Collection[int] = ()
) -> dict[str, Any]:
    rows = _table(deal, places, used, moved)
    return {"title": title, "rows": rows, "label": _read(deal, places), "word": [], "spelled": "", "facts": []}


def _table(
    deal: Deal, places: Places, used: Collection[int] = (), moved: Collection[int] = ()
) -> list[list[tuple[str, str]]]:
    """Return the numbers of the places, their uncovered cards, and the cards below these."""
    tops = [
        (deal.cards[pile[-1]], ("green" if pile[-1] in used else "letter") + " entered" * (pile[-1] in moved))
        if pile
        else ("", "empty")
        for pile in places
    ]
    below = [(deal.cards[pile[0]], "grey") if len(pile) == 2 else ("", "empty") for pile in places]
    return [[(str(place), "edge") for place in range(1, len(places) + 1)], tops, below]


def _read(deal: Deal, places: Places) -> str:
    """Return the table as text for screen readers."""
    piles = [" on ".join(deal.cards[number] for number in reversed(pile)) or "empty" for pile in places]
    return "places: " + ", ".join(f"{place} {pile}" for place, pile in enumerate(piles, 1))


def _worth(step: Step) -> str:
    return f"{step.points}" + (f" + {step.bonus} bonus" if step.bonus else "")


def _changes(step: Step) -> list[tuple[str, str]]:
    """Return the cards that are moved first, and those that the word uncovers."""
    moved = ", ".join(f"{moved.card} from {moved.from_place} to {moved.to_place}" for moved in step.moves)
    return [(name, text) for name, text in (("moved before", moved), ("turned up", " ".join(step.turned_up))) if text]
