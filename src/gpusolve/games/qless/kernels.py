"""Batches of rolls on the device: the words and the crosswords of each roll."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Array, Backend, Program
from gpusolve.games.qless.anagrams import WEIGHTS, Anagrams
from gpusolve.games.qless.cpu.letters import ALPHABET
from gpusolve.games.qless.tree import Tree
from gpusolve.resources import kernels_dir

PROGRAM = Program(kernels_dir() / "qless.cu", "gpusolve.games.qless.cpu")
NO_LIMIT = 2**62
"""A limit that no number of solutions reaches."""


@dataclass(frozen=True, eq=False)
class RollBatch:
    """A batch of rolls with the words that each can spell; arrays on the device.

    `counts` (uint8, (rolls, 26)): how often each letter occurs in a roll. A collection of its letters is a number in
    mixed radix, in which the first letter that occurs is the lowest digit. `classes` (int32, (rolls, subsets)): the
    anagram class that each collection spells, NO_CLASS for none. `pivots` (int32, (rolls,)): the letter that occurs in
    the fewest words. `words` (int32, (rolls, room)): indices of words by length; those of length l start at
    ``spans[roll, l]`` (int32, (rolls, 17)). `values` (uint64, (rolls, room)): their letters as collections.
    """

    counts: Array
    classes: Array
    pivots: Array
    words: Array
    values: Array
    spans: Array

    def __len__(self) -> int:
        return len(self.counts)


@dataclass(frozen=True, eq=False)
class Fills:
    """The solutions of the items of a search; arrays on the device.

    `counts` (int64, (items,)): the number of solutions of each item. `shapes` (int32, (rows,)): the shapes of the
    solutions that were written; `fills` (uint8, (rows, letters)): their letters, 0 to 25, in the order of the shape's
    cells; `turns` (int32, (rows,)): their turns, which order the solutions of the pieces of a share. Rows without a
    solution have undefined values.
    """

    counts: Array
    shapes: Array
    fills: Array
    turns: Array


@dataclass(frozen=True, eq=False)
class Loaded:
    """A dictionary and a tree on the device."""

    anagrams: Anagrams
    tree: Tree
    dictionary: tuple[Array, ...]
    nodes: tuple[Array, ...]

    @property
    def words(self) -> tuple[Array, ...]:
        """The first word of each anagram class, and the letters of the words."""
        return self.dictionary[-2:]

    def bytes_per_roll(self) -> int:
        """Return the bytes of device memory that a roll needs while it is searched."""
        return (4 << self.tree.shapes.letters) + ALPHABET + 12 * 1024


def load(backend: Backend, anagrams: Anagrams, tree: Tree) -> Loaded:
    """Copy a dictionary and a tree to the device."""
    dictionary = (
        WEIGHTS, anagrams.sieve, anagrams.table_keys, anagrams.table_classes, anagrams.class_from, anagrams.letters,
    )  # fmt: skip
    nodes = (
        tree.steps_from, tree.steps, tree.targets, tree.ends_from, tree.ends, tree.places, tree.paths_from,
        tree.shape_of, tree.cell_of, tree.transposed, tree.cares,
    )  # fmt: skip
    on_device = [tuple(backend.asarray(array) for array in arrays) for arrays in (dictionary, nodes)]
    return Loaded(anagrams, tree, *on_device)


def candidates(backend: Backend, loaded: Loaded, counts: npt.NDArray[np.uint8]) -> RollBatch:
    """Find the words that each roll can spell. `counts` is as in `RollBatch`, but on the host."""
    subsets = int((counts.astype(np.int64) + 1).prod(axis=1).max(initial=1))
    on_device, n = backend.asarray(counts), len(counts)
    classes, pivots, sizes = backend.launch(PROGRAM, "candidates", n, on_device, *loaded.dictionary, subsets)
    room = max(1, int(sizes.max())) if n else 1
    words = backend.launch(PROGRAM, "gather", n, on_device, classes, *loaded.words, room)
    return RollBatch(on_device, classes, pivots, *words)


def fill(
    backend: Backend,
    loaded: Loaded,
    rolls: RollBatch,
    *,
    items: npt.NDArray[np.int32] | None = None,
    shares: int = 1,
    pieces: tuple[int, int] = (1, 1),
    keep: int = 0,
    limit: int = NO_LIMIT,
    no_repeats: bool = False,
    must: int = -1,
) -> Fills:
    """Find the solutions of rolls with the tree's number of letters.

    The search of each roll is divided into `shares`, and each share into `pieces`, by second words and by their steps;
    both numbers are powers of 2. With ``p = pieces[0] * pieces[1]``, item i is piece ``items[i] % p`` of share
    ``items[i] // p % shares`` of roll ``items[i] // p // shares``; by default the items are all pieces of all rolls.
    The search of an item ends when it has found `limit` solutions. The first `keep` of them are written, starting at
    row ``i * keep``. With `no_repeats` each word is used at most once in a solution; `must` >= 0 is the index of a word
    that each solution has to contain.
    """
    chosen = np.arange(len(rolls) * shares * pieces[0] * pieces[1], dtype=np.int32) if items is None else items
    found = backend.launch(
        PROGRAM, "fill", len(chosen), backend.asarray(chosen), shares, *pieces, rolls.counts, rolls.pivots,
        rolls.classes, rolls.words, rolls.values, rolls.spans, *loaded.words, *loaded.nodes, int(no_repeats), must,
        limit, keep,
    )  # fmt: skip
    return Fills(*found)


def kept(
    backend: Backend, fills: Fills, keep: int
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.uint8], npt.NDArray[np.int32]]:
    """Return the shapes, letters and turns of the solutions that `fill` has written, item by item, on the host."""
    rows = backend.asarray(np.flatnonzero((np.arange(keep) < backend.to_host(fills.counts)[:, None]).ravel()))
    return backend.to_host(fills.shapes[rows]), backend.to_host(fills.fills[rows]), backend.to_host(fills.turns[rows])
