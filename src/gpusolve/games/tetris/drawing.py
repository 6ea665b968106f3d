"""What Tetris shows: tables, frames, a page, the course of a training."""

from __future__ import annotations

import html
import json
import math
from collections.abc import Iterator
from dataclasses import asdict
from itertools import groupby, zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from gpusolve import files
from gpusolve.errors import plain
from gpusolve.games.tetris._play import Recording, rate
from gpusolve.games.tetris._suggest import Suggestion, loss
from gpusolve.games.tetris.measuring._evaluate import (
    PERCENTILES,
    Comparison,
    Estimate,
    Evaluation,
    estimate,
    percentiles_of,
)
from gpusolve.games.tetris.measuring._match import Match
from gpusolve.games.tetris.measuring.prospects import AHEAD, Prospect
from gpusolve.games.tetris.rules import board as rules
from gpusolve.games.tetris.rules.board import PIECES, Board
from gpusolve.games.tetris.training._train import Iteration
from gpusolve.games.tetris.variant import Settings
from gpusolve.output import page, report

if TYPE_CHECKING:
    from gpusolve.games.tetris.training.value_training import ValueIteration

PAGE = Path(__file__).with_name("replay.html")
FEATURES = {"holes": 4, "rows": 10, "cols": 9, "wells": 2, "max h": 12, "surface": 16}
"""The features beside a suggestion, by their numbers."""
HIDDEN = 2  # rows above those that a player sees
COLOURS = {
    "I": "dark_turquoise",
    "L": "orange1",
    "J": "dodger_blue1",
    "T": "medium_orchid",
    "Z": "indian_red1",
    "S": "green3",
    "O": "khaki1",
    "#": "grey50",
}
"""As Rich names them; "#" is a cell of which nobody knows the piece."""


# --- training ---------------------------------------------------------------------------------------------------------


def progress_of(iteration: Iteration, iterations: int, workers: str) -> str:
    """A line on how a training goes."""
    left = (iterations - iteration.iteration) * iteration.seconds
    return (
        f"{iteration.iteration}/{iterations}  best {iteration.best:,.0f}  mean {iteration.mean:,.0f}  "
        f"spread {iteration.spread:.3f}  {iteration.pieces / iteration.seconds:,.0f} pieces/s  "
        f"{left // 60:.0f}:{left % 60:02.0f} left" + (f"  {workers}" if workers else "")
    )


def progress_of_value(iteration: ValueIteration, iterations: int) -> str:
    """A line on how a training of the value goes."""
    left = (iterations - iteration.iteration) * iteration.seconds
    return (
        f"{iteration.iteration}/{iterations}  mean {iteration.mean:,.0f}  "
        f"early {100 * iteration.early:.0f} %  {iteration.games / iteration.seconds:,.0f} games/s  "
        f"{left // 60:.0f}:{left % 60:02.0f} left"
    )


