"""Deals and plans as cards on a table, and a page that plays a plan word by word."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gpusolve.games.quiddler import rules
from gpusolve.games.quiddler._census import Census
from gpusolve.games.quiddler._check import Verdict
from gpusolve.games.quiddler._hand import BestMelds, Melds
from gpusolve.games.quiddler._solve import Solution
from gpusolve.games.quiddler.deals import Deal
from gpusolve.games.quiddler.drawing import spelled, sum_of
from gpusolve.games.quiddler.plans import Plan, Step, after
from gpusolve.games.quiddler.rules import Places
from gpusolve.games.quiddler.spellings import Spellings
from gpusolve.output import page

if TYPE_CHECKING:
    from markupsafe import Markup

TEMPLATE = Path(__file__).with_name("plan.html")
BIN = 10  # points that share a bar


def picture(result: object) -> Markup:
    """Draw a result for a notebook."""
    match result:
        case Solution():
            about = [("best score", f"{result.score}"), ("plans", f"{result.n_plans:,}")]
            return page.part("facts", about) + picture(result.plans[0])
        case Verdict():
            legal = "yes" if result.broken is None else f"no: {result.broken}"
            return page.part("facts", [("legal", legal)]) + picture(result.plan)
        case Plan():
            steps = page.fill(TEMPLATE, steps=_steps(result), controls=False)
            return steps + page.part("facts", [("score", sum_of(result))])
        case Deal():
            return page.part(
                "board", _table(result, rules.start(result)), _read(result, rules.start(result)), "quiddler"
            )
        case Step():
            return page.part("facts", [("word", result.word), *_worth(result)])
        case BestMelds():
            ways = {"most points": result.points, "longest word": result.longest, "most words": result.most}
            return _hands("the best words of the hand", ways)
        case Melds():
            return _hands("words of the hand", {"": result})
        case Census():
            return _census(result)
        case Spellings():
            return page.part("facts", [("words", f"{len(result.words):,}"), ("collections", f"{len(result.kinds):,}")])
        case _:
            return page.described(result)


def save_plan(path: Path, plan: Plan, *, about: str, others: Sequence[Plan] = ()) -> None:
    """Write a page that plays a plan word by word. Raises BadInput if it cannot be written.

    Parameters
    ----------
    path : Path
        The page to write.
    plan : Plan
        The plan.
    about : str
        What is known about its score, such as "proven optimal".
    others : sequence of Plan
        Other plans to list.
    """
    values = {
        "steps": _steps(plan),
        "controls": True,
        "about": [("score", sum_of(plan)), ("words", " ".join(plan.words) or "none"), ("result", about)],
        "others": [(" ".join(other.words), str(other.score)) for other in others],
    }
    title = f"{plan.score} point{'s' * (plan.score != 1)}, {about}"
    scripts = (page.PLAYER, page.STEPS)
    page.save(path, "Quiddler", title, page.fill(TEMPLATE, **values), scripts=scripts, data={"unit": "step"})


def _steps(plan: Plan) -> list[dict[str, Any]]:
    """Return what the template shows: the deal, the table when each word is played, and the cards left."""
    deal, places, total = plan.deal, rules.start(plan.deal), 0
    steps = [_state("Deal", deal, places)]
    for number, step in enumerate(plan.steps, 1):
        opened = places
        for moved in step.moves:
            opened = rules.move(opened, moved)
        total += step.points + step.bonus
        title = f"{number}. {step.word}"
        state = _state(title, deal, opened, used=set(step.cards), moved={card for card, _, _ in step.moves})
        cards = [deal.cards[number] for number in step.cards]
        state |= {
            "word": [(card, "green") for card in cards],
            "spelled": f"{step.word}, spelled {' '.join(cards)}",
            "facts": [*_worth(step), ("together", str(total)), *_changes(deal, step)],
        }
        steps.append(state)
        places = after(places, step)
    left = " ".join(deal.cards[number] for number in plan.left)
    end = _state("End", deal, places) | {"facts": [("cards left", left or "none"), ("score", str(plan.score))]}
    return [*steps, end]


def _state(
    title: str, deal: Deal, places: Places, used: Collection[int] = (), moved: Collection[int] = ()
) -> dict[str, Any]:
    return {
        "title": title,
        "rows": _table(deal, places, used, moved),
        "label": _read(deal, places),
        "word": [],
        "spelled": "",
        "facts": [],
    }


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


def _worth(step: Step) -> list[tuple[str, str]]:
    return [("points", f"{step.points}" + (f" + {step.bonus} bonus" if step.bonus else ""))]


def _changes(deal: Deal, step: Step) -> list[tuple[str, str]]:
    """Return the cards that are moved first, and those that the word uncovers."""
    moved = ", ".join(f"{deal.cards[card]} from {source + 1} to {target + 1}" for card, source, target in step.moves)
    turned_up = " ".join(deal.cards[number] for number in step.turned_up)
    return [(name, text) for name, text in (("moved before", moved), ("turned up", turned_up)) if text]


def _hands(title: str, ways: dict[str, Melds]) -> Markup:
    rows = [
        (name, " ".join(map(spelled, melds.cards)), " ".join(melds.left), melds.discard or "", str(melds.score))
        for name, melds in ways.items()
    ]
    return page.part("table", title, ["", "words", "left", "discard", "points"], rows)


def _census(census: Census) -> Markup:
    bins: dict[int, int] = {}
    for optimum, count in census.distribution.items():
        bins[optimum // BIN * BIN] = bins.get(optimum // BIN * BIN, 0) + count
    lows = sorted(bins)
    about = [
        ("deals", f"{census.deals:,}, seed {census.seed}"),
        ("mean optimum", f"{census.mean:.2f}"),
        ("all cards can be used", f"{census.can_use_all:.2%}"),
    ]
    names = [f"{low} to {low + BIN - 1}" for low in lows]
    return page.part("facts", about) + page.part("bars", "deals by optimum", names, [bins[low] for low in lows])
