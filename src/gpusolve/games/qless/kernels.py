"""Batches of rolls: what the solver asks the device for."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Array, Backend, Program
from gpusolve.games.qless.anagrams import WEIGHTS, WIDTH, Anagrams
from gpusolve.games.qless.tree import Tree
from gpusolve.resources import kernels_dir

PROGRAM = Program(kernels_dir() / "qless.cu", "gpusolve.games.qless.cpu")
ALPHABET = 26
NO_LIMIT = 2**62
"""More solutions than there are."""


@dataclass(frozen=True, eq=False)
class Rolls:
    """A batch of rolls with the words that each can spell; arrays on the device.

    `counts` (uint8, (rolls, 26)): how often a roll has each letter. A collection of its letters is numbered in mixed
    radix, the first letter that it has being the lowest digit. `classes` (int32, (rolls, subsets)): the class of
    anagrams that each collection spells, NO_CLASS for none. `pivots` (int32, (rolls,)): the letter that the fewest
    words have. `words` (int32, (rolls, room)): numbers of words, by length, those of length l from ``spans[roll, l]``
    (int32, (rolls, 17)) on; `values` (uint64, (rolls, room)): their letters as collections.
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
class Found:
    """What a search found; arrays on the device. `counts` (int64, (items,)): solutions of each item.

    `shapes` (int32, (rows,)): the shapes of those that are written, and `fills` (uint8, (rows, letters)): the
    letters, 0 to 25, in the order of the shape's cells. Rows that no solution was written to hold anything.
    """

    counts: Array
    shapes: Array
    fills: Array


@dataclass(frozen=True, eq=False)
class Loaded:
    """A dictionary and a tree, on the device."""

    anagrams: Anagrams
    tree: Tree
    dictionary: tuple[Array, ...]
    nodes: tuple[Array, ...]

    def bytes_per_roll(self) -> int:
        """What a roll takes on the device while it is searched."""
        return (4 << self.tree.shapes.letters) + ALPHABET + 12 * 1024


def load(backend: Backend, anagrams: Anagrams, tree: Tree) -> Loaded:
    """Puts a dictionary and a tree on the device."""
    dictionary = (
        WEIGHTS, anagrams.sieve, anagrams.table_keys, anagrams.table_classes, anagrams.class_from, anagrams.letters,
    )  # fmt: skip
    nodes = (
        tree.steps_from, tree.steps, tree.targets, tree.ends_from, tree.ends, tree.places, tree.paths_from,
        tree.shape_of, tree.cell_of, tree.transposed, tree.cares,
    )  # fmt: skip
    on_device = [tuple(backend.asarray(array) for array in arrays) for arrays in (dictionary, nodes)]
    return Loaded(anagrams, tree, *on_device)


def candidates(backend: Backend, loaded: Loaded, counts: npt.NDArray[np.uint8]) -> Rolls:
    """The words of each roll; `counts` as in `Rolls`, on the host."""
    subsets = int((counts.astype(np.int64) + 1).prod(axis=1).max(initial=1))
    weights, sieve, keys, table, class_from, letters = loaded.dictionary
    on_device = backend.asarray(counts)
    classes = backend.empty((len(counts), subsets), np.int32)
    pivots, sizes = (backend.empty(len(counts), np.int32) for _ in range(2))
    backend.launch(
        PROGRAM, "candidates", len(counts), on_device, weights, sieve, len(sieve), keys, table, len(table), class_from,
        letters, len(letters), subsets, classes, pivots, sizes,
    )  # fmt: skip
    room = max(1, int(sizes.max())) if len(counts) else 1
    words = backend.empty((len(counts), room), np.int32)
    values = backend.empty((len(counts), room), np.uint64)
    spans = backend.empty((len(counts), WIDTH + 1), np.int32)
    backend.launch(
        PROGRAM, "gather", len(counts), on_device, classes, subsets, class_from, letters, len(letters), room, words,
        values, spans,
    )  # fmt: skip
    return Rolls(on_device, classes, pivots, words, values, spans)


def fill(
    backend: Backend,
    loaded: Loaded,
    rolls: Rolls,
    items: npt.NDArray[np.int32] | None = None,
    parts: int = 1,
    keep: int = 0,
    most: int = NO_LIMIT,
    no_repeats: bool = False,
    must: int = -1,
) -> Found:
    """The solutions of rolls of as many letters as the tree is for. Item i is a share of a roll, ``items[i] % parts``
    of roll ``items[i] // parts``; None: all shares of all rolls.

    An item's search ends when it has found `most`, the first `keep` of which are written, from row ``i * keep`` on.
    `no_repeats`: no word twice in a solution; `must` >= 0: with this word.
    """
    chosen = np.arange(len(rolls) * parts, dtype=np.int32) if items is None else items
    rows, n = len(chosen) * keep, loaded.tree.shapes.letters
    found = Found(
        backend.empty(len(chosen), np.int64), backend.empty(rows, np.int32), backend.empty((rows, n), np.uint8)
    )
    *_, class_from, letters = loaded.dictionary
    steps_from, steps, targets, ends_from, ends, places, paths_from, shape_of, cell_of, transposed, cares = loaded.nodes
    backend.launch(
        PROGRAM, "fill", len(chosen), backend.asarray(chosen), parts, rolls.counts, rolls.pivots, rolls.classes,
        rolls.classes.shape[1], rolls.words, rolls.values, rolls.words.shape[1], rolls.spans, class_from, letters,
        len(letters), steps_from, len(steps_from) - 1, steps, targets, len(steps), ends_from, ends, places, paths_from,
        len(ends), shape_of, cell_of, transposed, cares, len(shape_of), n, int(no_repeats), must, most,
        keep, found.counts, found.shapes, found.fills,
    )  # fmt: skip
    return found
