"""Solutions of other rolls, derived from the solutions of one.

If a word of a solution is exchanged for another word with the same letters at the crossings, the result is a solution
of another roll. So a few million solutions show that most rolls have one, at a fraction of the cost of searching. Each
roll keeps a fingerprint of its first solution. A solution with a different fingerprint shows that it has two.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gpusolve.games.qless._shapes import Shapes
from gpusolve.games.qless.cpu.exchanges import Tables, exchange_words
from gpusolve.games.qless.cpu.letters import NO_LETTER, WIDTH
from gpusolve.games.qless.rolls import AllRolls
from gpusolve.games.qless.variant import Variant
from gpusolve.runs.seeds import GOLDEN, mix_all

BUCKET_BITS = 22
"""Binary logarithm of the number of buckets in which the binary search for a roll's key starts."""


@dataclass(frozen=True, eq=False)
class KnownSolutions:
    """What is known about the solutions of each roll of the dice.

    `fingerprints` (uint8, (rolls,)): NONE for a roll without a known solution, MORE for one with at least two, and
    otherwise the fingerprint of the only one.
    """

    fingerprints: npt.NDArray[np.uint8]
    _tables: Tables

    def add(self, numbers: npt.NDArray[np.int64], shape: npt.NDArray[np.int32], fill: npt.NDArray[np.uint8]) -> int:
        """Add solutions of the rolls `numbers`, and those of other rolls that they lead to.

        Solution i, of roll ``numbers[i]``, has the shape ``shape[i]`` and the letters ``fill[i]``, as in `Solutions`.
        Return the number of rolls that have two known solutions now, and had not before.
        """
        return int(exchange_words(self.fingerprints, self._tables, numbers, shape, fill))


def known_solutions(
    rolls: AllRolls, fingerprints: npt.NDArray[np.uint8], variant: Variant, shapes: Shapes
) -> KnownSolutions:
    """Return what is known, given the fingerprints, which can come from a checkpoint."""
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
    return KnownSolutions(
        fingerprints,
        Tables(
            rolls.keys, buckets, shift, letters, keys, prints, having, having_from, shapes.cells, shapes.min_length,
            variant.no_repeats,
        ),
    )  # fmt: skip
