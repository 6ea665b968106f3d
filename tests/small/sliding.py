"""Small cases of sliding tiles: boards of up to nine cells against breadth-first search."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import cache, partial
from itertools import pairwise
from math import floor
from typing import Any

from gpusolve.games.sliding import Automaton, Board, Census, Comparisons, Solution, Verdict, rules
from gpusolve.games.sliding.goals import GOALS
from gpusolve.games.sliding.heuristics.tables import HEURISTICS
from gpusolve.games.sliding.search.solution import METRICS
from small.cases import Call, Check, Trial, call, differences, first_of

SIZES = [(2, 2), (2, 3), (3, 2), (2, 4), (4, 2), (3, 3), (3, 3)]
FEW = 400
"""Largest number of optimal solutions that are listed by brute force."""
OTHER_GOALS = 8
"""Number of goals without names of each size of board."""
PARTITIONS = 12
"""Number of partitions of each size of board."""
DEEPEST = 9
"""Length of the longest strings of moves for which an automaton is compared."""


@cache
def distances(rows: int, columns: int, goal: str, metric: str) -> dict[tuple[int, ...], int]:
    """Return the distance of every solvable board from the goal."""
    return (rules.distances if metric == "single-tile" else rules.slide_distances)(rows, columns, goal=goal)


def draw_board(chance: random.Random) -> Board:
    """Return a random solvable board; boards of nine cells are a random walk from the goal, to be solved quickly."""
    rows, columns = chance.choice(SIZES)
    goal = draw_goal(chance, rows, columns)
    if rows * columns < 9:
        known = distances(rows, columns, goal, "single-tile")
        return Board(rows, columns, chance.choice(list(known)), goal)
    tiles = (*range(9),) if goal in GOALS else Board.parse(goal, goal=goal).tiles
    board = Board(rows, columns, Board(rows, columns, tiles, goal).solved, goal)
    for _ in range(chance.randint(0, 60)):
        board = rules.move(board, chance.choice(rules.legal_moves(board)))
    return board


def draw_goal(chance: random.Random, rows: int, columns: int) -> str:
    """Return a goal: often one with a name, else one of a few with tiles in any order or tiles that are alike."""
    small = rows * columns < 9  # breadth-first searches of larger boards take seconds
    if chance.random() < 0.6:
        return chance.choice(GOALS if small else GOALS[:3])
    chance = random.Random(f"{rows} {columns} {chance.randrange(OTHER_GOALS if small else 2)}")
    tiles = chance.sample(range(rows * columns), rows * columns)
    if chance.random() < 0.5:
        kinds = chance.randint(1, rows * columns // 2)
        tiles = [tile and 1 + tile % kinds for tile in tiles]
    return " / ".join(" ".join(map(str, tiles[at : at + columns])) for at in range(0, len(tiles), columns))


def written(board: Board) -> Call:
    return call("Board", board.rows, board.columns, board.tiles, board.goal)


def shortest(board: Board) -> Iterator[str]:
    """Yield all optimal solutions of a board in the single-tile metric."""
    known = distances(board.rows, board.columns, board.goal, "single-tile")
    if board.is_solved:
        yield ""
        return
    for move in rules.legal_moves(board):
        after = rules.move(board, move)
        if known[after.tiles] == known[board.tiles] - 1:
            yield from (move + rest for rest in shortest(after))


def fewest_slides(board: Board, last: str = "") -> Iterator[str]:
    """Yield all optimal solutions of a board in the multi-tile metric, whose first move is none of the `last` ones."""
    known = distances(board.rows, board.columns, board.goal, "multi-tile")
    if board.is_solved:
        yield ""
        return
    for direction in rules.MOVES:
        if direction in last:
            continue
        after, made = board, ""
        while direction in rules.legal_moves(after):
            after, made = rules.move(after, direction), made + direction
            if known[after.tiles] == known[board.tiles] - 1:
                yield from (made + rest for rest in fewest_slides(after, "UD" if direction in "UD" else "LR"))


def draw_partition(chance: random.Random, board: Board) -> str:
    """Return one of some random sets of tiles, each of which has a pattern database; or two with as many sets.

    There are not many of them for a size, because the databases of each are kept in a file.
    """
    chance = random.Random(f"{board.rows} {board.columns} {chance.randrange(PARTITIONS)}")
    tiles, number = board.cells - 1, chance.randint(1, 3) if board.cells <= 6 else 2
    cuts = [0, *sorted(chance.sample(range(1, tiles), number - 1)), tiles]
    if board.cells > 6:
        cuts[1] = tiles // 2  # sets of all sizes would have tables of many megabytes

    def sets() -> str:
        shuffled = chance.sample(range(1, board.cells), tiles)
        return "/".join(",".join(map(str, sorted(shuffled[a:b]))) for a, b in pairwise(cuts))

    return sets() if chance.random() < 0.8 else f"{sets()}+{sets()}"


def draw_solve(chance: random.Random) -> Trial:
    board = draw_board(chance)
    metric, options = "single-tile", dict[str, Any]()
    match chance.choice(["pdb", "pdb", "pdb", "textbook", "slides", "beam"]):
        case "pdb":
            plain = board.cells > 4 and not board.layout.alike
            options = {
                "partition": chance.choice([None, draw_partition(chance, board)]) if plain else None,
                "depth": chance.choice([None, 2, 3, 5, 14]),
                "all_solutions": chance.choice([None, None, True]),
                "weight": chance.choice([None, None, 1.1, 1.5, 2, 10.0]),
            }
            options["weight"] = None if options["all_solutions"] else options["weight"]
        case "textbook":
            others = [each for each in HEURISTICS if each != "pdb"]
            options = {"heuristic": "manhattan" if board.layout.alike else chance.choice(others)}
        case "slides":
            metric = "multi-tile"
            options = {
                "metric": metric,
                "all_solutions": chance.choice([None, None, True]),
                "weight": chance.choice([None, None, 1.1, 1.5, 10.0]),
            }
            options["weight"] = None if options["all_solutions"] else options["weight"]
        case "beam":
            options = {"strategy": "beam", "width": chance.choice([1, 10, 1000]), "seed": chance.choice([None, 7])}
    known = distances(board.rows, board.columns, board.goal, metric)[board.tiles]
    bound = chance.choice([None, None, None, known, max(0, known - 1), known + 1, chance.randint(0, 30)])
    made = call("solve", written(board), bound=bound, **options)
    return Trial(made, partial(fault_of_solution, board, metric, made))


def fault_of_solution(board: Board, metric: str, made: Call, found: Solution) -> str:
    known = distances(board.rows, board.columns, board.goal, metric)[board.tiles]
    bound, weight = made.options.get("bound"), made.options.get("weight", 1)
    faults = []
    if found.moves is not None:
        if not rules.solves(board, found.moves):
            faults.append(f"{found.moves} does not lead to the goal")
        length = len(found.moves) if metric == "single-tile" else len(rules.slides_of(found.moves))
        faults.append(differences(length=(found.length, length)))
        if length < known or (bound is not None and length > bound):
            faults.append(f"{length} moves, but the least is {known} and the bound {bound}")
    if found.lower_bound > known:
        faults.append(f"lower bound {found.lower_bound}, but {known} moves are enough")
    if made.options.get("strategy") == "beam":
        if found.proven and found.length != known:
            faults.append(f"proven with {found.length} moves, but {known} are enough")
        return first_of(faults)
    within = bound is None or known <= bound
    faults.append(differences(complete=(found.complete, True), solved=(found.moves is not None, within)))
    if found.moves is not None and weight == 1:
        faults.append(differences(length=(found.length, known), proven=(found.proven, True)))
    elif found.length is not None and found.length > floor(weight * known):
        faults.append(f"{found.length} moves, but at most {weight} times {known} were asked for")
    elif found.proven and found.length != known:
        faults.append(f"proven with {found.length} moves, but {known} are enough")
    if found.moves is not None and made.options.get("all_solutions"):
        every = shortest(board) if metric == "single-tile" else fewest_slides(board)
        expected = sorted(moves for moves, _ in zip(every, range(FEW), strict=False))
        if len(expected) < FEW:
            faults.append(differences(solutions=(sorted(found.solutions), expected)))
    elif found.moves is not None:
        faults.append(differences(solutions=(found.solutions, [found.moves])))
    return first_of(faults)


def draw_compare(chance: random.Random) -> Trial:
    board = draw_board(chance)
    plain = board.cells > 4 and not board.layout.alike
    partition = draw_partition(chance, board) if plain and chance.random() < 0.5 else None
    return Trial(call("compare", written(board), partition=partition), partial(fault_of_comparison, board))


def fault_of_comparison(board: Board, found: Comparisons) -> str:
    known = distances(board.rows, board.columns, board.goal, "single-tile")[board.tiles]
    slow: dict[str, Callable[[Board], int]] = {
        "manhattan": rules.manhattan,
        "linear-conflict": rules.linear_conflict,
        "walking-distance": rules.walking_distance,
    }
    expected = [each for each in HEURISTICS if each in ("manhattan", "pdb") or not board.layout.alike]
    faults = [differences(heuristics=([row.heuristic for row in found.rows], expected))]
    for row in found.rows:
        estimate = slow[row.heuristic](board) if row.heuristic in slow else min(row.estimate, known)
        faults.append(
            differences(
                length=(row.solution.length, known),
                proven=(row.solution.proven, True),
                complete=(row.solution.complete, True),
                estimate=(row.estimate, estimate),
            )
        )
    return first_of(faults)


def draw_automaton(chance: random.Random) -> Trial:
    """Draw an automaton, which must leave every board an optimal solution that it does not forbid."""
    rows, columns = chance.choice(SIZES)
    made = call(
        "automaton",
        rows=rows,
        columns=columns,
        depth=chance.randint(2, DEEPEST),
        choice=chance.choice(["first", "smallest", "square"]),
    )
    return Trial(made, fault_of_automaton)


def fault_of_automaton(found: Automaton) -> str:
    """Walk all strings that are allowed; up to `depth` moves they reach every cell arrangement in the fewest moves."""
    rows, columns = found.rows, found.columns
    for blank in range(rows * columns):
        tiles = (*range(1, blank + 1), 0, *range(blank + 1, rows * columns))
        start = Board(rows, columns, tiles)
        fewest, states = {start.tiles}, {start.tiles}
        frontier = {(start.tiles, int(found.starts[blank if len(found.starts) > 1 else 0]))}
        for depth in range(1, found.depth + 1):
            fewest = {
                rules.move(board, move).tiles
                for board in (Board(rows, columns, tiles) for tiles in fewest)
                for move in rules.legal_moves(board)
            } - states
            states |= fewest
            frontier = set(_steps(found, frontier))
            if missing := fewest - {tiles for tiles, _ in frontier}:
                return f"from cell {blank}, no allowed string of {depth} moves leads to {min(missing)}"
    return differences(complete=(found.complete, True))


def _steps(found: Automaton, frontier: set[tuple[tuple[int, ...], int]]) -> Iterator[tuple[tuple[int, ...], int]]:
    for tiles, state in frontier:
        board = Board(found.rows, found.columns, tiles)
        for move in rules.legal_moves(board):
            after = int(found.table[state, rules.MOVES.index(move)])
            if after >= 0:
                yield rules.move(board, move).tiles, after


def draw_verify(chance: random.Random) -> Trial:
    board = draw_board(chance)
    last, moves = board, ""
    for _ in range(chance.randint(0, 6)):
        moves += chance.choice(rules.legal_moves(last))
        last = rules.move(last, moves[-1])
    if chance.random() < 0.5:
        moves = next(shortest(board))
        last = Board(board.rows, board.columns, board.solved, board.goal)
    return Trial(call("verify", written(board), moves), partial(fault_of_verdict, last))


def fault_of_verdict(last: Board, found: Verdict) -> str:
    return differences(solves=(found.solves, last.is_solved), end=(found.end, last.tiles))


def draw_census(chance: random.Random) -> Trial:
    rows, columns = chance.choice(SIZES[:-1])
    goal = draw_goal(chance, rows, columns)
    if goal not in GOALS and len({*Board.parse(goal, goal=goal).tiles}) < rows * columns:
        goal = "snake"
    metric, hardest = chance.choice(METRICS), chance.choice([1, 2, 1000])
    known = distances(rows, columns, goal, metric)
    options = {"rows": rows, "columns": columns, "goal": goal, "metric": metric, "hardest": hardest}
    return Trial(call("census", **options), partial(fault_of_census, known, hardest))


def fault_of_census(known: dict[tuple[int, ...], int], most: int, found: Census) -> str:
    counts = [list(known.values()).count(depth) for depth in range(max(known.values()) + 1)]
    hardest = [Board.parse(text, goal=found.goal).tiles for text in found.hardest]
    return differences(
        counts=(found.counts, counts),
        depths=({known[tiles] for tiles in hardest}, {len(counts) - 1}),
        hardest=(len({*hardest}), min(most, counts[-1])),
        complete=(found.complete, True),
    )


CHECKS = [
    Check("sliding census", draw_census),
    Check("sliding solve", draw_solve),
    Check("sliding compare", draw_compare),
    Check("sliding automaton", draw_automaton),
    Check("sliding verify", draw_verify),
]
