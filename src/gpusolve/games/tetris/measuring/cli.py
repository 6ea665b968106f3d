"""``gpusolve tetris evaluate`` and ``match``; `gpusolve.games.tetris.cli` adds them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gpusolve.errors import Exit
from gpusolve.games.tetris.cli_options import (
    BEST,
    Breadths,
    Confidence,
    DelayMs,
    DoubleKillscreen,
    Hz,
    MaxLines,
    Policy,
    Reach,
    Source,
    StartLevel,
    Ties,
    WeightsArgument,
    breadths_of,
    reach_of,
)
from gpusolve.output.options import (
    Checkpoint,
    Csv,
    Device,
    Json,
    Plot,
    Quiet,
    Resume,
    Seed,
    TimeLimit,
    Workers,
    open_device,
)

if TYPE_CHECKING:
    from gpusolve.games.tetris.measuring._evaluate import Estimate
    from gpusolve.games.tetris.players.value import LearnedValue
    from gpusolve.games.tetris.players.weights import Weights
    from gpusolve.games.tetris.variant import Settings


def evaluate(
    weights: WeightsArgument = None,
    compare: Annotated[
        str | None,
        typer.Option(help="Weights or a learned value that play the same games; the paired difference is reported."),
    ] = None,
    games: Annotated[int, typer.Option(help="Number of games, 1 to 5,000,000.")] = 1000,
    policy: Policy = "two-piece",
    breadths: Breadths = None,
    ties: Ties = None,
    confidence: Confidence = None,
    start_level: StartLevel = 19,
    max_lines: MaxLines = 230,
    reach: Reach = None,
    hz: Hz = None,
    source: Source = "uniform8",
    delay_ms: DelayMs = 0,
    double_killscreen: DoubleKillscreen = False,
    csv: Csv = None,
    workers: Workers = "1",
    seed: Seed = None,
    time_limit: TimeLimit = None,
    checkpoint: Checkpoint = None,
    resume: Resume = None,
    device: Device = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Evaluate a player over many games. Shows mean score, percentiles, maxouts and tetris rate with their errors."""
    from gpusolve.games.tetris.drawing import played_under
    from gpusolve.games.tetris.measuring import _evaluate as evaluation, drawing
    from gpusolve.games.tetris.players import branching, playing
    from gpusolve.games.tetris.variant import Settings
    from gpusolve.output import report

    settings = Settings(reach_of(reach, hz), source, start_level, max_lines, delay_ms, double_killscreen)
    wide = breadths_of(breadths)
    backend = open_device(device, quiet)
    with report.Progress("games", games * (1 if compare is None else 2), quiet) as progress:
        found = evaluation.evaluate(
            weights, compare, games, policy, wide, ties, confidence, settings, workers, seed, time_limit, checkpoint,
            resume, progress, backend,
        )  # fmt: skip
    comparison, played = found.comparison, len(found.scores)
    both = [found] if comparison is None else [found, comparison.second]
    if json:
        report.json_line(
            "tetris.evaluate/1",
            games=played,
            policy=policy,
            breadths=_breadths_used(found.weights, policy, wide, settings),
            ties=branching.ties_of(policy, ties) if policy == "branching" else None,
            **vars(settings),
            seed=found.seed,
            device=backend.name,
            seconds=found.seconds,
            complete=found.complete,
            weights=[
                {
                    "name": one.weights.name,
                    "score": _finite(one.score),
                    "percentiles": one.percentiles,
                    "maxout": _finite(one.maxout),
                    "lines": _finite(one.lines),
                    "tetris_rate": _finite(one.tetris_rate),
                    "pieces": one.pieces,
                }
                for one in both
            ],
            difference=comparison
            and {
                **_finite(comparison.difference),
                "confidence": comparison.confidence,
                "interval": list(comparison.interval) if played > 1 else None,
            },
        )
    else:
        number = f"{played:,}" if found.complete else f"{played:,} of {games:,}"
        report.text(f"{number} games, {policy}, {played_under(settings)}, seed {found.seed}")
        drawing.show_evaluations(both)
        if comparison is not None:
            drawing.show_comparison(comparison)
        pieces = sum(one.pieces for one in both)
        report.note(f"{pieces:,} pieces in {found.seconds:.1f} s, {pieces / found.seconds:,.0f} per second", quiet)
    if csv is not None:
        columns = ("weights", "game", "score", "lines", "pieces", "tetrises")
        rows = (
            (one.weights.name, game, *row)
            for one in both
            for game, row in enumerate(
                zip(*(getattr(one.games, name)[0].tolist() for name in playing.RESULTS), strict=True)
            )
        )
        report.write_csv(csv, columns, rows)
    if not found.complete:
        raise typer.Exit(Exit.STOPPED)