class TrainingLog:
    """The iterations of a run, and the file that gets a line for each: CSV by its suffix, else JSON lines."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        self.iterations: list[Iteration | ValueIteration] = []

    def add(self, iteration: Iteration | ValueIteration) -> None:
        """Appends a line. Raises BadInput where the file cannot be written."""
        self.iterations.append(iteration)
        if self.path is None:
            return
        row = asdict(iteration)
        if self.path.suffix != ".csv":
            files.append(self.path, json.dumps({"schema": "gpusolve.tetris.iteration/1"} | row) + "\n", "log")
            return
        values = ",".join(map(str, row.values())) + "\n"
        begins = not files.exists(self.path) or self.path.stat().st_size == 0
        files.append(self.path, ",".join(row) + "\n" + values if begins else values, "log")

    def plot(self, path: Path | None, title: str) -> None:
        """A picture of the fitness over the iterations, if there is a path and any of them."""
        if path is None or not self.iterations:
            return
        from gpusolve.output.plot import save_lines

        x = [row.iteration for row in self.iterations]
        lines = {"mean": [row.mean for row in self.iterations]}
        swarms = [row for row in self.iterations if isinstance(row, Iteration)]
        if swarms:
            lines["best so far"] = [row.best for row in swarms]
            lines["best of the iteration"] = [row.iteration_best for row in swarms]
        save_lines(path, x, lines, title, "iteration", "fitness" if swarms else "mean score")


class SwarmProgress:
    """What to call after each iteration of a swarm: it writes the log and shows one line on stderr."""

    def __init__(self, log: TrainingLog, iterations: int, quiet: bool) -> None:
        self._log, self._iterations, self._quiet = log, iterations, quiet
        self._workers: object = ""

    def __call__(self, iteration: Iteration) -> None:
        """Log the iteration and show it."""
        self._log.add(iteration)
        report.status(progress_of(iteration, self._iterations, str(self._workers)), self._quiet)

    def watch(self, workers: object) -> None:
        """Show these workers as well."""
        self._workers = workers


# --- evaluation -------------------------------------------------------------------------------------------------------


def played_under(settings: Settings) -> str:
    """The settings in words."""
    said = [settings.reach, settings.source, f"start level {settings.start_level}"]
    if settings.max_lines != rules.MAX_LINES:
        said.append(f"{settings.max_lines} lines")
    if settings.delay_ms:
        said.append(f"next piece known after {settings.delay_ms} ms")
    if settings.double_killscreen:
        said.append("double killscreen")
    return ", ".join(said)


def evaluations(found: list[Evaluation]) -> None:
    """A table with a column for each."""
    report.table(
        ["", *(one.weights.name for one in found)],
        [
            ("mean score", *(_with_error(one.score, 0) for one in found)),
            *((_percentile(p), *(f"{one.percentiles[p]:,.0f}" for one in found)) for p in PERCENTILES),
            ("maxout %", *(_with_error(one.maxout, 2) for one in found)),
            ("lines", *(_with_error(one.lines, 1) for one in found)),
            ("tetris rate %", *(_with_error(one.tetris_rate, 2) for one in found)),
        ],
    )


def comparison(found: Comparison) -> None:
    """The difference in a line."""
    difference = _interval(found.difference, found.interval, found.confidence)
    report.text(f"{found.second.weights.name} less {found.first.weights.name}, game by game: {difference}")


def _percentile(p: int) -> str:
    return "median" if p == 50 else f"{p}th percentile"


def _interval(difference: Estimate, interval: tuple[float, float], confidence: float) -> str:
    low, high = interval
    found = "" if math.isnan(low) else f", {100 * confidence:g} % interval {low:,.0f} to {high:,.0f}"
    return _with_error(difference, 0) + found


def _with_error(estimate: Estimate, digits: int) -> str:
    error = "" if math.isnan(estimate.error) else f" ± {estimate.error:,.{digits}f}"
    return f"{estimate.mean:,.{digits}f}{error}"


# --- matches ----------------------------------------------------------------------------------------------------------


def sums(scores: npt.NDArray[Any], lines: npt.NDArray[Any]) -> dict[str, Any]:
    """What one side of a match made, for JSON, which has no nan."""
    score = estimate(scores)
    return {
        "score": {"mean": score.mean, "error": None if math.isnan(score.error) else score.error},
        "percentiles": percentiles_of(scores),
        "maxout": 100 * float((scores >= rules.MAXOUT).mean()),
        "lines": float(lines.mean()),
    }


def match(found: Match) -> None:
    """A table with a column for each side, and the difference in a line."""
    ours, theirs = found.ours.scores[0], found.theirs.scores
    sides = [sums(ours, found.ours.lines[0]), sums(theirs, found.theirs.lines)]
    report.table(
        ["", found.weights.name, "theirs"],
        [
            ("mean score", *(_with_error(estimate(scores), 0) for scores in (ours, theirs))),
            *((_percentile(p), *(f"{side['percentiles'][p]:,.0f}" for side in sides)) for p in PERCENTILES),
            ("maxout %", *(f"{side['maxout']:.2f}" for side in sides)),
            ("lines", *(f"{side['lines']:.1f}" for side in sides)),
        ],
    )
    even = len(ours) - found.wins - found.losses
    report.text(f"ours less theirs, game by game: {_interval(found.difference, found.interval, found.confidence)}")
    report.text(f"won {found.wins:,}, lost {found.losses:,}, even {even:,}")
    if found.theirs.checked:
        report.text(f"{found.theirs.checked:,} of their games checked: every placement can be reached")
    if found.short:
        report.text(f"{found.short:,} of our games ended with their list of pieces")


def plot_match(path: Path, found: Match) -> None:
    """The scores of both sides, each from the least to the greatest."""
    from gpusolve.output.plot import save_lines

    x = (np.arange(len(found.differences)) + 0.5) * 100 / len(found.differences)
    lines = {found.weights.name: np.sort(found.ours.scores[0]), "theirs": np.sort(found.theirs.scores)}
    save_lines(path, x, lines, f"{len(x):,} games on the same pieces", "per cent of the games", "score")


# --- games ------------------------------------------------------------------------------------------------------------


def game(recording: Recording, speed: float) -> None:
    """The game, move by move where stdout is a terminal; then its end in a line."""
    report.animate(frames(recording), 1 / speed)
    about = f"{recording.weights}, {recording.policy}, seed {recording.seed}, game {recording.game}"
    report.text(f"{about}: {recording.summary}")


def frames(recording: Recording) -> Iterator[str]:
    """The board with each piece where it came to rest, and what stands beside it, as text, coloured if stdout is."""
    kinds = [[" "] * rules.COLUMNS for _ in range(rules.ROWS)]  # which piece a cell is of
    score, lines, level, four = 0, 0, rules.level_at(0, recording.settings.start_level), 0
    for number, turn in enumerate(recording.turns):
        following = PIECES[recording.turns[number + 1].piece] if number + 1 < len(recording.turns) else "-"
        cells = rules.cells_of(turn.piece, turn.state)
        beside = [
            f"next   {following}",
            f"score  {score:,}",
            f"lines  {lines}",
            f"level  {level}",
            f"tetris {rate(four, lines)}",
            f"piece  {number + 1}",
        ]
        if recording.prospects:
            tetris, risk = _chances(recording.prospects[number])
            beside += ["", f"in {AHEAD} pieces", f"tetris {tetris} %", f"end    {risk} %"]
        for row, column in cells:
            kinds[row][column] = PIECES[turn.piece]
        drawn = _drawn(kinds, cells)[HIDDEN:]
        drawn = [f"|{row}|  {text:<20}" for row, text in zip_longest(drawn, beside, fillvalue="")]
        yield "\n".join(drawn)
        kinds = [row for row in kinds if " " in row]
        kinds = [[" "] * rules.COLUMNS for _ in range(rules.ROWS - len(kinds))] + kinds
        score, lines, level, four = turn.score, turn.lines, turn.level, four + (turn.cleared == 4)


def _drawn(kinds: list[list[str]], cells: rules.Cells = (), empty: str = " ") -> list[str]:
    """A line for each row, two signs for a cell, since signs are narrow; the `cells` of a piece show its letter.

    `kinds`: a space for an empty cell, or what it is of: a piece, "#" where that is not known.
    """
    return [
        report.painted(
            (empty * 2, "bright_black")
            if kind == " "
            else (kind * 2, f"bold black on {COLOURS[kind]}")
            if (number, column) in cells
            else ("##", f"{COLOURS[kind]} on {COLOURS[kind]}")
            for column, kind in enumerate(row)
        )
        for number, row in enumerate(kinds)
    ]


def save_page(path: Path, recording: Recording) -> None:
    """Writes a page that plays the game and needs nothing else. Raises BadInput where it cannot be written."""
    turns = [
        [
            PIECES[turn.piece],
            [list(cell) for cell in rules.cells_of(turn.piece, turn.state)],
            turn.score,
            turn.lines,
            turn.level,
        ]
        for turn in recording.turns
    ]
    about = f"{recording.weights}, {recording.policy}, seed {recording.seed}, game {recording.game}"
    blanks = {
        "about": html.escape(about),
        "level": str(recording.settings.start_level),
        "turns": json.dumps(turns, separators=(",", ":")),
    }
    page.save(path, PAGE, **blanks)


def page_written(path: Path, recording: Recording) -> None:
    """Says so in a line."""
    report.text(f"{plain(str(path))}: {recording.summary}")


# --- suggestions ------------------------------------------------------------------------------------------------------


def suggestions(board: Board, piece: int, found: list[Suggestion], top: int, weights: str) -> None:
    """The board with the piece where it is best and where the player's own is, and the `top` best placements."""
    rank = next((number for number, one in enumerate(found, 1) if one.mine), None)
    shown = [found[0]] if rank is None else [found[0], found[rank - 1]]
    boards = [_numbered(board, piece, one) for one in shown]
    if rank is not None:
        report.text("     ".join(f"{title:<{4 + 2 * rules.COLUMNS}}" for title in ("best", "yours")).rstrip())
    for lines in zip(*boards, strict=True):
        report.text("     ".join(lines).rstrip())
    unit = "points about to be lost" if found[0].learned else "less is better"
    report.text(f"best of {len(found)} placements, {weights}: {unit}")
    played = next((one.prospect.playouts for one in found if one.prospect is not None), 0)
    chances = ("tetris %", "risk %") if played else ()
    rows = [(number, one) for number, one in enumerate(found, 1) if number <= top or one.mine]
    report.table(
        ["", "column", "turned", "row", "value", "lines", *FEATURES, *chances, "presses"],
        [
            (
                f"{number}" + " yours" * one.mine,
                one.column,
                one.turned,
                one.row,
                _worth(one),
                one.cleared,
                *(one.features[i] for i in FEATURES.values()),
                *(_chances(one.prospect) if played else ()),
                _presses(one.presses),
            )
            for number, one in rows
        ],
    )
    if played:
        report.text(
            f"tetris, risk: in how many of {played:,} ways to play {AHEAD} pieces on there is one, or the game ends"
        )
    if rank is not None:
        report.text(_judged(found[0], found[rank - 1], rank, len(found)))


