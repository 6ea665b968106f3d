"""CUDA's functions in the emulation, against the same in NumPy and Python's integers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gpusolve.backend import Program
from gpusolve.testing import nvrtc
from gpusolve.testing.checks import check_compiles
from gpusolve.testing.emulated import EmulatedBackend
from gpusolve.testing.extent import Extent
from gpusolve.testing.lessons import check
from gpusolve.testing.profiling.watching import find_races
from gpusolve.testing.tools import need_emulation

PROGRAM = Program(Path(__file__).with_name("functions.cu"), twins="")
COUNT = 500


def launched(name: str, *arguments: Any) -> Any:
    need_emulation()
    backend = EmulatedBackend()
    given = [backend.asarray(value) if isinstance(value, np.ndarray) else value for value in arguments]
    return backend.to_host(backend.launch(PROGRAM, name, len(arguments[0]), *given))


def signed(number: int, bits: int) -> int:
    """Return the number that these bits mean in two's complement."""
    number &= (1 << bits) - 1
    return number - (number >> (bits - 1) << bits)


def of_bytes(x: int, y: int, *, sign: bool) -> int:
    both = [(x >> i & 255, y >> i & 255) for i in range(0, 32, 8)]
    return sum(signed(a, 8) * signed(b, 8) if sign else a * b for a, b in both)


def test_integers() -> None:
    random = np.random.default_rng(1)
    given = random.integers(-(2**31), 2**31, (COUNT, 2)).astype(np.int32)
    given[:4] = [[0, 0], [-1, -1], [-(2**31), -(2**31)], [2**31 - 1, -(2**31)]]
    for (x, y), found in zip(given.tolist(), launched("of_integers", given).tolist(), strict=True):
        ux, uy = x % 2**32, y % 2**32
        both = ux << 32 | uy
        assert found == [
            x * y >> 32,
            ux * uy >> 32,
            signed(both * 0x9E3779B97F4A7C15 >> 64, 64),
            signed(both, 64) * 0x1E3779B97F4A7C15 >> 64,
            signed(signed(x, 24) * signed(y, 24), 32),
            (ux % 2**24) * (uy % 2**24) % 2**32,
            (abs(x - y) + 7) % 2**32,
            (abs(ux - uy) + 7) % 2**32,
            (x + y) >> 1,
            signed(int(f"{both:064b}"[::-1], 2), 64),
            signed(of_bytes(x, y, sign=True) + 5, 32),
            (of_bytes(x, y, sign=False) + 5) % 2**32,
            32 - ux.bit_length(),
            int(np.fmod(signed(3 * x, 32), 1000)),
        ]


def test_floating_point_numbers() -> None:
    random = np.random.default_rng(2)
    given = (random.random((COUNT, 2)) * [200, 2000] - [0, 1000]).astype(np.float32)
    given[:3, 1] = [0.5, 1.5, -2.5]
    x, y = given.T
    found = launched("of_floats", given).T
    near = [1 / np.sqrt(x), np.exp(y / 64), np.log(x), x / y]
    exact = [
        x + y,
        x - y,
        x * y,
        (np.float64(x) * y + x).astype(np.float32),
        np.sqrt(x),
        np.clip(x / np.float32(100), 0, 1),
    ]
    exact += [-x, np.rint(y), np.trunc(y), np.floor(y), np.ceil(y), np.clip(np.rint(y), 0, None)]
    for ours, theirs in zip(found[:4], near, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-5)
    for ours, theirs in zip(found[4:], exact, strict=True):
        np.testing.assert_array_equal(ours, theirs)


def test_warps() -> None:
    given = np.random.default_rng(3).integers(0, 5, (20, 32)).astype(np.int32)
    given[7] = 4
    found = launched("of_warps", given)
    equal = given[:, :, None] == given[:, None, :]
    assert (found[..., 0] == (equal << np.arange(32, dtype=np.uint32)).sum(axis=2)).all()
    assert (found[..., 1] == 0).all()  # all are equal: 2^32 - 1 lanes, plus 1
    assert (found[..., 2] == 2**32 - 1).all()


def test_memory_and_names_that_are_words_of_python() -> None:
    random = np.random.default_rng(4)
    fours, small = random.integers(0, 9, (12, 4)).astype(np.float32), random.integers(0, 9, (12, 4)).astype(np.uint8)
    table, count, out = np.arange(3, dtype=np.int16), np.array([5, 5, 0, 0], np.uint32), np.zeros(12, np.float32)
    need_emulation()
    assert (
        find_races(
            PROGRAM.text, PROGRAM.kernel("of_memory"), Extent.of(1, 256), (0, 12, fours, small, 3, table, count, out)
        )
        == ()
    )
    assert out.tolist() == (fours.sum(axis=1) + small[:, 0] + 3 + table[np.arange(12) % 3]).tolist()
    ups, downs = [5], [5]
    for _ in range(12):
        ups.append(0 if ups[-1] >= 6 else ups[-1] + 1)
        downs.append(6 if downs[-1] == 0 else downs[-1] - 1)
    assert count.tolist() == [ups[-1], downs[-1], 24, 9]
    backend = EmulatedBackend()
    given = [backend.asarray(value) for value in (fours, small, table, count)]
    backend.launch(PROGRAM, "of_memory", 12, *given)
    with pytest.raises(
        ValueError, match=r"of_memory: const float4\* in|of_memory: float4\* in expects an array of shape"
    ):
        backend.launch(PROGRAM, "of_memory", 12, given[0][:, :3].copy(), *given[1:])


@pytest.mark.parametrize("arch", nvrtc.ARCHITECTURES[:1])
def test_the_compiler_knows_the_same_functions(arch: str) -> None:
    if nvrtc.missing():
        pytest.skip(nvrtc.missing())
    check_compiles(PROGRAM, arch)


def test_machine_code_is_refused_with_its_line() -> None:
    need_emulation()
    text = """
#include "common.cuh"
extern "C" __global__ void lanes(int first, int last, u32* out /*[last]*/) {
    EACH_ITEM(item, 1) {
        asm volatile("mov.u32 %0, %laneid;" : "=r"(out[item]));  // not asm("...") in a comment
    }
}
"""
    found = check(text, "lanes", 8, np.zeros(8, np.uint32), expected=np.zeros(8, np.uint32))
    assert "lesson.cu:4: inline PTX runs only on a GPU: asm volatile(" in str(found)
