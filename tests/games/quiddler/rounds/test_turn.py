"""The card game: hands and rounds against plain Python, and the advice of ``turn``."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from gpusolve.backend import open_backend
from gpusolve.errors import BadInput
from gpusolve.games.quiddler.cards import DECK, NAMES, readings
from gpusolve.games.quiddler.rounds import cpu, rules
from gpusolve.games.quiddler.rounds._simulate import play_round, simulate
from gpusolve.games.quiddler.rounds._turn import turn
from gpusolve.games.quiddler.rounds.table import Table, kinds_of, unseen
from gpusolve.games.quiddler.variant import STANDARD, Variant

CPU = open_backend("cpu")
WORDS = ["at", "tea", "in", "tin", "quit", "er", "ere", "tier", "ti", "he", "the", "on", "no", "nine", "rein", "oath"]
SPELLED = [reading for word in WORDS for reading in readings(word) if len(reading) > 1]


def test_what_a_hand_lays_down_is_every_way() -> None:
    chance = random.Random(1)
    for variant in (STANDARD, Variant(min_cards=1)):
        spelled = [reading for word in WORDS for reading in readings(word) if len(reading) >= variant.min_cards]
        table = Table.of(WORDS, variant)
        for _ in range(40):
            cards = chance.choices(["a", "t", "e", "i", "n", "h", "o", "er", "in", "th", "qu"], k=chance.randint(2, 8))
            ways = table.ways(kinds_of(cards), len(cards))
            found = {
                (tuple(sorted(card for i, card in enumerate(cards) if used >> i & 1)), words, length)
                for used in range(1 << len(cards))
                for words in range(len(cards) + 1)
                for length in range(23)
                if int(ways[used, words]) >> length & 1
            }
            expected = {
                (tuple(sorted(sum(laid.words, ()))), len(laid.words), laid.longest)
                for laid in rules.every_way(tuple(cards), spelled)
            }
            assert found == expected


@dataclass
class Simple:
    """The simple player in plain Python, who tries every way to lay down words."""

    variant: Variant = STANDARD

    def most(self, hand: Sequence[str]) -> int:
        """Return the most points that a hand makes without a draw."""
        return max(laid.points(self.variant) for laid in rules.every_way(tuple(hand), SPELLED))

    def last(self, hand: Sequence[str], laid: Sequence[rules.Laid]) -> tuple[int, str, rules.Laid]:
        longest, most = max(each.longest for each in laid), max(len(each.words) for each in laid)
        best: tuple[int, str, rules.Laid] | None = None
        for card in sorted(set(hand)):
            rest = list(hand)
            rest.remove(card)
            for each in rules.every_way(tuple(rest), SPELLED):
                score = each.points(self.variant)
                score += 10 * (each.longest > longest) + 10 * (len(each.words) > most)
                if best is None or score > best[0]:
                    best = score, card, each
        assert best is not None
        return best

    def out(self, hand: Sequence[str]) -> list[tuple[int, int, int, str, rules.Laid]]:
        ways = []
        for card in sorted(set(hand)):
            rest = list(hand)
            rest.remove(card)
            for each in rules.every_way(tuple(rest), SPELLED):
                if not each.left:
                    ways.append((each.points(self.variant), each.longest, len(each.words), card, each))
        return ways

    def takes_top(self, hand: Sequence[str], top: str, laid: Sequence[rules.Laid]) -> bool:
        if laid:
            return self.last([*hand, top], laid)[0] > self.most(hand)
        return bool(self.out([*hand, top])) or max(
            self.most([*hand[:i], *hand[i + 1 :], top]) for i in range(len(hand))
        ) > self.most(hand)

    def lays_down(self, hand: Sequence[str], laid: Sequence[rules.Laid]) -> tuple[str, rules.Laid | None]:
        if laid:
            return self.last(hand, laid)[1:]
        if ways := self.out(hand):
            _, _, _, card, each = max(ways, key=lambda way: way[:3])
            return card, each
        worth = [(self.most([*hand[:i], *hand[i + 1 :]]), self.variant.values[card]) for i, card in enumerate(hand)]
        return hand[worth.index(max(worth))], None


@pytest.mark.thorough
@pytest.mark.parametrize("size", [3, 4, 5])
def test_rounds_of_simple_players_are_those_of_the_rules(size: int) -> None:
    """The words have distinct scores where it matters, so that all break ties alike; few hands can go out."""
    table, compared = Table.of(WORDS, STANDARD), 0
    few = [card for card in DECK if card in ("a", "t", "e", "i", "n", "h", "o", "er", "in", "th", "qu", "r")]
    for seed in range(25):
        players = 2 + seed % 2
        deck = random.Random(seed).sample(few, len(few))
        scores, _ = play_round(table, kinds_of(deck), size, players, None, 2, np.random.default_rng(1))
        hands = np.zeros((players, cpu.MOST_CARDS), np.uint8)
        hands[:, :size] = kinds_of(deck[: players * size]).reshape(players, size)
        again, simply = np.zeros(players, np.int64), np.array([-1, -1, 0, 0, 0, 0])
        stock, gone = kinds_of(deck[players * size + 1 :]), kinds_of([deck[players * size]])
        given = (stock, gone, table.words, table.letters, table.values, again)
        cpu.play_on(hands, size, False, simply, *given)
        assert again.tolist() == scores
        expected = rules.play_round(deck, size, [Simple()] * players, STANDARD)
        compared += scores == expected
    assert compared >= 20  # where several cards or words are equally good, the players may differ


@pytest.mark.parametrize("seed", range(6))
def test_the_last_turn_is_exact(seed: int) -> None:
    chance = random.Random(seed)
    cards = chance.sample([card for card in DECK if card in "atein" or card in ("th", "er", "qu")], 5)
    hand, top, longest, most = cards[:4], cards[4], chance.choice([2, 3, 4]), chance.choice([1, 2])
    others = [rules.Laid((("a",) * longest,) + (("t",),) * (most - 1), ())]
    found = turn(hand, top=top, last=True, beat_longest=longest, beat_most=most, dictionary=WORDS, backend=CPU)
    assert found.exact
    hidden = Counter(unseen([*hand, top]))
    simple = Simple()
    stock = sum(copies * simple.last([*hand, card], others)[0] for card, copies in hidden.items())
    expected = {top: simple.last([*hand, top], others)[0], "stock": stock / sum(hidden.values())}
    assert {choice.draw: choice.score for choice in found.choices} == pytest.approx(expected)
    assert found.choices[0].score == max(choice.score for choice in found.choices)


def test_going_out_is_compared_with_playing_on() -> None:
    found = turn("qu i t", drawn="e", dictionary=WORDS, seed=1, samples=20, backend=CPU)
    assert {(tuple(choice.words), choice.discard) for choice in found.choices} == {
        (("quit",), "e"), ((), "e"), ((), "t"), ((), "i"), ((), "qu"),
    }  # fmt: skip
    assert found.choices == sorted(found.choices, key=lambda choice: -(choice.ahead or 0))
    out = next(choice for choice in found.choices if choice.words)
    assert out.score >= 14  # and a bonus where the other player has no such word
    again = turn("qu i t", drawn="e", dictionary=WORDS, seed=1, samples=20, backend=CPU)
    assert again == found


def test_a_card_is_not_taken_only_to_be_discarded() -> None:
    found = turn("qu i t", top="z", dictionary=WORDS, seed=1, samples=2, backend=CPU)
    assert [choice.words for choice in found.choices if choice.draw == choice.discard == "z"] == [["quit"]]


def test_the_player_of_turn_is_ahead_of_simple_players() -> None:
    found = simulate(cards=4, count=60, samples=10, seed=1)
    assert (found.rounds[0].count, found.complete) == (120, True)
    assert found.error is not None
    assert found.ahead > 2 * found.error > 0
    again = simulate(cards=4, count=60, samples=10, seed=1)
    assert again.rounds == found.rounds


def test_a_cut_simulation_says_so() -> None:
    found = simulate(count=3, samples=2, seed=1, time_limit=0.0)
    assert not found.complete
    assert [(size.cards, size.count) for size in found.rounds] == [(3, 2)]


BAD: list[tuple[dict[str, Any], str]] = [
    ({"cards": "a b", "top": "e"}, "the hand has 2 cards: expected 3 to 10"),
    ({"cards": "a " * 11, "top": "e"}, "the hand has 11 cards"),
    ({"cards": "a t e"}, "top: expected the top card"),
    ({"cards": "a t e", "top": "e", "drawn": "i"}, "top: expected the top card"),
    ({"cards": "a t e", "top": "e i"}, "top: 2 cards: expected one"),
    ({"cards": "a t e", "drawn": "%"}, "card 1, '%'"),
    ({"cards": "q q u", "top": "q"}, "3 copies of card 'q' are seen"),
    ({"cards": "a t e", "top": "e", "players": 9}, "players 9: expected a whole number, 2 to 8"),
    ({"cards": "a t e", "top": "e", "samples": 1}, "samples 1"),
    ({"cards": "a t e", "top": "e", "beat_most": 1}, "beat_most: expected with last"),
    ({"cards": "a t e", "top": "e", "last": True, "beat_most": -1}, "beat_most -1"),
    ({"cards": "a t e", "top": "e", "gone": " ".join(DECK[:115])}, "copies of card"),
]


@pytest.mark.parametrize(("given", "message"), BAD)
def test_what_is_no_turn_is_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        turn(**given, dictionary=WORDS, backend=CPU)


def test_too_few_unseen_cards_are_refused() -> None:
    left = Counter(DECK) - Counter(["a", "t", "e", "i"]) - Counter(["o", "o", "o"])
    with pytest.raises(BadInput, match="3 cards are not seen: expected more"):
        turn("a t e", top="i", gone=" ".join(f"({card})" for card in left.elements()), dictionary=WORDS, backend=CPU)


def test_every_card_has_its_own_number() -> None:
    assert len(set(cpu.KEYS.tolist())) == len(NAMES) == cpu.KINDS
