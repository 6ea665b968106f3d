"""How often Q-less' rating agrees with the daily game, and the scale that is fitted to its rolls.

    PYTHONPATH=src python benchmarks/qless_rating.py LABELS --rolls FILE [--order FILE] [--fit]

LABELS has the rolls of each day. `--rolls` has what the daily game found for these and other rolls: the numbers of
solutions and of shapes tried. Both, and the order, are files of its repository (`candidates.json`,
`verified_rolls.txt`, `grids.json`). With the list `qless` (`gpusolve lists get qless`), its words are measured, too.
`--fit` fits the scale to the rolls without a label.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple, cast

from gpusolve.backend import open_backend
from gpusolve.games.qless import Variant, solve
from gpusolve.games.qless.measuring.difficulty import DIFFICULTIES, ENOUGH, Scale, difficulty_of
from gpusolve.games.qless.measuring.order import DAILY, FITTED, Order, estimated_order, read_order
from gpusolve.games.qless.rolls import can_roll
from gpusolve.games.qless.variant import SITE
from gpusolve.wordlists import known

FIRST = 12
"""The rolls of each day that were compared first."""
NONE = 6223
"""What the daily game notes as the number of shapes tried if it has found fewer than ENOUGH solutions."""
_ROLL = re.compile(r"\('([a-z]{12})', (\d+), (\d+)\)")


class Tried(NamedTuple):
    """What was found for a roll: solutions, and shapes tried until there were ENOUGH."""

    found: int
    tried: int | None


def main() -> None:
    """Print how often each rating agrees, and for the last one which days it takes for which."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("labels", type=Path)
    parser.add_argument("--rolls", type=Path, required=True)
    parser.add_argument("--order", type=Path)
    parser.add_argument("--fit", action="store_true")
    options = parser.parse_args()
    by_day: dict[str, list[str]] = json.loads(options.labels.read_text())
    labels = {roll: day for day, rolls in by_day.items() for roll in rolls}
    first = {roll for rolls in by_day.values() for roll in rolls[:FIRST]}
    daily = _daily(options.rolls.read_text())
    others = {roll: day for roll in daily if roll not in labels and (day := _day(roll, daily[roll], DAILY))}
    estimated = estimated_order(3, False, cast(Any, open_backend(None)))
    orders = {"estimated": estimated} | (
        {"the daily game's": read_order(options.order, Variant())} if options.order else {}
    )
    variants = [Variant(common=True)] + ([Variant(SITE, common=True)] if known(SITE) else [])
    measured = []
    print("| words | order | labels | first 84 | same number of shapes | other rolls |\n|---|---|---:|---:|---:|---:|")
    for variant in variants:
        solutions = {roll: solve(roll, variant=variant) for roll in {**labels, **others}}
        for name, order in orders.items():
            found = {roll: Tried(*order.tried(solutions[roll])) for roll in solutions}
            agreed = _agreed(labels, found, order.scale)
            same = sum(found[roll].tried == daily[roll].tried for roll in labels)
            rest = len(_agreed(others, found, order.scale))
            print(
                f"| {variant.dictionary} | {name} | {len(agreed)} of {len(labels)} | "
                f"{len(first.intersection(agreed))} of {len(first)} | {same} | {rest} of {len(others)} |"
            )
            _show_days(labels, found, order)
            if order is estimated:
                measured.append(found)
    if options.fit:
        print(_fitted(others, measured))


def _daily(text: str) -> dict[str, Tried]:
    """Return what the daily game found for each roll; where a roll occurs again, what it found last."""
    rows = ((roll, int(found), int(tried)) for roll, found, tried in _ROLL.findall(text))
    return {roll: Tried(found, None if tried == NONE and found < ENOUGH else tried) for roll, found, tried in rows}


def _day(roll: str, found: Tried, scale: Scale) -> str | None:
    return difficulty_of(found.found, found.tried, can_roll(roll), scale)


def _agreed(days: Mapping[str, str], found: Mapping[str, Tried], scale: Scale) -> list[str]:
    """Return the rolls whose rating is the day."""
    return [roll for roll, day in days.items() if _day(roll, found[roll], scale) == day]


def _show_days(labels: Mapping[str, str], found: Mapping[str, Tried], order: Order) -> None:
    """Print which days the labelled rolls get."""
    counted = Counter((day, _day(roll, found[roll], order.scale)) for roll, day in labels.items())
    columns = [*DIFFICULTIES, None]
    print(f"\n| label | {' | '.join(each or 'no day' for each in columns)} |\n|---|{'---:|' * len(columns)}")
    for day in DIFFICULTIES[1:]:
        print(f"| {day} | {' | '.join(str(counted[day, each] or '') for each in columns)} |")
    print()


def _fitted(days: Mapping[str, str], measured: list[dict[str, Tried]]) -> Scale:
    """Return a scale with which no change of one bound agrees with more days, over all `measured` together."""

    def agreed(scale: Scale) -> int:
        return sum(len(_agreed(days, found, scale)) for found in measured)

    numbers = sorted({tried for found in measured for _, tried in found.values() if tried})
    scale, before = FITTED, -1
    while (best := agreed(scale)) > before:
        before = best
        for name in Scale._fields:
            changed = [scale._replace(**{name: number}) for number in numbers]
            scale = max([scale, *(each for each in changed if list(each) == sorted(each))], key=agreed)
    return scale


if __name__ == "__main__":
    main()
