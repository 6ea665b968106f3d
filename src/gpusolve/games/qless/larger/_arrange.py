"""One crossword of up to 144 tiles: the first one that is found, a compact one, or one that keeps a given grid."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np
import numpy.typing as npt

from gpusolve import clock
from gpusolve.checks import check_integer, check_number, check_type
from gpusolve.errors import BadInput, Exit, WrongSolution
from gpusolve.games.qless.cpu.arranging import CROSSINGS, LINE, SIDE, arrange as add_tiles, spelled
from gpusolve.games.qless.larger.tiles import BLANK, blanks_of, parse_tiles
from gpusolve.games.qless.larger.variant import BANANAGRAMS, Free
from gpusolve.games.qless.rules import MOST_TILES, Cell, Grid, broken_rule, grid_of, parse_grid
from gpusolve.games.qless.variant import Variant
from gpusolve.result import Result, reported
from gpusolve.runs.seeds import GOLDEN, check_seed, mix, random_seed

MOST_TRIES = 10**6
STATES, STATES_IF_COMPACT, STATES_IF_KEPT = 1000, 200, 100
"""States of the search after which it starts again."""
NO_MEASURE = 2**62
"""A measure that every grid has."""
MOST_TOGETHER, MOST_STARTS = 3, 300
"""Words of a given grid that are taken up together, at most, and ways to do so that are tried, before all words are."""
Cells = dict[Cell, str]
_ALPHABET = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True, repr=False)
class Arrangement(Result, schema="qless.arrange/2"):
    """A crossword of all tiles, if one was found.

    Attributes
    ----------
    tiles : str
        All tiles in alphabetical order, blanks first, with those of the given grid.
    grid : Grid or None
        The crossword; None if none was found.
    blanks : str
        The letters that the blanks stand for.
    moved : int or None
        Number of tiles of the given grid that are not where they were; None if none was given.
    doubtful : list of str
        Those of the words that are only in some dictionaries.
    unsolvable : str
        Letters that no word has which the tiles can spell. If there are any, there is no crossword (proven).
    tries : int
        Number of times that the search was started.
    stopped : bool
        Whether the time limit ended the search before all tries for a compact crossword were made.
    seed : int
        Seed of all random choices.
    seconds : float
        Time that the search took.
    """

    tiles: str
    grid: Grid | None
    blanks: str
    moved: int | None
    doubtful: list[str]
    unsolvable: str
    tries: int
    stopped: bool
    seed: int
    seconds: float = field(compare=False)

    @reported
    def words(self) -> list[str]:
        """The words of the crossword: across from the top, then down from the left."""
        return list(self.grid.runs) if self.grid else []

    @reported
    def rows(self) -> int:
        """Number of rows of the crossword; 0 if there is none."""
        return len(self.grid.rows) if self.grid else 0

    @reported
    def columns(self) -> int:
        """Number of columns of the crossword; 0 if there is none."""
        return len(self.grid.rows[0]) if self.grid else 0

    @property
    def exit_code(self) -> int:
        """The exit code of the command: found, proven to have no solution, or stopped before the end or without one."""
        if self.grid:
            return Exit.STOPPED if self.stopped else Exit.DONE
        return Exit.NO_SOLUTION if self.unsolvable else Exit.STOPPED


def arrange(
    tiles: str,
    *,
    compact: bool = False,
    grid: str | None = None,
    tries: int = 50,
    variant: Free = BANANAGRAMS,
    seed: int | None = None,
    time_limit: float | None = None,
    progress: Callable[[int], None] = lambda done: None,
) -> Arrangement:
    """Arrange up to 144 tiles in one crossword, as in Bananagrams.

    Words have two letters or more, and the grid may have any size. The first crossword that is found is the result, or
    with `compact` the smallest of many. With `grid`, the tiles are added to a crossword, of which as few tiles as
    possible move: first none, then those of a word, then of a few words, then all.

    Parameters
    ----------
    tiles : str
        The 1 to 144 tiles, such as ``aaeeinnrstt?``, with ``?`` for a blank. ``13a 3b`` are thirteen a and three b;
        spaces and commas are ignored.
    compact : bool, default False
        Look for a grid with few rows and columns together, and of these for a small one.
    grid : str, optional
        Crossword to which the tiles are added: rows separated by ``/`` or line breaks, with ``.`` for empty cells.
    tries : int, default 50
        Number of times that the search is started, 1 to 10^6: until there is a crossword, or with `compact` always.
    variant : Free, optional
        The words that count, and the rules. By default those of Bananagrams.
    seed : int, optional
        Seed of all random choices, 0 to 2^64 - 1. By default a random one, which the result has.
    time_limit : float, optional
        Stop after this many seconds and return the best result so far. Compiling kernels and building tables does not
        count.
    progress : callable, optional
        Called with the number of tries that are done.

    Returns
    -------
    Arrangement
        The crossword. If none was found, there may be one all the same, unless `unsolvable` names letters.

    Raises
    ------
    BadInput
        If `tiles` are no tiles, `grid` is no crossword, `compact` is given with `grid`, or a number is out of range.
    WrongSolution
        If a crossword breaks the rules, which would be a fault of gpusolve.

    Examples
    --------
    ``gpusolve qless arrange aaddeeegiiilnnoorrstt --seed 1``

    >>> len(arrange("13a 18e 3b 8n 2q 6u 9t", seed=1).grid.letters)
    59
    """
    begin = clock.now()
    check_type("variant", variant, Variant)
    check_type("compact", compact, bool)
    tries = check_integer("tries", tries, 1, MOST_TRIES)
    if time_limit is not None:
        check_number("time_limit", time_limit, 0, float("inf"))
    seed = random_seed() if seed is None else check_seed(seed)
    added, given = parse_tiles(tiles), None
    search = _Search(variant, seed, begin + (float("inf") if time_limit is None else time_limit))
    if grid is not None:
        check_type("grid", grid, str)
        if compact:
            raise BadInput("compact: expected no grid with it, because a compact crossword keeps none")
        given = _given(parse_grid(grid), len(added), variant)
    every = "".join(sorted(added + (given.letters if given else "")))
    unsolvable, found, moved = search.in_no_word(every), None, None if given is None else len(given.letters)
    if not unsolvable and given is not None:
        found, moved = search.keeping(given, added)
    if not unsolvable and found is None:
        found = search.from_nothing(every, tries, compact, progress)
    result = None if found is None else grid_of(found)
    blanks = "" if result is None else _replayed(result, every, variant)
    doubtful = variant.doubtful(result.runs if result else ())
    stopped = compact and not unsolvable and search.tries < tries
    return Arrangement(
        every, result, blanks, moved, doubtful, unsolvable, search.tries, stopped, seed, clock.now() - begin
    )


class _Search:
    """The search with the words of a variant, which starts again and again with other random numbers."""

    def __init__(self, variant: Variant, seed: int, deadline: float) -> None:
        self._variant, self._seed, self._deadline = variant, seed, deadline
        self.tries = 0
        with clock.building:
            self._letters, self._table = variant.anagrams.letters, variant.known_words
            _ = variant.words, variant.doubtful(())  # reads the lists with which words are compared

    def in_no_word(self, tiles: str) -> str:
        """Return the tiles that are in no word which all tiles together spell, each once."""
        words = self._letters[self._spelled(_counts(tiles), 0)]
        having = set(np.unique(words[words < len(_ALPHABET)]).tolist())
        if not having:
            return "".join(sorted(set(tiles)))
        return "".join(sorted({tile for tile in tiles if tile != BLANK and _ALPHABET.index(tile) not in having}))

    def from_nothing(self, tiles: str, tries: int, compact: bool, progress: Callable[[int], None]) -> Cells | None:
        """Return a crossword of tiles, with `compact` the smallest of those that are found."""
        usable = self._spelled(_counts(tiles), CROSSINGS)
        best, most, begin = None, NO_MEASURE, self.tries
        for _ in range(tries):
            if self.tries and clock.now() >= self._deadline:
                break
            found = self._try({}, tiles, usable, STATES_IF_COMPACT if compact else STATES, compact, most)
            progress(self.tries - begin)
            if found is not None:
                best = found
                if not compact:
                    break
                most = _measure(found)
        return best

    def keeping(self, given: Grid, added: str) -> tuple[Cells | None, int]:
        """Return a crossword with the tiles of a grid and others, and how many of its tiles are elsewhere in it."""
        cells = given.cells
        for removed in _removals(given, self._variant):
            if self.tries and clock.now() >= self._deadline:
                break
            tiles = added + "".join(cells[cell] for cell in removed)
            kept = {cell: letter for cell, letter in cells.items() if cell not in removed}
            usable = self._spelled(_counts(tiles), CROSSINGS)
            found = self._try(kept, tiles, usable, STATES_IF_KEPT, False, NO_MEASURE)
            if found is not None:
                return found, sum(found.get(cell) != letter for cell, letter in cells.items())
        return None, len(cells)

    def _spelled(self, tiles: npt.NDArray[np.int64], more: int) -> npt.NDArray[np.int32]:
        found = np.empty(len(self._letters), np.int32)
        return found[: spelled(self._letters, tiles, more, found)].copy()

    def _try(
        self, kept: Cells, tiles: str, usable: npt.NDArray[np.int32], states: int, compact: bool, most: int
    ) -> Cells | None:
        """Start the search once, from cells that are kept, and return the cells of the crossword, if it finds one."""
        variant, cells = self._variant, np.zeros((SIDE, SIDE), np.uint8)
        up, back = (SIDE // 2 - max(each, default=0) // 2 for each in (zip(*kept, strict=True) if kept else ((), ())))
        for (row, column), letter in kept.items():
            cells[up + row, back + column] = _ALPHABET.index(letter) + 1
        seed = np.uint64(mix(self._seed + GOLDEN * self.tries & 2**64 - 1))
        self.tries += 1
        done = add_tiles(
            self._letters, *self._table, usable, _counts(tiles), cells.reshape(-1), variant.min_length,
            variant.allow_touching, variant.no_repeats, compact, most, seed, states,
        )  # fmt: skip
        if done != 1:
            return None
        where = zip(*np.nonzero(cells), strict=True)
        found = {(int(i) - up, int(j) - back): _ALPHABET[cells[i, j] - 1] for i, j in where}
        if variant.no_repeats and len(set(runs := grid_of(found).runs)) < len(runs):
            return None  # single tiles have made the same word twice
        return found


def _counts(tiles: str) -> npt.NDArray[np.int64]:
    """Return how often each letter occurs, and then blanks: int64, shape (27,)."""
    return np.array([tiles.count(letter) for letter in _ALPHABET + BLANK], np.int64)


def _measure(cells: Cells) -> int:
    """Return what a compact grid has little of: rows and columns together, then their product."""
    height, width = (max(line) - min(line) + 1 for line in zip(*cells, strict=True))
    return int((height + width) * LINE + height * width)


def _removals(given: Grid, variant: Variant) -> Iterator[frozenset[Cell]]:
    """Yield cells of a grid that can be taken up so that a crossword remains, few first: those of no word to a few.

    A cell is taken up with the last word that it is in.
    """
    yield frozenset()
    runs = _runs(given)
    sets = set()
    for together in range(1, MOST_TOGETHER + 1):
        for taken in combinations(range(len(runs)), together):
            others = set().union(*(runs[i] for i in range(len(runs)) if i not in taken))
            sets.add(frozenset(set().union(*(runs[i] for i in taken)) - others))
        if len(sets) > MOST_STARTS:
            break
    few_first = sorted(sets - {frozenset()}, key=lambda each: (len(each), sorted(each)))
    for removed in few_first[:MOST_STARTS]:
        rest = {cell: letter for cell, letter in given.cells.items() if cell not in removed}
        if rest and _broken(part := grid_of(rest), part.letters, variant) is None:
            yield removed


def _runs(grid: Grid) -> list[set[Cell]]:
    """Return the cells of each run of two or more letters."""
    cells, runs = grid.cells, []
    for down, right in ((0, 1), (1, 0)):
        for i, j in cells:
            if (i - down, j - right) not in cells:
                run = {(i, j)}
                while (i + len(run) * down, j + len(run) * right) in cells:
                    run.add((i + len(run) * down, j + len(run) * right))
                if len(run) > 1:
                    runs.append(run)
    return runs


def _given(grid: Grid, more: int, variant: Variant) -> Grid:
    """Return a grid to which tiles are added. Raises BadInput if it breaks a rule, or if there are too many tiles."""
    letters = grid.letters
    if len(letters) + more > MOST_TILES:
        raise BadInput(f"tiles: {more:,} and {len(letters):,} on the grid: expected at most {MOST_TILES} in all")
    if (rule := _broken(grid, letters, variant)) is not None:
        raise BadInput(f"grid: {rule}")
    return grid


def _broken(grid: Grid, letters: str, variant: Variant) -> str | None:
    return broken_rule(
        grid,
        letters,
        variant.words,
        min_length=variant.min_length,
        allow_touching=variant.allow_touching,
        no_repeats=variant.no_repeats,
    )


def _replayed(grid: Grid, tiles: str, variant: Variant) -> str:
    """Return the letters of the blanks. Raises WrongSolution if a grid breaks a rule or has other tiles."""
    blanks = blanks_of(grid.letters, tiles)
    if blanks is None or _broken(grid, grid.letters, variant) is not None:
        raise WrongSolution(f"{tiles}: the search returned {'/'.join(grid.rows)}, which breaks the rules")
    return blanks
