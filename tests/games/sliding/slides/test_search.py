"""The multi-tile metric, compared with breadth-first searches of all boards and with published facts."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from numba import njit

from gpusolve import clock
from gpusolve.backend import Backend, open_backend
from gpusolve.errors import BadInput
from gpusolve.games.sliding import Board, Status, scramble, solve, verify
from gpusolve.games.sliding.cpu.outcomes import PAUSED
from gpusolve.games.sliding.goals import Layout
from gpusolve.games.sliding.rules import legal_moves, move, slide_distances, slides_of, solves
from gpusolve.games.sliding.search.paths import find_prefixes, split, whole_tree
from gpusolve.games.sliding.search.tree import Limit
from gpusolve.games.sliding.slides.kernels import open_tree
from gpusolve.games.sliding.slides.search import Slides
from gpusolve.games.sliding.slides.tables import lookups_of
from gpusolve.runs import store
from gpusolve.testing.plugin import Done

FOUR = "14 1 9 6 / 4 8 12 5 / 7 2 3 0 / 10 11 13 15"


@pytest.mark.parametrize(("rows", "columns"), [(2, 2), (2, 3), (3, 2)])
@pytest.mark.parametrize("goal", ["blank-first", "blank-last"])
def test_every_small_board_is_solved_optimally(backend: Backend, rows: int, columns: int, goal: Any) -> None:
    lookups = lookups_of(Layout(rows, columns), backend)
    for tiles, distance in list(slide_distances(rows, columns, goal=goal).items())[::7]:
        board = Board(rows, columns, tiles, goal)
        solution = Slides().search(board, lookups)
        assert (solution.proven, solution.length, solution.lower_bound) == (True, distance, distance)
        assert verify(board, solution.moves or "").slides == distance


def test_both_metrics_agree_where_they_must() -> None:
    for board in scramble(rows=3, columns=3, count=20, seed=5):
        slides, tiles = solve(board, metric="multi-tile"), solve(board, heuristic="walking-distance")
        assert slides.proven
        assert tiles.proven
        assert len(tiles.moves or "") <= len(slides.moves or "")
        assert (slides.length or 0) <= len(slides_of(tiles.moves or ""))


def test_devices_build_the_same_table_and_search_the_same_nodes(
    backend: Backend, tmp_path: Any, monkeypatch: Any
) -> None:
    """Paths that are stopped, split and continued."""
    here: dict[Any, Any] = {}
    there: dict[Any, Any] = {}
    for device, found in ((open_backend("cpu"), here), (backend, there)):
        monkeypatch.setenv("GPUSOLVE_TABLES", str(tmp_path / device.name.replace(":", "")))
        lookups = lookups_of(Layout(2, 4), device)
        found["table"] = device.to_host(lookups.heights).tolist()
        tree, paths = open_tree(lookups, (7, 6, 5, 4, 3, 2, 0, 1)), whole_tree()
        for limit in (Limit(19), Limit(50, 2, 3)):
            for count in (1, 20, 60, 60):
                paths = split(paths, count, tree.walk)
                out = tree.search(paths, limit=limit, budget=40)
                found[limit, count] = [
                    array.tolist() for array in (out.status, out.expanded, out.generated, out.nearest, out.paths.length)
                ]
                paths = out.paths[out.status == PAUSED]
    assert there == here


def test_counts_do_not_depend_on_how_the_work_is_divided() -> None:
    """The whole tree, searches that stop at any moment and continue, and prefixes of any length have the same nodes."""
    tree, totals = open_tree(lookups_of(Layout(3, 3), open_backend("cpu")), (8, 6, 7, 2, 5, 4, 3, 0, 1)), set()
    for paths, count in (
        (whole_tree(), 1),
        (whole_tree(), 30),
        (find_prefixes(tree.walk, 3), 1),
        (tree.prefixes(8), 99),
    ):
        for budget in (1 << 40, 50):
            left, total = paths, np.zeros(2, np.int64)
            while len(left):
                out = tree.search(left, limit=Limit(20), budget=budget)
                total += out.expanded.sum(), out.generated.sum()
                left = split(out.paths[out.status == PAUSED], count, tree.walk)
            totals.add(tuple(total.tolist()))
    assert len(totals) == 1


@pytest.mark.parametrize(
    "text", ["5 4 3 / 2 1 0", "0 2 1 3 / 4 6 5 7", "8 6 7 / 2 5 4 / 3 0 1", "0 2 1 / 4 3 6 / 5 8 7"]
)
def test_all_solutions_are_those_of_plain_search(text: str) -> None:
    board = Board.parse(text, goal="blank-first")
    known = slide_distances(board.rows, board.columns)

    def shortest(board: Board, axis: int) -> Iterator[str]:
        if board.is_solved:
            yield ""
        for direction in ("UD", "LR")[axis]:
            after, made = board, ""
            while direction in legal_moves(after):
                after, made = move(after, direction), made + direction
                if known[after.tiles] == known[board.tiles] - 1:
                    yield from (made + rest for rest in shortest(after, 1 - axis))

    solution = solve(board, metric="multi-tile", all_solutions=True)
    expected = {moves for axis in range(2) for moves in shortest(board, axis)}
    assert set(solution.solutions) == expected
    assert len(solution.solutions) == len(expected)
    assert (solution.length, solution.proven) == (known[board.tiles], True)


def test_weights_workers_and_checkpoints(tmp_path: Any) -> None:
    board = scramble(rows=3, columns=4, count=1, seed=3)[0]
    optimal = solve(board, metric="multi-tile")
    for weight in (1.2, 1.5, 2.0):
        solution = solve(board, metric="multi-tile", weight=weight)
        assert optimal.lower_bound <= (solution.length or 0) <= weight * optimal.lower_bound
        assert solution.lower_bound <= optimal.lower_bound
    divided = solve(board, metric="multi-tile", workers=2)
    assert (divided.moves, divided.expanded) == (optimal.moves, optimal.expanded)
    file = tmp_path / "run.checkpoint"
    solve(board, metric="multi-tile", time_limit=0, checkpoint=file)
    resumed = solve(board, metric="multi-tile", resume=file)
    assert (resumed.moves, resumed.expanded) == (optimal.moves, optimal.expanded)
    with pytest.raises(BadInput, match="was made without depth, not with 14"):
        solve(board, resume=file)


@pytest.mark.thorough
def test_a_15_puzzle_and_its_reflections() -> None:
    """A board, its mirror image and both in the other convention take equally many slides."""
    board = Board.parse(FOUR)
    mirrored = Board(4, 4, tuple(mirror(board.tiles[mirror(cell)]) for cell in range(16)))
    for each in (board, mirrored, board.turned(), mirrored.turned()):
        solution = solve(each, metric="multi-tile")
        assert (solution.length, solution.proven, solves(each, solution.moves or "")) == (31, True, True)


def mirror(number: int) -> int:
    return number % 4 * 4 + number // 4


@pytest.mark.thorough
def test_a_bound_and_a_time_limit_end_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    board = Board.parse(FOUR)
    solution = solve(board, metric="multi-tile", bound=25)
    assert (solution.moves, solution.complete, solution.lower_bound, solution.length) == (None, True, 26, None)
    seen: list[Status] = []
    monkeypatch.setattr(clock, "now", lambda: float(bool(seen) and seen[-1].expanded >= 50))
    solution = solve(board, metric="multi-tile", time_limit=0.5, progress=seen.append)
    assert (solution.moves, solution.complete, solution.proven) == (None, False, False)
    assert solution.bounds[-1].expanded == seen[-1].expanded >= 50


def test_a_solved_board_takes_no_moves() -> None:
    solution = solve(Board.parse("0 1 2 3"), metric="multi-tile")
    assert (solution.moves, solution.length, solution.proven, solution.expanded) == ("", 0, True, 0)


def test_what_the_metric_cannot_do_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    board = Board.parse("1 2 5 / 3 4 0")
    refused: list[dict[str, Any]] = [{"partition": "5-5-5"}, {"depth": 3}, {"heuristic": "manhattan"}]
    for more in refused:
        with pytest.raises(BadInput, match=f"{next(iter(more))}: expected only with metric single-tile"):
            solve(board, metric="multi-tile", **more)
    with pytest.raises(BadInput, match="5x5, expected a board of at most 16 cells"):
        solve(scramble(rows=5, columns=5, seed=1)[0], metric="multi-tile")
    monkeypatch.setattr("gpusolve.games.sliding.slides.search.most_slides", lambda rows, columns: 1)
    with pytest.raises(BadInput, match="it takes at least 2 moves: expected a board that takes fewer"):
        solve(board, metric="multi-tile")


def test_a_forged_table_is_refused(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPUSOLVE_TABLES", str(tmp_path))
    board = Board.parse("0 1 2 3")
    solve(board, metric="multi-tile")
    (path,) = tmp_path.glob("*.table")
    about = store.open_table(path).about
    store.save(path, about, {"slides": np.zeros((2, 5), np.uint8)})
    with pytest.raises(BadInput, match="damaged: slides array of uint8"):
        solve(board, metric="multi-tile")


def test_the_command(run: Callable[..., Done]) -> None:
    board = "8 6 7 / 2 5 4 / 3 0 1"
    done = run("sliding", "solve", board, "--metric", "multi-tile", "--device", "cpu", "--quiet")
    assert done.out.splitlines()[0] == "UU L DD RR UU LL D R D R UU L DD L U R D R U LL U"
    assert "21 moves in the multi-tile metric (29 single tiles), proven optimal" in done.out
    done = run("sliding", "solve", board, "--metric", "multi-tile", "--device", "cpu", "--json")
    found = json.loads(done.out)
    assert (found["metric"], found["length"], len(found["moves"])) == ("multi-tile", 21, 29)
    done = run("sliding", "verify", board, found["moves"], "--json")
    assert (json.loads(done.out)["length"], json.loads(done.out)["slides"]) == (29, 21)


@pytest.mark.slow
def test_a_15_puzzle_that_takes_43_slides_the_most_of_all() -> None:
    """OEIS A389728: sixteen boards take 43 slides, and none takes more."""
    solution = solve("1 5 9 13 / 2 6 10 14 / 3 7 11 15 / 4 8 12 0", goal="blank-last", metric="multi-tile")
    assert (solution.length, solution.proven) == (43, True)


@pytest.mark.slow
def test_the_whole_8_puzzle() -> None:
    """At most 24 moves are needed, as published: https://en.wikipedia.org/wiki/15_puzzle."""
    distances = slide_distances(3, 3)
    assert (len(distances), max(distances.values())) == (181_440, 24)
    lookups = lookups_of(Layout(3, 3), open_backend("cpu"))
    for tiles, distance in distances.items():
        solution = Slides().search(Board(3, 3, tiles), lookups)
        assert (solution.proven, solution.length) == (True, distance)


