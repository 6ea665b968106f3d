"""Permutation puzzles and their pattern databases, compared with plain breadth-first searches."""

from __future__ import annotations

import heapq
from itertools import permutations
from typing import Any, TypeAlias

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from gpusolve.backend import Backend
from gpusolve.errors import BadInput
from gpusolve.search.a_star import a_star
from gpusolve.search.bidirectional import bidirectional
from gpusolve.search.deepening import ida_star
from gpusolve.search.permutations.automaton import find_automaton
from gpusolve.search.permutations.database import build_database, number_of
from gpusolve.search.permutations.kernels import PROGRAM
from gpusolve.search.permutations.puzzle import PermutationPuzzle
from gpusolve.testing.checks import check_twins

State: TypeAlias = tuple[int, ...]


def least_costs(moves: list[list[int]], costs: list[int], sources: list[State], back: bool = False) -> dict[State, int]:
    """Return the least cost from the sources to each placement (or back to them), by Dijkstra's algorithm."""
    if back:
        moves = [[row.index(place) for place in range(len(row))] for row in moves]
    heap, found = [(0, source) for source in sources], dict[State, int]()
    while heap:
        cost, state = heapq.heappop(heap)
        if state in found:
            continue
        found[state] = cost
        for row, price in zip(moves, costs, strict=True):
            heapq.heappush(heap, (cost + price, tuple(row[place] for place in state)))
    return found


@st.composite
def rules(draw: st.DrawFn, most_places: int = 6) -> tuple[list[list[int]], list[int]]:
    """Draw moves and their costs. Not every place need be reachable, nor every move undone by another."""
    places = draw(st.integers(1, most_places))
    moves = draw(st.lists(st.permutations(range(places)), min_size=1, max_size=4))
    most = draw(st.sampled_from([1, 3]))
    return [[*row] for row in moves], draw(st.lists(st.integers(1, most), min_size=len(moves), max_size=len(moves)))


def test_the_twins_agree_on_names_and_shapes() -> None:
    check_twins(PROGRAM)


@given(st.integers(1, 6), st.integers(1, 6))
def test_placements_are_numbered_without_gaps(places: int, kept: int) -> None:
    numbers = [number_of(placement, places) for placement in permutations(range(places), min(kept, places))]
    assert numbers == list(range(len(numbers)))


@given(rules(), st.data())
def test_a_database_has_the_least_cost_of_every_placement(
    backend: Backend, made: tuple[list[list[int]], list[int]], data: st.DataObject
) -> None:
    moves, costs = made
    places = len(moves[0])
    kept = data.draw(st.lists(st.integers(0, places - 1), min_size=1, max_size=places, unique=True))
    database = build_database(moves, kept, costs=costs, backend=backend)
    truth = least_costs(moves, costs, [tuple(kept)], back=True)
    table = backend.to_host(database.table)
    for number, placement in enumerate(permutations(range(places), len(kept))):
        assert table[number] == truth.get(placement, 255)
    values = [*truth.values()]
    assert database.counts.tolist() == [values.count(cost) for cost in range(max(values) + 1)]


@given(rules(), st.data())
def test_estimates_are_those_of_the_databases(
    backend: Backend, made: tuple[list[list[int]], list[int]], data: st.DataObject
) -> None:
    moves, costs = made
    places = len(moves[0])
    state = st.permutations(range(places))
    goal = data.draw(state)
    kept = data.draw(
        st.lists(st.lists(st.integers(0, places - 1), min_size=1, max_size=3, unique=True), min_size=1, max_size=2)
    )
    databases = [build_database(moves, some, costs=costs, backend=backend) for some in kept]
    puzzle = PermutationPuzzle(moves, range(places), goal=goal, costs=costs, databases=databases, backend=backend)
    states = data.draw(st.lists(state, min_size=1, max_size=5))
    columns = backend.asarray(np.array(states, np.uint8).T)
    truths = [least_costs(moves, costs, [tuple(some)], back=True) for some in kept]

    def estimate(places_of: list[int]) -> int:
        return max(truth.get(tuple(places_of[goal.index(place)] for place in some), 255)
                   for some, truth in zip(kept, truths, strict=True))  # fmt: skip

    assert puzzle.heuristic(columns).tolist() == [min(254, estimate(one)) for one in states]
    assert puzzle.surplus is not None
    assert puzzle.automaton is not None
    children = [[[row[place] for place in one] for row in moves] for one in states]
    allowed = backend.to_host(puzzle.automaton)
    room = data.draw(st.lists(st.integers(-3, 12), min_size=len(states), max_size=len(states)))
    at = data.draw(st.lists(st.integers(0, len(allowed) - 1), min_size=len(states), max_size=len(states)))
    given = (backend.asarray(np.array(numbers, np.int32)) for numbers in (room, at))
    assert puzzle.surplus(columns, *given).tolist() == [
        [min(254, max(0, cost + estimate(child) - left)) if allowed[node, move] >= 0 else 255
         for move, (cost, child) in enumerate(zip(costs, row, strict=True))]
        for left, node, row in zip(room, at, children, strict=True)
    ]  # fmt: skip
    parents, numbers = np.divmod(np.arange(len(states) * len(moves)), len(moves))
    made_states = puzzle.make(
        columns, backend.asarray(parents.astype(np.int32)), backend.asarray(numbers.astype(np.uint16))
    )
    assert backend.to_host(made_states).T.tolist() == [child for row in children for child in row]
    assert puzzle.costs(columns).tolist() == [costs] * len(states)


