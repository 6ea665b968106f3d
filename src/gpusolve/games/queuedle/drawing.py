"""How results look: a puzzle, and the boards of a game with their words lit up."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gpusolve.games.queuedle import rules
from gpusolve.games.queuedle._check import ScoredGame, ScoredPosition
from gpusolve.games.queuedle._suggest import NextSlide, Suggestion
from gpusolve.games.queuedle.positions import DIRECTIONS, Position, move_text
from gpusolve.games.queuedle.puzzles import Puzzle
from gpusolve.games.queuedle.search.auto import STATES
from gpusolve.games.queuedle.search.searches import EXPANDED, REVIEW_WIDTH, WIDTH, Solution
from gpusolve.output import page, report
from gpusolve.output.parts import Line, Part, Picture, Table, Tiles, Title, counted

if TYPE_CHECKING:
    from markupsafe import Markup

TEMPLATE = Path(__file__).with_name("game.html")
SLIDES = {"l": ("to the left", "←"), "r": ("to the right", "→"), "u": ("up", "↑"), "d": ("down", "↓")}
"""Direction -> its words and its arrow."""


def puzzle(puzzle: Puzzle) -> Iterator[Part]:
    """Yield how the puzzle of a day was drawn, the grid, and the queue."""
    if puzzle.date is not None:
        yield Title(f"The puzzle of {puzzle.date}")
        words = "" if puzzle.puzzle_dictionary is None else f", dictionary {puzzle.puzzle_dictionary}"
        drawn = f"seed {puzzle.puzzle_seed} ({puzzle.tries} earlier seeds drew a grid with a word)"
        yield Line(f"{puzzle.date}, {puzzle.zone}{words}: {drawn}")
    yield from position(puzzle.start)
    if puzzle.note:
        yield Line(f"note: {puzzle.note}")


def position(position: Position) -> Iterator[Part]:
    """Yield the grid and the queue."""

    def board(controls: bool) -> Markup:
        cells = [[(letter, "letter") for letter in row] for row in position.grid]
        return page.part("board", cells, _read(position.grid), "queuedle")

    yield Picture(board, [Line(f"  {row}") for row in position.grid])
    yield Line(f"queue {position.queue or 'empty'}")


def scored_position(board: ScoredPosition) -> Iterator[Part]:
    """Yield the score, the last slide, and the grid with the cells of its words marked."""
    yield _game([board])


def scored_game(game: ScoredGame) -> Iterator[Part]:
    """Yield the board after each slide, then the score, the slides and the words of the last one."""
    count = len(game.moves)
    day = "" if game.puzzle.date is None else f", puzzle of {game.puzzle.date}"
    yield Title(f"{counted(game.score, 'point')} after {counted(count, 'slide')}{day}")
    if game.puzzle.note:
        yield Line(f"{game.puzzle.date}, {game.puzzle.zone}; note: {game.puzzle.note}")
    yield _game(game)
    yield Line(f"score {game.score} after {counted(count, 'move')}: {game.moves}")
    yield Line(f"words: {' '.join(entry.word for entry in game[-1].words)}")


def solution(solution: Solution) -> Iterator[Part]:
    """Yield the boards that lead to the best one, and a line about the search."""
    yield from scored_game(solution.game)
    if solution.lost:
        each = (f"{move_text(move)} {lost}" for move, lost in zip(solution.moves, solution.lost, strict=False))
        sure = "" if solution.lost_proven else f", as far as beams of {REVIEW_WIDTH:,} boards tell"
        yield Line(f"points lost by the slides made before: {', '.join(each)}{sure}")
    yield Line(
        f"{solution.strategy}: {counted(solution.generated, 'board')} scored in {solution.seconds:.1f} s"
        f" ({solution.states_per_second / 1e6:.1f} million/s)"
        + (f", seed {solution.seed}" if solution.seed is not None else "")
        + (
            "; no board scores more, which is proven"
            if solution.proven
            else f"; it is proven that no board scores more than {solution.bound}"
        )
        + ("" if solution.complete else "; stopped by the time limit")
    )


def suggestion(suggestion: Suggestion) -> Iterator[Part]:
    """Yield the position, and the next slides with their expected scores."""
    yield Title(f"The next slide: {_named(suggestion.slides[0])}")
    yield from position(suggestion.position)
    shown = 2 if suggestion.exact else 3
    rows = [(_named(slide), f"{slide.expected:.2f}", f"{slide.error:.2f}")[:shown] for slide in suggestion.slides]
    yield Table(("slide", "expected", "error")[:shown], rows, "the next slides")
    if suggestion.exact:
        yield Line("expected scores, exact")
    else:
        yield Line(
            f"means of what beams find for {suggestion.samples} samples of the {suggestion.hidden} hidden letters, "
            f"with standard errors, as if these letters were known after the slide; seed {suggestion.seed}"
        )


def next_slide(slide: NextSlide) -> Iterator[Part]:
    """Yield a slide with its expected score."""
    yield Line(f"{_named(slide)}: {slide.expected:.2f}")


def _named(slide: NextSlide) -> str:
    return slide.move or "end"


def solve_progress(value: Callable[[str], Any], quiet: bool) -> report.Progress:
    """Return the progress bar of a search: of its budget, of its time, or of all boards that it may score."""
    states, time_limit = value("states"), value("time_limit")
    if value("strategy") == "best-first":
        return report.Progress("boards taken", value("expanded") or EXPANDED, quiet)
    if value("strategy") == "exhaustive":
        return report.Progress("percent of all slides tried", 100, quiet)
    if value("strategy") == "beam":
        given = {name: value(name) for name in ("zone", "dictionary", "puzzle_dictionary")}
        puzzle = Puzzle.parse(value("puzzle"), **given)
        most = 4 * puzzle.size * (value("width") or WIDTH) * max(1, len(puzzle.queue))
        return report.Progress("boards scored, at most", most, quiet)
    if states is None and time_limit is not None and math.isfinite(time_limit):
        return Seconds("seconds", math.ceil(time_limit), quiet)
    return report.Progress("boards scored", (states or STATES) * (value("restarts") or 1), quiet)


class Seconds(report.Progress):
    """A progress bar of the seconds since its start, not of the boards scored."""

    def __call__(self, done: int, best: int | None = None) -> None:
        """Show how many seconds have passed, and the `best` score so far."""
        super().__call__(int(time.monotonic() - self._begin), best)


def _game(boards: Sequence[ScoredPosition]) -> Picture:
    """Return boards: marked letters in the terminal, and a page that goes from slide to slide."""
    earlier: list[ScoredPosition | None] = [None, *boards]
    return Picture(
        lambda controls: page.fill(TEMPLATE, steps=[*map(_step, earlier, boards)], controls=controls),
        [part for board in boards for part in _marked(board)],
        scripts=(page.PLAYER, page.STEPS),
        data=lambda: {"unit": "slide"},
    )


def _marked(board: ScoredPosition) -> Iterator[Part]:
    """Yield a board for the terminal."""
    position = board.position
    move = move_text(position.moves[-1]) if position.moves else "start"
    yield Line(f"{move}: {counted(board.score, 'point')}" + (f", queue {position.queue}" if position.queue else ""))
    for row, marks in zip(position.grid, rules.marked(position.grid, board.words), strict=True):
        shown = "".join(letter.upper() if mark else letter for letter, mark in zip(row, marks, strict=True))
        yield Tiles(row, ["green" if mark else "grey" for mark in marks], "", f"  {shown}")


def _step(before: ScoredPosition | None, board: ScoredPosition) -> dict[str, Any]:
    position, n = board.position, len(board.position.grid)
    marks = rules.marked(position.grid, board.words)
    rows = [[("", "edge")] * (n + 2) for _ in range(n + 2)]
    for i, row in enumerate(position.grid):
        for j, letter in enumerate(row):
            rows[i + 1][j + 1] = (letter, "green" if marks[i][j] else "letter")
    title = "Start"
    if position.moves:
        line, direction = position.moves[-1] // 4, DIRECTIONS[position.moves[-1] % 4]
        words, arrow = SLIDES[direction]
        entry = {"l": (line, n - 1), "r": (line, 0), "u": (n - 1, line), "d": (0, line)}[direction]
        edge = {"l": (line, n), "r": (line, -1), "u": (n, line), "d": (-1, line)}[direction]
        letter, kind = rows[entry[0] + 1][entry[1] + 1]
        rows[entry[0] + 1][entry[1] + 1] = (letter, f"{kind} entered")
        rows[edge[0] + 1][edge[1] + 1] = (arrow, "edge")
        title = f"{'Row' if direction in 'lr' else 'Column'} {line + 1} {words}, {letter.upper()} enters"
    gain = "" if before is None else f" ({board.score - before.score:+d})"
    earlier = None if before is None else [word.word for word in before.words]
    return {
        "title": title,
        "rows": rows,
        "label": _read(position.grid),
        "facts": [("score", f"{board.score}{gain}"), ("queue", position.queue or "empty")],
        "words": [(word.word, earlier is not None and word.word not in earlier) for word in board.words],
    }


def _read(grid: Sequence[str]) -> str:
    """Return the rows as text for screen readers."""
    return "board, rows from the top: " + ", ".join(" ".join(row) for row in grid)
