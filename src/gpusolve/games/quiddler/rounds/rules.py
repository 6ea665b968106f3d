"""The card game in plain Python: what can be laid down, how a round is scored, and a round of given players.

The oracle of the tests. The rules are those of http://www.toycrossing.com/quiddler/basic-rules.shtml.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol

from gpusolve.games.quiddler.variant import Variant

ROUND_BONUS = 10
"""Points for the longest word of a round, and for the most words."""


class Laid(NamedTuple):
    """Words that are laid down, each as its cards; and the cards left, without the one that is discarded."""

    words: tuple[tuple[str, ...], ...]
    left: tuple[str, ...]

    @property
    def longest(self) -> int:
        """Number of letters of the longest word."""
        return max((len("".join(word)) for word in self.words), default=0)

    def points(self, variant: Variant) -> int:
        """Return the values of the cards in words, less those of the cards left."""
        return sum(variant.values[card] for word in self.words for card in word) - sum(
            variant.values[card] for card in self.left
        )


class Player(Protocol):
    """A player of a round. `laid` are what other players have laid down; after a first one, it is the last turn."""

    def takes_top(self, hand: Sequence[str], top: str, laid: Sequence[Laid]) -> bool:
        """Return whether to take the top card of the discard pile, not one of the stock."""

    def lays_down(self, hand: Sequence[str], laid: Sequence[Laid]) -> tuple[str, Laid | None]:
        """Return the card to discard after a draw, and what to lay down; None to play on."""


def every_way(left: tuple[str, ...], words: Sequence[tuple[str, ...]]) -> Iterator[Laid]:
    """Yield every way to lay down words of these cards, each as its cards, none of them at first."""
    yield Laid((), left)
    for number, word in enumerate(words):
        rest = Counter(left)
        rest.subtract(word)
        if min(rest.values()) >= 0:
            for more in every_way(tuple(rest.elements()), words[number:]):
                yield Laid((word, *more.words), more.left)


def round_scores(laid: Sequence[Laid], variant: Variant) -> list[int]:
    """Return the score of each player: the points, and a bonus for who has the longest word or most words alone."""
    scores = [each.points(variant) for each in laid]
    for measure in ([each.longest for each in laid], [len(each.words) for each in laid]):
        if max(measure) > 0 and measure.count(max(measure)) == 1:
            scores[measure.index(max(measure))] += ROUND_BONUS
    return scores


def play_round(deck: Sequence[str], size: int, players: Sequence[Player], variant: Variant) -> list[int]:
    """Play a round with a deck, hands first, then the first card of the discard pile, then the stock.

    Raises ValueError if a player breaks a rule.
    """
    count = len(players)
    hands = [list(deck[p * size : (p + 1) * size]) for p in range(count)]
    pile, stock = [deck[count * size]], list(deck[count * size + 1 :])
    laid: dict[int, Laid] = {}
    turn = 0
    while turn % count not in laid:
        number = turn % count
        player, hand, others = players[number], hands[number], list(laid.values())
        if player.takes_top(hand, pile[-1], others):
            hand.append(pile.pop())
        else:
            if not stock:
                stock, pile = pile[:-1], pile[-1:]
            hand.append(stock.pop(0))
        thrown, words = player.lays_down(hand, others)
        hand.remove(thrown)
        pile.append(thrown)
        if others and words is None:
            raise ValueError(f"player {number} has a last turn")
        if words is not None:
            if not others and words.left:
                raise ValueError(f"player {number} goes out with {words.left} left")
            if Counter(sum(words.words, words.left)) != Counter(hand):
                raise ValueError(f"player {number} lays down other cards than {hand}")
            laid[number] = words
        turn += 1
    return round_scores([laid[number] for number in range(count)], variant)