def _numbered(board: Board, piece: int, one: Suggestion) -> list[str]:
    """The board with the piece in its place, rows numbered from the bottom, columns below."""
    kinds = [["#" if cell else " " for cell in row] for row in board.tolist()]
    cells = rules.cells_of(piece, one.state)
    for row, column in cells:
        kinds[row][column] = PIECES[piece]
    first = 0 if board[:HIDDEN].any() else HIDDEN
    lines = [f"{rules.ROWS - i:>2} |{row}|" for i, row in enumerate(_drawn(kinds, cells, "."))][first:]
    return [*lines, "    " + "".join(f"{column:<2}" for column in range(1, rules.COLUMNS + 1)) + " "]


def _judged(best: Suggestion, mine: Suggestion, rank: int, count: int) -> str:
    """What the player's own placement is worth beside the best one."""
    place = f"yours is number {rank} of {count}"
    if rank == 1:
        return f"{place}: the best"
    lost = loss(best, mine)
    if lost is None:
        return f"{place}: {_worth(mine)}, the best {_worth(best)}"
    return f"{place}: " + (f"{lost:,.0f} points" if mine.learned else f"{lost:,.2f}") + " worse than the best"


def _chances(prospect: Prospect | None) -> tuple[str, str]:
    """Of a tetris, and of the end, each with its standard error; in per cent."""
    if prospect is None:
        return "-", "-"
    return _percent(prospect.tetris, prospect.playouts), _percent(prospect.risk, prospect.playouts)


def _percent(part: float, draws: int) -> str:
    """With the standard error that one more draw of each kind would give: none of a hundred is not never."""
    likely = (part * draws + 1) / (draws + 2)
    return f"{100 * part:.0f} ± {100 * math.sqrt(likely * (1 - likely) / draws):.0f}"


def _worth(one: Suggestion) -> str:
    """What outweighs the value, or else the value."""
    if one.learned:
        return f"{one.value:,.0f}"
    decisive = [name for name in ("tetris", "tetris_next", "stuck") if getattr(one, name)]
    return ", ".join(decisive).replace("_", " ") or f"{one.value:,.2f}"


def _presses(presses: tuple[str, ...]) -> str:
    """Presses in few signs: the same ones in a row with their number."""
    short = {"left": "L", "right": "R", "down": "D", "clockwise": "A", "counter-clockwise": "B"}
    if any(":" in press for press in presses):
        return " ".join(f"{frame}:{short[press]}" for frame, _, press in (one.partition(":") for one in presses))
    runs = [(short[press], len(list(run))) for press, run in groupby(presses)]
    return " ".join(f"{sign}{count}" if count > 1 else sign for sign, count in runs)
