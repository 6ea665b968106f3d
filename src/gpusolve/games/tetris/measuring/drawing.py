"""Tables and plots of evaluations and matches."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from gpusolve.estimates import Estimate, estimate
from gpusolve.games.tetris.measuring._evaluate import PERCENTILES, Comparison, Evaluation, percentiles_of
from gpusolve.games.tetris.measuring._match import Match
from gpusolve.games.tetris.rules.board import MAXOUT
from gpusolve.output import report


def show_evaluations(evaluations: list[Evaluation]) -> None:
    """Print a table with a column for each evaluation."""
    report.table(
        ["", *(evaluation.player.name for evaluation in evaluations)],
        [
            ("mean score", *(_with_error(evaluation.score, 0) for evaluation in evaluations)),
            *(
                (_percentile(p), *(f"{evaluation.percentiles[p]:,.0f}" for evaluation in evaluations))
                for p in PERCENTILES
            ),
            ("maxout %", *(_with_error(evaluation.maxout, 2) for evaluation in evaluations)),
            ("lines", *(_with_error(evaluation.lines, 1) for evaluation in evaluations)),
            ("tetris rate %", *(_with_error(evaluation.tetris_rate, 2) for evaluation in evaluations)),
        ],
    )


def show_comparison(comparison: Comparison) -> None:
    """Print the difference of two evaluations in one line."""
    difference = _interval(comparison.difference, comparison.interval, comparison.confidence)
    names = f"{comparison.second.player.name} minus {comparison.first.player.name}"
    report.text(f"{names}, game by game: {difference}")


def show_match(match: Match) -> None:
    """Print a table with a column for each side, and lines about the difference and the games won."""
    ours, theirs = match.ours.scores[0], match.theirs.scores
    sides = [summary_of(ours, match.ours.lines[0]), summary_of(theirs, match.theirs.lines)]
    report.table(
        ["", match.player.name, "theirs"],
        [
            ("mean score", *(_with_error(estimate(scores), 0) for scores in (ours, theirs))),
            *((_percentile(p), *(f"{side['percentiles'][p]:,.0f}" for side in sides)) for p in PERCENTILES),
            ("maxout %", *(f"{side['maxout']:.2f}" for side in sides)),
            ("lines", *(f"{side['lines']:.1f}" for side in sides)),
        ],
    )
    even = len(ours) - match.wins - match.losses
    report.text(f"ours minus theirs, game by game: {_interval(match.difference, match.interval, match.confidence)}")
    report.text(f"won {match.wins:,}, lost {match.losses:,}, drawn {even:,}")
    if match.theirs.checked:
        report.text(f"{match.theirs.checked:,} of their games checked: every placement can be reached")
    if match.short:
        report.text(f"{match.short:,} of our games ended because their sequence of pieces did")


def summary_of(scores: npt.NDArray[Any], lines: npt.NDArray[Any]) -> dict[str, Any]:
    """Summarise one side of a match for JSON, which has no nan."""
    score = estimate(scores)
    return {
        "score": {"mean": score.mean, "error": None if math.isnan(score.error) else score.error},
        "percentiles": percentiles_of(scores),
        "maxout": 100 * float((scores >= MAXOUT).mean()),
        "lines": float(lines.mean()),
    }


def plot_match(path: Path, match: Match) -> None:
    """Plot the scores of both sides, each sorted."""
    from gpusolve.output.plot import save_lines

    x = (np.arange(len(match.differences)) + 0.5) * 100 / len(match.differences)
    lines = {match.player.name: np.sort(match.ours.scores[0]), "theirs": np.sort(match.theirs.scores)}
    save_lines(path, x, lines, f"{len(x):,} games with the same pieces", "per cent of the games", "score")


def _percentile(p: int) -> str:
    return "median" if p == 50 else f"{p}th percentile"


def _interval(difference: Estimate, interval: tuple[float, float], confidence: float) -> str:
    low, high = interval
    text = "" if math.isnan(low) else f", {100 * confidence:g} % confidence interval {low:,.0f} to {high:,.0f}"
    return _with_error(difference, 0) + text


def _with_error(estimate: Estimate, digits: int) -> str:
    error = "" if math.isnan(estimate.error) else f" ± {estimate.error:,.{digits}f}"
    return f"{estimate.mean:,.{digits}f}{error}"
