"""Declarations of a CUDA text, and launches that do not match them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from backend.weighing import COLUMNS, EXPECTED, ITEMS, PROBE, arguments, weigh
from gpusolve.backend import Backend, open_backend
from gpusolve.backend.program import insert_headers, parse_kernels


def test_valid_arguments_are_accepted(backend: Backend) -> None:
    assert weigh(backend) == EXPECTED


@pytest.mark.parametrize(
    ("name", "make"),
    [
        ("columns", lambda xp: xp.int64(COLUMNS)),
        ("columns", lambda xp: np.uint8(COLUMNS)),
        ("shift", lambda xp: np.int8(3)),
        ("seed", lambda xp: np.uint64(7)),
        ("factor", lambda xp: np.float32(0.5)),
        ("marks", lambda xp: xp.asarray([1, 2, 3, 4, 5], dtype=xp.uint8)),  # more rows than the kernel reads
        ("pairs", lambda xp: xp.asarray([[10, 20], [0, 0]], dtype=xp.uint32)),  # any number of rows
        ("out", lambda xp: xp.zeros((ITEMS, 2), dtype=xp.int64)),
    ],
)
def test_other_valid_arguments_are_accepted(backend: Backend, name: str, make: Callable[[Any], Any]) -> None:
    assert weigh(backend, **{name: make(backend.xp)}) == EXPECTED


def test_booleans_are_numbers_and_arrays_of_booleans_are_bytes(backend: Backend) -> None:
    xp = backend.xp
    changed = {"shift": False, "seed": np.True_, "factor": 0, "marks": xp.asarray([True, False, True])}
    assert weigh(backend, **changed) == [
        [total + (item % 3 != 1) + 30, 1] for item, total in enumerate(range(6, 80, 16))
    ]


@pytest.mark.parametrize(
    ("name", "make", "error", "message"),
    [
        # type
        ("table", lambda xp: [[0] * COLUMNS] * ITEMS, TypeError, r"int\* table expects an array of the device"),
        ("table", lambda xp: 5, TypeError, "expects an array of the device, not int"),
        ("table", lambda xp: None, TypeError, "not NoneType"),
        ("columns", lambda xp: xp.zeros(1, dtype=xp.int32), TypeError, "columns expects a number of type int32, not"),
        ("columns", lambda xp: 4.0, TypeError, "expects a number of type int32, not float"),
        ("columns", lambda xp: np.float64(4), TypeError, "not float64"),
        ("columns", lambda xp: "4", TypeError, "not str"),
        ("factor", lambda xp: 1j, TypeError, "double factor expects a number of type float64, not complex"),
        # dtype
        ("table", lambda xp: xp.zeros((ITEMS, COLUMNS), dtype=xp.int64), TypeError, "an array of int32, not of int64"),
        ("table", lambda xp: xp.zeros((ITEMS, COLUMNS), dtype=xp.uint32), TypeError, "not of uint32"),
        ("table", lambda xp: xp.zeros((ITEMS, COLUMNS), dtype=xp.float32), TypeError, "not of float32"),
        ("table", lambda xp: xp.zeros((ITEMS, COLUMNS), dtype=xp.bool_), TypeError, "not of bool"),
        ("marks", lambda xp: xp.zeros(3, dtype=xp.int8), TypeError, "marks expects an array of uint8, not of int8"),
        ("out", lambda xp: xp.zeros((ITEMS, 2), dtype=xp.uint64), TypeError, "expects an array of int64, not"),
        # shape: the first bracket, the others, their number
        ("table", lambda xp: xp.zeros((ITEMS - 1, COLUMNS), dtype=xp.int32), ValueError, r"\[5\]\[4\], not \(4, 4\)"),
        ("table", lambda xp: xp.zeros((ITEMS, COLUMNS - 1), dtype=xp.int32), ValueError, r"not \(5, 3\)"),
        ("table", lambda xp: xp.zeros((ITEMS, COLUMNS + 1), dtype=xp.int32), ValueError, r"not \(5, 5\)"),
        ("table", lambda xp: xp.zeros(ITEMS * COLUMNS, dtype=xp.int32), ValueError, r"not \(20,\)"),
        ("table", lambda xp: xp.zeros((ITEMS, COLUMNS, 1), dtype=xp.int32), ValueError, r"not \(5, 4, 1\)"),
        ("columns", lambda xp: COLUMNS - 1, ValueError, r"table expects an array of shape \[5\]\[3\], not \(5, 4\)"),
        ("marks", lambda xp: xp.zeros(2, dtype=xp.uint8), ValueError, r"marks expects an array of shape \[3\], not"),
        ("marks", lambda xp: xp.zeros((3, 1), dtype=xp.uint8), ValueError, r"not \(3, 1\)"),
        ("pairs", lambda xp: xp.zeros((1, 3), dtype=xp.uint32), ValueError, r"shape \[\]\[2\], not \(1, 3\)"),
        ("pairs", lambda xp: xp.zeros(2, dtype=xp.uint32), ValueError, r"shape \[\]\[2\], not \(2,\)"),
        ("out", lambda xp: xp.zeros((ITEMS, 3), dtype=xp.int64), ValueError, r"shape \[5\]\[2\], not \(5, 3\)"),
        ("out", lambda xp: xp.zeros((0, 2), dtype=xp.int64), ValueError, r"not \(0, 2\)"),
        # contiguity
        ("table", lambda xp: xp.zeros((ITEMS, 2 * COLUMNS), dtype=xp.int32)[:, ::2], TypeError, "C-contiguous"),
        ("table", lambda xp: xp.zeros((COLUMNS, ITEMS), dtype=xp.int32).T, TypeError, "C-contiguous"),
        ("out", lambda xp: xp.zeros((ITEMS, 2), dtype=xp.int64)[::-1], TypeError, "C-contiguous"),
        # range
        ("columns", lambda xp: 2**31, OverflowError, "int columns cannot hold 2147483648"),
        ("columns", lambda xp: np.int64(-(2**31) - 1), OverflowError, "cannot hold -2147483649"),
        ("shift", lambda xp: 256, OverflowError, "u8 shift cannot hold 256"),
        ("shift", lambda xp: -1, OverflowError, "cannot hold -1"),
        ("seed", lambda xp: 2**64, OverflowError, "u64 seed cannot hold"),
        ("seed", lambda xp: np.int8(-1), OverflowError, "cannot hold -1"),
    ],
)  # fmt: skip
def test_invalid_arguments_are_refused(
    backend: Backend, name: str, make: Callable[[Any], Any], error: type[Exception], message: str
) -> None:
    for count in (ITEMS, 0):  # also without items, unless the array has too few rows for the items
        if count == 0 and message.endswith((r"not \(4, 4\)", r"not \(0, 2\)")):
            weigh(backend, 0, **{name: make(backend.xp)})
            continue
        with pytest.raises(error, match=message if count else message.replace(r"\[5\]", r"\[0\]")):
            weigh(backend, count, **{name: make(backend.xp)})


def test_an_array_that_is_written_to_must_not_be_read_only() -> None:
    backend = open_backend("cpu")  # CuPy's arrays are never read-only
    table, out = (backend.asarray(array) for array in (np.ones((ITEMS, COLUMNS), np.int32), np.zeros((ITEMS, 2), int)))
    table.flags.writeable = out.flags.writeable = False
    assert weigh(backend, table=table)[0] == [(4 << 3) + 31, 9]
    with pytest.raises(TypeError, match=r"i64\* out writes to its array, and this one is read-only"):
        weigh(backend, out=out)


def test_too_few_or_too_many_arguments_are_refused(backend: Backend) -> None:
    given = list(arguments(backend).values())
    for wrong in (given[:-1], [*given, 1], []):
        with pytest.raises(
            TypeError, match=rf"weigh\(first, last, table, .*, out\) takes 8 arguments here, not {len(wrong)}"
        ):
            backend.launch(PROBE, "weigh", ITEMS, *wrong)


@pytest.mark.parametrize("count", [-1, 2**31, 2**63])
def test_too_many_items_are_refused(backend: Backend, count: int) -> None:
    with pytest.raises(ValueError, match=f"weigh: {count} items: expected 0 to 2147483647"):
        weigh(backend, count)


def test_no_items_launch_nothing(backend: Backend) -> None:
    assert weigh(backend, 0) == [[0, 0]] * ITEMS


def test_an_unknown_kernel_is_refused(backend: Backend) -> None:
    with pytest.raises(ValueError, match=r"probe\.cu has no kernel nonsense, only weigh, count_items"):
        backend.launch(PROBE, "nonsense", 1)


# ---- the text -------------------------------------------------------------------------------------------------------


def test_every_form_of_kernel_is_parsed() -> None:
    text = insert_headers('#include "common.cuh"\n', "x.cu") + (
        'extern "C" __global__ void __launch_bounds__(BLOCK) one(int first, int last,\n'
        "        const u8* __restrict__ x /*[last][2 * WARP]*/, u64 seed) {\n    EACH_ITEM(item, WARP) {}\n}\n"
        'extern "C" __global__ void two(int first, int last, int *out) {}\n'
        "__device__ int helper(int x) { return x; }\n"
    )
    found = parse_kernels(text)
    assert {
        name: (kernel.threads, [(p.type, p.name, p.constant, p.shape is not None) for p in kernel.parameters[2:]])
        for name, kernel in found.items()
    } == {
        "one": (32, [("u8*", "x", True, True), ("u64", "seed", False, False)]),
        "two": (1, [("int*", "out", False, False)]),
    }
    with pytest.raises(ValueError, match=r"shape \[5\]\[64\], not \(5, 32\)"):
        found["one"].check(5, (np.zeros((5, 32), np.uint8), 1), np.ndarray)
    found["one"].check(5, (np.zeros((5, 64), np.uint8), 1), np.ndarray)
    found["two"].check(5, (np.zeros((1, 2, 3), np.int32),), np.ndarray)  # no shape is declared


@pytest.mark.parametrize(
    ("kernel", "message"),
    [
        ("f(int first, int count) {}", "f: the first two parameters must be int first, int last"),
        ("f(int last) {}", "must be int first, int last"),
        ("f(long first, int last) {}", "long first: this type is not among bool"),
        ("f(int first, int last, float4* x) {}", r"float4\* x: this type is not among"),
        ("f(int first, int last, uint2 x) {}", "uint2 x: this type is not among"),
        ("f(int first, int last, int** x) {}", r"int\*\* x: this type is not among"),
        ("f(int first, int last, int x[4]) {}", r"the parameter 'int x\[4\]' cannot be read"),
        ("f(int first, int last) { EACH_ITEM(i, 1) {} EACH_ITEM(j, 32) {} }", "with 1, 32 threads: expected one"),
    ],
)  # fmt: skip
def test_a_text_that_cannot_be_parsed_is_refused(kernel: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse_kernels(f'extern "C" __global__ void {kernel}')


def test_headers_are_inserted_in_their_order(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("gpusolve.backend.program.kernels_dir", lambda: tmp_path)
    for name in ("common", "later", "early"):
        (tmp_path / f"{name}.cuh").write_text(f"int {name};\n")
    text = '// x\n#include "common.cuh"\n#include "early.cuh"\nint own;\n#include "later.cuh"\nint end;\n'
    assert insert_headers(text, "x.cu").splitlines() == [
        "// x",
        '#line 1 "common.cuh"', "int common;", "", '#line 3 "x.cu"',
        '#line 1 "early.cuh"', "int early;", "", '#line 4 "x.cu"', "int own;",
        '#line 1 "later.cuh"', "int later;", "", '#line 6 "x.cu"', "int end;",
    ]  # fmt: skip
    (tmp_path / "early.cuh").write_text('#include "later.cuh"\n')
    with pytest.raises(ValueError, match=r"early\.cuh must not include anything: x\.cu includes all headers"):
        insert_headers(text, "x.cu")


@pytest.mark.parametrize(
    "text",
    [
        "int x;\n", '#include "common.cuh"\n#include <cuda.h>\n', '#include "common.cuh"\n#include "common.cuh"\n',
        '#include "early.cuh"\n#include "common.cuh"\n', '#include "common.cuh"\n#include "../early.cuh"\n',
    ],
)  # fmt: skip
def test_an_include_other_than_of_headers_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"x\.cu must include common\.cuh first, then only other headers of kernels/"):
        insert_headers(text, "x.cu")
