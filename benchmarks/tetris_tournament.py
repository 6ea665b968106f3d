"""Tetris at tournament rules: seven ways to tap and six reaction times, beside the best published player.

    PYTHONPATH=src nice -n 19 python benchmarks/tetris_tournament.py RESULTS.json \
        [--player FILE ...] [--policy two-piece] [--breadths 8,4] [--games 500] [--delays 0,18] [--taps 30hz+tuck] \
        [--time-limit SECONDS] [--report benchmarks/results/tetris-tournament.md]

Measures one setting after the other and saves every game in RESULTS.json, setting by setting, so that it can be stopped
at any time. The next run goes on where this one stopped, also with more games. Settings with fewer games come first. A
player is a file or a name, by default the best one that comes with gpusolve for each setting; several files with
`--player TAPS=FILE` give each way to tap its own. Pieces move by the published player's rules, `+tuck`, unless `--taps`
says otherwise. `--report` writes all that RESULTS.json holds between the marks of a Markdown file; with `--games 0`
nothing is measured.

    PYTHONPATH=src python benchmarks/tetris_tournament.py --curve LOG.csv PICTURE.png

draws a training's log (`gpusolve tetris train-value --log LOG.csv`) as means of CURVE rounds each.
"""

from __future__ import annotations

import argparse
import contextlib
import csv
import json
import math
import statistics
import time
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from gpusolve import files
from gpusolve.backend import open_backend
from gpusolve.games import tetris
from gpusolve.games.tetris.players.player import policy_of
from gpusolve.games.tetris.players.playing import play
from gpusolve.games.tetris.players.shipped import best_player, load_player
from gpusolve.games.tetris.rules.reachability import FRAMES_PER_SECOND, TUCK, rhythm_of

RHYTHMS = ("10hz", "12hz", "15hz", "20hz", "24hz", "30hz", "slow5")
DELAYS = (0, 18, 21, 24, 30, 61)
"""Frames until the next piece is known. No piece falls for 61 frames, so with 61 the plan is never adjusted."""
PUBLISHED = {
    "10hz": (1_158_141, 1_092_674, 1_077_685, 1_060_449, 1_030_687, 991_329),
    "12hz": (1_332_863, 1_241_408, 1_234_425, 1_211_874, 1_181_638, 1_154_445),
    "15hz": (1_718_533, 1_559_711, 1_547_611, 1_524_572, 1_503_520, 1_481_393),
    "20hz": (2_060_428, 1_879_842, 1_873_795, 1_848_748, 1_826_240, 1_806_840),
    "24hz": (2_177_624, 2_005_942, 1_984_878, 1_966_218, 1_941_749, 1_935_242),
    "30hz": (2_743_018, 2_462_239, 2_433_495, 2_407_611, 2_386_357, 2_400_888),
    "slow5": (2_303_425, 2_015_951, 1_984_452, 1_967_549, 1_933_554, 1_914_944),
}
"""Mean scores of BetaTetris 1.0.0, 5,001 games for each setting, the best of its six models and aggressions."""
PUBLISHED_ERROR = 6_100
"""Their standard errors are 1,900 to 6,100 points; the largest counts for all."""
SEED = 430
BATCH = 10
"""Games between two saves."""
MARKS = ("<!-- settings -->", "<!-- end of settings -->")
REACHED = (130, 230, 330)
CURVE = 50
Results: TypeAlias = dict[str, dict[str, Any]]
"""By setting, player and policy: what they are, and the score, the lines, the pieces and the seconds of the games."""


def main() -> None:
    """Measure, save and report."""
    options = _options()
    if options.curve:
        draw_curve(Path(options.curve[0]), Path(options.curve[1]))
        return
    if options.results is None:
        raise SystemExit("RESULTS.json: expected a file to save the games in")
    results: Results = json.loads(options.results.read_text()) if options.results.exists() else {}
    with contextlib.suppress(KeyboardInterrupt):  # every batch is saved
        measure(results, options)
    if options.report:
        text = options.report.read_text(encoding="utf-8")
        begin, end = text.index(MARKS[0]) + len(MARKS[0]), text.index(MARKS[1])
        files.write(options.report, text[:begin] + "\n" + report(results) + text[end:], "report")
    else:
        print(report(results))


def measure(results: Results, options: argparse.Namespace) -> None:
    """Play the games that are missing, and save after every batch."""
    backend, end = open_backend("cpu:1"), time.monotonic() + (options.time_limit or math.inf)
    ways = options.taps.split(",")
    players = {
        tap: each.split("=")[-1]
        for each in options.player
        for tap in (ways if "=" not in each else [each.split("=")[0]])
    }
    breadths = tuple(map(int, options.breadths.split(","))) if options.breadths else None
    while time.monotonic() < end:
        waiting: list[tuple[int, int, dict[str, Any], str]] = []
        for taps in ways:
            for delay in map(int, options.delays.split(",")):
                source = players.get(taps) or best_player(variant_of(taps, delay))
                row = _row(results, taps, delay, source, options.policy, breadths)
                waiting.append((len(row["scores"]), len(waiting), row, source))
        done, _, row, source = min(waiting, key=lambda each: each[:2])
        if done >= options.games:
            return
        player, variant = load_player(source), variant_of(row["taps"], row["delay"])
        policy = policy_of(player, row["policy"], breadths=breadths, ties=None, variant=variant)
        games = range(done, min(done + BATCH, options.games))
        short = replace(variant, max_lines=1)
        play(backend, player, range(1), seed=SEED, policy=policy, variant=short)  # compiles
        begin = time.process_time()
        played = play(backend, player, games, seed=SEED, policy=policy, variant=variant)
        row["seconds"] += time.process_time() - begin
        row["scores"] += played.scores[0].tolist()
        row["lines"] += played.lines[0].tolist()
        row["pieces"] += int(played.pieces.sum())
        row["date"] = datetime.now(UTC).strftime("%Y-%m-%d")
        _save(options.results, results)
        print(f"{row['taps']} {row['delay']}: {len(row['scores'])} games, {_mean(row['scores'])}", flush=True)


