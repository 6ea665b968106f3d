"""The command ``turn``: what to draw, what to discard and when to go out in the card game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Backend, open_backend
from gpusolve.checks import check_integer, check_type, joined
from gpusolve.errors import BadInput, WrongSolution
from gpusolve.games.quiddler._hand import LARGEST, MOST_TO_BEAT, SMALLEST, in_order, layings_of, sets_of
from gpusolve.games.quiddler.cards import parse_cards
from gpusolve.games.quiddler.rounds.cpu import MOST_CARDS, last as lay_down_last, playouts
from gpusolve.games.quiddler.rounds.table import Table, kinds_of, unseen
from gpusolve.games.quiddler.spellings import Spellings, spell_hand
from gpusolve.games.quiddler.variant import Variant, check_variant
from gpusolve.result import Result
from gpusolve.runs.seeds import check_seed, random_seed
from gpusolve.wordlists import Words

SAMPLES, MOST_SAMPLES = 100, 100_000
FEWEST_PLAYERS, MOST_PLAYERS = 2, 8
Action = tuple[int, int, int, int, int, int]
"""What `cpu.play_on` takes: draw, discard, whether to go out, score, letters and words."""


@dataclass(frozen=True, repr=False)
class Choice(Result):
    """What a player can do in a turn.

    Attributes
    ----------
    draw : str or None
        ``"stock"``, or the card that is taken from the discard pile; None if a card was drawn before.
    words : list of str
        The words that are laid down to go out or in the last turn; empty if play goes on or if it depends on the card
        that is drawn.
    discard : str or None
        The card to discard; None if it depends on the card that is drawn.
    score : float
        The expected points of this player in the round.
    ahead : float or None
        How far the player is expected to be ahead of the mean of the others; None in the last turn.
    error : float
        The standard error of `ahead`; 0 in the last turn, where `score` is exact.
    """

    draw: str | None
    words: list[str]
    discard: str | None
    score: float
    ahead: float | None
    error: float


@dataclass(frozen=True, repr=False)
class TurnAdvice(Result, schema="quiddler.turn/1"):
    """The choices of a turn, the best one first.

    Attributes
    ----------
    cards : list of str
        The hand.
    top : str or None
        The top card of the discard pile, if no card was drawn yet.
    drawn : str or None
        The card that was drawn.
    choices : list of Choice
        By how far the player is ahead; in the last turn by the score.
    exact : bool
        Whether the expected scores are exact, as in the last turn. If not, they are means over samples of the cards
        that nobody has seen, after which all players play as the simple player does.
    samples : int
        Number of samples of each choice; 0 if the scores are exact.
    seed : int or None
        The seed of the samples; None if there are none.
    """

    cards: list[str]
    top: str | None
    drawn: str | None
    choices: list[Choice]
    exact: bool
    samples: int
    seed: int | None


def turn(
    cards: Sequence[str] | str,
    *,
    top: str | None = None,
    drawn: str | None = None,
    players: int = 2,
    gone: str | Sequence[str] = "",
    last: bool = False,
    beat_longest: int | None = None,
    beat_most: int | None = None,
    samples: int = SAMPLES,
    dictionary: Words = "scowl-70",
    variant: Variant | None = None,
    seed: int | None = None,
    backend: Backend | None = None,
) -> TurnAdvice:
    """Find what to draw, what to discard, and whether to go out in a round of the card game.

    Before a draw, give the top card of the discard pile, `top`; after it, the card that you drew, `drawn`. Each choice
    is played on to the end of the round with samples of the cards that nobody has seen. From then on all players play
    simply: they take the card on top if it makes more of their hand, go out as soon as they can, and else discard the
    card without which the others make most points. In the last turn, after someone has gone out, the expected score is
    exact: it is the mean over the cards that the stock can have on top.

    Parameters
    ----------
    cards : str or sequence of str
        Your hand of 3 to 10 cards, such as ``qu i t er a l`` or ``(qu)it(er)al``, without the card that you drew.
    top : str, optional
        The top card of the discard pile, before you draw.
    drawn : str, optional
        The card that you drew.
    players : int, default 2
        Number of players, 2 to 8.
    gone : str or sequence of str, optional
        Other cards that you have seen in the discard pile in one text, such as ``'x z'``, the lowest first. By default
        none.
    last : bool, default False
        Another player has gone out, so this is your last turn.
    beat_longest : int, optional
        `last`: number of letters of the other players' longest word, 0 to 1000; a longer word scores 10 more points. By
        default there is no such bonus.
    beat_most : int, optional
        `last`: largest number of words of another player, 0 to 1000; more words score 10 more points. By default there
        is no such bonus.
    samples : int, default 100
        Number of samples of the unseen cards for each choice, 2 to 100,000.
    dictionary : str, path, iterable of str or Spellings
        Valid words: the name of a list, or a file with one word per line.
    variant : Variant, optional
        The points and the fewest cards of a word. By default the standard game.
    seed : int, optional
        Seed of all random choices, 0 to 2^64 - 1. By default a random one, which the result has.
    backend : Backend, optional
        The device. By default the one that ``GPUSOLVE_DEVICE`` names, or else ``auto``.

    Returns
    -------
    TurnAdvice

    Raises
    ------
    BadInput
        For another number of cards, for unknown cards, unless exactly one of `top` and `drawn` is given, for more
        copies of a card than the deck has, and for numbers out of range.

    Examples
    --------
    ``gpusolve quiddler turn 'qu i t' --top e``

    >>> best = turn("qu i t", drawn="x", last=True).choices[0]
    >>> best.words, best.discard, best.score
    (['quit'], 'x', 14.0)
    >>> turn("qu i t", top="e", seed=1).choices[0].draw
    'stock'
    """
    hand = parse_cards(joined("cards", cards))
    variant = check_variant(variant)
    if not SMALLEST <= len(hand) <= LARGEST:
        raise BadInput(f"the hand has {len(hand)} cards: expected {SMALLEST} to {LARGEST}, without the card you drew")
    if (top is None) == (drawn is None):
        raise BadInput("top: expected the top card of the discard pile, or the card that you drew as drawn, not both")
    card = _one_card("top" if drawn is None else "drawn", top if drawn is None else drawn)
    shown, taken = None if top is None else card, None if drawn is None else card
    pile = parse_cards(joined("gone", gone)) if gone else []
    players = check_integer("players", players, FEWEST_PLAYERS, MOST_PLAYERS)
    check_type("last", last, bool)
    for name, beat in (("beat_longest", beat_longest), ("beat_most", beat_most)):
        if beat is not None:
            check_integer(name, beat, 0, MOST_TO_BEAT)
            if not last:
                raise BadInput(f"{name}: expected with last, when another player has gone out")
    samples = check_integer("samples", samples, 2, MOST_SAMPLES)
    seed = random_seed() if seed is None else check_seed(seed)
    hidden = unseen([*hand, card, *pile])
    if len(hidden) <= (players - 1) * len(hand):
        raise BadInput(f"{len(hidden)} cards are not seen: expected more, for the hands of {players - 1} and the stock")
    spellings = spell_hand([*hand, card], dictionary, variant.min_cards)
    table, laid = Table.of(dictionary, variant), _Layings([*hand, card], spellings, open_backend(backend))
    if last:
        given = (-1 if beat_longest is None else beat_longest, -1 if beat_most is None else beat_most)
        choices = _last_turn(table, laid, hidden, given, drawn is not None)
        return TurnAdvice(hand, shown, taken, choices, True, 0, None)
    options = actions(table, laid.cards, drawn is not None)
    chance = np.random.default_rng(seed)
    decks = np.array([chance.permutation(kinds_of(hidden)) for _ in range(samples)])
    scores = play(table, laid.cards, options, decks, pile, players, drawn is not None)
    choices = []
    for action, each in zip(options, scores, strict=True):
        ahead = each[:, 0] - each[:, 1:].mean(axis=1)
        draw, thrown, out, _, letters, count = action
        choices.append(
            Choice(
                None if drawn is not None else card if draw == 1 else "stock",
                laid.words_without(thrown, count, letters) if out else [],
                None if thrown < 0 else laid.cards[thrown],
                float(each[:, 0].mean()),
                float(ahead.mean()),
                float(ahead.std(ddof=1) / samples**0.5),
            )
        )
    choices.sort(key=lambda choice: -(choice.ahead or 0.0))
    return TurnAdvice(hand, shown, taken, choices, False, samples, seed)


def actions(table: Table, cards: list[str], drawn: bool) -> list[Action]:
    """Return the actions of a turn. The last of the cards is the one that was drawn, or that lies on top of the pile.

    Of cards of the same kind only one is discarded. There is an action for each way to go out whose longest word and
    number of words no other way with the same discard exceeds.
    """
    draw, count = -1 if drawn else 1, len(cards)
    found = [] if drawn else [(0, -1, 0, 0, 0, 0)]
    ways, every = table.ways(kinds_of(cards), count), (1 << count) - 1
    for thrown, card in enumerate(cards):
        if card in cards[:thrown]:
            continue
        lengths = [
            (length, words)
            for words in range(count)
            for length in range(2 * count + 1)
            if int(ways[every ^ 1 << thrown, words]) >> length & 1
        ]
        points = int(table.values[kinds_of(cards)].sum() - table.values[kinds_of([card])][0])
        for length, words in lengths:
            if not any((a, b) != (length, words) and a >= length and b >= words for a, b in lengths):
                found.append((draw, thrown, 1, points, length, words))
        if drawn or thrown != count - 1:
            found.append((draw, thrown, 0, 0, 0, 0))
    return found


def play(
    table: Table,
    cards: list[str],
    options: list[Action],
    decks: npt.NDArray[np.uint8],
    pile: list[str],
    players: int,
    drawn: bool,
) -> npt.NDArray[np.int64]:
    """Play each action on with each deck, and return the scores, int64 (actions, samples, players).

    `cards` are as for `actions`, and `pile` is the discard pile without the top card that can be drawn.
    """
    size = len(cards) - 1
    scores = np.empty((len(options), len(decks), players), np.int64)
    gone = kinds_of(pile if drawn else [*pile, cards[-1]])
    hand = kinds_of(cards, MOST_CARDS)
    given = (hand, size + drawn, size, players, drawn, np.array(options, np.int64), decks, gone)
    playouts(*given, table.words, table.letters, table.values, scores)
    return scores


class _Layings:
    """The ways to lay down a hand with a card, found without the hash table of `Table`."""

    def __init__(self, cards: list[str], spellings: Spellings, backend: Backend) -> None:
        self.cards, self._spellings, self._backend = cards, spellings, backend
        self._ways = layings_of(sets_of(cards, spellings, backend), cards)

    def words(self, used: int, count: int, letters: int) -> list[str]:
        """Return words that use up a set of cards, of this number and with a longest one of these letters."""
        sets = self._ways[used].get((count, letters))
        if sets is None:
            raise WrongSolution(
                f"the search laid down {count} words of the cards {' '.join(self.cards)}: there are none"
            )
        return [
            "".join(in_order(self._spellings, [card for i, card in enumerate(self.cards) if word >> i & 1]))
            for word in sets
        ]

    def words_without(self, thrown: int, count: int, letters: int) -> list[str]:
        """Return such words that use up all cards but one."""
        return self.words(((1 << len(self.cards)) - 1) ^ 1 << thrown, count, letters)


def _last_turn(table: Table, laid: _Layings, hidden: list[str], given: tuple[int, int], drawn: bool) -> list[Choice]:
    """Return the choices of the last turn with their exact expected scores."""
    cards = kinds_of(laid.cards, MOST_CARDS)
    score, letters, count, used, thrown = best_last(table, cards, len(laid.cards), given)
    words, discard = laid.words(used, count, letters), laid.cards[thrown]
    choices = [Choice(None if drawn else laid.cards[-1], words, discard, float(score), None, 0.0)]
    if not drawn:
        choices.append(Choice("stock", [], None, expected_last(table, laid.cards, hidden, given), None, 0.0))
    return sorted(choices, key=lambda choice: -choice.score)


def expected_last(table: Table, cards: list[str], hidden: list[str], given: tuple[int, int]) -> float:
    """Return the expected score of the last turn with a card of the stock instead of the last of the cards."""
    row, total = kinds_of(cards, MOST_CARDS), 0
    for card, copies in Counter(hidden).items():
        row[len(cards) - 1] = kinds_of([card])[0]
        total += copies * best_last(table, row, len(cards), given)[0]
    return total / len(hidden)


def best_last(
    table: Table, cards: npt.NDArray[np.uint8], count: int, given: tuple[int, int]
) -> tuple[int, int, int, int, int]:
    """Return score, letters of the longest word, number of words, the set of cards used, and the discarded card."""
    laid = np.empty(5, np.int64)
    lay_down_last(cards, count, table.values, table.ways(cards, count), *given, laid)
    score, letters, words, used, thrown = laid.tolist()
    return score, letters, words, used, thrown


def _one_card(name: str, text: str | None) -> str:
    check_type(name, text, str)
    cards = parse_cards(text or "")
    if len(cards) != 1:
        raise BadInput(f"{name}: {len(cards)} cards: expected one, such as e or (qu)")
    return cards[0]
