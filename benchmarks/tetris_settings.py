"""Tetris at tournament rules: games of a seed that chose nothing, and what they say about the best published player.

    PYTHONPATH=src nice -n 19 python benchmarks/tetris_settings.py GAMES.csv [--games 100] [--time-limit SECONDS] \
        [--earlier benchmarks/results/tetris-tournament.json] [--report benchmarks/results/tetris-settings.md]

plays the 42 settings of `tetris_tournament` with the players that come with gpusolve and one policy for all, and saves
every game as a row of GAMES.csv, so that it can be stopped at any time. The next run goes on where this one stopped.
Settings with fewer games come first, so all have about as many. `--games 0` plays nothing. `--report` writes the table
between the marks of a Markdown file; `--earlier` puts the same statistics of earlier games beside it.

Each difference of means is compared with the standard errors of both players by Welch's test, and Holm's correction
keeps the chance of any false claim among the 42 below 5 %. Of the published means, the errors are known to lie between
1,900 and 6,100 points; the largest counts for all of them.
"""

from __future__ import annotations

import argparse
import contextlib
import csv
import io
import json
import math
import statistics
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from gpusolve import files
from gpusolve.backend import open_backend
from gpusolve.games.tetris.players.player import policy_of
from gpusolve.games.tetris.players.playing import play
from gpusolve.games.tetris.players.policy import PolicyName
from gpusolve.games.tetris.players.shipped import best_player, load_player
from gpusolve.games.tetris.rules.reachability import TUCK, rhythm_of
from tetris_tournament import (
    DELAYS,
    PUBLISHED,
    PUBLISHED_ERROR,
    REACHED,
    RHYTHMS,
    SEED as EARLIER_SEED,
    Results,
    variant_of,
)

SEED = 720_042
"""No game of this seed was played before the policy and the players had been chosen."""
POLICY: PolicyName = "branching"
BREADTHS = (8, 4, 3)
"""Chosen by games of seed 430: over all settings, a fifth piece and more breadth gain nothing."""
PUBLISHED_GAMES = 5_001
BATCH = 5
"""Games between two saves."""
DOUBTS = (5_000, 10_000)
"""Points by which a choice between candidates may have raised the means of the earlier games."""
CHANCE = 0.05
"""The largest chance of a false claim among all settings."""
MARKS = ("<!-- settings -->", "<!-- end of settings -->")


class Setting(NamedTuple):
    """How fast the player taps, and the frames until the next piece is known."""

    taps: str
    delay: int

    @property
    def published(self) -> int:
        """The published mean."""
        return PUBLISHED[rhythm_of(self.taps)[0]][DELAYS.index(self.delay)]


SETTINGS = [Setting(rhythm + TUCK, delay) for rhythm in RHYTHMS for delay in DELAYS]


@dataclass(frozen=True)
class Game:
    """A row of the file: one game. `digest` begins the digest of the player."""

    taps: str
    delay: int
    player: str
    digest: str
    game: int
    score: int
    lines: int
    pieces: int
    seconds: float

    @property
    def setting(self) -> Setting:
        """Its setting."""
        return Setting(self.taps, self.delay)


class Compared(NamedTuple):
    """The mean of a setting beside the published one; `chance` is that of such a difference between equal players."""

    setting: Setting
    scores: Sequence[int]
    mean: float
    error: float
    lead: float
    both: float
    chance: float


def main() -> None:
    """Play, save and report."""
    options = _options()
    games = read_games(options.games_file)
    with contextlib.suppress(KeyboardInterrupt):  # every batch is saved
        measure(games, options.games_file, options.games, options.time_limit or math.inf)
    text = report(games)
    if options.earlier:
        text += "\n\n" + earlier(json.loads(options.earlier.read_text(encoding="utf-8")), games)
    if options.report:
        page = options.report.read_text(encoding="utf-8")
        begin, end = page.index(MARKS[0]) + len(MARKS[0]), page.index(MARKS[1])
        files.write(options.report, page[:begin] + "\n\n" + text + "\n" + page[end:], "report")
    else:
        print(text)


