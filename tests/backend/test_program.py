"""Declarations of a CUDA text, and launches that do not match them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from backend.weighing import COLUMNS, EXPECTED, ITEMS, PROBE, arguments, weigh
from gpusolve.backend import Backend, open_backend
from gpusolve.backend.program import Program, insert_headers, instantiate, parse_kernels


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
            TypeError,
            match=r"weigh takes 6 arguments here \(table, marks, pairs, shift, seed, factor\), "
            rf"or 8 \(table, columns, .*, out\), not {len(wrong)}",
        ):
            backend.launch(PROBE, "weigh", ITEMS, *wrong)


# ---- launches with the inputs only -----------------------------------------------------------------------------------


def inputs(backend: Backend, **changed: Any) -> list[Any]:
    """Return the arguments of ``weigh`` that do not follow from the others."""
    given = arguments(backend) | changed
    return [given[name] for name in ("table", "marks", "pairs", "shift", "seed", "factor")]


def test_outputs_are_made_and_lengths_are_read_off_the_inputs(backend: Backend) -> None:
    found = backend.launch(PROBE, "weigh", ITEMS, *inputs(backend))
    assert isinstance(found, backend.xp.ndarray)
    assert (found.dtype, found.shape, backend.to_host(found).tolist()) == (np.int64, (ITEMS, 2), EXPECTED)
    assert backend.launch(PROBE, "weigh", 0, *inputs(backend)).shape == (0, 2)
    found = backend.launch(PROBE, "weigh", ITEMS, *inputs(backend, seed=np.uint64(7)))
    assert backend.to_host(found).tolist() == EXPECTED


def test_nothing_is_returned_if_all_arguments_are_given(backend: Backend) -> None:
    assert backend.launch(PROBE, "weigh", ITEMS, *arguments(backend).values()) is None
    assert backend.launch(PROBE, "count_items", 3, backend.asarray(np.zeros(3, np.int32))) is None


@pytest.mark.parametrize(
    ("name", "make", "error", "message"),
    [
        ("table", lambda xp: [[0] * COLUMNS] * ITEMS, TypeError, r"int\* table expects an array of the device, not"),
        ("table", lambda xp: xp.zeros(ITEMS, dtype=xp.int32), ValueError, r"shape \[last\]\[columns\], not \(5,\)"),
        ("table", lambda xp: xp.zeros((ITEMS, 1, 1), dtype=xp.int32), ValueError, r"not \(5, 1, 1\)"),
        ("table", lambda xp: xp.zeros((ITEMS - 1, 4), dtype=xp.int32), ValueError, r"\[5\]\[4\], not \(4, 4\)"),
        ("table", lambda xp: xp.zeros((ITEMS, 4), dtype=xp.int64), TypeError, "an array of int32, not of int64"),
        ("marks", lambda xp: None, TypeError, "not NoneType"),
        ("shift", lambda xp: 256, OverflowError, "u8 shift cannot hold 256"),
    ],
)  # fmt: skip
def test_invalid_inputs_are_refused(
    backend: Backend, name: str, make: Callable[[Any], Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        backend.launch(PROBE, "weigh", ITEMS, *inputs(backend, **{name: make(backend.xp)}))


def test_lengths_are_read_where_they_are_exact() -> None:
    """The first axis can be longer than declared, so another one is preferred; `rest` is in no array that is given."""
    found = parse_kernels(
        'extern "C" __global__ void f(int first, int last, const u8* a /*[n + 1][m]*/, const u8* b /*[m][n]*/, int n,\n'
        "        int m, int rest, float* out /*[last][n + rest]*/, u16* sums /*[2 * m]*/, int* own /*[m] changed*/,\n"
        "        int* any /*[][n]*/) {}\n"
    )["f"]
    assert [parameter.name for parameter in found.inputs] == ["a", "b", "rest", "own", "any"]
    a, b = np.zeros((9, 3), np.uint8), np.zeros((4, 7), np.uint8)
    own, rows = np.zeros(3, np.int32), np.zeros((1, 7), np.int32)
    every, (out, sums) = found.complete(5, (a, b, 2, own, rows), np.ndarray, np.empty)
    assert (out.shape, out.dtype, sums.shape, sums.dtype) == ((5, 9), np.float32, (6,), np.uint16)
    assert every[2:5] == (7, 3, 2)
    assert [id(array) for array in every[:2] + every[5:]] == [id(array) for array in (a, b, out, sums, own, rows)]
    with pytest.raises(ValueError, match=r"a expects an array of shape \[8\]\[3\], not \(7, 3\)"):
        found.complete(5, (a[:7], b, 2, own, rows), np.ndarray, np.empty)


@pytest.mark.parametrize("count", [-1, 2**31, 2**63])
def test_too_many_items_are_refused(backend: Backend, count: int) -> None:
    for given in (list(arguments(backend).values()), inputs(backend)):
        with pytest.raises(ValueError, match=f"weigh: {count} items: expected 0 to 2147483647"):
            backend.launch(PROBE, "weigh", count, *given)


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
        found["one"].complete(5, (np.zeros((5, 32), np.uint8), 1), np.ndarray, np.empty)
    found["one"].complete(5, (np.zeros((5, 64), np.uint8), 1), np.ndarray, np.empty)
    found["two"].complete(5, (np.zeros((1, 2, 3), np.int32),), np.ndarray, np.empty)  # no shape is declared


@pytest.mark.parametrize(
    ("kernel", "message"),
    [
        ("f(int first, int count) {}", "f: the first two parameters must be int first, int last"),
        ("f(int last) {}", "must be int first, int last"),
        ("f(long first, int last) {}", "long first: this type is not among bool"),
        ("f(int first, int last, dim3* x) {}", r"dim3\* x: this type is not among"),
        ("f(int first, int last, uint2 x) {}", "uint2 x: this type is not among"),
        ("f(int first, int last, int** x) {}", r"int\*\* x: this type is not among"),
        ("f(int first, int last, int x[4]) {}", r"the parameter 'int x\[4\]' cannot be read"),
        ("f(int first, int last) { EACH_ITEM(i, 1) {} EACH_ITEM(j, 32) {} }", "with 1, 32 threads: expected one"),
    ],
)  # fmt: skip
def test_a_text_that_cannot_be_parsed_is_refused(kernel: str, message: str, tmp_path: Path) -> None:
    source = tmp_path / "own.cu"
    source.write_text(f'#include "common.cuh"\nextern "C" __global__ void {kernel}\n')
    with pytest.raises(ValueError, match=message):
        Program(source, "").kernel("f")


def test_templates_are_instantiated_on_their_lines() -> None:
    helper = "template <class T> __device__ T own(T x) { return x; }"
    bounds, after = (
        "__global__ void __launch_bounds__(BLOCK, sizeof({0}) == 1 ? 4 : 3)",
        "(int first, int last, {0}* x) {{",
    )
    body = "    EACH_ITEM(i, 32) x[i] = own<{0}>(1);"

    def kernel(name: str, kind: str) -> list[str]:
        return [line.format(kind) for line in (f"{bounds} {name}{after}", body, "}}")]

    text = "\n".join([helper, "template <class T /*f: u8, f_16: u16*/>", *kernel("any", "T"), "int end;"])
    made = instantiate(text, "x.cu")
    f, f_16 = kernel("f", "u8"), kernel("f_16", "u16")
    assert made.splitlines() == [
        helper,
        '#line 3 "x.cu"', f'extern "C" {f[0]}', *f[1:],
        '#line 3 "x.cu"', f'extern "C" {f_16[0]}', *f_16[1:],
        "int end;",
    ]  # fmt: skip
    kernels = parse_kernels(made).values()
    assert [(kernel.name, kernel.threads, kernel.parameters[2].type) for kernel in kernels] == [
        ("f", 32, "u8*"),
        ("f_16", 32, "u16*"),
    ]


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
    with pytest.raises(
        ValueError, match=r"x\.cu must include common\.cuh first, then only headers beside it or of gpusolve"
    ):
        insert_headers(text, "x.cu")
