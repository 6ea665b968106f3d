"""Small cases of Quiddler: the best plays of deals with few piles, and of hands, against trying everything."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from games.quiddler.small import expected
from gpusolve.errors import NoSolution
from gpusolve.games.quiddler import BestMelds, Census, Deal, Solution, Suggestion, TurnAdvice, Variant, rules
from gpusolve.games.quiddler.cards import COPIES, NAMES, readings
from gpusolve.games.quiddler.deals import HIDDEN, NONE, Deal as AnyDeal, decode, random_deals
from gpusolve.games.quiddler.kernels import NEVER
from gpusolve.games.quiddler.rounds import rules as rounds
from gpusolve.games.quiddler.variant import VALUES
from small.cases import Call, Check, Trial, call, differences, first_of

ROUND_BONUS = 10
"""Points for the longest word of a round, and for the most words."""


@dataclass(frozen=True)
class Game:
    """The kinds of cards, the words, and the rules of a small game."""

    kinds: list[str]
    words: list[str]
    values: dict[str, int]
    bonus: dict[int, int]
    min_cards: int

    @property
    def written(self) -> Call:
        """The call that makes the variant."""
        return call("Variant", self.values, self.bonus, self.min_cards)

    @property
    def variant(self) -> Variant:
        """The variant."""
        return Variant(self.values, self.bonus, self.min_cards)


def draw_game(chance: random.Random) -> Game:
    kinds = chance.sample(["a", "e", "i", "n", "r", "t", "h", "u", "q", "c", "l", "er", "in", "th", "qu", "cl"], 4)
    words = {
        "".join(chance.choices(kinds, k=chance.choice([1, 2, 2, 3, 3, 4, 5]))) for _ in range(chance.randint(3, 14))
    }
    words = {word for word in words if len(word) > 1} | {"".join(kinds)}
    values = dict(VALUES)
    if chance.random() < 0.3:
        values |= {card: chance.choice([0, 1, 30, 1000]) for card in kinds}
    lengths = chance.sample(range(1, 9), chance.randint(0, 4))
    bonus = {length: chance.choice([0, 1, 3, 8, 50]) for length in sorted(lengths)}
    return Game(kinds, sorted(words), values, bonus, chance.choice([1, 2]))


def written_deal(deal: Deal) -> Call:
    return call("Deal", deal.tops, deal.bottoms)


def draw_solve(chance: random.Random) -> Trial:
    game, piles = draw_game(chance), chance.choice([1, 2, 2, 3, 3, 4])
    deal = Deal(tuple(chance.choices(game.kinds, k=piles)), tuple(chance.choices(game.kinds, k=piles)))
    goal, most = chance.choice(["best", "best", "all", "any"]), chance.choice([None, None, 1, 2, 3])
    made = call(
        "solve",
        written_deal(deal),
        goal=goal,
        max_words=most,
        top=chance.choice([None, 1, 10]),
        dictionary=game.words,
        variant=game.written,
    )
    return Trial(made, partial(fault_of_solution, game, deal, goal, most))


def fault_of_solution(game: Game, deal: Deal, goal: str, most: int | None, found: Solution | NoSolution) -> str:
    best, best_all = rules.exhaustive(deal, game.words, variant=game.variant, max_words=most)
    if isinstance(found, NoSolution):
        return f"refused, but all cards can be used for {best_all}" if best_all is not None or goal == "best" else ""
    if goal != "best" and best_all is None:
        return "all cards are said to be used, which no play does"
    faults = [differences(plans=(found.n_plans, len(plans_of(game, deal, goal, most, best, best_all))))]
    for plan in found.plans:
        if most is not None and len(plan.words) > most:
            faults.append(f"a plan has {len(plan.words)} words")
        if goal != "best" and plan.left:
            faults.append("a plan leaves cards")
    if goal != "any":
        expected = best if goal == "best" else best_all
        scores = {plan.score for plan in found.plans}
        faults += [differences(score=(found.score, expected), scores=(scores, {expected}))]
    return first_of([*faults, "" if found.proven else "not proven"])


def plans_of(
    game: Game, deal: Deal, goal: str, most: int | None, best: int, best_all: int | None
) -> set[tuple[frozenset[int], ...]]:
    """Return all plans that reach the goal, each a sequence of sets of cards, by trying every move and word."""
    row, found = game.variant.bonus_row(), set[tuple[frozenset[int], ...]]()
    total = sum(game.values[card] for card in deal.cards.values())
    seen: set[tuple[rules.Places, tuple[tuple[frozenset[int], int], ...]]] = set()
    waiting: list[tuple[rules.Places, tuple[tuple[frozenset[int], int], ...]]] = [(rules.start(deal), ())]
    while waiting:
        places, played = waiting.pop()
        key = (tuple(sorted(places)), played)
        if key in seen:
            continue
        seen.add(key)
        left = sum(places, ())
        points = total - 2 * sum(game.values[deal.cards[number]] for number in left) + sum(row[n] for _, n in played)
        wanted = {"best": points == best, "all": not left and points == best_all, "any": not left}[goal]
        if wanted:
            found.add(tuple(cards for cards, _ in played))
        waiting += [(rules.move(places, step), played) for step in rules.moves(places)]
        if len(played) != most:
            for word, cards in rules.plays(deal, places, game.words, game.variant):
                waiting.append((rules.take(places, cards), (*played, (frozenset(cards), len(word)))))
    return found


def draw_hand(chance: random.Random) -> Trial:
    game, discard = draw_game(chance), chance.random() < 0.4
    cards = chance.choices(game.kinds, k=chance.randint(3, 7) + discard)
    beats = [None, None, 0, 1, 2, 3, 4, 6]
    made = call(
        "hand",
        cards,
        discard=discard,
        beat_longest=chance.choice(beats),
        beat_most=chance.choice(beats),
        dictionary=game.words,
        variant=game.written,
    )
    return Trial(made, partial(fault_of_hand, game, cards, made))


def fault_of_hand(game: Game, cards: list[str], made: Call, found: BestMelds) -> str:
    ways = []
    longest_of, most_of = made.options.get("beat_longest"), made.options.get("beat_most")
    for words, left in layings(game, Counter(cards)):
        if made.options["discard"] and not left:
            continue
        number, longest = len(words), max(map(len, words), default=0)
        score = sum(game.values[card] for card in cards) - 2 * sum(game.values[card] for card in left)
        score += max(game.values[card] for card in left) if made.options["discard"] else 0
        score += ROUND_BONUS * (longest_of is not None and longest > longest_of)
        score += ROUND_BONUS * (most_of is not None and number > most_of)
        ways.append((score, longest, number))
    longest, number = max(way[1] for way in ways), max(way[2] for way in ways)
    return differences(
        points=(found.points.score, max(way[0] for way in ways)),
        longest=((found.longest.longest, found.longest.score), (longest, max(w[0] for w in ways if w[1] == longest))),
        most=((len(found.most.words), found.most.score), (number, max(w[0] for w in ways if w[2] == number))),
        proven=(found.proven, True),
    )


def layings(game: Game, hand: Mapping[str, int]) -> Iterator[tuple[tuple[str, ...], list[str]]]:
    """Yield every way to lay down words of a hand, with the cards that are left. Words are in alphabetical order."""
    waiting: list[tuple[tuple[str, ...], Counter[str], int]] = [((), Counter(hand), 0)]
    spelled = [(word, Counter(reading)) for word in game.words for reading in readings(word)]
    spelled = [(word, cards) for word, cards in spelled if cards.total() >= game.min_cards]
    while waiting:
        words, left, first = waiting.pop()
        yield words, [*left.elements()]
        for i in range(first, len(spelled)):
            word, cards = spelled[i]
            if not cards - left:
                waiting.append(((*words, word), left - cards, i))


def draw_census(chance: random.Random) -> Trial:
    """Draw a census of deals, whose sixteen cards only a few short words fit, so that everything can be tried."""
    seed, count = chance.randrange(10_000), chance.randint(1, 3)
    deals = [decode(row) for row in random_deals(seed, range(count))]
    cards = [card for deal in deals for card in deal.tops]
    words = sorted({"".join(chance.sample(cards, chance.choice([2, 3, 8]))) for _ in range(chance.randint(1, 3))})
    values = {card: chance.choice([0, 2, 5, 90]) for card in NAMES}
    game = Game([], words, values, {chance.randint(2, 5): 7}, chance.choice([1, 2]))
    made = call("census", count=count, dictionary=words, variant=game.written, seed=seed)
    return Trial(made, partial(fault_of_census, game, deals))


def fault_of_census(game: Game, deals: list[AnyDeal], found: Census) -> str:
    expected = [rules.exhaustive(deal, game.words, variant=game.variant) for deal in deals]
    return differences(
        best=(found.best.tolist(), [best for best, _ in expected]),
        best_all=(found.best_all.tolist(), [NEVER if best is None else best for _, best in expected]),
        complete=(found.complete, True),
        proven=(found.proven, True),
    )


def draw_suggest(chance: random.Random) -> Trial:
    """Draw a table with at most two hidden cards, which are of few kinds."""
    game, piles, hidden = draw_game(chance), chance.randint(2, 3), chance.randint(0, 2)
    deck = [card for card in game.kinds for _ in range(COPIES[card])]
    chance.shuffle(deck)
    tops = [deck.pop() for _ in range(piles)]
    bottoms = [HIDDEN if place < hidden else deck.pop() if chance.random() < 0.6 else NONE for place in range(piles)]
    places = [NONE] * chance.randint(0, 2)
    deal = Deal((*tops, *places), (*bottoms, *places))
    rest = Counter(deck)
    gone = [*(Counter(COPIES) - rest - Counter(card for card in deal.cards.values() if card != HIDDEN)).elements()]
    made = call("suggest", written_deal(deal), gone=gone, dictionary=game.words, variant=game.written)
    return Trial(made, partial(fault_of_suggestion, game, deal, rest))


def fault_of_suggestion(game: Game, deal: Deal, rest: Counter[str], found: Suggestion) -> str:
    if not found.exact:
        return "not exact"
    return differences(
        expected=(round(found.plays[0].expected, 6), round(expected(deal, rest, game.words, game.variant), 6))
    )


def draw_turn(chance: random.Random) -> Trial:
    """Draw a last turn, in which the stock has cards of few kinds."""
    game, size = draw_game(chance), chance.randint(3, 5)
    deck = [card for card in game.kinds for _ in range(COPIES[card])]
    chance.shuffle(deck)
    if len(deck) < 2 * size + 2:
        return draw_turn(chance)
    hand, top, rest = deck[:size], deck[size], Counter(deck[size + 1 :])
    gone = [*(Counter(COPIES) - Counter(deck)).elements()]
    drawn = chance.random() < 0.5
    beat = {"beat_longest": chance.choice([None, 0, 3]), "beat_most": chance.choice([None, 0, 1])}
    made = call(
        "turn",
        hand,
        **{"drawn" if drawn else "top": f"({top})" if len(top) > 1 else top},
        gone=" ".join(f"({card})" for card in gone),
        last=True,
        **beat,
        dictionary=game.words,
        variant=game.written,
    )
    return Trial(made, partial(fault_of_turn, game, hand, top, rest, drawn, beat))


def fault_of_turn(
    game: Game,
    hand: list[str],
    top: str,
    rest: Counter[str],
    drawn: bool,
    beat: Mapping[str, int | None],
    found: TurnAdvice,
) -> str:
    def score(card: str) -> int:
        values = []
        for thrown in {*hand, card}:
            left = [*hand, card]
            left.remove(thrown)
            for laid in rounds.every_way(tuple(left), spelled):
                points = laid.points(game.variant)
                for name, measure in (("beat_longest", laid.longest), ("beat_most", len(laid.words))):
                    points += ROUND_BONUS * ((least := beat[name]) is not None and measure > least)
                values.append(points)
        return max(values)

    spelled = [reading for word in game.words for reading in readings(word) if len(reading) >= game.min_cards]
    expected: dict[str | None, float] = {None if drawn else top: score(top)}
    if not drawn:
        expected["stock"] = round(sum(count * score(card) for card, count in rest.items()) / rest.total(), 6)
    return first_of(
        [
            differences(scores=({choice.draw: round(choice.score, 6) for choice in found.choices}, expected)),
            differences(exact=(found.exact, True), best=(found.choices[0].score, max(c.score for c in found.choices))),
        ]
    )


CHECKS = [
    Check("quiddler solve", draw_solve),
    Check("quiddler suggest", draw_suggest),
    Check("quiddler hand", draw_hand),
    Check("quiddler census", draw_census),
    Check("quiddler turn", draw_turn),
]
