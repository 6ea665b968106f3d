"""The next word if some of the covered cards are not known: expected scores, exact or from samples."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Backend, open_backend
from gpusolve.checks import check_integer, joined
from gpusolve.errors import BadInput
from gpusolve.games.quiddler import kernels
from gpusolve.games.quiddler.cards import COPIES, parse_cards
from gpusolve.games.quiddler.deals import HIDDEN, NONE, PILES, Deal, encode
from gpusolve.games.quiddler.plans import in_order, numbers_of
from gpusolve.games.quiddler.spellings import Spellings, spell
from gpusolve.games.quiddler.variant import Variant, check_variant
from gpusolve.result import Result
from gpusolve.runs.seeds import check_seed, random_seed
from gpusolve.wordlists import Words

SAMPLES = 100
MOST_SAMPLES = 100_000
SCREENED = 4
"""Number of samples after which only the best plays go on."""
KEPT = 20
"""Number of plays that go on."""
MOST_EXACT = 2
"""Number of hidden cards up to which an exact answer is tried."""
MOST_REVEALED = 30_000
"""Number of tables with a card turned up that are solved for an exact answer, which takes a few seconds."""


@dataclass(frozen=True, repr=False)
class NextPlay(Result):
    """A word that can be played next, or the end of the game.

    Attributes
    ----------
    words : list of str
        The words that the cards spell; empty for the end of the game or for a card that is moved.
    cards : list of str
        The cards.
    positions : list of int
        Where the cards stand in the deal as it is written, counted from 1.
    moved : str or None
        The top card that is moved to an empty place to turn up the hidden card below it; None for a word.
    expected : float
        The expected score from here on.
    error : float
        The standard error of `expected`; 0 if it is exact.
    """

    words: list[str]
    cards: list[str]
    positions: list[int]
    moved: str | None
    expected: float
    error: float


@dataclass(frozen=True, repr=False)
class Suggestion(Result, schema="quiddler.suggest/1"):
    """The best next words.

    Attributes
    ----------
    deal : Deal
        What lies on the table.
    plays : list of NextPlay
        The best plays, the best one first.
    exact : bool
        Whether the expected scores are exact: those of the best play, which knows a hidden card once it is turned up.
        If not, they are means over samples, as if the hidden cards were turned up after this play; so they are higher
        than what can be reached.
    samples : int
        Number of samples; 0 if the expected scores are exact.
    seed : int or None
        The seed of the samples; None if there are none.
    """

    deal: Deal
    plays: list[NextPlay]
    exact: bool
    samples: int
    seed: int | None


Names = tuple[str, ...]


class _TooMany(Exception):
    """An exact answer would take too long."""


def suggest(
    deal: Deal | str | Sequence[str],
    *,
    gone: str | Sequence[str] = "",
    top: int = 10,
    samples: int = SAMPLES,
    dictionary: Words = "scowl-70",
    variant: Variant | None = None,
    seed: int | None = None,
    backend: Backend | None = None,
) -> Suggestion:
    """Find the next word with the best expected score if covered cards are not known.

    A hidden card can be any card of the deck that is neither on the table nor gone. With one or two hidden cards the
    expected scores are exact, unless there are too many ways to turn them up. Otherwise they come from samples.

    Parameters
    ----------
    deal : Deal, str or sequence of str
        The eight top cards, then the eight cards below them, with ``?`` for a lower card that is not known and a point
        for one that is gone: ``n w u th r y y i / a c j ? u n b i``. With shorter rows the other places are empty.
    gone : str or sequence of str, optional
        Cards that have been played, which no hidden card can be. By default none.
    top : int, default 10
        Number of plays to show.
    samples : int, default 100
        Number of samples of the hidden cards, 2 to 100,000.
    dictionary : str, path, iterable of str or Spellings
        Valid words: the name of a list, or a file with one word per line.
    variant : Variant, optional
        The points, the bonuses and the fewest cards of a word. By default the standard game.
    seed : int, optional
        Seed of all random choices, 0 to 2^64 - 1. By default a random one, which the result has.
    backend : Backend, optional
        The device. By default the one that ``GPUSOLVE_DEVICE`` names, or else ``auto``.

    Returns
    -------
    Suggestion

    Raises
    ------
    BadInput
        For a deal that cannot be read, for more copies of a card than the deck has, and for numbers out of range.

    Examples
    --------
    ``gpusolve quiddler suggest 'a t n / ? o e'``

    >>> found = suggest("at/?o", dictionary=["at", "to", "oat"])
    >>> found.exact, [(play.moved, play.words, round(play.expected, 2)) for play in found.plays[:2]]
    (True, [('a', [], 2.17), (None, ['oat'], 1.91)])
    """
    deal, variant = Deal.parse(deal), check_variant(variant)
    top = check_integer("top", top, 1, MOST_SAMPLES)
    samples = check_integer("samples", samples, 2, MOST_SAMPLES)
    seed = random_seed() if seed is None else check_seed(seed)
    rest = Counter(COPIES)
    rest.subtract(card for card in deal.cards.values() if card != HIDDEN)
    rest.subtract(parse_cards(text) if (text := joined("gone", gone).strip()) else [])
    for card, count in rest.items():
        if count < 0:
            raise BadInput(f"{COPIES[card] - count} copies of card '{card}': the deck has only {COPIES[card]}")
    if rest.total() < len(deal.hidden):
        raise BadInput(f"{len(deal.hidden)} hidden cards: the deck has only {rest.total()} left")
    tables = _Tables(spell(dictionary, variant.min_cards), variant, open_backend(backend), rest)
    if len(deal.hidden) <= MOST_EXACT:
        try:
            plays = tables.exact(deal)
        except _TooMany:
            pass
        else:
            return Suggestion(deal, _best(plays, top), True, 0, None)
    return Suggestion(deal, _best(tables.sampled(deal, samples, seed), top), False, samples, seed)


def _best(plays: list[NextPlay], top: int) -> list[NextPlay]:
    return sorted(plays, key=lambda play: (-play.expected, len(play.cards), play.positions))[:top]


@dataclass
class _Tables:
    """Tables with hidden cards: what can be played on them, and what they are worth.

    The worth of a table is the expected score from there on: points used and bonuses, minus points left.
    """

    spellings: Spellings
    variant: Variant
    backend: Backend
    rest: Counter[str]

    def __post_init__(self) -> None:
        self._worth: dict[tuple[Deal, Names, int | None], float] = {}
        self._revealed = 0
        self._loaded = kernels.load(self.backend, self.spellings)
        self._bonus = self.variant.bonus_row()

    def _kinds(self, seen: Names) -> tuple[list[str], npt.NDArray[np.float64]]:
        """Return the cards that a hidden card can be after others have been turned up, and the chance of each."""
        left = self.rest - Counter(seen)
        counts = np.array([*left.values()], np.float64)
        return [*left], counts / counts.sum()

    def exact(self, deal: Deal, seen: Names = ()) -> list[NextPlay]:
        """Return all plays with their exact worth, after hidden cards `seen` have been turned up.

        Raises _TooMany if that takes too long.
        """
        plays = [self._play(deal, (), self._left(deal, seen))]
        for cards, gain in self._words(deal):
            plays.append(self._play(deal, cards, gain + self._after(deal, cards, seen)))
        if (NONE, NONE) in zip(deal.tops, deal.bottoms, strict=True):
            for number in deal.hidden:
                worth = self._turned_up(deal, [number], partial(_moved, number=number), seen)
                plays.append(self._play(deal, (), worth, moved=deal.cards[PILES + number]))
        return plays

    def sampled(self, deal: Deal, samples: int, seed: int) -> list[NextPlay]:
        """Return the most promising plays with the mean of what they are worth if the hidden cards are known then."""
        chance = np.random.default_rng(seed)
        words = [((), 0), *self._words(deal)]
        means = np.mean([self._hindsight(deal, words, chance) for _ in range(SCREENED)], axis=0)
        words = [words[i] for i in np.argsort(-means, kind="stable")[:KEPT]]
        scores = np.array([self._hindsight(deal, words, chance) for _ in range(samples)])
        errors = scores.std(axis=0, ddof=1) / samples**0.5
        return [
            self._play(deal, cards, float(mean), error=float(error))
            for (cards, _), mean, error in zip(words, scores.mean(axis=0), errors, strict=True)
        ]

    def _hindsight(
        self, deal: Deal, words: Sequence[tuple[Sequence[int], int]], chance: np.random.Generator
    ) -> npt.NDArray[np.float64]:
        """Return the worth of each play for one draw of the hidden cards. Without cards the game ends."""
        deck = [card for card, count in self.rest.items() for _ in range(count)]
        drawn = chance.choice(len(deck), len(deal.hidden), replace=False)
        known = _filled(deal, dict(zip(deal.hidden, (deck[i] for i in drawn), strict=True)))
        worth = self._optima([known.without(cards) for cards, _ in words])
        return np.array(
            [gain + after if cards else self._left(known) for (cards, gain), after in zip(words, worth, strict=True)],
            np.float64,
        )

    def _play(
        self, deal: Deal, cards: Sequence[int], expected: float, *, moved: str | None = None, error: float = 0.0
    ) -> NextPlay:
        words = self.spellings.spelled_by([deal.cards[number] for number in cards]) if cards else []
        numbers = in_order(deal, words[0], cards) if words else []
        names = [deal.cards[number] for number in numbers]
        return NextPlay(words, names, [deal.position_of(number) for number in numbers], moved, expected, error)

    def _words(self, deal: Deal) -> list[tuple[list[int], int]]:
        """Return the sets of known cards that spell a word and can be uncovered, each with its points and bonus."""
        row = encode(deal.without(deal.hidden))[None]  # no word takes a hidden card
        bitmap = self.backend.to_host(kernels.card_sets(self.backend, row, self._loaded))[0]
        sets = np.flatnonzero(np.unpackbits(bitmap.view(np.uint8), bitorder="little"))
        full = [number for number in range(PILES) if {number, number + PILES} <= deal.cards.keys()]
        room = deal.piles - len({number % PILES for number in deal.cards})
        found = []
        for chosen in sets.tolist():
            cards = numbers_of(chosen)
            if sum(number in full for number in cards if number < PILES) <= room:
                names = [deal.cards[number] for number in cards]
                gain = sum(self.variant.values[name] for name in names) + self._bonus[sum(map(len, names))]
                found.append((cards, gain))
        return found

    def _left(self, deal: Deal, seen: Names = ()) -> float:
        """Return what the end of the game is worth."""
        hidden = 0.0
        if deal.hidden:
            names, chances = self._kinds(seen)
            hidden = float(chances @ [self.variant.values[name] for name in names])
        return -sum(hidden if card == HIDDEN else self.variant.values[card] for card in deal.cards.values())

    def _after(self, deal: Deal, cards: Sequence[int], seen: Names) -> float:
        """Return what the table is worth after a word, which can turn up hidden cards."""
        turned_up = [number for number in deal.hidden if number + PILES in cards]
        if turned_up:
            return self._turned_up(deal, turned_up, partial(Deal.without, numbers=cards), seen)
        return self._table(deal.without(cards), seen)

    def _table(self, deal: Deal, seen: Names) -> float:
        """Return what a table is worth before the next play."""
        key = deal, seen, None
        if key not in self._worth:
            worth = max(play.expected for play in self.exact(deal, seen)) if deal.hidden else self._optima([deal])[0]
            self._worth[key] = float(worth)
        return self._worth[key]

    def _turned_up(self, deal: Deal, numbers: list[int], play: Callable[[Deal], Deal], seen: Names) -> float:
        """Return what a table is worth after a play that turns up these hidden cards: the mean of all cases."""
        names, chances = self._kinds(seen)
        [first, *others] = numbers
        known = [_filled(deal, {first: name}) for name in names]
        then = [tuple(sorted((*seen, name))) for name in names]
        if others:
            worth = [self._turned_up(table, others, play, after) for table, after in zip(known, then, strict=True)]
        elif len(deal.hidden) > 1:
            worth = [self._table(play(table), after) for table, after in zip(known, then, strict=True)]
        else:
            key = play(known[0]), then[0], first  # the first of the tables stands for all of them
            if key not in self._worth:
                self._revealed += len(names)
                if self._revealed > MOST_REVEALED:
                    raise _TooMany
                self._worth[key] = float(chances @ self._optima([play(table) for table in known]))
            return self._worth[key]
        return float(chances @ worth)

    def _optima(self, deals: Sequence[Deal]) -> npt.NDArray[np.int32]:
        """Return the best scores of tables without hidden cards."""
        rows, piles = np.concatenate([encode(deal)[None] for deal in deals]), deals[0].piles
        step = self.backend.batch(kernels.BYTES_PER_DEAL)
        found = []
        for first in range(0, len(rows), step):
            part = rows[first : first + step]
            sets = kernels.card_sets(self.backend, part, self._loaded)
            reached = kernels.best_bonus(self.backend, part, sets, variant=self.variant, piles=piles)
            found.append(kernels.outcome(self.backend, part, reached, self.variant).best)
        return np.concatenate(found)


def _moved(deal: Deal, number: int) -> Deal:
    """Return the deal with the top card of a pile moved to the first empty place."""
    tops, empty = [*deal.tops], [*zip(deal.tops, deal.bottoms, strict=True)].index((NONE, NONE))
    tops[empty], tops[number] = tops[number], NONE
    return Deal(tuple(tops), deal.bottoms)


def _filled(deal: Deal, cards: dict[int, str]) -> Deal:
    """Return a deal with cards in place of the hidden ones."""
    return Deal(deal.tops, tuple(cards.get(number, card) for number, card in enumerate(deal.bottoms)))