@pytest.mark.slow
def test_2000_boards_of_3x4_beside_a_breadth_first_search_of_all() -> None:
    distances, lookups = everything(3, 4), lookups_of(Layout(3, 4), open_backend("cpu"))
    for board in scramble(rows=3, columns=4, count=2000, seed=1):
        solution = Slides().search(board, lookups)
        assert (solution.proven, solution.length) == (True, distances[rank(np.array(board.tiles))])


def everything(rows: int, columns: int) -> Any:
    """Return the slides of every board by `rank`, 255 if it cannot be solved."""
    cells = rows * columns
    distances = np.full(np.prod(np.arange(1, cells + 1)), 255, np.uint8)
    distances[rank(np.arange(cells))] = 0
    slides = 0
    while level(distances, rows, columns, slides):
        slides += 1
    return distances


@njit
def rank(tiles: Any) -> int:
    """Return the number of a permutation in lexical order."""
    number, used = 0, 0
    for i in range(len(tiles)):
        smaller = 0
        for other in range(tiles[i]):
            smaller += 1 - (used >> other & 1)
        number = number * (len(tiles) - i) + smaller
        used |= 1 << tiles[i]
    return number


@njit
def unrank(number: int, tiles: Any) -> None:
    cells = len(tiles)
    for i in range(cells - 1, -1, -1):
        tiles[i], number = number % (cells - i), number // (cells - i)
    used = 0
    for i in range(cells):
        left = tiles[i]
        for tile in range(cells):
            if not used >> tile & 1:
                if left == 0:
                    tiles[i] = tile
                    used |= 1 << tile
                    break
                left -= 1


@njit
def level(distances: Any, rows: int, columns: int, slides: int) -> int:
    """Give the boards one slide further away their distance; return their number."""
    found = 0
    tiles, after = np.zeros(rows * columns, np.int64), np.zeros(rows * columns, np.int64)
    for number in range(len(distances)):
        if distances[number] != slides:
            continue
        unrank(number, tiles)
        blank = 0
        while tiles[blank]:
            blank += 1
        for step, room in (
            (-columns, blank // columns),
            (columns, rows - 1 - blank // columns),
            (-1, blank % columns),
            (1, columns - 1 - blank % columns),
        ):
            after[:] = tiles
            cell = blank
            for _ in range(room):
                after[cell], after[cell + step] = after[cell + step], 0
                cell += step
                child = rank(after)
                if distances[child] == 255:
                    distances[child] = slides + 1
                    found += 1
    return found