@given(rules(5))
def test_the_automaton_leaves_a_cheapest_path_to_every_state(made: tuple[list[list[int]], list[int]]) -> None:
    moves, costs = made
    table = find_automaton(np.array(moves, np.uint8), costs)
    start = tuple(range(len(moves[0])))
    truth = least_costs(moves, costs, [start])
    found: dict[State, int] = {}
    heap, seen = [(0, start, 0)], set()
    while heap:
        cost, state, node = heapq.heappop(heap)
        if (state, node) in seen:
            continue
        seen.add((state, node))
        found.setdefault(state, cost)
        for move, following in enumerate(table[node].tolist()):
            if following >= 0:
                heapq.heappush(heap, (cost + costs[move], tuple(moves[move][place] for place in state), following))
    assert found == truth


def test_the_automaton_forbids_what_other_moves_do_as_well() -> None:
    """Of TopSpin(12,4): a turn twice, and distant turns in both orders."""
    table = find_automaton(np.array(turns(12, 4), np.uint8), [1] * 12)
    assert table.shape == (1 + 12 + 12 * 11 - 30, 12), table.shape
    assert all(table[table[0, move], move] == -1 for move in range(12))
    assert (table[table[0, 5], 0], table[table[0, 0], 5] >= 0) == (-1, True)


def turns(places: int, width: int) -> list[list[int]]:
    """Return the moves of TopSpin: each reverses `width` neighbouring places of a ring."""
    moves = []
    for first in range(places):
        row = list(range(places))
        for i in range(width):
            row[(first + i) % places] = (first + width - 1 - i) % places
        moves.append(row)
    return moves


def flips(places: int) -> list[list[int]]:
    """Return the moves of pancakes: each reverses the first places."""
    return [[*range(size - 1, -1, -1), *range(size, places)] for size in range(2, places + 1)]


SMALL = {
    "pancakes": (flips(5), [1, 1, 1, 1], [[0, 1], [3, 4]], []),
    "pancakes by weight": (flips(5), [2, 3, 4, 5], [[0, 1], [3, 4]], []),
    "TopSpin(5,3)": (turns(5, 3), [1] * 5, [[0, 1]], [[(place + 2) % 5 for place in range(5)]]),
    "one way": ([[1, 2, 3, 4, 0], [1, 0, 2, 3, 4]], [1, 2], [[0, 1]], []),
    "not connected": ([[1, 2, 0, 3]], [1], [[0]], []),
}  # fmt: skip


@pytest.mark.parametrize("name", SMALL)
def test_every_start_is_solved_at_the_least_cost(name: str) -> None:
    """Also those that no path leads to: A* and the search from both sides prove it."""
    moves, costs, kept, symmetries = SMALL[name]
    places = len(moves[0])
    databases = [build_database(moves, some, costs=costs, backend="cpu") for some in kept]
    truth = least_costs(moves, costs, [tuple(range(places))], back=True)
    for start in permutations(range(places)):
        puzzle = PermutationPuzzle(moves, start, costs=costs, databases=databases, symmetries=symmetries)
        for search in (a_star, bidirectional, ida_star):
            bounded = {"bound": 25} if search is ida_star else {}
            solution = search(puzzle, batch=3, **bounded)  # type: ignore[arg-type]
            assert solution.cost == truth.get(start)
            assert solution.proven or (search is ida_star and start not in truth)
            place = start
            for move in solution.moves or []:
                place = tuple(moves[move][p] for p in place)
            assert solution.moves is None or place == tuple(range(places))


