"""The check of a plan that somebody else has made."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from itertools import combinations, product

from gpusolve.errors import BadInput
from gpusolve.games.quiddler import rules
from gpusolve.games.quiddler.kernels import Spellings
from gpusolve.games.quiddler.plans import Plan, Step, after, finish, in_order, play_word
from gpusolve.games.quiddler.rules import STANDARD, Deal, Places, Rules
from gpusolve.games.quiddler.solver import dictionary


@dataclass(frozen=True)
class Verdict:
    """A plan that was checked: its legal steps, and what stopped it (None: nothing did)."""

    plan: Plan
    broken: str | None


def check_plan(deal: Deal, plan: str, spellings: Spellings | None = None, scoring: Rules = STANDARD) -> Verdict:
    """Plays the words of `plan`, parted by spaces or commas, and scores them, as far as the rules let it.

    A word may say which cards spell it: ``(qu)it`` or ``q-u-i-t``. Where several sets of cards can, all of them are
    followed, and the best score counts. Top cards are moved as the words need it.

    >>> from gpusolve.games.quiddler.rules import parse_deal
    >>> verdict = check_plan(parse_deal("nwu(th)ryyi / acjounbi"), "nu ja bi pond")
    >>> verdict.plan.words, verdict.broken
    (['nu', 'ja', 'bi'], "word 4, 'pond': no card p is left")
    """
    spellings = spellings or dictionary(min_cards=scoring.min_cards)
    entries = [entry for entry in re.split(r"[\s,;]+", plan.strip().lower()) if entry]
    if not entries:
        raise BadInput("the plan is empty: expected words, parted by spaces or commas")
    reachable: dict[Places, list[Step]] = {rules.start(deal): []}
    broken = None
    for number, entry in enumerate(entries, 1):
        following: dict[Places, list[Step]] = {}
        reasons: list[str] = []
        for places, steps in reachable.items():
            found = _ways_to_play(deal, places, entry, spellings, scoring)
            if isinstance(found, str):
                reasons.append(found)
                continue
            for step in found:
                following.setdefault(after(places, step), [*steps, step])
        if not following:
            broken = f"word {number}, '{entry}': {reasons[0]}"
            break
        reachable = following
    plans = [finish(deal, places, steps, scoring) for places, steps in reachable.items()]
    return Verdict(max(plans, key=lambda plan: plan.score), broken)


def _ways_to_play(deal: Deal, places: Places, entry: str, spellings: Spellings, scoring: Rules) -> list[Step] | str:
    """Every way to play the word on this table, or the reason why there is none."""
    if re.search(r"[(-]", entry):
        readings = [tuple(rules.parse_cards(entry.replace("-", " ")))]
    else:
        readings = rules.readings(entry)
    word = "".join(readings[0])
    if word not in spellings.dictionary:
        return "not in the dictionary"
    readings = [reading for reading in readings if len(reading) >= scoring.min_cards]
    if not readings:
        return f"a word uses at least {scoring.min_cards} cards"
    lying: dict[str, list[int]] = {}
    for number in sorted(sum(places, ())):
        lying.setdefault(deal.cards[number], []).append(number)
    steps: list[Step] = []
    covered, missing = "", ""
    for reading in readings:
        need = Counter(reading)
        short = [card for card, count in need.items() if len(lying.get(card, [])) < count]
        if short:
            some = short[0] in lying
            missing = missing or f"{'too few cards' if some else 'no card'} {short[0]} {'are' if some else 'is'} left"
            continue
        for chosen in product(*(combinations(lying[card], count) for card, count in need.items())):
            cards = sum(chosen, ())
            if rules.open_for(places, cards) is None:
                empty = sum(not place for place in places)
                under = [deal.cards[n] for n in cards if n not in rules.uncovered(places)]
                covered = (
                    f"{', '.join(under)} covered, and {empty or 'no'} empty place{'s' * (empty > 1)} to uncover "
                    f"{'them' if len(under) > 1 else 'it'}"
                )
                continue
            steps.append(play_word(deal, places, [word], in_order(deal, word, cards), scoring))
    return steps or covered or missing
