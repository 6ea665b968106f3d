"""Groups of four that no guess tells apart, from the closest pair of their first three words. The host searches them.

Every guess must leave two of the four words together. Let a and b be the pair, and ask guesses that tell a and b
apart, the *separators*, one after the other. Under the first, either one of the other words, c, has the pattern of a or
b, and there are a few dozen such words; or the other two words, c and d, have the same pattern. In that case the next
separator is asked the same question, and d is now one of the words with the pattern of c, and so on. After about ten
separators few of the remaining words have had the same pattern each time:

    separator    words with the pattern of a or b    their partners
    1            c: 40 words                         d: any word that guesses which tell a, b and c apart allow
    2            c: 60 other words                   d: the same, with the pattern of c under separator 1
    ...
    after 10     none                                c and d: words that all ten leave together

So a pair takes a few hundred triples rather than thousands, and a triple has few partners. Sets of words are bits.

The closeness of the pair limits the other two words, as everywhere in the search (``kernels/wordle.cu``): the word that
is the least close to the others is d, and of the rest c. So a and b are at least as close as a and c, or b and c, and
the three have at least half of the closeness that a group must have.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gpusolve.games.wordle.cpu.quadruples import search
from gpusolve.games.wordle.grouping.kernels import Separation
from gpusolve.games.wordle.kernels import Codes

DIRECT = 200
"""If up to this many words can be c beside a and b, each of them is tried, and there are no cases."""
PROBES = 4096
"""Number of random pairs of close words on which separators are compared."""
SEED = 4  # of the random pairs; the result does not depend on it
ROOM = 1 << 16
"""Number of groups for which there is room at first."""

Bytes = npt.NDArray[np.uint8]
Bits = npt.NDArray[np.uint64]


@dataclass(frozen=True, eq=False)
class Quadruples:
    """The arrays, on the host, from which groups of four are found; most of them are those of `Separation`.

    Attributes
    ----------
    total : int
        Closeness that the six pairs of a group must have together.
    closeness, patterns, cell_rows, cell_sizes, cells : ndarray
        As `closeness`, `by_word`, `cell_rows`, `cell_sizes` and `cells` of `Separation`.
    sample : ndarray of uint8, shape (guesses of the sample, words)
        The patterns of the sample.
    together : ndarray of uint64, shape (guesses of the sample, PROBES / 64)
        Bits: the random pairs that each guess leaves together.
    """

    total: int
    closeness: Bytes
    patterns: Codes
    cell_rows: npt.NDArray[np.int32]
    cell_sizes: npt.NDArray[np.int32]
    cells: Bits
    sample: Bytes
    together: Bits

    @classmethod
    def of(cls, separation: Separation, pairs: npt.NDArray[np.int32]) -> Quadruples:
        """Make the arrays; `pairs` are all those that groups may grow from."""
        host = separation.backend.to_host
        sample = np.ascontiguousarray(host(separation.sample).T)
        probes = np.random.default_rng(SEED).choice(pairs, PROBES) if len(pairs) else np.zeros((PROBES, 2), np.int32)
        same = np.ascontiguousarray(sample[:, probes[:, 0]] == sample[:, probes[:, 1]])
        return cls(
            total=separation.counted,
            closeness=host(separation.closeness),
            patterns=host(separation.by_word),
            cell_rows=host(separation.cell_rows),
            cell_sizes=host(separation.cell_sizes),
            cells=host(separation.cells),
            sample=sample,
            together=np.ascontiguousarray(np.packbits(same, axis=1, bitorder="little")).view(np.uint64),
        )

    def around(self, pairs: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
        """Return the groups that grow from these pairs, int32 (groups, 4), which no guess tells apart.

        A group occurs more than once if it grows from more than one pair.
        """
        arrays = self.closeness, self.patterns, self.sample, self.cell_rows, self.cell_sizes, self.cells, self.together
        room = ROOM
        while True:
            out = np.empty((room, 4), np.int32)
            count = int(search(pairs, DIRECT, self.total, *arrays, out))
            if count <= room:
                return out[:count]
            room = count
