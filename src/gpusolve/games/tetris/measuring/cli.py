"""The commands of ``gpusolve tetris`` that measure players over many games; `cli` adds them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gpusolve.errors import Exit
from gpusolve.games.tetris.cli_options import (
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
        str | None, typer.Option(help="Other weights, which play the same games: the paired difference.")
    ] = None,
    games: Annotated[int, typer.Option(help="Games, 5,000,000 at most.")] = 1000,
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
    """How good weights are: mean, percentiles, maxouts, tetris rate over many games, with standard errors."""
    from gpusolve.games.tetris import drawing as show
    from gpusolve.games.tetris.measuring import _evaluate as evaluation
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
            breadths=_told(found.weights, policy, wide, settings),
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
        report.text(f"{number} games, {policy}, {show.played_under(settings)}, seed {found.seed}")
        show.evaluations(both)
        if comparison is not None:
            show.comparison(comparison)
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
            help="Another player's games: CSV with the columns pieces (letters), score, lines and, if its placements "
            "are to be checked, game, a file as `play --out` writes it; or one such file."
        ),
    ],
    weights: Annotated[
        str | None, typer.Option(help="Ours: a shipped name or a file; without, the best shipped ones.")
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
    """Play the piece lists of another player's games, and compare game by game."""
    from gpusolve.games.tetris import drawing as show
    from gpusolve.games.tetris.measuring import _match as matches
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
            breadths=_told(found.weights, policy, wide, settings),
            ties=branching.ties_of(policy, ties) if policy == "branching" else None,
            **vars(settings),
            weights=found.weights.name,
            device=backend.name,
            seconds=found.seconds,
            complete=found.complete,
            checked=found.theirs.checked,
            short=found.short,
            ours=show.sums(found.ours.scores[0], found.ours.lines[0]),
            theirs=show.sums(found.theirs.scores, found.theirs.lines),
            difference={
                **_finite(found.difference),
                "confidence": found.confidence,
                "interval": list(found.interval) if len(found.differences) > 1 else None,
            },
            wins=found.wins,
            losses=found.losses,
        )
    else:
        report.text(f"{len(found.theirs.pieces):,} games, {policy}, {show.played_under(settings)}")
        show.match(found)
    if csv is not None:
        columns = ("score", "lines", "pieces", "tetrises", "their_score", "their_lines", "difference")
        ours = (getattr(found.ours, name)[0].tolist() for name in ("scores", "lines", "pieces", "tetrises"))
        their = (found.theirs.scores.tolist(), found.theirs.lines.tolist(), found.differences.tolist())
        report.write_csv(csv, columns, zip(*ours, *their, strict=True))
    if plot is not None:
        show.plot_match(plot, found)
    if not found.complete:
        raise typer.Exit(Exit.STOPPED)


def _told(
    weights: Weights | LearnedValue, policy: str, breadths: tuple[int, ...] | None, settings: Settings
) -> list[int] | None:
    """The breadths of a policy that has some."""
    from gpusolve.games.tetris.players import playing

    wide = policy in playing.WIDE_POLICIES
    return list(playing.breadths_of(weights.judge, policy, breadths, settings)) if wide else None


def _finite(estimate: Estimate) -> dict[str, float | None]:
    """An estimate for JSON, which has no nan: one game has no error."""
    return {"mean": estimate.mean, "error": None if estimate.error != estimate.error else estimate.error}
