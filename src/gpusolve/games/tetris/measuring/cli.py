"""``gpusolve tetris evaluate``, ``match`` and ``review``; `gpusolve.games.tetris.cli` adds them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gpusolve.errors import Exit, plain
from gpusolve.games.tetris.cli_options import (
    BEST,
    Breadths,
    Confidence,
    DelayMs,
    DoubleKillscreen,
    Hz,
    MaxLines,
    PlayerArgument,
    Policy,
    Reach,
    Source,
    StartLevel,
    Taps,
    Ties,
)
from gpusolve.output.options import (
    Checkpoint,
    Csv,
    Device,
    Html,
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
    from gpusolve.estimates import Estimate
    from gpusolve.games.tetris.players.policy import Policy as PlayedPolicy


def evaluate(
    player: PlayerArgument = None,
    compare: Annotated[
        str | None,
        typer.Option(help="Another player for the same games; the paired difference is reported."),
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
    taps: Taps = None,
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
    from gpusolve.games.tetris.measuring import drawing
    from gpusolve.games.tetris.measuring._evaluate import evaluate
    from gpusolve.games.tetris.variant import Variant
    from gpusolve.output import report

    variant = Variant.load(
        reach=reach,
        hz=hz,
        taps=taps,
        source=source,
        start_level=start_level,
        max_lines=max_lines,
        delay_ms=delay_ms,
        double_killscreen=double_killscreen,
    )
    backend = open_device(device, quiet)
    with report.Progress("games", games * (1 if compare is None else 2), quiet) as progress:
        first = evaluate(
            player,
            compare=compare,
            games=games,
            policy=policy,
            breadths=breadths,
            ties=ties,
            confidence=confidence,
            variant=variant,
            workers=workers,
            seed=seed,
            time_limit=time_limit,
            checkpoint=checkpoint,
            resume=resume,
            progress=progress,
            backend=backend,
        )
    comparison, played = first.comparison, len(first.scores)
    both = [first] if comparison is None else [first, comparison.second]
    if csv is not None:
        columns = ("player", "game", "score", "lines", "pieces", "tetrises")
        rows = ((one.player.name, game, *row) for one in both for game, row in enumerate(one.games.results[0].tolist()))
        report.write_csv(csv, columns, rows)
    if json:
        report.json_line(
            "tetris.evaluate/1",
            games=played,
            **_policy(first.policy),
            **vars(variant),
            seed=first.seed,
            device=backend.name,
            seconds=first.seconds,
            complete=first.complete,
            players=[
                {
                    "name": one.player.name,
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
        number = f"{played:,}" if first.complete else f"{played:,} of {games:,}"
        report.text(f"{number} games, {policy}, {played_under(variant)}, seed {first.seed}")
        drawing.show_evaluations(both)
        if comparison is not None:
            drawing.show_comparison(comparison)
        pieces = sum(one.pieces for one in both)
        report.note(f"{pieces:,} pieces in {first.seconds:.1f} s, {pieces / first.seconds:,.0f} per second", quiet)
    if not first.complete:
        raise typer.Exit(Exit.STOPPED)


def match(
    results: Annotated[
        Path,
        typer.Argument(
            help="Games of another player: a CSV file with the columns pieces (letters), score and lines; an optional "
            "column game names files like those of `play --out`, so that placements are checked. Or one such file."
        ),
    ],
    player: Annotated[
        str | None,
        typer.Option(help="Our player: a shipped name, or a file of weights or of a learned value.", show_default=BEST),
    ] = None,
    policy: Policy = "two-piece",
    breadths: Breadths = None,
    ties: Ties = None,
    confidence: Confidence = None,
    start_level: StartLevel = 19,
    max_lines: MaxLines = 230,
    reach: Reach = None,
    hz: Hz = None,
    taps: Taps = None,
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
    from gpusolve.games.tetris.measuring import drawing
    from gpusolve.games.tetris.measuring._match import match
    from gpusolve.games.tetris.players.kernels import RESULTS
    from gpusolve.games.tetris.variant import Variant
    from gpusolve.output import report

    variant = Variant.load(
        reach=reach,
        hz=hz,
        taps=taps,
        source=source,
        start_level=start_level,
        max_lines=max_lines,
        delay_ms=delay_ms,
        double_killscreen=double_killscreen,
    )
    backend = open_device(device, quiet)
    with report.Progress("games", 0, quiet) as progress:
        matched = match(
            results,
            player=player,
            policy=policy,
            breadths=breadths,
            ties=ties,
            confidence=confidence,
            variant=variant,
            time_limit=time_limit,
            checkpoint=checkpoint,
            resume=resume,
            progress=progress,
            backend=backend,
        )
    if csv is not None:
        columns = ("score", "lines", "pieces", "tetrises", "their_score", "their_lines", "difference")
        ours = (getattr(matched.ours, name)[0].tolist() for name in RESULTS)
        their = (matched.theirs.scores.tolist(), matched.theirs.lines.tolist(), matched.differences.tolist())
        report.write_csv(csv, columns, zip(*ours, *their, strict=True))
    if plot is not None:
        drawing.plot_match(plot, matched)
    if json:
        report.json_line(
            "tetris.match/1",
            games=len(matched.theirs.pieces),
            **_policy(matched.policy),
            **vars(variant),
            player=matched.player.name,
            device=backend.name,
            seconds=matched.seconds,
            complete=matched.complete,
            checked=matched.theirs.checked,
            short=matched.short,
            ours=drawing.summary_of(matched.ours.scores[0], matched.ours.lines[0]),
            theirs=drawing.summary_of(matched.theirs.scores, matched.theirs.lines),
            difference={
                **_finite(matched.difference),
                "confidence": matched.confidence,
                "interval": list(matched.interval) if len(matched.differences) > 1 else None,
            },
            wins=matched.wins,
            losses=matched.losses,
        )
    else:
        report.text(f"{len(matched.theirs.pieces):,} games, {policy}, {played_under(variant)}")
        drawing.show_match(matched)
    if not matched.complete:
        raise typer.Exit(Exit.STOPPED)


def review(
    game: Annotated[
        Path,
        typer.Argument(
            help="A game saved with `play --out`, or a file with a list of positions: on each line a board as in "
            "`suggest`, the letter of its piece and, unless the next board shows it, the placement COLUMN,TURNS[,ROW]. "
            "- for standard input."
        ),
    ],
    player: Annotated[
        str | None,
        typer.Option(help="Player: a shipped name, or a file of weights or of a learned value.", show_default=BEST),
    ] = None,
    lines: Annotated[int, typer.Option(help="Lines cleared before the first position of a list.")] = 0,
    start_level: StartLevel = 19,
    max_lines: MaxLines = 230,
    reach: Reach = None,
    hz: Hz = None,
    taps: Taps = None,
    source: Source = "uniform8",
    delay_ms: DelayMs = 0,
    double_killscreen: DoubleKillscreen = False,
    playouts: Annotated[
        int,
        typer.Option(
            help="Number of 20-piece playouts after each placement, to estimate the chance of a tetris and of topping "
            "out. 0: none."
        ),
    ] = 20,
    top: Annotated[int, typer.Option(min=0, help="Number of the costliest placements to draw.")] = 5,
    html: Html = None,
    seed: Seed = None,
    device: Device = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Compare each placement of a game with the best one. A recorded game has its own rules."""
    from dataclasses import asdict

    from gpusolve import clock
    from gpusolve.games.tetris import drawing
    from gpusolve.games.tetris._review import review
    from gpusolve.games.tetris.measuring.positions import read_positions
    from gpusolve.games.tetris.measuring.prospects import AHEAD
    from gpusolve.games.tetris.rules.board import PIECES, player_place
    from gpusolve.games.tetris.variant import Variant
    from gpusolve.output import report

    variant = Variant.load(
        reach=reach,
        hz=hz,
        taps=taps,
        source=source,
        start_level=start_level,
        max_lines=max_lines,
        delay_ms=delay_ms,
        double_killscreen=double_killscreen,
    )
    backend = open_device(device, quiet)
    begin = clock.now()
    with report.Progress("placements", 0, quiet) as progress:
        reviewed = review(
            read_positions(sys.stdin.read(), "game") if str(game) == "-" else game,
            player=player,
            variant=None if variant == Variant() else variant,
            lines=lines,
            playouts=playouts,
            seed=seed,
            progress=progress,
            backend=backend,
        )
    seconds = clock.now() - begin
    if html is not None:
        from gpusolve.games.tetris.pages import pictures

        pictures.save_review(html, reviewed, top)
    if json:
        report.json_line(
            "tetris.review/1",
            player=reviewed.player,
            **asdict(reviewed.variant),
            playouts=playouts,
            pieces_ahead=AHEAD,
            seed=reviewed.seed,
            device=backend.name,
            seconds=seconds,
            placements=len(reviewed.placements),
            best=reviewed.best,
            loss=reviewed.total,
            in_points=reviewed.in_points,
            costliest=[each.number for each in reviewed.costliest(top)],
            rows=[
                {
                    "number": each.number,
                    "piece": PIECES[each.piece],
                    "following": None if each.following is None else PIECES[each.following],
                    "place": list(player_place(each.piece, each.state)),
                    "best_place": list(player_place(each.piece, each.best)),
                    "rank": each.rank,
                    "count": each.count,
                    "value": each.value,
                    "best_value": each.best_value,
                    "loss": each.loss,
                    "missed": each.missed,
                    "cleared": each.cleared,
                    "lines": each.lines,
                    "level": each.level,
                    "tetris_chance": each.prospect and each.prospect.tetris,
                    "risk": each.prospect and each.prospect.risk,
                }
                for each in reviewed.placements
            ],
        )
    elif html is not None:
        report.text(f"{plain(str(html))}: {drawing.review_summary(reviewed)}")
    else:
        drawing.show_review(reviewed, top)


def _policy(policy: PlayedPolicy) -> dict[str, Any]:
    """Return a policy for JSON; breadths and ties are null where it has none."""
    return {
        "policy": policy.name,
        "breadths": list(policy.breadths) or None,
        "ties": policy.ties if policy.name == "branching" else None,
    }


def _finite(estimate: Estimate) -> dict[str, float | None]:
    """Return an estimate for JSON, which has no nan; the error of a single game is null."""
    return {"mean": estimate.mean, "error": None if estimate.error != estimate.error else estimate.error}
