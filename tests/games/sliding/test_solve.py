"""Optimal solutions, against breadth-first search on small boards and against published lengths."""

from __future__ import annotations

from contextlib import suppress
from multiprocessing import active_children
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gpusolve.backend import Backend, open_backend
from gpusolve.errors import BadInput, NoSolution
from gpusolve.games.sliding import rules
from gpusolve.games.sliding._scramble import scramble
from gpusolve.games.sliding._solve import DEFAULTS, ENGINES, engine_of, solve
from gpusolve.games.sliding.beams.search import Beams
from gpusolve.games.sliding.boards import Board
from gpusolve.games.sliding.databases.catalogue import open_databases
from gpusolve.games.sliding.databases.kernels import measure
from gpusolve.games.sliding.databases.search import PatternDatabases
from gpusolve.games.sliding.heuristics.search import Textbook
from gpusolve.games.sliding.search import jobs, kernels, parallel, tree
from gpusolve.games.sliding.search.engine import Engine
from gpusolve.games.sliding.search.jobs import lanes_of
from gpusolve.games.sliding.search.paths import Paths
from gpusolve.games.sliding.search.solution import Solution, Status
from gpusolve.games.sliding.search.tree import Searched
from gpusolve.games.sliding.slides.search import Slides
from gpusolve.runs import checkpoint as checkpoints

PUBLISHED = Path(__file__).parents[4] / "shared" / "data"  # beside the checkout, if it exists
FARTHEST = Board(3, 3, (8, 0, 6, 5, 4, 7, 2, 3, 1))


