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


@dataclass(frozen=True, eq=False)
class Rolls:
    """A batch of rolls with the words that each can spell; arrays on the device.

    `counts` (uint8, (rolls, 26)): how often each letter is there. A *collection* of a roll's letters is a number in mixed
    radix, the first letter that it has in the lowest digit. `classes` (int32, (rolls, subsets)): the class of
    anagrams that a collection spells, NO_CLASS: none. `pivots` (int32): the letter that the fewest words have.
    `words` (int32, (rolls, room)): the words by length, those of length l from ``spans[roll, l]`` (int32,
    (rolls, 17)) on; `values` (uint64, the same): their letters.
    """

    counts: Array
    classes: Array
    pivots: Array
    words: Array
    values: Array
    spans: Array


@dataclass(frozen=True, eq=False)
class Loaded:
    """A dictionary and a tree on the device."""

    anagrams: Anagrams
    tree: Tree
    dictionary: tuple[Array, ...]
    nodes: tuple[Array, ...]


def load(backend: Backend, anagrams: Anagrams, tree: Tree) -> Loaded:
    """Puts a dictionary and a tree on the device."""
    dictionary = (WEIGHTS, anagrams.table_keys, anagrams.table_classes, anagrams.class_from, anagrams.letters)
    nodes = (
        tree.steps_from, tree.steps, tree.targets, tree.ends_from, tree.ends, tree.places, tree.paths_from,
        tree.shape_of, tree.cell_of, tree.transposed, tree.cares,
    )  # fmt: skip
    return Loaded(
        anagrams, tree, tuple(map(backend.asarray, dictionary)), tuple(map(backend.asarray, nodes))
    )


def candidates(backend: Backend, loaded: Loaded, counts: npt.NDArray[np.uint8]) -> Rolls:
    """What each roll can spell; `counts` as in `Rolls`, on the host."""
    subsets = int((counts.astype(np.int64) + 1).prod(axis=1).max(initial=1))
    weights, keys, table, class_from, letters = loaded.dictionary
    on_device = backend.asarray(counts)
    classes = backend.empty((len(counts), subsets), np.int32)
    pivots, sizes = backend.empty(len(counts), np.int32), backend.empty(len(counts), np.int32)
    words = len(loaded.anagrams.words)
    backend.launch(
        PROGRAM, "candidates", len(counts), on_device, weights, keys, table, len(table), class_from, letters, words,
        subsets, classes, pivots, sizes,
    )  # fmt: skip
    room = max(1, int(sizes.max())) if len(counts) else 1
    found = backend.empty((len(counts), room), np.int32)
    values = backend.empty((len(counts), room), np.uint64)
    spans = backend.empty((len(counts), WIDTH + 1), np.int32)
    backend.launch(
        PROGRAM, "gather", len(counts), on_device, classes, subsets, class_from, letters, words, room, found, values, spans
    )
    return Rolls(on_device, classes, pivots, found, values, spans)


def fill(
    backend: Backend,
    loaded: Loaded,
    rolls: Rolls,
    parts: int = 1,
    no_repeats: bool = False,
    must: int = -1,
    most: int = 2**62,
    begins: npt.NDArray[np.int64] | None = None,
) -> tuple[Array, Array, Array]:
    ...
    items = len(rolls.counts) * parts
    begins = np.zeros(items + 1, np.int64) if begins is None else begins
    rows, n = int(begins[-1]), loaded.tree.shapes.letters
    found = backend.empty(items, np.int64)
    shapes, fills = backend.empty(rows, np.int32), backend.empty((rows, n), np.uint8)
    steps_from, steps, targets, ends_from, ends, places, paths_from, shape_of, cell_of, transposed, cares = loaded.nodes
    _, _, _, class_from, letters = loaded.dictionary
    backend.launch(
        PROGRAM, "fill", items, parts, rolls.counts, rolls.pivots, rolls.classes, rolls.classes.shape[1], rolls.words,
        rolls.values, rolls.words.shape[1], rolls.spans, class_from, letters, len(letters),
        steps_from, len(steps_from) - 1, steps, targets, len(steps), ends_from, ends, places, paths_from, len(ends),
        shape_of, cell_of, transposed, cares, len(shape_of), n, int(no_repeats), must, most,
        backend.asarray(begins), found, rows, shapes, fills,
    )  # fmt: skip
    return found, shapes, fills
