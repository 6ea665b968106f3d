"""Solutions of other rolls, derived from the solutions of one.

If a word of a solution is exchanged for another word with the same letters at the crossings, the result is a solution
of another roll. So a few million solutions show that most rolls have one, at a fraction of the cost of searching. Each
roll is marked with a fingerprint of its first solution. A solution with a different fingerprint shows that it has two.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from gpusolve.backend.compiled import compiled
from gpusolve.games.qless._shapes import ROW, Shapes
from gpusolve.games.qless.anagrams import NO_LETTER, WIDTH
from gpusolve.games.qless.rolls import AllRolls
from gpusolve.games.qless.tree import slots_of
from gpusolve.games.qless.variant import Variant
from gpusolve.runs.seeds import GOLDEN, mix_all

NONE, MORE = 0, 255
"""Marks of a roll without a known solution, and of a roll with at least two. Any other mark is a fingerprint."""
BUCKET_BITS = 22
"""Binary logarithm of the number of buckets in which the binary search for a roll's key starts."""


@dataclass(frozen=True, eq=False)
class Marks:
    """A mark for each roll of the dice (uint8, (rolls,)), and the tables that set marks from solutions."""

    marks: npt.NDArray[np.uint8]
    _tables: tuple[Any, ...]

    def spread(self, numbers: npt.NDArray[np.int64], shape: npt.NDArray[np.int32], fill: npt.NDArray[np.uint8]) -> int:
        """Set the marks of the rolls `numbers`, and of other rolls that their solutions lead to.

        Solution i, of roll ``numbers[i]``, has the shape ``shape[i]`` and the letters ``fill[i]``, as in `Solutions`.
        Return the number of rolls that have two known solutions now, and had not before.
        """
        return int(_spread(self.marks, *self._tables, numbers, shape, fill))


def marks_of(rolls: AllRolls, marks: npt.NDArray[np.uint8], variant: Variant, shapes: Shapes) -> Marks:
    """Return marks that start as `marks`, which can come from a checkpoint, with their tables."""
    fields = np.where(rolls.masks > 0, np.uint64(1) << rolls.shifts, np.uint64(0))
    letters = variant.anagrams.letters
    there = letters != NO_LETTER
    padded = np.where(there, letters, 0)
    keys = (fields[padded] * there).sum(axis=1, dtype=np.uint64)
    prints = mix_all(np.arange(1, len(letters) + 1, dtype=np.uint64) * np.uint64(GOLDEN))
    usable = ((rolls.masks[padded] > 0) | ~there).all(axis=1)  # all its letters are on the dice
    word, position = np.nonzero(there & usable[:, None])
    lengths = there.sum(axis=1)
    bins = (lengths[word] * WIDTH + position) * 26 + letters[word, position]
    order = np.argsort(bins, kind="stable")
    having = word[order].astype(np.int32)  # the words by length, position, and letter at this position
    having_from = np.searchsorted(bins[order], np.arange(WIDTH * WIDTH * 26 + 1)).astype(np.int32)
    shift = np.uint64(max(0, int(rolls.keys[-1]).bit_length() - BUCKET_BITS))
    edges = np.arange((int(rolls.keys[-1]) >> int(shift)) + 2, dtype=np.uint64) << shift
    buckets = np.searchsorted(rolls.keys, edges).astype(np.int32)
    tables = (
        rolls.keys, buckets, shift, letters, keys, prints, having, having_from, shapes.cells,
        shapes.min_length, variant.no_repeats,
    )  # fmt: skip
    return Marks(marks, tables)


@compiled
def _spread(
    marks: Any, all_keys: Any, buckets: Any, shift: Any, letters: Any, keys: Any, prints: Any, having: Any,
    having_from: Any, cells: Any, min_length: int, no_repeats: bool, numbers: Any, shape: Any, fill: Any,
) -> int:  # fmt: skip
    """Set marks as `Marks.spread` says; the fingerprint of a solution is made from the sum of its words' `prints`."""
    n = cells.shape[1]
    grid = np.empty((ROW + 2) * (ROW + 2), np.int64)
    lengths, slots, word_of = np.empty(2 * n, np.int64), np.empty((2 * n, n), np.int64), np.empty(2 * n, np.int64)
    crossed = np.empty(n, np.int64)
    known = 0
    for i in range(len(numbers)):
        count = slots_of(cells[shape[i]], min_length, grid, lengths, slots)
        crossed[:] = 0
        total = np.uint64(0)
        for slot in range(count):
            length = lengths[slot]
            word_of[slot] = -1
            bin_ = (length * WIDTH) * 26 + fill[i, slots[slot, 0]]
            for w in having[having_from[bin_] : having_from[bin_ + 1]]:
                same = True
                for k in range(length):
                    same = same and letters[w, k] == fill[i, slots[slot, k]]
                if same:
                    word_of[slot] = w
                    break
            total += prints[word_of[slot]]
            for k in slots[slot, :length]:
                crossed[k] += 1
        known += _mark(marks, numbers[i], total)
        for slot in range(count):
            length, word = lengths[slot], word_of[slot]
            first = 0
            while crossed[slots[slot, first]] < 2:
                first += 1
                if first == length:
                    break
            if first == length:
                continue
            rest = all_keys[numbers[i]] - keys[word]
            bin_ = (length * WIDTH + first) * 26 + fill[i, slots[slot, first]]
            for w in having[having_from[bin_] : having_from[bin_ + 1]]:
                fits = True
                for k in range(first + 1, length):
                    fits = fits and (crossed[slots[slot, k]] < 2 or letters[w, k] == fill[i, slots[slot, k]])
                for other in range(count if no_repeats else 0):
                    fits = fits and (other == slot or word_of[other] != w)
                if not fits:
                    continue
                # A letter that occurs too often carries into the next field. The result is the key of no roll then,
                # because it represents fewer letters.
                key = rest + keys[w]
                bucket = key >> shift
                if bucket >= len(buckets) - 1:
                    continue
                low, high = buckets[bucket], buckets[bucket + np.uint64(1)]
                while low < high:
                    middle = (low + high) // 2
                    if all_keys[middle] < key:
                        low = middle + 1
                    else:
                        high = middle
                if low < buckets[bucket + np.uint64(1)] and all_keys[low] == key:
                    known += _mark(marks, low, total - prints[word] + prints[w])
    return known


@compiled
def _mark(marks: Any, number: int, total: Any) -> int:
    """Mark a roll with a solution, given the sum of its words' fingerprints; return 1 if it is the second, else 0."""
    mark = 1 + np.int64((total >> np.uint64(32)) % np.uint64(MORE - 1))
    if marks[number] == NONE:
        marks[number] = mark
    elif marks[number] not in (mark, MORE):
        marks[number] = MORE
        return 1
    return 0
