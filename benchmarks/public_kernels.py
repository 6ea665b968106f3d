"""Compile, run and count kernels that other people have published, without a GPU.

    git clone --depth 1 https://github.com/NVIDIA/cuda-samples
    PYTHONPATH=src python benchmarks/public_kernels.py cuda-samples/Samples

They are NVIDIA's samples vectorAdd, matrixMul, transpose, reduction, scan, histogram, sortingNetworks,
convolutionSeparable and mergeSort, whose files are read as they are, with their host code. Each kernel is launched as
its sample launches it, on a small input. Its result is compared with NumPy, every access is followed, and the profile
is printed as a row of a table: machine instructions per warp, sectors of memory, conflicts between banks, and races.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from gpusolve.testing.foreign import profile_kernel, run_kernel

Array = npt.NDArray[Any]
Three = int | tuple[int, ...]
MERGED = 1024
"""Numbers of a block in the samples that sort."""


@dataclass
class Trial:
    """A launch, and the right contents of some of its arguments by their positions."""

    file: str
    kernel: str
    grid: Three
    block: Three
    arguments: tuple[Any, ...]
    expected: dict[int, Array]
    shared: int = 0
    constants: dict[str, Array] = field(default_factory=dict)


def main() -> int:
    """Try all kernels and print the table. Return 1 if a kernel fails."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("samples", type=Path, help="folder Samples of a clone of cuda-samples")
    parser.add_argument("--only", default="", help="part of the name of the kernels to try")
    arguments = parser.parse_args()
    print(
        "| sample | kernel | result | instructions / warp | sectors | conflicts | races |\n"
        "|---|---|---|--:|--:|--:|--:|"
    )
    failed = 0
    for trial in trials():
        if arguments.only in trial.kernel:
            cells = row(trial, arguments.samples)
            failed += cells[0] != "right"
            name = Path(trial.file).parent.name
            print(f"| {name} | `{trial.kernel}` | {' | '.join(cells)} |", flush=True)
    return int(failed > 0)


def row(trial: Trial, samples: Path) -> list[str]:
    """Return the cells of a kernel: whether its result is right, and what its launch does."""
    (path,) = samples.glob(f"*/{trial.file}")
    given = copied(trial.arguments)
    common: dict[str, Any] = {"shared_memory": trial.shared, "constants": trial.constants}
    try:
        run_kernel(path, trial.kernel, trial.grid, trial.block, *given, check=False, **common)
    except (RuntimeError, ValueError) as error:
        return [f"fails: {str(error).splitlines()[0]}", "", "", "", ""]
    wrong = [at for at, right in trial.expected.items() if not np.allclose(given[at], right, rtol=1e-4)]
    result = f"wrong: argument {wrong[0]}" if wrong else "right"
    given = copied(trial.arguments)
    try:
        found = profile_kernel(path, trial.kernel, trial.grid, trial.block, *given, **common)
    except (RuntimeError, NotImplementedError) as error:
        return [result, f"not counted: {str(error).splitlines()[0]}", "", "", ""]
    counted = "" if found.instructions is None else f"{found.instructions:,.0f}"
    return [result, counted, f"{found.sectors:,}", f"{found.conflicts:,}", str(len(found.races))]


def copied(arguments: tuple[Any, ...]) -> list[Any]:
    """Return the arguments with copies of the arrays."""
    return [value.copy() if isinstance(value, np.ndarray) else value for value in arguments]


