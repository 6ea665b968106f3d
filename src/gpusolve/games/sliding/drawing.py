"""Drawing boards, moves and results for the terminal and for web pages, and showing progress."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import perm
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, TypeVar

from gpusolve.errors import plain
from gpusolve.games.sliding.boards import is_solvable
from gpusolve.games.sliding.rules import slides_of, tiles_moved
from gpusolve.output import report

if TYPE_CHECKING:
    from gpusolve.games.sliding._verify import Verdict
    from gpusolve.games.sliding.automata._automaton import Automaton
    from gpusolve.games.sliding.boards import Board, Goal
    from gpusolve.games.sliding.databases._build import Built
    from gpusolve.games.sliding.databases._tables import TableFile
    from gpusolve.games.sliding.databases.tilesets import Pattern
    from gpusolve.games.sliding.heuristics._compare import Comparison
    from gpusolve.games.sliding.search.solution import Solution, Status

MOST_LISTED = 100
"""Maximum number of optimal solutions that are printed."""
BUILD_SPEED = 20e6
"""Entries of a pattern database that a small machine builds per second."""
REFRESH = 0.1  # seconds between two updates of a status line

Line = TypeVar("Line", bound="_StatusLine")


def draw(board: Board, *, blank: str = "") -> str:
    """Return the board as lines of text, with the tiles aligned in columns.

    >>> from gpusolve.games.sliding.boards import parse_board
    >>> print(draw(parse_board("8 6 7 / 2 5 4 / 3 0 1"), blank="."))
    8 6 7
    2 5 4
    3 . 1
    """
    width = len(str(board.cells - 1))
    cells = [(str(tile) if tile else blank).rjust(width) for tile in board.tiles]
    return "\n".join(" ".join(cells[i : i + board.columns]) for i in range(0, board.cells, board.columns))


def show_verdict(verdict: Verdict) -> None:
    """Print the last board, and whether it is the goal."""
    report.text(draw(verdict.boards[-1]))
    report.text(summary(verdict))


def summary(verdict: Verdict) -> str:
    """Return the number of moves, and whether they reach the goal, in one line."""
    end = verdict.boards[-1]
    return f"{_moves(len(verdict.moves))}: " + (
        "solved" if verdict.solves else f"the board is not solved (goal: {end.goal})"
    )


def _moves(count: int) -> str:
    return f"{count} move{'s' * (count != 1)}"


def animate(verdict: Verdict, speed: float) -> None:
    """Print every board over the previous one if stdout is a terminal, then whether the goal was reached."""
    report.animate(frames(verdict), 1 / speed)
    report.text(summary(verdict))


def frames(verdict: Verdict) -> Iterator[str]:
    """Yield each board as text; in colour, the tile that moved, tiles in their goal cells, and others differ."""
    names = ["", *(f"{move}, tile {tile}" for move, tile in zip(verdict.moves, verdict.tiles, strict=True))]
    moved = [0, *verdict.tiles]
    for number, (board, moved_tile, name) in enumerate(zip(verdict.boards, moved, names, strict=True)):
        lines = [
            report.painted((f"{tile or '':>3} ", _style(board, i + j, moved_tile)) for j, tile in enumerate(row))
            for i, row in ((i, board.tiles[i : i + board.columns]) for i in range(0, board.cells, board.columns))
        ]
        yield "\n".join([*lines, f"{number} of {_moves(len(verdict.moves))}{': ' * bool(name)}{name:<12}"])


def _style(board: Board, cell: int, moved: int) -> str:
    tile = board.tiles[cell]
    if not tile:
        return "on grey7"
    background = "dark_goldenrod" if tile == moved else "green4" if tile == board.solved[cell] else "grey37"
    return f"bold bright_white on {background}"


def show_page(path: Path, verdict: Verdict) -> None:
    """Print which page was written."""
    report.text(f"{plain(str(path))}: {summary(verdict)}")


def note_goals(boards: Sequence[Board], quiet: bool) -> None:
    """Write on stderr which goal was assumed for boards whose goal was not given."""
    names = {"blank-first": "0 1 2 ... n", "blank-last": "1 2 ... n 0"}
    lines = []
    for board in boards:
        other: Goal = "blank-last" if board.goal == "blank-first" else "blank-first"
        if is_solvable(replace(board, goal=other)):
            lines.append(f"goal {names[board.goal]}; with --goal {other} it is {names[other]}")
        else:
            lines.append(f"goal {names[board.goal]}, because {names[other]} cannot be reached")
    for line in dict.fromkeys(lines):
        report.note(line, quiet)


class _StatusLine:
    """A line on stderr that appears when the work takes long, and is cleared at the end of the block."""

    def __init__(self, quiet: bool) -> None:
        self._quiet = quiet
        self._begin = self._last = time.monotonic()

    def __enter__(self: Line) -> Line:
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
        self._workers: object = ""
        self._sent = 0

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
        self._show(", ".join(filter(None, (line, str(self._workers)))))


def show_solution(solution: Solution, *, with_board: bool) -> None:
    """Print the moves, what is proven about them, and the size of the search."""
    if with_board:
        report.text(str(solution.board))
    if solution.moves is not None:
        report.text(written(solution) or "no moves")
        report.text("tiles " + " ".join(map(str, tiles_moved(solution.board, solution.moves))))
    for moves in solution.solutions[1:MOST_LISTED]:
        report.verbatim(moves)
    if len(solution.solutions) > MOST_LISTED:
        report.text(f"... and {len(solution.solutions) - MOST_LISTED:,} more; --json prints all of them")
    for bound in solution.bounds:
        report.text(
            f"bound {bound.bound}: {bound.expanded:,} node{'s' * (bound.expanded != 1)} in {bound.seconds:.2f} s"
        )
    report.text(_outcome(solution))


def written(solution: Solution) -> str:
    """Return the moves as text; in the multi-tile metric with a space between two moves."""
    moves = solution.moves or ""
    return moves if solution.metric == "single-tile" else " ".join(slides_of(moves))


def show_first_answer(solution: Solution | None, quiet: bool) -> None:
    """Print a solution that was found before the pattern databases are built on stderr, if there is one."""
    if solution is not None and solution.moves:
        ratio = f"at most {solution.ratio:.2f} times as long as an optimal solution"
        line = f"first answer from small databases: {_moves(len(solution.moves))}, {ratio}\n{solution.moves}"
        report.note(line, quiet)
        report.interim(moves=solution.moves, ratio=solution.ratio)


def _outcome(solution: Solution) -> str:
    plural = "s" * (solution.expanded != 1)
    nodes = f"{solution.expanded:,} node{plural} expanded, {solution.generated:,} generated in {solution.seconds:.2f} s"
    lower_bound = f"every solution has at least {_moves(solution.lower_bound)}"
    if solution.moves is None:
        reason = "no solution within the bound" if solution.complete else "stopped"
        return f"{reason}: {lower_bound}; {nodes}"
    count = _moves(solution.length or 0)
    if solution.metric == "multi-tile":
        count += f" in the multi-tile metric ({len(solution.moves)} single tiles)"
    if not solution.proven:
        return f"{count}, at most {solution.ratio:.4f} times as long as an optimal solution: {lower_bound}; {nodes}"
    several = f", one of {len(solution.solutions):,} solutions" if len(solution.solutions) > 1 else ""
    return f"{count}, proven optimal{several}; {nodes}"


def show_comparison(rows: Sequence[Comparison]) -> None:
    """Print a board, and a row for each heuristic with which it was searched."""
    report.text(str(rows[0].solution.board))
    report.table(
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
    )
    for row in rows:
        if row.partition is not None:
            report.text(f"{row.heuristic}: {row.partition}")


def show_means(rows: Sequence[Comparison]) -> None:
    """Print the mean of each heuristic over the boards that it solved."""
    solved = [row for row in rows if row.solution.moves is not None]
    report.text()
    report.text("mean over the boards that were solved")
    report.table(
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
    )


def show_built(built: Built, samples: int) -> None:
    """Print the pattern databases of a partition and their mean lower bound."""
    report.text(f"{built.partition} in {built.seconds:.1f} s")
    show_files([built.file])
    report.text(f"mean lower bound for {samples:,} random boards {built.mean:.3f}, seed {built.seed}")


def show_tables(tables: list[TableFile], folder: Path) -> None:
    """Print all tables and their total size."""
    show_files(tables)
    total = sum(table.bytes for table in tables)
    report.text(f"{len(tables)} table{'s' * (len(tables) != 1)}, {total / 2**20:,.1f} MiB, in {plain(str(folder))}")


def show_files(tables: list[TableFile]) -> None:
    """Print a row for each file."""
    if tables:
        report.table(
            ["table", "MiB", "entries", "mean", "state"],
            [
                (
                    table.path.stem,
                    f"{table.bytes / 2**20:,.1f}",
                    f"{table.entries:,}" if table.entries else "",
                    f"{table.mean:.3f}" if table.entries else "",
                    "damaged" if table.damaged else "intact",
                )
                for table in tables
            ],
        )


def show_automaton(automaton: Automaton, *, factor: float, factors: Sequence[float], seconds: float) -> None:
    """Print the size of an automaton, the branching factor that remains, and the file that keeps its strings."""
    size, squares = f"{automaton.rows}x{automaton.columns}", "any start square"
    if automaton.choice == "square":
        squares = "each start square"
    report.text(
        f"{size}, strings of up to {automaton.depth} moves for {squares}, choice {automaton.choice}, in {seconds:.1f} s"
    )
    report.text(f"{automaton.count:,} strings, {automaton.states:,} states")
    product = " x ".join(f"{each:.5f}" for each in factors)
    report.text(f"branching factor {factor:.5f}, the square root of {product}")
    report.text(plain(str(automaton.path)))
