"""The check of a plan that somebody else has made."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from itertools import combinations, product

from gpusolve.checks import check_type, lower
from gpusolve.errors import BadInput
from gpusolve.games.quiddler import rules
from gpusolve.games.quiddler.cards import parse_cards, readings, refuse_overdrawn
from gpusolve.games.quiddler.deals import Deal
from gpusolve.games.quiddler.plans import Plan, Step, after, finish, in_order, play_word
from gpusolve.games.quiddler.rules import Places
from gpusolve.games.quiddler.spellings import Spellings, spell
from gpusolve.games.quiddler.variant import MOST_LETTERS, STANDARD, Rules
from gpusolve.wordlists import Words

Names = tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Verdict:
    """A plan that was checked: its legal steps, and what stopped it (None: nothing did)."""

    plan: Plan
    broken: str | None


def check(
    plan: str, deal: Deal, dictionary: Words = "scowl-70", scoring: Rules = STANDARD, strict: bool = False
) -> Verdict:
    """Plays the words of `plan`, separated by spaces or commas, and scores them, as far as the rules let it.

    A word may say which cards spell it: ``(qu)it`` or ``q-u-i-t``. Where several sets of cards can, all of them are
    followed, and the best score counts. Top cards are moved as the words need it.
    Raises BadInput for an empty plan and, if `strict`, for a deal that no deck can give.

    >>> from gpusolve.games.quiddler import parse_deal
    >>> verdict = check("nu ja bi pond", parse_deal("nwu(th)ryyi / acjounbi"))
    >>> verdict.plan.words, verdict.broken
    (['nu', 'ja', 'bi'], "word 4, 'pond': no card p is left")
    """
    check_type("plan", plan, str)
    check_type("deal", deal, Deal)
    check_type("scoring", scoring, Rules)
    if strict:
        refuse_overdrawn(deal.cards.values())
    entries = [entry for entry in re.split(r"[\s,;]+", lower(plan)) if entry]
    if not entries:
        raise BadInput("the plan is empty: expected words, separated by spaces or commas")
    spellings = spell(dictionary, scoring.min_cards)
    reachable: list[tuple[Places, list[Step]]] = [(rules.start(deal), [])]
    broken = None
    for number, entry in enumerate(entries, 1):
        following: dict[Names, tuple[Places, list[Step]]] = {}
        reasons: list[str] = []
        for places, steps in reachable:
            found = _ways_to_play(deal, places, entry, spellings, scoring)
            if isinstance(found, str):
                reasons.append(found)
                continue
            for step in found:
                table = after(places, step)  # of tables that are alike, and there may be millions, the first will do
                following.setdefault(_names(deal, table), (table, [*steps, step]))
        if not following:
            broken = f"word {number}, '{entry}': {reasons[0]}"
            break
        reachable = list(following.values())
    plans = [finish(deal, places, steps, scoring) for places, steps in reachable]
    return Verdict(max(plans, key=lambda plan: plan.score), broken)


def _names(deal: Deal, places: Places) -> Names:
    """The piles by their cards' names, in any order: tables that are alike in that are worth the same."""
    return tuple(sorted(tuple(deal.cards[number] for number in pile) for pile in places))


def _ways_to_play(deal: Deal, places: Places, entry: str, spellings: Spellings, scoring: Rules) -> list[Step] | str:
    """Every way to play the word on this table, or the reason why there is none."""
    told = tuple(parse_cards(entry.replace("-", " "))) if re.search(r"[(-]", entry) else None
    word = entry if told is None else "".join(told)
    if word not in spellings:
        return "not in the dictionary"
    if len(word) > MOST_LETTERS:  # of which there may be more readings than one can look at
        return f"more than {MOST_LETTERS} letters"
    ways = readings(word) if told is None else [told]
    ways = [way for way in ways if len(way) >= scoring.min_cards]
    if not ways:
        return f"a word uses at least {scoring.min_cards} cards"
    lying: dict[str, list[int]] = {}
    for number in sorted(sum(places, ())):
        lying.setdefault(deal.cards[number], []).append(number)
    steps: list[Step] = []
    covered, missing = "", ""
    for way in ways:
        need = Counter(way)
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
