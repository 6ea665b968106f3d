"""Crosswords of up to 144 tiles."""

from __future__ import annotations

import json
import random
from collections import Counter

import pytest

from gpusolve.errors import BadInput, Exit, WrongSolution
from gpusolve.games.qless import Free, Grid, Variant, arrange, check
from gpusolve.games.qless.larger import _arrange
from gpusolve.games.qless.larger.tiles import blanks_of
from gpusolve.games.qless.rules import broken_rule, parse_grid
from gpusolve.testing.plugin import Run

BAG = "13a3b3c6d18e3f4g3h12i2j2k5l3m8n11o3p2q9r6s9t6u3v3w2x3y2z"
"""The 144 tiles of Bananagrams."""
EVERY = arrange(BAG, seed=1).tiles
FREE = Free()


def hands(count: int, number: int, seed: int) -> list[str]:
    chance = random.Random(seed)
    return ["".join(chance.sample(EVERY, count)) for _ in range(number)]


def fault(grid: Grid | None, tiles: str, variant: Free = FREE) -> str | None:
    """Return what is wrong with a grid by the plain rules."""
    if grid is None:
        return "none was found"
    if blanks_of(grid.letters, "".join(sorted(tiles))) is None:
        return f"it has the letters {grid.letters}"
    words = set(variant.anagrams.words)
    return broken_rule(grid, grid.letters, words, min_length=variant.min_length, no_repeats=variant.no_repeats)


@pytest.mark.parametrize(("count", "number"), [(16, 20), (21, 20), (60, 5), (144, 2)])
def test_hands_of_bananagrams_are_arranged_in_a_crossword(count: int, number: int) -> None:
    faults = {tiles: fault(arrange(tiles, seed=1).grid, tiles) for tiles in hands(count, number, seed=count)}
    assert set(faults.values()) <= {None, "none was found"}
    assert sum(each is not None for each in faults.values()) <= number // 20  # a few small hands have no crossword


@pytest.mark.parametrize("variant", [Free(min_length=3), Free(no_repeats=True), Free(common=True)])
def test_the_rules_of_a_variant_hold(variant: Free) -> None:
    for tiles in hands(21, 5, seed=7):
        assert fault(arrange(tiles, variant=variant, seed=1).grid, tiles, variant) is None, tiles


def test_blanks_stand_for_letters_that_are_reported() -> None:
    for tiles in ("??", "q?", "zzzz????", "aeinrst???????"):
        found = arrange(tiles, seed=1)
        assert fault(found.grid, tiles) is None
        assert len(found.blanks) == tiles.count("?")
        assert found.grid is not None
        assert Counter(found.grid.letters) == Counter(tiles.replace("?", "") + found.blanks)


def test_a_compact_grid_has_fewer_rows_and_columns() -> None:
    for tiles in hands(21, 3, seed=3):
        first, compact = arrange(tiles, seed=1), arrange(tiles, seed=1, compact=True, tries=10)
        assert fault(compact.grid, tiles) is None
        assert compact.rows + compact.columns < first.rows + first.columns
        assert compact.tries == 10


@pytest.mark.parametrize(
    ("grid", "tile", "moved"),
    [
        ("tea/o../...", "n", 0),  # a single tile beside others
        ("tea", "s", 0),
        ("tea", "xqi", 0),  # words that cross
    ],
)
def test_tiles_are_added_to_a_grid_that_stays(grid: str, tile: str, moved: int) -> None:
    found = arrange(tile, grid=grid, seed=1)
    before = parse_grid(grid)
    assert found.moved == moved
    assert fault(found.grid, tile + before.letters) is None
    assert found.grid is not None
    shifts = [(i, j) for i in range(-1, found.rows) for j in range(-1, found.columns)]
    cells = found.grid.cells
    assert any(
        all(cells.get((i + down, j + right)) == letter for (i, j), letter in before.cells.items())
        for down, right in shifts
    )


def test_if_the_grid_cannot_stay_few_of_its_tiles_move() -> None:
    words = Free(["tea", "eat", "set", "teas", "sat"])
    found = arrange("s", grid="eat", variant=words, seed=1)  # no word has eat and another letter
    assert fault(found.grid, "eats", words) is None
    assert found.moved
    grid = arrange(hands(21, 1, seed=5)[0], seed=1).grid
    assert grid is not None
    for tile in "qzjvx":
        found = arrange(tile, grid=grid.to_json(), seed=1)
        assert fault(found.grid, tile + grid.letters) is None
        assert (found.moved or 0) < 21