def trials() -> Iterator[Trial]:
    """Yield the launches."""
    random = np.random.default_rng(1)
    x, y = (random.random(1000, dtype=np.float32) for _ in range(2))
    yield Trial("vectorAdd/vectorAdd.cu", "vectorAdd", 4, 256, (x, y, np.zeros_like(x), 1000), {2: x + y})
    a, b = random.random((64, 32), dtype=np.float32), random.random((32, 96), dtype=np.float32)
    product = np.zeros((64, 96), np.float32)
    for size in (16, 32):
        extent = (96 // size, 64 // size), (size, size)
        yield Trial("matrixMul/matrixMul.cu", f"MatrixMulCUDA<{size}>", *extent, (product, a, b, 32, 96), {0: a @ b})
    yield from transposes(random.random((64, 64), dtype=np.float32))
    yield from reductions(random.integers(0, 100, 2048).astype(np.int32))
    yield from scans(random.integers(0, 100, 4096).astype(np.uint32))
    yield from histograms(random.integers(0, 1 << 32, 4096, np.uint32))
    yield from sorts(random.integers(0, 1 << 20, 2 * MERGED).astype(np.uint32))
    yield from convolutions(random.random((64, 256), dtype=np.float32), random.random(17, dtype=np.float32))
    yield from merges(random.integers(0, 1 << 20, 2 * MERGED).astype(np.uint32))


def transposes(matrix: Array) -> Iterator[Trial]:
    """Yield all kernels of the sample transpose, whose tiles are 32 x 32 and its blocks 32 x 16."""
    for kernel in ("copy", "copySharedMem"):
        yield Trial(
            "transpose/transpose.cu", kernel, (2, 2), (32, 16), (np.zeros_like(matrix), matrix, 64, 64), {0: matrix}
        )
    for kernel in ("Naive", "Coalesced", "NoBankConflicts", "Diagonal"):
        given = np.zeros_like(matrix), matrix, 64, 64
        yield Trial("transpose/transpose.cu", f"transpose{kernel}", (2, 2), (32, 16), given, {0: matrix.T})


def reductions(numbers: Array) -> Iterator[Trial]:
    """Yield all versions of the sample reduction."""
    for version in range(8):
        blocks = 16 if version < 3 else 8
        more = "" if version < 4 else ", 128" if version < 6 else ", 128, true"
        sums = numbers.reshape(blocks, -1).sum(axis=1)
        given = numbers, np.zeros(blocks, np.int32), len(numbers)
        kernel = f"reduce{version}<int{more}>"
        yield Trial("reduction/reduction_kernel.cu", kernel, blocks, 128, given, {1: sums}, shared=128 * 4)
    given = numbers, np.zeros(8, np.int32), len(numbers)
    sums = numbers.reshape(2, 8, 128).sum(axis=(0, 2))
    yield Trial("reduction/reduction_kernel.cu", "cg_reduce<int>", 8, 128, given, {1: sums}, shared=128 * 4)


def scans(numbers: Array) -> Iterator[Trial]:
    """Yield the three kernels of the sample scan, for the sums before each number of rows of 1,024."""
    rows = numbers.reshape(-1, 1024)
    sums = (np.cumsum(rows, axis=1) - rows).astype(np.uint32)
    given = np.zeros_like(numbers), numbers, 1024
    yield Trial("scan/scan.cu", "scanExclusiveShared", 4, 256, given, {0: sums.ravel()})
    last, totals = (np.ascontiguousarray(array.ravel()[1023::1024]) for array in (sums, rows))
    before = np.cumsum(last + totals) - (last + totals)
    given2 = np.zeros(4, np.uint32), sums.ravel(), numbers, 4, 4
    yield Trial("scan/scan.cu", "scanExclusiveShared2", 1, 256, given2, {0: before})
    offsets = before.astype(np.uint32)
    whole = sums + offsets[:, None]
    yield Trial("scan/scan.cu", "uniformUpdate", 4, 256, (sums.ravel(), offsets), {0: whole.ravel()})


def histograms(words: Array) -> Iterator[Trial]:
    """Yield the four kernels of the sample histogram, over the bytes of some words."""
    all_bytes = words.view(np.uint8)
    fine, coarse = np.bincount(all_bytes, minlength=256), np.bincount(all_bytes >> 2, minlength=64)
    parts = np.array([np.bincount(part.view(np.uint8), minlength=256) for part in words.reshape(4, -1)], np.uint32)
    given: tuple[Any, ...] = np.zeros((4, 256), np.uint32), words, len(words)
    stride = [np.arange(len(words))[(np.arange(len(words)) // 192) % 4 == block] for block in range(4)]
    rows = np.array([np.bincount(words[of].view(np.uint8), minlength=256) for of in stride])
    yield Trial("histogram/histogram256.cu", "histogram256Kernel", 4, 192, given, {0: rows})
    given = np.zeros(256, np.uint32), parts, 4
    yield Trial("histogram/histogram256.cu", "mergeHistogram256Kernel", 256, 256, given, {0: fine})
    rows64 = np.array([np.bincount(part.view(np.uint8) >> 2, minlength=64) for part in words.reshape(1, -1)], np.uint32)
    given = np.zeros((1, 64), np.uint32), words, len(words) // 4
    yield Trial("histogram/histogram64.cu", "histogram64Kernel", 1, 64, given, {0: rows64})
    given = np.zeros(64, np.uint32), rows64, 1
    yield Trial("histogram/histogram64.cu", "mergeHistogram64Kernel", 64, 256, given, {0: coarse})


def sorts(keys: Array) -> Iterator[Trial]:
    """Yield kernels of the sample sortingNetworks that sort rows of 1,024 numbers, each with its place."""
    places = np.arange(len(keys), dtype=np.uint32)
    order = np.concatenate(
        [MERGED * row + np.argsort(part, kind="stable") for row, part in enumerate(keys.reshape(2, -1))]
    )
    for file, kernel in (("bitonicSort", "bitonicSortShared"), ("oddEvenMergeSort", "oddEvenMergeSortShared")):
        given = np.zeros_like(keys), np.zeros_like(keys), keys, places, MERGED, 1
        yield Trial(f"sortingNetworks/{file}.cu", kernel, 2, MERGED // 2, given, {0: keys[order]})
    down_and_up = np.concatenate([np.sort(keys[:MERGED])[::-1], np.sort(keys[MERGED:])])
    given1 = np.zeros_like(keys), np.zeros_like(keys), keys, places
    yield Trial("sortingNetworks/bitonicSort.cu", "bitonicSortShared1", 2, MERGED // 2, given1, {0: down_and_up})
    halves = down_and_up.reshape(2, -1)
    merged = np.concatenate([halves.min(axis=0), halves.max(axis=0)])
    given2 = np.zeros_like(keys), np.zeros_like(keys), down_and_up, places, 2 * MERGED, 2 * MERGED, MERGED, 1
    yield Trial("sortingNetworks/bitonicSort.cu", "bitonicMergeGlobal", 4, 256, given2, {0: merged})
    given3 = np.zeros_like(keys), np.zeros_like(keys), merged, places, 2 * MERGED, 2 * MERGED, 1
    yield Trial("sortingNetworks/bitonicSort.cu", "bitonicMergeShared", 2, MERGED // 2, given3, {0: np.sort(keys)})


def convolutions(image: Array, weights: Array) -> Iterator[Trial]:
    """Yield both kernels of the sample convolutionSeparable."""
    height, width = image.shape
    for kernel, grid, block, axis in (
        ("Rows", (width // 128, height // 4), (16, 4), 1),
        ("Columns", (width // 16, height // 64), (16, 8), 0),
    ):
        right = np.apply_along_axis(lambda line: np.convolve(line, weights, "same"), axis, image)
        given = np.zeros_like(image), image, width, height, width
        file, constants = "convolutionSeparable/convolutionSeparable.cu", {"c_Kernel": weights}
        yield Trial(file, f"convolution{kernel}Kernel", grid, block, given, {0: right}, constants=constants)


def merges(keys: Array) -> Iterator[Trial]:
    """Yield the kernel of the sample mergeSort that sorts rows of 1,024 numbers, and two that find where rows meet."""
    places, blank = np.arange(len(keys), dtype=np.uint32), np.zeros_like(keys)
    order = np.concatenate(
        [MERGED * row + np.argsort(part, kind="stable") for row, part in enumerate(keys.reshape(2, -1))]
    )
    given = blank, blank, keys, places, MERGED
    file = "mergeSort/mergeSort.cu"
    yield Trial(file, "mergeSortSharedKernel<1U>", 2, MERGED // 2, given, {0: keys[order], 1: places[order]})
    rows = keys[order].reshape(2, -1)
    samples = MERGED // 128
    ranks_a, ranks_b = np.zeros(2 * samples, np.uint32), np.zeros(2 * samples, np.uint32)
    own = np.arange(samples) * 128
    right_a = np.concatenate([own, np.searchsorted(rows[0], rows[1][own], "right")])
    right_b = np.concatenate([np.searchsorted(rows[1], rows[0][own], "left"), own])
    given1 = ranks_a, ranks_b, keys[order], MERGED, len(keys), samples
    yield Trial(file, "generateSampleRanksKernel<1U>", 1, 256, given1, {0: right_a, 1: right_b})
    limits = np.sort(right_a)
    given2 = np.zeros(2 * samples, np.uint32), right_a.astype(np.uint32), MERGED, len(keys), samples
    yield Trial(file, "mergeRanksAndIndicesKernel", 1, 256, given2, {0: limits})


if __name__ == "__main__":
    sys.exit(main())
