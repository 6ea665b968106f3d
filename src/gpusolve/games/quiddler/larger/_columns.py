"""The command ``columns``: a play of the larger solitaire that uses all cards, or as many as are found."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from gpusolve import clock
from gpusolve.checks import check_integer, check_number, joined
from gpusolve.errors import BadInput, Exit, WrongSolution
from gpusolve.games.quiddler._hand import in_order
from gpusolve.games.quiddler.cards import DECK, KIND, NAMES, parse_cards
from gpusolve.games.quiddler.larger.rules import COLUMNS, HEIGHT, Table, move, take
from gpusolve.games.quiddler.spellings import Spellings, spell_hand
from gpusolve.games.quiddler.variant import VALUES, Variant, check_variant
from gpusolve.result import Result, reported
from gpusolve.runs.seeds import check_seed, random_seed
from gpusolve.wordlists import Words

WIDTH, MOST_WIDTH = 20, 100_000
TALL = 2  # points that count against a column, for each pair of its cards


@dataclass(frozen=True, repr=False)
class ColumnStep(Result):
    """A word, or a card that moves to an empty column.

    Attributes
    ----------
    word : str
        The word; empty for a card that moves.
    cards : list of str
        The cards in the order of the word, or the card that moves.
    columns : list of int
        Their columns, counted from 1; for a card that moves, from where and to where.
    """

    word: str
    cards: list[str]
    columns: list[int]


@dataclass(frozen=True, repr=False)
class ColumnPlay(Result, schema="quiddler.columns/1"):
    """A play of the larger solitaire.

    Attributes
    ----------
    columns : list of list of str
        The deal: each column from its first card to its last, which can be used.
    steps : list of ColumnStep
        The words and moves.
    left : list of str
        The cards that the play does not use. If there are any, another play may use them: nothing is proven.
    seed : int or None
        For a random deal, its seed.
    seconds : float
        Duration of the search.
    complete : bool
        Whether the search was not cut by the time limit.
    """

    columns: list[list[str]]
    steps: list[ColumnStep]
    left: list[str]
    seed: int | None
    seconds: float
    complete: bool

    @reported
    def won(self) -> bool:
        """Whether all cards are used."""
        return not self.left

    @property
    def exit_code(self) -> int:
        """The exit code of the command: won, or stopped without a play that wins."""
        return Exit.DONE if self.won else Exit.STOPPED


def columns(
    deal: str | Sequence[str] | None = None,
    *,
    width: int = WIDTH,
    dictionary: Words = "scowl-70",
    variant: Variant | None = None,
    seed: int | None = None,
    time_limit: float | None = None,
    progress: Callable[[int], object] = lambda done: None,
) -> ColumnPlay:
    """Look for a play of the larger solitaire, with 48 cards in eight columns, that uses all cards.

    Only the last card of each column can be used, and a last card can move to an empty column. All cards are known to
    the search, so it tells whether a deal could have been won. It keeps the best tables for each number of cards left;
    if it finds no play that wins, there may be one.

    Parameters
    ----------
    deal : str or sequence of str, optional
        The columns, each from its first card to its last, which can be used, with ``/`` between them: at most eight
        columns of at most six cards, such as ``a t / e n / (qu) i``. By default 48 random cards.
    width : int, default 20
        Number of tables that are kept for each number of cards left, 1 to 100,000.
    dictionary : str, path, iterable of str or Spellings
        Valid words: the name of a list, or a file with one word per line.
    variant : Variant, optional
        The fewest cards of a word. By default the standard game.
    seed : int, optional
        Seed of all random choices, 0 to 2^64 - 1. By default a random one, which the result has; only for a random
        deal.
    time_limit : float, optional
        Stop after this many seconds and return the best result so far. Compiling kernels and building tables does not
        count.
    progress : callable, optional
        Called with the number of cards that the tables have lost so far.

    Returns
    -------
    ColumnPlay

    Raises
    ------
    BadInput
        For what is no deal, for a seed with a deal, and for numbers out of range.
    WrongSolution
        If the play breaks a rule, which would be a fault of gpusolve.

    Examples
    --------
    ``gpusolve quiddler columns --seed 1``

    >>> play = columns("t a / e / n (qu) / i t")
    >>> play.won, [step.word for step in play.steps]
    (True, ['', '', '', 'equitant'])
    """
    begin = clock.now()
    width = check_integer("width", width, 1, MOST_WIDTH)
    variant = check_variant(variant)
    limit = float("inf") if time_limit is None else time_limit
    check_number("time_limit", limit, 0, float("inf"))
    if deal is not None and seed is not None:
        raise BadInput("seed: expected without a deal, for a random one")
    if deal is not None:
        table = parse_columns(joined("deal", deal))
    else:
        seed = random_seed() if seed is None else check_seed(seed)
        drawn = np.random.default_rng(seed).permutation(len(DECK))[: COLUMNS * HEIGHT].tolist()
        cards = [DECK[number] for number in drawn]
        table = tuple(tuple(cards[i : i + HEIGHT]) for i in range(0, len(cards), HEIGHT))
    spellings = spell_hand(sum(table, ()), dictionary, variant.min_cards)
    last, complete = _search(table, spellings, width, begin + limit, progress)
    return ColumnPlay(
        [list(cards) for cards in table],
        _replayed(table, last, spellings, variant.min_cards),
        [card for cards in last.table for card in cards],
        seed,
        clock.now() - begin,
        complete,
    )


def parse_columns(text: str) -> Table:
    """Return the columns that a text describes. Raises BadInput for what is no deal."""
    rows: list[tuple[str, ...]] = []
    for row in re.split(r"[/\n]", text):
        rows.append(tuple(parse_cards(row, sum(map(len, rows)))))
    if len(rows) > COLUMNS or max(map(len, rows)) > HEIGHT:
        raise BadInput(
            f"the deal has {len(rows)} columns of up to {max(map(len, rows))} cards: "
            f"expected at most {COLUMNS} of {HEIGHT}"
        )
    if not any(rows):
        raise BadInput("the deal has no card: expected columns such as a t / e n")
    return (*rows, *[()] * (COLUMNS - len(rows)))


@dataclass(frozen=True, eq=False)
class _Node:
    """A table, how it came about, and how many points count against it."""

    table: Table
    before: _Node | None = None
    used: tuple[int, ...] = ()
    """The columns that a word takes cards of, in any order; or from where and to where a card moves."""
    moved: bool = False

    @property
    def against(self) -> int:
        """The values of the cards left, and points for tall columns."""
        heights = (len(cards) for cards in self.table)
        return sum(VALUES[card] for cards in self.table for card in cards) + TALL * sum(
            n * (n - 1) // 2 for n in heights
        )


def _search(
    table: Table, spellings: Spellings, width: int, deadline: float, progress: Callable[[int], object]
) -> tuple[_Node, bool]:
    """Return the table with the fewest cards left, and whether the search was not cut."""
    fits = spellings.cards[:, COLUMNS] >= len(NAMES)
    spelled = {bytes(row[row < len(NAMES)]) for row in spellings.cards[fits]}
    known: dict[tuple[str, ...], list[tuple[int, ...]]] = {}

    def words(tops: tuple[str, ...]) -> list[tuple[int, ...]]:
        """Return which of these cards spell a word together, for each word."""
        if tops not in known:
            kinds = [KIND[card] for card in tops]
            known[tops] = [
                chosen
                for count in range(spellings.min_cards, len(tops) + 1)
                for chosen in combinations(range(len(tops)), count)
                if bytes(sorted(kinds[i] for i in chosen)) in spelled
            ]
        return known[tops]

    total = sum(map(len, table))
    levels: list[dict[Table, _Node]] = [{} for _ in range(total + 1)]
    levels[total][_key(table)] = best = _Node(table)
    for left in range(total, 0, -1):
        here = levels[left]
        if not here:
            continue
        nodes = sorted(here.values(), key=lambda node: node.against)[:width]
        best = nodes[0]
        for node in nodes:  # which grows by tables to which a card moves
            empty = next((i for i, cards in enumerate(node.table) if not cards), None)
            for source in range(COLUMNS) if empty is not None and len(nodes) < 4 * width else ():
                assert empty is not None
                if len(node.table[source]) > 1:
                    after = move(node.table, source, empty)
                    if (key := _key(after)) not in here:
                        here[key] = _Node(after, node, (source, empty), True)
                        nodes.append(here[key])
        for node in nodes:
            if clock.now() > deadline:
                return best, False
            filled = [i for i, cards in enumerate(node.table) if cards]
            for chosen in words(tuple(node.table[i][-1] for i in filled)):
                used = tuple(filled[i] for i in chosen)
                after = tuple(cards[:-1] if i in used else cards for i, cards in enumerate(node.table))
                levels[left - len(used)].setdefault(_key(after), _Node(after, node, used))
        levels[left] = {}
        progress(total - left)
    return next(iter(levels[0].values()), best), True


def _key(table: Table) -> Table:
    """Return the table with its columns in order, because their places do not matter."""
    return tuple(sorted(table))


def _replayed(table: Table, last: _Node, spellings: Spellings, min_cards: int) -> list[ColumnStep]:
    """Return the steps to a table. Raises WrongSolution if the rules do not allow them."""
    nodes: list[_Node] = []
    while last.before is not None:
        nodes.append(last)
        last = last.before
    steps = []
    for node in reversed(nodes):
        cards, used = [table[column][-1] for column in node.used if table[column]], list(node.used)
        try:
            if node.moved:
                table, word = move(table, *used), ""
            else:
                cards = in_order(spellings, cards)
                used = _columns_of(cards, {column: table[column][-1] for column in used})
                word = "".join(cards)
                table = take(table, used, word, min_cards)
        except BadInput as error:
            raise WrongSolution(f"the search returned a play that breaks the rules: {error}") from None
        steps.append(ColumnStep(word, cards, [column + 1 for column in used]))
    return steps


def _columns_of(cards: list[str], lying: dict[int, str]) -> list[int]:
    """Return the columns on which cards lie, in the order of the cards."""
    free, found = dict(lying), []
    for card in cards:
        column = next(column for column, other in free.items() if other == card)
        del free[column]
        found.append(column)
    return found