def match(
    results: Annotated[
        Path,
        typer.Argument(
            help="Games of another player: a CSV file with the columns pieces (letters), score and lines; an optional "
            "column game names files like those of `play --out`, so that placements are checked. Or one such file."
        ),
    ],
    weights: Annotated[
        str | None,
        typer.Option(help="Our player, weights or a learned value: a shipped name or a file.", show_default=BEST),
    ] = None,
    policy: Policy = "two-piece",
    breadths: Breadths = None,
    ties: Ties = None,
    confidence: Confidence = None,
    start_level: StartLevel = 19,
    max_lines: MaxLines = 230,
    reach: Reach = None,
    hz: Hz = None,
    source: Source = "uniform8",
    delay_ms: DelayMs = 0,
    double_killscreen: DoubleKillscreen = False,
    csv: Csv = None,
    plot: Plot = None,
    time_limit: TimeLimit = None,
    checkpoint: Checkpoint = None,
    resume: Resume = None,
    device: Device = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Compare a player with another player's games. Plays with the same pieces and compares the scores game by game."""
    from gpusolve.games.tetris.drawing import played_under
    from gpusolve.games.tetris.measuring import _match as matches, drawing
    from gpusolve.games.tetris.players import branching
    from gpusolve.games.tetris.variant import Settings
    from gpusolve.output import report

    settings = Settings(reach_of(reach, hz), source, start_level, max_lines, delay_ms, double_killscreen)
    wide = breadths_of(breadths)
    backend = open_device(device, quiet)
    with report.Progress("games", 0, quiet) as progress:
        found = matches.match(
            results,
            weights,
            policy,
            wide,
            ties,
            confidence,
            settings,
            time_limit,
            checkpoint,
            resume,
            progress,
            backend,
        )
    if json:
        report.json_line(
            "tetris.match/1",
            games=len(found.theirs.pieces),
            policy=policy,
            breadths=_breadths_used(found.weights, policy, wide, settings),
            ties=branching.ties_of(policy, ties) if policy == "branching" else None,
            **vars(settings),
            weights=found.weights.name,
            device=backend.name,
            seconds=found.seconds,
            complete=found.complete,
            checked=found.theirs.checked,
            short=found.short,
            ours=drawing.summary_of(found.ours.scores[0], found.ours.lines[0]),
            theirs=drawing.summary_of(found.theirs.scores, found.theirs.lines),
            difference={
                **_finite(found.difference),
                "confidence": found.confidence,
                "interval": list(found.interval) if len(found.differences) > 1 else None,
            },
            wins=found.wins,
            losses=found.losses,
        )
    else:
        report.text(f"{len(found.theirs.pieces):,} games, {policy}, {played_under(settings)}")
        drawing.show_match(found)
    if csv is not None:
        columns = ("score", "lines", "pieces", "tetrises", "their_score", "their_lines", "difference")
        ours = (getattr(found.ours, name)[0].tolist() for name in ("scores", "lines", "pieces", "tetrises"))
        their = (found.theirs.scores.tolist(), found.theirs.lines.tolist(), found.differences.tolist())
        report.write_csv(csv, columns, zip(*ours, *their, strict=True))
    if plot is not None:
        drawing.plot_match(plot, found)
    if not found.complete:
        raise typer.Exit(Exit.STOPPED)


def _breadths_used(
    weights: Weights | LearnedValue, policy: str, breadths: tuple[int, ...] | None, settings: Settings
) -> list[int] | None:
    """Return the breadths that the policy uses, or None for a policy without breadths."""
    from gpusolve.games.tetris.players import playing

    wide = policy in playing.WIDE_POLICIES
    return list(playing.breadths_of(weights.judge, policy, breadths, settings)) if wide else None


def _finite(estimate: Estimate) -> dict[str, float | None]:
    """Return an estimate for JSON, which has no nan; the error of a single game is null."""
    return {"mean": estimate.mean, "error": None if estimate.error != estimate.error else estimate.error}
