"""The command ``simulate``: rounds of the card game between the player of ``turn`` and simple players."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from statistics import fmean, stdev
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from gpusolve import clock
from gpusolve.checks import check_integer, check_number
from gpusolve.games.quiddler._hand import LARGEST, SMALLEST
from gpusolve.games.quiddler.cards import DECK, NAMES
from gpusolve.games.quiddler.rounds import cpu
from gpusolve.games.quiddler.rounds._turn import (
    FEWEST_PLAYERS,
    MOST_PLAYERS,
    MOST_SAMPLES,
    Action,
    actions,
    best_last,
    expected_last,
    play,
)
from gpusolve.games.quiddler.rounds.table import Table, kinds_of, unseen
from gpusolve.games.quiddler.variant import Variant, check_variant
from gpusolve.result import Result
from gpusolve.runs.seeds import check_seed, random_seed
from gpusolve.wordlists import Words

COUNT, SAMPLES = 5, 30
MOST_COUNT = 1_000_000
Hand: TypeAlias = npt.NDArray[np.uint8]


@dataclass(frozen=True, repr=False)
class RoundsOfSize(Result):
    """The rounds with hands of one size.

    Attributes
    ----------
    cards : int
        Number of cards of a hand.
    count : int
        Number of rounds.
    score : float
        The mean score of the player in a round.
    ahead : float
        How far the player is ahead of the mean of the others, on average.
    error : float or None
        The standard error of `ahead`; None for a single deal.
    out_first : float
        In which part of the rounds the player goes out first.
    """

    cards: int
    count: int
    score: float
    ahead: float
    error: float | None
    out_first: float


@dataclass(frozen=True, repr=False)
class Simulation(Result, schema="quiddler.simulate/1"):
    """Rounds of the card game.

    Attributes
    ----------
    rounds : list of RoundsOfSize
        For each size of hands.
    ahead : float
        How far the player is ahead in a game, a round of each size: the sum over the sizes.
    error : float or None
        The standard error of `ahead`; None if a size has a single deal.
    players, samples, seed : int
        As given; the seed of all random choices.
    seconds : float
        Duration.
    complete : bool
        Whether all rounds were played, and the simulation was not cut by a time limit.
    """

    rounds: list[RoundsOfSize]
    ahead: float
    error: float | None
    players: int
    samples: int
    seed: int
    seconds: float
    complete: bool


def simulate(
    *,
    cards: int | None = None,
    count: int = COUNT,
    players: int = 2,
    samples: int = SAMPLES,
    dictionary: Words = "scowl-70",
    variant: Variant | None = None,
    seed: int | None = None,
    time_limit: float | None = None,
    progress: Callable[[int], object] = lambda done: None,
) -> Simulation:
    """Play rounds of the card game between the player of ``turn`` and simple players.

    Each deal is played once with the player in each seat, so that the luck of the cards counts for all seats alike.

    Parameters
    ----------
    cards : int, optional
        Number of cards of a hand, 3 to 10. By default all of them, one after another.
    count : int, default 5
        Number of deals of each size, 1 to 10^6.
    players : int, default 2
        Number of players, 2 to 8.
    samples : int, default 30
        Number of samples with which the player compares its choices, 2 to 100,000.
    dictionary : str, path, iterable of str or Spellings
        Valid words: the name of a list, or a file with one word per line.
    variant : Variant, optional
        The points and the fewest cards of a word. By default the standard game.
    seed : int, optional
        Seed of all random choices, 0 to 2^64 - 1. By default a random one, which the result has.
    time_limit : float, optional
        Stop after this many seconds and return the best result so far. Compiling kernels and building tables does not
        count.
    progress : callable, optional
        Called with the number of rounds played.

    Returns
    -------
    Simulation

    Raises
    ------
    BadInput
        For numbers out of range.

    Examples
    --------
    ``gpusolve quiddler simulate --cards 3 --count 2 --seed 1``

    >>> simulate(cards=3, count=2, seed=1).rounds[0].count
    4
    """
    sizes = [*range(SMALLEST, LARGEST + 1)] if cards is None else [check_integer("cards", cards, SMALLEST, LARGEST)]
    count = check_integer("count", count, 1, MOST_COUNT)
    players = check_integer("players", players, FEWEST_PLAYERS, MOST_PLAYERS)
    samples = check_integer("samples", samples, 2, MOST_SAMPLES)
    seed = random_seed() if seed is None else check_seed(seed)
    limit = float("inf") if time_limit is None else time_limit
    check_number("time_limit", limit, 0, float("inf"))
    table, begin = Table.of(dictionary, check_variant(variant)), clock.now()
    found: dict[int, list[tuple[float, float, float]]] = {size: [] for size in sizes}
    done = 0
    for number in range(count):
        for size in sizes:
            if clock.now() - begin > limit and done:
                break
            deck = np.random.default_rng([seed, size, number]).permutation(kinds_of(DECK))
            each = []
            for seat in range(players):
                chance = np.random.default_rng([seed, size, number, seat])
                scores, first = play_round(table, deck, size, players, seat, samples, chance)
                others = [score for player, score in enumerate(scores) if player != seat]
                each.append((float(scores[seat]), scores[seat] - fmean(others), float(first == seat)))
                done += 1
                progress(done)
            found[size].append(tuple(fmean(column) for column in zip(*each, strict=True)))  # type: ignore[arg-type]
    rounds = []
    for size, deals in found.items():
        if deals:
            score, ahead, out_first = (fmean(column) for column in zip(*deals, strict=True))
            error = stdev([each[1] for each in deals]) / len(deals) ** 0.5 if len(deals) > 1 else None
            rounds.append(RoundsOfSize(size, players * len(deals), score, ahead, error, out_first))
    errors = [each.error for each in rounds]
    return Simulation(
        rounds,
        sum(each.ahead for each in rounds),
        None if None in errors else sum(error**2 for error in errors if error is not None) ** 0.5,
        players,
        samples,
        seed,
        clock.now() - begin,
        all(len(deals) == count for deals in found.values()),
    )


def play_round(
    table: Table,
    deck: Hand,
    size: int,
    players: int,
    seat: int | None,
    samples: int,
    chance: np.random.Generator,
) -> tuple[list[int], int]:
    """Play a round, and return the scores and who went out first. The player at `seat`, if any, is that of ``turn``.

    The first cards of the deck are the hands, then comes the first card of the discard pile, then the stock.
    """
    hands = np.zeros((players, cpu.MOST_CARDS), np.uint8)
    hands[:, :size] = deck[: players * size].reshape(players, size)
    pile, stock = [int(deck[players * size])], [int(card) for card in deck[: players * size : -1]]
    laid, best = np.zeros((3, players), np.int64), np.empty(5, np.int64)
    longest, most, out, turns = 0, 0, -1, 0
    while (player := turns % players) != out:
        hand, ends, mine = hands[player], out >= 0, player == seat
        turns += 1
        if mine and ends:
            take = _takes_last(table, [*hand[:size], pile[-1]], pile[:-1], (longest, most))
        elif mine:
            take = _choose(table, [*hand[:size], pile[-1]], pile[:-1], players, False, samples, chance)[0] == 1
        else:
            given = (table.words, table.letters, table.values, np.empty((cpu.SETS, cpu.COUNTS), np.uint32))
            take = cpu.takes(hand, size, pile[-1], ends, longest, most, *given)
        if not (take or stock):  # turn the pile over
            stock, pile = pile[-2::-1], pile[-1:]
        hand[size] = pile.pop() if take else stock.pop()
        ways = table.ways(hand, size + 1)
        if ends or turns >= cpu.MOST_TURNS * players:
            ends = True
            cpu.last(hand, size + 1, table.values, ways, longest, most, best)
            best[0] -= 10 * (best[1] > longest) + 10 * (best[2] > most)
        elif mine:
            _, thrown, out_now, *way = _choose(table, [*hand[: size + 1]], pile, players, True, samples, chance)
            ends, best[:] = bool(out_now), [*way, 0, thrown]
        else:
            cpu.going_out(hand, size + 1, table.values, ways, best)
            ends = best[0] > cpu.NEVER
            if not ends:
                best[4] = cpu.throws(hand, size, table.values, ways)
        if ends:
            laid[:, player] = best[:3]
            longest, most = max(longest, int(best[1])), max(most, int(best[2]))
            out = player if out < 0 else out
        pile.append(int(hand[best[4]]))
        hand[best[4]] = hand[size]
    scores = np.zeros(players, np.int64)
    cpu.round_scores(*laid, scores)
    return scores.tolist(), out


def _choose(
    table: Table,
    kinds: list[int],
    pile: list[int],
    players: int,
    drawn: bool,
    samples: int,
    chance: np.random.Generator,
) -> Action:
    """Return the action that is ahead most in samples of the cards that the player has not seen."""
    cards, gone = [NAMES[kind] for kind in kinds], [NAMES[kind] for kind in pile]
    hidden = kinds_of(unseen([*cards, *gone]))
    decks = np.array([chance.permutation(hidden) for _ in range(samples)])
    options = actions(table, cards, drawn)
    scores = play(table, cards, options, decks, gone, players, drawn)
    return options[int((scores[:, :, 0] - scores[:, :, 1:].mean(axis=2)).mean(axis=1).argmax())]


def _takes_last(table: Table, kinds: list[int], pile: list[int], to_beat: tuple[int, int]) -> bool:
    """Return whether the top card is worth more in the last turn than one of the stock is expected to be."""
    cards = [NAMES[kind] for kind in kinds]
    hidden = unseen([*cards, *(NAMES[kind] for kind in pile)])
    return best_last(table, kinds_of(cards, cpu.MOST_CARDS), len(cards), to_beat)[0] > expected_last(
        table, cards, hidden, to_beat
    )