@pytest.fixture(autouse=True, scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> object:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GPUSOLVE_TABLES", str(tmp_path_factory.mktemp("tables")))
        yield


def published(name: str) -> dict[int, tuple[Board, int]]:
    """Published boards and their optimal lengths, by number."""
    file = PUBLISHED / f"{name}.txt"
    if not file.exists():
        pytest.skip(f"{file} does not exist")
    boards = {}
    for line in file.read_text().splitlines():
        if not line.startswith("#"):
            number, tiles, length, *_ = line.split("|")
            cells = tuple(map(int, tiles.split()))
            side = round(len(cells) ** 0.5)
            boards[int(number)] = Board(side, side, cells), int(length)
    return boards


def check(solution: Solution, length: int) -> None:
    assert solution.complete
    assert solution.proven
    assert solution.moves is not None
    assert len(solution.moves) == solution.lower_bound == length
    assert rules.replay(solution.board, solution.moves)[-1].is_solved


def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take few lanes, so that launches and jobs are small as well."""
    monkeypatch.setattr(parallel, "lanes_of", lambda backend: 8)
    monkeypatch.setattr(jobs, "NODES_PER_JOB", 600_000)
    monkeypatch.setattr(parallel, "NODES_PER_PREFIX", 20)


def nodes(solution: Solution) -> list[tuple[int, int, int]]:
    return [(bound.bound, bound.expanded, bound.generated) for bound in solution.bounds]


@pytest.mark.parametrize(("rows", "columns", "sets"), [(3, 3, "1,2,3/4,5,6/7,8"), (2, 4, "1,2,5,6/3,4,7")])
def test_weaker_databases_find_the_distance_as_well(backend: Backend, rows: int, columns: int, sets: str) -> None:
    distances = list(rules.distances(rows, columns).items())
    for tiles, distance in distances[:: len(distances) // 15]:
        check(solve(Board(rows, columns, tiles), partition=sets, backend=backend), distance)


TWO = [
    (3, 3, "1,2,3,4/5,6,7,8+1,4,5,7/2,3,6,8"),
    (3, 4, "1,2,3,4,5,6/7,8,9,10,11+1,4,5,8,9/2,3,6,7,10,11"),
]


def test_a_reflected_position_is_looked_up_as_the_reflected_partition_is(backend: Backend) -> None:
    tiles = np.array([board.tiles for board in scramble(rows=3, columns=3, seed=5, count=50)], np.uint8)
    one, two = (
        open_databases(3, 3, partition=text, backend=backend)
        for text in ("1,2,3,4/5,6,7,8", "1,2,3,4/5,6,7,8+1,3,4,6/2,5,7,8")
    )
    assert measure(one, tiles).views.tolist() == measure(two, tiles).views.tolist()


@pytest.mark.parametrize(("rows", "columns", "text"), TWO)
def test_two_partitions_find_the_distance_with_both_heights(
    backend: Backend, rows: int, columns: int, text: str
) -> None:
    both = open_databases(rows, columns, partition=text, backend=backend)
    single = [open_databases(rows, columns, partition=part, backend=backend) for part in text.split("+")]
    boards = scramble(rows=rows, columns=columns, seed=5, count=10)
    tiles = np.array([board.tiles for board in boards], np.uint8)
    views = measure(both, tiles).views
    for view, databases in enumerate(single):
        assert views[:, view].tolist() == measure(databases, tiles).views[:, 0].tolist()
    for board in boards:
        solution = solve(board, databases=both)
        assert len(solution.moves or "") == len(solve(board, databases=single[0]).moves or "")
        assert solution.proven


def test_boards_of_3x4_near_the_goal() -> None:
    solved = Board(3, 4, tuple(range(12)))
    seen, level = {solved.tiles}, [solved]
    for distance in range(1, 15):
        reached = [rules.move(board, move) for board in level for move in rules.legal_moves(board)]
        level = list({board.tiles: board for board in reached if board.tiles not in seen}.values())
        seen |= {board.tiles for board in level}
        for board in level[:: max(1, len(level) // 4)]:
            check(solve(board), distance)


def test_every_option_belongs_to_an_engine_and_only_to_engines_that_have_it() -> None:
    board = scramble(rows=2, columns=3, seed=1)[0]
    every = {"strategy", "bound", "time_limit", "progress", "backend"}
    of_jobs = {"all_solutions", "weight", "workers", "checkpoint", "resume"}
    expected: dict[type[Engine], set[str]] = {
        PatternDatabases: {"metric", "heuristic", "partition", "databases", "depth", *of_jobs},
        Textbook: {"metric", "heuristic"},
        Slides: {"metric", *of_jobs},
        Beams: {"width", "seed"},
    }
    for engine, own in expected.items():
        choices = ENGINES[engine] | ({"heuristic": "manhattan"} if engine is Textbook else {})
        for name in DEFAULTS.keys() - choices.keys() - {"metric", "heuristic"}:
            options = DEFAULTS | choices | {name: 3}
            if name in every | own:
                with suppress(BadInput, TypeError):
                    assert type(engine_of(board, **options)) is engine
            else:
                with pytest.raises(BadInput, match=f"^{name}: expected only with"):
                    engine_of(board, **options)
    assert set().union(every, *expected.values()) == DEFAULTS.keys()


def test_both_goals_are_the_same_puzzle() -> None:
    for board in scramble(rows=3, columns=3, seed=3, count=3):
        solution, turned = solve(board), solve(board.turned())
        check(turned, solution.lower_bound)
        assert nodes(turned) == nodes(solution)


def test_all_solutions() -> None:
    """Their number is the number of ways in which the distance falls by one with each move."""
    distances = rules.distances(3, 3)
    for board in (FARTHEST, *scramble(rows=3, columns=3, seed=5, count=2)):
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
        solutions = solve(board, partition="1,2,3/4,5,6/7,8", all_solutions=True).solutions
        assert len(solutions) == len(set(solutions)) == sum(ways.values())
        assert all(rules.replay(board, moves)[-1].is_solved for moves in solutions)


@pytest.mark.parametrize("weight", [1.2, 1.5, 3])
def test_a_weight_keeps_what_it_promises(weight: float) -> None:
    distances = rules.distances(3, 3)
    for board in scramble(rows=3, columns=3, seed=7, count=10):
        solution = solve(board, partition="1,2,3/4,5,6/7,8", weight=weight)
        assert solution.moves is not None
        assert rules.replay(board, solution.moves)[-1].is_solved
        assert solution.lower_bound <= distances[board.tiles] <= len(solution.moves)
        assert solution.ratio is not None
        assert len(solution.moves) / distances[board.tiles] <= solution.ratio
        assert len(solution.moves) <= weight * distances[board.tiles]


def test_a_weight_is_rounded_down() -> None:
    board = Board.parse("3 6 / 7 5 / 2 4 / 0 1", goal="0 1 / 2 3 / 4 5 / 6 7")
    solution = solve(board, weight=1.05, depth=2, strategy="deepening")
    assert solution.length == 29  # 1.1 times would be 31


def test_the_work_falls_as_the_weight_grows() -> None:
    boards = scramble(rows=4, columns=4, count=12, seed=1)
    databases = open_databases(4, 4, partition="5-5-5")
    work = []
    for weight in (1.1, 1.3, 1.5, 2, 3, 5, 10):
        found = [solve(board, databases=databases, weight=weight) for board in boards]
        assert all((solution.ratio or 99) <= weight for solution in found)
        work.append(sum(solution.expanded for solution in found))
    assert work == sorted(work, reverse=True)
    assert work[0] > 20 * work[-1]


def test_a_weight_with_a_fine_fraction_keeps_what_it_promises() -> None:
    """Bounds in steps of two moves went beyond the weight times the optimum."""
    board = Board(2, 3, (3, 5, 0, 1, 4, 2), "blank-last")
    solution = solve(board, partition="2,3,4,5/1", depth=5, weight=1.1)
    assert (solution.length, rules.distances(2, 3, goal="blank-last")[board.tiles]) == (9, 9)


@pytest.mark.parametrize("weight", [1.1, 1.5, 2, 10])
def test_a_weight_and_a_bound_find_a_solution_if_there_is_one(weight: float) -> None:
    board = Board(2, 3, (3, 0, 5, 1, 4, 2), "blank-last")  # 8 moves
    for bound in range(5, 20):
        solution = solve(board, bound=bound, depth=2, weight=weight)
        assert solution.complete
        assert solution.lower_bound <= 8 or solution.moves is None
        assert solution.lower_bound > bound if bound < 8 else len(solution.moves or "") <= min(bound, 8 * weight)
        assert (solution.moves is None) == (bound < 8)


def test_a_bound_that_is_too_low() -> None:
    solution = solve(FARTHEST, bound=29, partition="1,2,3/4,5,6/7,8")
    assert solution.complete
    assert solution.moves is None
    assert solution.lower_bound == 31
    check(solve(FARTHEST, bound=31, partition="1,2,3/4,5,6/7,8"), 31)


def test_solved_and_unsolvable() -> None:
    check(solve(Board(3, 3, tuple(range(9)))), 0)
    with pytest.raises(NoSolution):
        solve(Board(3, 3, (0, 2, 1, 3, 4, 5, 6, 7, 8)))


def test_a_search_that_is_stopped_anywhere_ends_like_any_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Small shares make many steps, and a session ends after every seven of them."""
    small(monkeypatch)
    board = scramble(rows=4, columns=4, seed=9)[0]
    whole = solve(board, partition="5-5-5")
    file = tmp_path / "a.checkpoint"
    steps = 0

    def stop(status: Status) -> None:
        nonlocal steps
        steps += 1
        if steps % 7 == 0:
            raise KeyboardInterrupt

    solution = None
    with pytest.raises(KeyboardInterrupt):
        solve(board, partition="5-5-5", checkpoint=file, progress=stop)
    while solution is None:
        try:
            solution = solve(board, partition="5-5-5", resume=file, progress=stop)
        except KeyboardInterrupt:
            continue
    check(solution, whole.lower_bound)
    assert steps > 20
    assert nodes(solution) == nodes(whole)
    assert solution.moves == whole.moves
    assert file.stat().st_size < 100_000
    again = solve(board, partition="5-5-5", resume=file)
    assert again.moves == whole.moves


@pytest.mark.parametrize("name", ["search", "split", "find_prefixes"])
def test_a_search_that_is_stopped_within_a_step_loses_nothing(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C comes while paths are searched, split or made: the step is repeated."""
    small(monkeypatch)
    board = scramble(rows=4, columns=4, seed=9)[0]
    whole = solve(board, partition="5-5-5")
    file = tmp_path / "a.checkpoint"
    module: Any = {"search": kernels, "split": jobs, "find_prefixes": tree}[name]
    call, calls, stop = getattr(module, name), 0, 7

    def stopped(*arguments: object, **options: object) -> object:
        nonlocal calls, stop
        calls += 1
        result = call(*arguments, **options)
        if calls == stop:
            stop += max(7, calls // 8)  # a session that continues makes the prefixes of each level again
            raise KeyboardInterrupt
        return result

    monkeypatch.setattr(module, name, stopped)
    solution, sessions = None, 0
    while solution is None:
        try:
            solution = solve(board, partition="5-5-5", checkpoint=file, resume=file if file.exists() else None)
        except KeyboardInterrupt:
            sessions += 1
    assert sessions > 1
    check(solution, whole.lower_bound)
    assert nodes(solution) == nodes(whole)


def test_a_time_limit_ends_the_search() -> None:
    solution = solve(scramble(rows=4, columns=4, seed=11)[0], partition="5-5-5", time_limit=0)
    assert not solution.complete
    assert solution.moves is None


def test_a_checkpoint_of_another_search(tmp_path: Path) -> None:
    file = tmp_path / "a.checkpoint"
    solve(FARTHEST, checkpoint=file)
    with pytest.raises(BadInput, match="made with board"):
        solve(scramble(rows=3, columns=3, seed=1)[0], resume=file)
    with pytest.raises(BadInput, match="made with weight"):
        solve(FARTHEST, weight=2, resume=file)
    settings, state = checkpoints.load(file, "sliding.solve")
    checkpoints.save(file, "sliding.census", dict(settings.values), dict(state.values))
    with pytest.raises(BadInput, match="belongs to"):
        solve(FARTHEST, resume=file)


def test_counts_do_not_depend_on_threads() -> None:
    board = scramble(rows=4, columns=4, seed=2)[0]
    one, three = (solve(board, partition="5-5-5", backend=open_backend(f"cpu:{threads}")) for threads in (1, 3))
    assert nodes(one) == nodes(three)
    assert one.moves == three.moves


def test_counts_and_solutions_do_not_depend_on_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    small(monkeypatch)
    board = scramble(rows=4, columns=4, seed=6)[0]
    for every in (False, True):
        one, two = (solve(board, partition="5-5-5", all_solutions=every, workers=workers) for workers in (1, 2))
        assert nodes(one) == nodes(two)
        assert one.solutions == two.solutions
        check(two, one.lower_bound)


def test_a_device_of_any_number_of_lanes_finds_the_same(backend: Backend) -> None:
    """Except for the last bound, which ends at the first solution: with more lanes, more of it has been searched."""
    one = open_backend("cpu")
    assert (lanes_of(backend) == lanes_of(one)) == (backend.host is backend)
    for board in scramble(rows=3, columns=3, seed=6, count=2):
        here, there = (solve(board, partition="1,2,3/4,5,6/7,8", backend=device) for device in (one, backend))
        check(there, here.lower_bound)
        assert nodes(there)[:-1] == nodes(here)[:-1]
        here, there = (
            solve(board, partition="1,2,3/4,5,6/7,8", all_solutions=True, backend=device) for device in (one, backend)
        )
        assert nodes(there) == nodes(here)
        assert there.solutions == here.solutions


@pytest.mark.parametrize("lanes", [1, 7, 4096])
def test_lanes_that_run_out_of_paths_get_new_ones(lanes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    board = scramble(rows=4, columns=4, seed=1)[0]
    here = solve(board, partition="5-5-5")
    monkeypatch.setattr(parallel, "lanes_of", lambda backend: lanes)
    batches: list[int] = []

    search = kernels.search

    def recorded(root: kernels.Root, paths: Paths, **options: Any) -> Searched:
        batches.append(len(paths))
        return search(root, paths, **options)

    monkeypatch.setattr(kernels, "search", recorded)
    there = solve(board, partition="5-5-5")
    check(there, here.lower_bound)
    assert nodes(there)[:-1] == nodes(here)[:-1]
    assert lanes // 8 <= max(batches) <= lanes


def test_the_jobs_of_a_lost_worker_are_run_again(monkeypatch: pytest.MonkeyPatch) -> None:
    small(monkeypatch)
    board = scramble(rows=4, columns=4, seed=6)[0]
    killed: list[Any] = []

    def kill(status: Status) -> None:
        if not killed:
            killed.extend(active_children()[:1])
            killed[0].kill()

    one = solve(board, partition="5-5-5")
    with pytest.warns(RuntimeWarning, match="a worker process was killed from outside"):
        two = solve(board, partition="5-5-5", workers=2, progress=kill)
    assert killed
    assert nodes(one) == nodes(two)
    assert one.solutions == two.solutions


def test_a_search_with_workers_can_be_resumed_without_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small(monkeypatch)
    board = scramble(rows=4, columns=4, seed=6)[0]
    file = tmp_path / "a.checkpoint"
    whole = solve(board, partition="5-5-5")

    def stop(status: Status) -> None:
        if status.bound == whole.bounds[-2].bound and status.expanded > whole.bounds[-2].expanded // 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solve(board, partition="5-5-5", workers=2, checkpoint=file, progress=stop)
    assert checkpoints.load(file, "sliding.solve")[1].values["jobs"]
    solution = solve(board, partition="5-5-5", resume=file)
    assert nodes(solution) == nodes(whole)
    assert solution.moves == whole.moves


@pytest.mark.parametrize("number", [1, 12, 23, 42, 55, 64, 79, 97])
def test_published_15_puzzles(number: int) -> None:
    board, length = published("korf15")[number]
    check(solve(board, partition="5-5-5"), length)


@pytest.mark.slow
def test_all_published_15_puzzles() -> None:
    databases = open_databases(4, 4, partition="6-6-3")
    for board, length in published("korf15").values():
        check(solve(board, databases=databases), length)


@pytest.mark.slow
def test_published_24_puzzles() -> None:
    boards = published("korf24")
    databases = open_databases(5, 5)
    expanded = {}
    for number in (40, 38, 25, 44, 32, 28, 22, 1, 13, 16):
        board, length = boards[number]
        solution = solve(board, databases=databases)
        check(solution, length)
        expanded[number] = solution.expanded
    assert expanded[40] <= 30_000_000
    assert expanded[38] <= 20_000_000