@settings(max_examples=25)
@given(
    st.sampled_from(["pancakes", "pancakes by weight"]), st.permutations(range(5)), st.permutations(range(5)), st.data()
)
def test_any_admissible_heuristic_gives_the_least_cost(
    name: str, start: list[int], goal: list[int], data: st.DataObject
) -> None:
    """The true cost less a random part, so that the heuristics are far from consistent and in part very good."""
    moves, costs, _, _ = SMALL[name]
    parts = data.draw(st.tuples(st.integers(0, 2**32), st.floats(0, 1)))
    random = np.random.default_rng(parts[0])
    truths = [least_costs(moves, costs, [tuple(state)]) for state in (goal, start)]  # moves undo themselves
    guesses = [
        {
            state: cost if random.random() < parts[1] else int(random.integers(0, cost + 1))
            for state, cost in truth.items()
        }
        for truth in truths
    ]

    class Guessing(PermutationPuzzle):
        is_consistent = False

        def __init__(self, start: list[int], goal: list[int], guess: int) -> None:
            super().__init__(moves, start, goal=goal, costs=costs)
            self.guess = guess

        def heuristic(self, states: np.ndarray) -> np.ndarray:
            return np.array([guesses[self.guess][tuple(state)] for state in states.T.tolist()], np.int32)

        @property
        def inverse(self) -> Guessing:
            return Guessing(goal, start, 1)

    puzzle = Guessing(start, goal, 0)
    for search in (a_star, bidirectional, ida_star):
        solution = search(puzzle, batch=data.draw(st.sampled_from([1, 4])))
        assert (solution.cost, solution.proven) == (truths[0][tuple(start)], True)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"moves": [[0, 0]]}, r"move 0: \[0, 0\]: expected each of the places 0 to 1 once"),
        ({"moves": []}, r"moves of shape \(0,\): expected 1 to 256 moves"),
        ({"moves": [list(range(33))]}, "expected 1 to 256 moves of 1 to 32 places"),
        ({"start": [0, 0]}, r"start \[0, 0\]: expected each of the places"),
        ({"goal": [1]}, r"goal \[1\]: expected each of the places"),
        ({"costs": [0]}, "cost 0: expected a whole number, 1 to 254"),
        ({"costs": [1, 1]}, "2 costs: expected one for each of 1 moves"),
        ({"databases": [build_database([[0, 1]], [0], backend="cpu")]}, "built with other moves or costs"),
    ],
)  # fmt: skip
def test_bad_input_is_refused(given: dict[str, object], message: str) -> None:
    arguments = {"moves": [[1, 0]], "start": [1, 0], **given}
    with pytest.raises(BadInput, match=message):
        PermutationPuzzle(**arguments)  # type: ignore[arg-type]


def test_symmetries_must_keep_the_moves() -> None:
    database = build_database(flips(4), [0, 1], backend="cpu")
    with pytest.raises(BadInput, match=r"symmetry \[1, 2, 3, 0\]: expected one that turns moves into moves"):
        PermutationPuzzle(flips(4), range(4), databases=[database], symmetries=[[1, 2, 3, 0]])


def test_databases_have_limits() -> None:
    for kept, message in (([0, 0], "different places"), ([], "1 to 16 different places"), ([4], "kept 4: expected")):
        with pytest.raises(BadInput, match=message):
            build_database(flips(4), kept, backend="cpu")
    with pytest.raises(BadInput, match="expected 1 to 16 different places"):
        build_database(flips(20), range(17), backend="cpu")
    with pytest.raises(BadInput, match="entries, expected at most 17,179,869,184"):
        build_database(flips(32), range(8), backend="cpu")
    with pytest.raises(BadInput, match="costs above 254: expected fewer pieces, or cheaper moves"):
        build_database(flips(4), [0, 1, 2], costs=[200] * 3, backend="cpu")


def test_the_largest_puzzle_has_the_bits_it_needs(backend: Backend) -> None:
    """32 places: the last bit of a set of places, and pieces in it."""
    turn = [[*range(29), 31, 29, 30]]
    database = build_database(turn, [31, 30], backend=backend)
    assert database.counts.tolist() == [1, 1, 1]
    puzzle = PermutationPuzzle(turn, [*range(29), 31, 29, 30], databases=[database], backend=backend)
    assert ida_star(puzzle).moves == a_star(puzzle).moves == [0, 0]


def test_a_database_can_keep_every_piece(backend: Backend) -> None:
    database = build_database(flips(6), range(6), backend=backend)
    assert database.counts.tolist() == [1, 5, 20, 79, 199, 281, 133, 2]  # OEIS A092113: the most flips are 7
    assert "720 placements, cost up to 7" in repr(database)


@pytest.mark.parametrize("search", [a_star, bidirectional])
def test_a_search_ends_at_its_memory_with_a_bound(search: Any) -> None:
    """Nine pancakes that need ten flips, without a heuristic: a MiB holds about 15,000 of 362,880 states."""
    puzzle = PermutationPuzzle(flips(9), [3, 1, 6, 8, 4, 2, 0, 5, 7])
    whole, cut = search(puzzle), search(puzzle, memory=1)
    assert whole.proven
    assert 0 < cut.expanded < 20_000
    assert cut.lower_bound <= whole.cost
    assert not cut.proven or search is bidirectional
