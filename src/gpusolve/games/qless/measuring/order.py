"""The order in which shapes are tried, by which the difficulty of a roll is measured.

The daily game tries the shapes in which a solution is likely and quickly found first. Its own order is a list of 6,223
shapes, some of them twice, that its repository publishes [1]_; `read_order` reads it. Without it, the order is
estimated: a shape comes earlier if everyday words solve more rolls of a sample in it, and each further word counts as
much as if they solved e^1.5 times fewer. The scale for this order is fitted to the numbers of shapes that the daily
game tried for 873 rolls, and tested with 175 others (benchmarks/results/qless-rating.md).

.. [1] https://github.com/damiensnyder/damiens-arcade, analysis/grids.json
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from gpusolve import files
from gpusolve.checks import shown
from gpusolve.errors import BadInput
from gpusolve.fields import Fields
from gpusolve.games.qless._shapes import shapes as shapes_of
from gpusolve.games.qless._solve import Solutions, solve
from gpusolve.games.qless.cpu.shapes import ROW
from gpusolve.games.qless.measuring.difficulty import ENOUGH, Scale
from gpusolve.games.qless.rolls import DICE, random_rolls, text_of
from gpusolve.games.qless.variant import COMMON, Variant

SAMPLE, SAMPLE_SEED = 100, 0
"""Number of rolls from which the order is estimated, and their seed."""
PER_WORD = 1.5
"""What a further word costs, as a natural logarithm of the share of rolls that are solved."""
UNSEEN = 0.5
"""The number of rolls that count as solved in a shape in which none is."""
DAILY = Scale(too_easy=9, monday=20, tuesday=150, easy=299, wednesday=600, friday=sys.maxsize)
"""The scale of the daily game, for its own order."""
FITTED = Scale(too_easy=28, monday=136, tuesday=294, easy=302, wednesday=638, friday=4491)
"""The scale for the estimated order."""
LARGEST = 15
"""The largest row or column of a cell of a shape."""


@dataclass(frozen=True, eq=False)
class Order:
    """Shapes in the order in which they are tried, and the scale that belongs to it.

    `numbers` (int32, (tries,)): the number of each shape among all, -1 for a shape that the variant does not have. A
    shape that is tried twice counts twice.
    """

    numbers: npt.NDArray[np.int32]
    scale: Scale

    def tried(self, solutions: Solutions) -> tuple[int, int | None]:
        """Return the number of solutions that are found, and of shapes tried until there are ENOUGH, else None."""
        of_shape = np.bincount(solutions.shape, minlength=len(solutions.shapes))
        found = np.cumsum(np.where(self.numbers < 0, 0, of_shape[self.numbers]))
        total = int(found.max(initial=0))
        return total, int(np.searchsorted(found, ENOUGH)) + 1 if total >= ENOUGH else None


@lru_cache(maxsize=4)  # it takes longer than rating a roll
def estimated_order(min_length: int, allow_touching: bool, backend: Any) -> Order:
    """Return the order that a sample of rolls gives for the shapes of a variant."""
    variant = Variant(COMMON, min_length=min_length, allow_touching=allow_touching)
    shapes = shapes_of(letters=len(DICE), min_length=min_length, allow_touching=allow_touching)
    solved = np.zeros(len(shapes), np.int64)
    for roll in random_rolls(SAMPLE_SEED, 0, SAMPLE):
        solved[np.unique(solve(text_of(roll), variant=variant, backend=backend).shape)] += 1
    worth = np.log(solved + UNSEEN) - PER_WORD * shapes.words
    return Order(np.argsort(-worth, kind="stable").astype(np.int32), FITTED)


def read_order(file: Path, variant: Variant) -> Order:
    """Return the order in a file: a JSON list as the daily game's repository has, or lines as ``shapes --out`` writes.

    Raises BadInput if the file cannot be read, or has anything else than shapes of twelve letters.
    """
    place, text = f"order {file}", files.read_text(file, "order")
    if text.lstrip().startswith("["):
        drawn = [_cells_of(item, f"{place}, shape {i}") for i, item in enumerate(files.parse_json(text, place), 1)]
    else:
        lines = enumerate(text.splitlines(), 1)
        drawn = [_cells_in(line.strip(), f"{place}, line {i}") for i, line in lines if line.strip()]
    shapes = shapes_of(letters=len(DICE), min_length=variant.min_length, allow_touching=variant.allow_touching)
    number_of = {cells.tobytes(): i for i, cells in enumerate(shapes.cells)}
    numbers = np.array([number_of.get(cells, -1) for cells in drawn], np.int32)
    if not (numbers >= 0).any():
        raise BadInput(f"{place}: no shapes of this variant: expected at least one")
    return Order(numbers, DAILY)


def _cells_of(words: Any, place: str) -> bytes:
    """Return the cells of a shape that is a list of words, each with its start, its length and its direction."""
    cells = set()
    if not isinstance(words, list):
        raise BadInput(f"{place}: expected a list of words")
    for word in words:
        fields = Fields(place, word if isinstance(word, dict) else {})
        column, row = fields.integers("start", 0, LARGEST, 2)
        length, down = fields.integer("length", 1, len(DICE)), fields.flag("down")
        cells |= {(row + k, column) if down else (row, column + k) for k in range(length)}
    return _key(cells, place)


def _cells_in(line: str, place: str) -> bytes:
    """Return the cells of a shape that is drawn on a line, as `Shapes.text` writes it."""
    if set(line) - set("#./"):
        raise BadInput(f"{place}: {shown(line)}: expected a shape such as ##./.#., with # for a cell")
    return _key({(i, j) for i, row in enumerate(line.split("/")) for j, mark in enumerate(row) if mark == "#"}, place)


def _key(cells: set[tuple[int, int]], place: str) -> bytes:
    """Return cells as `Shapes` has them, as bytes."""
    if len(cells) != len(DICE):
        raise BadInput(f"{place}: {len(cells)} cells: expected {len(DICE)}")
    top, left = min(i for i, _ in cells), min(j for _, j in cells)
    moved = [(i - top, j - left) for i, j in cells]
    if max(map(max, moved)) > LARGEST:
        raise BadInput(f"{place}: the cells are not connected")
    return bytes(min(sorted(ROW * i + j for i, j in moved), sorted(ROW * j + i for i, j in moved)))