def measure(games: list[Game], path: Path, most: int, seconds: float) -> None:
    """Play the games that are missing, and save after every batch."""
    backend, end = open_backend("cpu:1"), time.monotonic() + seconds
    while time.monotonic() < end:
        done = Counter(game.setting for game in games)
        setting = min(SETTINGS, key=lambda each: done[each])
        first = done[setting]
        if first >= most:
            return
        variant = variant_of(*setting)
        player = load_player(best_player(variant))
        policy = policy_of(player, POLICY, breadths=BREADTHS, ties=None, variant=variant)
        if any(game.digest != player.digest[:12] for game in games if game.setting == setting):
            raise SystemExit(f"{path}: the games of {setting.taps} {setting.delay} are another player's")
        play(backend, player, range(1), seed=SEED, policy=policy, variant=replace(variant, max_lines=1))  # compiles
        numbers = range(first, min(first + BATCH, most))
        begin = time.process_time()
        played = play(backend, player, numbers, seed=SEED, policy=policy, variant=variant)
        each = round((time.process_time() - begin) / len(numbers), 3)
        results = zip(
            numbers, played.scores[0].tolist(), played.lines[0].tolist(), played.pieces[0].tolist(), strict=True
        )
        games += [Game(*setting, player.name, player.digest[:12], *result, each) for result in results]
        write_games(path, games)


def read_games(path: Path) -> list[Game]:
    """Return the games of a file, none if there is no such file."""
    if not path.exists():
        return []
    kinds = {field.name: _KINDS[str(field.type)] for field in fields(Game)}
    with path.open(encoding="utf-8", newline="") as lines:
        rows = [{name: kind(row[name]) for name, kind in kinds.items()} for row in csv.DictReader(lines)]
    return [Game(**row) for row in rows]


def write_games(path: Path, games: Sequence[Game]) -> None:
    """Write the games, setting by setting, in place of the file."""
    text = io.StringIO()
    writer = csv.DictWriter(text, [field.name for field in fields(Game)], lineterminator="\n")
    writer.writeheader()
    writer.writerows(map(asdict, sorted(games, key=lambda game: (SETTINGS.index(game.setting), game.game))))
    files.write(path, text.getvalue(), "games")


def compared(setting: Setting, scores: Sequence[int]) -> Compared:
    """Return the mean of these scores beside the published one."""
    mean, error = statistics.fmean(scores), statistics.stdev(scores) / math.sqrt(len(scores))
    lead, both = mean - setting.published, math.hypot(error, PUBLISHED_ERROR)
    freedom = both**4 / (error**4 / (len(scores) - 1) + PUBLISHED_ERROR**4 / (PUBLISHED_GAMES - 1))
    return Compared(setting, scores, mean, error, lead, both, chance_of(abs(lead) / both, freedom))


def chance_of(t: float, freedom: float) -> float:
    """Return the chance that Student's t is as far from 0, on either side.

    With t = sqrt(freedom) tan(angle), the density is a power of the cosine of the angle.

    >>> round(chance_of(2.228, 10), 4), round(chance_of(1.96, 1e6), 4)
    (0.05, 0.05)
    """
    begin = math.atan(t / math.sqrt(freedom))

    def area(begin: float) -> float:
        end = begin + min(math.pi / 2 - begin, 40 / math.sqrt(freedom))  # nothing is left beyond
        steps = np.linspace(begin, end, 20_001)
        return float(np.trapezoid(np.cos(steps) ** (freedom - 1), steps))

    return area(begin) / area(0)


def holm(chances: Sequence[float]) -> list[float]:
    """Return the chances with Holm's correction for their number.

    Claims whose corrected chance is at most 5 % are all true with a chance of at least 95 %, however they depend on
    each other (S. Holm, A simple sequentially rejective multiple test procedure, 1979).

    >>> [round(each, 3) for each in holm([0.01, 0.04, 0.03])]
    [0.03, 0.06, 0.06]
    """
    corrected, largest = [0.0] * len(chances), 0.0
    for rank, number in enumerate(sorted(range(len(chances)), key=lambda each: chances[each])):
        largest = max(largest, min(1.0, (len(chances) - rank) * chances[number]))
        corrected[number] = largest
    return corrected


def summary(rows: Sequence[Compared]) -> str:
    """Return in how many settings our mean is ahead and behind, before and after the correction."""
    corrected = holm([row.chance for row in rows])
    counts = []
    for sign in (1, -1):
        towards = [(sign * row.lead, row.both, chance) for row, chance in zip(rows, corrected, strict=True)]
        counts.append(
            [
                sum(lead > 0 for lead, _, _ in towards),
                sum(lead > 2 * both for lead, both, _ in towards),
                sum(lead > 0 and chance <= CHANCE for lead, _, chance in towards),
            ]
        )
    (ahead, clear, sure), (behind, clearly, surely) = counts
    return (
        f"Our mean is ahead in {ahead} of {len(rows)} settings, in {clear} by more than two standard errors of the "
        f"difference, and in {sure} after Holm's correction. It is behind in {behind}, in {clearly} by more than two, "
        f"and in {surely} after the correction."
    )


