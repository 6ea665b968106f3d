"""A plan of the user's own, checked and scored."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, product

from gpusolve.checks import check_type, digits, lower
from gpusolve.errors import BadInput
from gpusolve.games.quiddler import rules
from gpusolve.games.quiddler.cards import overdrawn, parse_cards, readings, refuse_overdrawn
from gpusolve.games.quiddler.deals import Deal
from gpusolve.games.quiddler.plans import Plan, Step, after, finish, in_order, play_word
from gpusolve.games.quiddler.rules import Places
from gpusolve.games.quiddler.spellings import Spellings, spell
from gpusolve.games.quiddler.variant import MOST_LETTERS, Variant, check_variant
from gpusolve.result import Result, reported
from gpusolve.wordlists import Words

Names = tuple[tuple[str, ...], ...]
Game = tuple[Places, list[Step]]
"""A table, and the steps that led to it."""


@dataclass(frozen=True, repr=False)
class Verdict(Result, schema="quiddler.check/3"):
    """The result of checking a plan.

    Attributes
    ----------
    plan : Plan
        The legal steps.
    broken : str or None
        What makes the next step illegal; None if every step is legal.
    """

    plan: Plan
    broken: str | None

    @reported
    def deal(self) -> Deal:
        """The deal."""
        return self.plan.deal

    @reported
    def legal(self) -> bool:
        """Whether every step is legal."""
        return self.broken is None

    @reported
    def warnings(self) -> list[str]:
        """A sentence for each card of which there are more copies than the deck has."""
        return overdrawn(self.deal.cards.values())

    @property
    def fault(self) -> str:
        """The rule that the plan breaks."""
        return f"not legal: {self.broken}" if self.broken else ""


def check(
    plan: str,
    deal: Deal | str | Sequence[str],
    *,
    dictionary: Words = "scowl-70",
    variant: Variant | None = None,
    strict: bool = False,
) -> Verdict:
    """Score a plan of your own, or report the rule that it breaks.

    Its words are played as far as the rules allow. Top cards are moved to empty places as the words need it. If several
    sets of cards spell a word, all of them are tried, and the best score counts.

    Parameters
    ----------
    plan : str
        The words in order, separated by spaces or commas. A word can name its cards: ``(qu)it`` or ``q-u-i-t``. It can
        also say which cards it takes, by their positions in the deal: ``nu:1-3`` takes the first and the third.
    deal : Deal, str or sequence of str
        The eight top cards, then the eight cards below them, such as ``n w u th r y y i / a c j o u n b i`` or
        ``nwu(th)ryyi acjounbi``. A point stands for a card that is gone.
    dictionary : str, path, iterable of str or Spellings
        Valid words: the name of a list, or a file with one word per line.
    variant : Variant, optional
        The points, the bonuses and the fewest cards of a word. By default the standard game.
    strict : bool, default False
        Treat more copies of a card than the deck has as an error, not as a warning.

    Returns
    -------
    Verdict

    Raises
    ------
    BadInput
        For an empty plan, for cards that do not exist and, if `strict`, for a deal that no deck can give. An illegal
        plan is no error here.

    Examples
    --------
    ``gpusolve quiddler check 'nu ja bi icy unworthy' 'n w u th r y y i / a c j o u n b i'``

    >>> verdict = check("nu ja bi pond", "nwu(th)ryyi / acjounbi")
    >>> verdict.plan.words, verdict.broken
    (['nu', 'ja', 'bi'], "word 4, 'pond': no card p is left")
    """
    check_type("plan", plan, str)
    deal = Deal.parse(deal)
    deal.refuse_hidden()
    variant = check_variant(variant)
    if strict:
        refuse_overdrawn(deal.cards.values())
    entries = entries_of(plan)
    if not entries:
        raise BadInput("the plan is empty: expected words, separated by spaces or commas")
    games, broken = play(entries, deal, spellings=spell(dictionary, variant.min_cards), variant=variant)
    plans = [finish(deal, places, steps, variant) for places, steps in games]
    return Verdict(max(plans, key=lambda plan: plan.score), broken)


def entries_of(plan: str) -> list[str]:
    """Return the words of a plan as they are typed.

    >>> entries_of("Nu, (qu)it:2-4-5")
    ['nu', '(qu)it:2-4-5']
    """
    return [entry for entry in re.split(r"[\s,;]+", lower(plan)) if entry]


def play(
    entries: Sequence[str], deal: Deal, *, spellings: Spellings, variant: Variant
) -> tuple[list[Game], str | None]:
    """Play words as far as they are legal, with each set of cards that spells them.

    Returns a game for each table on which other cards lie than on the rest, and what makes the next word illegal, or
    None.
    """
    reachable: list[Game] = [(rules.start(deal), [])]
    for number, entry in enumerate(entries, 1):
        following: dict[Names, Game] = {}
        reasons: list[str] = []
        for places, steps in reachable:
            ways = _ways_to_play(deal, places, entry, spellings=spellings, variant=variant)
            if isinstance(ways, str):
                reasons.append(ways)
                continue
            for step in ways:
                table = after(places, step)  # there can be millions of equivalent tables, and the first is enough
                following.setdefault(_names(deal, table), (table, [*steps, step]))
        if not following:
            return reachable, f"word {number}, '{entry}': {reasons[0]}"
        reachable = list(following.values())
    return reachable, None


def _names(deal: Deal, places: Places) -> Names:
    """Return the names of the cards in each pile, in any order of the piles: equal tables are worth the same."""
    return tuple(sorted(tuple(deal.cards[number] for number in pile) for pile in places))


def _ways_to_play(
    deal: Deal, places: Places, entry: str, *, spellings: Spellings, variant: Variant
) -> list[Step] | str:
    """Return every way to play the word on this table, or the reason why there is none."""
    text, colon, positions = entry.partition(":")
    given = _cards_at(deal, places, positions) if colon else None
    if isinstance(given, str):
        return given
    named = tuple(parse_cards(text.replace("-", " "))) if re.search(r"[(-]", text) else None
    word = text if named is None else "".join(named)
    if given is not None:
        cards = tuple(deal.cards[number] for number in given)
        if named not in (None, cards) or word != "".join(cards):
            return f"the cards at {positions} are {' '.join(cards)}"
        named = cards
    if word not in spellings:
        return "not in the dictionary"
    if len(word) > MOST_LETTERS:  # it could have too many readings to try them all
        return f"more than {MOST_LETTERS} letters"
    ways = readings(word) if named is None else [named]
    ways = [way for way in ways if len(way) >= variant.min_cards]
    if not ways:
        return f"a word needs at least {variant.min_cards} cards"
    lying: dict[str, list[int]] = {}
    for number in sorted(sum(places, ()) if given is None else given):
        lying.setdefault(deal.cards[number], []).append(number)
    steps: list[Step] = []
    covered, missing = "", ""
    for way in ways:
        need = Counter(way)
        short = [card for card, count in need.items() if len(lying.get(card, [])) < count]
        if short:
            missing = missing or (
                f"too few cards {short[0]} are left" if short[0] in lying else f"no card {short[0]} is left"
            )
            continue
        for chosen in product(*(combinations(lying[card], count) for card, count in need.items())):
            numbers = sum(chosen, ())
            if rules.open_for(places, numbers) is None:
                covered = _too_few_places(deal, places, numbers)
                continue
            steps.append(play_word(deal, places, [word], in_order(deal, word, numbers), variant=variant))
    return steps or covered or missing


def _cards_at(deal: Deal, places: Places, positions: str) -> list[int] | str:
    """Return the numbers of the cards at these positions of the deal, or the reason why they cannot be played."""
    found = [digits(each, 2 * deal.piles) for each in positions.split("-")]
    if not all(found):
        return f"expected the positions of its cards after the colon, 1 to {2 * deal.piles}, such as :1-3"
    numbers = [deal.number_at(each) for each in found if each]
    for each, number in zip(found, numbers, strict=True):
        if number not in sum(places, ()):
            return f"card {each} of the deal is gone"
        if numbers.count(number) > 1:
            return f"it takes card {each} of the deal twice"
    return numbers


def _too_few_places(deal: Deal, places: Places, cards: Sequence[int]) -> str:
    """Return the reason why these cards cannot be uncovered."""
    empty = sum(not place for place in places)
    under = [deal.cards[number] for number in cards if number not in rules.uncovered(places)]
    are, them = ("are", "them") if len(under) > 1 else ("is", "it")
    room = f"is only {empty} empty place" if empty else "is no empty place"
    if empty > 1:
        room = f"are only {empty} empty places"
    return f"{', '.join(under)} {are} covered, and there {room} to uncover {them}"
