"""The automaton: the published numbers of strings and states, the strings of a plain search, no optimal length lost."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import product
from math import factorial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from games.sliding.automata.clean_ups import choose_strings
from games.sliding.automata.exhaustive import boards_lost
from gpusolve.errors import BadInput
from gpusolve.games.sliding import rules
from gpusolve.games.sliding.automata._automaton import Automaton, automaton
from gpusolve.games.sliding.automata.graphs import ORDERS, Choice, graphs_of, text_of
from gpusolve.games.sliding.automata.strings import strings_of_length
from gpusolve.games.sliding.automata.trie import transitions
from gpusolve.runs import store
from recorded import recorded

CHOICES: tuple[Choice, ...] = ("first", "smallest", "square")


@pytest.fixture(autouse=True, scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GPUSOLVE_TABLES", str(tmp_path_factory.mktemp("tables")))
        yield


@pytest.mark.parametrize(
    ("depth", "strings", "states", "factors"),
    [(2, 4, 5, (2.36762, 2.34108, 2.39446)), (14, 18_414, 65_558, (2.24915, 2.22317, 2.27542))],
)
def test_strings_states_and_branching_factors_are_the_published_ones(
    depth: int, strings: int, states: int, factors: tuple[float, ...]
) -> None:
    computed = automaton(rows=5, columns=5, depth=depth, choice="smallest")
    assert (computed.count, computed.states) == (strings, states)
    assert [round(factor, 5) for factor in (computed.branching_factor, *computed.branching_factors)] == list(factors)


def test_strings_and_states_of_each_depth() -> None:
    sizes = [(2, 2, 12), (3, 3, 12), (3, 4, 11), (4, 4, 11), (5, 5, 11)]

    def make() -> dict[str, list[list[int]]]:
        return {
            f"{rows}x{columns} {choice}": [
                [depth, computed.count, computed.states]
                for depth in range(2, deepest + 1)
                if (computed := automaton(rows=rows, columns=columns, depth=depth, choice=choice))
            ]
            for rows, columns, deepest in sizes
            for choice in CHOICES
        }

    assert make() == recorded("sliding/automata", make)


@pytest.mark.thorough
def test_nodes_are_counted_as_by_a_plain_walk() -> None:
    for choice in CHOICES:
        computed = automaton(rows=3, columns=3, depth=4, choice=choice)
        for square in (0, 1, 4):
            assert (
                computed.nodes(9, square).tolist()
                == np.cumsum([len(walk(computed, square, n)) for n in range(10)]).tolist()
            )


def walk(computed: Automaton, square: int, length: int) -> list[str]:
    """All strings of a length that the automaton allows."""
    strings = []
    for moves in product(range(4), repeat=length):
        state, cell = int(computed.starts[square if len(computed.starts) > 1 else 0]), square
        for move in moves:
            beside = rules.neighbour(computed.rows, computed.columns, cell, rules.MOVES[move])
            state = int(computed.table[state, move]) if beside is not None and state >= 0 else -1
            cell = cell if beside is None else beside
        if state >= 0:
            strings.append("".join(rules.MOVES[move] for move in moves))
    return strings


@pytest.mark.parametrize("choice", CHOICES)
@pytest.mark.parametrize(("rows", "columns", "depth"), [(2, 2, 12), (3, 3, 9), (2, 4, 10), (5, 5, 6)])
def test_strings_are_those_of_a_plain_search(rows: int, columns: int, depth: int, choice: Choice) -> None:
    computed = automaton(rows=rows, columns=columns, depth=depth, choice=choice)
    texts = [{text_of(int(code), choice) for code in codes} for codes in computed.strings]
    assert texts == plain_strings(rows, columns, depth, choice)
    assert computed.count == sum(map(len, texts))


def plain_strings(rows: int, columns: int, depth: int, choice: Choice) -> list[set[str]]:
    """The forbidden strings, per square or for all squares, by the definition in the docstring of `strings`."""
    squares = list(range(rows * columns)) if choice == "square" else [0]
    forbidden: list[set[str]] = [set() for _ in squares]
    kept = [[""] for _ in squares]
    level = kept
    for _ in range(depth):
        grown: list[list[str]] = []
        bad: list[set[str]] = []
        for square, strings in zip(squares, level, strict=True):
            candidates = []
            for string in (string + move for string in strings for move in "UDLR"):
                played = [play(string[:i], rows, columns, square, choice) for i in range(len(string) + 1)]
                cells = [end[0] if end and choice == "square" else 0 for end in played]
                if played[-1] and not any(string[i:] in forbidden[cells[i]] for i in range(len(string))):
                    candidates.append(string)
            alike: dict[Any, list[str]] = {}
            for string in kept[square] + candidates:
                alike.setdefault(play(string, rows, columns, square, choice)[1], []).append(string)  # type: ignore[index]
            bad.append(set())
            for string in candidates:
                tiles, box = play(string, rows, columns, square, choice)[1:]  # type: ignore[index]
                for other in alike[tiles]:
                    inner = play(other, rows, columns, square, choice)[2]  # type: ignore[index]
                    before = shortlex(other, choice) < shortlex(string, choice)
                    within = all(a <= b for a, b in zip(inner, box, strict=True))
                    if within and (before or (choice == "smallest" and inner != box)):
                        bad[-1].add(string)
            grown.append([string for string in candidates if string not in bad[-1]])
        kept = [old + new for old, new in zip(kept, grown, strict=True)]
        forbidden = [old | new for old, new in zip(forbidden, bad, strict=True)]
        level = grown
    return forbidden


def shortlex(string: str, choice: Choice) -> tuple[int, list[int]]:
    return len(string), [ORDERS[choice].index(move) for move in string]


@cache
def play(
    string: str, rows: int, columns: int, square: int, choice: Choice
) -> tuple[int, tuple[int, ...], tuple[int, ...]] | None:
    """The blank, the tiles and the extents of the box after a string; None if it leaves the board or its size."""
    boxed = choice != "square"
    height, width = (2 * rows - 1, 2 * columns - 1) if boxed else (rows, columns)
    start = cell = height * width // 2 if boxed else square
    tiles, path = list(range(height * width)), [start]
    for move in string:
        beside = rules.neighbour(height, width, cell, move)
        if beside is None:
            return None
        tiles[cell], tiles[beside] = tiles[beside], start
        cell = beside
        path.append(cell)
    vertical = [cell // width - start // width for cell in path]
    horizontal = [cell % width - start % width for cell in path]
    if boxed and (max(vertical) - min(vertical) >= rows or max(horizontal) - min(horizontal) >= columns):
        return None
    box = (-min(vertical), max(vertical), -min(horizontal), max(horizontal)) if boxed else ()
    return cell, tuple(tiles), box


@pytest.mark.parametrize("choice", CHOICES)
@pytest.mark.parametrize(("rows", "columns", "square"), [(2, 4, 0), (2, 4, 1), (2, 4, 6), (3, 3, 4)])
def test_no_optimal_length_is_lost(rows: int, columns: int, square: int, choice: Choice) -> None:
    """Tested for all boards of a size, with the automaton of that size and with one of a larger size."""
    boards = factorial(rows * columns) // 2
    assert boards_lost(rows, columns, square, automaton(rows=rows, columns=columns, depth=14, choice=choice)) == (
        0,
        boards,
    )
    if choice == "first":
        assert boards_lost(rows, columns, square, automaton(rows=5, columns=5, depth=14, choice=choice)) == (0, boards)


@pytest.mark.parametrize("choice", CHOICES)
@pytest.mark.parametrize("depth", [13, 14, 15, 16, 17])
def test_no_optimal_length_of_the_8_puzzle_is_lost(depth: int, choice: Choice) -> None:
    computed = automaton(rows=3, columns=3, depth=depth, choice=choice)
    assert [boards_lost(3, 3, square, computed) for square in range(9)] == [(0, 181_440)] * 9


TURNED = str.maketrans("UDLR", "DURL")
"""Among strings with equal boxes, the published way permits what ours permits on a board turned by 180 degrees."""


@pytest.mark.parametrize(
    ("rows", "columns", "depth"), [(3, 3, 14), (5, 5, 9), pytest.param(5, 5, 12, marks=pytest.mark.thorough)]
)
def test_without_clean_ups_the_published_way_chooses_our_strings(rows: int, columns: int, depth: int) -> None:
    chosen = choose_strings(rows, columns, depth)
    strings = {
        text_of(int(code), "smallest")
        for code in automaton(rows=rows, columns=columns, depth=depth, choice="smallest").strings[0]
    }
    assert {string.translate(TURNED) for string in chosen.strings} == strings
    assert chosen.lost == []


@pytest.mark.thorough
def test_clean_ups_forbid_groups_entirely_and_lose_optimal_solutions() -> None:
    """A clean-up after every 100 strings forbids all strings of ten groups, each of which has at least three."""
    ours = automaton(rows=3, columns=3, depth=16, choice="smallest")
    chosen = choose_strings(3, 3, 16, room=100)
    assert (len(chosen.strings), ours.count) == (1_956, 1_946)
    assert len(chosen.lost) == 10
    ranks = {move: rank for rank, move in enumerate(ORDERS["smallest"])}
    codes = sorted(int("1" + "".join(f"{ranks[move]:02b}" for move in string), 2) for string in chosen.strings)
    table, starts = transitions([np.array(codes, np.uint64)], graphs_of(3, 3, "smallest"))
    theirs = replace(ours, table=np.ascontiguousarray(table[:, [ranks[move] for move in rules.MOVES]]), starts=starts)
    assert [boards_lost(3, 3, square, theirs)[0] for square in range(9)] == [0, 2, 0, 2, 10, 2, 0, 2, 0]


@pytest.mark.thorough
def test_clean_ups_forbid_a_group_of_fifteen_moves_entirely() -> None:
    assert choose_strings(4, 3, 15, room=100).lost == [["RDDDLUURULLDRDD", "DDRDLLURUULDDDR", "LDDRRULDLURRDDL"]]


@pytest.mark.slow
@pytest.mark.parametrize("choice", CHOICES)
@pytest.mark.parametrize("square", range(12))
def test_no_optimal_length_of_the_11_puzzle_is_lost(square: int, choice: Choice) -> None:
    assert boards_lost(3, 4, square, automaton(rows=3, columns=4, depth=14, choice=choice)) == (0, 239_500_800)


def test_a_wrongly_forbidden_string_is_noticed() -> None:
    computed = automaton(rows=2, columns=3, depth=6)
    table = computed.table.copy()
    table[int(table[0, 0]), 2] = -1
    assert boards_lost(2, 3, 4, replace(computed, table=table))[0] > 0


def test_strings_are_kept_and_longer_ones_added_to_them(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GPUSOLVE_TABLES", str(tmp_path))
    lengths: list[int] = []
    first = automaton(rows=4, columns=4, depth=8, progress=lengths.append)
    deeper = automaton(rows=4, columns=4, depth=10, progress=lengths.append)
    again = automaton(rows=4, columns=4, depth=8, progress=lengths.append)
    assert lengths == list(range(2, 11))
    assert (again.count, again.table.tolist()) == (first.count, first.table.tolist())
    assert deeper.count > first.count
    assert store.paths() == [deeper.file]
    deeper.file.write_bytes(deeper.file.read_bytes()[:-100])
    assert automaton(rows=4, columns=4, depth=10, progress=lengths.append).count == deeper.count
    assert lengths == [*range(2, 11), *range(2, 11)]


def test_a_time_limit_ends_the_search_for_longer_strings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GPUSOLVE_TABLES", str(tmp_path))
    computed = automaton(rows=5, columns=5, depth=14, time_limit=0)
    assert not computed.complete
    assert computed.depth < 14


def test_a_filter_that_is_too_small_for_all_states_changes_nothing() -> None:
    graphs = graphs_of(5, 5, "first")
    shorter = [codes[codes < 4**11 * 2] for codes in automaton(rows=5, columns=5, depth=12).strings]
    whole = strings_of_length(12, shorter, graphs, choice="first")
    parts = strings_of_length(12, shorter, graphs, choice="first", memory=1 << 14)
    assert len(whole[0]) == 2132
    assert np.array_equal(whole[0], parts[0])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"rows": 6, "columns": 5}, "6x5 is 30 cells"),
        ({"depth": 1}, "depth 1: expected a whole number, 2 to 23"),
        ({"depth": 24}, "depth 24"),
        ({"choice": "last"}, "choice last: expected one of first, smallest, square"),
        ({"time_limit": -1}, "time_limit -1"),
    ],
)
def test_bad_input(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        automaton(**arguments)