def report(games: Sequence[Game]) -> str:
    """Return the table of all settings with games, and what it supports."""
    rows = [compared(each, scores) for each, scores in by_setting(games).items() if len(scores) > 1]
    if not rows:
        return "No games yet."
    counts = [len(row.scores) for row in rows]
    lines = [
        f"Seed {SEED}, {_span(counts)} games in each setting, {sum(counts):,} in all. {summary(rows)} "
        f"After that correction, a lead counts with this number of games if it is about {round(_seen(rows), -3):,.0f} "
        "points.\n",
        "| taps | frames | games | mean | median | BetaTetris | ahead by | chance | corrected | "
        "reach 130, 230, 330 % | ms/piece |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for row, corrected in zip(rows, holm([row.chance for row in rows]), strict=True):
        of = [game for game in games if game.setting == row.setting]
        reached = ", ".join(f"{100 * statistics.fmean(game.lines >= least for game in of):.0f}" for least in REACHED)
        piece = 1000 * sum(game.seconds for game in of) / sum(game.pieces for game in of)
        lines.append(
            f"| {row.setting.taps} | {row.setting.delay} | {len(of)} | {row.mean:,.0f} ± {row.error:,.0f} | "
            f"{statistics.median(row.scores):,.0f} | {row.setting.published:,} | {row.lead:+,.0f} ± {row.both:,.0f} | "
            f"{_percent(row.chance)} | {_percent(corrected)} | {reached} | {piece:.2f} |"
        )
    return "\n".join(lines)


def _seen(rows: Sequence[Compared]) -> float:
    """Return a typical lead that the strictest of Holm's limits just admits."""
    errors = statistics.NormalDist().inv_cdf(1 - CHANCE / len(rows) / 2)
    return errors * statistics.median(row.both for row in rows)


def earlier(results: Results, games: Sequence[Game]) -> str:
    """Return what the games of `tetris_tournament` by the same policy support, and whether the new ones agree."""
    plan = f"{POLICY} ({', '.join(map(str, BREADTHS))})"
    chosen = [row for row in results.values() if row["plan"] == plan and row["taps"].endswith(TUCK)]
    rows = [compared(Setting(row["taps"], row["delay"]), row["scores"]) for row in chosen]
    counts = [len(row.scores) for row in rows]
    text = f"Earlier games, seed {EARLIER_SEED}, {_span(counts)} in each setting. {summary(rows)}"
    for less in DOUBTS:
        doubted = [compared(row.setting, [score - less for score in row.scores]) for row in rows]
        text += f"\n\nIf each of our means is {less:,} points too high because of that choice: {summary(doubted)}"
    mean, error, count = agreement(by_setting(games), {row.setting: row.scores for row in rows})
    if count:
        text += (
            f"\n\nOver {count} settings, the means of the new games differ from these by {mean:+,.0f} ± {error:,.0f}."
        )
    return text


def agreement(new: Mapping[Setting, Sequence[int]], old: Mapping[Setting, Sequence[int]]) -> tuple[float, float, int]:
    """Return the mean difference over the settings with games of both, its standard error, and their number.

    >>> setting = Setting("30hz+tuck", 0)
    >>> agreement({setting: [3, 5]}, {setting: [1, 1]})
    (3.0, 1.0, 1)
    """
    both = [(new[each], old[each]) for each in new if each in old and len(new[each]) > 1]
    leads = [statistics.fmean(these) - statistics.fmean(those) for these, those in both]
    squares = [statistics.variance(scores) / len(scores) for pair in both for scores in pair]
    count = max(len(both), 1)
    return sum(leads) / count, math.sqrt(sum(squares)) / count, len(both)


def by_setting(games: Sequence[Game]) -> dict[Setting, list[int]]:
    """Return the scores of each setting."""
    return {each: [game.score for game in games if game.setting == each] for each in SETTINGS}


def _span(counts: Sequence[int]) -> str:
    least, most = min(counts), max(counts)
    return f"{least} to {most}" if least < most else f"{most}"


def _percent(chance: float) -> str:
    if chance < 0.0001:
        return "< 0.01 %"
    return f"{100 * chance:.0f} %" if chance >= 0.095 else f"{100 * chance:.2g} %"


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games_file", type=Path, metavar="GAMES.csv")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--time-limit", type=float)
    parser.add_argument("--earlier", type=Path, metavar="RESULTS.json")
    parser.add_argument("--report", type=Path)
    return parser.parse_args()


_KINDS: dict[str, Callable[[str], Any]] = {"str": str, "int": int, "float": float}

if __name__ == "__main__":
    main()