def test_peel_after_peel_every_tile_of_the_game_is_added() -> None:
    rest = list(EVERY)
    random.Random(9).shuffle(rest)
    grid = arrange("".join(rest[:21]), seed=1).grid
    moved = 0
    for count in range(21, 60):
        assert grid is not None
        found = arrange(rest[count], grid=grid.to_json(), seed=count)
        grid = found.grid
        assert fault(grid, "".join(rest[: count + 1])) is None
        moved += found.moved or 0
    assert moved < 39 * 10


@pytest.mark.parametrize("tiles", ["a", "zq", "vvvvv", "zzzzzzzzzzzz"])
def test_tiles_without_a_word_have_no_crossword(tiles: str) -> None:
    found = arrange(tiles)
    assert found.grid is None
    assert found.unsolvable
    assert found.exit_code == Exit.NO_SOLUTION


def test_a_search_that_finds_nothing_proves_nothing() -> None:
    found = arrange("rictwsbtfh", tries=3, seed=1)
    assert (found.grid, found.unsolvable, found.tries) == (None, "", 3)
    assert found.exit_code == Exit.STOPPED
    assert arrange("rictwsbtfh", time_limit=0, seed=1).tries == 1
    stopped = arrange("aeinrst", compact=True, tries=1000, time_limit=0, seed=1)
    assert (stopped.stopped, stopped.exit_code, stopped.tries) == (True, 3, 1)
    assert any(
        part.text == "stopped by the time limit after 1 try" for part in stopped.drawing() if hasattr(part, "text")
    )
    assert not arrange("aeinrst", compact=True, tries=2, seed=1).stopped


def test_the_same_seed_gives_the_same_grid() -> None:
    assert arrange(EVERY, seed=5) == arrange(EVERY, seed=5)
    assert arrange(EVERY, seed=5).grid != arrange(EVERY, seed=6).grid


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"grid": "xyz"}, "grid: 'xyz' is not in the dictionary"),
        ({"grid": "tea/.../tea"}, "grid: its words are not all connected"),
        ({"grid": ""}, "grid: it has no letters"),
        ({"grid": "tea", "compact": True}, "compact: expected no grid with it"),
        ({"tries": 0}, "tries 0: expected a whole number, 1 to"),
        ({"seed": -1}, "seed -1"),
        ({"time_limit": -1}, "time_limit -1"),
    ],
)
def test_bad_input_is_refused_in_one_line(options: dict[str, object], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        arrange("tea", **options)  # type: ignore[arg-type]
    with pytest.raises(BadInput, match="144 in all"):
        arrange("142a", grid="tea")


def test_a_wrong_grid_is_not_returned(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(*arguments: object) -> int:
        cells = arguments[5]
        cells[1000:1003] = 1  # type: ignore[index]
        return 1

    monkeypatch.setattr(_arrange, "add_tiles", wrong)
    with pytest.raises(WrongSolution, match="breaks the rules"):
        arrange("tea")


def test_the_command_shows_the_grid_and_what_moved(qless: Run) -> None:
    done = qless("arrange", "n", "--grid", "tea/o..", "--seed", "1")
    assert done.code == 0
    assert done.out.splitlines() == ["t e a", "o n .", "0 tiles of the grid moved"]
    assert "2 rows, 3 columns; seed 1" in done.err
    result = json.loads(qless("arrange", "?ae", "--seed", "1", "--json", "--quiet").out)
    assert result["blanks"]
    assert result["words"]
    done = qless("arrange", "zq")
    assert (done.code, done.out) == (1, "no crossword (proven): no word of these tiles has q z\n")
    done = qless("arrange", "rictwsbtfh", "--tries", "1")
    assert (done.code, done.out) == (3, "no crossword found in 1 try; there may be one (not proven)\n")


def test_a_crossword_of_tiles_passes_the_check_and_a_changed_one_does_not() -> None:
    for tiles in ("aeinrst??", EVERY, "at"):
        found = arrange(tiles, seed=1)
        assert found.grid is not None
        text = "/".join(found.grid.rows)
        verdict = check(text, roll=found.tiles, free=True)
        assert (verdict.legal, verdict.words, verdict.free) == (True, found.words, True)
        assert check(text, roll=found.tiles[:-1] + "z", free=True).legal == (found.tiles[-1] == "z")
    assert check("te/o.", free=True).words == ["te", "to"]
    assert check("te/o.").broken_rule == "'te' has fewer than 3 letters"
    assert check("tea/o..", free=True, variant=Variant(min_length=4)).broken_rule == "'tea' has fewer than 4 letters"
    with pytest.raises(BadInput, match="allow_touching: expected without free"):
        check("te/o.", free=True, variant=Variant(allow_touching=True))
    with pytest.raises(BadInput, match="tiles: 145: expected 1 to 144"):
        check("/".join(["a" * 29] * 5), free=True)
