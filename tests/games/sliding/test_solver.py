"""Optimal solutions: against breadth-first search on small boards, and against published lengths."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import permutations
from multiprocessing import active_children
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gpusolve.backend import Backend, open_backend
from gpusolve.errors import BadInput, NoSolution
from gpusolve.games.sliding import kernels, rules
from gpusolve.games.sliding._scramble import scramble
from gpusolve.games.sliding._solve import solve
from gpusolve.games.sliding.boards import Board
from gpusolve.games.sliding.databases import catalogue
from gpusolve.games.sliding.search import deepening, jobs
from gpusolve.games.sliding.search.jobs import lanes_of
from gpusolve.games.sliding.search.solution import Solution, Status
from gpusolve.runs import checkpoint as checkpoints

PUBLISHED = Path(__file__).parents[4] / "shared" / "data"  # beside the checkout, where it is
FARTHEST = Board(3, 3, (8, 0, 6, 5, 4, 7, 2, 3, 1))


@pytest.fixture(autouse=True, scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> object:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GPUSOLVE_TABLES", str(tmp_path_factory.mktemp("tables")))
        catalogue.forget()
        yield


def published(name: str) -> dict[int, tuple[Board, int]]:
    """Boards and optimal lengths by number."""
    file = PUBLISHED / f"{name}.txt"
    if not file.exists():
        pytest.skip(f"{file} is not there")
    found = {}
    for line in file.read_text().splitlines():
        if not line.startswith("#"):
            number, tiles, length, *_ = line.split("|")
            cells = tuple(map(int, tiles.split()))
            side = round(len(cells) ** 0.5)
            found[int(number)] = Board(side, side, cells), int(length)
    return found


def check(solution: Solution, length: int) -> None:
    assert solution.complete
    assert solution.proven
    assert solution.moves is not None
    assert len(solution.moves) == solution.least == length
    assert rules.replay(solution.board, solution.moves)[-1].is_solved


def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few lanes, with which launches and jobs are small, too."""
    monkeypatch.setattr(deepening, "lanes_of", lambda backend: 8)
    monkeypatch.setattr(jobs, "NODES_PER_JOB", 600_000)
    monkeypatch.setattr(deepening, "NODES_PER_PREFIX", 20)


def nodes(solution: Solution) -> list[tuple[int, int, int]]:
    return [(bound.bound, bound.expanded, bound.generated) for bound in solution.bounds]


@pytest.mark.parametrize(("rows", "columns", "farthest"), [(3, 3, 31), (2, 4, 36), (4, 2, 36), (2, 3, 21)])
def test_every_board_of_a_size(rows: int, columns: int, farthest: int) -> None:
    """One table has all tiles, so that its height is the distance."""
    every = ",".join(map(str, range(1, rows * columns)))
    distances = rules.distances(rows, columns)
    backend = open_backend("cpu")
    tables = catalogue.load_tables(catalogue.partition_of(rows, columns, every), backend)
    heights, _ = kernels.measure(backend, tables, np.array(list(distances), np.uint8))
    assert heights[:, 0].tolist() == list(distances.values())
    assert max(distances.values()) == farthest


