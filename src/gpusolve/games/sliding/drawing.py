"""How boards, moves and results look in the terminal and on pages, and how progress is shown."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from math import factorial, perm
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar

from gpusolve.errors import plain
from gpusolve.games.sliding.boards import USUAL, is_solvable
from gpusolve.games.sliding.goals import ABOUT
from gpusolve.games.sliding.rules import slides_of
from gpusolve.output import page, report
from gpusolve.output.parts import Film, Line, Note, Part, Picture, Table, Title, Verbatim, counted

if TYPE_CHECKING:
    from markupsafe import Markup

    from gpusolve.games.sliding._scramble import Scrambled
    from gpusolve.games.sliding._show import Animation
    from gpusolve.games.sliding._verify import Played, Verdict
    from gpusolve.games.sliding.automata._automaton import Automaton
    from gpusolve.games.sliding.boards import Board
    from gpusolve.games.sliding.databases._build import Built
    from gpusolve.games.sliding.databases._tables import TableFile, Tables
    from gpusolve.games.sliding.databases.lookups import Databases
    from gpusolve.games.sliding.databases.tilesets import Pattern
    from gpusolve.games.sliding.depths._census import Census
    from gpusolve.games.sliding.heuristics._compare import Comparison, Comparisons
    from gpusolve.games.sliding.search.solution import Solution, Status

MOST_LISTED = 100
"""Maximum number of optimal solutions that are printed."""
BUILD_SPEED = 20e6
"""Entries of a pattern database that a small machine builds per second."""
REFRESH = 0.1  # seconds between two updates of a status line
NOTED = 10.0
"""Seconds between two lines about a search where stderr is a file or a pipe."""
TEMPLATE = Path(__file__).with_name("show.html")
SCRIPT = Path(__file__).with_name("show.js")

Shown = TypeVar("Shown", bound="_StatusLine")


def board(board: Board) -> Iterator[Part]:
    """Yield the tiles; on a page, those in their goal cells are green."""
    yield Picture(lambda controls: page.part("board", _rows(board), _read(board), "sliding"), [Line(drawn(board))])


def drawn(board: Board, *, blank: str = "") -> str:
    """Return the board as lines of text, with the tiles aligned in columns.

    >>> from gpusolve.games.sliding import Board
    >>> print(drawn(Board.parse("8 6 7 / 2 5 4 / 3 0 1"), blank="."))
    8 6 7
    2 5 4
    3 . 1
    """
    width = max(len(board.named(tile)) for tile in board.tiles)
    cells = [(board.named(tile) if tile else blank).rjust(width) for tile in board.tiles]
    return "\n".join(" ".join(cells[i : i + board.columns]) for i in range(0, board.cells, board.columns))


def scrambled(boards: Scrambled) -> Iterator[Part]:
    """Yield the boards, one on each line, and the seed."""
    yield Verbatim("\n".join(map(str, boards)))
    yield Note(f"seed {boards.seed}")


def verdict(verdict: Verdict) -> Iterator[Part]:
    """Yield the last board, and whether it is the goal."""
    yield from goal_notes([verdict.board])
    yield from board(verdict.boards[-1])
    yield Line(summary(verdict))


def animation(animation: Animation) -> Iterator[Part]:
    """Yield the boards one after the other, and whether the goal was reached."""
    yield Title(f"{animation.board.rows}x{animation.board.columns}, {summary(animation)}")
    yield from goal_notes([animation.board])
    yield Picture(
        lambda controls: _player(animation, controls),
        [Film(frames(animation), 1 / animation.speed), Line(summary(animation))],
        scripts=(page.PLAYER, SCRIPT),
        data=lambda: {
            "columns": animation.board.columns,
            "tiles": animation.board.tiles,
            "solved": animation.board.solved,
            "moves": animation.moves,
        },
    )


def _player(played: Played, controls: bool) -> Markup:
    """Return the board with the controls that play the moves, or the first and the last board without them."""
    first = played.board
    if controls:
        return page.fill(TEMPLATE, rows=_rows(first), label=_read(first), moves=played.moves)
    about = [("moves", played.moves or "none"), ("result", summary(played))]
    return page.drawn(board(first)) + page.part("facts", about) + page.drawn(board(played.boards[-1]))


def summary(played: Played) -> str:
    """Return the number of moves, and whether they reach the goal, in one line."""
    end = played.boards[-1]
    return f"{counted(len(played.moves), 'move')}: " + (
        "solved" if played.solves else f"the board is not solved (goal: {end.goal})"
    )


def frames(played: Played) -> Iterator[str]:
    """Yield each board as text; in colour, the tile that moved, tiles in their goal cells, and others differ."""
    tiles = played.tiles_moved
    written = map(played.board.named, tiles)
    names = ["", *(f"{move}, tile {tile}" for move, tile in zip(played.moves, written, strict=True))]
    for number, (each, moved, name) in enumerate(zip(played.boards, [0, *tiles], names, strict=True)):
        lines = [
            report.painted(
                (f"{each.named(tile) if tile else '':>3} ", _style(each, i * each.columns + j, moved))
                for j, tile in enumerate(row)
            )
            for i, row in enumerate(each.lines)
        ]
        yield "\n".join([*lines, f"{number} of {counted(len(played.moves), 'move')}{': ' * bool(name)}{name:<12}"])


def _style(board: Board, cell: int, moved: int) -> str:
    tile = board.tiles[cell]
    if not tile:
        return "on grey7"
    background = "dark_goldenrod" if tile == moved else "green4" if tile == board.solved[cell] else "grey37"
    return f"bold bright_white on {background}"


def _rows(board: Board) -> list[list[tuple[str, str]]]:
    cells = [
        (board.named(tile), "green" if tile == goal else "grey") if tile else ("", "blank")
        for tile, goal in zip(board.tiles, board.solved, strict=True)
    ]
    return [cells[i : i + board.columns] for i in range(0, board.cells, board.columns)]


def _read(board: Board) -> str:
    """Return the rows as text for screen readers."""
    rows = (" ".join(board.named(tile) if tile else "blank" for tile in row) for row in board.lines)
    return "board, rows from the top: " + ", ".join(rows)


def goal_notes(boards: Iterable[Board]) -> Iterator[Note]:
    """Yield which goal was assumed for boards whose goal nobody said."""
    yield from map(Note, dict.fromkeys(map(assumed, filter(lambda each: each.goal_assumed, boards))))


def assumed(board: Board) -> str:
    """Return which goal was assumed for a board whose goal nobody said."""
    other = USUAL[1 - USUAL.index(board.goal)]
    if is_solvable(replace(board, goal=other)):
        return f"goal {ABOUT[board.goal]}; with --goal {other} it is {ABOUT[other]}"
    return f"goal {ABOUT[board.goal]}, because {ABOUT[other]} cannot be reached"


class _StatusLine:
    """A line on stderr that appears when the work takes long, and is cleared at the end of the block."""

    def __init__(self, quiet: bool) -> None:
        self._quiet = quiet
        self._begin = self._last = time.monotonic()

    def __enter__(self: Shown) -> Shown:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        report.status("", self._quiet)

    def _show(self, line: str) -> None:
        now = time.monotonic()
        if now - self._begin > report.PATIENCE and now - self._last > REFRESH:
            self._last = now
            report.status(line, self._quiet)


class BuildProgress(_StatusLine):
    """The progress of building pattern databases: a callback for `build` and `open_databases`."""

    def __init__(self, quiet: bool) -> None:
        super().__init__(quiet)
        self._begins: dict[Pattern, float] = {}

    def __call__(self, pattern: Pattern, entries: int) -> None:
        """Announce each pattern database once, then show how many of its entries have been built."""
        least = perm(pattern.rows * pattern.columns, len(pattern.cells))  # without the regions of the blank
        if pattern not in self._begins:
            self._begins[pattern] = time.monotonic()
            number = f"{least / 1e6:,.1f} million" if least >= 1e6 else f"{least:,}"
            size = f"more than {number} entries, about {max(1.0, least / BUILD_SPEED):,.0f} s"
            report.note(f"building the pattern database {pattern}, once for this machine: {size}", self._quiet)
        seconds = time.monotonic() - self._begins[pattern]
        self._show(f"{pattern}: {entries:,} of more than {least:,} entries, {seconds:.0f} s")


class SearchProgress(_StatusLine):
    """The progress of a search: a callback for `solve`, which also shows the workers."""

    def __init__(self, quiet: bool) -> None:
        super().__init__(quiet)
        self.build = BuildProgress(quiet)
        self._workers: object = ""
        self._sent = 0
        self._noted = self._begin

    def watch(self, workers: object) -> None:
        """Show these workers as well: `open_workers` calls this with a `Workers`, whose text is their number."""
        self._workers = workers

    def __call__(self, status: Status) -> None:
        """Show the bound, its nodes, their rate, and the time left if the bound grows as the last one did."""
        for bound in status.bounds[self._sent :]:
            report.interim(bound=bound.bound, expanded=bound.expanded, seconds=bound.seconds)
        self._sent = len(status.bounds)
        rate = status.expanded / status.seconds if status.seconds else 0.0
        left = (status.expected - status.expanded) / rate if rate else 0.0
        estimate = f" of about {status.expected:,}, {left // 60:.0f}:{left % 60:02.0f} left" if left else ""
        line = f"bound {status.bound}: {status.expanded:,} nodes{estimate}, {rate / 1e6:.1f} million/s"
        line = ", ".join(filter(None, (line, str(self._workers))))
        self._show(line)
        now = time.monotonic()
        if now - self._noted > NOTED and not sys.stderr.isatty() and not report.watched():
            self._noted = now
            report.note(line, self._quiet)


def solve_progress(value: Callable[[str], Any], quiet: bool) -> SearchProgress:
    """Return what shows the progress of a search."""
    return SearchProgress(quiet)


def compare_progress(value: Callable[[str], Any], quiet: bool) -> SearchProgress:
    """Return what shows the progress of the searches."""
    return SearchProgress(quiet)


def build_progress(value: Callable[[str], Any], quiet: bool) -> BuildProgress:
    """Return what shows the progress of the databases."""
    return BuildProgress(quiet)


def census_progress(value: Callable[[str], Any], quiet: bool) -> report.Progress:
    """Return the progress bar of the positions."""
    return report.Progress("positions", factorial(value("rows") * value("columns")) // 2, quiet)


def automaton_progress(value: Callable[[str], Any], quiet: bool) -> report.Progress:
    """Return the progress bar of the lengths."""
    return report.Progress("length", value("depth"), quiet)


def solution(solution: Solution) -> Iterator[Part]:
    """Yield the moves, what is proven about them, and the size of the search."""
    yield Picture(lambda controls: page.drawn(board(solution.board)))
    if solution.moves is not None:
        yield Line(written(solution) or "no moves")
        yield Line("tiles " + " ".join(map(solution.board.named, solution.tiles_moved or ())))
    for moves in solution.solutions[1:MOST_LISTED]:
        yield Verbatim(moves)
    if len(solution.solutions) > MOST_LISTED:
        yield Line(f"... and {len(solution.solutions) - MOST_LISTED:,} more; --json prints all of them")
    lines = [
        f"bound {each.bound}: {counted(each.expanded, 'node')} in {each.seconds:.2f} s" for each in solution.bounds
    ]
    rows = [(each.bound, each.expanded, each.generated) for each in solution.bounds]
    table = Table(["bound", "expanded", "generated"], rows, "bounds searched")
    yield Picture(lambda controls: page.drawn([table] if rows else []), [*map(Line, lines)])
    if solution.choice is not None:
        yield Line(solution.choice)
    if solution.board.goal_assumed:
        yield Line(assumed(solution.board))
    yield Line(_outcome(solution))


def written(solution: Solution) -> str:
    """Return the moves as text; in the multi-tile metric with a space between two moves."""
    moves = solution.moves or ""
    return moves if solution.metric == "single-tile" else " ".join(slides_of(moves))


def first_answer(solution: Solution) -> Iterator[Part]:
    """Yield the note about a solution that was found before the pattern databases are built."""
    ratio = f"at most {solution.ratio:.2f} times as long as an optimal solution"
    yield Note(f"first answer from small databases: {counted(solution.length or 0, 'move')}, {ratio}\n{solution.moves}")


def _outcome(solution: Solution) -> str:
    nodes = (
        f"{counted(solution.expanded, 'node')} expanded, {solution.generated:,} generated in {solution.seconds:.2f} s"
    )
    lower_bound = f"every solution has at least {counted(solution.lower_bound, 'move')}"
    if solution.moves is None:
        reason = "no solution within the bound" if solution.complete else "stopped"
        return f"{reason}: {lower_bound}; {nodes}"
    count = counted(solution.length or 0, "move")
    if solution.metric == "multi-tile":
        count += f" in the multi-tile metric ({len(solution.moves)} single tiles)"
    if not solution.proven:
        return f"{count}, at most {solution.ratio:.4f} times as long as an optimal solution: {lower_bound}; {nodes}"
    several = f", one of {len(solution.solutions):,} solutions" if len(solution.solutions) > 1 else ""
    return f"{count}, proven optimal{several}; {nodes}"


def comparison(row: Comparison) -> Iterator[Part]:
    """Yield the heuristic, and the solution that it led to."""
    yield Line(f"{row.heuristic}: its value is {row.estimate}")
    yield from solution(row.solution)


def comparisons(comparisons: Comparisons) -> Iterator[Part]:
    """Yield each board, and a row for each heuristic with which it was searched; then the means of several boards."""
    for rows in comparisons.by_board:
        yield Line(str(rows[0].solution.board))
        yield Table(
            ["heuristic", "estimate", "moves", "expanded", "generated", "seconds"],
            [
                (
                    row.heuristic,
                    row.estimate,
                    "stopped" if row.solution.moves is None else len(row.solution.moves),
                    f"{row.solution.expanded:,}",
                    f"{row.solution.generated:,}",
                    f"{row.seconds:.3f}",
                )
                for row in rows
            ],
            "heuristics",
        )
        yield from (Line(f"{row.heuristic}: {row.partition}") for row in rows if row.partition is not None)
    yield from means(comparisons)


def means(comparisons: Comparisons) -> Iterator[Part]:
    """Yield the mean of each heuristic over the boards that it solved, unless there is only one board."""
    if len(comparisons.by_board) < 2:
        return
    solved = [row for row in comparisons if row.solution.moves is not None]
    yield Line()
    yield Line("mean over the boards that were solved")
    yield Table(
        ["heuristic", "boards", "estimate", "moves", "expanded", "seconds"],
        [
            (
                name,
                len(these),
                f"{sum(row.estimate for row in these) / len(these):.2f}",
                f"{sum(len(row.solution.moves or '') for row in these) / len(these):.2f}",
                f"{sum(row.solution.expanded for row in these) / len(these):,.0f}",
                f"{sum(row.seconds for row in these) / len(these):.3f}",
            )
            for name in dict.fromkeys(row.heuristic for row in solved)
            for these in [[row for row in solved if row.heuristic == name]]
        ],
        "means",
    )


def built(built: Built) -> Iterator[Part]:
    """Yield the pattern databases of a partition and their mean lower bound."""
    yield Line(f"{built.partition} in {built.seconds:.1f} s")
    yield from _files([built.table])
    yield Line(f"mean lower bound for {built.samples:,} random boards {built.mean:.3f}, seed {built.seed}")


def databases(databases: Databases) -> Iterator[Part]:
    """Yield the partition of open pattern databases, and their size."""
    yield Line(f"pattern databases {databases.partition}, {databases.steps.nbytes / 2**20:,.1f} MiB")


def tables(tables: Tables) -> Iterator[Part]:
    """Yield the tables that were removed, the others, their total size, and the limit."""
    for name in tables.removed:
        yield Line(f"removed {name}")
    yield from _files(tables)
    total, number = sum(table.bytes for table in tables), len(tables)
    yield Line(f"{counted(number, 'table')}, {total / 2**20:,.1f} MiB, in {plain(str(tables.folder))}")
    yield Line(f"all games keep at most {tables.limit / 1e9:g} GB; the longest unused are removed first")


def _files(tables: Sequence[TableFile]) -> Iterator[Part]:
    """Yield a row for each file."""
    if tables:
        yield Table(
            ["table", "MiB", "entries", "mean", "state", "used"],
            [
                (
                    table.path.stem,
                    f"{table.bytes / 2**20:,.1f}",
                    f"{table.entries:,}" if table.entries else "",
                    f"{table.mean:.3f}" if table.entries else "",
                    "damaged" if table.damaged else "intact",
                    table.used[:10],
                )
                for table in tables
            ],
            "tables",
        )


def census(census: Census) -> Iterator[Part]:
    """Yield the number of positions at each depth, and the hardest positions."""
    rows = [(depth, f"{count:,}") for depth, count in enumerate(census.counts)]
    yield Table(["moves", "positions"], rows, "positions by the fewest moves to the goal")
    yield Verbatim("\n".join(census.hardest))
    size, found = f"{census.rows}x{census.columns}", f"{census.positions:,} positions"
    metric = "" if census.metric == "single-tile" else " in the multi-tile metric"
    if not census.complete:
        yield Line(f"{size}, stopped after {counted(census.depth, 'move')}{metric}: {found} in {census.seconds:.2f} s")
        return
    yield Line(f"{size}: at most {counted(census.depth, 'move')}{metric}, {census.mean:.4f} on average")
    yield Line(f"{found} in {census.seconds:.2f} s, goal {census.goal}")


def automaton(automaton: Automaton) -> Iterator[Part]:
    """Yield the size of an automaton, the branching factor that remains, and the file that keeps its strings."""
    size = f"{automaton.rows}x{automaton.columns}"
    squares = "each start square" if automaton.choice == "square" else "any start square"
    yield Line(
        f"{size}, strings of up to {automaton.depth} moves for {squares}, choice {automaton.choice}, "
        f"in {automaton.seconds:.1f} s"
    )
    yield Line(f"{automaton.count:,} strings, {automaton.states:,} states")
    product = " x ".join(f"{each:.5f}" for each in automaton.branching_factors)
    yield Line(f"branching factor {automaton.branching_factor:.5f}, the square root of {product}")
    yield Line(plain(str(automaton.file)))