def variant_of(taps: str, delay: int) -> tetris.Variant:
    """Return the rules of a setting.

    >>> variant_of("30hz", 18).delay
    18
    """
    delay_ms = round(1000 * delay / FRAMES_PER_SECOND)
    variant = tetris.Variant(taps, "nes", 18, 430, delay_ms, double_killscreen=True)
    assert variant.delay == delay
    return variant


def report(results: Results) -> str:
    """Return a table for each policy, that with the most settings first, each setting beside the published player."""
    groups: dict[str, list[dict[str, Any]]] = {}
    for row in results.values():
        if row["scores"]:
            is_plain = not row["taps"].endswith(TUCK)
            groups.setdefault(row["plan"] + ", without +tuck" * is_plain, []).append(row)
    return "\n".join(
        _table(plan, rows) for plan, rows in sorted(groups.items(), key=lambda each: (-len(each[1]), each[0]))
    )


def draw_curve(log: Path, picture: Path) -> None:
    """Draw the mean score of the games of each round, a point for CURVE rounds."""
    from gpusolve.output.plot import save_lines

    with log.open(encoding="utf-8") as lines:
        rounds = list(csv.DictReader(lines))
    means = [float(each["mean"]) for each in rounds]
    whole = len(means) // CURVE * CURVE
    points = np.array(means[:whole]).reshape(-1, CURVE).mean(axis=1)
    x = [int(each["iteration"]) for each in rounds[CURVE - 1 : whole : CURVE]]
    save_lines(picture, x, {"mean score": points}, f"Training: means of {CURVE} rounds", "round", "points")


def _row(
    results: Results, taps: str, delay: int, source: str, policy: str, breadths: tuple[int, ...] | None
) -> dict[str, Any]:
    """Return the games of a setting by a player and a policy so far."""
    player = load_player(source)
    wide = ", ".join(map(str, breadths or ()))
    plan = f"{policy} ({wide})" if wide else policy
    about = {"taps": taps, "delay": delay, "player": Path(source).stem, "policy": policy, "plan": plan}
    key = f"{taps} {delay} {plan} {player.digest[:12]}"
    return results.setdefault(key, about | {"scores": [], "lines": [], "pieces": 0, "seconds": 0.0})


def _table(plan: str, rows: list[dict[str, Any]]) -> str:
    dates = sorted({row["date"] for row in rows})
    when = f"{dates[0]} to {dates[-1]}" if dates[1:] else dates[0]
    leads = [_lead(row) for row in rows]
    both = [(lead, math.hypot(error, PUBLISHED_ERROR)) for lead, error in leads]
    ahead, clear = sum(lead > 0 for lead, _ in both), sum(lead > 2 * error for lead, error in both)
    behind = sum(lead < -2 * error for lead, error in both)
    lines = [
        f"\n### {plan}\n",
        f"Seed {SEED}; {when}. The mean is ahead in {ahead} of {len(rows)}, in {clear} by more than two "
        f"standard errors of the difference; it is behind by more than two in {behind}.\n",
        "| taps | frames | player | games | mean | BetaTetris | ahead by | lines | reach 130, 230, 330 % | ms/piece |",
        "|---|---:|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for row in sorted(rows, key=lambda row: (_rhythm(row), row["delay"], row["player"])):
        reached = ", ".join(f"{100 * float((np.array(row['lines']) >= least).mean()):.1f}" for least in REACHED)
        lines.append(
            f"| {row['taps']} | {row['delay']} | {row['player']} | {len(row['scores'])} | {_mean(row['scores'])} | "
            f"{_published(row):,} | {_lead(row)[0]:+,.0f} | {statistics.fmean(row['lines']):.1f} | {reached} | "
            f"{1000 * row['seconds'] / max(row['pieces'], 1):.2f} |"
        )
    return "\n".join([*lines, ""])


def _published(row: dict[str, Any]) -> int:
    return PUBLISHED[RHYTHMS[_rhythm(row)]][DELAYS.index(row["delay"])]


def _lead(row: dict[str, Any]) -> tuple[float, float]:
    """Return by how much our mean is ahead of the published one, and our standard error."""
    mean, error = _estimate(row["scores"])
    return mean - _published(row), error


def _rhythm(row: dict[str, Any]) -> int:
    return RHYTHMS.index(rhythm_of(row["taps"])[0])


def _estimate(scores: list[int]) -> tuple[float, float]:
    error = statistics.stdev(scores) / math.sqrt(len(scores)) if len(scores) > 1 else math.nan
    return statistics.fmean(scores), error


def _mean(scores: list[int]) -> str:
    mean, error = _estimate(scores)
    return f"{mean:,.0f} ± {error:,.0f}"


def _save(path: Path, results: Results) -> None:
    files.write(path, json.dumps(results), "results")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", type=Path, nargs="?", metavar="RESULTS.json")
    parser.add_argument("--player", action="append", default=[], metavar="[TAPS=]FILE")
    parser.add_argument("--policy", default="two-piece")
    parser.add_argument("--breadths")
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--taps", default=",".join(rhythm + TUCK for rhythm in RHYTHMS))
    parser.add_argument("--delays", default=",".join(map(str, DELAYS)))
    parser.add_argument("--time-limit", type=float)
    parser.add_argument("--report", type=Path)
    parser.add_argument("--curve", nargs=2, metavar=("LOG.csv", "PICTURE.png"))
    return parser.parse_args()


if __name__ == "__main__":
    main()
