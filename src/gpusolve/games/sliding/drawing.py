"""What is drawn: boards, moves."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from math import perm
from pathlib import Path

from gpusolve.errors import plain
from gpusolve.games.sliding._verify import Verdict
from gpusolve.games.sliding.automata._automaton import Automaton
from gpusolve.games.sliding.boards import Board, draw
from gpusolve.games.sliding.databases._tables import Built, TableFile
from gpusolve.games.sliding.databases.tilesets import Pattern
from gpusolve.games.sliding.rules import tiles_moved
from gpusolve.games.sliding.search.solution import Solution, Status
from gpusolve.output import page, report

BUILT = 20e6
"""Entries of a table that a small machine makes in a second."""
PAGE = Path(__file__).with_name("show.html")


def show_board(board: Board) -> None:
    """The board as a grid."""
    report.text(draw(board))


def show_verdict(verdict: Verdict) -> None:
    """Where the moves led, and whether that is the goal."""
    show_board(verdict.boards[-1])
    report.text(summary(verdict))


def summary(verdict: Verdict) -> str:
    """How many moves there are, and whether they lead to the goal."""
    end = verdict.boards[-1]
    return f"{_moves(len(verdict.moves))}: " + ("solved" if verdict.solves else f"not the goal, {end.goal}")


def _moves(count: int) -> str:
    return f"{count} move{'s' * (count != 1)}"


def animate(verdict: Verdict, speed: float) -> None:
    """The boards, one over the other where stdout is a terminal; then whether the goal was reached."""
    report.animate(frames(verdict), 1 / speed)
    report.text(summary(verdict))


def frames(verdict: Verdict) -> Iterator[str]:
    """Each board as text, coloured if stdout is: the tile that has moved, tiles that are home, others."""
    names = ["", *(f"{move}, tile {tile}" for move, tile in zip(verdict.moves, verdict.tiles, strict=True))]
    moved = [0, *verdict.tiles]
    for number, (board, tile, name) in enumerate(zip(verdict.boards, moved, names, strict=True)):
        lines = [
            report.painted((f"{one or '':>3} ", _style(board, i + j, tile)) for j, one in enumerate(row))
            for i, row in ((i, board.tiles[i : i + board.columns]) for i in range(0, board.cells, board.columns))
        ]
        yield "\n".join([*lines, f"{number} of {_moves(len(verdict.moves))}{': ' * bool(name)}{name:<12}"])


def _style(board: Board, cell: int, moved: int) -> str:
    tile = board.tiles[cell]
    if not tile:
        return "on grey7"
    background = "dark_goldenrod" if tile == moved else "green4" if tile == board.solved[cell] else "grey37"
    return f"bold bright_white on {background}"


def save_page(path: Path, verdict: Verdict) -> None:
    """Writes a page that plays the moves and needs nothing else. Raises BadInput where it cannot be written."""
    board = verdict.boards[0]
    blanks = {
        "about": f"{board.rows}x{board.columns}, {summary(verdict)}",
        "columns": str(board.columns),
        "tiles": json.dumps(board.tiles),
        "solved": json.dumps(board.solved),
        "moves": json.dumps(verdict.moves),
    }
    page.save(path, PAGE, **blanks)


def page_written(path: Path, verdict: Verdict) -> None:
    """Says so in a line."""
    report.text(f"{plain(str(path))}: {summary(verdict)}")


class Watch:
    """A line on stderr that tells how tables are built and a search goes, and is gone in the end."""

    def __init__(self, quiet: bool) -> None:
        self._quiet = quiet
        self._begin = self._last = 0.0
        self._announced: dict[Pattern, float] = {}
        self._workers: object = ""

    def __enter__(self) -> None:
        self._begin = self._last = time.monotonic()

    def __exit__(self, *_: object) -> None:
        report.status("", self._quiet)

    def building(self, pattern: Pattern, entries: int) -> None:
        """A note on what is built, the first time; then how far it is."""
        total = perm(pattern.rows * pattern.columns, len(pattern.cells))  # without the regions of the blank
        if pattern not in self._announced:
            self._announced[pattern] = time.monotonic()
            expected = f"{total / 1e6:,.1f} million places of its tiles, some {max(1.0, total / BUILT):,.0f} s"
            report.note(f"building the table {pattern}, once for this machine: {expected}", self._quiet)
        seconds = time.monotonic() - self._announced[pattern]
        self._show(f"{pattern}: {entries:,} of more than {total:,} entries, {seconds:.0f} s")

    def watch(self, workers: object) -> None:
        """Show these workers as well."""
        self._workers = workers

    def __call__(self, status: Status) -> None:
        """The bound, its nodes, their rate, and what is left of it if it grows as the last one did."""
        rate = status.expanded / status.seconds if status.seconds else 0.0
        left = (status.expected - status.expanded) / rate if rate else 0.0
        more = f" of about {status.expected:,}, {left // 60:.0f}:{left % 60:02.0f} left" if left else ""
        line = f"bound {status.bound}: {status.expanded:,} nodes{more}, {rate / 1e6:.1f} million/s"
        self._show(", ".join(filter(None, (line, str(self._workers)))))

    def _show(self, line: str) -> None:
        now = time.monotonic()
        if now - self._begin > report.PATIENCE and now - self._last > 0.1:
            self._last = now
            report.status(line, self._quiet)


def show_solution(found: Solution, named: bool) -> None:
    """The moves, what is proven of them, and what the search took; with the board, if it is one of many."""
    if named:
        report.text(str(found.board))
    if found.moves is not None:
        report.text(found.moves or "no moves")
        report.text("tiles " + " ".join(map(str, tiles_moved(found.board, found.moves))))
    for bound in found.bounds:
        report.text(
            f"bound {bound.bound}: {bound.expanded:,} node{'s' * (bound.expanded != 1)} in {bound.seconds:.2f} s"
        )
    report.text(_outcome(found))


def _outcome(found: Solution) -> str:
    spent = f"{found.expanded:,} nodes expanded, {found.generated:,} generated in {found.seconds:.2f} s"
    if found.moves is None:
        kept = "no solution within the bound" if found.complete else "stopped"
        return f"{kept}: none has fewer than {found.least} moves; {spent}"
    count = _moves(len(found.moves))
    if not found.proven:
        return (
            f"{count}, at most {found.ratio:.4f} times an optimal solution: none has fewer than {found.least}; {spent}"
        )
    several = f", one of {len(found.solutions):,}" if len(found.solutions) > 1 else ""
    return f"{count}, proven optimal{several}; {spent}"


def show_built(found: Built, samples: int) -> None:
    """The tables of a partition, and how good they are."""
    report.text(f"{found.partition} in {found.seconds:.1f} s")
    show_files([found.file])
    report.text(f"mean bound of {samples:,} random boards {found.mean:.3f}, seed {found.seed}")


def show_tables(found: list[TableFile], folder: Path) -> None:
    """All tables, or that there are none."""
    show_files(found)
    total = sum(one.bytes for one in found)
    report.text(f"{len(found)} tables, {total / 2**20:,.1f} MiB, in {plain(str(folder))}")


def show_files(found: list[TableFile]) -> None:
    """A row for each file."""
    if found:
        report.table(
            ["table", "MiB", "entries", "mean", "state"],
            [
                (
                    one.path.stem,
                    f"{one.bytes / 2**20:,.1f}",
                    f"{one.entries:,}" if one.entries else "",
                    f"{one.mean:.3f}" if one.entries else "",
                    "damaged" if one.damaged else "whole",
                )
                for one in found
            ],
        )


def show_automaton(found: Automaton, factor: float, factors: Sequence[float], seconds: float) -> None:
    """What it forbids, what that leaves, and where it is kept."""
    kind = "each start square" if found.choice == "square" else f"any start square, choice {found.choice}"
    report.text(f"{found.rows}x{found.columns}, strings of up to {found.depth} moves, for {kind}, in {seconds:.1f} s")
    report.text(f"{found.count:,} strings, {found.states:,} states")
    both = " x ".join(f"{one:.5f}" for one in factors)
    report.text(f"branching factor {factor:.5f}, the square root of {both}")
    report.text(plain(str(found.path)))
