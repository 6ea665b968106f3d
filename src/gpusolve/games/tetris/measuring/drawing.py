"""How evaluations, matches and reviews look, and how their progress is shown."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from gpusolve.estimates import Estimate
from gpusolve.games.tetris.drawing import UNSEEN, beside, cells_on_page, chances, numbered
from gpusolve.games.tetris.measuring._evaluate import PERCENTILES, Comparison, Difference, Evaluation
from gpusolve.games.tetris.measuring._match import Match
from gpusolve.games.tetris.measuring._review import Judgement, Review
from gpusolve.games.tetris.measuring.phases import Phase
from gpusolve.games.tetris.measuring.prospects import AHEAD
from gpusolve.games.tetris.rules.board import PIECES, cells_of
from gpusolve.output import page, report
from gpusolve.output.parts import Line, Note, Part, Picture, Table, Title, counted

if TYPE_CHECKING:
    from markupsafe import Markup

BINS = 12
"""Number of bars of a distribution of scores."""
TEMPLATE = Path(__file__).with_name("review.html")
SCRIPT = Path(__file__).with_name("review.js")
COSTLIEST = "the placements that lost most"
JUDGED = ("number", "piece", "next", "place", "best", "rank", "loss", "lines", "tetris %", "risk %")
"""The columns of a table of reviewed placements; see `judged_row`."""


# --- evaluations and matches ------------------------------------------------------------------------------------------


def evaluation(evaluation: Evaluation) -> Iterator[Part]:
    """Yield a table with a column for each player, and the difference of two players."""
    first, both = evaluation, evaluation.both
    number = f"{first.count:,}" if first.complete else f"{first.count:,} of {first.wanted:,}"
    yield Line(f"{number} games, {first.policy.name}, {first.variant.summary}, seed {first.seed}")
    yield Table(
        ["", *(one.player.name for one in both)],
        [
            ("mean score", *(_with_error(one.score, 0) for one in both)),
            *((_percentile(p), *(f"{one.percentiles[p]:,.0f}" for one in both)) for p in PERCENTILES),
            ("maxout %", *(_with_error(one.maxout, 2) for one in both)),
            ("lines", *(_with_error(one.lines, 1) for one in both)),
            ("tetris rate %", *(_with_error(one.tetris_rate, 2) for one in both)),
        ],
        "statistics",
    )
    yield Picture(lambda controls: _scores("games by score", first.scores))
    if first.comparison is not None:
        yield from comparison(first.comparison)
    pieces = sum(one.pieces for one in both)
    yield Note(f"{pieces:,} pieces in {first.seconds:.1f} s, {pieces / first.seconds:,.0f} per second")


def evaluate_progress(value: Callable[[str], Any], quiet: bool) -> report.Progress:
    """Return the progress bar of the games of all players."""
    return report.Progress("games", value("count") * (1 if value("compare") is None else 2), quiet)


def comparison(comparison: Comparison) -> Iterator[Part]:
    """Yield the difference of two evaluations in one line."""
    names = f"{comparison.second.player.name} minus {comparison.first.player.name}"
    difference = Difference(comparison.difference, comparison.confidence)
    yield Line(f"{names}, game by game: {_interval(difference)}")


def match(match: Match) -> Iterator[Part]:
    """Yield a table with a column for each side, and lines about the difference and the games won."""
    yield Line(f"{counted(match.count, 'game')}, {match.policy.name}, {match.variant.summary}")
    sides = [match.our_side, match.their_side]
    yield Table(
        ["", match.player.name, "theirs"],
        [
            ("mean score", *(_with_error(side.score, 0) for side in sides)),
            *((_percentile(p), *(f"{side.percentiles[p]:,.0f}" for side in sides)) for p in PERCENTILES),
            ("maxout %", *(f"{side.maxout:.2f}" for side in sides)),
            ("lines", *(f"{side.lines:.1f}" for side in sides)),
        ],
        "statistics",
    )
    yield Picture(lambda controls: _scores("games by our score less theirs", match.differences))
    even = match.count - match.wins - match.losses
    yield Line(f"ours minus theirs, game by game: {_interval(match.difference)}")
    yield Line(f"won {match.wins:,}, lost {match.losses:,}, drawn {even:,}")
    if match.checked:
        yield Line(f"{match.checked:,} of their games checked: every placement can be reached")
    if match.short:
        yield Line(f"{match.short:,} of our games ended because their sequence of pieces did")


def match_progress(value: Callable[[str], Any], quiet: bool) -> report.Progress:
    """Return the progress bar of the games, whose number the file has."""
    return report.Progress("games", 0, quiet)


def _scores(title: str, scores: npt.NDArray[Any]) -> Markup:
    counts, edges = np.histogram(scores, BINS)
    names = [f"{low:,.0f} to {high:,.0f}" for low, high in pairwise(edges)]
    return page.part("bars", title, names, counts.tolist(), counts.tolist())


def _percentile(p: int) -> str:
    return "median" if p == 50 else f"{p}th percentile"


def _interval(difference: Difference) -> str:
    text = ""
    if difference.interval is not None:
        low, high = difference.interval
        text = f", {100 * difference.confidence:g} % confidence interval {low:,.0f} to {high:,.0f}"
    return _with_error(difference.estimate, 0) + text


def _with_error(estimate: Estimate, digits: int) -> str:
    error = "" if math.isnan(estimate.error) else f" ± {estimate.error:,.{digits}f}"
    return f"{estimate.mean:,.{digits}f}{error}"


# --- reviews ----------------------------------------------------------------------------------------------------------


def review(review: Review, *, top: int = 5) -> Iterator[Part]:
    """Yield every placement with its loss, and the costliest ones with the best placement beside each.

    Parameters
    ----------
    top : int, default 5
        Number of the costliest placements to draw.
    """
    yield Title(f"{counted(review.placements, 'placement')} reviewed by {review.player}")
    yield Picture(
        lambda controls: _review_on_page(review, top, controls),
        [*_review(review, top)],
        scripts=(page.PLAYER, SCRIPT),
        data=lambda: {"placements": _placements(review), "hidden": UNSEEN},
    )


def review_progress(value: Callable[[str], Any], quiet: bool) -> report.Progress:
    """Return the progress bar of the placements, whose number the file has."""
    return report.Progress("placements", 0, quiet)


def _review(review: Review, top: int) -> Iterator[Part]:
    """Yield what the terminal shows."""
    yield _table(review, "placements")
    yield Line("place, best: column, turns, row; rank 1 is the best; loss in " + _unit(review))
    if any(each.prospect is not None for each in review):
        yield Line(f"tetris, risk: chance of a tetris and of topping out within {AHEAD} pieces")
    for each in _worst(review, top):
        board = review.boards[review.index_of(each.number)]
        yield Line()
        yield Line(f"placement {each.number}, {PIECES[each.piece]}: {_lost(each, review)}")
        yield from beside(["best", "placed"], [numbered(board, each.piece, state) for state in (each.best, each.state)])
    yield Line()
    yield _phases(review)
    yield from map(Line, _left_out(review))
    yield Line(f"rated by {review.player}, {review.variant.summary}: {_sum(review)}")


def _worst(review: Review, top: int) -> list[Judgement]:
    return [review[review.index_of(number)] for number in review.costliest[:top]]


def _sum(review: Review) -> str:
    """Return the sum of a review in a line."""
    count, unit = review.placements, "points" if review.in_points else "of the player's units"
    placed = f"{counted(count, 'placement')}, {review.best:,} of them the best"
    return f"{placed}, {review.loss:,.0f} {unit} lost, {review.loss / count:,.0f} a placement"


def _phases(review: Review) -> Table:
    """Return a table of the phases of a game."""
    rows = [
        (
            each.name,
            f"{each.placements:,}",
            f"{each.best:,}",
            f"{each.loss:,.0f}",
            f"{each.lines}",
            f"{each.burned}",
            "-" if each.tetris_rate is None else f"{100 * each.tetris_rate:.0f} %",
            f"{each.misdrops}" if review.in_points else "-",
        )
        for each in review.phases
    ]
    lost = "points lost" if review.in_points else "lost"
    return Table(["level", "placements", "best", lost, "lines", "burned", "tetris rate", "misdrops"], rows, "phases")


def _left_out(review: Review) -> Iterator[str]:
    """Say how many frames and placements could not be used."""
    if review.frames:
        yield f"{review.misread:,} of {review.frames:,} frames do not fit in with the others"
    if review.skipped:
        count, first = len(review.skipped), review.skipped[0]
        yield f"{counted(count, 'placement')} left out, the first one number {first.number}: {first.reason}"


def phase(phase: Phase) -> Iterator[Part]:
    """Yield a phase of a game in a line."""
    yield Line(
        f"level {phase.name}: {counted(phase.placements, 'placement')}, {phase.loss:,.0f} lost, {phase.burned} burned"
    )


def judgement(each: Judgement) -> Iterator[Part]:
    """Yield a placement as the row of a table."""
    yield Table(JUDGED, [judged_row(each)], "a placement")


def _table(placements: Sequence[Judgement], title: str) -> Table:
    return Table(JUDGED, [judged_row(each) for each in placements], title)


def judged_row(each: Judgement) -> tuple[str, ...]:
    """Return a reviewed placement as a row of a table; places are as players say them."""
    places = (",".join(map(str, place)) for place in (each.place, each.best_place))
    return (
        f"{each.number:,}",
        each.letter,
        each.next_letter or "-",
        *places,
        f"{each.rank} of {each.count}",
        "decisive" if each.loss is None else f"{each.loss:,.0f}",
        f"{each.lines}",
        *chances(each.prospect),
    )


def _lost(each: Judgement, review: Review) -> str:
    """Say in a few words what a placement lost."""
    missed = ", a missed tetris" if each.missed else ""
    if each.loss is None:
        return "a tetris or a lost game" + missed
    if each.loss == 0:
        return "the best placement"
    return f"{each.loss:,.0f} {'points lost' if review.in_points else 'worse'}{missed}"


def _unit(review: Review) -> str:
    return "points" if review.in_points else "the player's unit"


def _review_on_page(review: Review, top: int, controls: bool) -> Markup:
    """Return a page that goes through a reviewed game, or what it lost where nothing moves."""
    costliest = _worst(review, top if controls else page.MOST_ROWS)
    tables = [_phases(review), _table(costliest, COSTLIEST)]
    if not controls:
        return page.part("facts", _about(review)) + page.drawn(tables)
    worst = costliest[0] if costliest else review[0]
    every = page.part("table", "all placements", list(JUDGED), [judged_row(each) for each in review])
    return page.fill(
        TEMPLATE,
        rows=cells_on_page(_compared(worst, review)),
        label=f"placement {_title(worst, review)}",
        about=_about(review),
        costliest=[(review.index_of(each.number), f"{each.number}: {_lost(each, review)}") for each in costliest],
        pictures=[
            (cells_on_page(_compared(each, review)), f"placement {_title(each, review)}", _title(each, review))
            for each in costliest
        ],
        curves=_curves(review),
        curves_label=f"chances within {AHEAD} pieces after each of {counted(review.placements, 'placement')}",
        ahead=AHEAD,
        table=page.drawn(tables) + every,
    )


def _compared(each: Judgement, review: Review) -> list[list[str]]:
    """Return a board with a placement and the best one, for each cell its class."""
    board = review.boards[review.index_of(each.number)]
    letters = [["filled" if cell else "" for cell in row] for row in board.tolist()]
    for row, column in cells_of(each.piece, each.best):
        letters[row][column] = "better"
    for row, column in cells_of(each.piece, each.state):
        letters[row][column] = f"{PIECES[each.piece]} falling"
    return letters


def _title(each: Judgement, review: Review) -> str:
    return f"{each.number}, {each.letter}: {_lost(each, review)}"


def _placements(review: Review) -> list[list[Any]]:
    """Return the placements as the script of the page takes them."""
    return [
        [
            ["".join(".#"[cell] for cell in row) for row in board.tolist()],
            each.letter,
            cells_of(each.piece, each.state),
            cells_of(each.piece, each.best),
            _title(each, review),
        ]
        for board, each in zip(review.boards, review, strict=True)
    ]


def _about(review: Review) -> list[tuple[str, str]]:
    unit = "points lost" if review.in_points else "lost, in the player's unit"
    return [
        ("rated by", review.player),
        ("rules", review.variant.summary),
        ("placements", f"{review.placements:,}"),
        ("the best one", f"{100 * review.best / review.placements:.0f} %"),
        (unit, f"{review.loss:,.0f}"),
        ("a placement", f"{review.loss / review.placements:,.0f}"),
        *([("frames", f"{review.frames:,}, {review.misread:,} misread")] if review.frames else []),
        *([("left out", f"{len(review.skipped):,}")] if review.skipped else []),
    ]


def _curves(review: Review) -> list[tuple[str, str]]:
    """Return the chances along the game as points of two lines, 1000 wide and 200 high; none without playouts."""
    found = [each.prospect for each in review if each.prospect is not None]
    if len(found) < 2:
        return []

    def points(name: str) -> str:
        heights = (200 * (1 - getattr(chance, name)) for chance in found)
        return " ".join(f"{1000 * (i + 1) / len(found):.1f},{y:.1f}" for i, y in enumerate(heights))

    return [("tetris", points("tetris_chance")), ("risk", points("risk"))]