@pytest.mark.parametrize(("rows", "columns", "sets"), [(3, 3, "1,2,3/4,5,6/7,8"), (2, 4, "1,2,5,6/3,4,7")])
def test_weaker_tables_find_the_distance_too(backend: Backend, rows: int, columns: int, sets: str) -> None:
    distances = list(rules.distances(rows, columns).items())
    for tiles, distance in distances[:: len(distances) // 15]:
        check(solve(Board(rows, columns, tiles), sets, backend=backend), distance)


def test_boards_of_3x4_near_the_goal() -> None:
    solved = Board(3, 4, tuple(range(12)))
    seen, level = {solved.tiles}, [solved]
    for distance in range(1, 15):
        reached = [rules.move(board, move) for board in level for move in rules.legal_moves(board)]
        level = list({board.tiles: board for board in reached if board.tiles not in seen}.values())
        seen |= {board.tiles for board in level}
        for board in level[:: max(1, len(level) // 4)]:
            check(solve(board), distance)


def test_both_goals_are_one_puzzle() -> None:
    for board in scramble(3, 3, seed=3, count=3):
        solution, turned = solve(board), solve(board.turned())
        check(turned, solution.least)
        assert nodes(turned) == nodes(solution)


def test_all_solutions() -> None:
    """As many as there are ways down the distances."""
    distances = rules.distances(3, 3)
    for board in (FARTHEST, *scramble(3, 3, seed=5, count=2)):
        ways = {board.tiles: 1}
        for left in range(distances[board.tiles], 0, -1):
            after: dict[tuple[int, ...], int] = {}
            for tiles, count in ways.items():
                here = Board(3, 3, tiles)
                for move in rules.legal_moves(here):
                    reached = rules.move(here, move).tiles
                    if distances[reached] == left - 1:
                        after[reached] = after.get(reached, 0) + count
            ways = after
        found = solve(board, "1,2,3/4,5,6/7,8", all_solutions=True).solutions
        assert len(found) == len(set(found)) == sum(ways.values())
        assert all(rules.replay(board, moves)[-1].is_solved for moves in found)


@pytest.mark.parametrize("weight", [1.2, 1.5, 3])
def test_a_weight_keeps_what_it_promises(weight: float) -> None:
    distances = rules.distances(3, 3)
    for board in scramble(3, 3, seed=7, count=10):
        solution = solve(board, "1,2,3/4,5,6/7,8", weight=weight)
        assert solution.moves is not None
        assert rules.replay(board, solution.moves)[-1].is_solved
        assert solution.least <= distances[board.tiles] <= len(solution.moves)
        assert solution.ratio is not None
        assert len(solution.moves) / distances[board.tiles] <= solution.ratio
        assert len(solution.moves) <= weight * distances[board.tiles]


def test_a_bound_that_is_too_low() -> None:
    solution = solve(FARTHEST, bound=29, partition="1,2,3/4,5,6/7,8")
    assert solution.complete
    assert solution.moves is None
    assert solution.least == 31
    check(solve(FARTHEST, bound=31, partition="1,2,3/4,5,6/7,8"), 31)


def test_solved_and_unsolvable() -> None:
    check(solve(Board(3, 3, tuple(range(9)))), 0)
    with pytest.raises(NoSolution):
        solve(Board(3, 3, (0, 2, 1, 3, 4, 5, 6, 7, 8)))


def test_stopped_anywhere_it_ends_as_any_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Small shares, so that there are many steps, and a sitting for each few of them."""
    small(monkeypatch)
    board = scramble(4, 4, seed=9)[0]
    whole = solve(board, "5-5-5")
    file = tmp_path / "a.checkpoint"
    steps = 0

    def stop(status: Status) -> None:
        nonlocal steps
        steps += 1
        if steps % 7 == 0:
            raise KeyboardInterrupt

    solution = None
    with pytest.raises(KeyboardInterrupt):
        solve(board, "5-5-5", checkpoint=file, progress=stop)
    while solution is None:
        try:
            solution = solve(board, "5-5-5", resume=file, progress=stop)
        except KeyboardInterrupt:
            continue
    check(solution, whole.least)
    assert steps > 20
    assert nodes(solution) == nodes(whole)
    assert solution.moves == whole.moves
    assert file.stat().st_size < 100_000
    again = solve(board, "5-5-5", resume=file)
    assert again.moves == whole.moves


@pytest.mark.parametrize("name", ["search", "split", "prefixes"])
def test_stopped_in_the_middle_of_a_step_nothing_is_lost(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C comes while paths are searched, split, or begun: the step is made again."""
    small(monkeypatch)
    board = scramble(4, 4, seed=9)[0]
    whole = solve(board, "5-5-5")
    file = tmp_path / "a.checkpoint"
    room = kernels if name == "search" else jobs
    call, calls = getattr(room, name), 0

    def stopped(*arguments: object) -> object:
        nonlocal calls
        calls += 1
        found = call(*arguments)
        if calls % 7 == 0:
            raise KeyboardInterrupt
        return found

    monkeypatch.setattr(room, name, stopped)
    solution, sittings = None, 0
    while solution is None:
        try:
            solution = solve(board, "5-5-5", checkpoint=file, resume=file if file.exists() else None)
        except KeyboardInterrupt:
            sittings += 1
    assert sittings > 1
    check(solution, whole.least)
    assert nodes(solution) == nodes(whole)


def test_a_time_limit_ends_it() -> None:
    solution = solve(scramble(4, 4, seed=11)[0], "5-5-5", time_limit=0)
    assert not solution.complete
    assert solution.moves is None


def test_a_checkpoint_of_another_search(tmp_path: Path) -> None:
    file = tmp_path / "a.checkpoint"
    solve(FARTHEST, checkpoint=file)
    with pytest.raises(BadInput, match="made with board"):
        solve(scramble(3, 3, seed=1)[0], resume=file)
    with pytest.raises(BadInput, match="made with weight"):
        solve(FARTHEST, weight=2, resume=file)
    settings, state = checkpoints.load(file, "sliding.solve")
    checkpoints.save(file, "sliding.census", settings, state)
    with pytest.raises(BadInput, match="belongs to"):
        solve(FARTHEST, resume=file)


def test_counts_do_not_depend_on_threads() -> None:
    board = scramble(4, 4, seed=2)[0]
    one, three = (solve(board, "5-5-5", backend=open_backend(f"cpu:{threads}")) for threads in (1, 3))
    assert nodes(one) == nodes(three)
    assert one.moves == three.moves


def test_counts_and_solutions_do_not_depend_on_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    small(monkeypatch)
    board = scramble(4, 4, seed=6)[0]
    for every in (False, True):
        one, two = (solve(board, "5-5-5", all_solutions=every, workers=workers) for workers in (1, 2))
        assert nodes(one) == nodes(two)
        assert one.solutions == two.solutions
        check(two, one.least)


def test_a_device_of_any_number_of_lanes_finds_the_same(backend: Backend) -> None:
    """But for the last bound, which is left at the first solution: with more lanes more of it is done by then."""
    one = open_backend("cpu")
    assert (lanes_of(backend) == lanes_of(one)) == (backend.xp is np)
    for board in scramble(3, 3, seed=6, count=2):
        here, there = (solve(board, "1,2,3/4,5,6/7,8", backend=device) for device in (one, backend))
        check(there, here.least)
        assert nodes(there)[:-1] == nodes(here)[:-1]
        here, there = (solve(board, "1,2,3/4,5,6/7,8", all_solutions=True, backend=device) for device in (one, backend))
        assert nodes(there) == nodes(here)
        assert there.solutions == here.solutions


@pytest.mark.parametrize("lanes", [1, 7, 4096])
def test_lanes_run_dry_and_are_filled_again(lanes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    board = scramble(4, 4, seed=1)[0]
    here = solve(board, "5-5-5")
    monkeypatch.setattr(deepening, "lanes_of", lambda backend: lanes)
    batches = []

    def search(*arguments: Any) -> kernels.Searched:
        batches.append(len(arguments[-1]))
        return found(*arguments)

    found = kernels.search
    monkeypatch.setattr(kernels, "search", search)
    there = solve(board, "5-5-5")
    check(there, here.least)
    assert nodes(there)[:-1] == nodes(here)[:-1]
    assert lanes // 8 <= max(batches) <= lanes


def test_what_a_lost_worker_had_is_searched_again(monkeypatch: pytest.MonkeyPatch) -> None:
    small(monkeypatch)
    board = scramble(4, 4, seed=6)[0]
    killed: list[Any] = []

    def kill(status: Status) -> None:
        if not killed:
            killed.extend(active_children()[:1])
            killed[0].kill()

    one, two = solve(board, "5-5-5"), solve(board, "5-5-5", workers=2, progress=kill)
    assert killed
    assert nodes(one) == nodes(two)
    assert one.solutions == two.solutions


def test_begun_with_workers_it_ends_without_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small(monkeypatch)
    board = scramble(4, 4, seed=6)[0]
    file = tmp_path / "a.checkpoint"
    whole = solve(board, "5-5-5")

    def stop(status: Status) -> None:
        if status.bound == whole.bounds[-2].bound and status.expanded > whole.bounds[-2].expanded // 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solve(board, "5-5-5", workers=2, checkpoint=file, progress=stop)
    assert checkpoints.load(file, "sliding.solve")[1]["jobs"]
    solution = solve(board, "5-5-5", resume=file)
    assert nodes(solution) == nodes(whole)
    assert solution.moves == whole.moves


@pytest.mark.parametrize("solved", [0, 1, 2])
def test_the_first_job_with_a_solution_counts(solved: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """In whichever order jobs end."""
    board = Board(3, 3, (8, 0, 6, 5, 4, 7, 2, 3, 1))
    puzzle = jobs.open_puzzle(board, "1,2,3/4,5,6/7,8", 2, open_backend("cpu"))
    found = set()
    for order in permutations(range(3)):
        search = deepening.Deepening(puzzle, Fraction(1), None, False)
        first = search.jobs[0]
        parts = [replace(first, budget=number + 1) for number in range(3)]
        search.jobs, search.counts = list(parts), [(0, 0)] * 4
        for number in order:
            if parts[number] in search.jobs:
                text = [f"U{number}"] if number >= solved else []
                search.merge(parts[number], jobs.Done(10**number, 0, search.now, text, None))
        assert not search.jobs
        found.add((tuple(search.found), tuple(search.counts)))
    assert found == {((f"U{solved}",), ((sum(10**number for number in range(solved + 1)), 0),))}


@pytest.mark.parametrize("budget", [40_000_000, 64_000])
def test_a_checkpoint_from_before_there_were_jobs(budget: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a search that is within the first job of its bound, and of one that is far beyond it."""
    monkeypatch.setattr(deepening, "lanes_of", lambda backend: 8)
    board = scramble(4, 4, seed=4)[0]
    file = tmp_path / "a.checkpoint"
    whole = solve(board, "5-5-5")

    def stop(status: Status) -> None:
        if status.bound == whole.bounds[-2].bound and status.expanded > whole.bounds[-2].expanded // 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solve(board, "5-5-5", checkpoint=file, progress=stop)
    settings, state = checkpoints.load(file, "sliding.solve")
    state["taken"], state["counts"] = len(state["nearest"]) - len(state.pop("waiting")), state["counts"][0]
    assert len(state.pop("jobs")) == 1
    assert state["taken"]
    checkpoints.save(file, "sliding.solve", settings, state)
    monkeypatch.setattr(jobs, "NODES_PER_JOB", budget)
    solution = solve(board, "5-5-5", resume=file)
    check(solution, whole.least)
    assert nodes(solution)[:-1] == nodes(whole)[:-1]
    if budget > whole.expanded:
        assert nodes(solution) == nodes(whole)
        assert solution.moves == whole.moves


@pytest.mark.parametrize("number", [1, 12, 23, 42, 55, 64, 79, 97])
def test_published_15_puzzles(number: int) -> None:
    board, length = published("korf15")[number]
    check(solve(board, "5-5-5"), length)


@pytest.mark.slow
def test_all_published_15_puzzles() -> None:
    for board, length in published("korf15").values():
        check(solve(board, "6-6-3"), length)


@pytest.mark.slow
def test_published_24_puzzles() -> None:
    boards = published("korf24")
    expanded = {}
    for number in (40, 38, 25, 44, 32, 28, 22, 1, 13, 16):
        board, length = boards[number]
        solution = solve(board)
        check(solution, length)
        expanded[number] = solution.expanded
    assert expanded[40] <= 30_000_000
    assert expanded[38] <= 20_000_000
